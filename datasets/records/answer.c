/* Models and programs write texts around a formula, or change it: where the formula is in an
 * answer, and the signs by which such texts are told. */
#include "datasets/records/formula.h"

#include <pthread.h>
#include <string.h>

#define LONGEST ((gsize) 1 << 18) /* bytes of an answer's end that are looked at */

/* A part of a text; @start NULL: none. */
typedef struct {
    const char *start;
    gsize n;
} Part;

static Part part_of(const char *start, const char *end)
{
    while (start < end && g_ascii_isspace(*start))
        start++;
    while (end > start && g_ascii_isspace(end[-1]))
        end--;
    return (Part){ start, (gsize) (end - start) };
}

/* The length of @word if it stands at @c; 0: it does not. */
static gsize word_at(const char *c, const char *end, const char *word)
{
    const gsize n = strlen(word);

    return (gsize) (end - c) >= n && memcmp(c, word, n) == 0 ? n : 0;
}

/* Whether a text is one of @words, which end in NULL. */
static gboolean is_one_of(const char *text, gsize len, const char *const *words)
{
    while (*words != NULL && (strlen(*words) != len || memcmp(*words, text, len) != 0))
        words++;
    return *words != NULL;
}

/* ---- the forms of parts ---- */

typedef enum {
    BOX,
    OPERATOR,
    CODE,
    ENVIRONMENT,
    SPECIAL,
    ANNOUNCEMENT,
    ITEM,
    ELEMENT,
    SPREADSHEET,
    LIST,
    N_FORMS
} Form;

#define MONTHS "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"

static const char *const form_texts[N_FORMS] = {
    /* the command of a box, with the white space before its brace */
    [BOX] = "\\\\(?:boxed|fbox)[ \\t\\n\\f\\r]*(?=\\{)",
    /* a sign between a box and something beside it, which is no word and no mark of Markdown */
    [OPERATOR] = "[ \\t]*([-+*/^_=>])[ \\t]*(?!\\1|[>\\s.,;:!?)]|[A-Za-z]{2}|\\z)",
    /* a line that opens a block of a programming language */
    [CODE] = "(?i)[`~]{3,}[ \\t]*(?:python|py|json|bash|sh|shell|javascript|js|java|cpp|html|xml|"
             "yaml|sql)[ \\t\\r]*\\z",
    /* the begin or the end of a displayed formula */
    [ENVIRONMENT] = "\\\\(?:begin|end)(\\{(?:equation|align|gather|multline|eqnarray|displaymath|"
                    "math|flalign|alignat)\\*?\\})",
    /* a special token of a language model */
    [SPECIAL] = "(?:<(?:/?(?:s|latex|answer|formula)|pad|eos|bos|unk|sos|EOS|SOS|PAD|image|mask|"
                "eot|eod|end_of_turn|start_of_turn|end_of_utterance)>|"
                "<(\\||｜)(?:[A-Za-z0-9_-]|▁){1,37}\\1>|\\[(?:PAD|EOS|CLS|SEP)\\])",
    /* up to a word that says that a formula follows */
    [ANNOUNCEMENT] =
        "(?i).*?(?:(?<![a-z])(?:latex|tex|answer|results?|formulas?|equation|expression|"
        "output|code|prediction|transcription|solution|ocr)(?![a-z])|"
        "公式|答案|结果|識別|识别|输出|表达式)",
    /* "(3) " before a formula of a numbered list */
    [ITEM] = "\\([0-9]+\\) (?=[A-Za-z\\\\$])",
    /* one element of HTML around everything */
    [ELEMENT] = "<([A-Za-z0-9]{1,10})(?: [^>]*)?>(.*)</\\1>\\z",
    /* what a spreadsheet makes of a text: an error, a rounded number, a date */
    [SPREADSHEET] = "(?:#(?:NAME\\?|REF!|VALUE!|DIV/0!|N/A|NUM!|NULL!)|[0-9.]+E[+-][0-9].?[0-9]|"
                    "[0-9]{1,4}-" MONTHS "|" MONTHS "-[0-9]{1,4})\\z",
    /* the text of a list of Python, of an object or a text of JSON */
    [LIST] = "(?:\".{3,}\"|\\[\\{['\"].*\\}\\]|\\{['\"].{2,}\\}|\\[['\"].+['\"]\\])\\z",
};

static GRegex *forms[N_FORMS];
static pthread_once_t forms_once = PTHREAD_ONCE_INIT;

static void make_forms(void)
{
    for (guint i = 0; i < N_FORMS; i++)
        forms[i] = g_regex_new(form_texts[i], G_REGEX_RAW | G_REGEX_DOTALL, 0, NULL);
}

