/* The reader of OmniDocBench 1.6's CDM: pylatexenc's LatexWalker, tolerant of errors, and its
 * printer. */
#include "metrics/cdm/normalize/normalize.h"

#include <glib.h>
#include <pthread.h>
#include <string.h>

typedef enum {
    TG_CDM_SCAN_CHARACTER,
    TG_CDM_SCAN_SPECIALS,   /**< one or more characters that belong together */
    TG_CDM_SCAN_MACRO,      /**< from the backslash to the white space behind a word */
    TG_CDM_SCAN_BEGIN,      /**< `\begin{name}` */
    TG_CDM_SCAN_END,        /**< `\end{name}` */
    TG_CDM_SCAN_OPEN,       /**< `{`, or `[` where brackets count */
    TG_CDM_SCAN_CLOSE,      /**< `}`, or `]` where brackets count */
    TG_CDM_SCAN_MATH,       /**< a mark that begins or ends math */
    TG_CDM_SCAN_END_OF_TEXT /**< also before a backslash that ends the text */
} TgCdmScanKind;

/** A token: bytes of the text. White space stands from @space to @start. */
typedef struct {
    TgCdmScanKind kind;
    gsize space, start, end;
    gsize name, name_end; /**< of a macro or an environment */
} TgCdmScanToken;

/** More arguments has no command of the table. */
#define TG_CDM_UNIT_ARGUMENTS 6

/** What a unit is. */
typedef enum {
    TG_CDM_UNIT_CHARACTERS,  /**< a run of ordinary characters and white space */
    TG_CDM_UNIT_SPECIALS,    /**< `&`, `~`, two quotes or hyphens that belong together */
    TG_CDM_UNIT_GROUP,       /**< `{...}`, or `[...]` as an argument: @children */
    TG_CDM_UNIT_MACRO,       /**< a command with the arguments that the table gives it */
    TG_CDM_UNIT_ENVIRONMENT, /**< of any name: @children */
    TG_CDM_UNIT_MATH,        /**< between `\(` and `\)`, `\[` and `\]`, dollars: @children */
} TgCdmUnitKind;

typedef struct TgCdmUnit TgCdmUnit;
struct TgCdmUnit {
    TgCdmUnitKind kind;
    TgCdmRange at;                               /**< in the line: the characters, the command
                                                      with its backslash, the opening mark */
    char *name;                                  /**< of a macro, without backslash, or of an
                                                      environment */
    gboolean is_bracket;                         /**< a group in brackets */
    gboolean space_behind;                       /**< a macro's name is followed by white space */
    guint n_arguments;                           /**< of the table */
    TgCdmUnit *arguments[TG_CDM_UNIT_ARGUMENTS]; /**< NULL: an optional one that is missing */
    GPtrArray *children;                         /**< borrowed units */
};

/** A formula as it was read; owns its units. */
typedef struct {
    GPtrArray *units;    /**< all of them */
    GPtrArray *children; /**< the formula's own */
} TgCdmUnits;

/** Deeper nesting counts as not readable: the official program's interpreter ends there, too. */
#define TG_CDM_READER_MAX_DEPTH 300

typedef struct TgCdmPrinter TgCdmPrinter;
typedef struct TgCdmCursor TgCdmCursor;

/** Where the tokens go, and who prints the units that lists of units are in. */
struct TgCdmPrinter {
    const TgCdmText *line; /**< that was read */
    TgCdmText *out;
    gboolean in_text;   /**< in `\text`, where white space is printed as `~` */
    gboolean in_script; /**< in a script, where a prime is an ordinary character */
};

/** A place in a list of units. */
struct TgCdmCursor {
    const GPtrArray *units;
    guint at, end;
    gsize offset; /**< bytes of the characters at @at that were printed already */
};

/** What is printed at once: a unit, or one character of a run; nothing where both are NULL. */
typedef struct {
    const TgCdmUnit *unit; /**< NULL for a character */
    TgCdmRange character;  /**< in the line; `--` is one */
    gboolean is_space;     /**< white space in @in_text */
} TgCdmItem;

/* ---- Arguments of commands and environments, as pylatexenc 2.10 has them --------------------- */

/* Names with the same arguments; names are separated by single spaces. */
typedef struct {
    const char *arguments, *names;
} Row;

static const Row macro_rows[] = {
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

static const Row environment_rows[] = {
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
    macro_table = make_table(macro_rows, G_N_ELEMENTS(macro_rows));
    environment_table = make_table(environment_rows, G_N_ELEMENTS(environment_rows));
}

static const char *find(GHashTable *const *table, const char *name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_tables);
    const char *found = g_hash_table_lookup(*table, name);
    return found != NULL ? found : "";
}

static const char *macro_arguments(const char *name)
{
    return find(&macro_table, name);
}

static const char *environment_arguments(const char *name)
{
    return find(&environment_table, name);
}

/* ---- Tokens ---------------------------------------------------------------------------------- */

static gsize scan_space(const char *text, gsize at)
{
    while (text[at] != '\0' && tg_cdm_is_space(g_utf8_get_char(text + at)))
        at = (gsize) (g_utf8_next_char(text + at) - text);
    return at;
}

static gsize scan_next(const char *text, gsize at)
{
    return (gsize) (g_utf8_next_char(text + at) - text);
}

/* A letter, digit or mark that a name of an environment may have. */
static gboolean scan_is_name(gunichar c)
{
    return g_unichar_isalnum(c) || (c != 0 && c < 0x80 && strchr("_* .-", (gint) c) != NULL);
}

/* `{name}` behind `\begin`: without one, its six letters are ordinary characters. */
static void scan_environment(TgCdmScanToken *token, const char *text, TgCdmScanKind kind)
{
    const gsize open = scan_space(text, token->end);
    gsize at = open + 1;

    token->kind = TG_CDM_SCAN_CHARACTER;
    if (text[open] != '{')
        return;
    while (scan_is_name(g_utf8_get_char(text + at)))
        at = scan_next(text, at);
    if (at == open + 1 || text[at] != '}')
        return;
    token->kind = kind;
    token->name = open + 1;
    token->name_end = at;
    token->end = at + 1;
}

static gboolean scan_name_is(const TgCdmScanToken *token, const char *text, const char *name)
{
    return token->name_end - token->name == strlen(name) &&
           strncmp(text + token->name, name, strlen(name)) == 0;
}

static void scan_macro(TgCdmScanToken *token, const char *text, gboolean environments)
{
    gsize at = token->start + 1;
    const gboolean is_word = g_unichar_isalpha(g_utf8_get_char(text + at));

    do
        at = scan_next(text, at);
    while (is_word && g_unichar_isalpha(g_utf8_get_char(text + at)));
    token->kind = TG_CDM_SCAN_MACRO;
    token->name = token->start + 1;
    token->name_end = token->end = at;
    if (strchr("[]()", text[token->name]) != NULL)
        token->kind = TG_CDM_SCAN_MATH;
    else if (environments && scan_name_is(token, text, "begin"))
        scan_environment(token, text, TG_CDM_SCAN_BEGIN);
    else if (environments && scan_name_is(token, text, "end"))
        scan_environment(token, text, TG_CDM_SCAN_END);
    else if (is_word)
        token->end = scan_space(text, at);
}

/* The length of what stands at @p and belongs together; 0: nothing special. */
static gsize scan_specials(const char *p)
{
    static const char *const specials[] = { "---", "--", "``", "''", "!`", "?`", "&", "~" };

    for (guint i = 0; i < G_N_ELEMENTS(specials); i++)
        if (g_str_has_prefix(p, specials[i]))
            return strlen(specials[i]);
    return 0;
}

