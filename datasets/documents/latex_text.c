/* LaTeX as characters, as OmniDocBench gets it from pylatexenc 2.10: `\frac{a}{2}` becomes a/2.
 * Texts that look like prose, or whose delimiters do not pair, stay LaTeX. */
#include "datasets/documents/document.h"

#include <string.h>

#include "core/search.h"

/* Texts beyond these limits are not converted: characters, a limit of the original program; depth
 * of groups; steps and bytes written at all levels for each byte that is read, because each level
 * of accents on accents writes twice as much. Text that is written once at each level stays below
 * the last limit. */
#define MAX_LENGTH 8000
#define MAX_DEPTH  30u
#define MAX_WORK   32u

/* ---- texts that stay LaTeX ---- */

/* How often a word stands in a text, as a whole command if it is one of letters. */
static guint count_word(const char *text, const char *word)
{
    const gsize n = strlen(word);
    guint found = 0;

    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + n, word)) {
        const gunichar next = g_utf8_get_char(at + n);
        found += !g_ascii_isalpha(word[n - 1]) || (next != '_' && !g_unichar_isalnum(next));
    }
    return found;
}

/* "for all values of x we have \leq": words and spaces, at most two signs of LaTeX, no script, no
 * command of mathematics. */
static gboolean is_prose(const char *text)
{
    const guint n_signs = tg_count_commands(text) + tg_count_any(text, "&%#") +
                          count_word(text, "\\[]") + count_word(text, "\\]]") +
                          count_word(text, "\\(]") + count_word(text, "\\)]");

    return tg_text_is_longer(text, 31) && n_signs <= 2 && strpbrk(text, "{}$^_") == NULL &&
           tg_word_in(TG_WORDS_MATH, text) == NULL && tg_count_words(text, 3) >= 6 &&
           tg_count_any(text, " ") >= 5;
}

/* Whether there is too little LaTeX: `a \`, or words with hardly a command. */
static gboolean is_weak(const char *text)
{
    const guint n_commands = tg_count_commands(text), n_words = tg_count_words(text, 3);
    const guint n_marks = tg_count_any(text, "{}$^_=&%#");

    if (n_commands == 0 && g_str_has_suffix(text, "\\") && !g_str_has_suffix(text, "\\\\"))
        return TRUE;
    if (n_commands == 0 && n_marks == 0 && strchr(text, '\\') != NULL)
        return TRUE;
    return (n_words >= 2 && n_commands == 0 && n_marks <= 1) ||
           (n_words >= 4 && n_commands <= 1 && n_marks <= 2);
}

/* Whether brackets pair: `{a}`, not `{a` or `}{`. A brace, a bracket or a parenthesis behind a
 * backslash does not count. */
static gboolean braces_pair(const char *text)
{
    gint depth = 0;

    for (const char *at = text; *at != '\0' && depth >= 0; at++)
        if (at[0] == '\\' && at[1] != '\0' && strchr("{}[]()", at[1]) != NULL)
            at++;
        else
            depth += (*at == '{') - (*at == '}');
    return depth == 0;
}

/* Whether environments pair: `\begin{a}\end{a}`, not `\begin{a}\end{b}`. Names without braces
 * count. */
static gboolean environments_pair(const char *text)
{
    g_autoptr(GPtrArray) open = g_ptr_array_new_with_free_func(g_free);

    for (const char *at = strchr(text, '\\'); at != NULL; at = strchr(at + 1, '\\')) {
        const gboolean begins = g_str_has_prefix(at, "\\begin{");
        const char *name = at + (begins ? strlen("\\begin{") : strlen("\\end{"));
        if (!begins && !g_str_has_prefix(at, "\\end{"))
            continue;
        const gsize n = strcspn(name, "{}");
        if (n == 0 || name[n] != '}')
            continue;
        g_autofree char *copy = g_strndup(name, n);
        if (begins)
            g_ptr_array_add(open, g_steal_pointer(&copy));
        else if (open->len == 0 || strcmp(open->pdata[open->len - 1], copy) != 0)
            return FALSE;
        else
            g_ptr_array_set_size(open, (gint) open->len - 1);
    }
    return open->len == 0;
}

/* Whether there are as many `\left` as `\right`, `\(` as `\)`, `\[` as `\]`, and an even number of
 * dollars. */
static gboolean delimiters_pair(const char *text)
{
    guint n_dollars = 0;

    for (const char *at = strchr(text, '$'); at != NULL; at = strchr(at + 1, '$'))
        n_dollars += at == text || at[-1] != '\\';
    return count_word(text, "\\left") == count_word(text, "\\right") &&
           count_word(text, "\\(") == count_word(text, "\\)") &&
           count_word(text, "\\[") == count_word(text, "\\]") && n_dollars % 2 == 0;
}

/* Whether groups are nested deep. A comment that cuts commands off doubles the original's work at
 * each level, so that the original stops by its clock. */
static gboolean is_deep(const char *text)
{
    guint depth = 0, most = 0;

    for (; *text != '\0'; text++) {
        depth = *text == '{' ? depth + 1 : *text == '}' && depth > 0 ? depth - 1 : depth;
        most = MAX(most, depth);
    }
    return most > MAX_DEPTH;
}

