/* Tables of functions, delimiters and symbols of the official program's parser. */
#include "metrics/cdm/normalize/functions.h"

#include <pthread.h>
#include <string.h>

static const TgCdmFunction functions[] = {
    { .kind = TG_CDM_FRACTION,
      .names = "\\frac \\dfrac \\tfrac",
      .printed = "\\frac",
      .rank = 2,
      .n_arguments = 2 },
    { .kind = TG_CDM_FRACTION,
      .names = "\\binom \\dbinom \\tbinom",
      .printed = "\\binom",
      .rank = 2,
      .n_arguments = 2 },
    { .kind = TG_CDM_INFIX, .names = "\\over", .printed = "\\frac", .rank = 1 },
    { .kind = TG_CDM_INFIX, .names = "\\choose", .printed = "\\binom", .rank = 1 },
    { .kind = TG_CDM_ROOT, .names = "\\sqrt", .rank = 1, .n_optional = 1, .n_arguments = 1 },
    { .kind = TG_CDM_LINE, .names = "\\overline \\underline", .rank = 1, .n_arguments = 1 },
    { .kind = TG_CDM_ACCENT,
      .names = "\\acute \\grave \\ddot \\tilde \\bar \\breve \\check \\hat \\vec \\dot",
      .rank = 1,
      .n_arguments = 1 },
    { .kind = TG_CDM_TEXT,
      .names = "\\text \\mbox \\hbox \\vbox",
      .printed = "\\mathrm",
      .rank = 2,
      .n_arguments = 1,
      .types = { TG_CDM_ARGUMENT_TEXT } },
    { .kind = TG_CDM_FONT,
      .names = "\\mathrm \\mathit \\mathbf \\mathop \\stackrel \\mathbb \\mathcal \\mathfrak "
               "\\mathscr \\mathsf \\mathtt \\label \\comment \\hspace \\vspace \\atop \\fbox "
               "\\tag \\makebox \\raisebox \\framebox \\circle \\line \\put \\vphantom \\textup "
               "\\noalign",
      .rank = 2,
      .n_arguments = 1 },
    { .kind = TG_CDM_FONT, .names = "\\Bbb", .printed = "\\mathbb", .rank = 2, .n_arguments = 1 },
    { .kind = TG_CDM_FONT, .names = "\\bold", .printed = "\\mathbf", .rank = 2, .n_arguments = 1 },
    { .kind = TG_CDM_FONT,
      .names = "\\frak",
      .printed = "\\mathfrak",
      .rank = 2,
      .n_arguments = 1 },
    { .kind = TG_CDM_FONT, .names = "\\llap \\rlap", .rank = 1, .n_arguments = 1 },
    { .kind = TG_CDM_PHANTOM, .names = "\\phantom", .rank = 1, .n_arguments = 1 },
    { .kind = TG_CDM_RULE,
      .names = "\\rule",
      .rank = 1,
      .n_optional = 1,
      .n_arguments = 2,
      .types = { TG_CDM_ARGUMENT_SIZE, TG_CDM_ARGUMENT_SIZE, TG_CDM_ARGUMENT_SIZE } },
    { .kind = TG_CDM_SWITCH,
      .names = "\\bf \\it \\cal \\boldmath \\textrm \\tiny \\scriptsize \\footnotesize \\small "
               "\\normalsize \\large \\Large \\LARGE \\huge \\Huge",
      .rank = 1 },
    { .kind = TG_CDM_ROMAN_SWITCH, .names = "\\rm", .rank = 1 },
    { .kind = TG_CDM_STYLE,
      .names = "\\displaystyle \\textstyle \\scriptstyle \\scriptscriptstyle",
      .rank = 1 },
    { .kind = TG_CDM_OPERATOR,
      .names = "\\arccos \\arcsin \\arctan \\arg \\cos \\cosh \\cot \\coth \\csc \\deg \\dim \\exp "
               "\\hom \\ker \\lg \\ln \\log \\sec \\sin \\sinh \\tan \\tanh",
      .rank = 1 },
    { .kind = TG_CDM_OPERATOR,
      .names = "\\det \\gcd \\inf \\lim \\liminf \\limsup \\max \\min \\Pr \\sup",
      .rank = 1,
      .limits = TRUE },
    { .kind = TG_CDM_OPERATOR_SYMBOL,
      .names = "\\int \\iint \\iiint \\oint \\intop \\smallint \\sum \\prod \\coprod \\bigvee "
               "\\bigwedge \\bigcap \\bigcup \\biguplus \\bigsqcup \\bigotimes \\bigoplus "
               "\\bigodot",
      .rank = 1 },
    { .kind = TG_CDM_DELIMITER,
      .names = "\\big \\Big \\bigg \\Bigg \\bigl \\Bigl \\biggl \\Biggl \\bigr \\Bigr \\biggr "
               "\\Biggr \\bigm \\Bigm \\biggm \\Biggm",
      .rank = 1,
      .n_arguments = 1 },
    { .kind = TG_CDM_LEFT, .names = "\\left", .rank = 1, .n_arguments = 1 },
    { .kind = TG_CDM_RIGHT, .names = "\\right", .rank = 1, .n_arguments = 1 },
    { .kind = TG_CDM_BEGIN,
      .names = "\\begin",
      .rank = 1,
      .n_arguments = 1,
      .types = { TG_CDM_ARGUMENT_TEXT } },
    { .kind = TG_CDM_END,
      .names = "\\end",
      .rank = 1,
      .n_arguments = 1,
      .types = { TG_CDM_ARGUMENT_TEXT } },
    { .kind = TG_CDM_ROW_END,
      .names = "\\\\ \\cr",
      .rank = 1,
      .n_optional = 1,
      .types = { TG_CDM_ARGUMENT_SIZE } },
    { .kind = TG_CDM_PLAIN_ARRAY, .names = "\\matrix \\pmatrix \\cases", .rank = 1 },
    { .kind = TG_CDM_COLOR,
      .names = "\\color",
      .rank = 3,
      .n_arguments = 2,
      .types = { TG_CDM_ARGUMENT_COLOR, TG_CDM_ARGUMENT_PLAIN } },
    { .kind = TG_CDM_UNPRINTABLE,
      .names = "\\red \\blue \\green \\gray \\orange \\pink \\purple \\kaBlue \\kaGreen "
               "\\blueA \\blueB \\blueC \\blueD \\blueE \\tealA \\tealB \\tealC \\tealD \\tealE "
               "\\greenA \\greenB \\greenC \\greenD \\greenE "
               "\\goldA \\goldB \\goldC \\goldD \\goldE \\redA \\redB \\redC \\redD \\redE "
               "\\maroonA \\maroonB \\maroonC \\maroonD \\maroonE "
               "\\purpleA \\purpleB \\purpleC \\purpleD \\purpleE \\mintA \\mintB \\mintC "
               "\\grayA \\grayB \\grayC \\grayD \\grayE \\grayF \\grayG \\grayH \\grayI",
      .rank = 3,
      .n_arguments = 1 },
    { .kind = TG_CDM_UNPRINTABLE, .names = "\\KaTeX", .rank = 1 },
};

