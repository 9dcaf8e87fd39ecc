/* Colours taken out of a formula, and their side effects written into it. */
#include "metrics/cdm/draw/drawn_source.h"

#include <string.h>

#include "metrics/cdm/draw/elements.h"
#include "metrics/cdm/draw/separated.h"

/* An open brace. */
typedef struct {
    guint32 owner;      /* of the ink inside */
    gboolean is_colour; /* the brace of a colour, which is not written */
    gboolean is_tag;    /* the argument of \tag */
} Group;

typedef struct {
    const char *at; /* in the coloured source */
    const GPtrArray *elements;
    gboolean is_chinese;
    GArray *groups;     /* those that are open */
    guint32 next_owner; /* of the next group, when @owner_is_set: that of \textcolor */
    gboolean owner_is_set;
    gboolean tag_is_next; /* \tag has been read */
    GString *latex, *tag; /* the formula and its tag at the right margin */
    GArray *owner, *tag_owner;
    gboolean in_tag;
} Reader;

static Group current_group(const Reader *reader)
{
    const Group outermost = { TG_CDM_NO_ELEMENT, FALSE, FALSE };
    const guint n = reader->groups->len;

    return n > 0 ? g_array_index(reader->groups, Group, n - 1) : outermost;
}

/* ---- writing ---- */

static void write_bytes(Reader *reader, const char *text, gsize length, guint32 owner)
{
    g_string_append_len(reader->in_tag ? reader->tag : reader->latex, text, (gssize) length);
    for (gsize i = 0; i < length; i++)
        g_array_append_val(reader->in_tag ? reader->tag_owner : reader->owner, owner);
}

static void write_text(Reader *reader, const char *text, guint32 owner)
{
    write_bytes(reader, text, strlen(text), owner);
}

/* Copy the next @length bytes. */
static void copy_source(Reader *reader, gsize length)
{
    write_bytes(reader, reader->at, length, current_group(reader).owner);
    reader->at += length;
}

/* A colour has ended; scripts are read before that, so nothing may come between. */
static void write_end_of_colour(Reader *reader)
{
    const char *rest = reader->at + strspn(reader->at, " ");

    if (*rest == '\0' || strchr("^_", *rest) == NULL)
        write_text(reader, "\\kern0pt ", TG_CDM_NO_ELEMENT);
}

/* ---- groups ---- */

static void open_group(Reader *reader, Group group)
{
    g_array_append_val(reader->groups, group);
}

static void open_brace(Reader *reader)
{
    Group group = { current_group(reader).owner, FALSE, reader->tag_is_next };

    if (reader->owner_is_set)
        group.owner = reader->next_owner;
    reader->owner_is_set = FALSE;
    reader->tag_is_next = FALSE;
    reader->at++;
    if (group.is_tag) {
        reader->in_tag = TRUE;
        write_text(reader, "\\mathrm{(", reader->next_owner);
    } else {
        write_text(reader, "{", group.owner);
    }
    open_group(reader, group);
}

static void close_brace(Reader *reader)
{
    const Group group = current_group(reader);

    reader->at++;
    if (reader->groups->len > 0)
        g_array_set_size(reader->groups, reader->groups->len - 1);
    if (group.is_tag) {
        write_text(reader, ")}", reader->next_owner);
        reader->in_tag = FALSE;
    } else if (group.is_colour) {
        write_end_of_colour(reader);
    } else {
        write_text(reader, "}", group.owner);
    }
}

/* ---- colours ---- */

/* The index of the colour that opens here; FALSE when none does. */
static gboolean read_colour(const Reader *reader, guint32 *index, const char **behind)
{
    char *end;

    if (!g_str_has_prefix(reader->at, TG_CDM_COLOUR_BEFORE))
        return FALSE;
    const guint64 number = g_ascii_strtoull(reader->at + strlen(TG_CDM_COLOUR_BEFORE), &end, 10);
    if (!g_str_has_prefix(end, TG_CDM_COLOUR_BEHIND) || number >= reader->elements->len)
        return FALSE;
    *index = (guint32) number;
    *behind = end + strlen(TG_CDM_COLOUR_BEHIND);
    return TRUE;
}

/* The token that a colour is around, when it is around a single token. */
static void write_separated(Reader *reader, const char *token, guint32 owner)
{
    const TgCdmSeparated separated = tg_cdm_separated(token, reader->is_chinese);
    const char *rest = separated.latex;
    const guint32 own = separated.own_ink ? owner : TG_CDM_NO_ELEMENT;

    if (strcmp(token, "\\tag") == 0) {
        reader->tag_is_next = reader->tag->len == 0;
        reader->next_owner = owner;
        return;
    }
    if (*rest == '@') {
        write_text(reader, token, own);
        rest++;
    }
    write_text(reader, rest, own);
}