/* ---- commands ---- */

typedef enum {
    LATEX_TEXT,   /* writes the output, whatever the arguments are */
    LATEX_DROP,   /* writes nothing */
    LATEX_RARE,   /* writes nothing here: commands of documents like \section */
    LATEX_ARGS,   /* writes the first argument */
    LATEX_STYLE,  /* writes the first argument in the letters of a style */
    LATEX_ACCENT, /* writes the first argument with an accent on each character */
    LATEX_FILL,   /* fills a template with places for arguments: `%s/%s`, `%(3)s` */
    LATEX_LETTERS /* no command: the letters of a style, and the plain letters */
} LatexKind;

typedef struct {
    const char *name;
    const char *arguments; /* kinds, one character each: `{`, `[`, `*` */
    LatexKind kind;
    const char *output;
} LatexCommand;

/* Sorted by name. */
static const LatexCommand latex_commands[] = {
#include "latex_text.inc"

};

static const LatexCommand *find_command(const char *name, gsize n)
{
    return tg_row_of_text(name, n, latex_commands, G_N_ELEMENTS(latex_commands),
                          sizeof *latex_commands);
}

typedef struct {
    const char *text, *end; /* the part that is converted, before a comment */
    guint *closes;          /* for each brace, the place of its partner; 0 for other characters */
    guint depth;
    gsize work, max_work; /* steps done and bytes written, also for arguments */
    gboolean failed;      /* a command lacks arguments that it needs, or a limit is exceeded */
} Converter;

static void convert(Converter *self, const char *from, const char *end, GString *out);

/* The command at a backslash, whose name is letters of any script or one character; NULL: it has no
 * row. @after: (out) behind the name and the blanks that follow letters */
static const LatexCommand *command_at(const Converter *self, const char *at, const char **after)
{
    const char *start = at + 1, *end = start;

    while (end < self->end && g_unichar_isalpha(g_utf8_get_char(end)))
        end = g_utf8_next_char(end);
    const gboolean is_word = end > start;
    if (!is_word && end < self->end)
        end = g_utf8_next_char(end);
    *after = is_word ? MIN(tg_skip_blanks(end), self->end) : end;
    return find_command(start, (gsize) (end - start));
}

static void append_accented(GString *out, const char *letters, const char *accent)
{
    g_autoptr(GString) text = tg_text_trimmed(letters, letters + strlen(letters));

    for (const char *at = text->str; *at != '\0'; at = g_utf8_next_char(at)) {
        const gunichar letter = g_utf8_get_char(at);
        g_autoptr(GString) pair = g_string_new(NULL);
        g_string_append_unichar(pair, letter == 0x131 ? 'i' : letter == 0x237 ? 'j' : letter);
        g_string_append(pair, accent);
        g_autofree char *composed = g_utf8_normalize(pair->str, -1, G_NORMALIZE_NFC);
        g_string_append(out, composed);
    }
}

static void append_styled(GString *out, const char *letters, const char *style)
{
    g_autofree char *name = g_strconcat("=", style, NULL);
    const LatexCommand *table = find_command(name, strlen(name));

    for (const char *at = letters; *at != '\0'; at = g_utf8_next_char(at)) {
        const char *plain = strchr(table->arguments, *at);
        const char *styled =
            plain != NULL ? g_utf8_offset_to_pointer(table->output, plain - table->arguments) : at;
        g_string_append_len(out, styled, g_utf8_next_char(styled) - styled);
    }
}

/* Append a filled template. @arguments: one for each kind */
static void append_filled(GString *out, const LatexCommand *command, GPtrArray *arguments)
{
    guint next = 0; /* number of the next argument in braces */

    for (const char *at = command->output; *at != '\0'; at++) {
        if (g_str_has_prefix(at, "%(")) { /* "%(2)s" */
            g_string_append(out, arguments->pdata[at[2] - '1']);
            at += 4;
        } else if (g_str_has_prefix(at, "%s") && arguments->len > 0) {
            while (command->arguments[next] != '{')
                next++;
            g_string_append(out, arguments->pdata[next++]);
            at++;
        } else {
            g_string_append_c(out, *at);
        }
    }
}

/* The output of a command whose arguments are missing. */
static void append_alone(Converter *self, GString *out, const LatexCommand *command)
{
    if (command->kind == LATEX_TEXT || command->kind == LATEX_FILL) {
        self->failed |= strstr(command->output, "%(") != NULL;
        g_string_append(out, command->output);
    } else if (command->kind == LATEX_ACCENT) {
        g_autofree char *pair = g_strconcat(" ", command->output, NULL);
        g_autofree char *composed = g_utf8_normalize(pair, -1, G_NORMALIZE_NFC);
        g_string_append(out, composed);
    }
}

