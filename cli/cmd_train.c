/* texgauge train: trains tokenizers and embeddings on LaTeX text. */
#include "cli/cli.h"

#include "tokenizer/train/train.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A progress line on the terminal: silent for the first second, and where there is no terminal. */
typedef struct {
    gboolean enabled;
    gint64 start_us;
    gint64 shown_us;
} Line;

static void show(const char *stage, guint64 done, guint64 wanted, gpointer data)
{
    Line *line = data;
    const gint64 now = g_get_monotonic_time();

    if (!line->enabled || now - line->start_us < G_USEC_PER_SEC ||
        now - line->shown_us < G_USEC_PER_SEC / 10)
        return;
    line->shown_us = now;
    fprintf(stderr, "\r\033[K%s", stage);
    if (wanted > 0)
        fprintf(stderr, " %3.0f %%", 100.0 * (double) MIN(done, wanted) / (double) wanted);
    fflush(stderr);
}

static Line start_line(gboolean quiet)
{
    return (Line){ !quiet && isatty(STDERR_FILENO), g_get_monotonic_time(), 0 };
}

static int end_line(const Line *line, gboolean done, GError *error)
{
    if (line->shown_us != 0)
        fputs("\r\033[K", stderr);
    return done ? EXIT_DONE : cli_fail(error);
}

/* What is missing on the command line of both kinds of training, or NULL. */
static const char *missing(const char *folder, char **corpus)
{
    if (*corpus == NULL)
        return "a corpus is required";
    return folder == NULL ? "-o DIR is required" : NULL;
}

static int train_bpe(int argc, char **argv)
{
    g_autofree char *folder = NULL;
    g_autofree char *words = NULL;
    g_auto(GStrv) corpus = NULL;
    gint vocab_size = 30000, min_count = 2, alphabet = 0;
    gboolean quiet = FALSE;
    GError *error = NULL;
    int status;
    g_autofree char *kinds = g_strjoinv(", ", (char **) tg_train_word_kinds());
    g_autofree char *help =
        g_strdup_printf("how text is split into words: %s (default: latex)", kinds);
    const GOptionEntry entries[] = {
        { "output", 'o', 0, G_OPTION_ARG_FILENAME, &folder, "model folder to write", "DIR" },
        { "words", 0, 0, G_OPTION_ARG_STRING, &words, help, "KIND" },
        { "vocab-size", 0, 0, G_OPTION_ARG_INT, &vocab_size,
          "size of the vocabulary (default: 30000)", "N" },
        { "min-count", 0, 0, G_OPTION_ARG_INT, &min_count,
          "least count of a pair to be merged (default: 2)", "N" },
        { "alphabet", 0, 0, G_OPTION_ARG_INT, &alphabet,
          "keep only the N most frequent characters (default: 0, all)", "N" },
        { "quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, "no progress line", NULL },
        { NULL },
    };

    if (!cli_parse(argc, argv, entries, "CORPUS...",
                   "Trains a byte-pair tokenizer on text files, one formula or sentence per line,\n"
                   "and writes DIR/tokenizer.json and DIR/manifest.json.",
                   "Example:\n"
                   "  texgauge train bpe formulas.txt --vocab-size 8000 -o model",
                   &corpus, &status))
        return status;
    if (missing(folder, corpus) != NULL)
        return cli_usage("train", missing(folder, corpus));
    if (vocab_size < 1 || min_count < 1 || alphabet < 0)
        return cli_usage("train", "--vocab-size and --min-count must be at least 1");

    Line line = start_line(quiet);
    const TgTrainInput input = { (const char *const *) corpus, folder, show, &line };
    const TgTrainBpe how = { words != NULL ? words : tg_train_word_kinds()[0], (guint) vocab_size,
                             (guint64) min_count, (guint) alphabet };
    const gboolean done = tg_train_bpe(&input, &how, &error);
    return end_line(&line, done, error);
}

static int train_embeddings(int argc, char **argv)
{
    g_autofree char *folder = NULL;
    g_auto(GStrv) corpus = NULL;
    gint dim = 96, window = 3, rounds = 20;
    gint64 seed = 1;
    gboolean quiet = FALSE;
    GError *error = NULL;
    int status;
    const GOptionEntry entries[] = {
        { "output", 'o', 0, G_OPTION_ARG_FILENAME, &folder,
          "model folder: holds the tokenizer, receives the embeddings", "DIR" },
        { "dim", 0, 0, G_OPTION_ARG_INT, &dim, "dimension of the embeddings (default: 96)", "N" },
        { "window", 0, 0, G_OPTION_ARG_INT, &window,
          "tokens of context on either side (default: 3)", "N" },
        { "rounds", 0, 0, G_OPTION_ARG_INT, &rounds,
          "iterations of the singular value decomposition (default: 20)", "N" },
        { "seed", 0, 0, G_OPTION_ARG_INT64, &seed, "seed of its random start (default: 1)", "N" },
        { "quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, "no progress line", NULL },
        { NULL },
    };

    if (!cli_parse(
            argc, argv, entries, "CORPUS...",
            "Trains embeddings of the tokens of DIR/tokenizer.json, such that tokens that are\n"
            "used alike lie close together, and writes DIR/model.safetensors.",
            "Example:\n"
            "  texgauge train embeddings formulas.txt -o model\n"
            "  texgauge score --metrics texbleu:model=model 'x+y' 'x-y'",
            &corpus, &status))
        return status;
    if (missing(folder, corpus) != NULL)
        return cli_usage("train", missing(folder, corpus));
    if (dim < 1 || dim > 4096 || window < 1 || window > 100 || rounds < 1 || rounds > 1000)
        return cli_usage("train", "--dim must be 1 to 4096, --window 1 to 100, --rounds 1 to 1000");

    Line line = start_line(quiet);
    const TgTrainInput input = { (const char *const *) corpus, folder, show, &line };
    const TgTrainEmbeddings how = { (guint) dim, (guint) window, (guint) rounds, (guint64) seed };
    const gboolean done = tg_train_embeddings(&input, &how, &error);
    return end_line(&line, done, error);
}

int cmd_train(int argc, char **argv)
{
    if (argc >= 2 && strcmp(argv[1], "bpe") == 0)
        return train_bpe(argc - 1, argv + 1);
    if (argc >= 2 && strcmp(argv[1], "embeddings") == 0)
        return train_embeddings(argc - 1, argv + 1);
    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return cli_print(
            "Usage: texgauge train bpe [OPTION...] CORPUS...\n"
            "       texgauge train embeddings [OPTION...] CORPUS...\n\n"
            "Trains a tokenizer, or embeddings of its tokens, on LaTeX text.\n\n"
            "  both        -o --output, -q --quiet\n"
            "  bpe         --words, --vocab-size, --min-count, --alphabet\n"
            "  embeddings  --dim, --window, --rounds, --seed\n\n"
            "See 'texgauge train bpe --help' and 'texgauge train embeddings --help'.\n");
    return cli_usage("train", "bpe or embeddings is required");
}