static TgCdmScanToken scan(const char *text, gsize at, gboolean brackets, gboolean environments)
{
    const gsize start = scan_space(text, at);
    const char *p = text + start;
    TgCdmScanToken token = { TG_CDM_SCAN_CHARACTER, at, start, start, 0, 0 };

    if (*p == '\0' || strcmp(p, "\\") == 0) {
        token.kind = TG_CDM_SCAN_END_OF_TEXT;
    } else if (*p == '\\') {
        scan_macro(&token, text, environments);
    } else if (*p == '{' || (brackets && *p == '[')) {
        token.kind = TG_CDM_SCAN_OPEN;
        token.end = start + 1;
    } else if (*p == '}' || (brackets && *p == ']')) {
        token.kind = TG_CDM_SCAN_CLOSE;
        token.end = start + 1;
    } else if (*p == '$') {
        token.kind = TG_CDM_SCAN_MATH;
        token.end = start + (p[1] == '$' ? 2 : 1);
    } else if (scan_specials(p) > 0) {
        token.kind = TG_CDM_SCAN_SPECIALS;
        token.end = start + scan_specials(p);
    } else {
        token.end = scan_next(text, start);
    }
    return token;
}

/* ---- Units and who owns them ----------------------------------------------------------------- */

static void unit_free(gpointer data)
{
    TgCdmUnit *unit = data;

    g_free(unit->name);
    g_clear_pointer(&unit->children, g_ptr_array_unref);
    g_free(unit);
}

static TgCdmUnits *units_new(void)
{
    TgCdmUnits *units = g_new0(TgCdmUnits, 1);

    units->units = g_ptr_array_new_with_free_func(unit_free);
    return units;
}

static void units_free(TgCdmUnits *units)
{
    if (units == NULL)
        return;
    g_clear_pointer(&units->children, g_ptr_array_unref);
    g_clear_pointer(&units->units, g_ptr_array_unref);
    g_free(units);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgCdmUnits, units_free)

static TgCdmUnit *unit_new(TgCdmUnits *units, TgCdmUnitKind kind, gsize start, gsize end)
{
    TgCdmUnit *unit = g_new0(TgCdmUnit, 1);

    unit->kind = kind;
    unit->at = (TgCdmRange){ (guint32) start, (guint32) end };
    g_ptr_array_add(units->units, unit);
    return unit;
}

static gboolean unit_is_macro(const TgCdmUnit *unit, const char *name)
{
    return unit != NULL && unit->kind == TG_CDM_UNIT_MACRO && strcmp(unit->name, name) == 0;
}

/* ---- The tolerant reading -------------------------------------------------------------------- */

/* Where arguments end with the text they are read again as plain units, which nests; the official
 * program has a time limit for it. */
enum { STEPS_A_BYTE = 40 };

typedef struct {
    const char *line;
    gsize at;
    TgCdmUnits *units;
    gsize steps_left;
    guint depth;
    gboolean failed;
} Reader;

/* What ends a list; all NULL and 0 for the end of the text. */
typedef struct {
    char close;              /* a brace or bracket */
    const char *environment; /* the name behind `\end` */
    const char *math;        /* the mark */
} Stop;

static GPtrArray *read_list(Reader *reader, Stop stop);

static TgCdmScanToken reader_scan(Reader *reader, gboolean brackets, gboolean environments)
{
    if (reader->steps_left == 0)
        reader->failed = TRUE;
    else
        reader->steps_left--;
    return scan(reader->line, reader->at, brackets, environments);
}

static TgCdmUnit *reader_unit(Reader *reader, TgCdmUnitKind kind, gsize start, gsize end)
{
    return unit_new(reader->units, kind, start, end);
}

static char *reader_name(const Reader *reader, const TgCdmScanToken *token)
{
    return g_strndup(reader->line + token->name, token->name_end - token->name);
}

/* ---- units ---- */

static TgCdmUnit *read_group(Reader *reader, const TgCdmScanToken *token)
{
    TgCdmUnit *group = reader_unit(reader, TG_CDM_UNIT_GROUP, token->start, token->end);

    group->is_bracket = reader->line[token->start] == '[';
    reader->at = token->end;
    group->children = read_list(reader, (Stop){ .close = group->is_bracket ? ']' : '}' });
    return group;
}

static TgCdmUnit *new_macro(Reader *reader, const TgCdmScanToken *token)
{
    TgCdmUnit *macro = reader_unit(reader, TG_CDM_UNIT_MACRO, token->start, token->name_end);

    macro->name = reader_name(reader, token);
    macro->space_behind = token->end > token->name_end;
    reader->at = token->end;
    return macro;
}

/* As an argument `\(` is a macro of that name, backslash included. */
static TgCdmUnit *new_math_macro(Reader *reader, const TgCdmScanToken *token)
{
    TgCdmUnit *macro = reader_unit(reader, TG_CDM_UNIT_MACRO, token->start, token->end);

    macro->name = g_strndup(reader->line + token->start, token->end - token->start);
    reader->at = token->end;
    return macro;
}

/* A group, or a single character or macro without its own arguments; NULL at the end of the text.
 * Before a closing mark it is empty. */
static TgCdmUnit *read_expression(Reader *reader)
{
    const TgCdmScanToken token = reader_scan(reader, FALSE, FALSE);

    switch (token.kind) {
    case TG_CDM_SCAN_END_OF_TEXT:
        return NULL;
    case TG_CDM_SCAN_OPEN:
        return read_group(reader, &token);
    case TG_CDM_SCAN_MACRO:
        if (token.name_end - token.name == 3 && g_str_has_prefix(reader->line + token.name, "end"))
            break;
        return new_macro(reader, &token);
    case TG_CDM_SCAN_CLOSE:
        break;
    case TG_CDM_SCAN_MATH:
        if (reader->line[token.start] == '\\')
            return new_math_macro(reader, &token);
        /* fall through */
    default:
        reader->at = token.end;
        return reader_unit(reader,
                           token.kind == TG_CDM_SCAN_SPECIALS ? TG_CDM_UNIT_SPECIALS
                                                              : TG_CDM_UNIT_CHARACTERS,
                           token.start, token.end);
    }
    reader->at = token.start;
    return reader_unit(reader, TG_CDM_UNIT_CHARACTERS, token.start, token.start);
}

static TgCdmUnit *read_optional(Reader *reader)
{
    const TgCdmScanToken token = reader_scan(reader, TRUE, FALSE);

    return token.kind == TG_CDM_SCAN_OPEN && reader->line[token.start] == '['
               ? read_group(reader, &token)
               : NULL;
}

static TgCdmUnit *read_star(Reader *reader)
{
    const TgCdmScanToken token = reader_scan(reader, FALSE, FALSE);

    if (token.kind != TG_CDM_SCAN_CHARACTER || reader->line[token.start] != '*')
        return NULL;
    reader->at = token.end;
    return reader_unit(reader, TG_CDM_UNIT_CHARACTERS, token.start, token.end);
}

/* Read what @pattern asks for. Where the text ends before, @unit has no arguments and they are read
 * as what follows it. */
static void read_arguments(Reader *reader, TgCdmUnit *unit, const char *pattern)
{
    const gsize start = reader->at;
    const gboolean row_end = unit_is_macro(unit, "\\");

    unit->n_arguments = (guint) strlen(pattern);
    for (guint i = 0; i < unit->n_arguments; i++) {
        if (pattern[i] == '*')
            unit->arguments[i] = read_star(reader);
        else if (pattern[i] == '{')
            unit->arguments[i] = read_expression(reader);
        else if (!row_end || !tg_cdm_is_space(g_utf8_get_char(reader->line + reader->at)))
            unit->arguments[i] = read_optional(reader);
        if (pattern[i] == '{' && unit->arguments[i] == NULL) {
            reader->at = start;
            unit->n_arguments = 0;
            memset(unit->arguments, 0, sizeof unit->arguments);
        }
    }
}

/* `\verb|x|`: what is between two equal characters. */
static void read_verbatim(Reader *reader, TgCdmUnit *macro)
{
    const gsize open = scan(reader->line, reader->at, FALSE, FALSE).start;
    const char *mark = reader->line + open;

    if (*mark == '\0')
        return;
    g_autofree char *delimiter = g_strndup(mark, (gsize) (g_utf8_next_char(mark) - mark));
    const char *text = mark + strlen(delimiter), *end = strstr(text, delimiter);
    if (end == NULL)
        return;
    macro->n_arguments = 1;
    macro->arguments[0] = reader_unit(reader, TG_CDM_UNIT_CHARACTERS, (gsize) (text - reader->line),
                                      (gsize) (end - reader->line));
    reader->at = (gsize) (end - reader->line) + strlen(delimiter);
}

