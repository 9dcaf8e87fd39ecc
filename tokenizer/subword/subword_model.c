/* A model folder: a byte-pair tokenizer and the vectors of its tokens. */
#include "tokenizer/subword/subword_model.h"

#include "core/fail.h"

/* The table called @name, with or without the prefix that some savers put before it. */
static TgEmbedding *load_table(const TgSafetensors *file, const char *name, GError **error)
{
    g_autofree char *long_name = g_strconcat("transformer.", name, NULL);

    return tg_embedding_new(file, tg_safetensors_has(file, long_name) ? long_name : name, error);
}

static gboolean has_table(const TgSafetensors *file, const char *name)
{
    g_autofree char *long_name = g_strconcat("transformer.", name, NULL);

    return tg_safetensors_has(file, name) || tg_safetensors_has(file, long_name);
}

static gboolean load_parts(TgSubwordModel *model, const char *folder, GError **error)
{
    g_autofree char *path = g_build_filename(folder, TG_MODEL_FILE, NULL);

    model->bpe = tg_bpe_load(folder, error);
    if (model->bpe == NULL || (model->file = tg_safetensors_open(path, error)) == NULL)
        return FALSE;
    model->tokens = load_table(model->file, TG_TOKEN_TENSOR, error);
    if (model->tokens != NULL && has_table(model->file, TG_POSITION_TENSOR))
        model->positions = load_table(model->file, TG_POSITION_TENSOR, error);
    if (model->tokens == NULL ||
        (model->positions == NULL && has_table(model->file, TG_POSITION_TENSOR))) {
        g_prefix_error(error, "%s: ", path);
        return FALSE;
    }
    if (tg_bpe_id_bound(model->bpe) > tg_embedding_rows(model->tokens))
        return tg_fail_input(error, "%s: the tokenizer has ids up to %u, the table only %u rows",
                             folder, tg_bpe_id_bound(model->bpe) - 1,
                             tg_embedding_rows(model->tokens));
    return TRUE;
}

TgSubwordModel *tg_subword_model_load(const char *folder, GError **error)
{
    g_autoptr(TgSubwordModel) model = g_new0(TgSubwordModel, 1);

    return load_parts(model, folder, error) ? g_steal_pointer(&model) : NULL;
}

void tg_subword_model_free(TgSubwordModel *model)
{
    if (model == NULL)
        return;
    tg_embedding_free(model->tokens);
    tg_embedding_free(model->positions);
    tg_safetensors_free(model->file);
    tg_bpe_unref(model->bpe);
    g_free(model);
}
