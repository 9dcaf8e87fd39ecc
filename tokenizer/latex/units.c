/* The units and prefixes of siunitx. */
#include "tokenizer/latex/units.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name, *latex; /* letters are set upright; what begins with a backslash is itself */
} Unit;

/* In the order of their names. */
static const Unit units[] = {
    { "ampere", "A" },
    { "angstrom", "\\text{\\AA}" },
    { "arcminute", "{{}^{\\prime}}" },
    { "arcsecond", "{{}^{\\prime\\prime}}" },
    { "astronomicalunit", "au" },
    { "atomicmassunit", "u" },
    { "barn", "b" },
    { "becquerel", "Bq" },
    { "bel", "B" },
    { "byte", "B" },
    { "candela", "cd" },
    { "celsius", "{{}^{\\circ}\\mathrm{C}}" },
    { "coulomb", "C" },
    { "dalton", "Da" },
    { "day", "d" },
    { "decibel", "dB" },
    { "degree", "{{}^{\\circ}}" },
    { "degreeCelsius", "{{}^{\\circ}\\mathrm{C}}" },
    { "electronvolt", "eV" },
    { "gram", "g" },
    { "gray", "Gy" },
    { "hectare", "ha" },
    { "henry", "H" },
    { "hertz", "Hz" },
    { "hour", "h" },
    { "joule", "J" },
    { "kWh", "kW\\,h" },
    { "katal", "kat" },
    { "kelvin", "K" },
    { "kilogram", "kg" },
    { "knot", "kn" },
    { "kohm", "k\\Omega" },
    { "liter", "L" },
    { "litre", "L" },
    { "lumen", "lm" },
    { "lux", "lx" },
    { "meter", "m" },
    { "metre", "m" },
    { "minute", "min" },
    { "mole", "mol" },
    { "nauticalmile", "M" },
    { "neper", "Np" },
    { "newton", "N" },
    { "ohm", "\\Omega" },
    { "pascal", "Pa" },
    { "percent", "\\%" },
    { "radian", "rad" },
    { "second", "s" },
    { "siemens", "S" },
    { "sievert", "Sv" },
    { "steradian", "sr" },
    { "tesla", "T" },
    { "tonne", "t" },
    { "volt", "V" },
    { "watt", "W" },
    { "weber", "Wb" },
};
/* Those that are their own letters. */
static const char *const letters[] = {
    "A",   "C",   "EeV",  "F",  "GHz",  "GPa",  "GW",  "GeV", "H",   "Hz",   "J",   "K",    "L",
    "MHz", "MJ",  "MPa",  "MV", "MW",   "MeV",  "N",   "Pa",  "PeV", "T",    "TeV", "V",    "W",
    "bar", "bit", "cm",   "dB", "dL",   "dm",   "eV",  "fC",  "fF",  "fg",   "fm",  "fs",   "g",
    "hL",  "kA",  "kHz",  "kJ", "kN",   "kPa",  "kV",  "kW",  "keV", "kg",   "km",  "kmol", "l",
    "m",   "mA",  "mC",   "mF", "mH",   "mHz",  "mJ",  "mK",  "mL",  "mN",   "mPa", "mV",   "mW",
    "meV", "mg",  "ml",   "mm", "mmHg", "mmol", "mol", "ms",  "nA",  "nC",   "nF",  "nV",   "nW",
    "ng",  "nm",  "nmol", "ns", "pA",   "pF",   "pV",  "pg",  "pm",  "pmol", "ps",  "s",
};
static const Unit prefixes[] = {
    { "atto", "a" },  { "centi", "c" },  { "deca", "da" },  { "deci", "d" },
    { "deka", "da" }, { "exa", "E" },    { "exbi", "Ei" },  { "femto", "f" },
    { "gibi", "Gi" }, { "giga", "G" },   { "hecto", "h" },  { "kibi", "Ki" },
    { "kilo", "k" },  { "mebi", "Mi" },  { "mega", "M" },   { "micro", "\\text{\\textmu}" },
    { "milli", "m" }, { "nano", "n" },   { "pebi", "Pi" },  { "peta", "P" },
    { "pico", "p" },  { "quecto", "q" }, { "quetta", "Q" }, { "ronna", "R" },
    { "ronto", "r" }, { "tebi", "Ti" },  { "tera", "T" },   { "yocto", "y" },
    { "yotta", "Y" }, { "zepto", "z" },  { "zetta", "Z" },
};

static int unit_compare(const void *name, const void *row)
{
    return strcmp(name, ((const Unit *) row)->name);
}

static const char *unit_find(const TgTexToken *token, const Unit *rows, gsize n)
{
    char name[32];

    if (token->kind != TG_TOK_COMMAND || token->len < 2 || token->len > sizeof name)
        return NULL;
    g_strlcpy(name, token->text + 1, token->len);
    const Unit *found = bsearch(name, rows, n, sizeof *rows, unit_compare);
    if (found != NULL)
        return found->latex;
    for (guint i = 0; rows == units && i < G_N_ELEMENTS(letters); i++) {
        if (strcmp(letters[i], name) == 0)
            return letters[i];
    }
    return NULL;
}

const char *tg_unit(const TgTexToken *token)
{
    return unit_find(token, units, G_N_ELEMENTS(units));
}

const char *tg_unit_prefix(const TgTexToken *token)
{
    return unit_find(token, prefixes, G_N_ELEMENTS(prefixes));
}
