/* Embedding tables: files, half precision, decomposition, training. */
#include "tests/support/test_support.h"

#include "core/number.h"
#include "tokenizer/subword/subword_model.h"
#include "tokenizer/train/train.h"

/* IEEE 754: 1, -2, the largest 65504, the smallest normal 2^-14 and subnormal 2^-24, 1/3. */
TEST(test_half__known_values)
{
    static const struct {
        guint16 bits;
        float value;
    } known[] = {
        { 0x3c00, 1.0f },     { 0xc000, -2.0f },    { 0x7bff, 65504.0f },
        { 0x0400, 0x1p-14f }, { 0x0001, 0x1p-24f }, { 0x8000, -0.0f },
        { 0x0000, 0.0f },     { 0x7c00, INFINITY }, { 0x3555, 0.33325195f },
    };

    for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
        assert_true(tg_half_to_float(known[i].bits) == known[i].value);
        assert_int_equal(tg_half_from_float(known[i].value), known[i].bits);
    }
    assert_int_equal(tg_half_from_float(1.0f / 3.0f), 0x3555);
    assert_int_equal(tg_half_from_float(65520.0f), 0x7c00); /* rounds up to infinity */
    assert_int_equal(tg_half_from_float(65519.0f), 0x7bff);
    assert_int_equal(tg_half_from_float(1.0f + 0x1p-11f), 0x3c00);     /* tie: to even */
    assert_int_equal(tg_half_from_float(1.0f + 3 * 0x1p-11f), 0x3c02); /* tie: to even */
    assert_int_equal(tg_half_from_float(0x1p-25f), 0x0000);            /* tie: to even */
    assert_int_equal(tg_half_from_float(3 * 0x1p-25f), 0x0002);        /* tie: to even */
    assert_true(isnan(tg_half_to_float(tg_half_from_float(NAN))));
    assert_true(tg_bfloat_to_float(0x3f80) == 1.0f);
    assert_true(tg_bfloat_to_float(0xc049) == -3.140625f);
}

TEST(test_half__every_number_survives)
{
    for (guint bits = 0; bits < 0x10000; bits++)
        if ((bits & 0x7c00) != 0x7c00)
            assert_int_equal(tg_half_from_float(tg_half_to_float((guint16) bits)), bits);
}

/* A file of a header and @n zero bytes of data. */
static TgSafetensors *open_header(const char *header, gsize n, GByteArray *bytes, GError **error)
{
    const guint64 size = strlen(header);
    const guint8 zero[64] = { 0 };

    g_byte_array_set_size(bytes, 0);
    for (guint i = 0; i < 8; i++) {
        const guint8 byte = (guint8) (size >> (8 * i));
        g_byte_array_append(bytes, &byte, 1);
    }
    g_byte_array_append(bytes, (const guint8 *) header, (guint) size);
    g_byte_array_append(bytes, zero, (guint) n);
    return tg_safetensors_open_bytes(bytes->data, bytes->len, error);
}

TEST(test_safetensors__hostile_files_are_refused)
{
    static const struct {
        const char *header, *message;
    } cases[] = {
        { "[]", "not a JSON object" },
        { "{", "not JSON" },
        { "{\"w\": {}}", "does not lie inside" },
        { "{\"w\": {\"data_offsets\": [0, 65]}}", "does not lie inside" },
        { "{\"w\": {\"data_offsets\": [9, 8]}}", "does not lie inside" },
        { "{\"w\": {\"data_offsets\": [-1, 8]}}", "does not lie inside" },
        { "{\"w\": {\"data_offsets\": [0, 9223372036854775807]}}", "does not lie inside" },
        { "{\"x\": {\"data_offsets\": [0, 8]}}", "no tensor 'w'" },
        { "{\"w\": {\"dtype\": \"I8\", \"shape\": [2, 4], \"data_offsets\": [0, 8]}}", "is I8" },
        { "{\"w\": {\"dtype\": \"F16\", \"shape\": [4], \"data_offsets\": [0, 8]}}",
          "not a matrix" },
        { "{\"w\": {\"dtype\": \"F16\", \"shape\": [0, 4], \"data_offsets\": [0, 0]}}",
          "not a matrix" },
        { "{\"w\": {\"dtype\": \"F16\", \"shape\": [2, 4], \"data_offsets\": [0, 8]}}",
          "wrong size" },
        { "{\"w\": {\"dtype\": \"F32\", \"shape\": [4294967296, 4294967296],"
          " \"data_offsets\": [0, 0]}}",
          "not a matrix" },
    };
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(TgSafetensors) file = open_header(cases[i].header, 64, bytes, &error);
        if (file != NULL)
            assert_null(tg_embedding_new(file, "w", &error));
        tg_assert_error(error, TG_ERROR_INPUT, cases[i].message);
    }
    const guint8 endless[] = "\xff\xff\xff\xff\xff\xff\xff\xff{}";
    tg_assert_fails(tg_safetensors_open_bytes(endless, 10, &error), TG_ERROR_INPUT,
                    "sensible size");
    tg_assert_fails(tg_safetensors_open_bytes(endless, 3, &error), TG_ERROR_INPUT, "sensible size");
}

