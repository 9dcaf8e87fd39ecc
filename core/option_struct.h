/* Option structs of the public interface, which begin with their size so that they can grow. */
#pragma once

#include <string.h>

#include <glib.h>

/**
 * Lay what the caller gave over the defaults in @own: a caller built with an older header has a
 * shorter struct, one built with a newer header a longer one.
 */
#define TG_COPY_OPTIONS(own, given) memcpy(&(own), (given), MIN((given)->size, sizeof(own)))
