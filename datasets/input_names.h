/* Inputs as users name them: "MODEL=FILE", or FILE, whose path then gives the model's name. */
#pragma once

#include <texgauge/types.h>

/** The message for a MODEL=FILE whose rows are of several models; both names, FILE, two of them. */
#define TG_INPUT_SEVERAL_MODELS                                                                    \
    "%s=%s: one name for a file of several models ('%s' and '%s'); leave the name away"

/** A list of inputs. */
typedef struct {
    guint n;
    char **paths;    /**< [n], NULL last */
    char **models;   /**< [n] as the user said or as the paths tell, all set */
    gboolean *named; /**< [n] whether the user said */
} TgInputNames;

/**
 * Name every input. Those without a name get the shortest part of their path in which they differ,
 * the nearest to its end: runs/A/pred.json and runs/B/pred.json are A and B, a.json and b.json are
 * a and b. A last part loses its suffix (and .gz or .zst) where they differ without.
 *
 * A folder stands for its files, which are of one model; a pattern (see tg_input_files()) for one
 * model a file, or behind MODEL= for the files of that model.
 *
 * @texts: NULL last; NULL: none
 * @model: the name of all that have none, instead of what their paths tell; NULL: what they tell
 *
 * Returns: FALSE with TG_ERROR_USAGE that says which: a file stands twice without a name, or what
 * a path tells is the name of another input
 */
gboolean tg_input_names_init(TgInputNames *names, const char *const *texts, const char *model,
                             GError **error);
void tg_input_names_clear(TgInputNames *names);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgInputNames, tg_input_names_clear)

/**
 * Several files of one thing are its subsets, called by what differs in their names.
 *
 * @paths: char *
 *
 * Returns: (transfer full) a name for each path; NULL where there are not several
 */
char **tg_input_subsets(const GPtrArray *paths);

/**
 * The shortest part in which paths differ, for each one; NULL where two are the same file.
 *
 * @paths: NULL last
 */
char **tg_input_parts(const char *const *paths);