TEST(test_safetensors__reads_three_types)
{
    /* 1 and -2 in each type, by their bit patterns. */
    static const char header[] =
        "{\"a\": {\"dtype\": \"F32\", \"shape\": [1, 2], \"data_offsets\": [0, 8]},"
        " \"b\": {\"dtype\": \"F16\", \"shape\": [2, 1], \"data_offsets\": [8, 12]},"
        " \"c\": {\"dtype\": \"BF16\", \"shape\": [1, 2], \"data_offsets\": [12, 16]}}";
    static const guint8 data[16] = { 0, 0,    0x80, 0x3f, 0,    0,    0,    0xc0,
                                     0, 0x3c, 0,    0xc0, 0x80, 0x3f, 0x00, 0xc0 };
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    g_autoptr(TgSafetensors) empty = open_header(header, 16, bytes, NULL);

    assert_non_null(empty);
    memcpy(bytes->data + bytes->len - 16, data, 16);
    for (guint i = 0; i < 3; i++) {
        const char name[] = { (char) ('a' + i), '\0' };
        g_autoptr(TgEmbedding) table = tg_must(tg_embedding_new(empty, name, &error));
        assert_int_equal(table->rows * table->dim, 2);
        assert_true(tg_embedding_row(table, 0)[0] == 1.0f);
        assert_true(tg_embedding_row(table, 0)[1] == -2.0f);
        if (name[0] == 'b')
            tg_assert_near(tg_embedding_cosine_distance(table, 0, 1), 2.0, 1e-15);
    }
    bytes->data[bytes->len - 1] = 0x7f; /* bfloat16 0x7f00 is large but finite; 0x7f80 is not */
    bytes->data[bytes->len - 2] = 0x80;
    tg_assert_fails(tg_embedding_new(empty, "c", &error), TG_ERROR_INPUT, "not finite");
    bytes->data[bytes->len - 2] = 0xc0; /* NaN */
    tg_assert_fails(tg_embedding_new(empty, "c", &error), TG_ERROR_INPUT, "not finite");
}

TEST(test_safetensors__written_file_reads_back)
{
    static const float values[6] = { 0.5f, -1.0f, 2.0f, 0.0f, 1024.0f, -0.25f };
    gsize len;
    g_autofree guint8 *bytes = tg_safetensors_write_f16("w", values, 2, 3, &len);
    g_autoptr(TgSafetensors) file = tg_must(tg_safetensors_open_bytes(bytes, len, &error));
    g_autoptr(TgEmbedding) table = tg_must(tg_embedding_new(file, "w", &error));

    assert_int_equal(table->rows, 2);
    assert_int_equal(table->dim, 3);
    assert_memory_equal(tg_embedding_row(table, 0), values, sizeof values);
}

/* (3, 4) and (4, -3) are at right angles; zero is at distance 1 even from itself. */
TEST(test_embedding__distances_by_hand)
{
    static const float values[8] = { 3, 4, 4, -3, 6, 8, 0, 0 };
    g_autoptr(TgEmbedding) table = tg_embedding_new_from_values(values, 4, 2);

    tg_assert_near(tg_embedding_cosine_distance(table, 0, 1), 1.0, 1e-15);
    tg_assert_near(tg_embedding_cosine_distance(table, 0, 2), 0.0, 1e-15);
    tg_assert_near(tg_embedding_cosine_distance(table, 3, 3), 1.0, 0.0);
    tg_assert_near(tg_embedding_l1_distance(table, 0, 1), 8.0, 0.0);
}

