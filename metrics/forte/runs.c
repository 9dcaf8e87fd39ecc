/* Groups neighbouring losses and neighbouring additions. */
#include "metrics/forte/runs.h"

#include "metrics/forte/align.h"

/* Whether an edit is of the slip of the one before it, or continues its loss or addition. */
static gboolean goes_on(const TgForteEdit *before, const TgForteEdit *edit)
{
    if (edit->group != 0 || before->group != 0)
        return edit->group == before->group;
    return edit->lost != edit->added && before->lost == edit->lost &&
           before->added == edit->added && edit->ref == before->ref + edit->lost &&
           edit->hyp == before->hyp + edit->added;
}

guint *tg_forte_runs(const GArray *edits)
{
    const TgForteEdit *list = (const TgForteEdit *) (gconstpointer) edits->data;
    guint *runs = g_new(guint, (gsize) edits->len + 1);

    for (guint i = 0; i < edits->len; i++)
        runs[i] = i == 0 ? 0 : runs[i - 1] + !goes_on(&list[i - 1], &list[i]);
    return runs;
}
