/* The exceptions, each with its reason; docs/metrics/cdm-strict.md shows them. */
#include "tests/conformity/same_drawing.h"

static const struct {
    const char *id, *reason;
} exceptions[] = {
    { "im_0027", "the whole line is a comment, so nothing is drawn" },
    { "im_0200", "the whole line is a comment, so nothing is drawn" },
    { "im_0874", "the whole line is a comment, so nothing is drawn" },
    { "im_0128", "\\!\\!\\!\\slash lies on the sign before it, \\!\\slash beside it" },
    { "im_1046", "K ' ' is a double superscript: an error that TeX reports too" },
};

gboolean cdm_is_same_drawing(const CdmReferencePair *pair)
{
    return strcmp(pair->kind, "restyle") == 0 || strcmp(pair->kind, "hand-same") == 0;
}

const char *cdm_same_drawing_exception(const char *id)
{
    for (guint i = 0; i < G_N_ELEMENTS(exceptions); i++) {
        if (strcmp(exceptions[i].id, id) == 0)
            return exceptions[i].reason;
    }
    return NULL;
}
