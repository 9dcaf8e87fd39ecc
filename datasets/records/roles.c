/* Decides by names and by values which field of a file plays which role; nothing else does. */
#include "datasets/records/fields.h"

#include <pthread.h>
#include <string.h>

#include "core/number.h"
#include "datasets/records/formula.h"

#define FORMULA   TG_N_ROLES       /* reference or prediction, as the side says */
#define NEITHER   (TG_N_ROLES + 1) /* plays no role, and is no formula that is left over */
#define MAX_NAMED 20               /* fields that a message lists */
#define MAX_NAME  80   /* bytes of a model's or subset's name that a field is taken for */
#define MAX_ID    1024 /* bytes of an id; a picture in base64 has more */
#define MANY      3    /* rows from which on "the same in every row" says something */

/* ---- names ---- */

/* How much a name says. */
typedef enum { UNKNOWN, GENERAL, LIKELY, SURE } Score;

/* Names that are understood unasked, in any case and with any of " _-." in them. */
static const struct {
    guint role;
    Score score;
    const char *names;
} names_of_roles[] = {
    { TG_ROLE_REF, SURE,
      "gt truth ground_truth reference references refs ref gold gts ground_truths gt_text text_gt "
      "latex_true true_latex latex_gt gt_latex gt_formula gt_answer reference_latex "
      "reference_formula reference_text reference_answer ref_latex ref_text ref_answer gold_answer "
      "ground_truth_latex ground_truth_answer ground_truth_formula true_formula true_answer" },
    { TG_ROLE_REF, LIKELY,
      "target label labels targets answers annotation annotations expected expected_output "
      "expected_answer "
      "correct_answer solution label_text target_text label_latex target_latex golden "
      "latex_label latex_reference" },
    { TG_ROLE_HYP, SURE,
      "pred prediction predicted hyp hypothesis preds predictions hyps hypotheses latex_pred "
      "pred_latex pred_formula pred_text text_pred pred_answer pred_str predict predicts "
      "predicted_latex "
      "predicted_formula predicted_text predicted_answer prediction_latex latex_prediction" },
    { TG_ROLE_HYP, LIKELY,
      "candidate output model_output generated response extracted_formula completion "
      "outputs responses generations completions candidates generation generated_text "
      "generated_latex output_text output_latex decoded decoded_text rec_formula rec_text "
      "llm_output llm_response llm_answer model_answer model_response model_prediction "
      "filtered_resps choices recognized recognition ocr_result ocr_text" },
    { FORMULA, GENERAL,
      "latex formula equation latex_formula tex caption answer text math formulas latex_code "
      "latex_text conversations messages latex_string latex_styled" },
    { TG_ROLE_ID, SURE,
      "custom_id id img_id image_id sample_id formula_id pair_id uid uuid key gt_id question_id "
      "doc_id example_id item_id task_id image image_path image_name img_name filename file_name "
      "image_filename image_file img img_path input_path file path name" },
    { TG_ROLE_ID, GENERAL, "index idx unnamed_0 __index_level_0__ row line no number nr" },
    { TG_ROLE_SUBSET, SURE, "subset split category gt_category_type category_type type" },
    { TG_ROLE_MODEL, SURE, "model model_name system" },
    { TG_ROLE_HUMAN, SURE, "human human_scores human_score human_study_scores ratings rating" },
    { NEITHER, SURE,
      "question query prompt instruction input context problem origin_prompt prompts inputs "
      "arguments doc spoken transcription transcript comment comments remark note notes error "
      "error_info error_message "
      "reason reasoning reasoning_content explanation thought thinking cot rationale logprobs "
      "bbox score scores source license url status dataset dataset_name eval filter annotator "
      "rater" },
};

typedef struct {
    guint role;
    Score score;
    guint rank; /* its place in the table */
} Meaning;

/* A name without case and separators. The first column of pandas has the empty one. */
static char *normal_name(const char *name)
{
    GString *normal = g_string_new(NULL);

    for (const char *c = name; *c != '\0'; c++)
        if (strchr(" _-.:\t", *c) == NULL)
            g_string_append_c(normal, g_ascii_tolower(*c));
    if (*name == '\0')
        g_string_append(normal, "unnamed0");
    return g_string_free(normal, FALSE);
}

static GHashTable *names_by_form; /* of Meaning, by normal_name() */

static void make_names(void)
{
    names_by_form = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

    for (guint i = 0; i < G_N_ELEMENTS(names_of_roles); i++) {
        g_auto(GStrv) names = g_strsplit(names_of_roles[i].names, " ", -1);

        for (guint k = 0; names[k] != NULL; k++) {
            const Meaning meaning = { names_of_roles[i].role, names_of_roles[i].score,
                                      g_hash_table_size(names_by_form) };
            g_hash_table_insert(names_by_form, normal_name(names[k]),
                                g_memdup2(&meaning, sizeof meaning));
        }
    }
}

/* The meaning of a name by itself; NULL for an unknown one. */
static const Meaning *name_means(const char *name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    g_autofree char *normal = normal_name(name);

    pthread_once(&once, make_names);
    return g_hash_table_lookup(names_by_form, normal);
}

gboolean tg_roles_is_formula_name(const char *name)
{
    const Meaning *meaning = name_means(name);

    return meaning != NULL && (meaning->role == TG_ROLE_REF || meaning->role == TG_ROLE_HYP ||
                               meaning->role == FORMULA);
}

gboolean tg_roles_is_id_name(const char *name)
{
    const Meaning *meaning = name_means(name);

    return meaning != NULL && meaning->role == TG_ROLE_ID && meaning->score == SURE;
}

gboolean tg_roles_is_reference_name(const char *name)
{
    const Meaning *meaning = name_means(name);

    return meaning != NULL && meaning->role == TG_ROLE_REF && meaning->score == SURE;
}

/* Rows read for one side leave the formula of the other alone. */
static gboolean role_counts(TgRole role, TgFileSide side)
{
    if (side == TG_FILE_RATINGS && (role == TG_ROLE_REF || role == TG_ROLE_HYP))
        return FALSE;
    return !(role == TG_ROLE_HYP && side == TG_FILE_REFERENCES) &&
           !(role == TG_ROLE_REF && side == TG_FILE_HYPOTHESES);
}

gboolean tg_roles_know(const TgFieldMap *map, TgFileSide side, const char *name, TgRole *role)
{
    const Meaning *meaning = name_means(name);

    if (meaning == NULL || meaning->role == NEITHER ||
        (meaning->role == TG_ROLE_ID && meaning->score == GENERAL))
        return FALSE;
    *role = meaning->role != FORMULA     ? (TgRole) meaning->role
            : side == TG_FILE_HYPOTHESES ? TG_ROLE_HYP
                                         : TG_ROLE_REF;
    if (*role == TG_ROLE_HUMAN && map->groups->len > 0)
        return FALSE;
    return !map->mapped[*role] && role_counts(*role, side);
}