static void open_colour(Reader *reader, guint32 index, const char *behind)
{
    const TgCdmElement *element = reader->elements->pdata[index];
    const gsize length = strlen(element->token);

    reader->at = behind;
    open_group(reader, (Group){ index, TRUE, FALSE });
    if (element->kind == TG_CDM_ELEMENT_ALONE && strpbrk(element->token, "{}") == NULL &&
        strncmp(behind, element->token, length) == 0 && behind[length] == '}') {
        write_separated(reader, element->token, index);
        reader->at += length;
    }
}

/* ---- commands ---- */

static gsize command_length(const char *at)
{
    const gsize letters = strspn(at + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

    if (letters > 0)
        return 1 + letters;
    return at[1] != '\0' ? (gsize) (g_utf8_next_char(at + 1) - at) : 1;
}

/* [model]{colour} */
static void skip_colour_name(Reader *reader)
{
    const char *end = reader->at;

    if (*end == '[')
        end += strcspn(end, "]");
    end += strcspn(end, "}");
    reader->at = *end != '\0' ? end + 1 : end;
}

/* A colour of the formula's own makes ink that is no element's. */
static void read_command(Reader *reader)
{
    const gsize length = command_length(reader->at);
    g_autofree char *name = g_strndup(reader->at, length);

    if (strcmp(name, "\\boldmath") == 0) { /* an error inside of a formula */
        reader->at += length;
    } else if (strcmp(name, "\\color") == 0) {
        reader->at += length;
        skip_colour_name(reader);
        if (reader->groups->len > 0)
            g_array_index(reader->groups, Group, reader->groups->len - 1).owner = TG_CDM_NO_ELEMENT;
    } else if (strcmp(name, "\\textcolor") == 0) {
        reader->at += length;
        skip_colour_name(reader);
        reader->owner_is_set = TRUE;
        reader->next_owner = TG_CDM_NO_ELEMENT;
    } else {
        copy_source(reader, length);
    }
}

static void read_next(Reader *reader)
{
    guint32 index;
    const char *behind;

    if (read_colour(reader, &index, &behind)) {
        open_colour(reader, index, behind);
        return;
    }
    switch (*reader->at) {
    case '{':
        open_brace(reader);
        break;
    case '}':
        close_brace(reader);
        break;
    case '\\':
        read_command(reader);
        break;
    case '~':
        copy_source(reader, 1);
        write_text(reader, "{}", TG_CDM_NO_ELEMENT); /* \nobreakspace brings it along */
        break;
    default:
        copy_source(reader, (gsize) (g_utf8_next_char(reader->at) - reader->at));
    }
}

/* ---- all of it ---- */

/* Environments that refuse to stand in a formula; the official program's template is one. */
static gboolean has_refused_environment(const char *latex)
{
    static const char *const names[] = { "gather", "gather*", "multline", "multline*", "align",
                                         "align*", "alignat", "alignat*", "flalign",   "flalign*" };

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *begin = g_strdup_printf("\\begin{%s}", names[i]);

        if (strstr(latex, begin) != NULL)
            return TRUE;
    }
    return FALSE;
}

static gboolean is_closed(const GArray *groups)
{
    for (guint i = 0; i < groups->len; i++)
        if (g_array_index(groups, Group, i).is_colour)
            return FALSE;
    return TRUE;
}

static void finish_source(Reader *reader, TgCdmDrawnSource *out)
{
    const guint32 end = TG_CDM_NO_ELEMENT;

    out->tag_start = reader->latex->len;
    g_string_append_len(reader->latex, reader->tag->str, (gssize) reader->tag->len);
    g_array_append_vals(reader->owner, reader->tag_owner->data, reader->tag_owner->len);
    g_array_append_val(reader->owner, end); /* so that it is never NULL */
    out->length = reader->latex->len;
    out->latex = g_string_free(reader->latex, FALSE);
    out->owner = (guint32 *) (gpointer) g_array_free(reader->owner, FALSE);
}

gboolean tg_cdm_drawn_source(const char *coloured, gboolean is_chinese, const GPtrArray *elements,
                             TgCdmDrawnSource *out, GError **error)
{
    g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(Group));
    g_autoptr(GArray) tag_owner = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_autoptr(GString) tag = g_string_new(NULL);
    Reader reader = {
        .at = coloured,
        .elements = elements,
        .is_chinese = is_chinese,
        .groups = groups,
        .latex = g_string_new(NULL),
        .owner = g_array_new(FALSE, FALSE, sizeof(guint32)),
        .tag = tag,
        .tag_owner = tag_owner,
    };

    while (*reader.at != '\0')
        read_next(&reader);
    finish_source(&reader, out);
    if (is_closed(groups) && !has_refused_environment(out->latex))
        return TRUE;
    g_set_error(error, TG_ERROR, TG_ERROR_PARSE,
                "TeX draws nothing of what the official program "
                "makes of this");
    return FALSE;
}

void tg_cdm_drawn_source_clear(TgCdmDrawnSource *drawn)
{
    g_clear_pointer(&drawn->latex, g_free);
    g_clear_pointer(&drawn->owner, g_free);
}
