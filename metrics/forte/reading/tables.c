/* Reads FORTE's tables and answers for single names. */
#include "metrics/forte/reading/tables.h"

#include <string.h>

#include "core/fail.h"
#include "core/files/used_files.h"

#define N_ASCII     128
#define MAX_NAMES   16 /* that one spelling stands for */
#define N_PAIR_BITS 4096
#define MAX_GROUP   64    /* members of a row of pairs */
#define MAX_LISTED  65536 /* names of more than one character */

struct TgForteTables {
    GStringChunk *strings;
    GPtrArray *names;       /* texts, from TG_FORTE_NAMES */
    GHashTable *numbers;    /* text to number of a name */
    GHashTable *commands;   /* command without backslash to TgForteSpelling */
    GHashTable *characters; /* code point to TgForteSpelling */
    GArray *typed;          /* of gunichar: written as the symbols that they show */
    const TgForteSpelling *ascii[N_ASCII];
    const TgForteSpelling **symbols; /* by place in tg_symbol_list() */
    guint n_symbols;
    GHashTable *accents; /* command to name */
    GHashTable *marks;   /* combining character to name */
    GHashTable *overs;   /* name to accent */
    GHashTable *negations;
    GHashTable *kinds;                  /* name to kind, plus 1 */
    GHashTable *pairs;                  /* of two names, see pair_key() */
    guint64 may_pair[N_PAIR_BITS / 64]; /* by pair_bit(): most names are in no pair */
    guint8 ascii_kinds[N_ASCII];
    GArray *name_kinds; /* of guint8, by number of the name */
};

const char *tg_forte_font_name(TgForteFont font)
{
    static const char *const names[TG_N_FORTE_FONTS] = { "", "b", "bb", "cal", "fr", "sf", "tt" };

    return names[font];
}

/* ---- Names --------------------------------------------------------------------------------- */

/* The one character that @text consists of, or 0. */
static gunichar single_character(const char *text, gsize len)
{
    const gunichar code = g_utf8_get_char_validated(text, (gssize) len);

    if (len == 0 || code == (gunichar) -1 || code == (gunichar) -2)
        return 0;
    return g_utf8_next_char(text) == text + len ? code : 0;
}

TgForteName tg_forte_tables_find(const TgForteTables *tables, const char *name, gsize len)
{
    const gunichar code = single_character(name, len);
    char buffer[64];

    if (code != 0)
        return code;
    if (len >= sizeof buffer)
        return 0;
    memcpy(buffer, name, len);
    buffer[len] = '\0';
    return GPOINTER_TO_UINT(g_hash_table_lookup(tables->numbers, buffer));
}

/* The number of a name, which is new or not. */
static TgForteName intern(TgForteTables *self, const char *text)
{
    const gunichar code = single_character(text, strlen(text));
    if (code != 0)
        return code;

    const TgForteName known = GPOINTER_TO_UINT(g_hash_table_lookup(self->numbers, text));
    if (known != 0)
        return known;

    const TgForteName name = TG_FORTE_NAMES + self->names->len;
    char *own = g_string_chunk_insert(self->strings, text);
    g_ptr_array_add(self->names, own);
    g_hash_table_insert(self->numbers, own, GUINT_TO_POINTER(name));
    return name;
}

const char *tg_forte_tables_text(const TgForteTables *tables, TgForteName name)
{
    return g_ptr_array_index(tables->names, name - TG_FORTE_NAMES);
}

/* ---- Spellings ----------------------------------------------------------------------------- */

static void free_spelling(gpointer data)
{
    TgForteSpelling *spelling = data;

    g_free((gpointer) spelling->names);
    g_free(spelling);
}

static TgForteSpelling *new_spelling(const TgForteName *names, guint n)
{
    TgForteSpelling *spelling = g_new0(TgForteSpelling, 1);

    spelling->names = g_memdup2(names, n * sizeof *names);
    spelling->n = (guint8) n;
    return spelling;
}

static void add_spelling(TgForteTables *self, const char *written, TgForteSpelling *spelling)
{
    if (written[0] == '\\')
        g_hash_table_insert(self->commands, g_string_chunk_insert(self->strings, written + 1),
                            spelling);
    else
        g_hash_table_insert(self->characters, GUINT_TO_POINTER(g_utf8_get_char(written)), spelling);
}

const TgForteSpelling *tg_forte_tables_command(const TgForteTables *tables, const char *name,
                                               gsize len)
{
    char buffer[64];

    if (len >= sizeof buffer)
        return NULL;
    memcpy(buffer, name, len);
    buffer[len] = '\0';
    return g_hash_table_lookup(tables->commands, buffer);
}

