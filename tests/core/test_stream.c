/* Files, stdin and memory as lines; gzip and zstd. */
#include "tests/support/test_support.h"

#include <unistd.h>

#include <zlib.h>
#include <zstd.h>

#include "core/files/stream.h"
#include "tests/support/cpu_time.h"

#define LIMIT 16

static TgStream *open_text(const char *text, gsize n)
{
    return tg_stream_open_bytes("mem", text, n, LIMIT);
}

/* Every line as "NUMBER:text|", a line over the limit as "NUMBER!|"; an error as its message. */
static char *lines_of(TgStream *stream)
{
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    TgLineStatus status;
    char *line;
    gsize n;

    while ((status = tg_stream_read_line(stream, &line, &n, &error)) != TG_LINE_END) {
        if (status == TG_LINE_ERROR) {
            g_string_append(out, error->message);
            break;
        }
        g_string_append_printf(out, "%" G_GSIZE_FORMAT, stream->line);
        if (status == TG_LINE_READ) {
            assert_int_equal(line[n], 0);
            g_string_append_c(out, ':');
            g_string_append_len(out, line, (gssize) n);
            g_string_append_c(out, '|');
        } else {
            g_string_append(out, "!|");
        }
    }
    return g_strdup(out->str);
}

static void assert_lines(const char *text, const char *wanted)
{
    g_autoptr(TgStream) stream = open_text(text, strlen(text));
    tg_assert_text(lines_of(stream), wanted);
}

static void assert_lines_of_bytes(const GByteArray *bytes, const char *wanted)
{
    g_autoptr(TgStream) stream = open_text((const char *) bytes->data, bytes->len);
    tg_assert_text(lines_of(stream), wanted);
}

static GByteArray *gzip(const char *text)
{
    GByteArray *out = g_byte_array_new();
    z_stream z = { .next_in = (z_const Bytef *) text, .avail_in = (uInt) strlen(text) };

    g_byte_array_set_size(out, 4096);
    z.next_out = out->data;
    z.avail_out = out->len;
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    g_byte_array_set_size(out, (guint) z.total_out);
    deflateEnd(&z);
    return out;
}

static GByteArray *zstd(const char *text)
{
    GByteArray *out = g_byte_array_new();

    g_byte_array_set_size(out, 4096);
    g_byte_array_set_size(out, (guint) ZSTD_compress(out->data, out->len, text, strlen(text), 3));
    return out;
}

TEST(test_stream__line_ends)
{
    assert_lines("", "");
    assert_lines("a\nbb\n", "1:a|2:bb|");
    assert_lines("a\r\n\r\nb", "1:a|2:|3:b|");
    assert_lines("a\rb\n\n", "1:a\rb|2:|");
    assert_lines("\n", "1:|");
}

TEST(test_stream__drops_a_byte_order_mark)
{
    assert_lines("\xef\xbb\xbf"
                 "a\n\xef\xbb\xbf",
                 "1:a|2:\xef\xbb\xbf|");
    assert_lines("\xef\xbb\xbf", "");
    assert_lines("\xef\xbb", "1:\xef\xbb|");
    assert_lines("\xff", "1:\xff|"); /* half of a mark is none */
    assert_lines("\xff\xfe"
                 "a",
                 "mem:1: the UTF-16 data are cut off after 3 bytes");
}

TEST(test_stream__passes_over_a_long_line)
{
    assert_lines("0123456789abcdef\n0123456789abcdefg\nb\n", "1:0123456789abcdef|2!|3:b|");
    assert_lines("a\n0123456789abcdefg", "1:a|2!|");

    /* longer than every buffer, and after it a line that straddles two reads */
    g_autoptr(GString) text = g_string_new("a\n");
    for (guint i = 0; i < 300000; i++)
        g_string_append_c(text, 'x');
    g_string_append(text, "\nb\n");
    assert_lines(text->str, "1:a|2!|3:b|");
}