/* The length of the part from @c on that has this form; 0: it has not. @inside: NULL, or (out) the
 * last group of the form */
static gsize form_at(Form form, const char *c, const char *end, Part *inside)
{
    g_autoptr(GMatchInfo) match = NULL;
    int from, to, n;

    pthread_once(&forms_once, make_forms);
    if (!g_regex_match_full(forms[form], c, end - c, 0, G_REGEX_MATCH_ANCHORED, &match, NULL))
        return 0;
    g_match_info_fetch_pos(match, 0, NULL, &n);
    g_match_info_fetch_pos(match, g_match_info_get_match_count(match) - 1, &from, &to);
    if (inside != NULL)
        *inside = part_of(c + from, c + to);
    return (gsize) n;
}

/* The length of a special token of a language model at @c: "<|im_end|>", "</s>"; 0: it is none. */
static gsize special_length(const char *c, const char *end)
{
    const gboolean may_be =
        end - c > 2 && (g_ascii_isalpha(c[1]) || strchr("/|\xef", c[1]) != NULL);

    return may_be ? form_at(SPECIAL, c, end, NULL) : 0;
}

/* ---- the formula in an answer ---- */

/* How models mark what they think before they answer. */
static const struct {
    const char *open, *close;
} thoughts[] = {
    { "<think>", "</think>" },
    { "<Think>", "</Think>" },
    { "<thinking>", "</thinking>" },
    { "<thought>", "</thought>" },
    { "<reasoning>", "</reasoning>" },
    { "<|channel|>analysis<|message|>", "<|channel|>final<|message|>" },
    { "◁think▷", "◁/think▷" },
    { "[THINK]", "[/THINK]" },
};

/* The answer after all that a model thinks; @end where the last thought is never closed. */
static const char *answer_start(const char *text, const char *end)
{
    for (guint i = 0; i < G_N_ELEMENTS(thoughts); i++) {
        const char *close = g_strrstr_len(text, end - text, thoughts[i].close);

        if (close != NULL)
            text = close + strlen(thoughts[i].close);
        if (g_strstr_len(text, end - text, thoughts[i].open) != NULL)
            return end;
    }
    return text;
}

/* @part without special tokens at its ends; one of them ends most answers. */
static Part without_special(Part part)
{
    enum { MOST = 160 }; /* bytes of a token */
    gsize before;

    do {
        const char *end = part.start + part.n, *last = end;

        before = part.n;
        part = part_of(part.start + special_length(part.start, end), end);
        while (last > part.start && end - last < MOST &&
               (last == end || (*last != '<' && *last != '[')))
            last--;
        if (last < end && special_length(last, end) == (gsize) (end - last))
            part = part_of(part.start, last);
    } while (part.n < before);
    return part;
}

/* Move @text and @end to the answer after all that a model thinks: to what it marks as the answer,
 * if there is anything between the marks. */
static void find_answer(const char **text, const char **end)
{
    static const struct {
        const char *open, *close;
    } marks[] = { { "<answer>", "</answer>" },
                  { "<Answer>", "</Answer>" },
                  { "<latex>", "</latex>" },
                  { "<|begin_of_box|>", "<|end_of_box|>" } };

    *text = answer_start(*text, *end);
    for (guint i = 0; i < G_N_ELEMENTS(marks); i++) {
        const char *close = g_strrstr_len(*text, *end - *text, marks[i].close);
        const char *stop = close != NULL ? close : *end;
        const char *open = g_strrstr_len(*text, stop - *text, marks[i].open);
        const char *start = open != NULL ? open + strlen(marks[i].open) : *text;

        if (part_of(start, stop).n > 0) {
            *text = start;
            *end = stop;
        }
    }
    const Part answer = without_special(part_of(*text, *end));
    *text = answer.start;
    *end = answer.start + answer.n;
}

/* Whether a thought begins or ends at @c. */
static gboolean is_thought(const char *c, const char *end)
{
    for (guint i = 0; i < G_N_ELEMENTS(thoughts); i++)
        if (word_at(c, end, thoughts[i].open) > 0 || word_at(c, end, thoughts[i].close) > 0)
            return TRUE;
    return FALSE;
}

/* Whether the letters that end at @c are a word, and no command. */
static inline gboolean is_word(const char *text, const char *c)
{
    const char *word = c;
    gsize n = 0; /* of the backslashes before it */

    if (c - text < 2 || !g_ascii_isalpha(c[-1]) || !g_ascii_isalpha(c[-2]))
        return FALSE; /* so it is nearly always */
    while (word > text && g_ascii_isalpha(word[-1]))
        word--;
    while (word - n > text && word[-1 - (gssize) n] == '\\')
        n++;
    return n % 2 == 0;
}