const TgForteSpelling *tg_forte_tables_character(const TgForteTables *tables, gunichar code)
{
    if (code < N_ASCII)
        return tables->ascii[code];
    return g_hash_table_lookup(tables->characters, GUINT_TO_POINTER(code));
}

const TgForteSpelling *tg_forte_tables_symbol(const TgForteTables *tables, const TgSymbol *symbol)
{
    guint n;
    const TgSymbol *list = tg_symbol_list(&n);

    if (symbol >= list && symbol < list + n)
        return tables->symbols[symbol - list];
    return tables->ascii[symbol->codepoint % N_ASCII]; /* the others are characters of ASCII */
}

/* A function's name, written out in upright letters. */
static TgForteSpelling *new_function(const char *command)
{
    TgForteName letters[MAX_NAMES];
    const guint n = (guint) MIN(strlen(command), MAX_NAMES);

    for (guint i = 0; i < n; i++)
        letters[i] = (guchar) command[i];

    TgForteSpelling *spelling = new_spelling(letters, n);
    spelling->function = 1;
    return spelling;
}

/* How a command is written that no row lists. */
static TgForteSpelling *default_spelling(TgForteTables *self, const TgSymbol *symbol)
{
    if (symbol->kind == TG_SYMBOL_OPERATOR)
        return new_function(symbol->name);

    const TgForteName name = intern(self, symbol->name);
    return new_spelling(&name, 1);
}

/* What no row lists follows from tokenizer/symbols: the commands that are functions, the names of
 * all others, ASCII characters. */
static void complete_spellings(TgForteTables *self)
{
    const TgSymbol *list = tg_symbol_list(&self->n_symbols);

    self->symbols = g_new(const TgForteSpelling *, self->n_symbols);
    for (guint i = 0; i < self->n_symbols; i++) {
        const char *command = list[i].name;

        if (!g_hash_table_contains(self->commands, command))
            g_hash_table_insert(self->commands, (gpointer) command,
                                default_spelling(self, &list[i]));
        self->symbols[i] = g_hash_table_lookup(self->commands, command);
    }
    for (guint c = 1; c < N_ASCII; c++) {
        if (!g_hash_table_contains(self->characters, GUINT_TO_POINTER(c)))
            g_hash_table_insert(self->characters, GUINT_TO_POINTER(c), new_spelling(&c, 1));
        self->ascii[c] = g_hash_table_lookup(self->characters, GUINT_TO_POINTER(c));
    }
    self->ascii[0] = self->ascii[' '];
    for (guint i = 0; i < self->typed->len; i++) {
        const gunichar code = g_array_index(self->typed, gunichar, i);
        const TgForteSpelling *spelling = tg_forte_tables_symbol(self, tg_symbol_find_char(code));

        if (!g_hash_table_contains(self->characters, GUINT_TO_POINTER(code)))
            g_hash_table_insert(self->characters, GUINT_TO_POINTER(code),
                                new_spelling(spelling->names, spelling->n));
    }
}

/* ---- Kinds and pairs ----------------------------------------------------------------------- */

/* Without the kinds that rows give: by what the character is. */
static TgForteKind natural_kind(TgForteName name)
{
    if (name < N_ASCII)
        return g_ascii_isdigit(name)   ? TG_FORTE_DIGIT
               : g_ascii_isalpha(name) ? TG_FORTE_LATIN
                                       : TG_FORTE_SYMBOL;
    if (name >= TG_FORTE_NAMES || !g_unichar_isalpha(name))
        return TG_FORTE_SYMBOL;
    return g_unichar_get_script(name) == G_UNICODE_SCRIPT_GREEK ? TG_FORTE_GREEK : TG_FORTE_LATIN;
}

static TgForteKind listed_kind(const TgForteTables *self, TgForteName name)
{
    const guint kind = GPOINTER_TO_UINT(g_hash_table_lookup(self->kinds, GUINT_TO_POINTER(name)));

    return kind > 0 ? (TgForteKind) (kind - 1) : natural_kind(name);
}

TgForteKind tg_forte_tables_kind(const TgForteTables *tables, TgForteName name)
{
    if (name < N_ASCII)
        return (TgForteKind) tables->ascii_kinds[name];
    if (name >= TG_FORTE_STRANGERS)
        return TG_FORTE_SYMBOL;
    if (name >= TG_FORTE_NAMES)
        return (TgForteKind) g_array_index(tables->name_kinds, guint8, name - TG_FORTE_NAMES);
    return listed_kind(tables, name);
}

