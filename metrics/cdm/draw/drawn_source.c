/* Colors taken out of a formula, and their side effects written into it. */
#include <string.h>

#include "core/deadline.h"
#include "core/fail.h"
#include "core/search.h"
#include "metrics/cdm/draw/draw.h"
#include "tokenizer/macros/commands.h"
#include "tokenizer/macros/lexer.h"
#include "tokenizer/symbols/symbols.h"

/* ---- Commands ------------------------------------------------------------------------------- */

gsize tg_cdm_command_length(const char *at)
{
    const gsize letters = strspn(at + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

    if (letters > 0)
        return 1 + letters;
    return at[1] != '\0' ? (gsize) (g_utf8_next_char(at + 1) - at) : 1;
}

gboolean tg_cdm_is_command(const char *at, const char *name)
{
    return g_str_has_prefix(at, name) && !g_ascii_isalpha(at[strlen(name)]);
}

/* ---- What is drawn in place of a token that a color is around ------------------------------- */

/* A color around a token is a group to TeX, so a command that waits for arguments does not find
 * them: most vanish with an error that TeX passes over, some go on with nothing. Commands that the
 * official template (article, amsmath, amssymb, upgreek, xcolor, booktabs) does not define vanish
 * too, as does what pdfTeX has no character for. */
typedef struct {
    const char *latex; /* '@' stands for the token; "" when TeX draws nothing */
    gboolean own_ink;  /* whether that ink counts as the token's */
    gboolean is_fatal; /* TeX reads on to the end of the file and makes no page */
    gboolean is_guess; /* TeX goes on in a way that is not followed */
} Drawn;

/* The commands that are drawn in another way than a symbol or a command of their kind. */
static const struct {
    const char *token;
    Drawn drawn;
} drawn_as[] = {
    /* Infix commands still split the list from inside a color group. Only the fraction bar gets the
     * color; a missing delimiter or thickness counts as empty. */
    { "\\over", { "@", TRUE } },
    { "\\atop", { "@", FALSE } },
    { "\\choose", { "@", FALSE } },
    { "\\brack", { "@", FALSE } },
    { "\\brace", { "@", FALSE } },
    { "\\above", { "\\atop", FALSE } },
    { "\\overwithdelims", { "\\over", TRUE } },
    { "\\atopwithdelims", { "\\atop", FALSE } },
    { "\\abovewithdelims", { "\\atop", FALSE } },
    /* These draw their sign over or under an empty argument. */
    { "\\overbrace", { "@{}", TRUE } },
    { "\\overrightarrow", { "@{}", TRUE } },
    { "\\overleftarrow", { "@{}", TRUE } },
    { "\\overleftrightarrow", { "@{}", TRUE } },
    { "\\underrightarrow", { "@{}", TRUE } },
    { "\\underleftarrow", { "@{}", TRUE } },
    { "\\underleftrightarrow", { "@{}", TRUE } },
    /* The rule that these draw belongs to no element. */
    { "\\boxed", { "@{}", FALSE } },
    { "\\fbox", { "@{}", FALSE } },
    { "\\cfrac", { "@{}", FALSE } },
    { "\\operatorname*", { "\\mathop{}", FALSE } },
    { "\\textcircled", { "\\kern13pt ", FALSE } }, /* from a font that the template lacks */
    { "\\root", { "", .is_fatal = TRUE } },
    { "\\genfrac", { "", .is_guess = TRUE } }, /* delimiters become text */
};

static const char *const undefined[] = {
#include "cdm_undefined.inc"
};

/* ASCII, and letters with an accent over an ASCII letter; Han only in the CJK template. */
static gboolean has_character(const char *token, gboolean is_chinese)
{
    const gunichar c = g_utf8_get_char(token);
    gunichar base, mark;

    return c < 0x80 || is_chinese || (g_unichar_decompose(c, &base, &mark) && base < 0x80);
}

static Drawn drawn_for(const char *token, gboolean is_chinese)
{
    static const Drawn itself = { "@", TRUE }, nothing = { "", FALSE };
    static const Drawn over_nothing = { "@{}", TRUE };
    const char *name = token + 1;
    const gboolean is_word = token[0] == '\\' && g_ascii_isalpha(name[0]) &&
                             tg_cdm_command_length(token) == strlen(token);

    if (!is_word && strcmp(token, "\\operatorname*") != 0)
        return has_character(token, is_chinese) ? itself : nothing;
    if (tg_row_of_text(token, strlen(token), undefined, G_N_ELEMENTS(undefined),
                       sizeof undefined[0]) != NULL)
        return nothing;
    for (guint i = 0; i < G_N_ELEMENTS(drawn_as); i++)
        if (strcmp(drawn_as[i].token, token) == 0)
            return drawn_as[i].drawn;
    const TgSymbol *symbol = tg_symbol_find(name, strlen(name));
    if (symbol != NULL && symbol->family == TG_MATH_FAMILY_STMARY)
        return nothing;
    if (symbol != NULL)
        return symbol->kind == TG_SYMBOL_ACCENT ? over_nothing : itself;
    const TgCommand *command = tg_command_find(name, strlen(name));
    return command == NULL || (command->flags & TG_COMMAND_ARGS) ? nothing : itself;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* An open brace. */
typedef struct {
    guint32 owner;     /* of the ink inside */
    gboolean is_color; /* the brace of a color, which is not written */
    gboolean is_tag;   /* the argument of \tag */
    gboolean is_open;  /* the color of \cfrac, which takes the next group for its denominator */
} Group;

typedef struct {
    const TgCdmText *colored;
    const char *at; /* there */
    const TgCdmElements *elements;
    gboolean is_chinese;
    GArray *groups;     /* open groups, the innermost last */
    guint32 next_owner; /* of the next group, when @owner_is_set: that of \textcolor */
    gboolean owner_is_set;
    gboolean tag_is_next;     /* \tag has been read */
    gboolean is_bare;         /* the next color is text: \cfrac has taken its command */
    gboolean is_fatal;        /* a command or a color has swallowed everything after it */
    gboolean is_guess;        /* of a token, see Drawn */
    TgCdmText *formula, *tag; /* the tag stands at the right margin */
    TgCdmText *out;           /* the one that is written now */
} Reader;

static Group current_group(const Reader *reader)
{
    const Group outermost = { TG_CDM_NO_ELEMENT, FALSE, FALSE };
    const guint n = reader->groups->len;

    return n > 0 ? g_array_index(reader->groups, Group, n - 1) : outermost;
}

/* ---- writing ---- */

static void write_text(Reader *reader, const char *text, guint32 owner)
{
    tg_cdm_text_append(reader->out, text, (TgCdmRange){ owner, owner + 1 });
}

/* Copy the next @length bytes. */
static void copy_source(Reader *reader, gsize length)
{
    g_string_append_len(reader->out->string, reader->at, (gssize) length);
    write_text(reader, "", current_group(reader).owner); /* of these bytes, too */
    reader->at += length;
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
        reader->out = reader->tag;
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
        reader->out = reader->formula;
    } else if (group.is_color) {
        /* TeX reads scripts before it ends a color, so no kern may come between */
        if (!group.is_open) {
            const char *rest = reader->at + strspn(reader->at, " ");

            if (*rest == '\0' || strchr("^_", *rest) == NULL)
                write_text(reader, "\\kern0pt ", TG_CDM_NO_ELEMENT);
        }
    } else {
        write_text(reader, "}", group.owner);
    }
}

/* ---- colors ---- */

/* The token that a color is around, when it is around a single token. @after: the color */
static void write_separated(Reader *reader, const char *token, const char *after, guint32 owner)
{
    const Drawn drawn = drawn_for(token, reader->is_chinese);
    const char *rest = drawn.latex;
    const guint32 own = drawn.own_ink ? owner : TG_CDM_NO_ELEMENT;

    reader->is_fatal = reader->is_fatal || drawn.is_fatal;
    reader->is_guess = reader->is_guess || drawn.is_guess;
    if (strcmp(token, "\\tag") == 0) { /* \tag takes the group that follows, else it vanishes */
        reader->tag_is_next = after[strspn(after, " ")] == '{' && reader->tag->string->len == 0;
        if (reader->tag_is_next)
            reader->next_owner = owner;
        return;
    }
    if (strcmp(token, "\\eqno") == 0 && reader->groups->len == 1 && reader->tag->string->len == 0) {
        reader->out = reader->tag; /* all that follows is the number, a formula in text style */
        write_text(reader, "\\textstyle ", TG_CDM_NO_ELEMENT);
        return;
    }
    if (*rest == '@') {
        write_text(reader, token, own);
        rest++;
    }
    write_text(reader, rest, own);
}

/* Write a color whose command \cfrac has taken: its arguments become text, `[RGB]{0,0,30}{1}`. */
static void write_bare_color(Reader *reader, guint32 index)
{
    g_autofree char *text = g_strdup_printf("\\mathrm{[RGB]0,0,%u}", (index + 1) % 18 * 15);

    reader->is_bare = FALSE;
    write_text(reader, text, TG_CDM_NO_ELEMENT);
    write_text(reader, "{", TG_CDM_NO_ELEMENT);
    open_group(reader, (Group){ .owner = TG_CDM_NO_ELEMENT });
    reader->at++;
}

static void open_color(Reader *reader, guint32 index)
{
    const TgCdmElement *element = &reader->elements->list[index];
    const char *after = ++reader->at;
    const gsize length = strlen(element->token);

    open_group(reader, (Group){ .owner = index,
                                .is_color = TRUE,
                                .is_open = strcmp(element->token, "\\cfrac") == 0 });
    /* The last backslash of `\\\` would make the brace of the color `\}`, and the color would never
     * end. */
    if (!element->is_composite && strpbrk(element->token, "{}") == NULL &&
        !tg_is_escaped(element->token, element->token + length) &&
        strncmp(after, element->token, length) == 0 && after[length] == '}') {
        write_separated(reader, element->token, after + length + 1, index);
        /* `\cfrac` takes the next thing after its color for the denominator: a group, or the bare
         * command of another color, whose arguments then become text */
        const char *rest = after + length + 1;
        if (strcmp(element->token, "\\cfrac") == 0)
            reader->is_bare = rest[strspn(rest, " ")] == TG_CDM_COLOR;
        reader->at += length;
    }
}

/* ---- commands ---- */

/* [model]{color}. Returns TRUE where it ends at another element's color, whose second brace then
 * opens a group of the formula's own. */
static gboolean skip_color_name(Reader *reader)
{
    const char *end = reader->at;

    if (*end == '[')
        end += strcspn(end, "]\xFF");
    end += strcspn(end, "}\xFF");
    const gboolean opens = *end == TG_CDM_COLOR;
    reader->at = !opens && *end != '\0' ? end + 1 : end;
    return opens;
}

/* A display in the display: TeX reports errors and sets its content, an equation with its number.
 * @end: of `\begin` or `\end`; returns what is after the name, or NULL for other environments */
static const char *skip_display(Reader *reader, const char *end)
{
    static const char *const displays[] = { "{equation}", "{equation*}", "{displaymath}" };

    for (guint i = 0; i < G_N_ELEMENTS(displays); i++) {
        if (!g_str_has_prefix(end, displays[i]))
            continue;
        if (i == 0 && reader->tag->string->len == 0) {
            reader->out = reader->tag;
            write_text(reader, "\\mathrm{(1)}", TG_CDM_NO_ELEMENT);
            reader->out = reader->formula;
        }
        return end + strlen(displays[i]);
    }
    return NULL;
}

/* Copy a command. The ink of a color that the formula itself sets belongs to no element. */
static void read_command(Reader *reader)
{
    const gsize length = tg_cdm_command_length(reader->at);
    const gboolean is_environment =
        tg_cdm_is_command(reader->at, "\\begin") || tg_cdm_is_command(reader->at, "\\end");
    const gboolean is_textcolor = tg_cdm_is_command(reader->at, "\\textcolor");
    const char *after = is_environment ? skip_display(reader, reader->at + length) : NULL;

    if (after != NULL) {
        reader->at = after;
    } else if (tg_cdm_is_command(reader->at, "\\boldmath")) { /* TeX skips this with an error */
        reader->at += length;
    } else if (is_textcolor || tg_cdm_is_command(reader->at, "\\color")) {
        reader->at += length;
        const gboolean opens = skip_color_name(reader);
        if (is_textcolor) {
            reader->owner_is_set = TRUE;
            reader->next_owner = TG_CDM_NO_ELEMENT;
        } else if (reader->groups->len > 0) {
            g_array_index(reader->groups, Group, reader->groups->len - 1).owner = TG_CDM_NO_ELEMENT;
        }
        if (opens)
            open_brace(reader);
    } else {
        copy_source(reader, length);
    }
}

static void read_next(Reader *reader)
{
    const gsize place = (gsize) (reader->at - reader->colored->string->str);

    switch (*reader->at) {
    case TG_CDM_COLOR:
        (reader->is_bare ? write_bare_color : open_color)(
            reader, g_array_index(reader->colored->origins, TgCdmRange, place).start);
        break;
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
        write_text(reader, "{}", TG_CDM_NO_ELEMENT); /* as TeX's \nobreakspace ends */
        break;
    default:
        copy_source(reader, 1 + strcspn(reader->at + 1, "{}\\~\xFF"));
    }
}

/* ---- all of it ---- */

/* The beginning of an environment that must not stand in a formula, as the official template is
 * one. */
static const char refused_environment[] =
    "\\\\begin\\{(?:gather|multline|align|alignat|flalign)\\*?\\}";

gboolean tg_cdm_drawn_source(const TgCdmText *colored, gboolean is_chinese,
                             const TgCdmElements *elements, TgCdmDrawnSource *out, GError **error)
{
    g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(Group));
    g_autoptr(TgCdmText) tag = tg_cdm_text_new_like(colored);
    TgCdmText *latex = out->latex = tg_cdm_text_new_like(colored);
    Reader reader = {
        .colored = colored,
        .at = colored->string->str,
        .elements = elements,
        .is_chinese = is_chinese,
        .groups = groups,
        .formula = latex,
        .tag = tag,
        .out = latex,
    };

    while (*reader.at != '\0' && !tg_deadline_spend(20))
        read_next(&reader);
    for (guint i = 0; i < groups->len; i++) /* the program's color is never closed */
        reader.is_fatal = reader.is_fatal || g_array_index(groups, Group, i).is_color;
    out->tag_start = latex->string->len;
    tg_cdm_text_copy(latex, tag, 0, tag->string->len);
    out->is_guess = reader.is_guess;
    if (!reader.is_fatal &&
        !g_regex_match(tg_cdm_regex(refused_environment), latex->string->str, 0, NULL))
        return TRUE;
    return tg_fail(error, TG_ERROR_PARSE,
                   "the official program rewrites this into LaTeX that draws nothing");
}

void tg_cdm_drawn_source_clear(TgCdmDrawnSource *drawn)
{
    g_clear_pointer(&drawn->latex, tg_cdm_text_free);
}
