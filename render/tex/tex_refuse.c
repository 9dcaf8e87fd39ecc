/* Commands that are refused. */
#include "render/tex/tex_refuse.h"

#include <string.h>

/* Whole names, and beginnings of names. */
static const char *const names[] = {
    "catcode",         "csname",          "include",    "input",        "lccode",
    "openin",          "openout",         "read",       "readline",     "write",
    "special",         "shipout",         "scantokens", "gdef",         "xdef",
    "global",          "globaldefs",      "output",     "dump",         "everyjob",
    "batchmode",       "uccode",          "lowercase",  "uppercase",    "usepackage",
    "makeatletter",    "endlinechar",     "escapechar", "IfFileExists", "InputIfFileExists",
    "AtEndDocument",   "AddToHook",       "newwrite",   "immediate",    "verbatiminput",
    "lstinputlisting", "includegraphics", NULL,
};
static const char *const beginnings[] = { "pdf", "tex_", "ExplSyntax", NULL };

static gboolean is_refused(const char *name)
{
    if (g_strv_contains(names, name) || strstr(name, "lua") != NULL)
        return TRUE;
    for (guint i = 0; beginnings[i] != NULL; i++)
        if (g_str_has_prefix(name, beginnings[i]))
            return TRUE;
    return FALSE;
}

char *tg_tex_refuse(const char *latex)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_";

    if (strstr(latex, "^^") != NULL)
        return g_strdup("^^ is not given to TeX");
    for (const char *at = strchr(latex, '\\'); at != NULL; at = strchr(at, '\\')) {
        const gsize length = strspn(at + 1, letters);
        g_autofree char *name = g_strndup(at + 1, length);

        if (length > 0 && is_refused(name))
            return g_strdup_printf("\\%s is not given to TeX", name);
        at += at[1] == '\0' ? 1 : MAX(length, 1) + 1;
    }
    return NULL;
}
