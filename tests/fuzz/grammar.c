/* A construct is a text in which each '@' is another one. */
#include "tests/fuzz/grammar.h"

#include <string.h>

enum { ONE_IN = 24, MAX_DEPTH = 12 }; /* how often a construct is a faulty one */

static const char *const leaves[] = {
    "a",         "x",     "B",   "7",   "3.14",  "\\alpha",     "\\Gamma",  "\\infty",
    "\\partial", "+",     "-",   "=",   "\\leq", "\\times",     "\\to",     "\\ldots",
    "\\sin",     "\\lim", ",",   "!",   "\\;",   "\\,",         "\\quad ",  "(",
    "]",         "|",     "\\{", "\\|", "'",     "\\mathbb{R}", "\xc3\xa9", "\xce\xb1",
    "\\ ",       "~",     "/",   "\\%", "\\ell", "\\sum",       "\\int",    "{}",
};

static const char *const constructs[] = {
    "@@",
    "@ @",
    "@+@",
    "{@}",
    "@^{@}",
    "@_{@}",
    "@_{@}^{@}",
    "@^@",
    "@_@",
    "@'",
    "@'^{@}",
    "\\frac{@}{@}",
    "\\frac@@",
    "\\dfrac{@}{@}",
    "\\cfrac{@}{@}",
    "{@\\over @}",
    "{@\\atop{@}}",
    "\\binom{@}{@}",
    "\\genfrac(){0pt}{1}{@}{@}",
    "\\sqrt{@}",
    "\\sqrt[@]{@}",
    "\\sqrt@",
    "\\left(@\\right)",
    "\\left[@\\middle|@\\right\\}",
    "\\left.@\\right|_{@}",
    "\\bigl(@\\Bigr)",
    "\\hat{@}",
    "\\vec@",
    "\\widetilde{@}",
    "\\overline{@}",
    "\\underbrace{@}_{@}",
    "\\overset{@}{@}",
    "\\stackrel{@}{@}",
    "\\xrightarrow[@]{@}",
    "\\not{@}",
    "\\phantom{@}",
    "\\boxed{@}",
    "\\cancel{@}",
    "\\mathbf{@}",
    "\\mathrm@",
    "{\\bf @}",
    "\\mathcal{@}",
    "\\boldsymbol{@}",
    "\\displaystyle @",
    "{\\scriptstyle @}",
    "\\text{a $@$ b}",
    "\\mbox{@}",
    "\\textcolor{red}{@}",
    "{\\color{blue}@}",
    "\\operatorname{@}",
    "\\mathop{@}\\limits_{@}^{@}",
    "\\sum_{@}^{@}@",
    "\\int\\nolimits_{@}^{@}",
    "\\prod\\limits_{\\substack{@\\\\@}}",
    "\\lim_{@\\to @}@",
    "\\mathrel{@}",
    "\\mathchoice{@}{@}{@}{@}",
    "\\begin{array}{c|rl}@&@&@\\\\\\hline @&@\\end{array}",
    "\\begin{pmatrix}@&@\\\\[2pt]@&@\\end{pmatrix}",
    "\\begin{cases}@&@\\\\@\\end{cases}",
    "\\begin{aligned}@&=@\\\\&=@\\end{aligned}",
    "\\begin{array}{*{2}{c}}\\multicolumn{2}{c}{@}\\\\@&@\\end{array}",
    "\\begin{matrix}@\\end{matrix}",
    "\\hspace{1.5em}@",
    "\\raisebox{2pt}{$@$}",
    "\\kern-.2em@",
    "\\tag{@}@",
    "\\label{@}@",
    "\\ce{@ + 2@}",
    "\\def\\z#1{@#1}\\z{@}",
    "\\newcommand{\\y}[1]{@#1@}\\y{@}\\y@",
    "\\prescript{@}{@}{@}",
    "@%@\n@",
};

static const char *const faults[] = {
    "{@",
    "@}",
    "@^^{@}",
    "@^{@}^{@}",
    "@_@_@",
    "@&@",
    "\\left(@",
    "@\\right)",
    "\\frac{@}",
    "\\sqrt[@",
    "\\begin{array}@",
    "@\\end{matrix}",
    "\\begin{array}{c}@\\end{pmatrix}",
    "\\unknown{@}",
    "@\\\\@",
    "$@$",
    "#1@",
    "\\hline @",
    "\\over@",
    "{@\\over @\\over @}",
    "\\hspace{@}",
    "\\color{@}@",
    "@^",
    "\\def\\x{@\\x}\\x",
    "\\text{@",
    "\\begin{@}@\\end{@}",
    "@\\",
    "\\middle|@",
    "\\limits_{@}",
    "\xff@",
    "\\u{@}",
    "^@",
    "\\left@",
};

#define ANY(list) list[tg_random_below(random, G_N_ELEMENTS(list))]

static void append(TgRandom *random, GString *out, guint *left, guint depth)
{
    const char *at = ANY(leaves);

    if (*left > 0 && depth < MAX_DEPTH) {
        --*left;
        at = tg_random_below(random, ONE_IN) == 0 ? ANY(faults) : ANY(constructs);
    }
    for (; *at != '\0'; at++) {
        if (*at == '@')
            append(random, out, left, depth + 1);
        else
            g_string_append_c(out, *at);
    }
}

char *fuzz_formula(TgRandom *random, guint size)
{
    GString *out = g_string_new(NULL);

    while (size > 0)
        append(random, out, &size, 0);
    return g_string_free(out, FALSE);
}

/* A group of @text: the bytes between its braces; all of it where there is none. */
static void choose_group(TgRandom *random, const char *text, gsize *start, gsize *end)
{
    const gsize n = strlen(text);
    const gsize from = n > 0 ? tg_random_below(random, (guint32) n) : 0;
    const char *open = strchr(text + from, '{');
    guint depth = 0;

    *start = 0;
    *end = n;
    if (open == NULL)
        open = strchr(text, '{');
    for (const char *at = open; at != NULL && *at != '\0'; at++) {
        depth += *at == '{';
        depth -= *at == '}';
        if (depth > 0)
            continue;
        *start = (gsize) (open - text) + 1;
        *end = (gsize) (at - text);
        return;
    }
}

char *fuzz_mutated(TgRandom *random, const char *formula)
{
    g_autofree char *fresh = fuzz_formula(random, 1 + tg_random_below(random, 4));
    GString *out = g_string_new(formula);
    gsize start, end, other, other_end;

    choose_group(random, formula, &start, &end);
    g_autofree char *group = g_strndup(formula + start, end - start);
    switch (tg_random_below(random, 5)) {
    case 0: /* between two tokens, more or less */
        end = start;
        break;
    case 1:
        g_string_erase(out, (gssize) start, (gssize) (end - start));
        return g_string_free(out, FALSE);
    case 2: { /* into a construct */
        g_autoptr(GString) around = g_string_new(NULL);
        gboolean is_first = TRUE;

        for (const char *at = ANY(constructs); *at != '\0'; at++) {
            if (*at != '@')
                g_string_append_c(around, *at);
            else
                g_string_append(around, is_first ? group : fresh);
            is_first = is_first && *at != '@';
        }
        g_free(fresh);
        fresh = g_strdup(around->str);
        break;
    }
    case 3: /* to another place */
        choose_group(random, formula, &other, &other_end);
        start = other;
        end = other_end;
        g_free(fresh);
        fresh = g_steal_pointer(&group);
        break;
    default:
        break;
    }
    g_string_erase(out, (gssize) start, (gssize) (end - start));
    g_string_insert(out, (gssize) start, fresh);
    return g_string_free(out, FALSE);
}
