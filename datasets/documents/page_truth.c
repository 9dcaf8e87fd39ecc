/* The truth of pages: OmniDocBench's JSON, and which file is a page's. */
#include "datasets/documents/pages.h"

#include <string.h>

#include <jansson.h>

#include "core/fail.h"
#include "datasets/documents/page.h"

/* Categories of the truth that take part, in the order of the mixed list. Those from the sixth on
 * but the last are silent. */
static const char *const categories[] = {
    "text_block",       "title",           "code_txt",
    "code_txt_caption", "reference",       "equation_caption",
    "figure_caption",   "figure_footnote", "table_caption",
    "table_footnote",   "code_algorithm",  "code_algorithm_caption",
    "header",           "footer",          "page_footnote",
    "page_number",      TG_PAGE_FORMULA,
};

#define FIRST_SILENT 5

/* An element with the number of its group: of those that a page's end cut in two; 0: none. */
typedef struct {
    const json_t *json;
    guint group;
} Element;

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text != NULL ? text : "";
}

static double order_of(const json_t *element)
{
    return json_number_value(json_object_get(element, "order"));
}

static gint compare_elements(gconstpointer a, gconstpointer b)
{
    const double left = order_of(((const Element *) a)->json);
    const double right = order_of(((const Element *) b)->json);

    return (left > right) - (left < right);
}

static gint compare_orders(gconstpointer a, gconstpointer b)
{
    const double left = ((const TgPageUnit *) a)->order, right = ((const TgPageUnit *) b)->order;

    return (left > right) - (left < right);
}

/* Give elements that are truncated parts of each other a group, those united last the last number.
 */
static guint group_elements(GArray *elements, const json_t *relations)
{
    guint n_groups = 0;
    size_t i;
    json_t *relation;

    json_array_foreach(relations, i, relation)
    {
        const json_t *ends[2] = { json_object_get(relation, "source_anno_id"),
                                  json_object_get(relation, "target_anno_id") };
        if (strcmp(text_of(relation, "relation_type"), "truncated") != 0)
            continue;
        n_groups++;
        for (guint k = 0; k < elements->len; k++) {
            Element *element = &g_array_index(elements, Element, k);
            const json_t *id = json_object_get(element->json, "anno_id");
            const guint old = element->group;
            if (!json_equal(id, ends[0]) && !json_equal(id, ends[1]))
                continue;
            for (guint m = 0; m < elements->len && old > 0; m++)
                if (g_array_index(elements, Element, m).group == old)
                    g_array_index(elements, Element, m).group = n_groups;
            element->group = n_groups;
        }
    }
    return n_groups;
}

/* One element, or the parts of one, if they are of this category and none is ignored. */
static void add_unit(TgPage *page, const char *category, GArray *parts)
{
    g_autoptr(GString) text = g_string_new(NULL);
    TgPageUnit unit = { .kind = category, .source = G_MAXUINT };

    g_array_sort(parts, compare_elements); /* stable */
    for (guint i = 0; i < parts->len; i++)
        if (json_is_true(json_object_get(g_array_index(parts, Element, i).json, "ignore")))
            return;
    if (parts->len == 0 ||
        strcmp(text_of(g_array_index(parts, Element, 0).json, "category_type"), category) != 0)
        return;
    const json_t *first = g_array_index(parts, Element, 0).json;
    unit.is_formula = strcmp(category, TG_PAGE_FORMULA) == 0;
    unit.order = order_of(first);
    for (guint i = FIRST_SILENT; i + 1 < G_N_ELEMENTS(categories); i++)
        unit.is_silent |= strcmp(category, categories[i]) == 0;
    for (guint i = 0; i < parts->len; i++)
        g_string_append(text, text_of(g_array_index(parts, Element, i).json,
                                      unit.is_formula ? "latex" : "text"));
    if (text_of(first, "fine_category_type")[0] != '\0')
        unit.kind =
            g_string_chunk_insert_const(page->strings, text_of(first, "fine_category_type"));
    unit.text = g_string_chunk_insert_const(page->strings, text->str);
    g_array_append_val(page->truth, unit);
}

