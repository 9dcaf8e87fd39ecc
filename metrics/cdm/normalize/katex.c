/* The reader of UniMERNet's CDM: an old KaTeX parser that accepts unknown commands, and its
 * printer. */
#include "metrics/cdm/normalize/normalize.h"

#include <glib.h>
#include <pthread.h>
#include <string.h>

#include "core/deadline.h"

/** What a function does; decides how it is parsed and printed. */
typedef enum {
    TG_CDM_FRACTION,        /**< `\frac`, `\binom`: two arguments */
    TG_CDM_INFIX,           /**< `\over`, `\choose`: splits the expression it stands in */
    TG_CDM_ROOT,            /**< `\sqrt[index]{body}` */
    TG_CDM_ACCENT,          /**< its argument is printed in braces */
    TG_CDM_LINE,            /**< its argument is printed in one more pair of braces */
    TG_CDM_FONT,            /**< name and argument as written */
    TG_CDM_TEXT,            /**< an argument in text mode, printed as `\mathrm` */
    TG_CDM_PHANTOM,         /**< `\phantom` */
    TG_CDM_RULE,            /**< `\rule[shift]{width}{height}` */
    TG_CDM_SWITCH,          /**< acts on the rest of the group */
    TG_CDM_ROMAN_SWITCH,    /**< `\rm`: printed as `\mathrm{rest}` */
    TG_CDM_STYLE,           /**< a switch whose rest ends before an infix function */
    TG_CDM_OPERATOR,        /**< `\sin`, `\lim`: spelled out */
    TG_CDM_OPERATOR_SYMBOL, /**< `\sum`: printed as it is */
    TG_CDM_DELIMITER,       /**< the `\big` family */
    TG_CDM_LEFT,            /**< `\left ... \right` */
    TG_CDM_RIGHT,           /**< only read by TG_CDM_LEFT */
    TG_CDM_BEGIN,           /**< an environment */
    TG_CDM_END,             /**< only read by TG_CDM_BEGIN */
    TG_CDM_ROW_END,         /**< `\\`, `\cr`, with an optional length */
    TG_CDM_PLAIN_ARRAY,     /**< `\matrix{...}` and the like */
    TG_CDM_COLOR,           /**< `\color{name}{...}`: cannot be printed */
    TG_CDM_UNPRINTABLE,     /**< further functions that cannot be printed */
} TgCdmFunctionKind;

/** How an argument is read. */
typedef enum {
    TG_CDM_ARGUMENT_PLAIN,
    TG_CDM_ARGUMENT_TEXT,  /**< in text mode */
    TG_CDM_ARGUMENT_SIZE,  /**< a number and a unit */
    TG_CDM_ARGUMENT_COLOR, /**< a name or #hex */
} TgCdmArgumentType;

/** A row of the table of functions. */
typedef struct {
    TgCdmFunctionKind kind;
    const char *names;   /**< whitespace-separated */
    const char *printed; /**< the name it is printed with; NULL: its own */
    guint rank;          /**< as an argument it needs a rank above the outer function's */
    guint n_optional, n_arguments;
    TgCdmArgumentType types[3]; /**< optional arguments first */
    gboolean limits; /**< TG_CDM_OPERATOR: limits above and below unless said otherwise */
} TgCdmFunction;

typedef enum {
    TG_CDM_TOKEN_TEXT,  /**< a character, a command, or `--` and `---` */
    TG_CDM_TOKEN_SPACE, /**< a run of white space; in text mode only */
    TG_CDM_TOKEN_END,   /**< the end of the input */
    TG_CDM_TOKEN_BAD,   /**< a character that no token begins with */
} TgCdmTokenKind;

/** A token is the part of the input from @start to @end. */
typedef struct {
    TgCdmTokenKind kind;
    const char *start, *end;
} TgCdmToken;

/** What a node is. */
typedef enum {
    TG_CDM_NODE_LETTER,     /**< a letter, or an unknown command: @text */
    TG_CDM_NODE_SYMBOL,     /**< a symbol that stays whole: @text */
    TG_CDM_NODE_SPACE,      /**< white space of text mode */
    TG_CDM_NODE_GROUP,      /**< `{...}`: @children */
    TG_CDM_NODE_SCRIPTS,    /**< @arguments: base, subscript, superscript; each may be NULL */
    TG_CDM_NODE_FUNCTION,   /**< @function, @text its name, @arguments; a switch has @children */
    TG_CDM_NODE_LEFT_RIGHT, /**< @children between the delimiters @text and @right */
    TG_CDM_NODE_ARRAY,      /**< @children are rows, groups of cells; @text is the preamble */
    TG_CDM_NODE_SIZE,       /**< @text: a number, a space and a unit; NULL for a colour */
} TgCdmNodeKind;

typedef struct TgCdmNode TgCdmNode;
struct TgCdmNode {
    TgCdmNodeKind kind;
    const TgCdmFunction *function;
    char *text, *right;
    GPtrArray *children;
    TgCdmNode *arguments[3]; /**< optional ones first; NULL where one is missing */
    gboolean limits;         /**< of TG_CDM_OPERATOR */
    TgCdmRange at, right_at; /**< where @text and @right stand in the line; none for marks of
                                  structure */
};

/** A parsed formula; owns its nodes. */
typedef struct {
    GPtrArray *nodes;     /**< all of them */
    GPtrArray *children;  /**< the formula's own */
    GString *tokens_read; /**< every token in the order of reading, a space behind each */
} TgCdmSyntax;

/** An environment and what it is printed as: an array, mostly between delimiters. */
typedef struct {
    const char *name;
    const char *left, *right; /**< NULL for none */
    enum {
        TG_CDM_COLUMNS_ARGUMENT,  /**< from its argument */
        TG_CDM_COLUMNS_FIRST_ROW, /**< l for every cell of the first row */
        TG_CDM_COLUMNS_TWO,       /**< l l */
        TG_CDM_COLUMNS_ALIGNED,   /**< r l r l for the widest row */
    } columns;
} TgCdmEnvironment;

/** Brace groups and switches may be nested this deep; deeper input counts as not readable. */
#define TG_CDM_MAX_DEPTH 500

/* ---- Functions and known symbols ------------------------------------------------------------- */

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

static const TgCdmFunction *function_find(const char *name)
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

static gboolean symbol_is_known(const char *name)
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

static gboolean delimiter_is_known(const char *name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_delimiter_names);
    return g_hash_table_contains(delimiter_names, name);
}

/* ---- Tokens of the parser -------------------------------------------------------------------- */

static const char spaces[] = " \t\n\r";
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

