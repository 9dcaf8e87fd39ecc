/* Elements of CDM and the bytes of the user's string that they come from. */
#include "tests/support/cdm_support.h"
#include "tests/support/golden.h"

#include "metrics/base/base.h"

/* Of a formula; there are none where the official program gives up. */
typedef struct {
    TgCdmElements elements;
    TgCdmRange *spans;
} Found;

static void found_clear(Found *found)
{
    tg_cdm_elements_clear(&found->elements);
    g_clear_pointer(&found->spans, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Found, found_clear)

static Found find(const char *latex)
{
    Found found = { 0 };

    if (!cdm_elements(latex, &found.elements))
        return found;
    found.spans = g_new(TgCdmRange, found.elements.n);
    g_autoptr(TgCdmText) text = tg_cdm_text_new(latex, TRUE);
    tg_cdm_find_spans(text, tg_cdm_dialect(TG_CDM_UNIMERNET), &found.elements, found.spans);
    return found;
}

/* @wanted: per element its token, '@', and the offset and length of its span, as "a@3+1" */
static void assert_spans(const char *latex, const char *wanted)
{
    g_auto(Found) found = find(latex);
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < found.elements.n; i++) {
        const TgCdmElement *element = &found.elements.list[i];
        const TgCdmRange span = found.spans[i];

        g_string_append_printf(text, "%s%s@%u+%u", i > 0 ? " " : "", element->token, span.start,
                               span.end - span.start);
    }
    assert_string_equal(text->str, wanted);
}

TEST(test_cdm_spans__by_hand)
{
    static const char *const cases[][2] = {
        /* survive a new order: subscripts are printed before superscripts, infix fractions before
           their numerators */
        { "x^{a}_{a}", "x@0+1 a@7+1 a@3+1" },
        { "{a+b \\over a}", "\\frac@5+5 a@1+1 +@2+1 b@3+1 a@11+1" },
        { "f''(x)", "f@0+1 \\prime@1+1 \\prime@2+1 (@3+1 x@4+1 )@5+1" },
        /* of what is spelled or joined */
        { "\\sin x", "s@0+4 i@0+4 n@0+4 x@5+1" },
        { "a\\ldots.b", "a@0+1 .@1+6 .@1+6 .@1+6 .@7+1 b@8+1" },
        { "\\bigl (x\\bigr)", "\\bigl(@0+7 x@7+1 \\bigr)@8+6" },
        { "\\left( x \\right]", "\\left(@0+6 x@7+1 \\right]@9+7" },
        { "5\\% \\% b", "5@0+1 \\%@1+2 \\%@4+2 b@7+1" },
        /* of environments */
        { "\\begin{pmatrix}a&b\\end{pmatrix}", "\\left(@0+15 a@15+1 b@17+1 \\right)@18+13" },
        { "\\pmatrix{a&b}c", "\\left(@0+8 a@9+1 b@11+1 \\right)@12+1 c@13+1" },
        { "\\begin{align}a&=a\\\\a&=d\\end{align}", "a@13+1 =@15+1 a@16+1 a@19+1 =@21+1 d@22+1" },
        /* beside what is deleted: what is deleted may hold the same letters as what stays */
        { "\\label{a} a", "a@10+1" },
        { "\\label{5.17}Z_{\\rm F}[A ]", "Z@12+1 F@19+1 [@21+1 A@22+1 ]@24+1" },
        { "ab%ab", "a@0+1 b@1+1" },
        { "ab\rab", "a@3+1 b@4+1" },
        { "$a$ a", "a@1+1 a@4+1" },
        /* count bytes */
        { "é+中é", "é@0+2 +@2+1 中@3+3 é@6+2" },
        /* of raw chunks: where the parser fails, elements are what stands between blanks */
        { "\\frac{a  b", "\\frac{a@0+7 b@9+1" },
        { "x \\frac{a}", "x@0+1 \\frac{a}@2+8" }, /* an argument is missing */
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_spans(cases[i][0], cases[i][1]);
}

TEST(test_cdm_spans__none_in_tables_and_long_formulas)
{
    g_autoptr(GString) latex = g_string_new(NULL);

    assert_spans("\\begin{tabular}{c}a\\end{tabular}", "a@0+0");
    for (guint i = 0; i < 15000; i++)
        g_string_append(latex, "a ");
    g_auto(Found) found = find(latex->str);
    assert_true(found.elements.n > 0 && found.spans[0].end == 0);
}

/* On real formulas nearly all spans are known, and most are the element's very name. */
TEST(test_cdm_spans__on_real_formulas)
{
    json_auto_t *rows = tg_golden_shared("cdm-reference/dev.jsonl");
    guint n = 0, n_known = 0, n_same = 0;

    tg_golden_each(row, rows)
    {
        const char *latex = json_string_value(json_object_get(row, "gt"));
        g_auto(Found) found = find(latex);

        for (guint i = 0; i < found.elements.n; i++) {
            const char *token = found.elements.list[i].token;
            const TgCdmRange span = found.spans[i];

            assert_true(span.start <= span.end && span.end <= strlen(latex));
            n++;
            n_known += span.end > span.start;
            n_same += span.end - span.start == strlen(token) &&
                      memcmp(latex + span.start, token, span.end - span.start) == 0;
        }
    }
    print_message("# %u elements, %u spans known, %u of the same text\n", n, n_known, n_same);
    assert_true(n > 10000 && n_known >= 0.999 * n && n_same >= 0.95 * n);
}

/* The bytes of the user's string, also where a dialect takes something off first. */
TEST(test_cdm_spans__clean_up_is_followed)
{
    static const TgCdmDialectId dialects[] = { TG_CDM_OMNIDOCBENCH_15, TG_CDM_OMNIDOCBENCH_16 };

    for (guint i = 0; i < G_N_ELEMENTS(dialects); i++) {
        const TgCdmDialect *dialect = tg_cdm_dialect(dialects[i]);
        g_auto(TgCdmSpellings) clean = { 0 };
        TgCdmNormalized flags;
        g_auto(TgCdmElements) elements = { 0 };
        TgCdmRange spans[2];

        tg_cdm_spellings_find(dialect, "p", "```latex\n$pq$```", &clean);
        assert_string_equal(clean.hyp->string->str, "pq");
        g_autoptr(TgCdmText) source = cdm_normalize(clean.hyp->string->str, dialects[i], &flags);
        assert_true(
            tg_cdm_elements(source->string->str, dialect->vocabulary, &elements, NULL, NULL));
        assert_int_equal(elements.n, 2);
        tg_cdm_find_spans(clean.hyp, dialect, &elements, spans);
        assert_int_equal(spans[1].start, 11);
        assert_int_equal(spans[1].end, 12);
    }
}