/* Whether the box whose content is between @start and @close is an operand, as in `\boxed{x}+1`,
 * and so a part of a formula. After `=` it is a result. */
static gboolean is_operand(const char *text, const char *start, const char *close, const char *end)
{
    if (form_at(OPERATOR, close + 1, end, NULL) > 0)
        return TRUE;
    while (*start != '\\')
        start--;
    while (start > text && (start[-1] == ' ' || start[-1] == '\t'))
        start--;
    if (start == text || memchr("+-*/^_", start[-1], 6) == NULL)
        return FALSE;
    for (start--; start > text && (start[-1] == ' ' || start[-1] == '\t'); start--)
        ;
    return start > text && (g_ascii_isalnum(start[-1]) || start[-1] == '}' || start[-1] == ')') &&
           !is_word(text, start);
}

/* The content of the last \boxed{...} that stands for itself, of nested ones the outer. */
static Part find_boxed(const char *text, const char *end)
{
    g_autoptr(GArray) braces = g_array_new(FALSE, FALSE, sizeof(const char *));
    const char *none = NULL;
    gboolean waiting = FALSE;
    Part found = { 0 };

    for (const char *c = text; c < end; c++) {
        if (*c == '\\') {
            const gboolean may_be = c + 1 < end && (c[1] == 'b' || c[1] == 'f');
            const gsize n = may_be ? form_at(BOX, c, end, NULL) : 0;

            waiting = n > 0;
            c += n > 0 ? n - 1 : 1;
        } else if (*c == '{') {
            const char *start = c + 1;

            g_array_append_val(braces, *(waiting ? &start : &none));
            waiting = FALSE;
        } else if (*c == '}' && braces->len > 0) {
            const char *start = g_array_index(braces, const char *, braces->len - 1);

            g_array_set_size(braces, braces->len - 1);
            if (start != NULL && !is_operand(text, start, c, end))
                found = part_of(start, c);
        }
    }
    return found;
}

/* The content of the last block between lines of ``` or ~~~ that is no program. */
static Part find_fence(const char *text, const char *end)
{
    const char *start = NULL;
    Part found = { 0 };
    gboolean is_code = FALSE;
    char mark = '\0';
    gsize n_mark = 0;

    for (const char *line = text, *lf; line < end; line = lf + 1) {
        const char *c = line;
        gsize n = 0;

        lf = memchr(line, '\n', (gsize) (end - line));
        lf = lf != NULL ? lf : end;
        while (c < lf && (*c == ' ' || *c == '\t'))
            c++;
        while (c + n < lf && (*c == '`' || *c == '~') && c[n] == *c)
            n++;
        if (n < 3)
            continue;
        if (start == NULL) {
            start = MIN(lf + 1, end);
            is_code = form_at(CODE, c, lf, NULL) > 0;
            mark = *c;
            n_mark = n;
        } else if (*c == mark && n >= n_mark) {
            found = is_code ? found : part_of(start, line);
            start = NULL;
        }
    }
    return found;
}

/* Whether the dollar at @c opens a formula although one is open since @start, which then was a sum
 * of money: a digit follows, or @c is at the beginning of a word, and @start was, too. */
static gboolean opens_again(const char *start, const char *c, char next)
{
    return g_ascii_isdigit(next) || (g_ascii_isspace(c[-1]) && !g_ascii_isspace(*start) &&
                                     (g_ascii_isalpha(next) || next == '\\' || next == '{'));
}

/* The last formula of its kind: displayed between $$, \[ and \], or in an environment, which stays
 * around it; or in a line between $, \( and \). */
