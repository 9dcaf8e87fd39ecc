/* Formulas out of documents, and pairing them: one paper, and what four kinds of parser made of it.
 */
#include "tests/support/test_support.h"

#include <glib/gstdio.h>
#include <jansson.h>

#include "datasets/documents/documents.h"

#include "datasets/documents/document.h"

#define DOCUMENTS TG_SOURCE_ROOT "/tests/documents/"

/* The formulas of tests/documents/truth/heat.tex, with macros expanded by hand. */
static const struct {
    guint line;
    const char *latex;
} ref[] = {
    { 26, "\\frac{\\partial u}{\\partial t} = \\Delta u ." },
    { 30, "\\Phi(x,t) = \\frac{1}{(4\\pi t)^{n/2}} e^{-|x|^2/4t}, \\qquad t > 0 ." },
    { 38, "E(t) = \\tfrac{1}{2} \\int_{\\mathbb{R}^n} |u(x,t)|^2 \\,\\mathrm{d}x" },
    { 39, "\\begin{align} \\frac{\\mathrm{d}E}{\\mathrm{d}t} &= \\int_{\\mathbb{R}^n} u \\, "
          "\\frac{\\partial u}{\\partial t} \\,\\mathrm{d}x \\\\ &= -\\int_{\\mathbb{R}^n} "
          "|\\nabla u|^2 \\,\\mathrm{d}x \\le 0 . \\end{align}" },
    { 44, "\\left\\lVert u(\\cdot,t) \\right\\rVert_{L^2} \\le e^{-\\lambda_1 t} \\left\\lVert u_0 "
          "\\right\\rVert_{L^2} ." },
    { 51,
      "\\begin{gather*} \\operatorname*{ess\\,sup}_{x \\in \\mathbb{R}^n} |u(x,t)| \\le "
      "\\operatorname*{ess\\,sup}_{x\\in\\mathbb{R}^n} |u_0(x)| , \\\\ \\operatorname{supp} u_0 "
      "\\subset B_R(0) . \\end{gather*}" },
    { 62, "\\hat u(\\xi,t) = e^{-|\\xi|^2 t}\\,\\hat u_0(\\xi), \\quad \\langle\\hat u, \\hat v "
          "\\rangle = \\int_{\\mathbb{R}^n} \\hat u \\, \\overline{\\hat v} \\,\\mathrm{d}\\xi ." },
    { 66, "\\begin{eqnarray} a_k &=& \\frac{2}{\\pi} \\int_0^\\pi u_0(x) \\sin(kx) "
          "\\,\\mathrm{d}x , \\\\ u(x,t) &=& \\sum_{k=1}^\\infty a_k e^{-k^2 t} \\sin(kx) . "
          "\\end{eqnarray}" },
    { 73, "\\frac{u_j^{m+1} - u_j^m}{\\tau} = \\frac{u_{j+1}^m - 2u_j^m + u_{j-1}^m}{h^2}" },
    { 77, "\\tau \\le \\frac{h^2}{2} ." },
    { 79,
      "\\begin{pmatrix} u_1^{m+1} \\\\ u_2^{m+1} \\end{pmatrix} = \\begin{pmatrix} 1 - 2r & r "
      "\\\\ r & 1 - 2r \\end{pmatrix} \\begin{pmatrix} u_1^m \\\\ u_2^m \\end{pmatrix} , \\quad "
      "r = \\frac{\\tau}{h^2} ." },
    { 85,
      "\\begin{multline} \\left\\lVert e^m \\right\\rVert_\\infty \\le \\varepsilon + "
      "\\sum_{l=0}^{m-1} \\tau \\, C \\left( \\tau + h^2 \\right) \\\\ \\le \\varepsilon + C\\,T "
      "\\left( \\tau + h^2 \\right) , \\end{multline}" },
    { 91, "\\mathcal{H} \\Delta = \\Delta \\mathcal{H} ." },
};