static gboolean begins_no_token(gunichar c)
{
    return c < 0x20 || c == 0x2028 || c == 0x2029 || (c >= 0xE000 && c <= 0xF8FF);
}

static TgCdmToken make_token(TgCdmTokenKind kind, const char *start, const char *end)
{
    return (TgCdmToken){ kind, start, end };
}

/* A backslash with the letters behind it, or with any one other character. */
static TgCdmToken lex_command(const char *input)
{
    const gsize n_letters = strspn(input + 1, letters);

    if (n_letters > 0)
        return make_token(TG_CDM_TOKEN_TEXT, input, input + 1 + n_letters);
    if (input[1] == '\0' || g_utf8_get_char(input + 1) > 0xFFFF)
        return make_token(TG_CDM_TOKEN_BAD, input, input);
    return make_token(TG_CDM_TOKEN_TEXT, input, g_utf8_next_char(input + 1));
}

static TgCdmToken lex(const char *input, gboolean text_mode)
{
    const gsize n_spaces = strspn(input, spaces);

    if (n_spaces > 0 && text_mode)
        return make_token(TG_CDM_TOKEN_SPACE, input, input + n_spaces);
    input += n_spaces;
    if (*input == '\0')
        return make_token(TG_CDM_TOKEN_END, input, input);
    if (*input == '\\')
        return lex_command(input);
    if (g_str_has_prefix(input, "--"))
        return make_token(TG_CDM_TOKEN_TEXT, input, input + (input[2] == '-' ? 3 : 2));
    if (begins_no_token(g_utf8_get_char(input)))
        return make_token(TG_CDM_TOKEN_BAD, input, input);
    return make_token(TG_CDM_TOKEN_TEXT, input, g_utf8_next_char(input));
}

/* Digits with or without a decimal point as a number is printed: `.50` as 0.5, `2.` as 2. */
static char *tidy_number(const char *digits, gsize length)
{
    g_autoptr(GString) text = g_string_new_len(digits, (gssize) length);

    while (text->str[0] == '0')
        g_string_erase(text, 0, 1);
    if (strchr(text->str, '.') != NULL) {
        while (g_str_has_suffix(text->str, "0"))
            g_string_truncate(text, text->len - 1);
        if (g_str_has_suffix(text->str, "."))
            g_string_truncate(text, text->len - 1);
    }
    if (text->len == 0 || text->str[0] == '.')
        g_string_prepend_c(text, '0');
    return g_strdup(text->str);
}

static TgCdmToken lex_size(const char *input, char **size)
{
    const char *start = input + strspn(input, spaces), *p = start;
    const gboolean minus = *p == '-';

    p += minus;
    p += strspn(p, spaces);
    const char *digits = p;
    p += strspn(p, "0123456789");
    gsize n_digits = (gsize) (p - digits);
    if (*p == '.') {
        const gsize n_decimals = strspn(p + 1, "0123456789");

        p += 1 + n_decimals;
        n_digits += n_decimals;
    }
    const char *unit = p + strspn(p, spaces);
    if (n_digits == 0 || !g_ascii_islower(unit[0]) || !g_ascii_islower(unit[1]))
        return make_token(TG_CDM_TOKEN_BAD, input, input);

    g_autofree char *number = tidy_number(digits, (gsize) (p - digits));
    const char *sign = minus && strcmp(number, "0") != 0 ? "-" : "";
    *size = g_strdup_printf("%s%s %.2s", sign, number, unit);
    return make_token(TG_CDM_TOKEN_TEXT, start, unit + 2);
}

static TgCdmToken lex_color(const char *input)
{
    const char *start = input + strspn(input, spaces), *p = start;

    if (*p == '#')
        for (p++; g_ascii_isalnum(*p); p++)
            ;
    else
        p += strspn(p, letters);
    return p - start > (*start == '#') ? make_token(TG_CDM_TOKEN_TEXT, start, p)
                                       : make_token(TG_CDM_TOKEN_BAD, input, input);
}

/* ---- Nodes and who owns them ----------------------------------------------------------------- */

static void node_free(gpointer data)
{
    TgCdmNode *node = data;

    g_free(node->text);
    g_free(node->right);
    g_clear_pointer(&node->children, g_ptr_array_unref);
    g_free(node);
}

static TgCdmSyntax *syntax_new(void)
{
    TgCdmSyntax *syntax = g_new0(TgCdmSyntax, 1);

    syntax->nodes = g_ptr_array_new_with_free_func(node_free);
    syntax->tokens_read = g_string_new(NULL);
    return syntax;
}

static void syntax_free(TgCdmSyntax *syntax)
{
    if (syntax == NULL)
        return;
    g_clear_pointer(&syntax->children, g_ptr_array_unref);
    g_clear_pointer(&syntax->nodes, g_ptr_array_unref);
    g_string_free(syntax->tokens_read, TRUE);
    g_free(syntax);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgCdmSyntax, syntax_free)

static TgCdmNode *node_new(TgCdmSyntax *syntax, TgCdmNodeKind kind)
{
    TgCdmNode *node = g_new0(TgCdmNode, 1);

    node->kind = kind;
    g_ptr_array_add(syntax->nodes, node);
    return node;
}

static TgCdmNode *node_new_group(TgCdmSyntax *syntax, GPtrArray *children)
{
    TgCdmNode *group = node_new(syntax, TG_CDM_NODE_GROUP);

    group->children = children;
    return group;
}

static TgCdmNode *node_new_function(TgCdmSyntax *syntax, const TgCdmFunction *function,
                                    const char *name, TgCdmRange at)
{
    TgCdmNode *node = node_new(syntax, TG_CDM_NODE_FUNCTION);

    node->function = function;
    node->text = g_strdup(name);
    node->limits = function->limits;
    node->at = at;
    return node;
}

static gboolean node_is_function(const TgCdmNode *node, TgCdmFunctionKind kind)
{
    return node != NULL && node->kind == TG_CDM_NODE_FUNCTION && node->function->kind == kind;
}

/* ---- Environments, and the columns that they are printed with -------------------------------- */

static const TgCdmEnvironment environments[] = {
    { "array", NULL, NULL, TG_CDM_COLUMNS_ARGUMENT },
    { "tabular", NULL, NULL, TG_CDM_COLUMNS_ARGUMENT },
    { "matrix", NULL, NULL, TG_CDM_COLUMNS_FIRST_ROW },
    { "pmatrix", "(", ")", TG_CDM_COLUMNS_FIRST_ROW },
    { "bmatrix", "[", "]", TG_CDM_COLUMNS_FIRST_ROW },
    { "Bmatrix", "\\{", "\\}", TG_CDM_COLUMNS_FIRST_ROW },
    { "vmatrix", "|", "|", TG_CDM_COLUMNS_FIRST_ROW },
    { "Vmatrix", "\\Vert", "\\Vert", TG_CDM_COLUMNS_FIRST_ROW },
    { "cases", "\\{", ".", TG_CDM_COLUMNS_TWO },
    { "picture", "\\{", ".", TG_CDM_COLUMNS_TWO },
    { "aligned", NULL, NULL, TG_CDM_COLUMNS_ALIGNED },
};