/* Whether one of the words in a name speaks for a reference, or for a prediction. */
static gboolean name_has_word(const char *name, gboolean of_reference)
{
    static const char *const words[][16] = {
        { "pred", "prediction", "predicted", "output", "hyp", "response", "generated", "model",
          "llm", "ocr", "read", "recognized", "result", "decoded", NULL },
        { "gt", "truth", "true", "ref", "reference", "gold", "label", "target", "expected",
          "correct", "truths", "labels", "groundtruth", "norm", "normalized", NULL },
    };
    g_auto(GStrv) parts = g_strsplit_set(name, " _-.", -1);

    for (guint i = 0; parts[i] != NULL; i++) {
        g_autofree char *word = g_ascii_strdown(parts[i], -1);

        if (g_strv_contains(words[of_reference], word))
            return TRUE;
    }
    return FALSE;
}

/* ---- values ---- */

/* Add the text inside the answer of an API (OpenAI, Anthropic, Gemini, and batches of them) to
 * @text, at most @depth objects below @value. The texts of a list are one answer if they are its
 * @parts; else the first one counts, and *@n_more others do not. FALSE: there is none */
static gboolean add_answer(json_t *value, guint depth, gboolean parts, GString *text, guint *n_more)
{
    static const struct {
        const char *name;
        gboolean parts;
    } members[] = {
        { "body", FALSE },       { "message", FALSE }, { "choices", FALSE },
        { "candidates", FALSE }, { "content", TRUE },  { "parts", TRUE },
        { "text", FALSE },       { "output", TRUE },   { "latex", FALSE },
    };
    gboolean found = FALSE;
    json_t *item;
    gsize at;

    if (json_is_string(value)) {
        g_string_append_len(text, json_string_value(value), (gssize) json_string_length(value));
        return TRUE;
    }
    if (depth == 0 || value == NULL ||
        json_integer_value(json_object_get(value, "status_code")) >= 400) /* of HTTP: an error */
        return FALSE;
    json_array_foreach(value, at, item)
    {
        const char *type = json_string_value(json_object_get(item, "type"));
        const gboolean is_thought = g_strcmp0(type, "reasoning") == 0 ||
                                    json_is_true(json_object_get(item, "thought")); /* Gemini */

        if (!json_is_object(item) || is_thought)
            continue;
        if (parts || !found)
            found |= add_answer(item, depth - 1, FALSE, text, n_more);
        else
            ++*n_more;
    }
    for (guint i = 0; !found && i < G_N_ELEMENTS(members); i++)
        found = add_answer(json_object_get(value, members[i].name), depth - 1, members[i].parts,
                           text, n_more);
    return found;
}

/* The same as a value; NULL: there is none. (transfer full) */
static json_t *answer_text(json_t *value, gboolean parts, guint *n_more)
{
    g_autoptr(GString) text = g_string_new(NULL);

    return add_answer(value, 8, parts, text, n_more) ? json_stringn_nocheck(text->str, text->len)
                                                     : NULL;
}

/* The text of what a model says last in a list of turns, or NULL. (transfer full) */
static json_t *last_answer(json_t *turns, guint *n_more)
{
    static const char *const models[] = { "gpt", "assistant", "model", NULL };

    for (gsize i = json_array_size(turns); i-- > 0;) {
        json_t *turn = json_array_get(turns, i), *text;
        const char *who = json_string_value(json_object_get(turn, "from"));

        if (who == NULL)
            who = json_string_value(json_object_get(turn, "role"));
        if (who == NULL || !g_strv_contains(models, who))
            continue;
        text = json_object_get(turn, "value");
        text = text != NULL ? text : json_object_get(turn, "content");
        return json_is_array(text) ? answer_text(text, TRUE, n_more) : json_incref(text);
    }
    return NULL;
}

static gboolean is_conversation(json_t *value)
{
    json_t *turn = json_array_get(value, 0);

    return json_is_object(turn) &&
           (json_object_get(turn, "from") != NULL || json_object_get(turn, "role") != NULL);
}

/* The conversation that stands in a text as JSON; NULL: the text is none. (transfer full) */
static json_t *conversation_of(const char *text, gsize len)
{
    gsize i = 1;

    if (text[0] != '[')
        return NULL; /* so it is nearly always */
    while (g_ascii_isspace(text[i]))
        i++;
    return text[i] == '{' ? json_loadb(text, len, 0, NULL) : NULL;
}

/* Whether a list is the parts of one answer, which APIs give each a type. */
static gboolean are_parts(json_t *list)
{
    static const char *const types[] = { "text",     "output_text",       "message", "reasoning",
                                         "thinking", "redacted_thinking", NULL };
    json_t *item;
    gsize i;

    json_array_foreach(list, i, item)
    {
        const char *type = json_string_value(json_object_get(item, "type"));

        if (type == NULL || !g_strv_contains(types, type))
            return FALSE;
    }
    return json_array_size(list) > 0;
}

/* See tg_value_as_text(); *@n_more other answers are in the value. */
static json_t *text_of_value(json_t *value, guint *n_more)
{
    json_t *first = json_array_get(value, 0);

    if (json_is_string(value)) {
        json_auto_t *talk = conversation_of(json_string_value(value), json_string_length(value));
        json_auto_t *answer = is_conversation(talk) ? last_answer(talk, n_more) : NULL;

        return json_incref(json_is_string(answer) ? answer : value);
    }
    if (is_conversation(value))
        return last_answer(value, n_more);
    if (json_array_size(value) == 1 && json_is_string(first))
        return json_incref(first);
    const gboolean parts = are_parts(value);
    if (parts || json_is_object(value) || json_object_get(first, "message") != NULL ||
        (json_array_size(value) == 1 && json_is_object(first)))
        return answer_text(value, parts, n_more);
    return NULL;
}

json_t *tg_value_as_text(json_t *value)
{
    guint n_more = 0;

    return text_of_value(value, &n_more);
}

gsize tg_look_stem(const char *name, gsize len)
{
    static const char *const extensions[] = { "png",  "jpg", "jpeg", "bmp",   "gif", "tif", "tiff",
                                              "webp", "svg", "pdf",  "inkml", "lg",  "txt", "tex",
                                              "json", "xml", "html", "mml",   "npy", "wav", "mp3",
                                              "flac", "md",  "pkl",  NULL };
    const char *dot = g_strrstr_len(name, (gssize) len, ".");

    if (dot == NULL || dot == name || dot[-1] == '/')
        return len;
    g_autofree char *word = g_ascii_strdown(dot + 1, (gssize) (name + len - dot - 1));
    return g_strv_contains(extensions, word) ? (gsize) (dot - name) : len;
}

