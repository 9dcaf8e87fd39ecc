/* The tree that the tolerant reader builds: units, and lists of them. */
#pragma once

#include "metrics/cdm/normalize/text.h"

/** More arguments has no command of the table. */
#define TG_CDM_UNIT_ARGUMENTS 6

/** What a unit is. */
typedef enum {
    TG_CDM_UNIT_CHARACTERS,  /**< a run of ordinary characters and white space */
    TG_CDM_UNIT_SPECIALS,    /**< `&`, `~`, two quotes or hyphens that belong together */
    TG_CDM_UNIT_GROUP,       /**< `{...}`, or `[...]` as an argument: @children */
    TG_CDM_UNIT_MACRO,       /**< a command with the arguments that the table gives it */
    TG_CDM_UNIT_ENVIRONMENT, /**< of any name: @children */
    TG_CDM_UNIT_MATH,        /**< between `\(` and `\)`, `\[` and `\]`, dollars: @children */
} TgCdmUnitKind;

typedef struct TgCdmUnit TgCdmUnit;
struct TgCdmUnit {
    TgCdmUnitKind kind;
    TgCdmRange at;                               /**< in the line: the characters, the command
                                                      with its backslash, the opening mark */
    char *name;                                  /**< of a macro, without backslash, or of an
                                                      environment */
    gboolean is_bracket;                         /**< a group in brackets */
    gboolean space_behind;                       /**< a macro's name is followed by white space */
    guint n_arguments;                           /**< of the table */
    TgCdmUnit *arguments[TG_CDM_UNIT_ARGUMENTS]; /**< NULL: an optional one that is missing */
    GPtrArray *children;                         /**< borrowed units */
};

/** A formula as it was read; owns its units. */
typedef struct {
    GPtrArray *units;    /**< all of them */
    GPtrArray *children; /**< the formula's own */
} TgCdmUnits;

TgCdmUnits *tg_cdm_units_new(void);
void tg_cdm_units_free(TgCdmUnits *units);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgCdmUnits, tg_cdm_units_free)

/** A unit of @units, empty but for its kind and place. */
TgCdmUnit *tg_cdm_unit_new(TgCdmUnits *units, TgCdmUnitKind kind, gsize start, gsize end);

/** Whether @unit, which may be NULL, is a macro called @name, without backslash. */
gboolean tg_cdm_unit_is_macro(const TgCdmUnit *unit, const char *name);