/* [[2, 1], [1, 2]] has eigenvalues 3 and 1 with vectors (1, 1) and (1, -1) over root 2. */
TEST(test_svd__eigenvalues_by_hand)
{
    double a[6] = { 2, 1, 1, 2, 7, 7 }, vectors[4], values[2];

    tg_symmetric_eigen(a, 2, vectors, values);
    assert_true(a[4] == 7 && a[5] == 7); /* beyond it */
    tg_assert_near(values[0], 3.0, 1e-14);
    tg_assert_near(values[1], 1.0, 1e-14);
    tg_assert_near(vectors[0] * vectors[2], 0.5, 1e-14);
    tg_assert_near(vectors[1] * vectors[3], -0.5, 1e-14);
}

/* A rank-one part u v' of strength 6 and another of strength 2, at right angles:
 * u1 = (1, 2, 2)/3, u2 = (2, 1, -2)/3, v1 = (3, 4)/5, v2 = (4, -3)/5. */
TEST(test_svd__known_decomposition)
{
    const double u[3][2] = { { 1 / 3., 2 / 3. }, { 2 / 3., 1 / 3. }, { 2 / 3., -2 / 3. } };
    const double v[2][2] = { { 0.6, 0.8 }, { 0.8, -0.6 } }, strength[2] = { 6, 2 };
    gsize start[4] = { 0, 2, 4, 6 };
    guint32 column[6] = { 0, 1, 0, 1, 0, 1 };
    float value[6];
    double vectors[6], values[2];

    for (guint i = 0; i < 3; i++)
        for (guint j = 0; j < 2; j++)
            value[2 * i + j] =
                (float) (u[i][0] * strength[0] * v[0][j] + u[i][1] * strength[1] * v[1][j]);
    const TgSparse matrix = { 3, 2, start, column, value };
    tg_svd_left(&matrix, 2, 8, 1, NULL, vectors, values);
    tg_assert_near(values[0], 6.0, 1e-6);
    tg_assert_near(values[1], 2.0, 1e-6);
    for (guint i = 0; i < 3; i++) {
        tg_assert_near(vectors[2 * i], u[i][0], 1e-6);
        tg_assert_near(vectors[2 * i + 1] * vectors[1], u[i][1] * u[0][1], 1e-6);
    }
}

/* Its singular values are 2 and 5e-6, so its rows are nearly parallel. */
TEST(test_svd__vectors_of_a_nearly_singular_matrix_are_at_right_angles)
{
    gsize start[3] = { 0, 2, 4 };
    guint32 column[4] = { 0, 1, 0, 1 };
    float value[4] = { 1, 1, 1, 1.00001f };
    const TgSparse matrix = { 2, 2, start, column, value };
    double vectors[4], values[2];

    tg_svd_left(&matrix, 2, 1, 1, NULL, vectors, values);
    tg_assert_near(vectors[0] * vectors[1] + vectors[2] * vectors[3], 0.0, 1e-14);
}

/* Tokens 0 and 1 have the same neighbors 4 and 5; 2 and 3 have 6 and 7; 8 never occurs. */
TEST(test_embedding_train__tokens_used_alike_lie_close)
{
    static const guint32 texts[4][3] = { { 4, 0, 5 }, { 4, 1, 5 }, { 6, 2, 7 }, { 6, 3, 7 } };
    g_autoptr(TgVocab) right = tg_vocab_new();
    TgCooccurrences counts = { 9, 2, right };
    const TgTrainEmbeddings how = { .dim = 4, .window = 2, .rounds = 10, .seed = 1 };
    float values[9 * 4], again[9 * 4];

    for (guint i = 0; i < 400; i++)
        tg_cooccurrences_add(&counts, texts[i % 4], 3);
    tg_embedding_train(&counts, &how, NULL, values);
    tg_embedding_train(&counts, &how, NULL, again);
    assert_memory_equal(values, again, sizeof values);

    g_autoptr(TgEmbedding) table = tg_embedding_new_from_values(values, 9, 4);
    tg_assert_near(tg_embedding_cosine_distance(table, 0, 1), 0.0, 1e-6);
    tg_assert_near(tg_embedding_cosine_distance(table, 2, 3), 0.0, 1e-6);
    assert_true(tg_embedding_cosine_distance(table, 0, 2) > 0.9);
    for (guint i = 0; i < 9; i++)
        tg_assert_near(tg_embedding_cosine_distance(table, i, i), 0.0, 1e-12);
    assert_true(tg_embedding_cosine_distance(table, 8, 0) > 0.1);
}