static Part find_math(const char *text, const char *end, gboolean is_display)
{
    const char open = is_display ? '[' : '(', close = is_display ? ']' : ')', *start = NULL;
    const gsize n_dollars = is_display ? 2 : 1;
    Part found = { 0 }, inside = { 0 }, name;
    char closer = '\0'; /* '$', @close or 'e' of an environment */
    gsize n;

    for (const char *c = text; c < end; c++) {
        const char next = c + 1 < end ? c[1] : '\0';

        if (*c == '$' && (!is_display || next == '$')) {
            if (closer == '$' && (is_display || !opens_again(start, c, next))) {
                found = part_of(start, c);
                closer = '\0';
            } else if (closer == '\0' || closer == '$') {
                closer = '$';
                start = c + n_dollars;
            }
            c += n_dollars - 1;
        } else if (*c != '\\') {
            continue;
        } else if (next == open && closer == '\0') {
            closer = close;
            start = ++c + 1;
        } else if (next == close) {
            if (closer == close) {
                found = part_of(start, c);
                closer = '\0';
            }
            c++;
        } else if (is_display && (next == 'b' || next == 'e') &&
                   (n = form_at(ENVIRONMENT, c, end, &name)) > 0) {
            if (next == 'b' && closer == '\0') {
                closer = 'e';
                start = c;
                inside = name;
            } else if (next == 'e' && closer == 'e' && name.n == inside.n &&
                       memcmp(name.start, inside.start, name.n) == 0) {
                found = part_of(start, c + n);
                closer = '\0';
            }
            c += n - 1;
        } else if (next == '\\' || next == '$' || next == open) {
            c++;
        }
    }
    return found;
}

static Part find_display(const char *text, const char *end)
{
    return find_math(text, end, TRUE);
}

static Part find_inline(const char *text, const char *end)
{
    return find_math(text, end, FALSE);
}

/* The characters of a word from @c on: two or more letters of any script; 0: no word is there. */
static gsize word_length(const char *c, const char *end, gboolean *is_wide)
{
    const char *at = c;
    guint n = 0;

    *is_wide = FALSE;
    for (; at < end; n++) {
        const gunichar sign = g_utf8_get_char_validated(at, end - at);

        if (sign == (gunichar) -1 || sign == (gunichar) -2 || !g_unichar_isalpha(sign))
            break;
        *is_wide = *is_wide || g_unichar_iswide(sign);
        at = g_utf8_next_char(at);
    }
    return n >= 2 ? (gsize) (at - c) : 0;
}

/* The whole answer where it is nothing but a formula: no two words follow each other outside
 * braces, no word ends in a colon or has letters of Chinese, Japanese or Korean; and one word of
 * more than three letters needs a sign of mathematics beside it. So prose is no formula, and `\sin
 * x`, `AB` and `TPR = TP/(TP+FN)` are. */
static Part find_bare(const char *text, const char *end)
{
    const Part whole = part_of(text, end);
    gboolean after_word = FALSE, is_mathematical = FALSE, has_long = FALSE, is_wide;
    gint depth = 0;

    end = whole.start + whole.n;
    for (const char *c = whole.start; c < end;) {
        const gsize n = depth > 0 ? 0 : word_length(c, end, &is_wide);

        if (n > 0) {
            if (after_word || is_wide || (c + n < end && c[n] == ':'))
                return (Part){ 0 };
            after_word = TRUE;
            has_long = has_long || n > 3;
            c += n;
            continue;
        }
        if (*c == '\\') { /* a command, which is no word */
            c++;
            is_mathematical = TRUE;
            after_word = FALSE;
            while (c + 1 < end && g_ascii_isalpha(*c) && g_ascii_isalpha(c[1]))
                c++;
        } else if (strchr(" \t\n\r,.;!?'\"", *c) == NULL) {
            after_word = FALSE;
            is_mathematical =
                is_mathematical || g_ascii_isdigit(*c) || strchr("=<>+-*/^_{}()[]|&", *c) != NULL;
        }
        depth += (*c == '{') - (*c == '}' && depth > 0);
        c++;
    }
    return has_long && !is_mathematical ? (Part){ 0 } : whole;
}

const char *tg_answer_find(const char *text, gsize len, const char *const *ways, gsize *n,
                           const char **way)
{
    static const struct {
        const char *name;
        Part (*find)(const char *text, const char *end);
    } known[] = { { "boxed", find_boxed },   { "fence", find_fence }, { "display", find_display },
                  { "inline", find_inline }, { "bare", find_bare },   { "whole", part_of } };
    const char *end = text + len;

    find_answer(&text, &end);
    if ((gsize) (end - text) > LONGEST) {
        text = end - LONGEST;
        while (text < end && ((guchar) *text & 0xC0) == 0x80)
            text++;
    }
    if (part_of(text, end).n == 0) {
        *way = "empty completion";
        return NULL;
    }
    for (guint i = 0; ways[i] != NULL; i++) {
        for (guint k = 0; k < G_N_ELEMENTS(known); k++) {
            Part found =
                strcmp(ways[i], known[k].name) == 0 ? known[k].find(text, end) : (Part){ 0 };
            if (found.n == 0)
                continue;
            if (known[k].find == find_fence) { /* a block often holds a display, or a sentence */
                const char *stop = found.start + found.n;
                Part inner = find_display(found.start, stop);

                if (inner.n == 0 && find_bare(found.start, stop).n == 0)
                    inner = find_inline(found.start, stop);
                found = inner.n > 0 ? inner : found;
            }
            *way = known[k].name;
            *n = found.n;
            return found.start;
        }
    }
    *way = "no formula found";
    return NULL;
}

