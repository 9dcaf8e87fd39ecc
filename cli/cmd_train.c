/* texgauge train: trains tokenizers and embeddings on LaTeX text. */
#include "cli/cli.h"

#include <string.h>

#include "tokenizer/train/train.h"

typedef struct {
    const char *folder;
    gboolean quiet;
    TgTrainBpe bpe;
    TgTrainEmbeddings embeddings;
} TrainArgs;

#define AT(member) G_STRUCT_OFFSET(TrainArgs, member)

static int train(CliCall *call)
{
    const TrainArgs *w = call->values;
    const gboolean bpe = strcmp(call->command->name, "bpe") == 0;
    GError *error = NULL;

    if (*call->words == NULL)
        return cli_usage("a corpus is required");
    if (w->folder == NULL)
        return cli_usage("-o DIR is required");
    const TgTrainInput input = { (const char *const *) call->words,
                                 w->folder,
                                 { cli_progress_stage, NULL } };
    cli_progress_start(w->quiet);
    const gboolean done = bpe ? tg_train_bpe(&input, &w->bpe, &error)
                              : tg_train_embeddings(&input, &w->embeddings, &error);
    return done ? EXIT_DONE : cli_fail(error);
}

static const TgArg bpe_args[] = {
    { "output", TG_ARG_FILE, AT(folder), "model folder to write", "DIR", .letter = 'o',
      .file = TG_ARG_WRITES },
    { "words", TG_ARG_TEXT, AT(bpe.words),
      "how to split text into words: latex (default), whitespace, byte-level or metaspace", "KIND",
      .preset = "latex" },
    { "vocab-size", TG_ARG_COUNT, AT(bpe.vocab_size), "size of the vocabulary (default: 30000)",
      "N", .preset = "30000", .min = 1, .max = G_MAXINT },
    { "min-count", TG_ARG_SEED, AT(bpe.min_count),
      "merge pairs that occur at least N times (default: 2)", "N", .preset = "2", .min = 1 },
    { "alphabet", TG_ARG_COUNT, AT(bpe.max_alphabet),
      "keep the N most frequent characters (default: 0, all)", "N" },
    CLI_QUIET(TrainArgs),
    { 0 },
};

static const TgArg embeddings_args[] = {
    { "output", TG_ARG_FILE, AT(folder),
      "model folder with the tokenizer; the embeddings are written to it", "DIR", .letter = 'o',
      .file = TG_ARG_WRITES },
    { "dim", TG_ARG_COUNT, AT(embeddings.dim), "dimension of the embeddings (default: 96)", "N",
      .preset = "96", .min = 1, .max = 4096 },
    { "window", TG_ARG_COUNT, AT(embeddings.window), "tokens of context on each side (default: 3)",
      "N", .preset = "3", .min = 1, .max = 100 },
    { "rounds", TG_ARG_COUNT, AT(embeddings.rounds),
      "iterations of the singular value decomposition (default: 20)", "N", .preset = "20", .min = 1,
      .max = 1000 },
    { "seed", TG_ARG_SEED, AT(embeddings.seed), "seed of the random start (default: 1)", "N",
      .preset = "1" },
    CLI_QUIET(TrainArgs),
    { 0 },
};

static const CliCommand bpe = {
    "bpe",
    "train a byte-pair tokenizer on LaTeX text",
    "CORPUS...",
    "CORPUS is a text file with one formula or sentence per line. Writes DIR/tokenizer.json "
    "and DIR/manifest.json.",
    "texgauge train bpe formulas.txt --vocab-size 8000 -o model\n"
    "texgauge tokenize --mode bpe:model/tokenizer.json '\\frac{a}{b}'",
    NULL,
    bpe_args,
    sizeof(TrainArgs),
    .run = train,
    .words_are_files = TRUE,
};

static const CliCommand embeddings = {
    "embeddings",
    "train embeddings of a tokenizer's tokens",
    "CORPUS...",
    "CORPUS is a text file with one formula or sentence per line; DIR holds the tokenizer.json "
    "of 'texgauge train bpe'. Tokens that are used alike get similar embeddings. Writes "
    "DIR/model.safetensors.",
    "texgauge train embeddings formulas.txt -o model\n"
    "texgauge score --metrics texbleu:model=model 'x+y' 'x-y'",
    NULL,
    embeddings_args,
    sizeof(TrainArgs),
    .run = train,
    .words_are_files = TRUE,
};

static const CliCommand *const parts[] = { &bpe, &embeddings, NULL };

const CliCommand cmd_train = { "train", "train a tokenizer or token embeddings on LaTeX text",
                               .parts = parts };
