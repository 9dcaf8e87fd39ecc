/* Real formulas as TeX sets them (shared typeset-reference), with their sources. */
#include "tests/conformity/typeset_reference.h"

#include "tests/support/golden.h"

#include <csv.h>
#include <stdio.h>

static void row_free(gpointer data)
{
    TypesetRow *row = data;

    g_free(row->id);
    g_free(row->source);
    g_free(row->error);
    g_free(row);
}

/* ---- Sources: id to formula, one table a set ----------------------------------------------- */

static GHashTable *new_sources(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

static void add_source(GHashTable *sources, char *id, const char *source, gsize len)
{
    char *copy = g_strndup(source, len);

    g_strdelimit(copy, "\r\n", ' ');
    g_hash_table_replace(sources, id, copy);
}

/* One formula a line; the id is the number of the line. */
static void read_lines(GHashTable *sources, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    for (guint i = 0; lines[i] != NULL; i++)
        add_source(sources, g_strdup_printf("%u", i + 1), lines[i], strlen(lines[i]));
}

static void read_crohme(GHashTable *sources, const char *text)
{
    json_auto_t *list = json_loads(text, 0, NULL);

    tg_golden_each(entry, list)
    {
        const char *ref = json_string_value(json_object_get(entry, "gt"));
        add_source(sources, g_strdup(json_string_value(json_object_get(entry, "img_id"))), ref,
                   strlen(ref));
    }
}

/* Outer dollars are taken off, two or one at each side. */
static void read_bench(GHashTable *sources, const char *text)
{
    json_auto_t *list = json_loads(text, 0, NULL);

    tg_golden_each(entry, list)
    {
        const char *latex = json_string_value(json_object_get(entry, "latex"));
        gsize len = strlen(latex);

        for (guint side = 0; side < 2 && len >= 2 && latex[0] == '$' && latex[len - 1] == '$';
             side++) {
            latex++;
            len -= 2;
        }
        add_source(sources, g_strdup_printf("%u", (guint) entry_at), latex, len);
    }
}

typedef struct {
    GHashTable *sources;
    guint row, field, wanted;
} CsvState;

static void csv_field(void *data, size_t len, void *user)
{
    CsvState *state = user;

    if (state->row == 0 && len == strlen("latex_true") && memcmp(data, "latex_true", len) == 0)
        state->wanted = state->field;
    else if (state->row > 0 && state->field == state->wanted)
        add_source(state->sources, g_strdup_printf("%u", state->row), data, len);
    state->field++;
}

static void csv_row(int end, void *user)
{
    CsvState *state = user;

    (void) end;
    state->row++;
    state->field = 0;
}

static void read_speech(GHashTable *sources, const char *text)
{
    CsvState state = { .sources = sources, .wanted = G_MAXUINT };
    struct csv_parser parser;

    csv_init(&parser, 0);
    csv_set_space_func(&parser, NULL);
    csv_parse(&parser, text, strlen(text), csv_field, csv_row, &state);
    csv_fini(&parser, csv_field, csv_row, &state);
    csv_free(&parser);
}

static const struct {
    const char *set;
    const char *path;
    void (*read)(GHashTable *sources, const char *text);
} sets[] = {
    { "im2latex-test", "data/im2latex/test.formulas.norm.txt", read_lines },
    { "crohme-2014", "data/uni-mumer/crohme_2014.3b.json", read_crohme },
    { "crohme-2016", "data/uni-mumer/crohme_2016.3b.json", read_crohme },
    { "crohme-2019", "data/uni-mumer/crohme_2019.3b.json", read_crohme },
    { "pdf-parse-bench", "data/pdf-parse-bench/gt_formulas.json", read_bench },
    { "speech2latex", "data/speech2latex/metrics_disjoint_eng.csv", read_speech },
};

/* ---- Rows ---------------------------------------------------------------------------------- */

static char *read_shared(const char *relative)
{
    g_autofree char *path = tg_shared_path(relative);
    char *text = NULL;

    if (path != NULL)
        g_file_get_contents(path, &text, NULL, NULL);
    return text;
}

static gint32 number(const char *text)
{
    return (gint32) g_ascii_strtoll(text, NULL, 10);
}

/* The columns are: id, cm_* (3), lm_* (3), error. */
static void read_rows(GPtrArray *rows, const char *set, GHashTable *sources, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    for (guint i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++) {
        g_auto(GStrv) fields = g_strsplit(lines[i], "\t", -1);
        const char *source = g_hash_table_lookup(sources, fields[0]);
        TypesetRow *row = g_new0(TypesetRow, 1);

        g_assert_nonnull(source);
        g_assert_cmpuint(g_strv_length(fields), ==, 8);
        row->set = set;
        row->id = g_strdup(fields[0]);
        row->source = g_strdup(source);
        row->error = fields[7][0] != '\0' ? g_strdup(fields[7]) : NULL;
        row->cm_width = number(fields[1]);
        row->cm_height = number(fields[2]);
        row->cm_depth = number(fields[3]);
        row->lm_width = number(fields[4]);
        row->lm_height = number(fields[5]);
        row->lm_depth = number(fields[6]);
        g_ptr_array_add(rows, row);
    }
}

GPtrArray *typeset_reference_load(void)
{
    g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(row_free);

    for (guint i = 0; i < G_N_ELEMENTS(sets); i++) {
        g_autofree char *path = g_strdup_printf("typeset-reference/%s.tsv", sets[i].set);
        g_autofree char *table = read_shared(path);
        g_autofree char *text = read_shared(sets[i].path);

        if (table == NULL || text == NULL)
            return NULL;

        g_autoptr(GHashTable) sources = new_sources();
        sets[i].read(sources, text);
        read_rows(rows, sets[i].set, sources, table);
    }
    return g_steal_pointer(&rows);
}

/* ---- Classes ------------------------------------------------------------------------------- */

typedef struct {
    char *what, *example;
    guint n;
} Class;

static void class_free(gpointer data)
{
    Class *class = data;

    g_free(class->what);
    g_free(class->example);
    g_free(class);
}

GPtrArray *typeset_classes_new(void)
{
    return g_ptr_array_new_with_free_func(class_free);
}

void typeset_classes_add(GPtrArray *classes, const char *what, const TypesetRow *row)
{
    for (guint i = 0; i < classes->len; i++) {
        Class *class = classes->pdata[i];
        if (strcmp(class->what, what) == 0) {
            class->n++;
            return;
        }
    }

    Class *class = g_new(Class, 1);
    *class = (Class){ g_strdup(what),
                      g_strdup_printf("%s %s: %.150s", row->set, row->id, row->source), 1 };
    g_ptr_array_add(classes, class);
}

static int by_size(gconstpointer a, gconstpointer b)
{
    const Class *left = *(Class *const *) a, *right = *(Class *const *) b;

    return right->n != left->n ? (right->n > left->n ? 1 : -1) : strcmp(left->what, right->what);
}

void typeset_classes_print(const char *title, GPtrArray *classes)
{
    printf("\n%s\n", title);
    g_ptr_array_sort(classes, by_size);
    for (guint i = 0; i < MIN(classes->len, 30); i++) {
        const Class *class = classes->pdata[i];
        printf("%5u  %s\n       %s\n", class->n, class->what, class->example);
    }
}