/* Kinds as arrays, which are read for every symbol. */
static void complete_kinds(TgForteTables *self)
{
    for (guint c = 0; c < N_ASCII; c++)
        self->ascii_kinds[c] = (guint8) listed_kind(self, c);
    for (guint i = 0; i < self->names->len; i++) {
        const guint8 kind = (guint8) listed_kind(self, TG_FORTE_NAMES + i);
        g_array_append_val(self->name_kinds, kind);
    }
}

/* Names have 23 bits. */
static gint64 pair_key(TgForteName a, TgForteName b)
{
    return (gint64) MIN(a, b) << 32 | MAX(a, b);
}

static guint pair_bit(TgForteName a, TgForteName b)
{
    return (MIN(a, b) * 31 + MAX(a, b)) % N_PAIR_BITS;
}

TgFortePair tg_forte_tables_pair(const TgForteTables *tables, TgForteName a, TgForteName b)
{
    const gint64 key = pair_key(a, b);
    const guint bit = pair_bit(a, b);

    if ((tables->may_pair[bit / 64] >> bit % 64 & 1) == 0)
        return TG_FORTE_NO_PAIR;
    return (TgFortePair) GPOINTER_TO_UINT(g_hash_table_lookup(tables->pairs, &key));
}

/* The first row that names two symbols decides: variants stand above look-alikes. */
static void add_pair(TgForteTables *self, TgForteName a, TgForteName b, TgFortePair pair)
{
    const gint64 key = pair_key(a, b);
    const TgFortePair before = tg_forte_tables_pair(self, a, b);

    self->may_pair[pair_bit(a, b) / 64] |= (guint64) 1 << pair_bit(a, b) % 64;
    if (before == TG_FORTE_NO_PAIR || pair == TG_FORTE_VARIANT)
        g_hash_table_insert(self->pairs, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(pair));
}

/* ---- Accents and negations ----------------------------------------------------------------- */

static TgForteName look_up(GHashTable *table, gpointer key)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(table, key));
}

TgForteName tg_forte_tables_accent(const TgForteTables *tables, const char *command)
{
    return look_up(tables->accents, (gpointer) command);
}

TgForteName tg_forte_tables_mark(const TgForteTables *tables, gunichar mark)
{
    return look_up(tables->marks, GUINT_TO_POINTER(mark));
}

TgForteName tg_forte_tables_over(const TgForteTables *tables, TgForteName name)
{
    return look_up(tables->overs, GUINT_TO_POINTER(name));
}

TgForteName tg_forte_tables_negation(const TgForteTables *tables, TgForteName name)
{
    return look_up(tables->negations, GUINT_TO_POINTER(name));
}

/* Accents also have the combining characters that tokenizer/symbols knows of their commands. */
static void complete_marks(TgForteTables *self)
{
    guint n;
    const TgSymbol *list = tg_symbol_list(&n);

    for (guint i = 0; i < n; i++) {
        const TgForteName name = tg_forte_tables_accent(self, list[i].name);
        const gpointer mark = GUINT_TO_POINTER(list[i].codepoint);

        if (list[i].kind == TG_SYMBOL_ACCENT && name != 0 &&
            !g_hash_table_contains(self->marks, mark))
            g_hash_table_insert(self->marks, mark, GUINT_TO_POINTER(name));
    }
}

/* ---- Reading ------------------------------------------------------------------------------- */

/* One row: what it is about, and the items of its last field. */
typedef struct {
    const char *subject;
    char **items;
} Row;

static const char *row_kind(TgForteTables *self, const Row *row)
{
    const char *letter = strchr(TG_FORTE_KIND_LETTERS, row->subject[0]);

    if (row->subject[0] == '\0' || letter == NULL || row->subject[1] != '\0')
        return "an unknown kind";

    const guint kind = (guint) (letter - TG_FORTE_KIND_LETTERS);
    for (char **item = row->items; *item != NULL; item++)
        g_hash_table_insert(self->kinds, GUINT_TO_POINTER(intern(self, *item)),
                            GUINT_TO_POINTER(kind + 1));
    return NULL;
}

static const char *add_names(TgForteTables *self, const Row *row, gboolean blackboard)
{
    g_auto(GStrv) canonical = g_strsplit(row->subject, " ", -1);
    TgForteName names[MAX_NAMES];
    guint n = 0;

    for (; canonical[n] != NULL; n++) {
        if (n == MAX_NAMES || canonical[n][0] == '\0')
            return "a canonical name that is empty, or too many";
        names[n] = intern(self, canonical[n]);
    }
    for (char **item = row->items; *item != NULL; item++) {
        if ((*item)[0] != '\\' && single_character(*item, strlen(*item)) == 0)
            return "a spelling that is neither a command nor one character";

        TgForteSpelling *spelling = new_spelling(names, n);
        spelling->blackboard = blackboard != FALSE;
        add_spelling(self, *item, spelling);
    }
    return NULL;
}