/* 64 MiB without a line's end in members of some bytes. */
static GByteArray *bomb(GByteArray *(*encode)(const char *) )
{
    static char text[(1 << 20) + 1];
    GByteArray *out = g_byte_array_new();

    memset(text, 'a', sizeof text - 1);
    g_autoptr(GByteArray) member = encode(text);
    for (guint i = 0; i < 64; i++)
        g_byte_array_append(out, member->data, member->len);
    return out;
}

/* As one line, as a document, and passed over as a line that is too long. */
TEST(test_stream__bombs_are_bounded)
{
    GByteArray *(*const encode[])(const char *) = { gzip, zstd };
    static const guint8 large_window[] = { 0x28, 0xb5, 0x2f, 0xfd, 0, 0xa0, 1, 0, 0 };
    const gsize before = tg_peak_memory();

    for (guint i = 0; i < G_N_ELEMENTS(encode); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GByteArray) bytes = bomb(encode[i]);
        g_autoptr(TgStream) lines = tg_stream_open_bytes("mem", bytes->data, bytes->len, 1u << 30);
        g_autoptr(TgStream) rest = tg_stream_open_bytes("mem", bytes->data, bytes->len, 1u << 20);
        g_autoptr(TgStream) skip = tg_stream_open_bytes("mem", bytes->data, bytes->len, 1u << 20);
        char *line;
        gsize n;

        assert_int_equal(tg_stream_read_line(lines, &line, &n, &error), TG_LINE_ERROR);
        tg_assert_error(error, TG_ERROR_INPUT, "mem:1: decodes to more than 200 times its size");
        assert_null(tg_stream_read_rest(rest, 1u << 30, &error));
        tg_assert_error(error, TG_ERROR_INPUT, "decodes to more than 200 times its size");
        assert_int_equal(tg_stream_read_line(skip, &line, &n, &error), TG_LINE_TOO_LONG);
        assert_int_equal(tg_stream_read_line(skip, &line, &n, &error), TG_LINE_END);
    }
    if (TG_INSTRUMENTED == 1) /* sanitizers keep what was freed */
        assert_in_range(tg_peak_memory() - before, 0, 100u << 20);
    g_autoptr(GByteArray) window = g_byte_array_new();
    g_byte_array_append(window, large_window, sizeof large_window);
    assert_lines_of_bytes(window, "mem:1: the zstd data are corrupt (Frame requires too much "
                                  "memory for decoding)");
}

TEST(test_stream__keeps_lines_across_reads)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    char *line;
    gsize n;

    for (guint i = 0; i < 100000; i++)
        g_string_append_printf(text, "%u\n", i);
    g_autoptr(TgStream) stream = open_text(text->str, text->len);
    for (guint i = 0; i < 100000; i++) {
        assert_int_equal(tg_stream_read_line(stream, &line, &n, &error), TG_LINE_READ);
        assert_int_equal(g_ascii_strtoull(line, NULL, 10), i);
    }
    assert_int_equal(tg_stream_read_line(stream, &line, &n, &error), TG_LINE_END);
}

TEST(test_stream__decodes_gzip_and_zstd)
{
    GByteArray *(*const encode[])(const char *) = { gzip, zstd };

    for (guint i = 0; i < G_N_ELEMENTS(encode); i++) {
        g_autoptr(GByteArray) one = encode[i]("a\nb");
        g_autoptr(GByteArray) two = encode[i]("b\nc\n");

        assert_lines_of_bytes(one, "1:a|2:b|");
        g_byte_array_append(one, two->data, two->len); /* two members are one text */
        assert_lines_of_bytes(one, "1:a|2:bb|3:c|");
    }
    g_autoptr(GByteArray) empty = gzip("");
    assert_lines_of_bytes(empty, "");
}

/* As pzstd writes them, and as block devices end files. */
TEST(test_stream__skippable_frames_and_final_zeros_are_no_data)
{
    static const guint8 frame[] = { 0x5a, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4 };
    static const guint8 zeros[600] = { 0 };
    g_autoptr(GByteArray) behind = g_byte_array_new(), padded = gzip("a\n");
    g_autoptr(GByteArray) data = zstd("a\nb"), more = gzip("b");

    g_byte_array_append(behind, frame, sizeof frame);
    g_byte_array_append(behind, data->data, data->len);
    assert_lines_of_bytes(behind, "1:a|2:b|");
    g_byte_array_append(padded, zeros, sizeof zeros);
    assert_lines_of_bytes(padded, "1:a|");
    g_byte_array_append(padded, more->data, more->len);
    assert_lines_of_bytes(padded, "1:a|2:b|");
}