static void read_elements(TgPage *page, const json_t *entry)
{
    g_autoptr(GArray) elements = g_array_new(FALSE, FALSE, sizeof(Element));
    g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(Element));
    size_t i;
    json_t *json;

    json_array_foreach(json_object_get(entry, "layout_dets"), i, json)
    {
        const Element element = { json, 0 };
        g_array_append_val(elements, element);
        page->n_formulas += strcmp(text_of(json, "category_type"), TG_PAGE_FORMULA) == 0 &&
                            !json_is_true(json_object_get(json, "ignore"));
    }
    const guint n_groups =
        group_elements(elements, json_object_get(json_object_get(entry, "extra"), "relation"));
    for (guint c = 0; c < G_N_ELEMENTS(categories); c++)
        for (guint n = 0; n <= n_groups; n++) {
            g_array_set_size(parts, 0);
            for (guint k = 0; k < elements->len; k++) {
                if (g_array_index(elements, Element, k).group != n)
                    continue;
                g_array_append_val(parts, g_array_index(elements, Element, k));
                if (n > 0)
                    continue;
                add_unit(page, categories[c], parts);
                g_array_set_size(parts, 0);
            }
            add_unit(page, categories[c], parts);
        }
    g_array_sort(page->truth, compare_orders); /* stable */
}

static char **read_subsets(const json_t *attributes)
{
    GPtrArray *out = g_ptr_array_new();
    const char *key;
    json_t *value, *entry;
    size_t i;

    json_object_foreach((json_t *) attributes, key, value)
    {
        if (json_is_string(value))
            g_ptr_array_add(out, g_strdup_printf("%s: %s", key, json_string_value(value)));
        json_array_foreach(value, i, entry) if (json_is_string(entry) &&
                                                strstr(json_string_value(entry), "table") == NULL)
            g_ptr_array_add(out, g_strdup(json_string_value(entry)));
    }
    g_ptr_array_add(out, NULL);
    return (char **) g_ptr_array_free(out, FALSE);
}

static void free_page(gpointer data)
{
    TgPage *page = data;

    g_array_unref(page->truth);
    g_string_chunk_free(page->strings);
    g_strfreev(page->subsets);
    g_free(page->name);
    g_free(page);
}

static TgPage *read_page(const json_t *entry)
{
    const json_t *info = json_object_get(entry, "page_info");
    const char *path = text_of(info, "image_path");
    TgPage *page;

    if (path[0] == '\0' || !json_is_array(json_object_get(entry, "layout_dets")))
        return NULL;
    page = g_new0(TgPage, 1);
    page->name = g_strdup(strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path);
    page->subsets = read_subsets(json_object_get(info, "page_attribute"));
    page->strings = g_string_chunk_new(4096);
    page->truth = g_array_new(FALSE, TRUE, sizeof(TgPageUnit));
    read_elements(page, entry);
    return page;
}

GPtrArray *tg_pages_load(const char *path, TgLineFunc fault, gpointer data, GError **error)
{
    g_autoptr(GPtrArray) pages = g_ptr_array_new_with_free_func(free_page);
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    json_error_t where;
    json_t *root = json_load_file(path, 0, &where), *entry;
    size_t i;

    if (root == NULL)
        return tg_null_input(error, "%s: %s (line %d)", path, where.text, where.line);
    json_array_foreach(root, i, entry)
    {
        TgPage *page = read_page(entry);
        if (page != NULL && g_hash_table_add(names, page->name)) {
            g_ptr_array_add(pages, page);
            continue;
        }
        g_autofree char *message = g_strdup_printf(
            "%s: page %u: %s", path, (guint) i + 1,
            page != NULL ? "the second of its name" : "without image_path or layout_dets");
        if (fault != NULL)
            fault(message, data);
        if (page != NULL)
            free_page(page);
    }
    json_decref(root);
    return pages->len > 0 ? g_steal_pointer(&pages)
                          : tg_null_input(error, "%s: not a list of pages, or of none", path);
}

char *tg_page_find(const TgPage *page, const char *folder)
{
    const gsize n = strlen(page->name);
    g_autofree char *stem = g_strndup(page->name, n > 4 ? n - 4 : 0);
    g_autoptr(GString) bare = g_string_new(stem);

    g_string_replace(bare, ".pdf", "", 0);
    const char *const names[][2] = {
        { stem, ".md" }, { bare->str, ".mmd" }, { bare->str, ".md" }, { page->name, ".md" }
    };
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *file = g_strconcat(names[i][0], names[i][1], NULL);
        g_autofree char *path = g_build_filename(folder, file, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
            return g_steal_pointer(&path);
    }
    return NULL;
}