/* ---- what stands around a formula without delimiters of its own ---- */

/* Whether @part begins, or ends, with @text. */
static gboolean part_begins(Part part, const char *text)
{
    return word_at(part.start, part.start + part.n, text) > 0;
}

static gboolean part_ends(Part part, const char *text)
{
    const gsize n = strlen(text);

    return part.n >= n && memcmp(part.start + part.n - n, text, n) == 0;
}

/* Without @front bytes at the start and @back bytes at the end. */
static Part part_inside(Part part, gsize front, gsize back)
{
    return part_of(part.start + front, part.start + part.n - back);
}

/* The bytes of "LaTeX:", "**Final Answer:**", "The LaTeX code is" and the like; 0: none is there.
 */
static gsize announcement_length(Part part)
{
    enum { MOST = 120 }; /* bytes */
    const char *end = part.start + MIN(part.n, MOST), *c = part.start;

    for (; c < end; c++) {
        const gsize n = (gsize) (c - part.start);
        const gboolean wide = end - c >= 3 && memcmp(c, "：", 3) == 0;

        if (*c == ':' || wide) {
            if (form_at(ANNOUNCEMENT, part.start, c, NULL) == 0)
                return 0;
            c += wide ? 3 : 1;
            while (c < end && *c == '*') /* of "**Answer:** x" */
                c++;
            return (gsize) (c - part.start);
        }
        if (n > 3 && end - c > 1 && *c == ' ' && memcmp(c - 3, " is", 3) == 0 &&
            form_at(ANNOUNCEMENT, part.start, c, NULL) > 0 &&
            find_bare(c, part.start + part.n).n > 0)
            return n;
        if (!g_ascii_isalpha(*c) && (guchar) *c < 0x80 && strchr(" *#'-\n", *c) == NULL)
            return 0;
    }
    return 0;
}

/* The content of a document; of another text itself. */
static Part without_document(Part part)
{
    static const char begin[] = "\\begin{document}", finish[] = "\\end{document}";
    const char *start = g_strstr_len(part.start, (gssize) part.n, begin);
    const char *stop = g_strrstr_len(part.start, (gssize) part.n, finish);

    if (start == NULL)
        return part;
    start += strlen(begin);
    return part_of(start, stop != NULL && stop >= start ? stop : part.start + part.n);
}

/* @part without the dollar or bracket that opens it, where the closing one is missing or has
 * punctuation behind it. */
static Part without_opening(Part part)
{
    static const char *const pairs[][2] = {
        { "$$", "$$" }, { "$", "$" }, { "\\[", "\\]" }, { "\\(", "\\)" }
    };
    static const char *const signs[] = { ".", ",", ";", ":", "。", "，", "；" };

    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
        const char *open = pairs[i][0], *close = pairs[i][1];

        if (!part_begins(part, open))
            continue;
        const Part rest = part_inside(part, strlen(open), 0);
        const char *partner = g_strstr_len(rest.start, (gssize) rest.n, close);
        if (partner == NULL)
            return rest.n > 0 ? rest : part;
        for (guint k = 0; k < G_N_ELEMENTS(signs); k++) {
            const Part before =
                part_ends(rest, signs[k]) ? part_inside(rest, 0, strlen(signs[k])) : (Part){ 0 };
            if (before.n > 0 && partner + strlen(close) == before.start + before.n)
                return part_of(rest.start, partner);
        }
        return part;
    }
    return part;
}

/* The text without one thing that stands around it, or the same text. */
static Part unwrap_text(Part part)
{
    const char *end = part.start + part.n;
    Part inside;
    gsize n = 0;

    if (part.n < 2)
        return part;
    if (part_ends(part, "\\n") && !part_ends(part, "\\\\n")) /* an escape that nobody read */
        return part_inside(part, 0, 2);
    while (2 * n + 2 < part.n && n < 2 && part.start[n] == '`' && part.start[part.n - 1 - n] == '`')
        n++;
    if (n > 0 && memchr(part.start + n, '`', part.n - 2 * n) == NULL)
        return part_inside(part, n, n);
    if (part.n > 4 && part_begins(part, "**") && part_ends(part, "**") &&
        g_strstr_len(part.start + 2, (gssize) part.n - 4, "**") == NULL)
        return part_inside(part, 2, 2);
    if (*part.start == '<')
        return special_length(part.start, end) == 0 &&
                       form_at(ELEMENT, part.start, end, &inside) > 0
                   ? inside
                   : part;
    if (part_begins(part, "\\documentclass") || part_begins(part, "\\begin{document}"))
        return without_document(part);
    if (*part.start == '$' || part_begins(part, "\\[") || part_begins(part, "\\("))
        return without_opening(part);
    n = form_at(ITEM, part.start, end, NULL);
    if (n == 0 && *part.start != '\\')
        n = announcement_length(part);
    return n < part.n ? part_inside(part, n, 0) : part;
}

