/* Units and who owns them. */
#include "metrics/cdm/tolerant/unit.h"

#include <string.h>

static void unit_free(gpointer data)
{
    TgCdmUnit *unit = data;

    g_free(unit->name);
    g_clear_pointer(&unit->children, g_ptr_array_unref);
    g_free(unit);
}

TgCdmUnits *tg_cdm_units_new(void)
{
    TgCdmUnits *units = g_new0(TgCdmUnits, 1);

    units->units = g_ptr_array_new_with_free_func(unit_free);
    return units;
}

void tg_cdm_units_free(TgCdmUnits *units)
{
    if (units == NULL)
        return;
    g_clear_pointer(&units->children, g_ptr_array_unref);
    g_clear_pointer(&units->units, g_ptr_array_unref);
    g_free(units);
}

TgCdmUnit *tg_cdm_unit_new(TgCdmUnits *units, TgCdmUnitKind kind, gsize start, gsize end)
{
    TgCdmUnit *unit = g_new0(TgCdmUnit, 1);

    unit->kind = kind;
    unit->at = (TgCdmRange){ (guint32) start, (guint32) end };
    g_ptr_array_add(units->units, unit);
    return unit;
}

gboolean tg_cdm_unit_is_macro(const TgCdmUnit *unit, const char *name)
{
    return unit != NULL && unit->kind == TG_CDM_UNIT_MACRO && strcmp(unit->name, name) == 0;
}
