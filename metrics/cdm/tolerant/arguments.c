/* The default tables of pylatexenc 2.10, as far as formulas can meet them. */
#include "metrics/cdm/tolerant/arguments.h"

#include <pthread.h>

/* Names with the same arguments; names are separated by single spaces. */
typedef struct {
    const char *arguments, *names;
} Row;

static const Row macros[] = {
    { "{",
      "mathrm mathbb mathbf mathit mathsf mathtt mathcal mathscr mathfrak text mbox emph textrm "
      "textit textbf textmd textsc textsf textsl texttt textup ensuremath not dot ddot hat bar vec "
      "tilde check breve acute grave overline underline widehat widetilde wideparen overleftarrow "
      "overrightarrow overleftrightarrow underleftarrow underrightarrow underleftrightarrow "
      "overbrace underbrace overgroup undergroup overbracket underbracket overlinesegment "
      "underlinesegment overleftharpoon overrightharpoon ket bra label ref cref Cref autoref eqref "
      "url hypersetup title author date input include bibliography keywords citetext citenum ' ` "
      "\" ^ ~ = . c H k b d r u v" },
    { "{{", "frac nicefrac braket ketbra texorpdfstring defcitealias" },
    { "[{",
      "sqrt xleftarrow xrightarrow color pagecolor hphantom vphantom footnote includegraphics "
      "documentclass usepackage RequirePackage selectlanguage" },
    { "[{{", "textcolor colorbox setlength addlength setcounter addcounter" },
    { "[{[{", "colorlet" },
    { "[{[{{", "fcolorbox" },
    { "[{{{", "definecolor providecolor" },
    { "*{", "hspace vspace" },
    { "*[", "\\" },
    { "[", "item" },
    { "*[{", "chapter section subsection subsubsection subparagraph" },
    { "*[[{",
      "cite citet citep citealt citealp citeauthor Citet Citep Citealt Citealp Citeauthor" },
    { "[[{", "citefullauthor citeyear citeyearpar citetalias citepalias" },
    { "*{{", "DeclareMathOperator" },
    { "{{{", "boxframe" },
    { "*[{{{", "rowcolors" },
    { "*{[[{", "newcommand renewcommand providecommand" },
    { "*{[[{{", "newenvironment renewenvironment provideenvironment" },
};

static const Row environments[] = {
    { "[{", "array" },
    { "{", "tabular alignat alignat*" },
    { "{{", "tabular*" },
    { "{[{", "tabularx" },
    { "[", "figure figure* table table* theorem proposition lemma corollary definition conjecture "
           "remark proof thm prop lem cor conj rem defn enumerate itemize description" },
};

static GHashTable *macro_table, *environment_table; /* constant once they are filled */

static GHashTable *make_table(const Row *rows, guint n_rows)
{
    GHashTable *table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (guint i = 0; i < n_rows; i++) {
        g_auto(GStrv) names = g_strsplit(rows[i].names, " ", -1);

        for (guint k = 0; names[k] != NULL; k++)
            g_hash_table_insert(table, g_steal_pointer(&names[k]), (gpointer) rows[i].arguments);
    }
    return table;
}

static void make_tables(void)
{
    macro_table = make_table(macros, G_N_ELEMENTS(macros));
    environment_table = make_table(environments, G_N_ELEMENTS(environments));
}

static const char *find(GHashTable *const *table, const char *name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_tables);
    const char *found = g_hash_table_lookup(*table, name);
    return found != NULL ? found : "";
}

const char *tg_cdm_macro_arguments(const char *name)
{
    return find(&macro_table, name);
}

const char *tg_cdm_environment_arguments(const char *name)
{
    return find(&environment_table, name);
}
