/* The reference of pages, which is JSON in the form of OmniDocBench.json, and the search for the
 * files of pages. */
#include "core/number.h"
#include "datasets/documents/document.h"

#include <string.h>

#include "core/fail.h"
#include "core/files/datadir.h"
#include "core/files/stream.h"
#include "core/utf8.h"
#include "datasets/documents/documents.h"

/* Categories of the reference that are used, in the order of the original's mixed list.
 * FIRST_SILENT and later ones, but not formulas, are silent: they take items away and are not
 * scored. */
static const char *const categories[] = {
    "text_block",       "title",           "code_txt",
    "code_txt_caption", "reference",       "equation_caption",
    "figure_caption",   "figure_footnote", "table_caption",
    "table_footnote",   "code_algorithm",  "code_algorithm_caption",
    "header",           "footer",          "page_footnote",
    "page_number",      TG_PAGE_FORMULA,
};

enum { FIRST_SILENT = 5, FORMULA = G_N_ELEMENTS(categories) - 1 };

#define MAX_RELATIONS 10000000u         /* elements of a page, times its relations */
#define MAX_REFERENCE ((gsize) 1 << 30) /* bytes of the file */

/* Limits of the search for Markdown files that are no page's. */
#define MAX_ENTRIES 100000u
#define MAX_FOLDERS 4u /* depth of folders */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text != NULL ? text : "";
}

/* Append a text of the reference, in which U+0000 may stand. */
static void append_text_of(GString *out, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    const char *at = json_string_value(value);

    for (const char *end = at != NULL ? at + json_string_length(value) : NULL; at < end;
         at += strlen(at) + 1) {
        g_string_append(out, at);
        if (at + strlen(at) < end)
            g_string_append(out, TG_TEXT_NUL);
    }
}

static double number_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

/* An element of the reference, which may be a part of a whole element. */
typedef struct {
    const json_t *json;
    guint whole; /* number of its first part */
    gboolean is_left_out;
} Part;

/* Elements that a user is told of, because no parser can be right about them, or because the user
 * may have expected that they count. */
enum { NO_LATEX, EMPTY_LATEX, OTHER_TYPE, N_TOLD };
static const char *const told[] = {
    [NO_LATEX] = "formulas without text as \"latex\", which are left out",
    [EMPTY_LATEX] = "formulas whose \"latex\" is empty, so that no prediction matches them",
    [OTHER_TYPE] =
        "blocks with \"latex\" of a type that does not count as " TG_PAGE_FORMULA " does",
};

/* All elements of a reference. */
typedef struct {
    guint n[N_TOLD];
    char *first[N_TOLD];
    json_t *types; /* an object whose names are their categories */
} Elements;

/* Order of parts: by wholes, then by order; parts with equal order by id, as in the original's
 * set. */
static gint compare_parts(gconstpointer a, gconstpointer b)
{
    const Part *left = a, *right = b;
    const json_t *x = left->json, *y = right->json;
    const char *key = number_of(x, "order") == number_of(y, "order") ? "anno_id" : "order";
    const double apart = number_of(x, key) - number_of(y, key);

    return left->whole != right->whole ? (left->whole > right->whole) - (left->whole < right->whole)
           : apart != 0                ? (apart > 0) - (apart < 0)
                                       : strcmp(text_of(x, "anno_id"), text_of(y, "anno_id"));
}

/* Order of items: by order, then by category. */
static gint compare_items(gconstpointer a, gconstpointer b)
{
    const TgPageItem *left = a, *right = b;
    const double apart = left->order - right->order;

    return apart != 0 ? (apart > 0) - (apart < 0) : (int) (left->start - right->start);
}

/* Join parts into a whole if one of the parts has an id of the relation. */
static void join_parts(Part *parts, guint n, const json_t *relation)
{
    g_autofree gboolean *named = g_new0(gboolean, n);
    guint first = n;

    for (guint i = 0; i < n; i++) {
        const json_t *id = json_object_get(parts[i].json, "anno_id");
        if (json_equal(id, json_object_get(relation, "source_anno_id")) ||
            json_equal(id, json_object_get(relation, "target_anno_id"))) {
            named[parts[i].whole] = TRUE;
            first = MIN(first, parts[i].whole);
        }
    }
    for (guint i = 0; i < n; i++)
        parts[i].whole = named[parts[i].whole] ? first : parts[i].whole;
}

static guint category_of(const json_t *element)
{
    guint c = 0;

    while (c <= FORMULA && strcmp(text_of(element, "category_type"), categories[c]) != 0)
        c++;
    return c;
}