static TgCdmUnit *read_macro(Reader *reader, const TgCdmScanToken *token)
{
    TgCdmUnit *macro = new_macro(reader, token);

    if (strcmp(macro->name, "verb") == 0)
        read_verbatim(reader, macro);
    else
        read_arguments(reader, macro, macro_arguments(macro->name));
    return macro;
}

static TgCdmUnit *read_environment(Reader *reader, const TgCdmScanToken *token)
{
    TgCdmUnit *unit = reader_unit(reader, TG_CDM_UNIT_ENVIRONMENT, token->start, token->end);

    unit->name = reader_name(reader, token);
    reader->at = token->end;
    read_arguments(reader, unit, environment_arguments(unit->name));
    unit->children = read_list(reader, (Stop){ .environment = unit->name });
    return unit;
}

static gboolean token_is(const Reader *reader, const TgCdmScanToken *token, const char *text)
{
    return token->end - token->start == strlen(text) &&
           strncmp(reader->line + token->start, text, strlen(text)) == 0;
}

/* NULL for a closing mark that closes nothing. */
static TgCdmUnit *read_math(Reader *reader, const TgCdmScanToken *token)
{
    g_autofree char *mark = g_strndup(reader->line + token->start, token->end - token->start);

    reader->at = token->end;
    if (strcmp(mark, "\\)") == 0 || strcmp(mark, "\\]") == 0)
        return NULL;
    TgCdmUnit *unit = reader_unit(reader, TG_CDM_UNIT_MATH, token->start, token->end);
    if (strcmp(mark, "\\(") == 0)
        mark[1] = ')';
    else if (strcmp(mark, "\\[") == 0)
        mark[1] = ']';
    unit->children = read_list(reader, (Stop){ .math = mark });
    return unit;
}

/* ---- lists ---- */

static gboolean ends_list(const Reader *reader, const TgCdmScanToken *token, Stop stop)
{
    switch (token->kind) {
    case TG_CDM_SCAN_CLOSE:
        return reader->line[token->start] == stop.close;
    case TG_CDM_SCAN_END:
        return stop.environment != NULL &&
               strlen(stop.environment) == token->name_end - token->name &&
               g_str_has_prefix(reader->line + token->name, stop.environment);
    case TG_CDM_SCAN_MATH:
        return stop.math != NULL && token_is(reader, token, stop.math);
    default:
        return token->kind == TG_CDM_SCAN_END_OF_TEXT;
    }
}

/* The unit that begins with @token; NULL for a mark without its partner, which is passed over. */
static TgCdmUnit *read_unit(Reader *reader, const TgCdmScanToken *token)
{
    switch (token->kind) {
    case TG_CDM_SCAN_OPEN:
        return read_group(reader, token);
    case TG_CDM_SCAN_MACRO:
        return read_macro(reader, token);
    case TG_CDM_SCAN_BEGIN:
        return read_environment(reader, token);
    case TG_CDM_SCAN_MATH:
        return read_math(reader, token);
    case TG_CDM_SCAN_SPECIALS:
        reader->at = token->end;
        return reader_unit(reader, TG_CDM_UNIT_SPECIALS, token->start, token->end);
    default:
        reader->at = token->end;
        return NULL;
    }
}

/* Characters from @start up to here become a unit. */
static void end_run(Reader *reader, GPtrArray *list, gsize start, gsize end)
{
    if (end > start)
        g_ptr_array_add(list, reader_unit(reader, TG_CDM_UNIT_CHARACTERS, start, end));
}

/* A backslash that ends the text takes the white space before it along. */
static gboolean ends_in_backslash(const Reader *reader, const TgCdmScanToken *token)
{
    return token->kind == TG_CDM_SCAN_END_OF_TEXT && reader->line[token->start] == '\\';
}

static GPtrArray *read_list(Reader *reader, Stop stop)
{
    GPtrArray *list = g_ptr_array_new();
    gsize run = reader->at;

    if (++reader->depth > TG_CDM_READER_MAX_DEPTH)
        reader->failed = TRUE;
    while (!reader->failed) {
        const TgCdmScanToken token = reader_scan(reader, stop.close == ']', TRUE);

        if (token.kind == TG_CDM_SCAN_CHARACTER) {
            reader->at = token.end;
            continue;
        }
        end_run(reader, list, run, ends_in_backslash(reader, &token) ? token.space : token.start);
        if (ends_list(reader, &token, stop)) {
            reader->at = token.end;
            break;
        }
        TgCdmUnit *unit = read_unit(reader, &token);
        if (unit != NULL)
            g_ptr_array_add(list, unit);
        run = reader->at;
    }
    reader->depth--;
    return list;
}

static TgCdmUnits *read_units(const char *line)
{
    g_autoptr(TgCdmUnits) units = units_new();
    Reader reader = { .line = line,
                      .units = units,
                      .steps_left = (gsize) STEPS_A_BYTE * (strlen(line) + 1) };

    units->children = read_list(&reader, (Stop){ 0 });
    return reader.failed ? NULL : g_steal_pointer(&units);
}

/* ---- What is refused before it is read ------------------------------------------------------- */

static gboolean braces_match(const char *line)
{
    gint depth = 0;

    for (const char *p = line; *p != '\0'; p++) {
        if (*p == '\\' && p[1] != '\0' && strchr("{}[]()", p[1]) != NULL)
            p++;
        else if (*p == '{')
            depth++;
        else if (*p == '}' && --depth < 0)
            return FALSE;
    }
    return depth == 0;
}

/* The name in `{name}` at @p. (transfer full) NULL where there is none. */
static char *name_at(const char *p)
{
    const gsize length = *p == '{' ? strcspn(p + 1, "}") : 0;

    return *p == '{' && p[1 + length] == '}' ? g_strndup(p + 1, length) : NULL;
}

static gboolean environments_match(const char *line)
{
    g_autoptr(GPtrArray) open = g_ptr_array_new_with_free_func(g_free);

    for (const char *p = strchr(line, '\\'); p != NULL; p = strchr(p + 1, '\\')) {
        if (g_str_has_prefix(p, "\\begin{")) {
            char *name = name_at(p + strlen("\\begin"));
            if (name != NULL)
                g_ptr_array_add(open, name);
        } else if (g_str_has_prefix(p, "\\end{")) {
            g_autofree char *name = name_at(p + strlen("\\end"));
            if (name == NULL)
                continue;
            if (open->len == 0 || strcmp(open->pdata[open->len - 1], name) != 0)
                return FALSE;
            g_ptr_array_set_size(open, (gint) open->len - 1);
        }
    }
    return open->len == 0;
}

static guint count(const char *line, const char *mark)
{
    guint n = 0;

    for (const char *p = strstr(line, mark); p != NULL; p = strstr(p + strlen(mark), mark))
        n++;
    return n;
}

/* Only as a whole word: not `\leftarrow`. */
static guint count_word(const char *line, const char *word)
{
    guint n = 0;

    for (const char *p = strstr(line, word); p != NULL; p = strstr(p + 1, word)) {
        const gunichar next = g_utf8_get_char(p + strlen(word));
        n += !g_unichar_isalnum(next) && next != '_';
    }
    return n;
}

static guint count_dollars(const char *line)
{
    guint n = 0;

    for (const char *p = strchr(line, '$'); p != NULL; p = strchr(p + 1, '$'))
        n += p == line || p[-1] != '\\';
    return n;
}

static gboolean guard_passes(const char *line)
{
    return g_utf8_strlen(line, -1) <= TG_CDM_GUARD_MAX_LENGTH && braces_match(line) &&
           environments_match(line) && count_word(line, "\\left") == count_word(line, "\\right") &&
           count(line, "\\(") == count(line, "\\)") && count(line, "\\[") == count(line, "\\]") &&
           count_dollars(line) % 2 == 0;
}