/* The content of \boxed around everything but punctuation; of another text itself. An \fbox is a
 * part of some formulas. */
static Part without_box(Part part)
{
    const char *end = part.start + part.n;
    const gsize n = part_begins(part, "\\boxed") ? form_at(BOX, part.start, end, NULL) : 0;
    const Part inner = n > 0 ? find_boxed(part.start, end) : (Part){ 0 };

    if (inner.n == 0 || part_of(part.start + n + 1, inner.start).n > 0)
        return part;
    const char *rest = inner.start + inner.n;
    while (rest < end && strchr("} \t\n.,;", *rest) != NULL)
        rest++;
    return rest == end ? inner : part;
}

/* The formula without anything that stands around it, and without outer delimiters. */
static Part unwrap_text_fully(Part part)
{
    for (guint round = 0; round < TG_DELIMITERS_MAX_PAIRS && part.n > 0; round++) {
        const gsize before = part.n;

        part.start = tg_delimiters_strip(part.start, part.n, &part.n);
        part = unwrap_text(part);
        part = without_box(part);
        if (part.n == before)
            break;
    }
    return part;
}

/* Whether anything but delimiters stands around the formula. @has_words: outside of commands */
static gboolean is_wrapped(const char *text, const char *end, gboolean has_words)
{
    const Part part = part_of(text, end);

    if (part.n < 2 || (!has_words && end[-1] != 'n' && (guchar) *part.start < 0x80 &&
                       strchr("`*<$\\(", *part.start) == NULL))
        return FALSE; /* so it is nearly always */
    return unwrap_text(part).n != part.n;
}

/* ---- signs ---- */

/* Whether every command has two backslashes, and one of them at least is a command that occurs in
 * most formulas. */
static gboolean is_doubled(const char *text, gsize len)
{
    static const char *const common[] = {
        "frac",      "sqrt",       "sum",          "int",   "alpha",  "beta",
        "gamma",     "delta",      "epsilon",      "theta", "lambda", "mu",
        "nu",        "pi",         "rho",          "sigma", "tau",    "phi",
        "psi",       "omega",      "left",         "right", "begin",  "cdot",
        "times",     "infty",      "partial",      "nabla", "mathrm", "mathbf",
        "mathcal",   "text",       "operatorname", "leq",   "geq",    "neq",
        "le",        "ge",         "ne",           "in",    "to",     "rightarrow",
        "hat",       "bar",        "tilde",        "vec",   "dot",    "overline",
        "underline", "lim",        "log",          "ln",    "sin",    "cos",
        "tan",       "exp",        "prod",         "ldots", "cdots",  "quad",
        "pm",        "approx",     "equiv",        "Delta", "Gamma",  "Omega",
        "Sigma",     "Phi",        "mathbb",       "dfrac", "tfrac",  "forall",
        "exists",    "subset",     "cup",          "cap",   "ell",    "prime",
        "varphi",    "varepsilon", "zeta",         "eta",   "xi",     "chi",
        "kappa",     "bf",         "rm",           "cal",   NULL
    };
    const char *end = text + len;
    gboolean any = FALSE;

    for (const char *c = text; c < end; c++) {
        gsize n = 0, n_word = 0;

        if (*c != '\\')
            continue;
        while (c + n < end && c[n] == '\\')
            n++;
        while (c + n + n_word < end && g_ascii_isalpha(c[n + n_word]))
            n_word++;
        if (n % 2 == 1 && n_word > 0)
            return FALSE;
        any = any || (n == 2 && is_one_of(c + n, n_word, common));
        c += n + n_word - 1;
    }
    return any;
}

/* Letters after the backslash of commands that begin as an escape of JSON or Python does. */
static const struct {
    char control, letter;
    const char *rests; /* letters that may follow; NULL: any letter */
} escapes[] = {
    { '\a', 'a', NULL },
    { '\b', 'b', NULL },
    { '\f', 'f', NULL },
    { '\v', 'v', NULL },
    { '\t', 't',
      " heta au ext imes ilde o an anh op riangle frac binom ag extbf extrm extit hinspace " },
    { '\r', 'r', " ight ho angle m floor ceil ightarrow e angle vert brace Vert " },
};

