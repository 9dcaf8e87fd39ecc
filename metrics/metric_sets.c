#include "metrics/metric_sets.h"

#include <string.h>

#include "metrics/builtin.h"

static const TgMetricSet sets[] = {
    { "default", "cdm,forte,edit,bleu,exprate", "what eval scores unless told otherwise" },
    { "text", "bleu,edit,cer,wer,exprate,rouge,chrf,texbleu,ebleu", "metrics on text" },
    { "drawn", "cdm,cdm-strict,imgedit,mse,ssim", "metrics on drawn formulas" },
    { "all", NULL, "every built-in metric" },
    { "crohme",
      "edit=edit:tokenize=words,bleu=bleu:tokenize=words:smooth=nltk4,cer=cer:edits=words,"
      "exprate=exprate:tokenize=words",
      "the figures that Uni-MuMER publishes for CROHME" },
    { "speech2latex",
      "cer,wer,rouge1=rouge:tokenize=alnum,chrf,chrfpp=chrf:word-order=2,"
      "bleu=bleu:tokenize=13a:smooth=none,sbleu=bleu:tokenize=13a:smooth=exp,"
      "cer_lower=cer:lowercase=yes,wer_lower=wer:lowercase=yes,"
      "rouge1_lower=rouge:tokenize=alnum:lowercase=yes,chrf_lower=chrf:lowercase=yes,"
      "chrfpp_lower=chrf:word-order=2:lowercase=yes,"
      "bleu_lower=bleu:tokenize=13a:smooth=none:lowercase=yes,"
      "sbleu_lower=bleu:tokenize=13a:smooth=exp:lowercase=yes",
      "the columns of speech2latex" },
};

static const char *const builtin_names[] = {
#define X(name) #name,
    TG_BUILTIN_METRICS(X)
#undef X
};

const TgMetricSet *tg_metric_sets(guint *n)
{
    *n = G_N_ELEMENTS(sets);
    return sets;
}

static const TgMetricSet *find_set(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(sets); i++)
        if (strcmp(sets[i].name, name) == 0)
            return &sets[i];
    return NULL;
}

/* (transfer full) */
static char **set_members(const TgMetricSet *set)
{
    if (set->specs != NULL)
        return g_strsplit(set->specs, ",", -1);
    char **names = g_new0(char *, G_N_ELEMENTS(builtin_names) + 1);
    for (guint i = 0; i < G_N_ELEMENTS(builtin_names); i++)
        names[i] = g_strdelimit(g_strdup(builtin_names[i]), "_", '-');
    return names;
}

GPtrArray *tg_metric_sets_expand(const char *list)
{
    g_auto(GStrv) words = g_strsplit(list, ",", -1);
    GPtrArray *specs = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; words[i] != NULL; i++)
        g_strstrip(words[i]);
    for (guint i = 0; words[i] != NULL; i++) {
        const TgMetricSet *set = find_set(words[i]);

        if (set == NULL) {
            g_ptr_array_add(specs, g_strdup(words[i]));
            continue;
        }
        g_auto(GStrv) members = set_members(set);
        for (guint k = 0; members[k] != NULL; k++)
            if (!g_strv_contains((const char *const *) words, members[k]) &&
                !g_ptr_array_find_with_equal_func(specs, members[k], g_str_equal, NULL))
                g_ptr_array_add(specs, g_strdup(members[k]));
    }
    return specs;
}