static gboolean look_is_number(const char *text, gsize len)
{
    static const char *const truths[] = { "true", "false", "yes", "no", NULL };
    double number;

    if (len > 40)
        return FALSE;
    g_autofree char *word = g_ascii_strdown(text, (gssize) len);
    return g_strv_contains(truths, word) || tg_number_parse(word, &number);
}

TgLook tg_look_of(const char *text, gsize len)
{
    gsize n_words = 0, n_letters = 0, run = 0, n_wide = 0;
    gboolean spaces = FALSE, tex = FALSE, plain = TRUE;

    while (len > 0 && g_ascii_isspace(*text)) {
        text++;
        len--;
    }
    while (len > 0 && g_ascii_isspace(text[len - 1]))
        len--;
    if (len == 0)
        return TG_LOOK_EMPTY;
    for (gsize i = 0; i <= len; i++) {
        const char c = i < len ? text[i] : ' ';

        if (g_ascii_isalpha(c)) {
            run++;
            n_letters++;
        } else {
            n_words += run >= 2;
            run = 0;
        }
        if (i == len)
            break;
        spaces = spaces || g_ascii_isspace(c);
        tex = tex || strchr("\\^{}=$+", c) != NULL || (c == '_' && spaces);
        plain = plain && (g_ascii_isalnum(c) || c == '_' || c == '-');
        n_wide += (guchar) c >= 0xC0;
    }
    if (look_is_number(text, len))
        return TG_LOOK_NUMBER;
    if (!spaces && strpbrk(text, "\\{}^$") == NULL &&
        (g_strstr_len(text, (gssize) len, "://") != NULL || tg_look_stem(text, len) < len))
        return TG_LOOK_PATH;
    if (!tex && ((spaces && n_words >= 2) || n_wide >= 4))
        return TG_LOOK_PROSE;
    if (!spaces && plain && len >= 3 && n_letters >= 3 && g_ascii_isalpha(text[0]))
        return TG_LOOK_WORD;
    return TG_LOOK_FORMULA;
}

/* ---- the first rows, field by field ---- */

/* A field, as the first rows show it. */
typedef struct {
    char *name;
    const Meaning *meaning;                      /* NULL: unknown */
    guint n;                                     /* rows that have it, be it null */
    guint n_texts, n_lists, n_scalars, n_others; /* and what its values are there */
    guint n_numbers;                             /* lists that are of numbers */
    guint n_answers; /* objects with a text deeper inside, as APIs answer */
    guint n_more;    /* answers beside the first one */
    guint n_talks;   /* texts that are what a model says last in a conversation */
    guint looks[TG_N_LOOKS];
    guint n_tex;    /* texts with a backslash, a power or a brace */
    guint n_talk;   /* texts with a sentence in them, whatever formulas it has */
    gsize longest;  /* text */
    GArray *hashes; /* guint: a row's text without blanks and dollars; 0 where it has none */
    gboolean repeats;
    GHashTable *seen; /* of the hashes */
} Field;

struct TgFieldSample {
    GPtrArray *fields; /* Field, in the order of the file */
    GHashTable *by_name;
    guint n_rows;
    gboolean is_table; /* its fields are called columns */
};

static void field_free(gpointer data)
{
    Field *field = data;

    g_free(field->name);
    g_array_unref(field->hashes);
    g_hash_table_unref(field->seen);
    g_free(field);
}

TgFieldSample *tg_field_sample_new(void)
{
    TgFieldSample *self = g_new0(TgFieldSample, 1);

    self->fields = g_ptr_array_new_with_free_func(field_free);
    self->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    return self;
}

void tg_field_sample_free(TgFieldSample *self)
{
    if (self == NULL)
        return;
    g_ptr_array_unref(self->fields);
    g_hash_table_unref(self->by_name);
    g_free(self);
}

guint tg_field_sample_n_rows(const TgFieldSample *self)
{
    return self->n_rows;
}

static Field *sample_field(TgFieldSample *self, const char *name)
{
    Field *field = g_hash_table_lookup(self->by_name, name);

    if (field != NULL)
        return field;
    field = g_new0(Field, 1);
    field->name = g_strdup(name);
    field->meaning = name_means(name);
    field->hashes = g_array_new(FALSE, TRUE, sizeof(guint));
    field->seen = g_hash_table_new(NULL, NULL);
    g_ptr_array_add(self->fields, field);
    g_hash_table_insert(self->by_name, field->name, field);
    return field;
}

void tg_field_sample_add_name(TgFieldSample *self, const char *name)
{
    sample_field(self, name);
    self->is_table = TRUE;
}

/* Equal for texts that differ in blanks, dollars and outer delimiters alone; never 0. */
static guint text_hash(const char *text, gsize len)
{
    guint hash = 5381;

    text = tg_delimiters_strip(text, len, &len);
    for (gsize i = 0; i < len; i++)
        if (!g_ascii_isspace(text[i]) && text[i] != '$')
            hash = hash * 33 + (guchar) text[i];
    return hash != 0 ? hash : 1;
}

/* Whether a text has three words, and two of them side by side, outside commands and braces. */
static gboolean has_sentence(const char *text, gsize len)
{
    guint n = 0, n_beside = 0, run = 0;
    gboolean after_word = FALSE;
    gint depth = 0;

    for (gsize i = 0; i <= len; i++) {
        const char c = i < len ? text[i] : ' ';

        if (g_ascii_isalpha(c)) {
            run++;
            continue;
        }
        if (run >= 2 && depth <= 0) {
            n++;
            n_beside += after_word;
        }
        after_word = (run >= 2 || (after_word && run == 0)) && c == ' ';
        run = 0;
        depth += (c == '{') - (c == '}');
        if (c == '\\') /* a command is no word */
            while (i + 1 < len && g_ascii_isalpha(text[i + 1]))
                i++;
    }
    return n >= 3 && n_beside > 0;
}

static void field_add_text(Field *field, guint row, const char *text, gsize len)
{
    const guint hash = text_hash(text, len);

    field->looks[tg_look_of(text, len)]++;
    field->n_tex += strpbrk(text, "\\^{}") != NULL;
    field->n_talk += has_sentence(text, len);
    field->longest = MAX(field->longest, len);
    g_array_set_size(field->hashes, row + 1);
    g_array_index(field->hashes, guint, row) = hash;
    if (!g_hash_table_add(field->seen, GUINT_TO_POINTER(hash)))
        field->repeats = TRUE;
}

