/* Reads the tables of examples in the CDM specification. */
#include "tests/conformity/cdm_examples.h"

#include "tests/support/test_support.h"

static const char separator[] = "  ‖  ";

static void free_example(gpointer data)
{
    CdmExample *example = data;

    g_free(example->input);
    g_free(example->tokens);
    g_free(example->source);
    g_strfreev(example->elements);
    g_free(example);
}

static void free_vector(gpointer data)
{
    CdmVector *vector = data;

    g_free(vector->ref);
    g_free(vector->hyp);
    g_free(vector);
}

/* The lines of one section, from its heading to the next one of the same or a higher level. */
static char **load_section(const char *heading)
{
    g_autofree char *path = tg_shared_path("specs/cdm.md");
    g_autofree char *text = NULL;

    if (path == NULL || !g_file_get_contents(path, &text, NULL, NULL))
        return NULL;
    char *start = strstr(text, heading);
    if (start == NULL)
        return NULL;
    for (char *next = strstr(start, "\n## "); next != NULL; next = NULL)
        *next = '\0';
    for (char *next = strstr(start + 1, "\n### "); next != NULL; next = NULL)
        *next = '\0';
    return g_strsplit(start, "\n", -1);
}

/* Line feeds are shown as arrows. */
static char *read_input(const char *shown)
{
    g_autoptr(GString) input = g_string_new(shown);

    g_string_replace(input, "⏎", "\n", 0);
    return g_strdup(input->str);
}

static CdmExample *read_example(char **field)
{
    CdmExample *example = g_new0(CdmExample, 1);

    example->input = read_input(field[0]);
    example->tokens = strcmp(field[1], "FAIL") == 0 ? NULL : g_strdup(field[1]);
    example->source = g_strdup(strcmp(field[2], "=") == 0 ? field[1] : field[2]);
    example->elements =
        strcmp(field[3], "(empty)") == 0 ? g_new0(char *, 1) : g_strsplit(field[3], "  ", -1);
    return example;
}

GPtrArray *cdm_examples_load(void)
{
    g_auto(GStrv) lines = load_section("\n### 2.6");

    if (lines == NULL)
        return NULL;
    GPtrArray *examples = g_ptr_array_new_with_free_func(free_example);
    for (guint i = 0; lines[i] != NULL; i++) {
        g_auto(GStrv) field = g_strsplit(lines[i], separator, -1);

        if (g_strv_length(field) == 4)
            g_ptr_array_add(examples, read_example(field));
    }
    return examples;
}

/* `(empty)` and `(a+ repeated 80 times)b` stand for what they say. */
static char *expand(const char *shown)
{
    static const char repeated[] = "(a+ repeated 80 times)";
    g_autoptr(GString) out = g_string_new(NULL);

    if (strcmp(shown, "(empty)") == 0)
        return g_strdup("");
    if (!g_str_has_prefix(shown, repeated))
        return g_strdup(shown);
    for (guint i = 0; i < 80; i++)
        g_string_append(out, "a+");
    g_string_append(out, shown + strlen(repeated));
    return g_strdup(out->str);
}

static CdmVector *read_vector(char **field)
{
    CdmVector *vector = g_new0(CdmVector, 1);
    g_auto(GStrv) number = g_strsplit(field[2], " ", -1);
    const gboolean scored = g_ascii_isdigit(field[2][0]);

    vector->ref = expand(field[0]);
    vector->hyp = expand(field[1]);
    vector->recall = scored ? g_ascii_strtod(number[0], NULL) : NAN;
    vector->precision = scored ? g_ascii_strtod(number[1], NULL) : NAN;
    vector->f1 = scored ? g_ascii_strtod(number[2], NULL) : NAN;
    return vector;
}

GPtrArray *cdm_vectors_load(void)
{
    g_auto(GStrv) lines = load_section("\n### 8.5");

    if (lines == NULL)
        return NULL;
    GPtrArray *vectors = g_ptr_array_new_with_free_func(free_vector);
    for (guint i = 0; lines[i] != NULL; i++) {
        g_auto(GStrv) field = g_strsplit(lines[i], separator, -1);

        if (g_strv_length(field) == 3)
            g_ptr_array_add(vectors, read_vector(field));
    }
    return vectors;
}
