/* The reader of OmniDocBench 1.6's CDM: pylatexenc's LatexWalker, tolerant of errors, and its
 * printer. */
#include "metrics/cdm/normalize/normalize.h"

#include <glib.h>
#include <pthread.h>
#include <string.h>

#include "tokenizer/macros/lexer.h"

/* A token: bytes of the text. White space stands from @space to @start. */
typedef struct {
    enum {
        SCAN_CHARACTER,
        SCAN_SPECIALS,   /* one or more characters that belong together */
        SCAN_MACRO,      /* from the backslash to the white space after a word */
        SCAN_BEGIN,      /* `\begin{name}` */
        SCAN_END,        /* `\end{name}` */
        SCAN_OPEN,       /* `{`, or `[` where brackets count */
        SCAN_CLOSE,      /* `}`, or `]` where brackets count */
        SCAN_MATH,       /* a mark that begins or ends math */
        SCAN_END_OF_TEXT /* also before a backslash that ends the text */
    } kind;
    gsize space, start, end;
    gsize name, name_end; /* of a macro or an environment; else all of the token */
} Token;

typedef struct Row Row;
typedef struct Unit Unit;
struct Unit {
    enum {
        UNIT_CHARACTER,   /* an ordinary one */
        UNIT_SPECIALS,    /* `&`, `~`, or one of two quotes or hyphens that belong together */
        UNIT_SPACE,       /* white space among characters */
        UNIT_RUN,         /* characters as an argument: @children */
        UNIT_GROUP,       /* `{...}`, or `[...]` as an argument: @children */
        UNIT_MACRO,       /* a command with the arguments that the table gives it */
        UNIT_ENVIRONMENT, /* of any name: @children */
        UNIT_MATH,        /* between `\(` and `\)`, `\[` and `\]`, dollars: @children */
    } kind;
    TgCdmRange at;         /* in the line: the character, where `--` is one, the command
                              with its backslash, the opening mark */
    const char *name;      /* of a macro, without backslash, or of an environment; the
                              opening mark, `$` for `$$` */
    const Row *row;        /* of a macro or an environment */
    guint32 run;           /* of a character or space: the start of all that stand side by
                              side */
    gboolean space_behind; /* a macro's name is followed by white space */
    guint n_arguments;     /* that were read: as many as its row has, or none */
    Unit **arguments;      /* as its row has them; NULL for one that is missing */
    GPtrArray *children;
};

/* Deeper nesting counts as not readable: the official program's interpreter ends there, too. */
#define MAX_DEPTH 300

/* ---- Commands and environments, as pylatexenc 2.10 has them ---------------------------------- */

/* How a macro is printed. */
typedef enum {
    PRINT_PLAIN,           /* name and arguments as written */
    PRINT_ARGUMENTS,       /* the same, and an empty group for an argument that is missing */
    PRINT_ACCENT,          /* the argument is printed in braces */
    PRINT_WIDE_ACCENT,     /* the argument is printed as written */
    PRINT_FONT,            /* as PRINT_ARGUMENTS; an accent before it is put around its group */
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

struct Row {
    const char *arguments; /* a star, [optional] and {mandatory} ones */
    PrintKind kind;
    const char *printed; /* the name it is printed with; NULL: its own */
    const char *names;   /* single spaces part them */
    /* of an environment, which is printed as an array: delimiters around it, and its columns where
     * they do not follow from what is in it */
    const char *left, *right, *columns;
};

static const Row macro_rows[] = {
#include "walker_macros.inc"
};

static const Row environment_rows[] = {
    { .arguments = "[{", .names = "array" },
    { .arguments = "{", .names = "tabular alignat alignat*" },
    { .arguments = "{{", .names = "tabular*" },
    { .arguments = "{[{", .names = "tabularx" },
    { .arguments = "[",
      .names = "figure figure* table table* theorem proposition lemma corollary definition "
               "conjecture remark proof thm prop lem cor conj rem defn enumerate itemize "
               "description" },
    { "", .names = "pmatrix", .left = "\\left(", .right = "\\right)" },
    { "", .names = "bmatrix", .left = "\\left[", .right = "\\right]" },
    { "", .names = "Bmatrix", .left = "\\left\\{", .right = "\\right\\}" },
    { "", .names = "vmatrix", .left = "\\left|", .right = "\\right|" },
    { "", .names = "Vmatrix", .left = "\\left\\Vert", .right = "\\right\\Vert" },
    { "", .names = "cases dcases", .left = "\\left\\{", .right = "\\right.", .columns = "l l" },
    { "", .names = "rcases", .left = "\\left.", .right = "\\right\\}", .columns = "l l" },
};

/* Constant once they are filled. */
static GHashTable *macro_table, *environment_table;

static void make_tables(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(macro_rows); i++)
        tg_cdm_add_names(&macro_table, macro_rows[i].names, &macro_rows[i]);
    for (guint i = 0; i < G_N_ELEMENTS(environment_rows); i++)
        tg_cdm_add_names(&environment_table, environment_rows[i].names, &environment_rows[i]);
}