TEST(test_stream__other_encodings_are_called_by_name)
{
    g_autoptr(TgStream) little = open_text("\xff\xfe\0\0a\0\0\0", 8);
    g_autoptr(TgStream) big = open_text("\0\0\xfe\xff\0\0\0a", 8);

    tg_assert_text(lines_of(little), "mem:1: is UTF-32; UTF-8 is needed");
    tg_assert_text(lines_of(big), "mem:1: is UTF-32; UTF-8 is needed");
}

TEST(test_stream__decodes_utf16)
{
    g_autoptr(TgStream) little = open_text("\xff\xfe"
                                           "a\0\n\0\xe9\0",
                                           8);
    g_autoptr(TgStream) big = open_text("\xfe\xff\0a\0\r\0\n\xd8\x35\xdc\x65", 12);
    g_autoptr(TgStream) empty = open_text("\xff\xfe", 2);
    g_autoptr(TgStream) half = open_text("\xfe\xff\0a\xd8\x35", 6);
    g_autoptr(TgStream) nul = open_text("\xfe\xff\0a\0\0\0b", 8);

    tg_assert_text(lines_of(little), "1:a|2:\u00e9|");
    tg_assert_text(lines_of(big), "1:a|2:\U0001D465|");
    tg_assert_text(lines_of(empty), "");
    tg_assert_text(lines_of(half), "mem:1: the UTF-16 data are cut off after 6 bytes");
    tg_assert_text(lines_of(nul), "mem:1: the UTF-16 data are corrupt (a NUL character, or half of "
                                  "a surrogate pair)");

    /* characters of four bytes, two of which every read of 64 KiB cuts in two */
    g_autoptr(GByteArray) long_text = g_byte_array_new();
    g_byte_array_append(long_text, (const guint8 *) "\xfe\xff", 2);
    for (guint i = 0; i < 100000; i++)
        g_byte_array_append(long_text, (const guint8 *) "\xd8\x35\xdc\x65", 4);
    g_autoptr(TgStream) stream =
        tg_stream_open_bytes("mem", long_text->data, long_text->len, G_MAXUINT32);
    g_autoptr(GString) text = tg_stream_read_rest(stream, G_MAXUINT32, NULL);
    assert_int_equal(text->len, 400000);
    assert_int_equal(g_utf8_strlen(text->str, -1), 100000);
}

TEST(test_stream__says_where_compressed_data_break)
{
    g_autoptr(GByteArray) gz = gzip("a\nbb\nccc\n");
    g_autoptr(GByteArray) zst = zstd("a\nbb\nccc\n");

    const guint whole = gz->len;
    g_byte_array_set_size(gz, whole - 8); /* all text, no trailer */
    assert_lines_of_bytes(gz, "1:a|2:bb|3:ccc|mem:4: the gzip data are cut off after 21 bytes");
    assert_int_equal(whole - 8, 21);
    g_byte_array_set_size(gz, 2);
    assert_lines_of_bytes(gz, "mem:1: the gzip data are cut off after 2 bytes");
    gz->data[1] = 0x8c;
    assert_lines_of_bytes(gz, "1:\x1f\x8c|");

    g_byte_array_set_size(zst, 7);
    assert_lines_of_bytes(zst, "mem:1: the zstd data are cut off after 7 bytes");
    g_autoptr(GByteArray) bad = zstd("a\n");
    const guint8 garbage[] = { 'x', 'x', 'x', 'x', 'x' };
    g_byte_array_append(bad, garbage, sizeof garbage);
    assert_lines_of_bytes(bad, "1:a|mem:2: the zstd data are corrupt (Unknown frame descriptor)");
    g_autoptr(GByteArray) bad_gz = gzip("a\n");
    bad_gz->data[2] = 7;
    assert_lines_of_bytes(bad_gz, "mem:1: the gzip data are corrupt (unknown compression method)");
}

