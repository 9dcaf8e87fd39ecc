/* texgauge tokenize: the tokens that metrics see. */
#include "cli.h"

#include <string.h>

/* One line of tokens with a blank between them; behind a name and a count if @name is not NULL. */
static gboolean append_tokens(GString *out, const char *name, int width,
                              const TgTokenizer *tokenizer, TgEnv *env, const char *formula,
                              GError **error)
{
    const TgTokens *tokens = tg_env_tokenize(env, tokenizer, formula, error);
    guint n;

    if (tokens == NULL)
        return FALSE;
    tg_tokens_ids(tokens, &n);
    if (name != NULL)
        g_string_append_printf(out, "%-*s %4u  ", width, name, n);
    for (guint i = 0; i < n; i++) {
        gsize len;
        const char *text = tg_tokens_text(tokens, i, &len);

        if (i > 0)
            g_string_append_c(out, ' ');
        g_string_append_len(out, text, (gssize) len);
    }
    g_string_append_c(out, '\n');
    return TRUE;
}

/* What each of the tokenizers makes of each formula: side by side if there are several. */
static int tokenize(GPtrArray *tokenizers, char **formulas)
{
    const gboolean several = tokenizers->len > 1;
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(GString) out = g_string_new(NULL);
    GError *error = NULL;
    int width = 0;

    for (guint k = 0; k < tokenizers->len; k++)
        width = MAX(width, (int) strlen(tg_tokenizer_name(tokenizers->pdata[k])));
    for (guint i = 0; formulas[i] != NULL; i++) {
        if (!g_utf8_validate(formulas[i], -1, NULL))
            return cli_usage("tokenize", "the formula is not UTF-8");
        if (several && i > 0)
            g_string_append_c(out, '\n');
        for (guint k = 0; k < tokenizers->len; k++) {
            const TgTokenizer *tokenizer = tokenizers->pdata[k];
            if (!append_tokens(out, several ? tg_tokenizer_name(tokenizer) : NULL, width, tokenizer,
                               env, formulas[i], &error))
                return cli_fail(error);
        }
    }
    return cli_print(out->str);
}

static void free_tokenizer(gpointer tokenizer)
{
    tg_tokenizer_free(tokenizer);
}

/* Make a tokenizer of each mode; NULL with @error if one cannot be made. */
static GPtrArray *new_tokenizers(char **modes, GError **error)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(free_tokenizer);

    for (guint i = 0; modes[i] != NULL; i++) {
        TgTokenizer *tokenizer = tg_tokenizer_new(modes[i], TG_TOKENIZER_DEFAULT, error);
        if (tokenizer == NULL)
            return NULL;
        g_ptr_array_add(list, tokenizer);
    }
    return g_steal_pointer(&list);
}

int cmd_tokenize(int argc, char **argv)
{
    static char *preset[] = { (char *) "latex", NULL };
    g_auto(GStrv) modes = NULL;
    g_autofree char *names = g_strjoinv(", ", (char **) tg_tokenizer_list());
    g_autofree char *help = g_strdup_printf(
        "one of %s, or bpe:FILE (default: latex); given several times, side by side", names);
    g_auto(GStrv) formulas = NULL;
    GError *error = NULL;
    int status;
    const GOptionEntry entries[] = {
        { "mode", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &modes, help, "NAME" },
        { NULL },
    };

    if (!cli_parse(argc, argv, entries, "[--] FORMULA...",
                   "Prints the tokens of each formula on a line, with a blank between them.",
                   "Example:\n"
                   "  texgauge tokenize --mode 13a 'x_{1}=2.5'\n"
                   "  texgauge tokenize --mode latex --mode bpe:tokenizer.json '\\frac{a}{b}'",
                   &formulas, &status))
        return status;
    if (*formulas == NULL)
        return cli_usage("tokenize", "no formula");
    g_autoptr(GPtrArray) tokenizers = new_tokenizers(modes != NULL ? modes : preset, &error);
    return tokenizers != NULL ? tokenize(tokenizers, formulas) : cli_fail(error);
}