/* The row of a name in one of the tables. */
static const Row *find_row(GHashTable *table, const char *name)
{
    static const Row unknown = { .arguments = "" };
    const Row *row = g_hash_table_lookup(table, name);

    return row != NULL ? row : &unknown;
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

/* `{name}` after `\begin`: without one, its six letters are ordinary characters. */
static void scan_environment(Token *token, const char *text, gboolean begins)
{
    const gsize open = scan_space(text, token->end);
    gsize at = open + 1;
    gunichar c;

    token->kind = SCAN_CHARACTER;
    if (text[open] != '{')
        return;
    while (g_unichar_isalnum(c = g_utf8_get_char(text + at)) ||
           (c != 0 && c < 0x80 && strchr("_* .-", (gint) c) != NULL))
        at = scan_next(text, at);
    if (at == open + 1 || text[at] != '}')
        return;
    token->kind = begins ? SCAN_BEGIN : SCAN_END;
    token->name = open + 1;
    token->name_end = at;
    token->end = at + 1;
}

static gboolean text_is(const char *text, gsize start, gsize end, const char *wanted)
{
    return end - start == strlen(wanted) && strncmp(text + start, wanted, end - start) == 0;
}

static void scan_macro(Token *token, const char *text, gboolean environments)
{
    gsize at = token->start + 1;
    const gboolean is_word = g_unichar_isalpha(g_utf8_get_char(text + at));

    do
        at = scan_next(text, at);
    while (is_word && g_unichar_isalpha(g_utf8_get_char(text + at)));
    token->name_end = token->end = at;
    if (strchr("[]()", text[token->start + 1]) != NULL) {
        token->kind = SCAN_MATH;
        return;
    }
    token->kind = SCAN_MACRO;
    token->name = token->start + 1;
    const gboolean begins = text_is(text, token->name, at, "begin");
    if (environments && (begins || text_is(text, token->name, at, "end")))
        scan_environment(token, text, begins);
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

static Token scan_token(const char *text, gsize at, gboolean brackets, gboolean environments)
{
    const gsize start = scan_space(text, at);
    const char *p = text + start;
    Token token = { SCAN_CHARACTER, at, start, start, start, start };

    if (*p == '\0' || strcmp(p, "\\") == 0) {
        token.kind = SCAN_END_OF_TEXT;
        return token;
    }
    if (*p == '\\') {
        scan_macro(&token, text, environments);
        return token;
    }
    token.end = scan_next(text, start);
    if (*p == '{' || (brackets && *p == '[')) {
        token.kind = SCAN_OPEN;
    } else if (*p == '}' || (brackets && *p == ']')) {
        token.kind = SCAN_CLOSE;
    } else if (*p == '$') {
        token.kind = SCAN_MATH;
        token.end = start + (p[1] == '$' ? 2 : 1);
    } else if (scan_specials(p) > 0) {
        token.kind = SCAN_SPECIALS;
        token.end = start + scan_specials(p);
    }
    token.name_end = token.end;
    return token;
}

static gboolean unit_is_macro(const Unit *unit, const char *name)
{
    return unit != NULL && unit->kind == UNIT_MACRO && strcmp(unit->name, name) == 0;
}

/* ---- The tolerant reading -------------------------------------------------------------------- */

/* Where arguments end with the text they are read again as plain units, which nests; the official
 * program has a time limit for it. */
enum { STEPS_A_BYTE = 40 };

typedef struct {
    const char *line;
    gsize at;
    TgCdmPool *pool;
    gsize steps_left;
    guint depth;
    gboolean failed;
} Reader;

/* Units up to the token of the kind @end that is called @name, or to the end of the text. */
static GPtrArray *read_list(Reader *reader, guint end, const char *name);

static Token reader_scan(Reader *reader, gboolean brackets, gboolean environments)
{
    if (reader->steps_left == 0)
        reader->failed = TRUE;
    else
        reader->steps_left--;
    return scan_token(reader->line, reader->at, brackets, environments);
}

/* A unit of the bytes from @start to @end, where reading goes on. */
static Unit *new_unit(Reader *reader, guint kind, gsize start, gsize end)
{
    Unit *unit = tg_arena_zeros(&reader->pool->arena, sizeof *unit);

    unit->kind = kind;
    unit->at = (TgCdmRange){ (guint32) start, (guint32) end };
    unit->run = unit->at.start;
    reader->at = end;
    return unit;
}

static const char *reader_text(const Reader *reader, gsize start, gsize end)
{
    return tg_arena_text(&reader->pool->arena, reader->line + start, end - start);
}

/* ---- units ---- */

/* Add what stands from @start to @end character by character. */
static void add_characters(Reader *reader, GPtrArray *list, guint kind, gsize start, gsize end)
{
    const char *line = reader->line;

    for (gsize at = start, after; at < end; at = after) {
        const gboolean is_space = tg_cdm_is_space(g_utf8_get_char(line + at));

        after = is_space ? MIN(scan_space(line, at), end)
                : end - at >= 2 && g_str_has_prefix(line + at, "--") ? at + 2
                                                                     : scan_next(line, at);
        Unit *unit = new_unit(reader, is_space ? UNIT_SPACE : kind, at, after);
        unit->run = (guint32) start;
        g_ptr_array_add(list, unit);
    }
}

static Unit *read_run(Reader *reader, gsize start, gsize end)
{
    Unit *run = new_unit(reader, UNIT_RUN, start, end);

    run->children = tg_cdm_pool_list(reader->pool);
    add_characters(reader, run->children, UNIT_CHARACTER, start, end);
    return run;
}

/* The mark that ends what @mark begins; NULL: nothing. */
static const char *closing_of(const char *mark)
{
    static const char *const pairs[][2] = {
        { "{", "}" },   { "[", "]" },     { "$", "$" },
        { "$$", "$$" }, { "\\(", "\\)" }, { "\\[", "\\]" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
        if (strcmp(pairs[i][0], mark) == 0)
            return pairs[i][1];
    return NULL;
}

/* A group or math; NULL for a closing mark that closes nothing. */
static Unit *read_enclosed(Reader *reader, const Token *token)
{
    const gboolean is_group = token->kind == SCAN_OPEN;
    const char *mark = reader_text(reader, token->start, token->end);
    Unit *unit = new_unit(reader, is_group ? UNIT_GROUP : UNIT_MATH, token->start, token->end);

    if (closing_of(mark) == NULL)
        return NULL;
    unit->children = read_list(reader, is_group ? SCAN_CLOSE : SCAN_MATH, closing_of(mark));
    unit->name = *mark == '$' ? "$" : mark;
    return unit;
}

/* A macro or environment of @table that has not read its arguments. */
static Unit *new_named(Reader *reader, guint kind, const Token *token, GHashTable *table)
{
    Unit *unit = new_unit(reader, kind, token->start, token->end);

    unit->name = reader_text(reader, token->name, token->name_end);
    unit->row = find_row(table, unit->name);
    unit->arguments = tg_arena_zeros(&reader->pool->arena,
                                     strlen(unit->row->arguments) * sizeof *unit->arguments);
    return unit;
}

static Unit *new_macro(Reader *reader, const Token *token)
{
    Unit *macro = new_named(reader, UNIT_MACRO, token, macro_table);

    macro->at.end = (guint32) token->name_end;
    macro->space_behind = token->end > token->name_end;
    return macro;
}

/* A group, or a single character or macro without its own arguments; NULL at the end of the text.
 * Before a closing mark it is empty. */
static Unit *read_expression(Reader *reader)
{
    const Token token = reader_scan(reader, FALSE, FALSE);

    switch (token.kind) {
    case SCAN_END_OF_TEXT:
        return NULL;
    case SCAN_OPEN:
        return read_enclosed(reader, &token);
    case SCAN_MACRO:
        if (!text_is(reader->line, token.name, token.name_end, "end"))
            return new_macro(reader, &token);
        /* fall through */
    case SCAN_CLOSE:
        return read_run(reader, token.start, token.start);
    case SCAN_MATH:
        if (reader->line[token.start] == '\\') /* a macro of that name, backslash included */
            return new_macro(reader, &token);
        /* fall through */
    default:
        return read_run(reader, token.start, token.end);
    }
}

static Unit *read_optional(Reader *reader)
{
    const Token token = reader_scan(reader, TRUE, FALSE);

    return token.kind == SCAN_OPEN && reader->line[token.start] == '['
               ? read_enclosed(reader, &token)
               : NULL;
}

static Unit *read_star(Reader *reader)
{
    const Token token = reader_scan(reader, FALSE, FALSE);

    if (token.kind != SCAN_CHARACTER || reader->line[token.start] != '*')
        return NULL;
    return read_run(reader, token.start, token.end);
}

/* Read the arguments of @unit. Where the text ends before the last one, it has none, and they are
 * read as units that follow it. */
static void read_arguments(Reader *reader, Unit *unit)
{
    const char *pattern = unit->row->arguments;
    const gsize start = reader->at;
    const gboolean row_end = unit_is_macro(unit, "\\");
    const guint n = (guint) strlen(pattern);

    for (guint i = 0; i < n; i++) {
        if (pattern[i] == '*')
            unit->arguments[i] = read_star(reader);
        else if (pattern[i] == '{')
            unit->arguments[i] = read_expression(reader);
        else if (!row_end || !tg_cdm_is_space(g_utf8_get_char(reader->line + reader->at)))
            unit->arguments[i] = read_optional(reader);
        if (pattern[i] == '{' && unit->arguments[i] == NULL) {
            reader->at = start;
            memset(unit->arguments, 0, n * sizeof *unit->arguments);
            return;
        }
    }
    unit->n_arguments = n;
}

/* `\verb|x|`: what is between two equal characters. */
static void read_verbatim(Reader *reader, Unit *macro)
{
    const char *mark = reader->line + scan_space(reader->line, reader->at);

    if (*mark == '\0')
        return;
    g_autofree char *delimiter = g_strndup(mark, (gsize) (g_utf8_next_char(mark) - mark));
    const char *text = mark + strlen(delimiter), *found = strstr(text, delimiter);
    if (found == NULL)
        return;
    const gsize end = (gsize) (found - reader->line);
    macro->n_arguments = 1;
    macro->arguments = tg_arena_alloc(&reader->pool->arena, sizeof *macro->arguments);
    macro->arguments[0] = read_run(reader, (gsize) (text - reader->line), end);
    reader->at += strlen(delimiter);
}

static Unit *read_macro(Reader *reader, const Token *token)
{
    Unit *macro = new_macro(reader, token);

    if (strcmp(macro->name, "verb") == 0)
        read_verbatim(reader, macro);
    else
        read_arguments(reader, macro);
    return macro;
}

static Unit *read_environment(Reader *reader, const Token *token)
{
    Unit *unit = new_named(reader, UNIT_ENVIRONMENT, token, environment_table);

    read_arguments(reader, unit);
    unit->children = read_list(reader, SCAN_END, unit->name);
    return unit;
}

/* ---- lists ---- */

/* The unit that begins with @token; NULL for a mark without its partner, which is passed over. */
static Unit *read_unit(Reader *reader, const Token *token)
{
    switch (token->kind) {
    case SCAN_OPEN:
    case SCAN_MATH:
        return read_enclosed(reader, token);
    case SCAN_MACRO:
        return read_macro(reader, token);
    case SCAN_BEGIN:
        return read_environment(reader, token);
    default:
        reader->at = token->end;
        return NULL;
    }
}

static GPtrArray *read_list(Reader *reader, guint end, const char *name)
{
    GPtrArray *list = tg_cdm_pool_list(reader->pool);
    gsize run = reader->at;

    if (++reader->depth > MAX_DEPTH)
        reader->failed = TRUE;
    while (!reader->failed) {
        const Token token = reader_scan(reader, end == SCAN_CLOSE && *name == ']', TRUE);

        if (token.kind == SCAN_CHARACTER) {
            reader->at = token.end;
            continue;
        }
        /* a backslash that ends the text takes the white space before it along */
        const gsize run_end = token.kind == SCAN_END_OF_TEXT && reader->line[token.start] == '\\'
                                  ? token.space
                                  : token.start;
        add_characters(reader, list, UNIT_CHARACTER, run, run_end);
        if (token.kind == SCAN_SPECIALS) {
            add_characters(reader, list, UNIT_SPECIALS, token.start, token.end);
        } else if (token.kind == SCAN_END_OF_TEXT ||
                   (token.kind == end && text_is(reader->line, token.name, token.name_end, name))) {
            reader->at = token.end;
            break;
        } else {
            Unit *unit = read_unit(reader, &token);

            if (unit != NULL)
                g_ptr_array_add(list, unit);
        }
        run = reader->at;
    }
    reader->depth--;
    return list;
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

static gboolean environments_match(const char *line)
{
    g_autoptr(GPtrArray) open = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GMatchInfo) info = NULL;

    for (g_regex_match(tg_cdm_regex("\\\\(begin|end)(?=\\{([^}]*)\\})"), line, 0, &info);
         g_match_info_matches(info); g_match_info_next(info, NULL)) {
        g_autofree char *command = g_match_info_fetch(info, 1);
        g_autofree char *name = g_match_info_fetch(info, 2);

        if (strcmp(command, "begin") == 0) {
            g_ptr_array_add(open, g_steal_pointer(&name));
            continue;
        }
        if (open->len == 0 || strcmp(open->pdata[open->len - 1], name) != 0)
            return FALSE;
        g_ptr_array_set_size(open, (gint) open->len - 1);
    }
    return open->len == 0;
}

/* How often @mark stands in @line; @whole_word: not `\leftarrow` for `\left`. */
static guint count_marks(const char *line, const char *mark, gboolean whole_word)
{
    guint n = 0;

    for (const char *p = strstr(line, mark); p != NULL; p = strstr(p + strlen(mark), mark)) {
        const gunichar next = g_utf8_get_char(p + strlen(mark));
        n += !whole_word || (!g_unichar_isalnum(next) && next != '_');
    }
    return n;
}

static gboolean guard_passes(const char *line)
{
    return g_utf8_strlen(line, -1) <= TG_CDM_GUARD_MAX_LENGTH && braces_match(line) &&
           environments_match(line) &&
           count_marks(line, "\\left", TRUE) == count_marks(line, "\\right", TRUE) &&
           count_marks(line, "\\(", FALSE) == count_marks(line, "\\)", FALSE) &&
           count_marks(line, "\\[", FALSE) == count_marks(line, "\\]", FALSE) &&
           (count_marks(line, "$", FALSE) - count_marks(line, "\\$", FALSE)) % 2 == 0;
}

/* ---- Lists of units: characters, groups, scripts in their order ------------------------------ */

/* Where the tokens go. */
typedef struct {
    const TgCdmText *line; /* that was read */
    TgCdmText *out;
    gboolean in_text;   /* in `\text`, where white space is printed as `~` */
    gboolean in_script; /* in a script, where a prime is an ordinary character */
} Printer;

/* A place in a list of units. */
typedef struct {
    const GPtrArray *units;
    guint at, end;
} Cursor;

static void print_units(Printer *printer, const GPtrArray *list);
static void print_macro(Printer *printer, const Unit *macro, Cursor *cursor);
static void print_environment(Printer *printer, const Unit *environment);

/* ---- tokens ---- */

static void print_token(Printer *printer, const char *token, TgCdmRange from)
{
    tg_cdm_text_append(printer->out, token,
                       tg_cdm_text_origin(printer->line, from.start, from.end));
    tg_cdm_text_append(printer->out, " ", tg_cdm_no_origin);
}

/* Tokens between spaces that come from nowhere. */
static void print_mark(Printer *printer, const char *tokens)
{
    print_token(printer, tokens, tg_cdm_no_origin);
}

/* ---- units ---- */

/* The next unit, or NULL; white space is one where @spaces_count. */
static const Unit *cursor_next(Cursor *cursor, gboolean spaces_count)
{
    while (cursor->at < cursor->end) {
        const Unit *unit = cursor->units->pdata[cursor->at++];

        if (spaces_count || unit->kind != UNIT_SPACE)
            return unit;
    }
    return NULL;
}

/* @cursor: what follows the unit */
static void print_next(Printer *printer, const Unit *unit, Cursor *cursor)
{
    switch (unit->kind) {
    case UNIT_CHARACTER:
    case UNIT_SPECIALS:
        tg_cdm_text_copy(printer->out, printer->line, unit->at.start, unit->at.end);
        tg_cdm_text_append(printer->out, " ", tg_cdm_no_origin);
        break;
    case UNIT_SPACE:
        print_mark(printer, "~");
        break;
    case UNIT_RUN:
        print_units(printer, unit->children);
        break;
    case UNIT_GROUP:
        print_mark(printer, unit->name);
        print_units(printer, unit->children);
        print_mark(printer, closing_of(unit->name));
        break;
    case UNIT_MATH:
        print_mark(printer, "$");
        print_units(printer, unit->children);
        print_mark(printer, "$");
        break;
    case UNIT_MACRO:
        print_macro(printer, unit, cursor);
        break;
    case UNIT_ENVIRONMENT:
        print_environment(printer, unit);
        break;
    }
}

/* The unit without what follows it. */
static void print_lone(Printer *printer, const Unit *unit)
{
    print_next(printer, unit, &(Cursor){ 0 });
}

/* ---- scripts ---- */

/* The scripts of the last unit, which are printed when the next one comes. */
typedef struct {
    TgCdmText *subscript, *superscript; /* with their braces; NULL for none */
    guint n_primes;                     /* of which the superscript is made; 0: of other things */
    gboolean has_base;
} Scripts;

static void flush_scripts(Printer *printer, Scripts *scripts)
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

static gboolean unit_is(const Printer *printer, const Unit *unit, char character)
{
    return unit->at.end - unit->at.start == 1 &&
           printer->line->string->str[unit->at.start] == character;
}

static gboolean is_mark(const Printer *printer, const Unit *unit)
{
    return unit_is(printer, unit, '_') || unit_is(printer, unit, '^');
}

/* Read the script after @mark, or after the last of several marks, as a group; FALSE where the
 * mark stands for itself. */
static gboolean take_script(const Printer *printer, Scripts *scripts, const Unit *mark,
                            Cursor *cursor)
{
    Cursor ahead = *cursor;
    const Unit *content = mark;
    gboolean is_superscript = FALSE;

    if (!scripts->has_base)
        return FALSE;
    do {
        is_superscript = unit_is(printer, content, '^');
        content = cursor_next(&ahead, FALSE);
        if (content == NULL)
            return FALSE;
    } while (is_mark(printer, content));
    *cursor = ahead;

    const gboolean is_group = content->kind == UNIT_GROUP;
    Printer apart = *printer;
    apart.out = tg_cdm_text_new_like(printer->out);
    apart.in_script = TRUE;
    if (!is_group)
        print_mark(&apart, "{");
    print_lone(&apart, content);
    if (!is_group)
        print_mark(&apart, "}");

    TgCdmText **place = is_superscript ? &scripts->superscript : &scripts->subscript;
    g_clear_pointer(place, tg_cdm_text_free);
    *place = apart.out;
    if (is_superscript)
        scripts->n_primes = 0;
    return TRUE;
}

/* A script or prime at @unit, with what belongs to it. */
static gboolean take_mark(const Printer *printer, Scripts *scripts, const Unit *unit,
                          Cursor *cursor)
{
    if (printer->in_text)
        return FALSE;
    if (unit_is(printer, unit, '\'') && !printer->in_script) {
        /* Add a prime to the superscript made of primes; it replaces any other superscript. */
        Printer apart = { .line = printer->line, .out = scripts->superscript };

        if (scripts->n_primes++ > 0) {
            tg_cdm_text_keep(apart.out, 0, apart.out->string->len - strlen("} "));
        } else {
            tg_cdm_text_free(scripts->superscript);
            scripts->superscript = apart.out = tg_cdm_text_new_like(printer->out);
            print_mark(&apart, "{");
        }
        print_token(&apart, "\\prime", unit->at);
        print_mark(&apart, "}");
        return TRUE;
    }
    return is_mark(printer, unit) && take_script(printer, scripts, unit, cursor);
}

static void print_slice(Printer *printer, const GPtrArray *list, guint from, guint end)
{
    Cursor cursor = { list, from, end };
    Scripts scripts = { 0 };
    const Unit *unit;

    while ((unit = cursor_next(&cursor, printer->in_text)) != NULL) {
        /* a macro that is not printed does not come between a base and its scripts */
        if (unit_is_macro(unit, "limits") || unit_is_macro(unit, "nolimits") ||
            take_mark(printer, &scripts, unit, &cursor))
            continue;
        flush_scripts(printer, &scripts);
        print_next(printer, unit, &cursor);
        scripts.has_base = TRUE;
    }
    flush_scripts(printer, &scripts);
}

static void print_units(Printer *printer, const GPtrArray *list)
{
    print_slice(printer, list, 0, list->len);
}

/* Nothing for NULL. */
static void print_unit(Printer *printer, const Unit *unit)
{
    if (unit != NULL)
        print_slice(printer, &(GPtrArray){ (gpointer *) &unit, 1 }, 0, 1);
}

/* ---- Environments, all of which are printed as arrays ---------------------------------------- */

/* A cell is units @from to @end; after `\\*` the star stands before them. */
typedef struct {
    guint from, end, row;
    const Unit *star;
} Cell;

/* All cells, row by row. (transfer full) */
static GArray *split_cells(const Printer *printer, const GPtrArray *children)
{
    GArray *cells = g_array_new(FALSE, FALSE, sizeof(Cell));
    Cell cell = { 0 };

    for (guint i = 0; i < children->len; i++) {
        const Unit *unit = children->pdata[i];
        const gboolean row_end = unit_is_macro(unit, "\\");

        if (!row_end && !unit_is(printer, unit, '&'))
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

static gboolean is_aligned(const char *name)
{
    return g_str_has_prefix(name, "aligned");
}

/* The letters l, c and r of an argument's characters. */
static void print_argument_columns(Printer *printer, const Unit *argument)
{
    for (guint i = 0; argument->children != NULL && i < argument->children->len; i++) {
        const Unit *unit = argument->children->pdata[i];

        for (const char *p = "lcr"; *p != '\0'; p++)
            if (unit_is(printer, unit, *p))
                print_token(printer, (const char[]){ *p, '\0' }, unit->at);
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

static void print_columns(Printer *printer, const Unit *unit, const GArray *cells)
{
    const Unit *argument = unit->n_arguments > 0 ? unit->arguments[unit->n_arguments - 1] : NULL;
    const gboolean aligned = is_aligned(unit->name);

    print_mark(printer, "{");
    if (unit->row->columns != NULL) {
        print_mark(printer, unit->row->columns);
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
static gboolean print_cell(Printer *printer, const Unit *unit, const Cell *cell, gboolean indented)
{
    const gsize start = printer->out->string->len;

    print_mark(printer, "{");
    const gsize inside = printer->out->string->len;
    if (indented)
        print_mark(printer, "{ }");
    print_unit(printer, cell->star);
    print_slice(printer, unit->children, cell->from, cell->end);
    if (printer->out->string->len == inside) {
        tg_cdm_text_splice(printer->out, start, inside, "");
        return FALSE;
    }
    print_mark(printer, "}");
    return TRUE;
}

/* Rows without content leave no trace. */
static void print_rows(Printer *printer, const Unit *unit, const GArray *cells)
{
    const GString *out = printer->out->string;
    gsize separator = 0;

    for (guint i = 0; i < cells->len;) {
        const guint first = i, row = g_array_index(cells, Cell, i).row;
        const gsize start = out->len;
        gboolean has_content = FALSE;

        for (; i < cells->len && g_array_index(cells, Cell, i).row == row; i++) {
            if (i > first)
                print_mark(printer, "&");
            has_content |= print_cell(printer, unit, &g_array_index(cells, Cell, i),
                                      is_aligned(unit->name) && (i - first) % 2 == 1);
        }
        if (!has_content) {
            tg_cdm_text_splice(printer->out, start, out->len, "");
            continue;
        }
        separator = out->len;
        print_mark(printer, "\\\\");
    }
    if (separator > 0)
        tg_cdm_text_splice(printer->out, separator, out->len, "");
}

static void print_environment(Printer *printer, const Unit *environment)
{
    g_autoptr(GArray) cells = split_cells(printer, environment->children);
    Printer inner = *printer;
    const Row *row = environment->row;

    inner.in_text = inner.in_script = FALSE;
    if (row->left != NULL)
        print_mark(&inner, row->left);
    print_mark(&inner, "\\begin{array}");
    print_columns(&inner, environment, cells);
    print_rows(&inner, environment, cells);
    print_mark(&inner, "\\end{array}");
    if (row->right != NULL)
        print_mark(&inner, row->right);
}

/* ---- Commands -------------------------------------------------------------------------------- */

/* ---- parts ---- */

static void print_name(Printer *printer, const Unit *macro)
{
    g_autofree char *name = g_strconcat("\\", macro->name, NULL);

    print_token(printer, macro->row->printed != NULL ? macro->row->printed : name, macro->at);
}

/* An argument as written; one that is not there is an empty group. */
static void print_argument(Printer *printer, const Unit *argument)
{
    if (argument != NULL)
        print_unit(printer, argument);
    else
        print_mark(printer, "{ }");
}

static void print_in_braces(Printer *printer, const Unit *argument)
{
    print_mark(printer, "{");
    print_argument(printer, argument);
    print_mark(printer, "}");
}

/* The group that follows, if one does; the cursor moves past it. */
static const Unit *take_group(Cursor *cursor)
{
    Cursor ahead = *cursor;
    const Unit *unit = cursor_next(&ahead, FALSE);

    if (unit == NULL || unit->kind != UNIT_GROUP)
        return NULL;
    *cursor = ahead;
    return unit;
}

/* The two groups that follow; nothing is taken unless both are there. */
static gboolean take_two_groups(Cursor *cursor, const Unit *groups[2])
{
    Cursor ahead = *cursor;

    for (guint i = 0; i < 2; i++)
        if ((groups[i] = take_group(&ahead)) == NULL)
            return FALSE;
    *cursor = ahead;
    return TRUE;
}

/* ---- kinds of macros ---- */

/* `\hat\mathbf{x}`: the accent has read the bare `\mathbf`, whose group follows. */
static void print_accent(Printer *printer, const Unit *macro, gboolean is_wide, Cursor *cursor)
{
    const Unit *argument = macro->arguments[0];
    const gboolean is_font =
        argument != NULL && argument->kind == UNIT_MACRO && argument->row->kind == PRINT_FONT;
    const Unit *group = is_font ? take_group(cursor) : NULL;

    print_name(printer, macro);
    if (group != NULL) {
        print_mark(printer, "{");
        print_name(printer, argument);
        print_unit(printer, group);
        print_mark(printer, "}");
    } else if (is_wide || argument == NULL || argument->kind == UNIT_GROUP) {
        print_argument(printer, argument);
    } else {
        print_in_braces(printer, argument);
    }
}

static void print_text(Printer *printer, const Unit *macro)
{
    const Unit *argument = macro->arguments[0];
    Printer text = *printer;

    text.in_text = TRUE;
    print_name(printer, macro);
    print_mark(printer, "{");
    if (argument != NULL && argument->kind == UNIT_GROUP)
        print_units(&text, argument->children);
    else if (argument != NULL)
        print_unit(&text, argument);
    print_mark(printer, "}");
}

/* `\hbox` without a group takes all of a run of characters. */
static void print_box_run(Printer *printer, Cursor *cursor)
{
    const Unit *first = cursor_next(cursor, printer->in_text), *unit = first;

    print_mark(printer, "{");
    for (Cursor ahead = *cursor; unit != NULL && unit->run == first->run;
         unit = cursor_next(&ahead, printer->in_text)) {
        print_lone(printer, unit);
        *cursor = ahead;
    }
    print_mark(printer, "}");
}

/* ---- names ---- */

/* The characters that stand in a group itself, not in its commands; NULL where white space is at an
 * end. (transfer full) */
static char *plain_characters(const Printer *printer, const Unit *group)
{
    const char *line = printer->line->string->str;
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < group->children->len; i++) {
        const Unit *unit = group->children->pdata[i];

        if (unit->kind == UNIT_CHARACTER || unit->kind == UNIT_SPACE)
            g_string_append_len(text, line + unit->at.start,
                                (gssize) (unit->at.end - unit->at.start));
    }
    if (text->len > 0 && (text->str[0] == ' ' || text->str[text->len - 1] == ' '))
        return NULL;
    g_string_replace(text, " ", "", 0);
    return g_strdup(text->str);
}

static void print_operator(Printer *printer, const Unit *macro, Cursor *cursor)
{
    const Unit *group = take_group(cursor);
    g_autofree char *name = group != NULL ? plain_characters(printer, group) : NULL;

    if (name != NULL && tg_cdm_is_operator(name)) {
        g_autofree char *command = g_strconcat("\\", name, NULL);
        print_token(printer, command, macro->at);
        return;
    }
    print_name(printer, macro);
    print_unit(printer, group);
}

/* ---- arguments after ---- */

/* A length without superfluous zeros, and its unit: `0.250em` becomes `0.25 em`. NULL where the
 * group is no length. (transfer full) */
static char *length_of(const Printer *printer, const Unit *group)
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

static void print_rule(Printer *printer, const Unit *macro, Cursor *cursor)
{
    const Unit *groups[2];

    print_name(printer, macro);
    if (!take_two_groups(cursor, groups))
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
}

/* `\binom n k`, `\binom\alpha\beta`; but of `\binom nk` the two letters are no arguments. */
static gboolean print_binomial_behind(Printer *printer, Cursor *cursor)
{
    Cursor ahead = *cursor;
    const Unit *first = cursor_next(&ahead, printer->in_text);
    const Unit *second = cursor_next(&ahead, printer->in_text);

    if (second == NULL || (second->kind != UNIT_SPACE && second->run == first->run &&
                           second->at.start == first->at.end))
        return FALSE;
    print_lone(printer, first);
    print_lone(printer, second);
    *cursor = ahead;
    return TRUE;
}

static void print_macro(Printer *printer, const Unit *macro, Cursor *cursor)
{
    const Row *row = macro->row;
    Unit *const *arguments = macro->arguments;
    const Unit *groups[2];
    gboolean has_groups;

    switch (row->kind) {
    case PRINT_PLAIN:
        print_name(printer, macro);
        for (guint i = 0; i < macro->n_arguments; i++)
            print_unit(printer, arguments[i]);
        if (macro->n_arguments == 0 && printer->in_text && macro->space_behind)
            print_mark(printer, "~");
        break;
    case PRINT_ARGUMENTS:
    case PRINT_FONT:
        print_name(printer, macro);
        for (guint i = 0; row->arguments[i] != '\0'; i++)
            if (arguments[i] != NULL || row->arguments[i] == '{')
                print_argument(printer, arguments[i]);
        break;
    case PRINT_FRACTION_BEHIND:
    case PRINT_BINOMIAL:
        has_groups = take_two_groups(cursor, groups);
        print_name(printer, macro);
        if (has_groups) {
            print_unit(printer, groups[0]);
            print_unit(printer, groups[1]);
        } else if (row->kind != PRINT_BINOMIAL || !print_binomial_behind(printer, cursor)) {
            print_mark(printer, "{ } { }");
        }
        break;
    case PRINT_ACCENT:
    case PRINT_WIDE_ACCENT:
        print_accent(printer, macro, row->kind == PRINT_WIDE_ACCENT, cursor);
        break;
    case PRINT_TEXT:
        print_text(printer, macro);
        break;
    case PRINT_LINE:
        print_name(printer, macro);
        print_in_braces(printer, arguments[0]);
        break;
    case PRINT_OPERATOR:
        print_operator(printer, macro, cursor);
        break;
    case PRINT_FUNCTION:
        print_token(printer, "\\operatorname*", macro->at);
        print_mark(printer, "{");
        for (const char *p = macro->name; *p != '\0'; p++)
            print_token(printer, (const char[]){ *p, '\0' }, macro->at);
        print_mark(printer, "}");
        break;
    case PRINT_BEHIND:
    case PRINT_BOX:
        groups[0] = take_group(cursor);
        print_name(printer, macro);
        print_unit(printer, groups[0]);
        if (row->kind == PRINT_BOX && groups[0] == NULL)
            print_box_run(printer, cursor);
        break;
    case PRINT_RULE:
        print_rule(printer, macro, cursor);
        break;
    }
}

/* ---- Tables are not printed: their units are listed ------------------------------------------ */

static void list_unit(const char *line, const Unit *unit, GString *out);

static void list_tokens(const char *line, const GPtrArray *list, GString *out)
{
    for (guint i = 0; i < list->len; i++)
        list_unit(line, list->pdata[i], out);
}

static void list_unit(const char *line, const Unit *unit, GString *out)
{
    const gboolean is_enclosed = unit->kind == UNIT_GROUP || unit->kind == UNIT_MATH;
    const char *end = line + unit->at.end;

    switch (unit->kind) {
    case UNIT_CHARACTER:
    case UNIT_SPECIALS:
        for (const char *p = line + unit->at.start; p < end; p = g_utf8_next_char(p)) {
            g_string_append_unichar(out, g_utf8_get_char(p));
            g_string_append_c(out, ' ');
        }
        return;
    case UNIT_SPACE:
    case UNIT_RUN:
        break;
    case UNIT_GROUP:
    case UNIT_MATH:
        g_string_append_printf(out, "%s ", unit->name);
        break;
    case UNIT_MACRO:
        g_string_append_printf(out, "\\%s ", unit->name);
        break;
    case UNIT_ENVIRONMENT:
        g_string_append_printf(out, "\\begin {%s} ", unit->name);
        break;
    }
    for (guint i = 0; i < unit->n_arguments; i++)
        if (unit->arguments[i] != NULL)
            list_unit(line, unit->arguments[i], out);
    if (unit->children != NULL)
        list_tokens(line, unit->children, out);
    if (is_enclosed)
        g_string_append_printf(out, "%s ", closing_of(unit->name));
    else if (unit->kind == UNIT_ENVIRONMENT)
        g_string_append_printf(out, "\\end {%s} ", unit->name);
}

/* ---- The text before and after it is read ---------------------------------------------------- */

/* Turn the line into what the guard looks at. */
static void prepare_formula(TgCdmText *line)
{
    tg_cdm_rename_environments(line);
    tg_cdm_delete_comment(line);
    tg_cdm_text_replace(line, "\\~", " ", 0);
    tg_cdm_text_replace(line, "\\>", " ", 0);
    tg_cdm_text_replace_around(line, tg_cdm_regex("()\\\\label\\{[^}]*\\}"), 1, "", "");
    tg_cdm_replace_line_breaks(line, 0);
}

/* ---- all of it ---- */

gboolean tg_cdm_read_by_walker(TgCdmText *text, gboolean is_table)
{
    g_autoptr(TgCdmText) line = tg_cdm_text_new_like(text), tokens = tg_cdm_text_new_like(text);
    g_auto(TgCdmPool) pool = { 0 };
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_tables);
    tg_cdm_text_copy(line, text, 0, text->string->len);
    (is_table ? tg_cdm_prepare_table : prepare_formula)(line);
    tg_cdm_text_strip(line);
    if (!guard_passes(line->string->str))
        return FALSE;
    if (!is_table) {
        tg_cdm_text_replace(line, "$", " ", 0);
        tg_cdm_text_replace(line, "{\\rm", "\\mathrm{", 0);
        tg_cdm_text_replace(line, "{ \\rm", "\\mathrm{", 0);
        tg_cdm_text_replace(line, "\\rm{", "\\mathrm{", 0);
    }
    const char *source = line->string->str;
    Reader reader = { .line = source,
                      .pool = &pool,
                      .steps_left = (gsize) STEPS_A_BYTE * (line->string->len + 1) };
    const GPtrArray *units = read_list(&reader, SCAN_END_OF_TEXT, NULL);
    if (reader.failed)
        return FALSE;
    if (is_table) {
        list_tokens(source, units, tokens->string);
    } else {
        Printer printer = { .line = line, .out = tokens };

        print_units(&printer, units);
        if (tg_is_escaped(source, source + line->string->len)) /* passed over by the reader */
            print_mark(&printer, "\\");
        tg_cdm_text_replace(tokens, "\\left ", "\\left", 0);
        tg_cdm_text_replace(tokens, "\\right ", "\\right", 0);
    }
    tg_cdm_text_squeeze(tokens);
    tg_cdm_text_delete_first(tokens, "\\label { ", " }");
    tg_cdm_text_squeeze(tokens);
    tg_cdm_text_replace(tokens, " S S S S S S", "$", 0); /* stand for a dollar sign there */
    if (tokens->string->len == 0)
        return FALSE;
    tg_cdm_text_swap(text, tokens);
    return TRUE;
}