static const TgCdmEnvironment *environment_find(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(environments); i++)
        if (strcmp(environments[i].name, name) == 0)
            return &environments[i];
    return NULL;
}

/* The letters l, c and r of an array's preamble; everything else in it is lost. */
static void append_preamble(GString *columns, const TgCdmNode *preamble)
{
    const gboolean is_group = preamble->kind == TG_CDM_NODE_GROUP;

    for (guint i = 0; i < (is_group ? preamble->children->len : 1); i++) {
        const TgCdmNode *node = is_group ? preamble->children->pdata[i] : preamble;

        if (node->kind == TG_CDM_NODE_LETTER &&
            (strcmp(node->text, "l") == 0 || strcmp(node->text, "c") == 0 ||
             strcmp(node->text, "r") == 0))
            g_string_append_printf(columns, "%s ", node->text);
    }
}

/* Every second cell of a row begins with an empty group. Returns the widest row's length. */
static guint put_empty_groups(TgCdmSyntax *syntax, const GPtrArray *rows)
{
    guint n_columns = 0;

    for (guint i = 0; i < rows->len; i++) {
        const GPtrArray *cells = ((const TgCdmNode *) rows->pdata[i])->children;

        for (guint k = 1; k < cells->len; k += 2)
            g_ptr_array_insert(((TgCdmNode *) cells->pdata[k])->children, 0,
                               node_new_group(syntax, g_ptr_array_new()));
        n_columns = MAX(n_columns, cells->len);
    }
    return n_columns;
}

static void environment_set_columns(const TgCdmEnvironment *environment, TgCdmSyntax *syntax,
                                    TgCdmNode *array, const TgCdmNode *argument)
{
    const TgCdmNode *first_row = array->children->pdata[0];
    g_autoptr(GString) columns = g_string_new(NULL);

    switch (environment->columns) {
    case TG_CDM_COLUMNS_ARGUMENT:
        append_preamble(columns, argument);
        break;
    case TG_CDM_COLUMNS_FIRST_ROW:
        for (guint i = 0; i < first_row->children->len; i++)
            g_string_append(columns, "l ");
        break;
    case TG_CDM_COLUMNS_TWO:
        g_string_append(columns, "l l ");
        break;
    case TG_CDM_COLUMNS_ALIGNED:
        for (guint i = 0, n = put_empty_groups(syntax, array->children); i < n; i++)
            g_string_append(columns, i % 2 == 0 ? "r " : "l ");
        break;
    }
    array->text = g_strdup(columns->str);
}

/* ---- The parser ------------------------------------------------------------------------------ */

typedef struct {
    TgCdmSyntax *syntax;
    const char *line;
    const char *position; /* the end of the last token read */
    TgCdmToken next;
    gboolean text_mode;
    gboolean failed; /* from then on the input is at its end */
    guint depth;
} Parser;

/* What is found in an argument's place: a node, or a function whose own arguments have not been
 * read; neither at the end of the input. */
typedef struct {
    TgCdmNode *node;
    const TgCdmFunction *function;
    const char *name; /* of the function */
    TgCdmRange at;    /* of a symbol or of the function's name */
} Operand;

static GPtrArray *parse_expression(Parser *parser, gboolean before_infix, const char *stop);
static TgCdmNode *parse_function(Parser *parser, Operand operand);

/* ---- tokens ---- */

/* Where the next token stands. */
static TgCdmRange next_range(const Parser *parser)
{
    return (TgCdmRange){ (guint32) (parser->next.start - parser->line),
                         (guint32) (parser->next.end - parser->line) };
}

/* The next token as a symbol called @text. */
static TgCdmNode *new_symbol(Parser *parser, char *text)
{
    TgCdmNode *node =
        node_new(parser->syntax, symbol_is_known(text) ? TG_CDM_NODE_SYMBOL : TG_CDM_NODE_LETTER);

    node->text = text;
    node->at = next_range(parser);
    return node;
}

static void parser_fail(Parser *parser)
{
    parser->failed = TRUE;
    parser->next.kind = TG_CDM_TOKEN_END;
}

static void parser_look_ahead(Parser *parser)
{
    if (parser->failed)
        return;
    parser->next = lex(parser->position, parser->text_mode);
    if (parser->next.kind == TG_CDM_TOKEN_BAD)
        parser_fail(parser);
}

static void parser_record(Parser *parser)
{
    GString *read = parser->syntax->tokens_read;

    g_string_append_len(read, parser->next.start, parser->next.end - parser->next.start);
    g_string_append_c(read, ' ');
}

static void parser_consume(Parser *parser)
{
    if (parser->failed)
        return;
    parser_record(parser);
    parser->position = parser->next.end;
    parser_look_ahead(parser);
    if (tg_too_long(50))
        parser_fail(parser);
}

static gboolean parser_next_is(const Parser *parser, const char *text)
{
    const TgCdmToken next = parser->next;

    return next.kind == TG_CDM_TOKEN_TEXT && strlen(text) == (gsize) (next.end - next.start) &&
           memcmp(next.start, text, strlen(text)) == 0;
}

static void parser_expect(Parser *parser, const char *text)
{
    if (parser_next_is(parser, text))
        parser_consume(parser);
    else
        parser_fail(parser);
}

static void parser_switch_mode(Parser *parser, gboolean text_mode)
{
    parser->text_mode = text_mode;
    parser_look_ahead(parser);
}

static gboolean at_end_of_expression(const Parser *parser)
{
    static const char *const ends[] = { "}", "\\end", "\\right", "&", "\\\\", "\\cr" };

    if (parser->next.kind == TG_CDM_TOKEN_END)
        return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(ends); i++)
        if (parser_next_is(parser, ends[i]))
            return TRUE;
    return FALSE;
}

/* ---- groups and arguments ---- */

/* One token as a symbol or function; nothing at `{` and at the end. */
static Operand parse_symbol(Parser *parser)
{
    Operand operand = { NULL };

    if (parser->next.kind == TG_CDM_TOKEN_END || parser_next_is(parser, "{"))
        return operand;
    operand.at = next_range(parser);
    if (parser->next.kind == TG_CDM_TOKEN_SPACE) {
        operand.node = node_new(parser->syntax, TG_CDM_NODE_SPACE);
        operand.node->at = operand.at;
    } else {
        char *text = g_strndup(parser->next.start, (gsize) (parser->next.end - parser->next.start));

        TgCdmNode *symbol = new_symbol(parser, text); /* keeps a function's name, too */

        operand.function = function_find(text);
        operand.name = text;
        operand.node = operand.function == NULL ? symbol : NULL;
    }
    parser_consume(parser);
    return operand;
}