void tg_field_sample_add(TgFieldSample *self, json_t *object)
{
    const guint row = self->n_rows++;
    const char *name;
    json_t *value;

    json_object_foreach(object, name, value)
    {
        Field *field = sample_field(self, name);
        json_auto_t *text = text_of_value(value, &field->n_more);

        field->n++;
        if (json_is_null(value))
            continue;
        if (json_is_array(value) && json_is_string(json_array_get(value, 0)) && text == NULL) {
            field->n_lists++;
            text = json_incref(json_array_get(value, 0));
        } else if (json_is_string(text)) {
            field->n_texts++;
            field->n_answers += json_is_object(value) && json_object_get(value, "text") == NULL &&
                                json_object_get(value, "latex") == NULL;
            field->n_talks += is_conversation(value) || (json_is_string(value) && text != value);
        } else if (json_is_integer(json_array_get(value, 0))) { /* perhaps token ids */
            field->n_lists++;
            field->n_numbers++;
            field->looks[TG_LOOK_FORMULA]++;
            continue;
        } else if (json_is_integer(value) || json_is_real(value)) {
            g_autofree char *number = json_dumps(value, JSON_ENCODE_ANY);

            field->n_scalars++;
            field_add_text(field, row, number, strlen(number));
            continue;
        } else {
            field->n_others++;
            continue;
        }
        field_add_text(field, row, json_string_value(text), json_string_length(text));
    }
}

static guint field_n_texts(const Field *field)
{
    return field->n_texts + field->n_lists;
}

static gboolean field_is_constant(const Field *field)
{
    return field_n_texts(field) >= MANY && g_hash_table_size(field->seen) == 1;
}

/* Whether half of the texts can be formulas. */
static gboolean field_can_be_formula(const Field *field)
{
    const guint n = field_n_texts(field);

    return n > 0 && 2 * (field->looks[TG_LOOK_FORMULA] + field->looks[TG_LOOK_EMPTY]) >= n &&
           field->looks[TG_LOOK_FORMULA] > 0;
}

/* Compare two fields in the rows that have both, whose number is *@n: (out). Returns whether they
 * are the same there. */
static gboolean compare_fields(const Field *a, const Field *b, guint *n)
{
    *n = 0;
    for (guint i = 0; i < MIN(a->hashes->len, b->hashes->len); i++) {
        const guint x = g_array_index(a->hashes, guint, i), y = g_array_index(b->hashes, guint, i);

        if (x != 0 && y != 0 && x != y)
            return FALSE;
        *n += x != 0 && y != 0;
    }
    return TRUE;
}

/* Whether two fields say different things of one row; columns without rows may. */
static gboolean fields_differ(const Field *a, const Field *b)
{
    guint n;

    return !compare_fields(a, b, &n) || (n == 0 && (a->n == 0 || b->n == 0));
}

/* ---- the decision ---- */

typedef struct {
    const TgFieldMap *map;
    TgFileSide side;
    const TgFieldSample *sample;
    gboolean by_names; /* a single row: only known names count */
    GString *aside;    /* fields left aside, and why */
    const char *file;  /* its name */
    char **reason;
} Decision;

/* Whether the user gave this field a role on this side. */
static gboolean is_mapped(const Decision *self, const char *name)
{
    for (guint role = 0; role < TG_N_ROLES; role++) {
        const TgSlotRange *range = &self->map->roles[role];

        for (guint i = range->first; i < range->first + range->n; i++) {
            const TgFieldPath *path = self->map->paths->pdata[i];

            if (role_counts((TgRole) role, self->side) &&
                (strcmp(path->text, name) == 0 || g_strcmp0(path->steps[0], name) == 0))
                return TRUE;
        }
    }
    return FALSE;
}

/* Whether the values are of a kind that is no formula, so that only --map can make them one. */
static gboolean field_is_no_formula(const Field *field)
{
    const guint n = field_n_texts(field), n_full = n - field->looks[TG_LOOK_EMPTY];

    if (n == 0)
        return field->n > 0 && field->n_scalars + field->n_others > 0;
    return n_full > 0 && field->looks[TG_LOOK_PATH] == n_full;
}

/* Whether a field is no formula, also because @other holds LaTeX while this one holds prose,
 * numbers or names in @least rows or more. */
static gboolean field_is_no_formula_beside(const Field *field, const Field *other, guint least)
{
    const guint n_full = field_n_texts(field) - field->looks[TG_LOOK_EMPTY];

    if (field_is_no_formula(field))
        return TRUE;
    if (n_full < MAX(least, 1) || other == NULL || field->n_tex > 0 || other->n_tex == 0 ||
        2 * other->n_tex < field_n_texts(other))
        return FALSE;
    return field->looks[TG_LOOK_PROSE] == n_full || field->looks[TG_LOOK_NUMBER] == n_full ||
           field->looks[TG_LOOK_WORD] == n_full;
}

/* Whether a field is what somebody answers, so the prediction beside a reference, in one row too.
 */
static gboolean is_answer(const Field *field)
{
    return field->n_talks > 0 || g_ascii_strcasecmp(field->name, "answer") == 0;
}

/* The fields that a role may have by their names, of at least @least. */
static GPtrArray *find_candidates(const Decision *self, guint role, Score least)
{
    GPtrArray *found = g_ptr_array_new();

    for (guint i = 0; i < self->sample->fields->len; i++) {
        Field *field = self->sample->fields->pdata[i];

        if (field->meaning != NULL && field->meaning->role == role &&
            field->meaning->score >= least && !is_mapped(self, field->name) &&
            (field->n == 0 || field_n_texts(field) + field->n_scalars + field->n_others > 0) &&
            !(role == TG_ROLE_REF && field->n_texts >= MANY &&
              field->looks[TG_LOOK_EMPTY] == field->n_texts))
            g_ptr_array_add(found, field);
    }
    return found;
}

/* Whether a name is that of an identifier: request_id, "session uuid". */
static gboolean is_name_of_id(const char *name)
{
    g_autofree char *lower = g_ascii_strdown(name, -1);
    const char *word = lower + strlen(lower);

    while (word > lower && strchr(" _-.", word[-1]) == NULL)
        word--;
    return strcmp(word, "id") == 0 || strcmp(word, "uuid") == 0;
}

/* Fields without a meaning that can be formulas as well as @like (NULL: any) is one. */
static GPtrArray *left_over(const Decision *self, const Field *like)
{
    GPtrArray *found = g_ptr_array_new();

    for (guint i = 0; !self->by_names && i < self->sample->fields->len; i++) {
        Field *field = self->sample->fields->pdata[i];

        if (field->meaning != NULL || is_mapped(self, field->name) || is_name_of_id(field->name) ||
            (field->n == 1 && self->sample->n_rows >= MANY) || /* {"a.png": ...}: an id */
            !field_can_be_formula(field) || field_is_constant(field) || field->n_numbers > 0 ||
            (like != NULL && like->n_tex > 0 && 4 * field->n_tex < field_n_texts(field)))
            continue;
        g_ptr_array_add(found, field);
    }
    return found;
}

char *tg_field_sample_names(const TgFieldSample *sample)
{
    GString *names = g_string_new(NULL);

    for (guint i = 0; i < sample->fields->len; i++) {
        if (i == MAX_NAMED) {
            g_string_append(names, ", ...");
            break;
        }
        g_string_append(names, i > 0 ? ", " : "");
        const char *name = ((const Field *) sample->fields->pdata[i])->name;
        g_string_append_printf(names, strpbrk(name, " ,") != NULL || *name == '\0' ? "'%s'" : "%s",
                               name);
    }
    return g_string_free(names, FALSE);
}