static const char *row_name(TgForteTables *self, const Row *row)
{
    return add_names(self, row, FALSE);
}

static const char *row_character(TgForteTables *self, const Row *row)
{
    for (char **item = row->items; *item != NULL; item++) {
        const gunichar code = single_character(*item, strlen(*item));

        if (code == 0 || tg_symbol_find_char(code) == NULL)
            return "a character that shows no symbol";
        g_array_append_val(self->typed, code);
    }
    return NULL;
}

static const char *row_blackboard(TgForteTables *self, const Row *row)
{
    return add_names(self, row, TRUE);
}

static const char *row_function(TgForteTables *self, const Row *row)
{
    for (char **item = row->items; *item != NULL; item++) {
        if ((*item)[0] != '\\' || (*item)[1] == '\0' || strlen(*item + 1) > MAX_NAMES)
            return "a function that is no command";
        add_spelling(self, *item, new_function(*item + 1));
    }
    return NULL;
}

static const char *row_accent(TgForteTables *self, const Row *row)
{
    const gpointer name = GUINT_TO_POINTER(intern(self, row->subject));

    g_hash_table_insert(self->kinds, name, GUINT_TO_POINTER(TG_FORTE_ACCENT + 1));
    for (char **item = row->items; *item != NULL; item++) {
        if ((*item)[0] == '\\')
            g_hash_table_insert(self->accents, g_string_chunk_insert(self->strings, *item + 1),
                                name);
        else if (g_str_has_prefix(*item, "U+"))
            g_hash_table_insert(
                self->marks,
                GUINT_TO_POINTER((guint) g_ascii_strtoull(*item + strlen("U+"), NULL, 16)), name);
        else
            return "an accent that is neither a command nor U+ and a number";
    }
    return NULL;
}

static const char *add_map(TgForteTables *self, GHashTable *table, const Row *row)
{
    for (char **item = row->items; *item != NULL; item++)
        g_hash_table_insert(table, GUINT_TO_POINTER(intern(self, *item)),
                            GUINT_TO_POINTER(intern(self, row->subject)));
    return NULL;
}

static const char *row_over(TgForteTables *self, const Row *row)
{
    return add_map(self, self->overs, row);
}

static const char *row_not(TgForteTables *self, const Row *row)
{
    return add_map(self, self->negations, row);
}

static const char *add_pairs(TgForteTables *self, const Row *row, TgFortePair pair)
{
    if (g_strv_length(row->items) > MAX_GROUP)
        return "too many names in one row of pairs";
    for (char **a = row->items; *a != NULL; a++)
        for (char **b = a + 1; *b != NULL; b++)
            add_pair(self, intern(self, *a), intern(self, *b), pair);
    return NULL;
}

static const char *row_variant(TgForteTables *self, const Row *row)
{
    return add_pairs(self, row, TG_FORTE_VARIANT);
}

static const char *row_look_alike(TgForteTables *self, const Row *row)
{
    return add_pairs(self, row, TG_FORTE_LOOK_ALIKE);
}

/* Reads one line. Returns: NULL, or what is wrong. */
static const char *read_line(TgForteTables *self, const char *line)
{
    static const struct {
        const char *name;
        const char *(*read)(TgForteTables *self, const Row *row);
        gboolean needs_subject;
    } rows[] = {
        { "kind", row_kind, TRUE },
        { "name", row_name, TRUE },
        { "character", row_character, FALSE },
        { "function", row_function, FALSE },
        { "blackboard", row_blackboard, TRUE },
        { "accent", row_accent, TRUE },
        { "over", row_over, TRUE },
        { "not", row_not, TRUE },
        { "variant", row_variant, FALSE },
        { "look-alike", row_look_alike, FALSE },
    };
    g_auto(GStrv) fields = g_strsplit(line, "\t", -1);

    if (g_strv_length(fields) != 3)
        return "a row needs three fields between tabs";
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (strcmp(fields[0], rows[i].name) != 0)
            continue;
        if ((fields[1][0] == '\0') == rows[i].needs_subject)
            return rows[i].needs_subject ? "the second field is empty"
                                         : "the second field must be empty";

        g_auto(GStrv) items = g_strsplit(fields[2], " ", -1);
        for (char **item = items; *item != NULL; item++) {
            if ((*item)[0] == '\0')
                return "an empty item: one space stands between items";
        }
        return self->names->len > MAX_LISTED
                   ? "too many names"
                   : rows[i].read(self, &(Row){ .subject = fields[1], .items = items });
    }
    return "no such row: kind, name, character, blackboard, function, accent, over, not, variant, "
           "look-alike";
}

