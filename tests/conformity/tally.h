/* Counts of agreement by kind of pair, and the list of what disagrees. */
#pragma once

#include <glib.h>

typedef struct Tally Tally;

Tally *tally_new(void);
void tally_free(Tally *tally);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Tally, tally_free)

/** Count one case of @kind. */
void tally_add(Tally *tally, const char *kind, gboolean agrees);

/** Note a case that disagrees: which, and why. */
void tally_note(Tally *tally, const char *id, const char *cause);

/** Print the counts by kind in order of appearance, the sum, and the notes. */
void tally_print(const Tally *tally, const char *title);

/** How many cases were counted. */
guint tally_count(const Tally *tally);

/** The share of all cases that agree; 1 for none. */
double tally_share(const Tally *tally);