/* ---- Lists of units: characters, groups, scripts in their order ------------------------------ */

static void print_units(TgCdmPrinter *printer, const GPtrArray *list);
static void print_macro(TgCdmPrinter *printer, const TgCdmUnit *macro, TgCdmCursor *cursor);
static void print_environment(TgCdmPrinter *printer, const TgCdmUnit *environment);

/* ---- tokens ---- */

static void print_token(TgCdmPrinter *printer, const char *token, TgCdmRange from)
{
    const TgCdmRange none = { 0, 0 };

    tg_cdm_text_append(printer->out, token,
                       tg_cdm_text_origin(printer->line, from.start, from.end));
    tg_cdm_text_append(printer->out, " ", none);
}

static void print_mark(TgCdmPrinter *printer, const char *token)
{
    print_token(printer, token, (TgCdmRange){ 0, 0 });
}

static void print_bytes(TgCdmPrinter *printer, TgCdmRange at)
{
    const TgCdmRange none = { 0, 0 };

    tg_cdm_text_copy(printer->out, printer->line, at.start, at.end);
    tg_cdm_text_append(printer->out, " ", none);
}

/* ---- items ---- */

/* The end of the white space that begins at @at, within @end. */
static guint32 skip_space(const char *line, guint32 at, guint32 end)
{
    while (at < end && tg_cdm_is_space(g_utf8_get_char(line + at)))
        at = (guint32) (g_utf8_next_char(line + at) - line);
    return at;
}

/* The next character of the run @unit; FALSE at its end. */
static gboolean next_character(TgCdmCursor *cursor, const TgCdmPrinter *printer,
                               const TgCdmUnit *unit, TgCdmItem *item)
{
    const char *line = printer->line->string->str;
    const guint32 start = unit->at.start + (guint32) cursor->offset, end = unit->at.end;
    const guint32 at = skip_space(line, start, end);
    guint32 behind = at;

    item->is_space = printer->in_text && at > start;
    if (!item->is_space) {
        if (at >= end)
            return FALSE;
        behind = end - at >= 2 && g_str_has_prefix(line + at, "--")
                     ? at + 2
                     : (guint32) (g_utf8_next_char(line + at) - line);
    }
    item->character = (TgCdmRange){ at, behind };
    cursor->offset = behind - unit->at.start;
    return TRUE;
}

static gboolean cursor_next(TgCdmCursor *cursor, const TgCdmPrinter *printer, TgCdmItem *item)
{
    *item = (TgCdmItem){ 0 };
    for (; cursor->at < cursor->end; cursor->at++, cursor->offset = 0) {
        const TgCdmUnit *unit = cursor->units->pdata[cursor->at];

        if (unit->kind != TG_CDM_UNIT_CHARACTERS && unit->kind != TG_CDM_UNIT_SPECIALS) {
            item->unit = unit;
            cursor->at++;
            return TRUE;
        }
        if (next_character(cursor, printer, unit, item))
            return TRUE;
    }
    return FALSE;
}

static void print_group(TgCdmPrinter *printer, const TgCdmUnit *group)
{
    print_mark(printer, group->is_bracket ? "[" : "{");
    print_units(printer, group->children);
    print_mark(printer, group->is_bracket ? "]" : "}");
}

/* @cursor: what follows the item */
static void print_item(TgCdmPrinter *printer, const TgCdmItem *item, TgCdmCursor *cursor)
{
    if (item->unit == NULL) {
        if (item->is_space)
            print_mark(printer, "~");
        else
            print_bytes(printer, item->character);
        return;
    }
    switch (item->unit->kind) {
    case TG_CDM_UNIT_GROUP:
        print_group(printer, item->unit);
        break;
    case TG_CDM_UNIT_MACRO:
        print_macro(printer, item->unit, cursor);
        break;
    case TG_CDM_UNIT_ENVIRONMENT:
        print_environment(printer, item->unit);
        break;
    case TG_CDM_UNIT_MATH:
        print_mark(printer, "$");
        print_units(printer, item->unit->children);
        print_mark(printer, "$");
        break;
    default:
        break;
    }
}

static void print_lone_item(TgCdmPrinter *printer, const TgCdmItem *item)
{
    TgCdmCursor nothing = { 0 };

    print_item(printer, item, &nothing);
}

/* ---- scripts ---- */

/* The scripts of the last item, which are printed when the next one comes. */
typedef struct {
    TgCdmText *subscript, *superscript; /* with their braces; NULL for none */
    guint n_primes;                     /* of which the superscript is made; 0: of other things */
    gboolean has_base;
} Scripts;

static void flush_scripts(TgCdmPrinter *printer, Scripts *scripts)
{
    TgCdmText **const texts[] = { &scripts->subscript, &scripts->superscript };

    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        if (*texts[i] == NULL)
            continue;
        print_mark(printer, i == 0 ? "_" : "^");
        tg_cdm_text_copy(printer->out, *texts[i], 0, (*texts[i])->string->len);
        g_clear_pointer(texts[i], tg_cdm_text_free);
    }
    scripts->n_primes = 0;
}

static gboolean item_is(const TgCdmPrinter *printer, const TgCdmItem *item, char character)
{
    return item->unit == NULL && !item->is_space &&
           item->character.end - item->character.start == 1 &&
           printer->line->string->str[item->character.start] == character;
}

/* The item as a group. (transfer full) */
static TgCdmText *print_apart(const TgCdmPrinter *printer, const TgCdmItem *item)
{
    g_autoptr(TgCdmText) text = tg_cdm_text_new_like(printer->out);
    TgCdmPrinter apart = *printer;
    const gboolean is_group = item->unit != NULL && item->unit->kind == TG_CDM_UNIT_GROUP;

    apart.out = text;
    apart.in_script = TRUE;
    if (!is_group)
        print_mark(&apart, "{");
    print_lone_item(&apart, item);
    if (!is_group)
        print_mark(&apart, "}");
    return g_steal_pointer(&text);
}

/* One more prime; all of them are one superscript, and the place of another one is theirs. */
static void add_prime(const TgCdmPrinter *printer, Scripts *scripts, TgCdmRange at)
{
    g_autoptr(TgCdmText) primes = tg_cdm_text_new_like(printer->out);
    TgCdmPrinter apart = { .line = printer->line, .out = primes };
    const TgCdmText *before = scripts->superscript;

    print_mark(&apart, "{");
    if (scripts->n_primes > 0)
        tg_cdm_text_copy(primes, before, strlen("{ "), before->string->len - strlen("} "));
    print_token(&apart, "\\prime", at);
    print_mark(&apart, "}");
    g_clear_pointer(&scripts->superscript, tg_cdm_text_free);
    scripts->superscript = g_steal_pointer(&primes);
    scripts->n_primes++;
}

static gboolean item_is_mark(const TgCdmPrinter *printer, const TgCdmItem *item)
{
    return item_is(printer, item, '_') || item_is(printer, item, '^');
}

/* Read the script behind @mark, or behind the last of several marks; FALSE where the mark stands
 * for itself. */
static gboolean take_script(const TgCdmPrinter *printer, Scripts *scripts, const TgCdmItem *mark,
                            TgCdmCursor *cursor)
{
    TgCdmCursor ahead = *cursor;
    TgCdmItem content = *mark;
    gboolean is_superscript = FALSE;

    if (!scripts->has_base)
        return FALSE;
    do {
        is_superscript = item_is(printer, &content, '^');
        if (!cursor_next(&ahead, printer, &content))
            return FALSE;
    } while (item_is_mark(printer, &content));
    *cursor = ahead;
    TgCdmText **place = is_superscript ? &scripts->superscript : &scripts->subscript;
    g_clear_pointer(place, tg_cdm_text_free);
    *place = print_apart(printer, &content);
    if (is_superscript)
        scripts->n_primes = 0;
    return TRUE;
}