/* The option to write: with fields where there is one choice only, else with FIELD. */
static char *map_option(const Decision *self, const Field *ref, const Field *hyp)
{
    g_autoptr(GString) map = g_string_new(NULL);
    const char *name = "", *quote = "";

    for (TgRole role = TG_ROLE_REF; role <= TG_ROLE_HYP; role++) {
        const Field *field = role == TG_ROLE_REF ? ref : hyp;

        if (!role_counts(role, self->side) || self->map->mapped[role] ||
            (field != NULL && field->meaning != NULL && field->meaning->score >= LIKELY))
            continue; /* that is known already */
        name = field != NULL ? field->name : "FIELD";
        if (strpbrk(name, ",+'") != NULL || *name == '\0')
            name = "FIELD";
        quote = strpbrk(name, " \t\"$&;|<>()*?\\") != NULL ? "'" : quote;
        g_string_append_printf(map, "%s%s=%s", map->len > 0 ? "," : "",
                               role == TG_ROLE_REF ? "gt" : "pred", name);
    }
    /* A map holds for every file, a column for its own. */
    if (self->side == TG_FILE_HYPOTHESES && self->map->several)
        return g_strdup_printf("--pred %s[NAME=]%s:%s%s", quote, self->file, name, quote);
    return g_strdup_printf("--map %s%s%s", quote, map->str, quote);
}

G_GNUC_PRINTF(4, 5)
static gboolean refuse_fields(const Decision *self, const Field *ref, const Field *hyp,
                              const char *format, ...)
{
    g_autofree char *names = tg_field_sample_names(self->sample);
    g_autofree char *option = map_option(self, ref, hyp);
    va_list arguments;

    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    *self->reason = g_strdup_printf("%s (%s: %s); name it: %s", what,
                                    self->sample->is_table ? "columns" : "fields", names, option);
    return FALSE;
}

static void leave_field_aside(const Decision *self, const Field *field, const char *why)
{
    g_autofree char *what = g_strdup_printf("'%s' %s", field->name, why);

    if (strstr(self->aside->str, what) == NULL)
        g_string_append_printf(self->aside, "%s%s", self->aside->len > 0 ? ", " : "", what);
}

static const char *why_no_formula(const Field *field)
{
    if (field_n_texts(field) == 0)
        return "is no text";
    return field->looks[TG_LOOK_PATH] > 0     ? "holds file names"
           : field->looks[TG_LOOK_NUMBER] > 0 ? "holds numbers"
           : field->looks[TG_LOOK_PROSE] > 0  ? "holds prose"
           : field_is_constant(field)         ? "is the same in every row"
                                              : "holds names";
}

/* The best of @fields by name; of equal ones the first, if all hold the same. FALSE: two differ. */
static gboolean choose_field(const Decision *self, const GPtrArray *fields, const char *role,
                             Field **chosen)
{
    *chosen = NULL;
    for (guint i = 0; i < fields->len; i++) {
        Field *field = fields->pdata[i];
        const Score score = field->meaning != NULL ? field->meaning->score : UNKNOWN;
        const Score best =
            *chosen != NULL && (*chosen)->meaning != NULL ? (*chosen)->meaning->score : UNKNOWN;
        const gboolean differs = *chosen != NULL && fields_differ(field, *chosen);

        if (differs && score == best)
            return refuse_fields(self, NULL, NULL, "'%s' and '%s' can both be %s, and they differ",
                                 (*chosen)->name, field->name, role);
        if (differs)
            leave_field_aside(self, score > best ? *chosen : field, "is a less certain name");
        if (*chosen == NULL || score > best)
            *chosen = field;
    }
    return TRUE;
}

/* Drop those that are no formulas beside the LaTeX of another of them or of @other. */
static void drop_no_formulas(const Decision *self, GPtrArray *fields, const GPtrArray *more,
                             const Field *other)
{
    for (guint i = fields->len; i-- > 0;) {
        Field *field = fields->pdata[i];
        gboolean drop = field_is_no_formula(field);

        if (drop && field_n_texts(field) == 0 && fields->len + more->len == 1)
            continue; /* then its rows say what is wrong */
        for (guint k = 0; !drop && k < fields->len; k++)
            drop = k != i && field_is_no_formula_beside(field, fields->pdata[k], 1);
        for (guint k = 0; !drop && k < more->len; k++)
            drop = field_is_no_formula_beside(field, more->pdata[k], 1);
        if (!drop && !field_is_no_formula_beside(field, other, MANY))
            continue;
        leave_field_aside(self, field, why_no_formula(field));
        g_ptr_array_remove_index(fields, i);
    }
}

/* Drop likely references that are sentences in most rows where another of them, or of @more, has
 * none: a solution beside its answer. @hyp: the prediction, which is no reference, or NULL */
static void drop_sentences(const Decision *self, GPtrArray *fields, const GPtrArray *more,
                           const Field *hyp)
{
    for (guint i = fields->len; i-- > 0;) {
        Field *field = fields->pdata[i];
        const guint n_full = field_n_texts(field) - field->looks[TG_LOOK_EMPTY];
        gboolean drop = FALSE;

        for (guint k = 0; k < fields->len + more->len && !drop && n_full > 0; k++) {
            const Field *other = k < fields->len ? fields->pdata[k] : more->pdata[k - fields->len];

            drop = other != field && other != hyp && other->n_talk == 0 && other->n_talks == 0 &&
                   field_can_be_formula(other);
        }
        if (!drop || 2 * field->n_talk < n_full || field->meaning->score == SURE)
            continue;
        leave_field_aside(self, field, "holds prose");
        g_ptr_array_remove_index(fields, i);
    }
}

/* Add the items of @more to @fields. */
static void add_fields(GPtrArray *fields, const GPtrArray *more)
{
    for (guint i = 0; i < more->len; i++)
        g_ptr_array_add(fields, more->pdata[i]);
}

/* Drop what is no second choice: it holds the same as an earlier one, or is in no row with it. */
static void drop_copies(GPtrArray *fields)
{
    for (guint i = fields->len; i-- > 1;)
        for (guint k = 0; k < i; k++)
            if (!fields_differ(fields->pdata[i], fields->pdata[k])) {
                g_ptr_array_remove_index(fields, i);
                break;
            }
}

/* A field with a name of a role that is empty in every row, perhaps with empty texts; NULL: none.
 */