static void append_command(GString *out, const LatexCommand *command, GPtrArray *arguments)
{
    const char *brace = strchr(command->arguments, '{');
    const char *first = brace != NULL ? arguments->pdata[brace - command->arguments] : "";

    if (command->kind == LATEX_TEXT)
        g_string_append(out, command->output);
    else if (command->kind == LATEX_ARGS)
        g_string_append(out, first);
    else if (command->kind == LATEX_STYLE)
        append_styled(out, first, command->output);
    else if (command->kind == LATEX_ACCENT)
        append_accented(out, first, command->output);
    else if (command->kind == LATEX_FILL)
        append_filled(out, command, arguments);
}

/* Convert an argument. Returns the place behind it, or NULL where the text ends before the
 * argument. */
static const char *read_argument(Converter *self, char kind, const char *at, GString *out)
{
    const char *next = MIN(tg_skip_blanks(at), self->end), *after;
    const char open = next < self->end ? *next : '\0';

    if (kind == '*') {
        if (open != '*')
            return at;
        g_string_append_c(out, '*');
        return next + 1;
    }
    if (kind == '[') {
        const char *end = next + 1;
        if (open != '[')
            return at;
        /* a group or an escaped bracket does not end the argument */
        while (end < self->end && *end != ']') {
            const guint close = *end == '{' ? self->closes[end - self->text] : 0;
            end = close > 0 ? self->text + close + 1 : *end == '\\' ? end + 2 : end + 1;
        }
        if (end >= self->end)
            return NULL;
        convert(self, next + 1, end, out);
        return end + 1;
    }
    if (open == '\0')
        return NULL;
    if (open == '}')
        return next;
    if (open == '{') {
        const guint close = self->closes[next - self->text];
        if (close == 0)
            return NULL;
        convert(self, next + 1, self->text + close, out);
        return self->text + close + 1;
    }
    if (open == '\\') { /* a command as an argument gets no arguments itself */
        const LatexCommand *command = command_at(self, next, &after);
        if (command != NULL)
            append_alone(self, out, command);
        return after;
    }
    const TgWord *special = tg_word_at(TG_WORDS_LIGATURES, next);
    after = special != NULL ? next + strlen(special->word) : g_utf8_next_char(next);
    convert(self, next, after, out);
    return after;
}

/* Convert a command with its arguments. Returns the place behind them; if an argument is missing,
 * the place behind the name. */
static const char *convert_command(Converter *self, const char *at, GString *out)
{
    g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free);
    const char *after_name, *after;
    const LatexCommand *command = command_at(self, at, &after_name);

    if (command == NULL) /* also `\(` and the like */
        return after_name;
    after = after_name;
    for (const char *kind = command->arguments; *kind != '\0' && after != NULL; kind++) {
        GString *argument = g_string_new(NULL);
        after = read_argument(self, *kind, after, argument);
        g_ptr_array_add(arguments, g_string_free(argument, FALSE));
    }
    if (after != NULL && !self->failed)
        append_command(out, command, arguments);
    else if (!self->failed)
        append_alone(self, out, command);
    return after != NULL ? after : after_name;
}

/* Append a part of the text as characters, without braces and dollars. */
static void convert(Converter *self, const char *from, const char *end, GString *out)
{
    self->failed |= ++self->depth > MAX_DEPTH;
    for (const char *at = from, *next; at < end && !self->failed; at = next) {
        const TgWord *special = tg_word_at(TG_WORDS_LIGATURES, at);
        const gsize before = out->len;
        next = g_utf8_next_char(at);
        if (*at == '\\') {
            next = convert_command(self, at, out);
        } else if (special != NULL) {
            g_string_append(out, special->with);
            next = at + strlen(special->word);
        } else if (strchr("{}$", *at) == NULL) {
            g_string_append_len(out, at, next - at);
        }
        self->work += 1 + (out->len - before);
        self->failed |= self->work > self->max_work;
    }
    self->depth--;
}

/* The text before a comment or a last backslash, with a space for each brace behind a backslash,
 * because such a brace has no partner. (transfer full) */
static char *visible_part(const char *text)
{
    char *part = g_strdup(text), *at = part;

    for (; *at != '\0' && *at != '%'; at++)
        if (at[0] == '\\' && at[1] != '\0') {
            at++;
            *at = *at == '{' || *at == '}' ? ' ' : *at;
        } else if (at[0] == '\\') {
            break;
        }
    *at = '\0';
    return part;
}

void tg_latex_to_text(GString *text)
{
    g_autoptr(GString) trimmed = tg_text_trimmed(text->str, text->str + text->len);
    g_autoptr(GString) out = g_string_new(NULL);

    g_string_assign(text, trimmed->str);
    if (strpbrk(text->str, "\\{}$") == NULL || is_prose(text->str) || is_weak(text->str) ||
        tg_text_is_longer(text->str, MAX_LENGTH) || is_deep(text->str) || !braces_pair(text->str) ||
        !environments_pair(text->str) || !delimiters_pair(text->str))
        return;
    g_autofree char *visible = visible_part(text->str);
    g_autofree guint *closes = tg_closing_braces(visible);
    Converter converter = { .text = text->str,
                            .end = text->str + strlen(visible),
                            .closes = closes,
                            .max_work = MAX_WORK * text->len };
    convert(&converter, text->str, converter.end, out);
    if (!converter.failed)
        g_string_assign(text, out->str);
}