/* A script or prime at @item, with what belongs to it. */
static gboolean take_mark(const TgCdmPrinter *printer, Scripts *scripts, const TgCdmItem *item,
                          TgCdmCursor *cursor)
{
    if (printer->in_text)
        return FALSE;
    if (item_is(printer, item, '\'') && !printer->in_script) {
        add_prime(printer, scripts, item->character);
        return TRUE;
    }
    return item_is_mark(printer, item) && take_script(printer, scripts, item, cursor);
}

/* What is not printed, and does not come between a base and its scripts. */
static gboolean item_vanishes(const TgCdmItem *item)
{
    return unit_is_macro(item->unit, "limits") || unit_is_macro(item->unit, "nolimits");
}

static void print_slice(TgCdmPrinter *printer, const GPtrArray *list, guint from, guint end)
{
    TgCdmCursor cursor = { list, from, end, 0 };
    Scripts scripts = { 0 };
    TgCdmItem item;

    while (cursor_next(&cursor, printer, &item)) {
        if (item_vanishes(&item) || take_mark(printer, &scripts, &item, &cursor))
            continue;
        flush_scripts(printer, &scripts);
        print_item(printer, &item, &cursor);
        scripts.has_base = TRUE;
    }
    flush_scripts(printer, &scripts);
}

static void print_units(TgCdmPrinter *printer, const GPtrArray *list)
{
    print_slice(printer, list, 0, list->len);
}

static void print_unit(TgCdmPrinter *printer, const TgCdmUnit *unit)
{
    const GPtrArray one = { (gpointer *) &unit, 1 };

    print_units(printer, &one);
}

/* ---- Environments, all of which are printed as arrays ---------------------------------------- */

/* Delimiters around the array. */
static const struct {
    const char *name, *left, *right;
} fences[] = {
    { "pmatrix", "\\left(", "\\right)" },           { "bmatrix", "\\left[", "\\right]" },
    { "Bmatrix", "\\left\\{", "\\right\\}" },       { "vmatrix", "\\left|", "\\right|" },
    { "Vmatrix", "\\left\\Vert", "\\right\\Vert" }, { "cases", "\\left\\{", "\\right." },
    { "dcases", "\\left\\{", "\\right." },          { "rcases", "\\left.", "\\right\\}" },
};

/* A cell is units @from to @end; behind `\\*` the star stands before them. */
typedef struct {
    guint from, end, row;
    const TgCdmUnit *star;
} Cell;

static gboolean is_cell_end(const TgCdmPrinter *printer, const TgCdmUnit *unit)
{
    return unit->kind == TG_CDM_UNIT_SPECIALS && printer->line->string->str[unit->at.start] == '&';
}

/* All cells, row by row. (transfer full) */
static GArray *split_cells(const TgCdmPrinter *printer, const GPtrArray *children)
{
    GArray *cells = g_array_new(FALSE, FALSE, sizeof(Cell));
    Cell cell = { 0 };

    for (guint i = 0; i < children->len; i++) {
        const TgCdmUnit *unit = children->pdata[i];
        const gboolean row_end = unit_is_macro(unit, "\\");

        if (!row_end && !is_cell_end(printer, unit))
            continue;
        cell.end = i;
        g_array_append_val(cells, cell);
        cell = (Cell){ i + 1, i + 1, cell.row + row_end, row_end ? unit->arguments[0] : NULL };
    }
    cell.end = children->len;
    g_array_append_val(cells, cell);
    return cells;
}

/* ---- the preamble ---- */

static gboolean has_two_columns(const char *name)
{
    return strcmp(name, "cases") == 0 || strcmp(name, "dcases") == 0 || strcmp(name, "rcases") == 0;
}

static gboolean is_aligned(const char *name)
{
    return g_str_has_prefix(name, "aligned");
}

static void print_letters_of(TgCdmPrinter *printer, TgCdmRange at)
{
    for (guint32 i = at.start; i < at.end; i++) {
        const char letter[2] = { printer->line->string->str[i], '\0' };

        if (strchr("lcr", letter[0]) != NULL)
            print_token(printer, letter, (TgCdmRange){ i, i + 1 });
    }
}

/* The letters l, c and r of an argument's characters. */
static void print_argument_columns(TgCdmPrinter *printer, const TgCdmUnit *argument)
{
    if (argument->kind == TG_CDM_UNIT_CHARACTERS) {
        print_letters_of(printer, argument->at);
        return;
    }
    for (guint i = 0; argument->children != NULL && i < argument->children->len; i++) {
        const TgCdmUnit *unit = argument->children->pdata[i];

        if (unit->kind == TG_CDM_UNIT_CHARACTERS)
            print_letters_of(printer, unit->at);
    }
}

/* The cells of the widest row, or of the first. */
static guint count_columns(const GArray *cells, gboolean widest)
{
    guint n = 0, in_row = 0, row = 0;

    for (guint i = 0; i < cells->len; i++) {
        const Cell *cell = &g_array_index(cells, Cell, i);

        in_row = cell->row == row ? in_row + 1 : 1;
        row = cell->row;
        if (widest || row == 0)
            n = MAX(n, in_row);
    }
    return n;
}

static void print_columns(TgCdmPrinter *printer, const TgCdmUnit *unit, const GArray *cells)
{
    const TgCdmUnit *argument =
        unit->n_arguments > 0 ? unit->arguments[unit->n_arguments - 1] : NULL;
    const gboolean aligned = is_aligned(unit->name);

    print_mark(printer, "{");
    if (has_two_columns(unit->name)) {
        print_mark(printer, "l");
        print_mark(printer, "l");
    } else if (argument != NULL) {
        print_argument_columns(printer, argument);
    } else {
        for (guint i = 0, n = count_columns(cells, aligned); i < n; i++)
            print_mark(printer, aligned && i % 2 == 0 ? "r" : "l");
    }
    print_mark(printer, "}");
}

/* ---- rows ---- */

/* The cell in braces; nothing for one without content. Returns whether it was printed. */
static gboolean print_cell(TgCdmPrinter *printer, const TgCdmUnit *unit, const Cell *cell,
                           gboolean indented)
{
    const gsize start = printer->out->string->len;

    print_mark(printer, "{");
    const gsize inside = printer->out->string->len;
    if (indented) {
        print_mark(printer, "{");
        print_mark(printer, "}");
    }
    if (cell->star != NULL)
        print_unit(printer, cell->star);
    print_slice(printer, unit->children, cell->from, cell->end);
    if (printer->out->string->len == inside) {
        tg_cdm_text_splice(printer->out, start, inside, "");
        return FALSE;
    }
    print_mark(printer, "}");
    return TRUE;
}

/* Cells @from on, up to the end of their row. Returns where the next row begins; a row without
 * content leaves no trace. */
static guint print_row(TgCdmPrinter *printer, const TgCdmUnit *unit, const GArray *cells,
                       guint from)
{
    const guint row = g_array_index(cells, Cell, from).row;
    const gsize start = printer->out->string->len;
    gboolean has_content = FALSE;
    guint i = from;

    for (; i < cells->len && g_array_index(cells, Cell, i).row == row; i++) {
        const gboolean indented = is_aligned(unit->name) && (i - from) % 2 == 1;

        if (i > from)
            print_mark(printer, "&");
        has_content |= print_cell(printer, unit, &g_array_index(cells, Cell, i), indented);
    }
    if (!has_content)
        tg_cdm_text_splice(printer->out, start, printer->out->string->len, "");
    return i;
}

static void print_rows(TgCdmPrinter *printer, const TgCdmUnit *unit, const GArray *cells)
{
    gsize separator = 0;

    for (guint next = 0; next < cells->len;) {
        const gsize start = printer->out->string->len;

        next = print_row(printer, unit, cells, next);
        if (printer->out->string->len == start)
            continue;
        separator = printer->out->string->len;
        print_mark(printer, "\\\\");
    }
    if (separator > 0)
        tg_cdm_text_splice(printer->out, separator, printer->out->string->len, "");
}