static Field *empty_field(const Decision *self, TgRole role, gboolean with_texts)
{
    for (guint i = 0; i < self->sample->fields->len; i++) {
        Field *field = self->sample->fields->pdata[i];
        const guint n_texts = field_n_texts(field);

        if (field->meaning != NULL && field->meaning->role == role && field->n > 0 &&
            n_texts == (with_texts ? field->looks[TG_LOOK_EMPTY] : 0) &&
            field->n_scalars + field->n_others == 0 &&
            (with_texts || !is_mapped(self, field->name)))
            return field;
    }
    return NULL;
}

/* The only one of @fields whose name speaks for a side, or the only one at all; NULL: none is. */
static Field *only_field(const GPtrArray *fields, gboolean of_reference, const Field *but)
{
    Field *found = NULL;
    guint n_left = 0, n_named = 0;

    for (guint i = 0; i < fields->len; i++) {
        Field *field = fields->pdata[i];

        if (field == but || name_has_word(field->name, !of_reference))
            continue;
        if (name_has_word(field->name, of_reference)) {
            found = n_named == 0 ? field : NULL;
            n_named++;
        } else if (n_named == 0) {
            found = n_left == 0 ? field : NULL;
        }
        n_left++;
    }
    return found;
}

/* Refuse because of @what, or because no field is known as @role; the hint names fields where their
 * names leave one choice. */
static gboolean refuse_unknown(const Decision *self, const char *what, const char *role,
                               GPtrArray *fields, const Field *ref, const Field *hyp)
{
    Decision loose = *self;

    loose.by_names = FALSE;
    g_autoptr(GPtrArray) more = self->by_names ? left_over(&loose, NULL) : g_ptr_array_new();
    add_fields(fields, more);
    if (ref == NULL)
        ref = only_field(fields, TRUE, hyp);
    if (hyp == NULL)
        hyp = only_field(fields, FALSE, ref);
    if (ref == NULL && hyp != NULL && fields->len == 2) /* two, and one is spoken for */
        ref = only_field(fields, TRUE, hyp);
    if (what != NULL)
        return refuse_fields(self, ref, hyp, "%s", what);
    return refuse_fields(self, ref, hyp, "no %s is known as %s%s%s",
                         self->sample->is_table ? "column" : "field", role,
                         self->aside->len > 0 ? ": " : "", self->aside->str);
}

/* "pred_a" and "pred_b" are predictions of two models. */
static gboolean refuse_models(const Decision *self, const GPtrArray *fields)
{
    const Field *first = NULL, *second = NULL;

    for (guint i = 0; i < fields->len; i++) {
        const Field *field = fields->pdata[i];

        if (!name_has_word(field->name, FALSE))
            continue;
        if (first == NULL)
            first = field;
        else if (second == NULL)
            second = field;
    }
    if (second == NULL)
        return TRUE;
    return refuse_fields(
        self, NULL, NULL,
        "'%s' and '%s' can both be the prediction; for a model each, give the file "
        "once for each column: FILE:%s FILE:%s",
        first->name, second->name, first->name, second->name);
}

/* Choose the field of a role, where @known (or NULL) has the other role: by its name, by a general
 * name, or because no other field can be a formula. */
static gboolean decide_formula(const Decision *self, TgRole role, Field *known, gboolean general,
                               Field **chosen)
{
    const char *meaning = role == TG_ROLE_REF ? "the reference" : "the prediction";
    g_autoptr(GPtrArray) named = find_candidates(self, role, LIKELY);
    g_autoptr(GPtrArray) others = find_candidates(self, FORMULA, GENERAL);
    const Field *like = known != NULL ? known : others->len > 0 ? others->pdata[0] : NULL;
    g_autoptr(GPtrArray) unnamed = left_over(self, like);

    if (known != NULL)
        g_ptr_array_remove(others, known);
    for (guint i = others->len; i-- > 0;)
        if (self->by_names && role == TG_ROLE_HYP && self->side == TG_FILE_PAIRS &&
            !is_answer(others->pdata[i]))
            g_ptr_array_remove_index(others, i);
    drop_no_formulas(self, named, others, known);
    drop_no_formulas(self, named, unnamed, known);
    drop_no_formulas(self, others, unnamed, known);
    if (role == TG_ROLE_REF)
        drop_sentences(self, named, others, known);
    if (!choose_field(self, named, meaning, chosen))
        return FALSE;
    if (*chosen != NULL)
        return TRUE;
    if (role == TG_ROLE_REF && others->len > 0) {
        const Field *empty = empty_field(self, role, TRUE);

        if (empty != NULL)
            return refuse_fields(self, NULL, NULL, "'%s' is empty in every row", empty->name);
    }
    if (general && role == TG_ROLE_HYP && !refuse_models(self, unnamed))
        return FALSE;
    add_fields(others, unnamed);
    drop_copies(others);
    if (others->len == 0) {
        *chosen = empty_field(self, role, FALSE);
        return TRUE;
    }
    Field *first = others->pdata[0];
    g_autofree char *what = others->len > 1
                                ? g_strdup_printf("'%s' and '%s' can both be %s", first->name,
                                                  ((Field *) others->pdata[1])->name, meaning)
                                : NULL;
    /* The only other text of a file; a name that speaks for the other side makes it none. */
    if (what != NULL || (first->meaning == NULL && name_has_word(first->name, role == TG_ROLE_HYP)))
        return refuse_unknown(self, what, meaning, unnamed, role == TG_ROLE_HYP ? known : NULL,
                              role == TG_ROLE_REF ? known : NULL);
    *chosen = first;
    return TRUE;
}

/* A reference that says nothing by its name and equals the prediction may be its copy. */
static gboolean check_copy(const Decision *self, const Field *ref, const Field *hyp)
{
    guint n;

    if (ref == NULL || hyp == NULL || self->map->mapped[TG_ROLE_REF] ||
        !compare_fields(ref, hyp, &n) || n == 0)
        return TRUE;
    g_autoptr(GPtrArray) over = left_over(self, ref);
    const gboolean is_named = ref->meaning != NULL && ref->meaning->score >= LIKELY;
    const gboolean hyp_is_named = hyp->meaning != NULL && hyp->meaning->score >= LIKELY;
    const gboolean is_talk = ref->n_talks > 0 && hyp->n_talks == 0 &&
                             (ref->n >= MANY || g_ascii_strcasecmp(ref->name, "messages") == 0);
    gboolean copy = is_talk || (!hyp_is_named && ref->n >= MANY);

    for (guint i = 0; i < over->len && !is_named; i++)
        copy = copy || (over->pdata[i] != ref && over->pdata[i] != hyp);
    if (!copy || (is_named && hyp_is_named))
        return TRUE;
    return refuse_fields(self, NULL, NULL,
                         "'%s' and '%s' are the same in every row: one may be a copy", ref->name,
                         hyp->name);
}