/* Rows, faults and notes of a run, as they come. */
typedef struct {
    GPtrArray *rows; /* json_t */
    GPtrArray *faults, *notes;
} Seen;

static void see_fault(const char *line, gpointer data)
{
    g_ptr_array_add(((Seen *) data)->faults, g_strdup(line));
}

static void see_note(const char *line, gpointer data)
{
    g_ptr_array_add(((Seen *) data)->notes, g_strdup(line));
}

static void clear_seen(Seen *seen)
{
    g_ptr_array_unref(seen->rows);
    g_ptr_array_unref(seen->faults);
    g_ptr_array_unref(seen->notes);
}

static Seen run(TgDocumentsOptions options)
{
    Seen seen = { g_ptr_array_new_with_free_func((GDestroyNotify) json_decref),
                  g_ptr_array_new_with_free_func(g_free), g_ptr_array_new_with_free_func(g_free) };
    g_autoptr(GError) error = NULL;
    guint64 n_faults;
    json_t *row;

    options.rows = tmpfile();
    options.fault = see_fault;
    options.note = see_note;
    options.data = &seen;
    tg_documents_run(&options, &n_faults, &error);
    tg_assert_no_error(error);
    assert_int_equal(n_faults, seen.faults->len);
    rewind(options.rows);
    while ((row = json_loadf(options.rows, JSON_DISABLE_EOF_CHECK, NULL)) != NULL)
        g_ptr_array_add(seen.rows, row);
    fclose(options.rows);
    return seen;
}

static Seen extract(const char *path, gboolean with_inline)
{
    const char *const inputs[] = { path, NULL };

    return run((TgDocumentsOptions){ .inputs = inputs, .with_inline = with_inline });
}

static const char *field(const Seen *seen, guint row, const char *key)
{
    return json_string_value(json_object_get(seen->rows->pdata[row], key));
}

TEST(test_extract__recovers_every_displayed_formula)
{
    Seen seen = extract(DOCUMENTS "truth", FALSE);

    assert_int_equal(seen.faults->len, 0);
    assert_int_equal(seen.rows->len, G_N_ELEMENTS(ref));
    for (guint i = 0; i < G_N_ELEMENTS(ref); i++) {
        assert_string_equal(field(&seen, i, "latex"), ref[i].latex);
        assert_string_equal(field(&seen, i, "document"), "heat");
        assert_int_equal(json_integer_value(json_object_get(seen.rows->pdata[i], "line")),
                         ref[i].line);
    }
    clear_seen(&seen);
}

TEST(test_extract__reads_four_kinds_of_parser)
{
    static const struct {
        const char *file;
        guint n;
        guint at;
        const char *latex; /* of formula @at */
    } cases[] = {
        { "mathpix/heat.mmd", 13, 9, "\\tau \\leq \\frac{h^{2}}{2} ." },
        { "nougat/heat.mmd", 16, 0, "\\frac{\\partial u}{\\partial t}=\\Delta u." },
        { "gpt4o/heat.md", 13, 9, "\\tau \\leq \\frac{h^2}{2}." },
        { "mineru/heat.md", 15, 13, "\\mathcal { H } \\Delta = \\Delta \\mathcal { H } ." },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_strconcat(DOCUMENTS, cases[i].file, NULL);
        Seen seen = extract(path, FALSE);
        assert_int_equal(seen.faults->len, 0);
        assert_int_equal(seen.rows->len, cases[i].n);
        assert_string_equal(field(&seen, cases[i].at, "latex"), cases[i].latex);
        clear_seen(&seen);
    }
}