char tg_escaped_letter(const char *c, const char *end)
{
    gsize n = 0;

    while (c + 1 + n < end && g_ascii_isalpha(c[1 + n]))
        n++;
    for (guint i = 0; n > 0 && i < G_N_ELEMENTS(escapes); i++) {
        if (escapes[i].control != *c)
            continue;
        if (escapes[i].rests == NULL)
            return escapes[i].letter;
        g_autofree char *rest = g_strdup_printf(" %.*s ", (int) MIN(n, 20), c + 1);
        return strstr(escapes[i].rests, rest) != NULL ? escapes[i].letter : '\0';
    }
    return '\0';
}

/* HTML's entities that stand for a character of formulas. */
static const struct {
    const char *name, *text;
} entities[] = {
    { "&lt;", "<" },   { "&gt;", ">" },   { "&amp;", "&" },   { "&quot;", "\"" },
    { "&apos;", "'" }, { "&nbsp;", " " }, { "&#39;", "'" },   { "&#x27;", "'" },
    { "&#34;", "\"" }, { "&#60;", "<" },  { "&#62;", ">" },   { "&#38;", "&" },
    { "&#92;", "\\" }, { "&#x2F;", "/" }, { "&minus;", "-" }, { "&times;", "\\times " },
};

/* The number of the entity at @c; the number of all where there is none. */
static guint entity_at(const char *c, const char *end)
{
    guint i = 0;

    while (i < G_N_ELEMENTS(entities) && word_at(c, end, entities[i].name) == 0)
        i++;
    return i;
}

/* Whether words of a language stand around the formula: three outside braces, or one beside dollars
 * or brackets. */
static gboolean is_prose(const char *text, gsize len)
{
    const char *end = text + len;
    guint n_words = 0;
    gboolean marks = FALSE, wide = FALSE;
    gint depth = 0;

    for (const char *c = text; c < end; c++) {
        if (g_ascii_isalpha(*c)) {
            const char *word = c;

            while (c < end && g_ascii_isalpha(*c))
                c++;
            n_words += c - word >= 2 && depth <= 0 && (c == end || strchr(" :.,!?\n", *c) != NULL);
            c--;
        } else if (*c == '\\') {
            c++;
            if (c < end && g_ascii_isalpha(*c))
                while (c + 1 < end && g_ascii_isalpha(c[1]))
                    c++;
            else
                marks = marks || (c < end && (*c == '(' || *c == '['));
        } else {
            depth += (*c == '{') - (*c == '}');
            marks = marks || *c == '$';
            wide = wide || ((guchar) *c >= 0xE3 && depth <= 0); /* Chinese, Japanese, Korean */
        }
    }
    return n_words >= 3 || (marks && (n_words > 0 || wide));
}

/* The signs that begin with one character. */
static guint signs_at(const char *c, const char *end)
{
    switch (*c) {
    case '<':
    case '[':
        if (is_thought(c, end))
            return TG_SIGN_THINK;
        if (word_at(c, end, "<math>") > 0 || word_at(c, end, "<math ") > 0)
            return TG_SIGN_MATHML;
        return special_length(c, end) > 0 ? TG_SIGN_SPECIAL : 0;
    case '\xe2':
        return is_thought(c, end) ? TG_SIGN_THINK : 0;
    case '&':
        return entity_at(c, end) < G_N_ELEMENTS(entities) ? TG_SIGN_ENTITY : 0;
    case '`':
        return end - c >= 3 && c[1] == '`' && c[2] == '`' ? TG_SIGN_FENCE : 0;
    default:
        return tg_escaped_letter(c, end) != '\0' ? TG_SIGN_ESCAPE : 0;
    }
}

/* Every text of a run is read here, so that this is one pass, and the searches that read it again
 * are made where it met what they need. */