/* Reference and prediction of a file of pairs. */
static gboolean decide_pair(const Decision *self, Field **ref, Field **hyp)
{
    g_autoptr(GPtrArray) refs = find_candidates(self, TG_ROLE_REF, LIKELY);
    g_autoptr(GPtrArray) hyps = find_candidates(self, TG_ROLE_HYP, LIKELY);
    g_autoptr(GPtrArray) general = find_candidates(self, FORMULA, GENERAL);
    g_autoptr(GPtrArray) unnamed = left_over(self, NULL);
    const gboolean *mapped = self->map->mapped;

    *ref = *hyp = NULL;
    drop_no_formulas(self, hyps, unnamed, NULL);
    drop_no_formulas(self, hyps, general, NULL);
    drop_no_formulas(self, general, unnamed, NULL);
    if (!mapped[TG_ROLE_HYP] && !choose_field(self, hyps, "the prediction", hyp))
        return FALSE;
    drop_no_formulas(self, refs, unnamed, *hyp);
    drop_no_formulas(self, refs, general, *hyp);
    drop_sentences(self, refs, general, *hyp);
    if (!mapped[TG_ROLE_REF] && !choose_field(self, refs, "the reference", ref))
        return FALSE;
    g_string_truncate(self->aside, 0); /* the two calls below say it again */
    if (mapped[TG_ROLE_REF] && mapped[TG_ROLE_HYP])
        return TRUE;
    if (mapped[TG_ROLE_REF])
        return decide_formula(self, TG_ROLE_HYP, NULL, TRUE, hyp);
    if (*hyp != NULL || mapped[TG_ROLE_HYP])
        return (mapped[TG_ROLE_HYP] || decide_formula(self, TG_ROLE_HYP, *ref, FALSE, hyp)) &&
               decide_formula(self, TG_ROLE_REF, *hyp, TRUE, ref) && check_copy(self, *ref, *hyp);
    if (*ref != NULL)
        return decide_formula(self, TG_ROLE_REF, NULL, FALSE, ref) &&
               decide_formula(self, TG_ROLE_HYP, *ref, TRUE, hyp) && check_copy(self, *ref, *hyp);
    /* No name of the table but general ones. An answer is a reference or a prediction. */
    if (general->len == 1 && !is_answer(general->pdata[0])) {
        drop_no_formulas(self, general, unnamed, NULL);
        *ref = general->len > 0 ? general->pdata[0] : NULL;
    }
    /* A model's answer in a chat is the prediction beside the only other formula. */
    if (general->len == 2 && unnamed->len == 0) {
        Field *first = general->pdata[0], *second = general->pdata[1];
        const gboolean talks = first->n_talks > 0;

        if (talks != (second->n_talks > 0) && (first->n >= MANY || fields_differ(first, second))) {
            *ref = talks ? second : first;
            *hyp = talks ? first : second;
            return check_copy(self, *ref, *hyp);
        }
    }
    if (*ref == NULL) {
        drop_copies(general);
        add_fields(general, unnamed);
        return refuse_unknown(self, NULL, "the reference", general, NULL, NULL);
    }
    if (unnamed->len == 0)
        return TRUE;
    if (!refuse_models(self, unnamed))
        return FALSE;
    *hyp = only_field(unnamed, FALSE, *ref);
    if (unnamed->len > 1 || *hyp == NULL)
        return refuse_unknown(self, NULL, "the prediction", unnamed, NULL, NULL);
    return check_copy(self, *ref, *hyp);
}

static int compare_ranks(gconstpointer a, gconstpointer b)
{
    const Field *x = *(Field *const *) a, *y = *(Field *const *) b;
    const guint rank_x = x->meaning != NULL ? x->meaning->rank : G_MAXUINT;
    const guint rank_y = y->meaning != NULL ? y->meaning->rank : G_MAXUINT;

    return rank_x < rank_y ? -1 : rank_x > rank_y;
}

/* The fields of a role that is a name, best first: those of its names whose values can be one. */
static void decide_names(const Decision *self, TgRole role, TgRoles *roles)
{
    g_autoptr(GPtrArray) found = g_ptr_array_new();

    for (guint i = 0; i < self->sample->fields->len; i++) {
        Field *field = self->sample->fields->pdata[i];
        const guint n_names = field->n_texts + field->n_scalars;

        if (field->meaning == NULL || field->meaning->role != role ||
            field->meaning->score < SURE ||
            ((role == TG_ROLE_MODEL || role == TG_ROLE_SUBSET) && field->n > 0 &&
             (n_names == 0 || field->longest > MAX_NAME ||
              (field->looks[TG_LOOK_PROSE] > 0 && strcmp(field->name, "system") == 0))) ||
            (role == TG_ROLE_ID && /* a picture itself */
             (field->longest > MAX_ID || (n_names == 0 && field->n_others > 0))))
            continue;
        g_ptr_array_add(found, field);
    }
    if (found->len == 0)
        return;
    g_ptr_array_sort(found, compare_ranks);
    roles->fields[role] = g_strdup(((Field *) found->pdata[0])->name);
    if (found->len == 1)
        return;
    roles->others[role] = g_new0(char *, found->len);
    for (guint i = 1; i < found->len; i++)
        roles->others[role][i - 1] = g_strdup(((Field *) found->pdata[i])->name);
}

static gboolean decide_roles(const Decision *self, TgRoles *roles)
{
    static const TgRole names[] = { TG_ROLE_ID, TG_ROLE_SUBSET, TG_ROLE_MODEL, TG_ROLE_HUMAN };
    Field *chosen[TG_N_ROLES] = { NULL };
    const gboolean *mapped = self->map->mapped;
    gboolean good = TRUE;

    if (self->side == TG_FILE_PAIRS)
        good = decide_pair(self, &chosen[TG_ROLE_REF], &chosen[TG_ROLE_HYP]);
    else if (self->side == TG_FILE_REFERENCES && !mapped[TG_ROLE_REF])
        good = decide_formula(self, TG_ROLE_REF, NULL, TRUE, &chosen[TG_ROLE_REF]);
    else if (self->side == TG_FILE_HYPOTHESES && !mapped[TG_ROLE_HYP])
        good = decide_formula(self, TG_ROLE_HYP, NULL, TRUE, &chosen[TG_ROLE_HYP]);
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (!mapped[names[i]] && !(names[i] == TG_ROLE_HUMAN && self->map->groups->len > 0))
            decide_names(self, names[i], roles);
    for (guint role = TG_ROLE_REF; good && role <= TG_ROLE_HYP; role++) {
        /* Rows of JSON may lack a prediction, and say so. */
        if (mapped[role] || chosen[role] != NULL || !role_counts((TgRole) role, self->side) ||
            (role == TG_ROLE_HYP && !self->sample->is_table))
            continue;
        g_autoptr(GPtrArray) unnamed = left_over(self, NULL);

        good = refuse_unknown(self, NULL, role == TG_ROLE_REF ? "the reference" : "the prediction",
                              unnamed, chosen[TG_ROLE_REF], chosen[TG_ROLE_HYP]);
    }
    for (guint role = 0; role < TG_N_ROLES; role++)
        if (chosen[role] != NULL && !mapped[role])
            roles->fields[role] = g_strdup(chosen[role]->name);
    return good;
}

