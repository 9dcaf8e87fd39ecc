#include "tests/support/test_support.h"

#include "core/json.h"
#include "core/utf8.h"

TEST(test_visible__what_steers_is_shown)
{
    static const struct {
        const char *text, *shown;
    } cases[] = {
        { "plain \xce\xb1\xe4\xb8\xad", "plain \xce\xb1\xe4\xb8\xad" },
        { "\x1b]0;title\x07", "<U+001B>]0;title<U+0007>" },
        { "a\nb\tc\rd", "a\nb\tc<U+000D>d" },
        { "\x7f", "<U+007F>" },
        { "\xc2\x9b"
          "31m",
          "<U+009B>31m" },
        { "\xe2\x80\xae\xe2\x81\xa6\xd8\x9c", "<U+202E><U+2066><U+061C>" },
        { "\x9b"
          "31m\xff",
          "\xef\xbf\xbd"
          "31m\xef\xbf\xbd" }, /* no UTF-8: C1 in one byte */
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *shown = tg_visible(cases[i].text, "\n\t");

        assert_string_equal(shown, cases[i].shown);
    }
}

/* JSON says the same in escapes, and reads back to the same text. */
TEST(test_visible__json_escapes_what_steers)
{
    const char *text =
        "\x1b[31m\x7f\xc2\x9b\xe2\x80\xae\xe2\x81\xa9\xd8\x9c \xce\xb1\xe2\x89\xa4\xe2\x80\xa8";
    g_autoptr(GString) out = g_string_new("\x7f:");
    json_auto_t *value = json_string(text);

    tg_json_append(out, value);
    assert_string_equal(out->str, "\x7f:\"\\u001B[31m\\u007F\\u009B\\u202E\\u2069\\u061C "
                                  "\xce\xb1\xe2\x89\xa4\\u2028\"");
    json_auto_t *again = json_loads(out->str + 2, JSON_DECODE_ANY, NULL);
    assert_string_equal(json_string_value(again), text);
}

/* Real numbers as jansson writes them; what JSON does not know is null. */
TEST(test_visible__json_values_are_appended_one_by_one)
{
    static const double numbers[] = {
        1, -0.0, -17, 0.5, 1.0 / 3, 1e14, 1e15, 2e-5, 1234567890.4, (double) NAN, (double) INFINITY
    };
    g_autoptr(GString) out = g_string_new("{");

    tg_json_append_key(out, "a\n\x7f");
    tg_json_append_text(out, "{\"\\\b\f\n\r\t\x1f\x80\xc2\xa0");
    tg_json_append_key(out, "b");
    tg_json_append_text(out, NULL);
    tg_json_append_key(out, "c");
    g_string_append_c(out, '}');
    assert_string_equal(out->str,
                        "{\"a\\n\\u007F\":\"{\\\"\\\\\\b\\f\\n\\r\\t\\u001F\xef\xbf\xbd\xc2\xa0\","
                        "\"b\":null,\"c\":}");
    g_string_truncate(out, 0);
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++) {
        tg_json_append_number(out, numbers[i]);
        g_string_append_c(out, ' ');
    }
    assert_string_equal(out->str, "1 0 -17 0.5 0.3333333333 100000000000000 1e15 2e-5 1234567890.0 "
                                  "null null ");
}
