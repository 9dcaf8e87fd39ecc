/* The table of spaces between atoms. */
#include "render/typeset/spacing.h"

#include "render/typeset/math_style.h"
#include "render/typeset/scaled.h"

/* 0: none; 1: thin; 2: medium; 3: thick; lower case only in display and text styles. */
static const char atom_spaces[8][9] = {
    /*            Ord Op Bin Rel Open Close Punct Inner */
    /* Ord   */ "0Tmk000t",
    /* Op    */ "TT*k000t",
    /* Bin   */ "mm**m**m",
    /* Rel   */ "kk*0k00k",
    /* Open  */ "00*00000",
    /* Close */ "0Tmk000t",
    /* Punct */ "tt*ttttt",
    /* Inner */ "tTmkt0tt",
};

enum { THIN_MU = 3 * 65536, MEDIUM_MU = 4 * 65536, THICK_MU = 5 * 65536 };

TgScaled tg_atom_space(guint left, guint right, int style)
{
    const gboolean small = style >= TG_SCRIPT;

    switch (atom_spaces[left][right]) {
    case 'T':
        return THIN_MU;
    case 't':
        return small ? 0 : THIN_MU;
    case 'm':
        return small ? 0 : MEDIUM_MU;
    case 'k':
        return small ? 0 : THICK_MU;
    default: /* '*' cannot happen: Bin has become Ord there */
        return 0;
    }
}

/* TeX's math_glue (§716): whole and fractional mu are multiplied separately, each truncated. */
TgScaled tg_mu_to_sp(TgScaled mu_in_sp, TgScaled amount)
{
    TgScaled whole = mu_in_sp / 65536, fraction = mu_in_sp % 65536;

    if (fraction < 0) {
        whole--;
        fraction += 65536;
    }
    return whole * amount + tg_xn_over_d(amount, fraction, 65536);
}