static void add_marks(TgForteTables *self)
{
    static const struct {
        const char *text;
        TgForteKind kind;
    } marks[TG_FORTE_MARKS_END - TG_FORTE_NAMES] = {
        { "FRAC", TG_FORTE_OPEN }, { "SQRT", TG_FORTE_OPEN }, { "_(", TG_FORTE_SCRIPT },
        { "^(", TG_FORTE_SCRIPT }, { ")", TG_FORTE_END },     { "|den|", TG_FORTE_END },
        { "|end|", TG_FORTE_END }, { "|idx|", TG_FORTE_END }, { "|acc|", TG_FORTE_END },
        { "MAT", TG_FORTE_GRID },  { "|row|", TG_FORTE_ROW }, { "|cell|", TG_FORTE_CELL },
    };

    for (guint i = 0; i < G_N_ELEMENTS(marks); i++) {
        g_ptr_array_add(self->names, (gpointer) marks[i].text);
        g_hash_table_insert(self->kinds, GUINT_TO_POINTER(TG_FORTE_NAMES + i),
                            GUINT_TO_POINTER(marks[i].kind + 1));
    }
}

static TgForteTables *new_tables(void)
{
    TgForteTables *self = g_new0(TgForteTables, 1);

    self->strings = g_string_chunk_new(4096);
    self->typed = g_array_new(FALSE, FALSE, sizeof(gunichar));
    self->names = g_ptr_array_new();
    self->numbers = g_hash_table_new(g_str_hash, g_str_equal);
    self->commands = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_spelling);
    self->characters = g_hash_table_new_full(NULL, NULL, NULL, free_spelling);
    self->accents = g_hash_table_new(g_str_hash, g_str_equal);
    self->marks = g_hash_table_new(NULL, NULL);
    self->overs = g_hash_table_new(NULL, NULL);
    self->negations = g_hash_table_new(NULL, NULL);
    self->kinds = g_hash_table_new(NULL, NULL);
    self->pairs = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    self->name_kinds = g_array_new(FALSE, FALSE, sizeof(guint8));
    add_marks(self);
    return self;
}

TgForteTables *tg_forte_tables_load(const char *path, GError **error)
{
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
    const gsize len = file != NULL ? g_mapped_file_get_length(file) : 0;

    if (file == NULL || len > TG_FORTE_TABLES_MAX) {
        tg_fail_input(error, "%s: %s", path,
                      file == NULL ? "cannot read FORTE's tables" : "the file is too long");
        return NULL;
    }

    g_autofree char *text = g_strndup(len > 0 ? g_mapped_file_get_contents(file) : "", len);
    if (!g_utf8_validate(text, (gssize) len, NULL)) {
        tg_fail_input(error, "%s: not UTF-8", path);
        return NULL;
    }
    tg_used_files_note(path, text, len);

    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autoptr(TgForteTables) self = new_tables();
    for (guint i = 0; lines[i] != NULL; i++) {
        const char *wrong;

        g_strchomp(lines[i]);
        if (lines[i][0] == '\0' || lines[i][0] == '#')
            continue;
        if ((wrong = read_line(self, lines[i])) != NULL) {
            tg_fail_input(error, "%s:%u: %s", path, i + 1, wrong);
            return NULL;
        }
    }
    complete_spellings(self);
    complete_marks(self);
    complete_kinds(self);
    return g_steal_pointer(&self);
}

void tg_forte_tables_free(TgForteTables *tables)
{
    if (tables == NULL)
        return;
    g_hash_table_unref(tables->commands);
    g_hash_table_unref(tables->characters);
    g_hash_table_unref(tables->accents);
    g_hash_table_unref(tables->marks);
    g_hash_table_unref(tables->overs);
    g_hash_table_unref(tables->negations);
    g_hash_table_unref(tables->kinds);
    g_hash_table_unref(tables->pairs);
    g_hash_table_unref(tables->numbers);
    g_array_unref(tables->typed);
    g_ptr_array_unref(tables->names);
    g_array_unref(tables->name_kinds);
    g_free(tables->symbols);
    g_string_chunk_free(tables->strings);
    g_free(tables);
}