/* `{...}`, or where brackets are asked for `[...]`; else a symbol or, in their absence, nothing. */
static Operand parse_group(Parser *parser, gboolean brackets)
{
    const char *open = brackets ? "[" : "{", *close = brackets ? "]" : "}";

    if (!parser_next_is(parser, open))
        return brackets ? (Operand){ NULL } : parse_symbol(parser);
    parser_consume(parser);
    GPtrArray *children = parse_expression(parser, FALSE, brackets ? close : NULL);
    parser_expect(parser, close);
    return (Operand){ .node = node_new_group(parser->syntax, children) };
}

/* The inside of braces or brackets is one token of its own kind. */
static Operand parse_raw_group(Parser *parser, TgCdmArgumentType type, gboolean brackets)
{
    const char *open = brackets ? "[" : "{", *close = brackets ? "]" : "}";

    if (!parser_next_is(parser, open)) {
        if (!brackets)
            parser_fail(parser);
        return (Operand){ NULL };
    }
    TgCdmNode *node = node_new(parser->syntax, TG_CDM_NODE_SIZE);
    parser_record(parser);
    parser->next = type == TG_CDM_ARGUMENT_SIZE ? lex_size(parser->next.end, &node->text)
                                                : lex_color(parser->next.end);
    if (parser->next.kind == TG_CDM_TOKEN_BAD)
        parser_fail(parser);
    parser_consume(parser);
    parser_expect(parser, close);
    return (Operand){ .node = node };
}

/* Text mode begins behind the white space before the argument. */
static Operand parse_text_group(Parser *parser)
{
    const gboolean outer_mode = parser->text_mode;

    parser->position += strspn(parser->position, " \t\n\r");
    parser_switch_mode(parser, TRUE);
    const Operand operand = parse_group(parser, FALSE);
    parser_switch_mode(parser, outer_mode);
    return operand;
}

static Operand parse_argument(Parser *parser, TgCdmArgumentType type, gboolean optional)
{
    switch (type) {
    case TG_CDM_ARGUMENT_SIZE:
    case TG_CDM_ARGUMENT_COLOR:
        return parse_raw_group(parser, type, optional);
    case TG_CDM_ARGUMENT_TEXT:
        return parse_text_group(parser);
    default:
        return parse_group(parser, optional);
    }
}

/* A function may be an argument of one of lower rank. Otherwise the argument is whatever the one
 * before it was: a slip of the official parser. */
static void parse_arguments(Parser *parser, const TgCdmFunction *function, TgCdmNode **arguments)
{
    TgCdmNode *node = NULL;

    for (guint i = 0; i < function->n_optional + function->n_arguments; i++) {
        const gboolean optional = i < function->n_optional;
        const Operand operand = parse_argument(parser, function->types[i], optional);

        if (operand.node == NULL && operand.function == NULL) {
            if (!optional)
                parser_fail(parser);
            continue;
        }
        if (operand.function == NULL)
            node = operand.node;
        else if (operand.function->rank > function->rank)
            node = parse_function(parser, operand);
        arguments[i] = node;
    }
}

/* ---- functions ---- */

static void check_delimiter(Parser *parser, const TgCdmNode *delimiter)
{
    if (delimiter == NULL || delimiter->text == NULL ||
        (delimiter->kind != TG_CDM_NODE_SYMBOL && delimiter->kind != TG_CDM_NODE_LETTER) ||
        !delimiter_is_known(delimiter->text))
        parser_fail(parser);
}

/* @operand with its arguments; NULL for nothing. */
static TgCdmNode *parse_function(Parser *parser, Operand operand)
{
    if (operand.function == NULL)
        return operand.node;

    TgCdmNode *node = node_new_function(parser->syntax, operand.function, operand.name, operand.at);
    parse_arguments(parser, operand.function, node->arguments);
    switch (operand.function->kind) {
    case TG_CDM_DELIMITER:
    case TG_CDM_LEFT:
    case TG_CDM_RIGHT:
        check_delimiter(parser, node->arguments[0]);
        break;
    case TG_CDM_TEXT:
    case TG_CDM_PHANTOM:
    case TG_CDM_BEGIN:
    case TG_CDM_END:
        if (node->arguments[0] == NULL)
            parser_fail(parser);
        break;
    default:
        break;
    }
    return node;
}

static TgCdmNode *parse_left_right(Parser *parser, Operand left)
{
    const TgCdmNode *open = parse_function(parser, left);
    GPtrArray *children = parse_expression(parser, FALSE, NULL);
    TgCdmNode *node = node_new(parser->syntax, TG_CDM_NODE_LEFT_RIGHT);

    node->children = children;
    if (!parser_next_is(parser, "\\right"))
        parser_fail(parser);
    const Operand right = parse_symbol(parser);
    const TgCdmNode *close = parse_function(parser, right);
    if (parser->failed)
        return node;
    node->at = (TgCdmRange){ left.at.start, open->arguments[0]->at.end };
    node->right_at = (TgCdmRange){ right.at.start, close->arguments[0]->at.end };
    node->text = g_strdup(open->arguments[0]->text);
    node->right = g_strdup(close->arguments[0]->text);
    return node;
}

/* ---- environments ---- */

/* Rows up to `\end` or `}`, each a group of cells, each cell a group. */
static GPtrArray *parse_rows(Parser *parser)
{
    GPtrArray *rows = g_ptr_array_new(), *row = g_ptr_array_new();

    g_ptr_array_add(rows, node_new_group(parser->syntax, row));
    for (;;) {
        g_ptr_array_add(row, node_new_group(parser->syntax, parse_expression(parser, FALSE, NULL)));
        if (parser_next_is(parser, "&")) {
            parser_consume(parser);
        } else if (parser_next_is(parser, "\\\\") || parser_next_is(parser, "\\cr")) {
            parse_function(parser, parse_symbol(parser));
            row = g_ptr_array_new();
            g_ptr_array_add(rows, node_new_group(parser->syntax, row));
        } else {
            return rows;
        }
    }
}

