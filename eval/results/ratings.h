/* Answers of people, as a page of `texgauge rate` saves them, for the pairs of a table. */
#pragma once

#include <texgauge/types.h>

#include "eval/results/table.h"

/** Hexadecimal digits of a checksum in a file of ratings. */
#define TG_RATINGS_CHECKSUM 16

/** The question that raters answered. */
typedef enum {
    TG_RATINGS_SCALE,      /**< a rating of a pair */
    TG_RATINGS_PREFERENCE, /**< which of two scores is right */
    TG_RATINGS_DUEL,       /**< which of two predictions is better */
} TgRatingsKind;

/** "scale" and so on, as files write the kinds. */
extern const char *const tg_ratings_kinds[3];

/** One answer. */
typedef struct {
    guint rater;        /**< index into the raters */
    guint row;          /**< of the table */
    guint other;        /**< of a duel the row of the second model; else G_MAXUINT */
    gboolean is_repeat; /**< the pair came a second time */
    gboolean is_wrong;  /**< the rater says that the reference is wrong */
    double value;       /**< the rating, words from 0 for the last one up; else the number of the
                             answer: first, second, both or tie, neither; NaN: none given */
    double seconds;     /**< spent on the pair */
    const char *note;   /**< NULL: none */
} TgRatingsAnswer;

/** The answers of a person. */
typedef struct {
    const char *name;
    const char *path;    /**< of the file */
    guint n_unknown;     /**< answers to pairs that the table does not have */
    gboolean is_partial; /**< some pairs of the page have no answer yet */
} TgRatingsRater;

/** All answers. */
struct TgRatings {
    TgRatingsKind kind;
    double low, high;           /**< of ratings */
    const char *first, *second; /**< of preferences the columns */
    GPtrArray *raters;          /**< of TgRatingsRater *, by name */
    GArray *answers;            /**< of TgRatingsAnswer: by rater, in the order given */
    GPtrArray *remarks; /**< of char *: rated pairs that are not in the table, unfinished files,
                             people who seem to be one, answers that are all the same */
    json_t *files;      /**< owns texts */
};

/** The text that stands for a pair in a file of ratings: its id, or "#ROW". (transfer full) */
char *tg_ratings_id(const TgTableRow *row);

/** The checksum of what a person saw. (transfer full) */
char *tg_ratings_checksum(const char *ref, const char *hyp);

/** Whether the file begins as a file of ratings does, whatever is wrong with it. */
gboolean tg_ratings_recognize(const char *path);

/**
 * Read files of ratings and find their pairs in a table, by subset, id, model and checksum.
 *
 * @paths: NULL last
 * @force: also files of several pages, if they ask the same
 *
 * Returns: (transfer full) the ratings, or NULL with TG_ERROR_INPUT: a file is cut or no ratings,
 * of another study, has answers outside of the scale or twice; two raters have one name; a pair was
 * rated in another version
 */
TgRatings *tg_ratings_read(const char *const *paths, const TgTable *table, gboolean force,
                           GError **error);
void tg_ratings_free(TgRatings *ratings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgRatings, tg_ratings_free)

/** The first answers of every rater as numbers: [n_rows][n_raters], NaN where there is none. A
 * duel's stand in the row of its first model. (transfer full) */
double *tg_ratings_matrix(const TgRatings *ratings, guint n_rows);