/* Whether an element is left out: it is ignored, or a formula without LaTeX, on which the official
 * program stops. @number: of the element on its page, from 1 */
static gboolean leave_out(const TgPage *page, guint number, const json_t *element, Elements *all)
{
    const guint c = category_of(element);
    const char *type = text_of(element, "category_type");
    const char *latex = json_string_value(json_object_get(element, "latex"));
    guint k = N_TOLD;

    if (json_is_true(json_object_get(element, "ignore")))
        return TRUE;
    if (c == FORMULA && latex == NULL)
        k = NO_LATEX;
    else if (c == FORMULA && *tg_skip_blanks(latex) == '\0')
        k = EMPTY_LATEX;
    else if (c > FORMULA && latex != NULL && json_object_get(element, "html") == NULL)
        k = OTHER_TYPE;
    if (k < N_TOLD && all->n[k]++ == 0)
        all->first[k] = g_strdup_printf("page %s, block %u: %s", page->name, number, type);
    json_object_set_new(all->types, type, json_null());
    return k == NO_LATEX;
}

/* Read the elements that are used, and the wholes without a part that is left out. */
static void read_elements(TgPage *page, const json_t *elements, const json_t *relations,
                          Elements *all)
{
    const guint n_parts = (guint) json_array_size(elements);
    g_autoptr(GArray) array = g_array_sized_new(FALSE, FALSE, sizeof(Part), n_parts);
    Part *parts = (Part *) g_array_set_size(array, n_parts)->data;
    json_t *relation;
    size_t k;

    for (guint i = 0; i < n_parts; i++) {
        const json_t *element = json_array_get(elements, i);
        parts[i] = (Part){ element, i, leave_out(page, i + 1, element, all) };
        page->n_formulas += !parts[i].is_left_out && category_of(element) == FORMULA;
    }
    json_array_foreach(relations, k,
                       relation) if (strcmp(text_of(relation, "relation_type"), "truncated") == 0)
        join_parts(parts, n_parts, relation);
    g_array_sort(array, compare_parts); /* a stable sort */
    for (guint i = 0, first = 0; i < n_parts; first = i) {
        g_autoptr(GString) text = g_string_new(NULL);
        gboolean takes_part = TRUE;
        const guint c = category_of(parts[first].json);
        for (; i < n_parts && parts[i].whole == parts[first].whole; i++) {
            takes_part = takes_part && !parts[i].is_left_out;
            append_text_of(text, parts[i].json, c == FORMULA ? "latex" : "text");
        }
        const TgPageItem item = { .category = categories[MIN(c, FORMULA)],
                                  .content = g_string_chunk_insert(page->strings, text->str),
                                  .is_silent = FIRST_SILENT <= c && c != FORMULA,
                                  .order = number_of(parts[first].json, "order"),
                                  .start = 2 * c + (i - first > 1) }; /* wholes last */
        if (takes_part && c <= FORMULA)
            g_array_append_val(page->ref, item);
    }
    g_array_sort(page->ref, compare_items); /* a stable sort */
}

/* "KEY: VALUE; ...", for lists only the entries. */
static char *read_attributes(const json_t *attributes, GStringChunk *strings)
{
    g_autoptr(GString) out = g_string_new(NULL);
    const char *key;
    json_t *value, *entry;
    size_t i;

    json_object_foreach((json_t *) attributes, key, value)
    {
        if (json_is_string(value))
            g_string_append_printf(out, "; %s: %s", key, json_string_value(value));
        json_array_foreach(value, i, entry) if (json_is_string(entry) &&
                                                strstr(json_string_value(entry), "table") == NULL)
            g_string_append_printf(out, "; %s", json_string_value(entry));
    }
    return g_string_chunk_insert(strings, out->len > 0 ? out->str + 2 : "");
}

static void free_page(gpointer data)
{
    TgPage *page = data;

    g_array_unref(page->ref);
    g_string_chunk_free(page->strings);
    g_free(page);
}