static const char delimiters[] =
    "( ) [ ] < > / | . \\lbrack \\rbrack \\{ \\} \\lbrace \\rbrace \\lfloor \\rfloor \\lceil "
    "\\rceil \\langle \\rangle \\lt \\gt \\lvert \\rvert \\lVert \\rVert \\lgroup \\rgroup "
    "\\lmoustache \\rmoustache \\backslash \\vert \\| \\Vert \\uparrow \\downarrow \\updownarrow "
    "\\Uparrow \\Downarrow \\Updownarrow";

/* What fontmath.ltx and amssymb declare, without lower-case Greek and what stands in the
 * specification's list of exceptions. */
static const char known_symbols[] =
    /* LaTeX: letters and ordinary symbols */
    "\\Gamma \\Delta \\Theta \\Lambda \\Xi \\Pi \\Sigma \\Upsilon \\Phi \\Psi \\Omega \\aleph "
    "\\hbar \\ell \\wp \\Re \\Im \\partial \\infty \\prime \\emptyset \\nabla \\surd \\top \\bot "
    "\\angle \\triangle \\forall \\neg \\lnot \\flat \\natural \\sharp \\clubsuit \\diamondsuit "
    "\\heartsuit \\spadesuit \\mathdollar \\mathparagraph \\mathsection \\mathsterling "
    "\\mathunderscore \\ointop "
    /* LaTeX: operators */
    "\\triangleleft \\triangleright \\bigtriangleup \\bigtriangledown \\wedge \\land \\vee \\lor "
    "\\cap \\cup \\ddagger \\dagger \\sqcap \\sqcup \\uplus \\amalg \\diamond \\bullet \\wr \\div "
    "\\odot \\oslash \\otimes \\ominus \\oplus \\mp \\pm \\circ \\bigcirc \\setminus \\cdot \\ast "
    "\\times \\star "
    /* LaTeX: relations */
    "\\propto \\sqsubseteq \\sqsupseteq \\parallel \\mid \\dashv \\vdash \\nearrow \\searrow "
    "\\nwarrow \\swarrow \\Leftrightarrow \\Leftarrow \\Rightarrow \\neq \\ne \\leq \\le \\geq "
    "\\ge \\succ \\prec \\approx \\succeq \\preceq \\supset \\subset \\supseteq \\subseteq \\in "
    "\\ni \\owns \\gg \\ll \\not \\leftrightarrow \\leftarrow \\gets \\rightarrow \\to \\mapsto "
    "\\sim \\simeq \\perp \\equiv \\asymp \\smile \\frown \\leftharpoonup \\leftharpoondown "
    "\\rightharpoonup \\rightharpoondown \\cong \\notin \\rightleftharpoons \\doteq "
    "\\hookrightarrow \\hookleftarrow \\bowtie \\models \\Longrightarrow \\longrightarrow "
    "\\Longleftarrow \\longleftarrow \\longmapsto \\longleftrightarrow \\Longleftrightarrow "
    /* LaTeX: punctuation, delimiters, accents and braces */
    "\\ldotp \\cdotp \\colon \\cdots \\vdots \\ddots \\rmoustache \\lmoustache \\rgroup \\lgroup "
    "\\bracevert \\Vert \\vert \\uparrow \\downarrow \\updownarrow \\Uparrow \\Downarrow "
    "\\Updownarrow \\backslash \\rangle \\langle \\rbrace \\lbrace \\rceil \\lceil \\rfloor "
    "\\lfloor \\widehat \\widetilde \\underbrace \\overrightarrow \\overleftarrow "
    /* amssymb */
    "\\boxdot \\boxplus \\boxtimes \\square \\blacksquare \\centerdot \\lozenge \\blacklozenge "
    "\\circlearrowright \\circlearrowleft \\leftrightharpoons \\boxminus \\Vdash \\Vvdash \\vDash "
    "\\twoheadrightarrow \\twoheadleftarrow \\leftleftarrows \\rightrightarrows \\upuparrows "
    "\\downdownarrows \\upharpoonright \\restriction \\downharpoonright \\upharpoonleft "
    "\\downharpoonleft \\rightarrowtail \\leftarrowtail \\leftrightarrows \\rightleftarrows \\Lsh "
    "\\Rsh \\rightsquigarrow \\leadsto \\leftrightsquigarrow \\looparrowleft \\looparrowright "
    "\\circeq \\succsim \\gtrsim \\gtrapprox \\multimap \\therefore \\because \\doteqdot \\Doteq "
    "\\triangleq \\precsim \\lesssim \\lessapprox \\eqslantless \\eqslantgtr \\curlyeqprec "
    "\\curlyeqsucc \\preccurlyeq \\leqq \\leqslant \\lessgtr \\backprime \\risingdotseq "
    "\\fallingdotseq \\succcurlyeq \\geqq \\geqslant \\gtrless \\sqsubset \\sqsupset "
    "\\vartriangleright \\rhd \\vartriangleleft \\lhd \\trianglerighteq \\unrhd \\trianglelefteq "
    "\\unlhd \\bigstar \\between \\blacktriangledown \\blacktriangleright \\blacktriangleleft "
    "\\vartriangle \\blacktriangle \\triangledown \\eqcirc \\lesseqgtr \\gtreqless \\lesseqqgtr "
    "\\gtreqqless \\Rrightarrow \\Lleftarrow \\veebar \\barwedge \\doublebarwedge "
    "\\measuredangle \\sphericalangle \\varpropto \\smallsmile \\smallfrown \\Subset \\Supset "
    "\\Cup \\doublecup \\Cap \\doublecap \\curlywedge \\curlyvee \\leftthreetimes "
    "\\rightthreetimes \\subseteqq \\supseteqq \\bumpeq \\Bumpeq \\lll \\llless \\ggg \\gggtr "
    "\\circledS \\pitchfork \\dotplus \\backsim \\backsimeq \\complement \\intercal \\circledcirc "
    "\\circledast \\circleddash \\lvertneqq \\gvertneqq \\nleq \\ngeq \\nless \\ngtr \\nprec "
    "\\nsucc \\lneqq \\gneqq \\nleqslant \\ngeqslant \\lneq \\gneq \\npreceq \\nsucceq \\precnsim "
    "\\succnsim \\lnsim \\gnsim \\nleqq \\ngeqq \\precneqq \\succneqq \\precnapprox \\succnapprox "
    "\\lnapprox \\gnapprox \\nsim \\ncong \\diagup \\diagdown \\varsubsetneq \\varsupsetneq "
    "\\nsubseteqq \\nsupseteqq \\subsetneqq \\supsetneqq \\varsubsetneqq \\varsupsetneqq "
    "\\subsetneq \\supsetneq \\nsubseteq \\nsupseteq \\nparallel \\nmid \\nshortmid "
    "\\nshortparallel \\nvdash \\nVdash \\nvDash \\nVDash \\ntrianglerighteq \\ntrianglelefteq "
    "\\ntriangleleft \\ntriangleright \\nleftarrow \\nrightarrow \\nLeftarrow \\nRightarrow "
    "\\nLeftrightarrow \\nleftrightarrow \\divideontimes \\varnothing \\nexists \\Finv \\Game "
    "\\mho \\eth \\eqsim \\beth \\gimel \\daleth \\lessdot \\gtrdot \\ltimes \\rtimes \\shortmid "
    "\\shortparallel \\smallsetminus \\thicksim \\thickapprox \\approxeq \\succapprox "
    "\\precapprox \\curvearrowleft \\curvearrowright \\digamma \\varkappa \\Bbbk \\hslash "
    "\\backepsilon \\maltese \\Box \\Diamond "
    /* spaces and others of the specification's list */
    "\\, \\: \\; \\! \\quad \\qquad \\enspace \\space \\# \\$ \\% \\& \\_ \\{ \\} \\| \\( \\) "
    "\\dots \\ldots \\dag \\ddag \\lt \\gt \\lbrack \\rbrack \\lvert \\rvert \\lVert \\rVert "
    "\\ulcorner \\urcorner \\llcorner \\lrcorner \\Join \\checkmark \\yen \\circledR "
    "\\dashleftarrow \\dashrightarrow \\a \\b \\d \\e \\f \\g \\h \\i \\j \\k \\l \\m \\o \\L \\M "
    "\\S \\sb \\sp \\do \\em \\tt \\sf \\mit \\nc \\pii \\dint \\intd \\intf \\slash \\hline "
    "\\hskip \\smallskip \\thinspace \\nonumber \\mathbin \\textbf \\boldmathr \\unitlength "
    "\\cases";