guint tg_signs_of(const char *text, gsize len, gboolean is_prediction)
{
    enum { RARE = 1, STOP = 2, SLASH = 4, WORD = 8, SLASHES = 16, SPACE = 32 };
    static const guint8 classes[256] = {
        ['<'] = RARE,  ['&'] = RARE,  ['`'] = RARE,  ['['] = RARE,   [' '] = STOP | SPACE,
        ['\a'] = RARE, ['\b'] = RARE, ['\f'] = RARE, [':'] = STOP,   ['\v'] = RARE,
        ['\t'] = RARE, ['\r'] = RARE, ['.'] = STOP,  ['\\'] = SLASH, [','] = STOP,
        ['\n'] = STOP, ['!'] = STOP,  ['?'] = STOP,  [0xE2] = RARE,
    };
    static const char *const nothing[] = { "nan", "NaN",  "None",      "null", "NULL",
                                           "N/A", "<NA>", "undefined", NULL };
    const char *end = text + len;
    guint signs = 0, seen = 0, bits = 0;

    if (len == 0)
        return 0;
    if (len <= 9 && is_one_of(text, len, nothing))
        return TG_SIGN_NOTHING;
    if (len <= 12 && strchr("#.0123456789JFMASOND", *text) != NULL &&
        form_at(SPREADSHEET, text, end, NULL) > 0)
        return TG_SIGN_SPREADSHEET;
    for (const char *c = text; c < end; c++) {
        const guint class = classes[(guchar) *c];

        bits |= (guchar) *c;
        if (class == 0)
            continue;
        seen |= class;
        if ((class & STOP) != 0 && is_prediction && (seen & WORD) == 0 && is_word(text, c))
            seen |= WORD;
        else if (class == SLASH && c + 1 < end && c[1] == '\\')
            seen |= SLASHES;
    }
    if (strchr("\"[{", *text) != NULL && form_at(LIST, text, end, NULL) > 0)
        signs |= TG_SIGN_LIST;
    for (const char *c = text; (seen & RARE) != 0 && c < end; c++)
        if ((classes[(guchar) *c] & RARE) != 0)
            signs |= signs_at(c, end);
    if ((seen & SLASHES) != 0 && (signs & TG_SIGN_LIST) == 0 && is_doubled(text, len))
        signs |= TG_SIGN_DOUBLED;
    if (is_prediction &&
        (((seen & SPACE) != 0 && ((seen & WORD) != 0 || is_word(text, end))) || bits >= 0x80) &&
        is_prose(text, len))
        signs |= TG_SIGN_PROSE;
    if (is_prediction && (signs & TG_SIGN_PROSE) == 0 && is_wrapped(text, end, seen & WORD))
        signs |= TG_SIGN_PROSE;
    return (signs & TG_SIGN_MATHML) != 0 ? TG_SIGN_MATHML : signs;
}

/* ---- what --clean does about them ---- */

char *tg_clean_think(const char *text)
{
    return g_strdup(answer_start(text, text + strlen(text)));
}

char *tg_clean_special(const char *text)
{
    pthread_once(&forms_once, make_forms);
    return g_regex_replace_literal(forms[SPECIAL], text, -1, 0, "", 0, NULL);
}

char *tg_clean_entities(const char *text)
{
    GString *out = g_string_new(NULL);
    const char *end = text + strlen(text);

    for (const char *c = text; c < end;) {
        const guint i = *c == '&' ? entity_at(c, end) : G_N_ELEMENTS(entities);

        if (i < G_N_ELEMENTS(entities)) {
            g_string_append(out, entities[i].text);
            c += strlen(entities[i].name);
        } else {
            g_string_append_c(out, *c++);
        }
    }
    return g_string_free(out, FALSE);
}

char *tg_clean_escapes(const char *text)
{
    GString *out = g_string_new(NULL);
    const char *end = text + strlen(text);
    const gboolean doubled = is_doubled(text, (gsize) (end - text));

    for (const char *c = text; c < end; c++) {
        const char letter = (guchar) *c < ' ' ? tg_escaped_letter(c, end) : '\0';

        if (letter != '\0') {
            g_string_append_c(out, '\\');
            g_string_append_c(out, letter);
        } else {
            g_string_append_c(out, *c);
            c += doubled && *c == '\\' && c[1] == '\\';
        }
    }
    return g_string_free(out, FALSE);
}

char *tg_clean_answer(const char *text)
{
    static const char *const ways[] = { "boxed", "fence", "display", "inline", NULL };
    const char *end = text + strlen(text), *way;
    gsize n;

    find_answer(&text, &end);
    const Part part = unwrap_text_fully(part_of(text, end));
    if (part.n == 0 ||
        (tg_signs_of(part.start, part.n, TRUE) & (TG_SIGN_PROSE | TG_SIGN_FENCE)) == 0)
        return g_strndup(part.start, part.n);
    const char *formula = tg_answer_find(part.start, part.n, ways, &n, &way);
    const Part found = formula != NULL ? unwrap_text_fully((Part){ formula, n }) : part;
    return g_strndup(found.start, found.n);
}
