/* Formulas that come as token ids: whole numbers separated by spaces, or lists of them in JSON. */
#pragma once

#include <jansson.h>

#include <glib.h>

/** Whether @text is nothing but whole numbers separated by spaces. */
gboolean tg_token_ids_valid(const char *text, gsize len);

/** Whether @list is a JSON list of whole numbers; an empty one is. */
gboolean tg_token_ids_is_list(const json_t *list);

/** Such a list as text: "12 7 31". (transfer full) */
char *tg_token_ids_join(const json_t *list);