static TgCdmNode *parse_array(Parser *parser, const TgCdmEnvironment *environment)
{
    const gboolean has_argument = environment->columns == TG_CDM_COLUMNS_ARGUMENT;
    /* The environment has no rank, so no function can be its argument. */
    const Operand preamble = has_argument ? parse_group(parser, FALSE) : (Operand){ NULL };
    TgCdmNode *array = node_new(parser->syntax, TG_CDM_NODE_ARRAY);

    array->children = parse_rows(parser);
    if (has_argument && preamble.node == NULL)
        parser_fail(parser);
    else
        environment_set_columns(environment, parser->syntax, array, preamble.node);
    if (environment->left == NULL)
        return array;

    TgCdmNode *fence = node_new(parser->syntax, TG_CDM_NODE_LEFT_RIGHT);
    fence->text = g_strdup(environment->left);
    fence->right = g_strdup(environment->right);
    fence->children = g_ptr_array_new();
    g_ptr_array_add(fence->children, array);
    return fence;
}

/* The name in `\begin{name}`: the texts of all its tokens. In the record of tokens it is one. */
static char *parse_environment_name(Parser *parser, Operand operand)
{
    const gsize before = parser->syntax->tokens_read->len;
    const TgCdmNode *group = parse_function(parser, operand)->arguments[0];
    g_autoptr(GString) name = g_string_new(NULL);

    if (parser->failed)
        return g_strdup("");
    if (group->kind != TG_CDM_NODE_GROUP)
        return g_strdup(group->text != NULL ? group->text : "");
    for (guint i = 0; i < group->children->len; i++) {
        const TgCdmNode *node = group->children->pdata[i];
        g_string_append(name, node->text != NULL ? node->text : " ");
    }
    g_string_truncate(parser->syntax->tokens_read, before);
    g_string_append_printf(parser->syntax->tokens_read, "{%s} ", name->str);
    return g_strdup(name->str);
}

static TgCdmNode *parse_environment(Parser *parser, Operand begin)
{
    g_autofree char *name = parse_environment_name(parser, begin);
    const TgCdmEnvironment *environment = environment_find(name);

    if (environment == NULL) {
        parser_fail(parser);
        return NULL;
    }
    const TgCdmRange at = { begin.at.start, (guint32) (parser->position - parser->line) };
    TgCdmNode *node = parse_array(parser, environment);
    if (!parser_next_is(parser, "\\end")) {
        parser_fail(parser);
        return NULL;
    }
    const Operand end = parse_symbol(parser);
    g_autofree char *end_name = parse_environment_name(parser, end);
    if (strcmp(name, end_name) != 0)
        parser_fail(parser);
    node->at = at;
    node->right_at = (TgCdmRange){ end.at.start, (guint32) (parser->position - parser->line) };
    return node;
}

/* `\matrix{...}`: the old plain TeX form of the environment. */
static TgCdmNode *parse_plain_array(Parser *parser, Operand operand)
{
    parser_expect(parser, "{");
    TgCdmNode *node = parse_array(parser, environment_find(operand.name + 1));
    node->at = operand.at;
    node->right_at = next_range(parser);
    parser_expect(parser, "}");
    return node;
}

/* ---- expressions ---- */

static TgCdmNode *parse_switch(Parser *parser, Operand operand, gboolean before_infix)
{
    TgCdmNode *node = node_new_function(parser->syntax, operand.function, operand.name, operand.at);

    node->children = parse_expression(parser, before_infix, NULL);
    return node;
}

/* What a script may stand behind. */
static TgCdmNode *parse_base(Parser *parser)
{
    const Operand operand = parse_group(parser, FALSE);

    if (operand.function == NULL)
        return operand.node;
    switch (operand.function->kind) {
    case TG_CDM_LEFT:
        return parse_left_right(parser, operand);
    case TG_CDM_BEGIN:
        return parse_environment(parser, operand);
    case TG_CDM_PLAIN_ARRAY:
        return parse_plain_array(parser, operand);
    case TG_CDM_SWITCH:
    case TG_CDM_ROMAN_SWITCH:
        return parse_switch(parser, operand, FALSE);
    case TG_CDM_STYLE:
        return parse_switch(parser, operand, TRUE);
    default:
        return parse_function(parser, operand);
    }
}

static TgCdmNode *parse_script(Parser *parser)
{
    parser_consume(parser);
    const Operand operand = parse_group(parser, FALSE);
    if (operand.function != NULL && operand.function->rank <= 1)
        parser_fail(parser);
    return parse_function(parser, operand);
}

static TgCdmNode *parse_primes(Parser *parser)
{
    GPtrArray *primes = g_ptr_array_new();

    while (parser_next_is(parser, "'")) {
        g_ptr_array_add(primes, new_symbol(parser, g_strdup("\\prime")));
        parser_consume(parser);
    }
    return node_new_group(parser->syntax, primes);
}

static void set_limits(Parser *parser, TgCdmNode *base)
{
    if (!node_is_function(base, TG_CDM_OPERATOR) && !node_is_function(base, TG_CDM_OPERATOR_SYMBOL))
        parser_fail(parser);
    else
        base->limits = parser_next_is(parser, "\\limits");
    parser_consume(parser);
}

/* A base with its scripts, the last of each kind winning; NULL for nothing. */
static TgCdmNode *parse_atom(Parser *parser)
{
    TgCdmNode *base = parse_base(parser), *sub = NULL, *sup = NULL;

    if (parser->text_mode)
        return base;
    for (;;) {
        if (parser_next_is(parser, "\\limits") || parser_next_is(parser, "\\nolimits"))
            set_limits(parser, base);
        else if (parser_next_is(parser, "^"))
            sup = parse_script(parser);
        else if (parser_next_is(parser, "_"))
            sub = parse_script(parser);
        else if (parser_next_is(parser, "'"))
            sup = parse_primes(parser);
        else
            break;
    }
    if (sub == NULL && sup == NULL)
        return base;

    TgCdmNode *scripts = node_new(parser->syntax, TG_CDM_NODE_SCRIPTS);
    scripts->arguments[0] = base;
    scripts->arguments[1] = sub;
    scripts->arguments[2] = sup;
    return scripts;
}

/* One side of an infix function as a group, unless it is one already. */
static TgCdmNode *infix_side(Parser *parser, const GPtrArray *body, guint from, guint to)
{
    if (to - from == 1 && ((TgCdmNode *) body->pdata[from])->kind == TG_CDM_NODE_GROUP)
        return body->pdata[from];

    GPtrArray *children = g_ptr_array_new();
    for (guint i = from; i < to; i++)
        g_ptr_array_add(children, body->pdata[i]);
    return node_new_group(parser->syntax, children);
}