TEST(test_extract__inline_formulas_on_request)
{
    Seen seen = extract(DOCUMENTS "gpt4o/heat.md", TRUE);
    guint n_inline = 0;

    for (guint i = 0; i < seen.rows->len; i++)
        if (strcmp(field(&seen, i, "kind"), "inline") == 0) {
            n_inline++;
            assert_true(strchr(field(&seen, i, "latex"), '$') == NULL);
        }
    assert_int_equal(n_inline, 2); /* of the prices $5 and $7 none */
    clear_seen(&seen);
    /* \heat means something else inside the braces; then what it meant before. */
    seen = extract(DOCUMENTS "truth", TRUE);
    assert_string_equal(field(&seen, seen.rows->len - 3, "latex"), "\\mathcal{G} \\to \\infty");
    assert_string_equal(field(&seen, seen.rows->len - 2, "latex"), "\\mathcal{H}");
    clear_seen(&seen);
}

TEST(test_extract__broken_files_are_faults_and_the_rest_goes_on)
{
    static const char *const faults[] = { "binary.md: not UTF-8", "cut.md:5: \\[ is not closed",
                                          "endless.tex: the macros expand without end",
                                          "wrong.tex:2: align is not closed",
                                          "wrong.tex:6: $$ is not closed" };
    static const char *const formulas[] = { "a = b", "x = y", "z = 1" };
    Seen seen = extract(DOCUMENTS "broken", FALSE);

    assert_int_equal(seen.faults->len, G_N_ELEMENTS(faults));
    for (guint i = 0; i < G_N_ELEMENTS(faults); i++)
        if (strstr(seen.faults->pdata[i], faults[i]) == NULL)
            fail_msg("'%s' does not hold '%s'", (char *) seen.faults->pdata[i], faults[i]);
    assert_int_equal(seen.rows->len, G_N_ELEMENTS(formulas));
    for (guint i = 0; i < G_N_ELEMENTS(formulas); i++)
        assert_string_equal(field(&seen, i, "latex"), formulas[i]);
    clear_seen(&seen);
    seen = extract(TG_NO_SUCH_PATH, FALSE);
    assert_int_equal(seen.faults->len, 1);
    clear_seen(&seen);
}