static void print_environment(TgCdmPrinter *printer, const TgCdmUnit *environment)
{
    g_autoptr(GArray) cells = split_cells(printer, environment->children);
    TgCdmPrinter inner = *printer;
    guint fence = 0;

    inner.in_text = inner.in_script = FALSE;
    while (fence < G_N_ELEMENTS(fences) && strcmp(fences[fence].name, environment->name) != 0)
        fence++;
    if (fence < G_N_ELEMENTS(fences))
        print_mark(&inner, fences[fence].left);
    print_mark(&inner, "\\begin{array}");
    print_columns(&inner, environment, cells);
    print_rows(&inner, environment, cells);
    print_mark(&inner, "\\end{array}");
    if (fence < G_N_ELEMENTS(fences))
        print_mark(&inner, fences[fence].right);
}

/* ---- Commands -------------------------------------------------------------------------------- */

/* How a macro is printed. */
typedef enum {
    PRINT_PLAIN,           /* name and arguments as written */
    PRINT_FRACTION,        /* name and two arguments */
    PRINT_ROOT,            /* name, index, body */
    PRINT_ACCENT,          /* the argument is printed in braces */
    PRINT_WIDE_ACCENT,     /* the argument is printed as written */
    PRINT_FONT,            /* name and argument as written */
    PRINT_BOX,             /* `\hbox`: takes the next unit */
    PRINT_TEXT,            /* spaces count */
    PRINT_LINE,            /* the argument is printed in one more pair of braces */
    PRINT_OPERATOR,        /* `\operatorname`: a known name becomes a command */
    PRINT_FUNCTION,        /* `\lim`: spelled out */
    PRINT_BEHIND,          /* `\phantom`: name and groups that follow */
    PRINT_RULE,            /* `\rule`: two lengths in groups that follow */
    PRINT_FRACTION_BEHIND, /* `\dfrac`: only groups that follow */
    PRINT_BINOMIAL,        /* `\binom`: whatever follows */
} PrintKind;

typedef struct {
    PrintKind kind;
    const char *names; /* separated by single spaces, one at each end */
    const char *printed;
} PrintRow;

static const PrintRow print_table[] = {
    { PRINT_FRACTION, " frac ", NULL },
    { PRINT_FRACTION_BEHIND, " dfrac tfrac ", "\\frac" },
    { PRINT_BINOMIAL, " binom ", NULL },
    { PRINT_ROOT, " sqrt ", NULL },
    { PRINT_ACCENT, " hat bar vec dot ddot tilde breve check acute grave ", NULL },
    { PRINT_WIDE_ACCENT, " widehat widetilde ", NULL },
    { PRINT_FONT, " mathrm mathbf mathit mathsf mathtt mathcal mathbb mathfrak mathscr ", NULL },
    { PRINT_FONT, " mbox ", "\\mathrm" },
    { PRINT_BOX, " hbox ", "\\mathrm" },
    { PRINT_TEXT, " text ", "\\mathrm" },
    { PRINT_LINE, " overline underline ", NULL },
    { PRINT_OPERATOR, " operatorname ", NULL },
    { PRINT_FUNCTION, " det gcd inf lim liminf limsup max min Pr sup ", NULL },
    { PRINT_BEHIND, " phantom llap rlap ", NULL },
    { PRINT_RULE, " rule ", NULL },
};

static const PrintRow *print_row_of(const char *name)
{
    static const PrintRow plain = { PRINT_PLAIN, "", NULL };
    g_autofree char *wanted = g_strdup_printf(" %s ", name);

    for (guint i = 0; i < G_N_ELEMENTS(print_table); i++)
        if (strstr(print_table[i].names, wanted) != NULL)
            return &print_table[i];
    return &plain;
}

/* ---- parts ---- */

static void print_name(TgCdmPrinter *printer, const TgCdmUnit *macro, const char *printed)
{
    g_autofree char *name = g_strconcat("\\", macro->name, NULL);

    print_token(printer, printed != NULL ? printed : name, macro->at);
}

/* An argument as written; one that is not there is an empty group. */
static void print_argument(TgCdmPrinter *printer, const TgCdmUnit *argument)
{
    if (argument != NULL) {
        print_unit(printer, argument);
        return;
    }
    print_mark(printer, "{");
    print_mark(printer, "}");
}

/* The same in braces, where it has none. */
static void print_braced(TgCdmPrinter *printer, const TgCdmUnit *argument)
{
    const gboolean is_group = argument == NULL || argument->kind == TG_CDM_UNIT_GROUP;

    if (!is_group)
        print_mark(printer, "{");
    print_argument(printer, argument);
    if (!is_group)
        print_mark(printer, "}");
}

/* The group that follows, if one does; the cursor moves behind it. */
static const TgCdmUnit *take_group(const TgCdmPrinter *printer, TgCdmCursor *cursor)
{
    TgCdmCursor ahead = *cursor;
    TgCdmPrinter blind = { .line = printer->line };
    TgCdmItem item;

    if (!cursor_next(&ahead, &blind, &item) || item.unit == NULL ||
        item.unit->kind != TG_CDM_UNIT_GROUP)
        return NULL;
    *cursor = ahead;
    return item.unit;
}

/* The two groups that follow; nothing is taken unless both are there. */
static gboolean take_two_groups(const TgCdmPrinter *printer, TgCdmCursor *cursor,
                                const TgCdmUnit *groups[2])
{
    TgCdmCursor ahead = *cursor;

    for (guint i = 0; i < 2; i++)
        if ((groups[i] = take_group(printer, &ahead)) == NULL)
            return FALSE;
    *cursor = ahead;
    return TRUE;
}

/* ---- kinds of macros ---- */

static void print_plain(TgCdmPrinter *printer, const TgCdmUnit *macro)
{
    print_name(printer, macro, NULL);
    for (guint i = 0; i < macro->n_arguments; i++)
        if (macro->arguments[i] != NULL)
            print_unit(printer, macro->arguments[i]);
    if (macro->n_arguments == 0 && printer->in_text && macro->space_behind)
        print_mark(printer, "~");
}

static void print_root(TgCdmPrinter *printer, const TgCdmUnit *macro)
{
    print_name(printer, macro, NULL);
    if (macro->arguments[0] != NULL)
        print_unit(printer, macro->arguments[0]);
    print_argument(printer, macro->arguments[1]);
}

/* `\hat\mathbf{x}`: the accent has read the bare `\mathbf`, whose group follows. */
static void print_accent(TgCdmPrinter *printer, const TgCdmUnit *macro, gboolean is_wide,
                         TgCdmCursor *cursor)
{
    const TgCdmUnit *argument = macro->arguments[0];
    const gboolean is_font = argument != NULL && argument->kind == TG_CDM_UNIT_MACRO &&
                             print_row_of(argument->name)->kind == PRINT_FONT;
    const TgCdmUnit *group = is_font ? take_group(printer, cursor) : NULL;

    print_name(printer, macro, NULL);
    if (group == NULL) {
        if (is_wide)
            print_argument(printer, argument);
        else
            print_braced(printer, argument);
        return;
    }
    print_mark(printer, "{");
    print_name(printer, argument, print_row_of(argument->name)->printed);
    print_unit(printer, group);
    print_mark(printer, "}");
}

static void print_line(TgCdmPrinter *printer, const TgCdmUnit *macro)
{
    print_name(printer, macro, NULL);
    print_mark(printer, "{");
    print_argument(printer, macro->arguments[0]);
    print_mark(printer, "}");
}

static void print_text(TgCdmPrinter *printer, const TgCdmUnit *macro)
{
    const TgCdmUnit *argument = macro->arguments[0];
    TgCdmPrinter text = *printer;

    text.in_text = TRUE;
    print_name(printer, macro, "\\mathrm");
    print_mark(printer, "{");
    if (argument != NULL && argument->kind == TG_CDM_UNIT_GROUP)
        print_units(&text, argument->children);
    else if (argument != NULL)
        print_unit(&text, argument);
    print_mark(printer, "}");
}