/* The entries of a file of JSON or of JSON lines; a list stands for its entries. (transfer full) */
static json_t *read_entries(const char *path, GError **error)
{
    g_autoptr(TgStream) stream = tg_stream_open(path, MAX_REFERENCE, error);
    g_autoptr(GString) text =
        stream != NULL ? tg_stream_read_rest(stream, MAX_REFERENCE, error) : NULL;
    json_auto_t *entries = json_array();

    if (text == NULL)
        return NULL;
    for (const char *at = text->str, *end = at + text->len; at < end; at += strspn(at, " \t\r\n")) {
        json_error_t where;
        json_auto_t *value =
            json_loadb(at, (gsize) (end - at), JSON_ALLOW_NUL | JSON_DISABLE_EOF_CHECK, &where);
        for (const char *p = text->str; value == NULL && p < at; p++)
            where.line += *p == '\n';
        if (value == NULL)
            return tg_null_input(error, "%s: is no JSON file of pages: %s (line %d)", path,
                                 where.text, where.line);
        if (json_is_array(value))
            json_array_extend(entries, value);
        else
            json_array_append(entries, value);
        at += where.position;
    }
    return json_incref(entries);
}

/* A page, or NULL with a fault. @names: the pages so far */
static TgPage *read_page(const json_t *entry, GHashTable *names, Elements *all, const char **fault)
{
    const json_t *info = json_object_get(entry, "page_info");
    const json_t *elements = json_object_get(entry, "layout_dets");
    const json_t *relations = json_object_get(json_object_get(entry, "extra"), "relation");
    const char *image = text_of(info, "image_path"), *name = image;
    const gboolean is_page =
        image[0] != '\0' && json_is_array(elements) &&
        json_array_size(elements) * json_array_size(relations) <= MAX_RELATIONS;

    for (const char *slash = image; (slash = strpbrk(slash, "/\\")) != NULL;)
        name = ++slash;
    if (!is_page || g_hash_table_contains(names, name)) {
        *fault =
            is_page ? "the second of its name" : "without image_path or layout_dets, or too large";
        return NULL;
    }
    TgPage *page = g_new0(TgPage, 1);
    page->strings = g_string_chunk_new(4096);
    page->name = g_string_chunk_insert(page->strings, name);
    page->attributes = read_attributes(json_object_get(info, "page_attribute"), page->strings);
    page->ref = g_array_new(FALSE, TRUE, sizeof(TgPageItem));
    read_elements(page, elements, relations, all);
    g_hash_table_add(names, page->name);
    return page;
}

/* Tell of elements. */
static void tell_elements(Elements *all, const char *path, GPtrArray *faults, GPtrArray *notes)
{
    g_autoptr(GString) types = g_string_new(NULL);
    const char *type;
    json_t *unused;

    for (guint k = 0; k < N_TOLD; k++) {
        if (all->n[k] > 0)
            g_ptr_array_add(
                k == NO_LATEX ? faults : notes,
                g_strdup_printf("%s: %s: %u (first: %s)", path, told[k], all->n[k], all->first[k]));
        g_free(all->first[k]);
    }
    json_object_foreach(all->types, type, unused)
    {
        g_string_append_printf(types, "%s%s", types->len > 0 ? ", " : "", type);
    }
    if (types->len > 0 && json_object_get(all->types, TG_PAGE_FORMULA) == NULL)
        g_ptr_array_add(notes, g_strdup_printf("%s: no block has the type " TG_PAGE_FORMULA
                                               ", which formulas have; the types are: %s",
                                               path, types->str));
}

GPtrArray *tg_pages_load(const char *path, GPtrArray *faults, GPtrArray *notes, GError **error)
{
    g_autoptr(GPtrArray) pages = g_ptr_array_new_with_free_func(free_page);
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    json_auto_t *types = json_object();
    Elements all = { .types = types };
    json_auto_t *root = read_entries(path, error);
    const json_t *entry;
    size_t i;

    if (root == NULL && g_file_test(path, G_FILE_TEST_IS_DIR))
        g_prefix_error(error, "pages need a JSON file of references, and references in Markdown "
                              "'texgauge documents': ");
    if (root == NULL)
        return NULL;
    json_array_foreach(root, i, entry)
    {
        const char *fault;
        TgPage *page = read_page(entry, names, &all, &fault);
        if (page != NULL)
            g_ptr_array_add(pages, page);
        else
            g_ptr_array_add(faults, g_strdup_printf("%s: page %u: %s", path, (guint) i + 1, fault));
    }
    if (pages->len > 0) {
        tell_elements(&all, path, faults, notes);
        return g_steal_pointer(&pages);
    }
    g_ptr_array_set_size(faults, 0); /* replace the messages on all entries by one message */
    return tg_null_input(error,
                         "%s: holds no pages of OmniDocBench's form: a list of objects with "
                         "\"page_info\", which has \"image_path\", and \"layout_dets\"",
                         path);
}

/* Layouts of the files of a page: the second column is the path, where `%s` is the text named by
 * the first column. The first four rows are OmniDocBench's, which cuts four characters off even if
 * the suffix is longer. Others are tried only after these. */