/* An infix function takes everything to its left and right for its arguments. */
static GPtrArray *split_at_infix(Parser *parser, GPtrArray *body)
{
    guint at = body->len;

    for (guint i = 0; i < body->len; i++)
        if (node_is_function(body->pdata[i], TG_CDM_INFIX)) {
            if (at < body->len)
                parser_fail(parser);
            at = i;
        }
    if (at == body->len)
        return body;

    const TgCdmNode *infix = body->pdata[at];
    const char *name = infix->function->printed;
    TgCdmNode *fraction = node_new_function(parser->syntax, function_find(name), name, infix->at);
    fraction->arguments[0] = infix_side(parser, body, 0, at);
    fraction->arguments[1] = infix_side(parser, body, at + 1, body->len);
    g_ptr_array_set_size(body, 0);
    g_ptr_array_add(body, fraction);
    return body;
}

/**
 * Atoms up to the end of the group.
 *
 * @before_infix: stop before an infix function, which then belongs to the expression around
 * @stop: (nullable) a further token that ends the expression
 */
static GPtrArray *parse_expression(Parser *parser, gboolean before_infix, const char *stop)
{
    GPtrArray *body = g_ptr_array_new();

    if (++parser->depth > TG_CDM_MAX_DEPTH)
        parser_fail(parser);
    while (!at_end_of_expression(parser) && !(stop != NULL && parser_next_is(parser, stop))) {
        const char *position = parser->position;
        const TgCdmToken next = parser->next;
        TgCdmNode *atom = parse_atom(parser);

        if (atom == NULL || parser->failed)
            break;
        if (before_infix && node_is_function(atom, TG_CDM_INFIX)) {
            parser->position = position;
            parser->next = next;
            break;
        }
        g_ptr_array_add(body, atom);
    }
    parser->depth--;
    return split_at_infix(parser, body);
}

static TgCdmSyntax *syntax_parse(const char *line)
{
    g_autoptr(TgCdmSyntax) syntax = syntax_new();
    Parser parser = { .syntax = syntax, .line = line, .position = line };

    parser_look_ahead(&parser);
    syntax->children = parse_expression(&parser, FALSE, NULL);
    if (parser.failed || parser.next.kind != TG_CDM_TOKEN_END)
        return NULL;
    return g_steal_pointer(&syntax);
}

/* ---- The printer: tokens with a space after each --------------------------------------------- */

/* Where the text goes; @roman: inside `\mathrm`, where letters and unknown names are spelled out.
 */
typedef struct {
    TgCdmText *out;
    const TgCdmText *line; /* that was parsed */
    gboolean roman;
    TgCdmRange origin; /* of what is printed now */
} Printer;

static gboolean print_node(Printer printer, const TgCdmNode *node);

static TgCdmRange origin_of(Printer printer, TgCdmRange at)
{
    return tg_cdm_text_origin(printer.line, at.start, at.end);
}

static gboolean print_list(Printer printer, const GPtrArray *nodes)
{
    for (guint i = 0; i < nodes->len; i++)
        if (!print_node(printer, nodes->pdata[i]))
            return FALSE;
    return TRUE;
}

static void print_text(Printer printer, const char *text)
{
    tg_cdm_text_append(printer.out, text, printer.origin);
}

static void print_token(Printer printer, const char *token)
{
    print_text(printer, token);
    print_text(printer, " ");
}

static void print_letters(Printer printer, const char *text)
{
    for (const char *p = text, *end; *p != '\0'; p = end) {
        char letter[8] = "";

        end = g_utf8_next_char(p);
        memcpy(letter, p, (gsize) (end - p));
        print_token(printer, letter);
    }
}

/* A group as it is, anything else in braces of its own. */
static gboolean print_braced(Printer printer, const TgCdmNode *node)
{
    if (node == NULL)
        return FALSE;
    if (node->kind == TG_CDM_NODE_GROUP)
        return print_node(printer, node);
    print_token(printer, "{");
    const gboolean ok = print_node(printer, node);
    print_token(printer, "}");
    return ok;
}

/* What is inside a group, or the node itself. */
static gboolean print_inside(Printer printer, const TgCdmNode *node)
{
    if (node != NULL && node->kind == TG_CDM_NODE_GROUP)
        return print_list(printer, node->children);
    return print_node(printer, node);
}

static gboolean print_scripts(Printer printer, const TgCdmNode *node)
{
    static const char *const marks[] = { NULL, "_", "^" };

    if (!print_node(printer, node->arguments[0]))
        return FALSE;
    for (guint i = 1; i <= 2; i++) {
        if (node->arguments[i] == NULL)
            continue;
        print_token(printer, marks[i]);
        if (!print_braced(printer, node->arguments[i]))
            return FALSE;
    }
    return TRUE;
}

static gboolean print_root(Printer printer, const TgCdmNode *node)
{
    print_token(printer, "\\sqrt");
    if (node->arguments[0] != NULL) {
        print_token(printer, "[");
        if (!print_inside(printer, node->arguments[0]))
            return FALSE;
        print_token(printer, "]");
    }
    return print_node(printer, node->arguments[1]);
}

static void print_operator(Printer printer, const TgCdmNode *node)
{
    print_token(printer, node->limits ? "\\operatorname*" : "\\operatorname");
    print_token(printer, "{");
    print_letters(printer, node->text + 1);
    print_token(printer, "}");
}

static gboolean print_rule(Printer printer, const TgCdmNode *node)
{
    const TgCdmNode *width = node->arguments[1], *height = node->arguments[2];

    if (width == NULL || height == NULL)
        return FALSE;
    g_autofree char *rule = g_strdup_printf("\\rule { %s } { %s } ", width->text, height->text);
    print_text(printer, rule);
    return TRUE;
}

/* The name, and one or two arguments as written. */
static gboolean print_name_and_arguments(Printer printer, const char *name, const TgCdmNode *node)
{
    print_token(printer, name);
    for (guint i = 0; i < node->function->n_arguments; i++)
        if (!print_node(printer, node->arguments[i]))
            return FALSE;
    return TRUE;
}

static gboolean print_in_braces(Printer printer, const char *name, const GPtrArray *nodes)
{
    print_token(printer, name);
    print_token(printer, "{");
    const gboolean ok = print_list(printer, nodes);
    print_token(printer, "}");
    return ok;
}

static gboolean print_font(Printer printer, const char *name, const TgCdmNode *node)
{
    printer.roman = strcmp(name, "\\mathrm") == 0;
    return print_name_and_arguments(printer, name, node);
}