/* `\hbox` takes all of a run of characters. */
static void print_box(TgCdmPrinter *printer, const TgCdmUnit *macro, TgCdmCursor *cursor)
{
    TgCdmItem item;

    print_name(printer, macro, "\\mathrm");
    const TgCdmUnit *group = take_group(printer, cursor);
    if (group != NULL) {
        print_unit(printer, group);
        return;
    }
    print_mark(printer, "{");
    if (cursor_next(cursor, printer, &item)) {
        const guint run = cursor->at;
        TgCdmCursor ahead = *cursor;

        print_lone_item(printer, &item);
        while (item.unit == NULL && cursor_next(&ahead, printer, &item) && ahead.at == run &&
               item.unit == NULL) {
            print_lone_item(printer, &item);
            *cursor = ahead;
        }
    }
    print_mark(printer, "}");
}

/* ---- names ---- */

static gboolean is_function_name(const char *name)
{
    static const char *const names[] = {
        "arccos",  "arcsin", "arctan", "arg",    "cos", "cosh", "cot",  "coth",   "csc",
        "deg",     "det",    "dim",    "exp",    "gcd", "hom",  "inf",  "injlim", "ker",
        "lg",      "lim",    "liminf", "limsup", "ln",  "log",  "max",  "min",    "Pr",
        "projlim", "sec",    "sin",    "sinh",   "sup", "tan",  "tanh", NULL,
    };

    return g_strv_contains(names, name);
}

/* The characters of a group outside of all that is in it; NULL where white space is at an end.
 * (transfer full) */
static char *plain_characters(const TgCdmPrinter *printer, const TgCdmUnit *group)
{
    const char *line = printer->line->string->str;
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < group->children->len; i++) {
        const TgCdmUnit *unit = group->children->pdata[i];

        if (unit->kind == TG_CDM_UNIT_CHARACTERS)
            g_string_append_len(text, line + unit->at.start,
                                (gssize) (unit->at.end - unit->at.start));
    }
    if (text->len > 0 && (text->str[0] == ' ' || text->str[text->len - 1] == ' '))
        return NULL;
    g_string_replace(text, " ", "", 0);
    return g_strdup(text->str);
}

static void print_operator(TgCdmPrinter *printer, const TgCdmUnit *macro, TgCdmCursor *cursor)
{
    const TgCdmUnit *group = take_group(printer, cursor);
    g_autofree char *name = group != NULL ? plain_characters(printer, group) : NULL;

    if (name != NULL && is_function_name(name)) {
        g_autofree char *command = g_strconcat("\\", name, NULL);
        print_token(printer, command, macro->at);
        return;
    }
    print_name(printer, macro, NULL);
    if (group != NULL)
        print_unit(printer, group);
}

static void print_function(TgCdmPrinter *printer, const TgCdmUnit *macro)
{
    print_token(printer, "\\operatorname*", macro->at);
    print_mark(printer, "{");
    for (const char *p = macro->name; *p != '\0'; p++) {
        const char letter[2] = { *p, '\0' };
        print_token(printer, letter, macro->at);
    }
    print_mark(printer, "}");
}

/* ---- arguments behind ---- */

static void print_behind(TgCdmPrinter *printer, const TgCdmUnit *macro, TgCdmCursor *cursor)
{
    const TgCdmUnit *group = take_group(printer, cursor);

    print_name(printer, macro, NULL);
    if (group != NULL)
        print_unit(printer, group);
}

/* A length without superfluous zeros, and its unit: `0.250em` becomes `0.25 em`. NULL where the
 * group is no length. (transfer full) */
static char *length_of(const TgCdmPrinter *printer, const TgCdmUnit *group)
{
    g_autofree char *text = plain_characters(printer, group);
    char *unit, number[G_ASCII_DTOSTR_BUF_SIZE];

    if (text == NULL)
        return NULL;
    const double value = g_ascii_strtod(text, &unit);
    if (unit == text || strlen(unit) != 2)
        return NULL;
    g_ascii_formatd(number, sizeof number, "%.15g", value + 0.0);
    return g_strdup_printf("%s %s", number, unit);
}

static void print_rule(TgCdmPrinter *printer, const TgCdmUnit *macro, TgCdmCursor *cursor)
{
    TgCdmCursor ahead = *cursor;
    const TgCdmUnit *groups[2];

    print_name(printer, macro, NULL);
    if (!take_two_groups(printer, &ahead, groups))
        return;
    for (guint i = 0; i < 2; i++) {
        g_autofree char *length = length_of(printer, groups[i]);

        if (length == NULL) {
            print_unit(printer, groups[i]);
            continue;
        }
        print_mark(printer, "{");
        print_mark(printer, length);
        print_mark(printer, "}");
    }
    *cursor = ahead;
}

static void print_two(TgCdmPrinter *printer, const TgCdmUnit *first, const TgCdmUnit *second)
{
    print_argument(printer, first);
    print_argument(printer, second);
}

/* Whether another character follows directly in the same run. */
static gboolean goes_on(const TgCdmPrinter *printer, const TgCdmCursor *cursor)
{
    if (cursor->at >= cursor->end || cursor->offset == 0)
        return FALSE;
    const TgCdmUnit *run = cursor->units->pdata[cursor->at];
    const gsize next = run->at.start + cursor->offset;
    return next < run->at.end &&
           !tg_cdm_is_space(g_utf8_get_char(printer->line->string->str + next));
}

/* `\binom n k`, `\binom\alpha\beta`; but of `\binom nk` the two letters are no arguments. */
static gboolean print_binomial_behind(TgCdmPrinter *printer, TgCdmCursor *cursor)
{
    TgCdmCursor ahead = *cursor;
    TgCdmItem items[2];

    for (guint i = 0; i < 2; i++) {
        if (!cursor_next(&ahead, printer, &items[i]))
            return FALSE;
        if (i == 0 && items[i].unit == NULL && goes_on(printer, &ahead))
            return FALSE;
    }
    for (guint i = 0; i < 2; i++)
        print_lone_item(printer, &items[i]);
    *cursor = ahead;
    return TRUE;
}

static void print_two_behind(TgCdmPrinter *printer, const TgCdmUnit *macro, const PrintRow *row,
                             TgCdmCursor *cursor)
{
    const TgCdmUnit *groups[2];

    print_name(printer, macro, row->printed);
    if (take_two_groups(printer, cursor, groups))
        print_two(printer, groups[0], groups[1]);
    else if (row->kind != PRINT_BINOMIAL || !print_binomial_behind(printer, cursor))
        print_two(printer, NULL, NULL);
}

static void print_macro(TgCdmPrinter *printer, const TgCdmUnit *macro, TgCdmCursor *cursor)
{
    const PrintRow *row = print_row_of(macro->name);

    switch (row->kind) {
    case PRINT_PLAIN:
        print_plain(printer, macro);
        break;
    case PRINT_FRACTION:
        print_name(printer, macro, row->printed);
        print_two(printer, macro->arguments[0], macro->arguments[1]);
        break;
    case PRINT_FRACTION_BEHIND:
    case PRINT_BINOMIAL:
        print_two_behind(printer, macro, row, cursor);
        break;
    case PRINT_ROOT:
        print_root(printer, macro);
        break;
    case PRINT_ACCENT:
    case PRINT_WIDE_ACCENT:
        print_accent(printer, macro, row->kind == PRINT_WIDE_ACCENT, cursor);
        break;
    case PRINT_FONT:
        print_name(printer, macro, row->printed);
        print_argument(printer, macro->arguments[0]);
        break;
    case PRINT_BOX:
        print_box(printer, macro, cursor);
        break;
    case PRINT_TEXT:
        print_text(printer, macro);
        break;
    case PRINT_LINE:
        print_line(printer, macro);
        break;
    case PRINT_OPERATOR:
        print_operator(printer, macro, cursor);
        break;
    case PRINT_FUNCTION:
        print_function(printer, macro);
        break;
    case PRINT_BEHIND:
        print_behind(printer, macro, cursor);
        break;
    case PRINT_RULE:
        print_rule(printer, macro, cursor);
        break;
    }
}

