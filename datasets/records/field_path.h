/* Paths into JSON values: "a.b", "scores.0.value", "scores[judge=gpt-5].value". */
#pragma once

#include <jansson.h>
#include <texgauge/types.h>

/** A name of a field as users write it, and the steps that it may be read as. */
typedef struct {
    char *text;   /**< as given; a column or member of just this name comes first */
    char **steps; /**< split at the dots outside brackets */
} TgFieldPath;

TgFieldPath *tg_field_path_new(const char *text);
void tg_field_path_free(gpointer path);

/**
 * The value that @path leads to, borrowed; NULL for none. A step is the member of an object, the
 * number of an item of a list, from 0, or MEMBER[KEY=VALUE]: the first object of the list MEMBER
 * whose KEY is the text or number VALUE.
 */
json_t *tg_field_path_walk(const TgFieldPath *path, json_t *object);
