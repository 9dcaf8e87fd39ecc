/* The table of canonical rules, and from source to canonical source. */
#include "tokenizer/canonical/canonical.h"

#include <string.h>

#include "core/deadline.h"
#include "core/fail.h"
#include "tokenizer/canonical/list.h"
#include "tokenizer/canonical/node.h"
#include "tokenizer/canonical/printer.h"
#include "tokenizer/canonical/writer.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/macros/lexer.h"
#include "tokenizer/tree/tree.h"

static const TgCanonicalRule rules_table[] = {
    [TG_RULE_SYMBOLS] = { "symbols", "synonyms get one name: \\le is \\leq, \\not= is \\neq",
                          TRUE },
    [TG_RULE_INFIX] = { "infix", "a \\over b is \\frac{a}{b}, likewise \\choose, \\atop", TRUE },
    [TG_RULE_GROUPS] = { "groups", "braces that change nothing go: {x}, {ab}, \\frac{{a}}{b}",
                         TRUE },
    [TG_RULE_PRIMES] = { "primes", "x^{\\prime} is x'", TRUE },
    [TG_RULE_LIMITS] = { "limits", "\\limits and \\nolimits go where they are the default", TRUE },
    [TG_RULE_STYLES] = { "styles", "\\displaystyle and \\dfrac go where the style is that already",
                         TRUE },
    [TG_RULE_FENCES] = { "fences", "\\left(\\begin{matrix}..\\right) is pmatrix", TRUE },
    [TG_RULE_TEXT] = { "text", "groups in text go, ties and control spaces there are spaces",
                       TRUE },
    [TG_RULE_TAGS] = { "tags", "\\tag goes", TRUE },
    [TG_RULE_SPACES] = { "spaces", "all explicit space goes: \\, \\quad ~ \\hspace", FALSE },
    [TG_RULE_DELIMITERS] = { "delimiters", "\\left( \\right) and \\big( are plain ( and )", FALSE },
    [TG_RULE_COLORS] = { "colors", "\\color and \\textcolor go", FALSE },
};

const TgCanonicalRule *tg_canonical_rules(guint *n)
{
    G_STATIC_ASSERT(G_N_ELEMENTS(rules_table) == TG_N_CANONICAL_RULES);
    *n = G_N_ELEMENTS(rules_table);
    return rules_table;
}

TgCanonicalRules tg_canonical_preset(void)
{
    TgCanonicalRules rules = 0;

    for (guint i = 0; i < G_N_ELEMENTS(rules_table); i++)
        rules |= rules_table[i].preset ? 1u << i : 0;
    return rules;
}

/* The set that a choice starts from; returns the bytes that name it, 0 for the default. */
static gsize read_start(const char *spec, TgCanonicalRules *rules)
{
    static const char *const names[] = { "default", "all", "none" };
    const TgCanonicalRules starts[] = { tg_canonical_preset(), (1u << TG_N_CANONICAL_RULES) - 1,
                                        0 };

    *rules = tg_canonical_preset();
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        const gsize len = strlen(names[i]);
        if (strncmp(spec, names[i], len) == 0 && !g_ascii_isalpha(spec[len])) {
            *rules = starts[i];
            return len;
        }
    }
    return 0;
}

static gboolean apply_word(const char *word, gsize len, TgCanonicalRules *rules)
{
    if (word[0] != '+' && word[0] != '-')
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(rules_table); i++) {
        const char *name = rules_table[i].name;
        if (strlen(name) == len - 1 && strncmp(name, word + 1, len - 1) == 0) {
            *rules = word[0] == '+' ? *rules | 1u << i : *rules & ~(1u << i);
            return TRUE;
        }
    }
    return FALSE;
}

gboolean tg_canonical_parse_rules(const char *spec, TgCanonicalRules *rules, GError **error)
{
    spec += strspn(spec, ", ");
    spec += read_start(spec, rules);
    for (spec += strspn(spec, ", "); *spec != '\0'; spec += strspn(spec, ", ")) {
        const gsize len = 1 + strcspn(spec + 1, ", +-");
        if (!apply_word(spec, len, rules))
            return tg_fail_usage(error,
                                 "unknown canonical rule '%.*s'; rules are written +name or -name",
                                 (int) len, spec);
        spec += len;
    }
    return TRUE;
}

/* ---- From source to canonical source ------------------------------------------------------- */

static void copy_errors(TgCanonicalWriter *self, const TgTree *from)
{
    TgTree *to = self->tree;

    to->n_errors = from->n_errors;
    to->errors = tg_canonical_keep(self, from->errors, from->n_errors * sizeof *from->errors);
    for (guint i = 0; i < from->n_errors; i++)
        to->errors[i].message =
            tg_canonical_keep(self, from->errors[i].message, strlen(from->errors[i].message) + 1);
}

TgTree *tg_canonical_tree(const TgTree *tree, TgCanonicalRules rules)
{
    TgTree *copy = tg_tree_new(tree->source, tree->len);
    TgCanonicalWriter writer = {
        .tree = copy, .rules = rules, .style = TG_STYLE_DISPLAY, .write_node = tg_canonical_node
    };

    copy->n_tokens = tree->n_tokens;
    copy->tokens = tg_canonical_keep(&writer, tree->tokens, tree->n_tokens * sizeof *tree->tokens);
    copy_errors(&writer, tree);
    copy->root = tg_canonical_list(&writer, tree->root);
    return copy;
}

char *tg_canonical_latex(const char *tex, gsize len, const TgParseOptions *options,
                         TgCanonicalRules rules, GError **error)
{
    g_autoptr(TgTree) tree = tg_tree_parse(tex, len, options, error);

    if (tree == NULL)
        return NULL;
    g_autoptr(TgTree) canonical = tg_canonical_tree(tree, rules);
    if (tg_too_long(len) && !tg_deadline_check(error))
        return NULL;
    return tg_tree_to_latex(canonical);
}

void tg_latex_space_out(const char *latex, char *out)
{
    char *end = out;
    TgLexer lexer;
    TgLexeme lexeme;

    tg_lexer_init(&lexer, latex, strlen(latex));
    while ((lexeme = tg_lexer_next(&lexer)).kind != TG_LEX_END) {
        if (lexeme.kind == TG_LEX_SPACE)
            continue;
        if (end > out)
            *end++ = ' ';
        memcpy(end, latex + lexeme.start, lexeme.len);
        end += lexeme.len;
    }
    *end = '\0';
}