/* ---- Tables are not printed: their units are listed ------------------------------------------ */

static void list_tokens(const char *line, const GPtrArray *list, GString *out);
static void list_unit(const char *line, const TgCdmUnit *unit, GString *out);

static void list_characters(const char *line, TgCdmRange at, GString *out)
{
    const char *end = line + at.end;

    for (const char *p = line + at.start, *next; p < end; p = next) {
        next = g_utf8_next_char(p);
        if (tg_cdm_is_space(g_utf8_get_char(p)))
            continue;
        g_string_append_len(out, p, (gssize) (next - p));
        g_string_append_c(out, ' ');
    }
}

/* The mark that ends the math that @mark begins. */
static const char *closing_of(const char *mark)
{
    return mark[0] == '$' ? (mark[1] == '$' ? "$$" : "$") : mark[1] == '(' ? "\\)" : "\\]";
}

static void list_arguments(const char *line, const TgCdmUnit *unit, GString *out)
{
    for (guint i = 0; i < unit->n_arguments; i++)
        if (unit->arguments[i] != NULL)
            list_unit(line, unit->arguments[i], out);
}

static void list_unit(const char *line, const TgCdmUnit *unit, GString *out)
{
    switch (unit->kind) {
    case TG_CDM_UNIT_CHARACTERS:
    case TG_CDM_UNIT_SPECIALS:
        list_characters(line, unit->at, out);
        break;
    case TG_CDM_UNIT_GROUP:
        g_string_append(out, unit->is_bracket ? "[ " : "{ ");
        list_tokens(line, unit->children, out);
        g_string_append(out, unit->is_bracket ? "] " : "} ");
        break;
    case TG_CDM_UNIT_MACRO:
        g_string_append_printf(out, "\\%s ", unit->name);
        list_arguments(line, unit, out);
        break;
    case TG_CDM_UNIT_ENVIRONMENT:
        g_string_append_printf(out, "\\begin {%s} ", unit->name);
        list_arguments(line, unit, out);
        list_tokens(line, unit->children, out);
        g_string_append_printf(out, "\\end {%s} ", unit->name);
        break;
    case TG_CDM_UNIT_MATH: {
        g_autofree char *mark = g_strndup(line + unit->at.start, unit->at.end - unit->at.start);
        const char *closing = closing_of(mark);
        g_string_append_printf(out, "%s ", mark[0] == '$' ? "$" : mark);
        list_tokens(line, unit->children, out);
        g_string_append_printf(out, "%s ", mark[0] == '$' ? "$" : closing);
        break;
    }
    }
}

static void list_tokens(const char *line, const GPtrArray *list, GString *out)
{
    for (guint i = 0; i < list->len; i++)
        list_unit(line, list->pdata[i], out);
}

/* ---- The text before and after it is read ---------------------------------------------------- */

/* ---- before ---- */

static gboolean is_han(gunichar c)
{
    return c >= 0x4E00 && c <= 0x9FFF;
}

/* Han characters are letters to the reader: a space ends a command before them. */
static void part_commands_from_han(TgCdmText *line)
{
    const TgCdmRange none = { 0, 0 };
    const char *string = line->string->str;

    if (!tg_cdm_has_han(string))
        return;
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(line);
    gboolean in_command = FALSE;
    for (const char *p = string; *p != '\0';) {
        const char *next = g_utf8_next_char(p);
        const gunichar c = g_utf8_get_char(p);

        if (in_command && is_han(c) && p[-1] != '\\')
            tg_cdm_text_append(out, " ", none);
        in_command = *p == '\\' ? !in_command : in_command && g_ascii_isalpha(*p);
        tg_cdm_text_copy(out, line, (gsize) (p - string), (gsize) (next - string));
        p = next;
    }
    tg_cdm_text_swap(line, out);
}

/* Every `\label{...}` goes. */
static void delete_labels(TgCdmText *line)
{
    static const char open[] = "\\label{";
    const char *string = line->string->str, *rest = string, *found = strstr(string, open), *end;

    if (found == NULL)
        return;
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(line);
    for (; found != NULL && (end = strchr(found, '}')) != NULL; found = strstr(rest, open)) {
        tg_cdm_text_copy(out, line, (gsize) (rest - string), (gsize) (found - string));
        rest = end + 1;
    }
    tg_cdm_text_copy(out, line, (gsize) (rest - string), line->string->len);
    tg_cdm_text_swap(line, out);
}

static void prepare_formula(TgCdmText *line)
{
    tg_cdm_rename_environments(line);
    tg_cdm_delete_comment(line);
    tg_cdm_text_replace(line, "\\~", " ", 0);
    part_commands_from_han(line);
    tg_cdm_text_replace(line, "\\>", " ", 0);
    delete_labels(line);
    tg_cdm_replace_line_breaks(line, 0);
    tg_cdm_text_strip(line);
}

static void replace_dollars_and_roman(TgCdmText *line)
{
    tg_cdm_text_replace(line, "$", " ", 0);
    tg_cdm_text_replace(line, "{\\rm", "\\mathrm{", 0);
    tg_cdm_text_replace(line, "{ \\rm", "\\mathrm{", 0);
    tg_cdm_text_replace(line, "\\rm{", "\\mathrm{", 0);
}

/* ---- after ---- */

/* The reader passes over a backslash that ends the text. */
static gboolean has_last_backslash(const char *line)
{
    gsize n = 0;

    for (gsize at = strlen(line); at > 0 && line[at - 1] == '\\'; at--)
        n++;
    return n % 2 == 1;
}

/* Without labels and superfluous spaces; FALSE when nothing is left. */
static gboolean tidy_tokens(TgCdmText *tokens)
{
    tg_cdm_text_squeeze(tokens);
    tg_cdm_text_delete_first(tokens, "\\label { ", " }");
    tg_cdm_text_squeeze(tokens);
    tg_cdm_text_replace(tokens, " S S S S S S", "$", 0); /* stand for a dollar sign there */
    return tokens->string->len > 0;
}

static gboolean read_formula(TgCdmText *text)
{
    g_autoptr(TgCdmText) line = tg_cdm_text_new_like(text), tokens = tg_cdm_text_new_like(text);

    tg_cdm_text_copy(line, text, 0, text->string->len);
    prepare_formula(line);
    if (!guard_passes(line->string->str))
        return FALSE;
    replace_dollars_and_roman(line);
    g_autoptr(TgCdmUnits) units = read_units(line->string->str);
    if (units == NULL)
        return FALSE;
    TgCdmPrinter printer = { .line = line, .out = tokens };
    print_units(&printer, units->children);
    if (has_last_backslash(line->string->str))
        print_mark(&printer, "\\");
    tg_cdm_text_replace(tokens, "\\left ", "\\left", 0);
    tg_cdm_text_replace(tokens, "\\right ", "\\right", 0);
    if (!tidy_tokens(tokens))
        return FALSE;
    tg_cdm_text_swap(text, tokens);
    return TRUE;
}

static gboolean read_table(TgCdmText *text)
{
    g_autoptr(TgCdmText) line = tg_cdm_text_new(text->string->str, FALSE);
    g_autoptr(TgCdmText) tokens = tg_cdm_text_new(NULL, FALSE);

    tg_cdm_prepare_table(line);
    tg_cdm_text_strip(line);
    if (!guard_passes(line->string->str))
        return FALSE;
    g_autoptr(TgCdmUnits) units = read_units(line->string->str);
    if (units == NULL)
        return FALSE;
    list_tokens(line->string->str, units->children, tokens->string);
    if (!tidy_tokens(tokens))
        return FALSE;
    tg_cdm_text_swap(text, tokens);
    return TRUE;
}

gboolean tg_cdm_read_by_walker(TgCdmText *text, gboolean is_table)
{
    return is_table ? read_table(text) : read_formula(text);
}