static gboolean print_function(Printer printer, const TgCdmNode *node)
{
    const char *name = node->function->printed != NULL ? node->function->printed : node->text;

    switch (node->function->kind) {
    case TG_CDM_FRACTION:
        return print_name_and_arguments(printer, name, node);
    case TG_CDM_ROOT:
        return print_root(printer, node);
    case TG_CDM_ACCENT:
        print_token(printer, name);
        return print_braced(printer, node->arguments[0]);
    case TG_CDM_LINE:
        print_token(printer, name);
        print_token(printer, "{");
        if (!print_node(printer, node->arguments[0]))
            return FALSE;
        print_token(printer, "}");
        return TRUE;
    case TG_CDM_FONT:
        return print_font(printer, name, node);
    case TG_CDM_TEXT:
    case TG_CDM_PHANTOM:
        print_token(printer, name);
        print_token(printer, "{");
        if (!print_inside(printer, node->arguments[0]))
            return FALSE;
        print_token(printer, "}");
        return TRUE;
    case TG_CDM_RULE:
        return print_rule(printer, node);
    case TG_CDM_SWITCH:
    case TG_CDM_STYLE:
        print_token(printer, name);
        return print_list(printer, node->children);
    case TG_CDM_ROMAN_SWITCH:
        printer.roman = TRUE;
        return print_in_braces(printer, "\\mathrm", node->children);
    case TG_CDM_OPERATOR:
        print_operator(printer, node);
        return TRUE;
    case TG_CDM_OPERATOR_SYMBOL:
        print_token(printer, name);
        return TRUE;
    case TG_CDM_DELIMITER:
        print_token(printer, name);
        printer.origin = origin_of(printer, node->arguments[0]->at);
        print_token(printer, node->arguments[0]->text);
        return TRUE;
    default: /* an infix function behind which stands a script, a colour */
        return FALSE;
    }
}

static gboolean row_is_empty(const GPtrArray *cells)
{
    for (guint i = 0; i < cells->len; i++)
        if (((const TgCdmNode *) cells->pdata[i])->children->len > 0)
            return FALSE;
    return TRUE;
}

/* Empty cells are printed as nothing; the test for them looks at the text, so a cell that ends in
 * `\{` loses its end, too. */
static gboolean print_row(Printer printer, const GPtrArray *cells)
{
    for (guint i = 0; i < cells->len; i++) {
        if (i > 0)
            print_token(printer, "&");
        if (!print_node(printer, cells->pdata[i]))
            return FALSE;
        const GString *printed = printer.out->string;
        if (g_str_has_suffix(printed->str, "{ } "))
            tg_cdm_text_splice(printer.out, printed->len - strlen("{ } "), printed->len, "");
    }
    print_token(printer, "\\\\");
    return TRUE;
}

static gboolean print_array(Printer printer, const TgCdmNode *node)
{
    print_text(printer, "\\begin{array} { ");
    print_text(printer, node->text);
    print_text(printer, "} ");
    for (guint i = 0; i < node->children->len; i++) {
        const GPtrArray *cells = ((const TgCdmNode *) node->children->pdata[i])->children;

        if (!row_is_empty(cells) && !print_row(printer, cells))
            return FALSE;
    }
    print_token(printer, "\\end{array}");
    return TRUE;
}

static gboolean print_left_right(Printer printer, const TgCdmNode *node)
{
    print_text(printer, "\\left");
    print_token(printer, node->text);
    if (!print_list(printer, node->children))
        return FALSE;
    printer.origin = origin_of(printer, node->right_at);
    print_text(printer, "\\right");
    print_token(printer, node->right);
    return TRUE;
}

static gboolean print_node(Printer printer, const TgCdmNode *node)
{
    if (node == NULL || tg_too_long(50))
        return FALSE;
    if (node->at.end > node->at.start)
        printer.origin = origin_of(printer, node->at);
    switch (node->kind) {
    case TG_CDM_NODE_LETTER:
        if (printer.roman)
            print_letters(printer, node->text);
        else
            print_token(printer, node->text);
        return TRUE;
    case TG_CDM_NODE_SYMBOL:
        print_token(printer, node->text);
        return TRUE;
    case TG_CDM_NODE_SPACE:
        print_token(printer, "~");
        return TRUE;
    case TG_CDM_NODE_GROUP:
        print_token(printer, "{");
        if (!print_list(printer, node->children))
            return FALSE;
        print_token(printer, "}");
        return TRUE;
    case TG_CDM_NODE_SCRIPTS:
        return print_scripts(printer, node);
    case TG_CDM_NODE_FUNCTION:
        return print_function(printer, node);
    case TG_CDM_NODE_LEFT_RIGHT:
        return print_left_right(printer, node);
    case TG_CDM_NODE_ARRAY:
        return print_array(printer, node);
    case TG_CDM_NODE_SIZE:
        return FALSE;
    }
    g_return_val_if_reached(FALSE);
}

static gboolean syntax_print(const TgCdmSyntax *syntax, const TgCdmText *line, TgCdmText *out)
{
    return print_list((Printer){ .out = out, .line = line }, syntax->children);
}

/* ---- The text before and after it is parsed -------------------------------------------------- */

/* The official program replaces in a loop of this many rounds, one occurrence a round. */
enum { ROUNDS = 300 };

/* Compiled once and constant from then on. */
static GRegex *aligned, *matrix, *hskip;

static void make_regexes(void)
{
    aligned = g_regex_new("\\\\begin\\{(split|align|alignedat|alignat|eqnarray)\\*?\\}(.+?)"
                          "\\\\end\\{\\1\\*?\\}",
                          G_REGEX_DOTALL | G_REGEX_OPTIMIZE, 0, NULL);
    matrix = g_regex_new("\\\\begin\\{(smallmatrix)\\*?\\}(.+?)\\\\end\\{\\1\\*?\\}",
                         G_REGEX_DOTALL | G_REGEX_OPTIMIZE, 0, NULL);
    hskip = g_regex_new("hskip(.*?)(cm|in|pt|mm|em)", G_REGEX_OPTIMIZE, 0, NULL);
}

static void compile_regexes(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_regexes);
}

void tg_cdm_rename_environments(TgCdmText *text)
{
    compile_regexes();
    if (strstr(text->string->str, "\\begin{") == NULL)
        return;
    tg_cdm_text_replace_around(text, aligned, 2, 2, "\\begin{aligned}", "\\end{aligned}");
    tg_cdm_text_replace_around(text, matrix, 2, 2, "\\begin{matrix}", "\\end{matrix}");
}

static void delete_from(TgCdmText *text, gsize start)
{
    tg_cdm_text_splice(text, start, text->string->len, "");
}

/* Lines end at a carriage return, and the last one wins. */
static void keep_last_line(TgCdmText *text)
{
    if (g_str_has_suffix(text->string->str, "\r"))
        delete_from(text, text->string->len - 1);

    const char *last = strrchr(text->string->str, '\r');
    if (last != NULL)
        tg_cdm_text_splice(text, 0, (gsize) (last + 1 - text->string->str), "");
}

