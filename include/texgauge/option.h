/* Typed options of metrics: one constant table gives parsing, range checks, help and signature. */
#pragma once

#include <stddef.h>

#include <texgauge/types.h>

G_BEGIN_DECLS

/** The C type that an option is stored as in the metric's instance. */
typedef enum {
    TG_OPTION_END,    /**< ends the table */
    TG_OPTION_BOOL,   /**< gboolean; written yes/no (also true/false, on/off, 1/0) */
    TG_OPTION_INT,    /**< gint */
    TG_OPTION_DOUBLE, /**< double, finite */
    TG_OPTION_CHOICE, /**< gint, the index into @choices */
    TG_OPTION_STRING, /**< char *, owned by the instance, never NULL */
} TgOptionType;

/** One option; the table ends with an entry whose type is TG_OPTION_END (all zero). */
typedef struct {
    const char *name; /**< lower case, words joined by '-', as users write it */
    TgOptionType type;
    gsize offset;               /**< of the member in the instance */
    const char *preset;         /**< the default, as text in the same syntax users write */
    double min;                 /**< smallest allowed number (INT, DOUBLE) */
    double max;                 /**< largest allowed number (INT, DOUBLE) */
    const char *const *choices; /**< NULL-terminated names (CHOICE) */
    const char *help;           /**< one sentence without full stop */
} TgOption;

/* The offset, after a compile-time check that the member has the type that the option writes. */
#define TG_OPTION_OFFSET_(Type, member, ctype)                                                     \
    (offsetof(Type, member) + 0 * sizeof(&((Type *) 0)->member == (ctype *) 0))

#define TG_OPTION_ROW_(Type, member, ctype, type_, name_, preset_, min_, max_, choices_, help_)    \
    {                                                                                              \
        name_, type_, TG_OPTION_OFFSET_(Type, member, ctype), preset_, min_, max_, choices_, help_ \
    }

#define TG_OPTION_BOOL(Type, member, name, preset, help)                                           \
    TG_OPTION_ROW_(Type, member, gboolean, TG_OPTION_BOOL, name, preset, 0, 0, NULL, help)
#define TG_OPTION_INT(Type, member, name, preset, min, max, help)                                  \
    TG_OPTION_ROW_(Type, member, gint, TG_OPTION_INT, name, preset, min, max, NULL, help)
#define TG_OPTION_DOUBLE(Type, member, name, preset, min, max, help)                               \
    TG_OPTION_ROW_(Type, member, double, TG_OPTION_DOUBLE, name, preset, min, max, NULL, help)
#define TG_OPTION_CHOICE(Type, member, name, preset, choices, help)                                \
    TG_OPTION_ROW_(Type, member, gint, TG_OPTION_CHOICE, name, preset, 0, 0, choices, help)
#define TG_OPTION_STRING(Type, member, name, preset, help)                                         \
    TG_OPTION_ROW_(Type, member, char *, TG_OPTION_STRING, name, preset, 0, 0, NULL, help)

G_END_DECLS