TEST(test_extract__names_commands_without_a_definition)
{
    g_autofree char *folder = g_dir_make_tmp("texgauge-names-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "a.tex", NULL);
    const char *text = "\\foo $a\\foo$\n$\\alpha\\foo\\b\\text{\\c}\\\\d\\d\\e\\f\\g\\hh$\n";

    assert_true(g_file_set_contents(path, text, -1, NULL));
    Seen seen = extract(path, TRUE);
    assert_int_equal(seen.notes->len, 2);
    assert_string_equal(strstr(seen.notes->pdata[0], "a.tex"),
                        "a.tex: no definition was read of \\foo (line 1), \\e (line 2), \\f (line "
                        "2), \\g (line 2), \\hh (line 2) (see --macros)");
    clear_seen(&seen);
    assert_int_equal(g_remove(path), 0);
    assert_int_equal(g_rmdir(folder), 0);
}

/* The closed formulas of @text, joined by " | ". */
static void assert_formulas(gboolean is_markdown, const char *macros, const char *text,
                            const char *wanted)
{
    g_autoptr(GError) error = NULL;
    json_auto_t *list = tg_document_extract(text, strlen(text), is_markdown, macros, TRUE, &error);
    g_autoptr(GString) out = g_string_new(NULL);
    json_t *formula;
    size_t i;

    tg_assert_no_error(error);
    json_array_foreach(list, i, formula)
    {
        const char *latex = json_string_value(json_object_get(formula, "latex"));
        if (latex != NULL)
            g_string_append_printf(out, "%s%s", out->len > 0 ? " | " : "", latex);
    }
    assert_string_equal(out->str, wanted);
}

TEST(test_document__small_cases)
{
    const gboolean latex = FALSE, markdown = TRUE;

    assert_formulas(latex, "", "a $x$ b \\(y\\) c \\[z\\] d $$w$$", "x | y | z | w");
    assert_formulas(latex, "", "$a\\$b$ \\$ no $c$", "a\\$b | c");
    assert_formulas(latex, "", "x\\\\[2pt] $y$", "y");
    assert_formulas(latex, "", "\\[ a \\\\[2pt] b \\]", "a \\\\[2pt] b");
    assert_formulas(latex, "", "$ no\n\n $ y $", "y");
    assert_formulas(latex, "", "\\% $x$ % $z$\n $y$", "x | y");
    assert_formulas(latex, "", "\\[ a \\label{eq:a_{1}} = b \\tag*{(1)} \\]", "a = b");
    assert_formulas(latex, "", "\\[ \\tagged + \\labeled \\]", "\\tagged + \\labeled");
    assert_formulas(latex, "", "\\newcommand{\\v}[2][x]{#1_{#2}} $\\v1 + \\v[y]{2}\\v3a$",
                    "x_{1} + y_{2}x_{3}a");
    assert_formulas(latex, "", "\\newcommand\\R{\\mathbb R}\\(\\R x\\)", "\\mathbb R x");
    assert_formulas(latex, "", "$a$ \\iffalse $b$ \\fi $c$ \\iffalse $d$", "a | c | d");
    assert_formulas(latex, "", "\\iftrue $a$ \\else $b$ \\fi \\iftrue $c$ \\else $d$", "a | c | d");
    /* In definitions; conditions in conditions. */
    assert_formulas(latex, "",
                    "\\newcommand{\\hide}{\\iffalse} $a$ \\iffalse $b$ \\fi $c$ \\hide $d$ \\fi",
                    "a | c");
    assert_formulas(
        latex, "", "\\def\\f{\\iffalse a\\else b\\fi} \\def\\g{\\iffalse a\\fi c} $\\f\\g$", "b c");
    assert_formulas(latex, "", "\\let\\ifnew=\\iffalse $a$ \\ifnew $b$ \\fi $c$", "a | c");
    assert_formulas(latex, "",
                    "\\newif\\ifq \\iffalse \\ifq $a$ \\fi \\ifx\\a\\b \\fi $b$ \\fi $c$", "c");
    assert_formulas(latex, "", "$a$ \\iffalse { $b$ \\fi $c$ \\iff \\ifthenelse $d$", "a | c | d");
    assert_formulas(latex, "\\let\\ifnew\\iffalse ", "$a$", "a");
    assert_formulas(latex, "\\iffalse ", "$a \\\\iffalse$", "a \\\\iffalse");
    assert_formulas(latex, "", "\\let\\eps\\varepsilon $\\eps a$", "\\varepsilon a");
    assert_formulas(latex, "", "\\newcommand{\\alphax}{A} $\\alpha x \\alphax x$", "\\alpha x A x");
    assert_formulas(latex, "\\def\\R{\\mathbb{R}} $no$", "$\\R$", "\\mathbb{R}");
    assert_formulas(latex, "", "\\begin{alignat*}{2} a &= b \\end{alignat*}",
                    "\\begin{alignat*}{2} a &= b \\end{alignat*}");
    assert_formulas(latex, "\\DeclarePairedDelimiter{\\abs}{\\lvert}{\\rvert}",
                    "$1+\\abs{x}$ $\\abs*{x}$ $\\abs[\\big]x$",
                    "1+\\mathopen{\\lvert}x\\mathclose{\\rvert} | "
                    "\\mathopen{}\\mathclose{\\left\\lvert x\\right\\rvert} | "
                    "\\mathopen{\\big\\lvert}x\\mathclose{\\big\\rvert}");
    assert_formulas(latex, "\\NewDocumentCommand\\n{s O{2} +m o}{\\IfBooleanT{#1}{*}#2#3#4}",
                    "$\\n{x}[y]$ $\\n*[p]xy$", "2xy | *px-NoValue-y");
    assert_formulas(latex, "\\NewDocumentCommand{\\n}{e{_} m}{#2}", "$\\n_ab$", "\\n_ab");
    assert_formulas(latex, "\\newenvironment{eqn}[1]{\\begin{align*}#1&=}{\\end{align*}}",
                    "\\begin{eqn}{x} y \\end{eqn} \\begin{lemma} $z$ \\end{lemma}",
                    "\\begin{align*}x&= y \\end{align*} | z");
    /* A display is itself whatever the author makes of it. */
    assert_formulas(latex, "\\renewenvironment{equation}{\\old}{\\endold}",
                    "\\begin{equation} x \\end{equation}", "x");
    assert_formulas(latex, "", "\\begin{document} $x$ \\end{document} $y$", "x");
    assert_formulas(markdown, "", "costs $5 or $6, $x_1$, $ y $", "x_1");
    assert_formulas(markdown, "", "~~~\n$$a$$\n~~~\n`$b$` $$c$$ ``$d$``", "c");
    assert_formulas(markdown, "", "$$\\begin{aligned}a\\\\b\\end{aligned}$$",
                    "\\begin{aligned}a\\\\b\\end{aligned}");
    assert_formulas(markdown, "", "$$\\begin{equation*}a\\end{equation*}$$", "a");
    assert_formulas(markdown, "", "```\nnot closed: $$a$$", "a");
    /* Quotes and items around a formula; a relation at the start of a line. */
    assert_formulas(markdown, "", "> $$\n> a=b\n> $$\n\n- $$\n  c\n  $$", "a=b | c");
    assert_formulas(markdown, "", ">> $$\n> > a\n> > > b\n> $$\n\n$$c\n> d$$", "a > b | c > d");
    assert_formulas(markdown, "", "1. > \\[ a\n   > = b\n   > \\] $$c\n> d$$", "a = b | c d");
    /* A comment ends with its line. */
    assert_formulas(markdown, "", "$$x=1 % note\n+2$$ $$50\\% a\n%b\n$$ $$c%$$",
                    "x=1 +2 | 50\\% a | c%");
    /* A page in a fence. */
    assert_formulas(markdown, "", "```markdown\n$$a$$\n```c\n$$b$$\n```\n\n$$c$$\n```\n", "a | c");
    assert_formulas(markdown, "", "\n```latex\r\n\\[a\\]\r\n```\r\n\r\n", "a");
    assert_formulas(markdown, "", "```latex\n$$a$$\n```\n$$b$$\n```latex\n$$c$$\n```", "b");
    assert_formulas(markdown, "", "```markdown\n```", "");
    assert_formulas(markdown, "", "`markdown\n$$a$$", "a");
}

/* As pdflatex sets them. */
TEST(test_document__argument_types_of_xparse)
{
    assert_formulas(FALSE, "\\NewDocumentCommand\\n{O{#2} O{#3} m}{#1,#2,#3}",
                    "$\\n{x}$ $\\n[a]{x}$ $\\n[a][b]{x}$", "x,x,x | a,x,x | a,b,x");
    assert_formulas(FALSE, "\\NewDocumentCommand\\n{m O{#1} O{#2}}{#1,#2,#3}",
                    "$\\n{x}$ $\\n{x}[a]$ $\\n{x}[a[b]]$", "x,x,x | x,a,a | x,a[b],a[b]");
    assert_formulas(FALSE, "\\NewDocumentCommand\\n{O{#2} O{#1}}{(#1)}", "$\\n\\n[a]$", "()(a)");
    assert_formulas(FALSE,
                    "\\NewDocumentCommand\\n{d<> D (){q} t+ m}{#1,#2,\\IfBooleanTF{#3}{t}{f},#4}",
                    "$\\n{x}$ $\\n<a>+{x}$ $\\n<a>(b)x$ $\\n<a<b>>x$",
                    "-NoValue-,q,f,x | a,q,t,x | a,b,f,x | a<b>,q,f,x");
    assert_formulas(FALSE, "\\NewExpandableDocumentCommand\\n{r() R[]{k} m}{#1,#2,#3}",
                    "$\\n(a)[b]{c}$", "a,b,c");
    assert_formulas(FALSE, "\\newrobustcmd{\\n}[2][a]{#1#2}", "$\\n{b}\\n[c]d$", "abcd");
}

/* The first commands are those of amsmath, by which environments of the author begin and end. */
TEST(test_document__environments)
{
    assert_formulas(FALSE, "\\newenvironment{eqn}{\\equation}{\\endequation}",
                    "\\begin{eqn} x \\end{eqn} $y$", "x | y");
    assert_formulas(
        FALSE, "\\newenvironment{e}{\\csname align*\\endcsname}{\\csname endalign*\\endcsname}",
        "\\begin{e} a &= b \\end{e}", "\\begin{align*} a &= b \\end{align*}");
    assert_formulas(FALSE, "\\let\\eqn\\gather\\let\\endeqn\\endgather",
                    "\\begin{eqn} x \\end{eqn} \\displaymath y\\enddisplaymath", "x | y");
    assert_formulas(FALSE,
                    "\\NewDocumentEnvironment{e}{m o}{\\begin{equation}#1}{#1,#2\\end{equation}}",
                    "\\begin{e}{1}[2]=\\end{e} \\begin{e}{3}-\\end{e} $\\ende$",
                    "1=1,2 | 3-3,-NoValue- | \\ende");
}

/* A group ends with what it stands in: braces, an environment, \begingroup, a display. */
TEST(test_document__groups)
{
    const char *x = "\\newcommand\\x{0}";

    assert_formulas(FALSE, x, "{\\def\\x{1} $\\x$} $\\x$", "1 | 0");
    assert_formulas(FALSE, x, "\\begin{quote}\\def\\x{1} $\\x$\\end{quote} $\\x$", "1 | 0");
    assert_formulas(FALSE, x, "\\begingroup\\def\\x{1} $\\x$\\endgroup \\bgroup\\def\\x{2}} $\\x$",
                    "1 | 0");
    assert_formulas(FALSE, x, "\\[\\def\\x{1} \\x\\] $\\x$", "1 | 0");
    assert_formulas(FALSE, "\\newenvironment{e}{\\def\\x{1}}{$\\x$}", "\\begin{e}\\end{e} $\\x$",
                    "1 | \\x");
    /* Braces end what stands in them, and nothing else does. */
    assert_formulas(FALSE, x, "{\\begin{a}\\def\\x{1}} $\\x$ {\\def\\x{2}\\end{a} $\\x$}", "0 | 2");
    /* Global definitions stay. */
    assert_formulas(FALSE, x, "{\\def\\x{1}{\\gdef\\x{2}\\def\\x{3}} $\\x$} $\\x$", "2 | 2");
    assert_formulas(FALSE, x, "{\\global\\long\\def\\x{1}} $\\x$ {\\global\\let\\x=y} $\\x$",
                    "1 | y");
    assert_formulas(FALSE, x, "{\\global\\alpha\\def\\x{1}} $\\x$", "0");
}

TEST(test_document__text_in_formulas)
{
    const gboolean latex = FALSE, markdown = TRUE;

    for (guint kind = latex; kind <= markdown; kind++) {
        assert_formulas(kind, "", "$a \\text{ if $b$} c$ and $d$", "a \\text{ if $b$} c | d");
        assert_formulas(kind, "", "\\(a\\parbox [t]{1cm}{\\(b\\)}\\) \\(d\\)",
                        "a\\parbox [t]{1cm}{\\(b\\)} | d");
        assert_formulas(kind, "", "$$\\hbox{$a$$b$}$$ $d$", "\\hbox{$a$$b$} | d");
        /* Other braces count for nothing, nor do those of text where they do not match. */
        assert_formulas(kind, "", "$\\frac{a$ b $c}{d}$", "\\frac{a | c}{d}");
        assert_formulas(kind, "", "$\\text{a$ b $c$ $d\\text{$e$}$", "\\text{a | c | d\\text{$e$}");
        assert_formulas(kind, "", "{$\\text{$a$}$} {$b$} {$c}$", "\\text{$a$} | b | c}");
        assert_formulas(kind, "", "$\\text{\\}}$ $a$", "\\text{\\}} | a");
    }
}

TEST(test_document__ensuremath)
{
    assert_formulas(FALSE, "\\newcommand\\R{\\ensuremath{\\mathbb{R}}}",
                    "\\R and $\\R$ \\ensuremath{a_{1}\\}} \\ensuremath b \\ensuremath{c",
                    "\\mathbb{R} | \\ensuremath{\\mathbb{R}} | a_{1}\\}");
    assert_formulas(TRUE, "", "\\ensuremath{a} $b$", "b");
    assert_formulas(FALSE, "", "\\ensuremath{\\text{$a$}} {\\ensuremath{$b$", "\\text{$a$} | b");
}

TEST(test_document__conditions_in_a_branch_that_is_left_out)
{
    assert_formulas(FALSE, "", "\\iffalse $a$ \\ifx\\p\\q $b$ \\fi $c$ \\else $d$ \\fi $e$",
                    "d | e");
}

TEST(test_document__verbatim_text)
{
    assert_formulas(FALSE, "",
                    "\\lstinline|$a$| \\lstinline[b]{$c{}$} \\Verb!$d$! \\mintinline{tex}{$e$} $f$",
                    "f");
    assert_formulas(FALSE, "", "\\url{a%20b} $c$ \\href{d%{}$}{$e$} $f$", "c | e | f");
    assert_formulas(FALSE, "", "\\newcommand{\\u}{\\lstinline} $a$ {$b$} \\let\\v\\url $c$ \\url",
                    "a | b | c");
    assert_formulas(FALSE, "", "\\begin{alltt}$a$\\end{alltt} $b$ \\lstinline[", "b");
}

TEST(test_document__hostile_texts_end)
{
    static const char *const units[] = { "\\begin{align}",
                                         "$",
                                         "$$ ",
                                         "\\[",
                                         "\\(",
                                         "`",
                                         "<!--",
                                         ">",
                                         "> $$ > $a\n$ ",
                                         "```markdown\n",
                                         "$$%\n",
                                         "\\iffalse ",
                                         "{",
                                         "\\def\\a{",
                                         "\\newcommand{\\b}[9]{",
                                         "\\verb|",
                                         "%",
                                         "\\label{",
                                         "\\global",
                                         "\\(\\text{\\)}",
                                         "{\\(\\text{\\)}",
                                         "\\lstinline[",
                                         "\\begingroup\\gdef\\a{}",
                                         "\\begin{",
                                         "\\newenvironment{a}{\\begin{a}}{}\\begin{a}",
                                         "\\makeatletter" };

    for (guint i = 0; i < G_N_ELEMENTS(units); i++) {
        g_autoptr(GString) text = g_string_new(NULL);
        while (text->len < 200000)
            g_string_append(text, units[i]);
        for (guint kind = 0; kind < 2; kind++) {
            g_autoptr(GError) error = NULL;
            json_auto_t *list =
                tg_document_extract(text->str, text->len, kind > 0, "", FALSE, &error);
            assert_true(list != NULL || error != NULL);
        }
    }
}

/* ---- pairing ---- */

/* Pairs of the formulas of two texts in Markdown, as "TRUTH PREDICTION DISTANCE MATCH" for each. */
static void assert_pairs(const char *const *formulas, const char *wanted)
{
    g_autofree char *folder = g_dir_make_tmp("texgauge-pairs-XXXXXX", NULL);
    char *paths[2];

    for (guint side = 0; side < 2; side++) {
        g_auto(GStrv) parts = g_strsplit(formulas[side], " | ", -1);
        g_autofree char *inner = g_strjoinv("$$\n\n$$", parts);
        g_autofree char *text = g_strdup_printf("$$%s$$\n", inner);
        paths[side] = g_strdup_printf("%s/%u.md", folder, side);
        assert_true(g_file_set_contents(paths[side], text, -1, NULL));
    }
    Seen pairs = run(
        (TgDocumentsOptions){ .ref = paths[0], .inputs = (const char *const[]){ paths[1], NULL } });
    g_autoptr(GString) out = g_string_new(NULL);
    for (guint i = 0; i < pairs.rows->len; i++)
        g_string_append_printf(out, "%s[%s] [%s] %g %s", i > 0 ? " | " : "", field(&pairs, i, "gt"),
                               field(&pairs, i, "pred"),
                               json_number_value(json_object_get(pairs.rows->pdata[i], "distance")),
                               field(&pairs, i, "match"));
    assert_string_equal(out->str, wanted);
    clear_seen(&pairs);
    for (guint side = 0; side < 2; side++) {
        assert_int_equal(g_remove(paths[side]), 0);
        g_free(paths[side]);
    }
    assert_int_equal(g_rmdir(folder), 0);
}

/* "abcd" to "abce" is 1/4; blanks and outer environments do not count. */
TEST(test_match__distances_by_hand)
{
    assert_pairs(
        (const char *const[]){ "a b c d | xy", "abce | \\begin{aligned*}xy\\end{aligned*}" },
        "[a b c d] [abce] 0.25 first | [xy] [\\begin{aligned*}xy\\end{aligned*}] 0 first");
}

/* The first truth takes its closest prediction (1/10), though both would do better the other way
 * round (2/10 and 2/10): the second is left with 5/10. */
TEST(test_match__takes_the_closest_in_order)
{
    assert_pairs((const char *const[]){ "abcdefghiX | abYZefghij", "abcdefghij | UVcdefghiX" },
                 "[abcdefghiX] [abcdefghij] 0.1 first | [abYZefghij] [UVcdefghiX] 0.5 second");
}

/* The second round is for what the first left; limits are strict. */
TEST(test_match__two_rounds)
{
    /* "ab" takes "ax" at 1/2 only after "cdef" took "cdeg"; "ghijk" is 4/5 from "gvwxy": too far.
     */
    assert_pairs((const char *const[]){ "ab | cdef | ghijk", "cdeg | ax | gvwxy" },
                 "[ab] [ax] 0.5 second | [cdef] [cdeg] 0.25 first | [ghijk] [] 0 missed | [] "
                 "[gvwxy] 0 extra");
    /* 2/5 is too far for the first round. */
    assert_pairs((const char *const[]){ "abcde", "abcyz" }, "[abcde] [abcyz] 0.4 second");
}

TEST(test_match__pairs_the_paper_with_each_parser)
{
    static const struct {
        const char *file;
        guint missed, extra;
    } cases[] = {
        { "mathpix/heat.mmd", 0, 0 },
        { "nougat/heat.mmd", 0, 3 }, /* three displays in two parts each */
        { "gpt4o/heat.md", 0, 0 },
        { "mineru/heat.md", 1, 3 }, /* the matrices are lost, two in two parts, a caption */
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_strconcat(DOCUMENTS, cases[i].file, NULL);
        Seen pairs = run((TgDocumentsOptions){ .ref = DOCUMENTS "truth",
                                               .inputs = (const char *const[]){ path, NULL },
                                               .without_model = TRUE });
        guint missed = 0, extra = 0;

        assert_int_equal(pairs.rows->len, G_N_ELEMENTS(ref) + cases[i].extra);
        for (guint r = 0; r < pairs.rows->len; r++) {
            missed += strcmp(field(&pairs, r, "match"), "missed") == 0;
            extra += strcmp(field(&pairs, r, "match"), "extra") == 0;
            if (r < G_N_ELEMENTS(ref))
                assert_string_equal(field(&pairs, r, "gt"), ref[r].latex);
        }
        assert_int_equal(missed, cases[i].missed);
        assert_int_equal(extra, cases[i].extra);
        g_autofree char *note = g_strdup_printf("%u pairs, %u missed, %u extra, mean distance ",
                                                13 - missed, missed, extra);
        assert_true(g_str_has_prefix(pairs.notes->pdata[2], note));
        clear_seen(&pairs);
    }
}