/* Whether a path leads into a field of the sample: one of its name, or of its first step. */
static gboolean sample_has(const TgFieldSample *sample, const TgFieldPath *path)
{
    g_autofree char *step = g_strndup(path->steps[0], strcspn(path->steps[0], "["));

    return g_hash_table_contains(sample->by_name, path->text) ||
           g_hash_table_contains(sample->by_name, path->steps[0]) || *step == '\0' ||
           g_hash_table_contains(sample->by_name, step);
}

char *tg_field_sample_lacks(const TgFieldSample *sample, const TgFieldMap *map, TgFileSide side)
{
    g_autoptr(GString) lacks = g_string_new(NULL);

    for (guint role = 0; sample->fields->len > 0 && role < TG_ROLE_HUMAN; role++) {
        const TgSlotRange *range = &map->roles[role];
        const gsize before = lacks->len;

        /* In a join the other side may have the names. */
        if (!role_counts((TgRole) role, side) || (side != TG_FILE_PAIRS && role > TG_ROLE_HYP))
            continue;
        /* An answer that is an error has no prediction. */
        if (role == TG_ROLE_HYP && !sample->is_table &&
            g_hash_table_contains(sample->by_name, "error"))
            continue;
        for (guint i = range->first; i < range->first + range->n; i++) {
            const TgFieldPath *path = map->paths->pdata[i];

            if (sample_has(sample, path)) {
                g_string_truncate(lacks, before); /* of several fields a row needs only one */
                break;
            }
            g_string_append_printf(lacks, "%s'%s'", lacks->len > 0 ? ", " : "", path->text);
        }
    }
    if (lacks->len == 0)
        return NULL;
    g_autofree char *names = tg_field_sample_names(sample);
    const char *what = sample->is_table ? "column" : "field";
    return g_strdup_printf("no %s%s %s (%ss: %s)%s", what,
                           strstr(lacks->str, "', '") != NULL ? "s" : "", lacks->str, what, names,
                           side == TG_FILE_HYPOTHESES && map->several
                               ? "; --map holds for every file, FILE:FIELD for one"
                               : "");
}

/* Note the kinds of values in the sample that decide how rows are read. */
static void note_kinds(const TgFieldMap *map, const TgFieldSample *sample, TgRoles *roles)
{
    const TgSlotRange refs = map->roles[TG_ROLE_REF], hyps = map->roles[TG_ROLE_HYP];

    for (guint i = 0; i < sample->fields->len; i++) {
        const Field *field = sample->fields->pdata[i];
        gboolean is_ref = g_strcmp0(field->name, roles->fields[TG_ROLE_REF]) == 0;
        gboolean is_hyp = g_strcmp0(field->name, roles->fields[TG_ROLE_HYP]) == 0;
        gboolean is_whole = is_hyp;

        for (guint k = refs.first; k < refs.first + refs.n; k++)
            is_ref |= strcmp(field->name, ((TgFieldPath *) map->paths->pdata[k])->text) == 0;
        for (guint k = hyps.first; k < hyps.first + hyps.n; k++) { /* or a path into the answer */
            const TgFieldPath *path = map->paths->pdata[k];

            is_hyp |= strcmp(field->name, path->steps[0]) == 0;
            is_whole |= strcmp(field->name, path->text) == 0;
        }
        roles->lists |= is_ref && field->n_lists > field->n_numbers; /* token ids are one formula */
        roles->answers |= is_hyp && field->n_answers > 0;
        roles->several |= is_whole && field->n_more > 0;
    }
}

gboolean tg_roles_decide(const TgFieldMap *map, TgFileSide side, const TgFieldSample *sample,
                         const char *file, gboolean is_row, TgRoles *roles, char **reason)
{
    g_autoptr(GString) aside = g_string_new(NULL);
    const Decision self = { map, side, sample, is_row, aside, file, reason };

    *roles = (TgRoles){ 0 };
    if (!decide_roles(&self, roles))
        return FALSE;
    note_kinds(map, sample, roles);
    if (aside->len > 0)
        roles->aside = g_strdup(aside->str);
    return TRUE;
}

void tg_roles_clear(TgRoles *roles)
{
    for (guint i = 0; i < TG_N_ROLES; i++) {
        g_free(roles->fields[i]);
        g_strfreev(roles->others[i]);
    }
    g_free(roles->aside);
    *roles = (TgRoles){ 0 };
}

char *tg_roles_describe(const TgFieldMap *map, TgFileSide side, const TgRoles *roles,
                        const char *no_id)
{
    static const char *const titles[] = { "reference", "prediction", "id", "subset", "model" };
    GString *text = g_string_new(NULL);

    for (guint role = 0; role < G_N_ELEMENTS(titles); role++) {
        const TgSlotRange range = map->roles[role];
        const char *name = roles->fields[role];
        g_autoptr(GString) mapped = g_string_new(NULL);

        if (!role_counts((TgRole) role, side))
            continue;
        for (guint i = 0; i < range.n; i++)
            g_string_append_printf(
                mapped, "%s%s", i > 0 ? "+" : "",
                ((const TgFieldPath *) map->paths->pdata[range.first + i])->text);
        if (range.n > 0)
            name = mapped->str;
        if (name == NULL && role == TG_ROLE_ID)
            name = no_id;
        else if (name == NULL && role == TG_ROLE_HYP)
            name = "none";
        if (name != NULL)
            g_string_append_printf(
                text, "%s%s: %s%s", text->len > 0 ? ", " : "", titles[role],
                *name != '\0' ? name : "the first column",
                role == TG_ROLE_REF && roles->lists     ? " (each text of its lists is one)"
                : role == TG_ROLE_HYP && roles->several ? " (the first of several answers)"
                                                        : "");
    }
    if (roles->aside != NULL)
        g_string_append_printf(text, " (not used: %s)", roles->aside);
    return g_string_free(text, FALSE);
}

GPtrArray *tg_roles_ids(const TgFieldSample *sample)
{
    GPtrArray *found = g_ptr_array_new();

    for (guint i = 0; i < sample->fields->len; i++) {
        Field *field = sample->fields->pdata[i];
        const gboolean named = field->meaning != NULL && field->meaning->role == TG_ROLE_ID;

        if ((field->meaning == NULL || named) && !field->repeats && sample->n_rows > 0 &&
            field->n_texts + field->n_scalars == sample->n_rows && field->n_tex == 0 &&
            field->longest <= MAX_ID)
            g_ptr_array_add(found, field);
    }
    g_ptr_array_sort(found, compare_ranks);
    for (guint i = 0; i < found->len; i++)
        found->pdata[i] = ((Field *) found->pdata[i])->name;
    return found;
}