enum { CUT, CUT_PDF, STEM, WHOLE };
static const struct {
    int of;
    const char *path;
} layouts[] = {
    { CUT, "%s.md" },
    { CUT_PDF, "%s.mmd" },
    { CUT_PDF, "%s.md" },
    { WHOLE, "%s.md" },
    { STEM, "%s.md" }, /* for .jpeg, .tiff, .webp */
    { STEM, "%s.mmd" },
    { STEM, "%s.markdown" },
    { STEM, "%s.MD" },
    { STEM, "%s/%s.md" },      /* Marker */
    { STEM, "%s/auto/%s.md" }, /* MinerU, by how it reads a page */
    { STEM, "%s/vlm/%s.md" },
    { STEM, "%s/ocr/%s.md" },
    { STEM, "%s/txt/%s.md" },
    { STEM, "%s/hybrid_auto/%s.md" },
    { STEM, "%s/hybrid_ocr/%s.md" },
    { STEM, "%s/hybrid_txt/%s.md" },
    { STEM, "%s/hybrid_vlm/%s.md" },
    { STEM, "%s/office/%s.md" },
};

/* The paths in a folder where a page may be, each once, in the order in which they are tried.
 * (transfer full) */
static GPtrArray *places_of(const TgPage *page)
{
    const gsize n = strlen(page->name);
    g_autofree char *cut = g_strndup(page->name, n > 4 ? n - 4 : 0),
                    *stem = tg_without_extension(page->name);
    g_autoptr(GString) bare = g_string_new(cut);
    GPtrArray *places = g_ptr_array_new_with_free_func(g_free);

    g_string_replace(bare, ".pdf", "", 0);
    const char *const names[] = { cut, bare->str, stem, page->name };
    for (guint i = 0; i < G_N_ELEMENTS(layouts); i++) {
        g_autoptr(GString) file = g_string_new(layouts[i].path);
        g_string_replace(file, "%s", names[layouts[i].of], 0);
        if (!g_ptr_array_find_with_equal_func(places, file->str, g_str_equal, NULL))
            g_ptr_array_add(places, g_strdup(file->str));
    }
    return places;
}

GPtrArray *tg_page_find(const TgPage *page, const char *folder)
{
    g_autoptr(GPtrArray) places = places_of(page);
    GPtrArray *found = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < places->len; i++) {
        g_autofree char *path = g_build_filename(folder, places->pdata[i], NULL);
        if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
            g_ptr_array_add(found, g_steal_pointer(&path));
    }
    return found;
}

/* Add the Markdown files of a folder and of the folders in it, each folder's own files first.
 * @left: (inout) entries that may still be looked at */
static void add_markdown(GPtrArray *paths, const char *folder, guint depth, guint *left)
{
    g_autoptr(GPtrArray) entries = tg_folder_names(folder, "", NULL);
    const guint n = MIN(entries->len, *left);

    *left -= n;
    for (guint i = 0; i < n; i++)
        if (tg_is_markdown_file(entries->pdata[i]))
            g_ptr_array_add(paths, g_build_filename(folder, entries->pdata[i], NULL));
    for (guint i = 0; i < n && depth > 0; i++) {
        g_autofree char *path = g_build_filename(folder, entries->pdata[i], NULL);
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            add_markdown(paths, path, depth - 1, left);
    }
}

GPtrArray *tg_pages_markdown(const char *folder)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    guint left = MAX_ENTRIES;

    add_markdown(paths, folder, MAX_FOLDERS, &left);
    return paths;
}

gboolean tg_pages_fail_to_find(const GPtrArray *pages, const char *folder, const char *ref,
                               GError **error)
{
    const TgPage *first = pages->pdata[0], pattern = { .name = (char *) "NAME.jpg" };
    g_autoptr(GPtrArray) places = places_of(&pattern), found = tg_pages_markdown(folder);
    g_autofree char *has =
        found->len > 0 ? g_strdup_printf("its first Markdown file is %s", (char *) found->pdata[0])
                       : g_strdup("it has no file in " TG_MARKDOWN_ENDINGS);

    g_ptr_array_add(places, NULL);
    g_autofree char *wanted = g_strjoinv(", ", (char **) places->pdata);
    return tg_fail_input(
        error,
        "%s: has none of the %u page%s of %s, such as %s; the page NAME.jpg may be "
        "%s; %s",
        folder, pages->len, pages->len == 1 ? "" : "s", ref, first->name, wanted, has);
}
