/* One row of a test set: what every reader delivers and every run consumes. */
#pragma once

#include <jansson.h>
#include <texgauge/types.h>

/** The scores that one group of raters gave to one row. */
typedef struct {
    char *name;      /**< "human" unless the group was named */
    guint n_scores;  /**< at least one, of which at least one is a number */
    double scores[]; /**< in the raters' order; NaN where a rater gave none */
} TgHumanGroup;

/**
 * A row. All text is UTF-8 without NUL; outer math delimiters are already off (see
 * datasets/records/formula.h) unless the options keep them.
 *
 * Records own their content but for @file, which belongs to the source. A filled record may be
 * moved by copying the struct and setting the old one to zero, and may be handed to another thread.
 */
typedef struct {
    gsize row;        /**< position in the whole input, from 1; every record has its own */
    char *id;         /**< NULL when the data have none */
    char *model;      /**< NULL when none */
    char *subset;     /**< NULL when none */
    GPtrArray *refs;  /**< char *, one or more; none only in a faulty record; never NULL after
                           tg_record_reset() */
    char *hyp;        /**< NULL: there is no prediction (field missing, or JSON null) */
    GPtrArray *human; /**< TgHumanGroup *, in the order asked for; NULL when there are none */
    json_t *stored;   /**< object of the columns asked for, name as given to value, null where the
                           row has none, and of other fields that are kept; NULL when there are none
                         */
    char *remark;     /**< a message about a row that can be scored, or NULL */
    const char *file; /**< borrowed from the source, for messages; "stdin" for "-" */
    gsize line;       /**< where the row begins, from 1 */
    char *fault;      /**< NULL, or "FILE:LINE: what is wrong": this row cannot be scored; the other
                           fields then hold what is known (mostly id, model, subset) */
} TgRecord;

/** Free what @record holds and leave it empty, with an empty @refs: ready for the next row. */
void tg_record_reset(TgRecord *record);

/** Free what @record holds; leaves it all zero. */
void tg_record_clear(TgRecord *record);

/** Free a TgRecord * that was allocated by itself. */
void tg_record_free(gpointer record);

/**
 * Mark @record as unusable: fault becomes "FILE:LINE: " and the formatted text. The first fault
 * stays, later ones are dropped.
 */
void tg_record_set_fault(TgRecord *record, const char *format, ...) G_GNUC_PRINTF(2, 3);

/** A group of @n_scores scores, all NaN. (transfer full) */
TgHumanGroup *tg_human_group_new(const char *name, guint n_scores);

/** Add a group (transfer full) to those of a record. */
void tg_record_add_group(TgRecord *record, TgHumanGroup *group);

/** All groups of a record once more; NULL for NULL. (transfer full) */
GPtrArray *tg_human_groups_copy(const GPtrArray *groups);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgRecord, tg_record_clear)