/* FIPS 180-4: "abc"; the hash is that of the raw bytes, whatever of them was read as text. */
TEST(test_stream__hashes_the_raw_bytes)
{
    g_autoptr(TgStream) stream = open_text("abc", 3);
    g_autoptr(GByteArray) gz = gzip("abc");
    g_autoptr(TgStream) packed = open_text((const char *) gz->data, gz->len);
    g_autofree char *wanted = g_compute_checksum_for_data(G_CHECKSUM_SHA256, gz->data, gz->len);

    assert_null(tg_stream_sha256(stream));
    assert_true(tg_stream_finish(stream, NULL));
    assert_string_equal(tg_stream_sha256(stream),
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    g_free(lines_of(packed));
    assert_true(tg_stream_finish(packed, NULL));
    assert_string_equal(tg_stream_sha256(packed), wanted);
    assert_int_equal(packed->bytes_read, gz->len);
}

TEST(test_stream__peeks_without_consuming)
{
    g_autoptr(TgStream) stream = open_text("a\nb\n", 4);
    const char *head;
    gboolean whole;
    gsize n;

    assert_true(tg_stream_peek(stream, &head, &n, &whole, NULL));
    assert_int_equal(n, 4);
    assert_memory_equal(head, "a\nb\n", 4);
    assert_true(whole);
    tg_assert_text(lines_of(stream), "1:a|2:b|");

    g_autoptr(TgStream) marked = open_text("\xef\xbb\xbf"
                                           "a\n",
                                           5);
    assert_true(tg_stream_peek(marked, &head, &n, &whole, NULL));
    assert_int_equal(n, 2);
    assert_memory_equal(head, "a\n", 2);

    g_autofree char *zeros = g_malloc0(100000);
    g_autoptr(TgStream) large = open_text(zeros, 100000);
    assert_true(tg_stream_peek(large, &head, &n, &whole, NULL));
    assert_int_equal(n, TG_STREAM_PEEK);
    assert_false(whole);
}

TEST(test_stream__reads_the_rest_up_to_a_limit)
{
    g_autoptr(TgStream) stream = open_text("a\nb\n", 4);
    g_autoptr(TgStream) again = open_text("a\nb\n", 4);

    GString *all = tg_must(tg_stream_read_rest(stream, 4, &error));
    assert_string_equal(all->str, "a\nb\n");
    g_string_free(all, TRUE);
    tg_assert_fails(tg_stream_read_rest(again, 3, &error), TG_ERROR_INPUT,
                    "mem: is longer than the 3 bytes");
}

TEST(test_stream__names_what_cannot_be_opened)
{
    tg_assert_fails(tg_stream_open(TG_NO_SUCH_PATH, LIMIT, &error), TG_ERROR_INPUT,
                    TG_NO_SUCH_PATH ": cannot be opened: Not a directory");
    tg_assert_fails(tg_stream_open("/", LIMIT, &error), TG_ERROR_INPUT,
                    "/: is a folder, not a file");
}

/* The writer still holds the pipe open: a reader that wants more than the line would hang. */
TEST(test_stream__stdin_gives_a_line_as_soon_as_it_is_there)
{
    int ends[2];
    char *line;
    gsize n;

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    alarm(10);
    g_autoptr(TgStream) stream = tg_stream_open("-", LIMIT, NULL);
    static const char *const lines[] = { "1", "{}", "abc" };
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
        assert_int_equal(write(ends[1], lines[i], strlen(lines[i])), strlen(lines[i]));
        assert_int_equal(write(ends[1], "\n", 1), 1);
        assert_int_equal(tg_stream_read_line(stream, &line, &n, NULL), TG_LINE_READ);
        assert_string_equal(line, lines[i]);
    }
    alarm(0);
    close(ends[1]);
    assert_int_equal(tg_stream_read_line(stream, &line, &n, NULL), TG_LINE_END);
    assert_string_equal(stream->name, "stdin");
    close(ends[0]);
}