void tg_cdm_delete_comment(TgCdmText *line)
{
    if (line->string->str[0] == '%')
        tg_cdm_text_splice(line, 0, 1, "");
    delete_from(line, strcspn(line->string->str, "%"));
}

static void delete_tabs_and_labels(TgCdmText *line, gboolean dollars_too)
{
    tg_cdm_text_replace(line, "\\~", " ", 0);
    for (guint i = 0; i < ROUNDS && !tg_too_long(line->string->len / 8); i++) {
        const gboolean tab = tg_cdm_text_replace_first(line, "\\>", " ");
        const gboolean dollar = dollars_too && tg_cdm_text_replace_first(line, "$", " ");
        const gboolean label = tg_cdm_text_delete_first(line, "\\label{", "}");

        if (!tab && !dollar && !label)
            break;
    }
}

/* Line breaks outside of any array become thin spaces. */
void tg_cdm_replace_line_breaks(TgCdmText *line, guint rounds)
{
    static const char *const arrays[] = { "matrix", "cases", "array", "begin" };

    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        if (strstr(line->string->str, arrays[i]) != NULL)
            return;
    tg_cdm_text_replace(line, "\\\\", "\\,", rounds);
}

static void append_space(TgCdmText *line)
{
    tg_cdm_text_splice(line, line->string->len, line->string->len, " ");
}

static void replace_roman(TgCdmText *line)
{
    static const char *const forms[] = { "{\\rm", "{ \\rm", "\\rm{" };

    for (guint i = 0; i < ROUNDS && !tg_too_long(line->string->len / 8); i++) {
        gboolean any = FALSE;

        for (guint k = 0; k < G_N_ELEMENTS(forms); k++)
            any |= tg_cdm_text_replace_first(line, forms[k], "\\mathrm{");
        if (!any)
            break;
    }
}

/* Operator names that are made commands again. The official list begins with arccos and ends with
 * tanh, but its pattern misses its first and its last entry. */
static gboolean is_respelled(const char *name)
{
    static const char *const names[] = { "arcsin", "arctan", "arg",     "cos",    "cosh", "cot",
                                         "coth",   "csc",    "deg",     "det",    "dim",  "exp",
                                         "gcd",    "hom",    "inf",     "injlim", "ker",  "lg",
                                         "lim",    "liminf", "limsup",  "ln",     "log",  "max",
                                         "min",    "Pr",     "projlim", "sec",    "sin",  "sinh",
                                         "sup",    "tan",    NULL };

    return g_strv_contains(names, name);
}

/* `\operatorname { s i n }` becomes `\sin`. */
static void respell_operators(TgCdmText *text)
{
    static const char open[] = "\\operatorname {";
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(text);
    const char *string = text->string->str, *rest = string, *found;

    while ((found = strstr(rest, open)) != NULL) {
        const char *start = found + strlen(open);
        const gsize length = strspn(start, " abcdefghijklmnopqrstuvwxyzP");
        const gsize from = (gsize) (start - string), at = (gsize) (found - string);
        g_autoptr(GString) name = g_string_new_len(start, (gssize) length);

        g_string_replace(name, " ", "", 0);
        tg_cdm_text_copy(out, text, (gsize) (rest - string), at);
        if (start[length] == '}' && is_respelled(name->str)) {
            tg_cdm_text_copy(out, text, at, at + 1);
            tg_cdm_text_put(out, name->str, text, from, from + length);
            rest = start + length + 1;
        } else {
            tg_cdm_text_copy(out, text, at, from);
            rest = start;
        }
    }
    tg_cdm_text_copy(out, text, (gsize) (rest - string), text->string->len);
    tg_cdm_text_swap(text, out);
}

/* The line as the parser reads it. */
static void prepare_formula(TgCdmText *line)
{
    tg_cdm_rename_environments(line);
    keep_last_line(line);
    tg_cdm_delete_comment(line);
    delete_tabs_and_labels(line, TRUE);
    tg_cdm_replace_line_breaks(line, ROUNDS);
    append_space(line);
    replace_roman(line);
}

/* Without labels and superfluous spaces; FALSE when nothing is left. */
static gboolean tidy_tokens(TgCdmText *tokens)
{
    tg_cdm_text_delete_first(tokens, "\\label { ", " }");
    tg_cdm_text_squeeze(tokens);
    return tokens->string->len > 0;
}

static gboolean read_formula(TgCdmText *text)
{
    g_autoptr(TgCdmText) line = tg_cdm_text_new_like(text), tokens = tg_cdm_text_new_like(text);

    tg_cdm_text_copy(line, text, 0, text->string->len);
    prepare_formula(line);
    g_autoptr(TgCdmSyntax) syntax = syntax_parse(line->string->str);
    if (syntax == NULL || !syntax_print(syntax, line, tokens))
        return FALSE;
    /* six S stand for a dollar sign there */
    tg_cdm_text_replace(tokens, " S S S S S S", "$", ROUNDS);
    if (!tidy_tokens(tokens))
        return FALSE;
    respell_operators(tokens);
    tg_cdm_text_replace(tokens, "\\\\ \\end{array}", "\\end{array}", 0);
    tg_cdm_text_swap(text, tokens);
    return TRUE;
}

/* `hskip3pt` becomes `hspace{3pt}`. */
void tg_cdm_prepare_table(TgCdmText *line)
{
    delete_from(line, strcspn(line->string->str, "%"));
    if (strstr(line->string->str, "\\end{tabular}") == NULL)
        tg_cdm_text_splice(line, line->string->len, line->string->len, "\\end{tabular}");
    g_strdelimit(line->string->str, "\r\n", ' ');
    compile_regexes();
    tg_cdm_text_replace_around(line, hskip, 1, 2, "hspace{", "}");
    delete_tabs_and_labels(line, FALSE);
    tg_cdm_replace_line_breaks(line, ROUNDS);
    append_space(line);
}

static gboolean read_table(TgCdmText *text)
{
    g_autoptr(TgCdmText) line = tg_cdm_text_new(text->string->str, FALSE);

    tg_cdm_prepare_table(line);
    g_autoptr(TgCdmSyntax) syntax = syntax_parse(line->string->str);
    if (syntax == NULL)
        return FALSE;
    g_autoptr(TgCdmText) tokens = tg_cdm_text_new(syntax->tokens_read->str, FALSE);
    if (!tidy_tokens(tokens))
        return FALSE;
    tg_cdm_text_swap(text, tokens);
    return TRUE;
}

gboolean tg_cdm_read_by_katex(TgCdmText *text, gboolean is_table)
{
    return is_table ? read_table(text) : read_formula(text);
}
