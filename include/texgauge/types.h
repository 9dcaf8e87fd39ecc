/* Common to all public headers: visibility, rectangles, errors, version. */
#pragma once

#include <glib.h>

/** Marks what the shared library exports; everything else is hidden. */
#if defined(__GNUC__)
#define TG_API __attribute__((visibility("default")))
#else
#define TG_API
#endif

G_BEGIN_DECLS

/** A rectangle, y downwards. */
typedef struct {
    double x0, y0, x1, y1;
} TgRect;

/** The domain of every error that this library reports. */
#define TG_ERROR (tg_error_quark())

/**
 * Kinds of errors. TG_ERROR_DATA and TG_ERROR_PARSE are facts about one pair: a run
 * records them in that pair's status and continues. Every other code ends the run.
 */
typedef enum {
    TG_ERROR_USAGE,    /**< a wrong call: unknown metric, misspelt option, value out of range */
    TG_ERROR_INPUT,    /**< a file that cannot be opened or is not what it should be */
    TG_ERROR_DATA,     /**< one pair has unusable data: wrong encoding, a field missing, too long */
    TG_ERROR_PARSE,    /**< one formula cannot be read or drawn */
    TG_ERROR_FONT,     /**< a font is missing or broken; the message names the package */
    TG_ERROR_PLUGIN,   /**< a plugin cannot be loaded or does not fit this library */
    TG_ERROR_OUTPUT,   /**< a result cannot be written */
    TG_ERROR_INTERNAL, /**< a fault of this library: a broken contract between its parts */
    TG_ERROR_CANCELLED, /**< the caller cancelled the operation */
} TgErrorCode;

/** The quark of TG_ERROR. */
TG_API GQuark tg_error_quark(void);

/** The version of these headers. */
#define TG_VERSION_MAJOR 1
#define TG_VERSION_MINOR 0
#define TG_VERSION_PATCH 0

/** Whether these headers are of version @major.@minor.@patch or later, for \#if. */
#define TG_CHECK_VERSION(major, minor, patch)                                                      \
    (TG_VERSION_MAJOR > (major) ||                                                                 \
     (TG_VERSION_MAJOR == (major) &&                                                               \
      (TG_VERSION_MINOR > (minor) ||                                                               \
       (TG_VERSION_MINOR == (minor) && TG_VERSION_PATCH >= (patch)))))

/** The version of the library in use, "MAJOR.MINOR.PATCH", which may be later; static string. */
TG_API const char *tg_version(void);

G_END_DECLS