static void add_names(GHashTable *table, const char *names, gconstpointer value)
{
    g_auto(GStrv) list = g_strsplit(names, " ", -1);

    for (guint i = 0; list[i] != NULL; i++)
        g_hash_table_insert(table, g_steal_pointer(&list[i]), (gpointer) value);
}

static GHashTable *new_table(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static GHashTable *functions_by_name; /* constant once it is filled */

static void make_functions_by_name(void)
{
    functions_by_name = new_table();
    for (guint i = 0; i < G_N_ELEMENTS(functions); i++)
        add_names(functions_by_name, functions[i].names, &functions[i]);
}

const TgCdmFunction *tg_cdm_function_find(const char *name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_functions_by_name);
    return *name == '\\' ? g_hash_table_lookup(functions_by_name, name) : NULL;
}

static GHashTable *symbol_names; /* constant once it is filled */

static void make_symbol_names(void)
{
    symbol_names = new_table();
    add_names(symbol_names, known_symbols, known_symbols);
    g_hash_table_insert(symbol_names, g_strdup("\\ "), (gpointer) known_symbols);
}

gboolean tg_cdm_symbol_is_known(const char *name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_symbol_names);
    return g_hash_table_contains(symbol_names, name);
}

static GHashTable *delimiter_names; /* constant once it is filled */

static void make_delimiter_names(void)
{
    delimiter_names = new_table();
    add_names(delimiter_names, delimiters, delimiters);
}

gboolean tg_cdm_delimiter_is_known(const char *name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_delimiter_names);
    return g_hash_table_contains(delimiter_names, name);
}
