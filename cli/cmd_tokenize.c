/* texgauge tokenize: the tokens that metrics see. */
#include "cli.h"

static gboolean append_tokens(GString *out, const TgTokenizer *tokenizer, TgEnv *env,
                              const char *formula, GError **error)
{
    const TgTokens *tokens = tg_env_tokenize(env, tokenizer, formula, error);
    guint n;

    if (tokens == NULL)
        return FALSE;
    tg_tokens_ids(tokens, &n);
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

static int tokenize(const char *mode, char **formulas)
{
    GError *error = NULL;
    g_autoptr(TgTokenizer) tokenizer = tg_tokenizer_new(mode, TG_TOKENIZER_DEFAULT, &error);
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(GString) out = g_string_new(NULL);

    if (tokenizer == NULL)
        return cli_fail(error);
    for (guint i = 0; formulas[i] != NULL; i++) {
        if (!g_utf8_validate(formulas[i], -1, NULL))
            return cli_usage("tokenize", "the formula is not UTF-8");
        if (!append_tokens(out, tokenizer, env, formulas[i], &error))
            return cli_fail(error);
    }
    return cli_print(out->str);
}

int cmd_tokenize(int argc, char **argv)
{
    g_autofree char *mode = NULL;
    g_autofree char *modes = g_strjoinv(", ", (char **) tg_tokenizer_list());
    g_autofree char *help = g_strdup_printf("one of %s (default: latex)", modes);
    g_auto(GStrv) formulas = NULL;
    int status;
    const GOptionEntry entries[] = {
        { "mode", 0, 0, G_OPTION_ARG_FILENAME, &mode, help, "NAME" },
        { NULL },
    };

    if (!cli_parse(argc, argv, entries, "[--] FORMULA...",
                   "Prints the tokens of each formula on a line, with a blank between them.",
                   "Example:\n"
                   "  texgauge tokenize --mode 13a 'x_{1}=2.5'",
                   &formulas, &status))
        return status;
    if (*formulas == NULL)
        return cli_usage("tokenize", "no formula");
    return tokenize(mode != NULL ? mode : "latex", formulas);
}
