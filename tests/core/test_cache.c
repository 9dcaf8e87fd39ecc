/* The cache of objects made from texts: what is found, what goes when it is full, who owns what. */
#include "tests/support/test_support.h"

#include "core/cache.h"

/* An object of a given size that counts its references. */
typedef struct {
    gint refs;
    gsize size;
} Thing;

static gpointer thing_ref(gpointer object)
{
    g_atomic_int_inc(&((Thing *) object)->refs);
    return object;
}

static void thing_unref(gpointer object)
{
    g_atomic_int_add(&((Thing *) object)->refs, -1);
}

static gsize thing_size(gconstpointer object)
{
    return ((const Thing *) object)->size;
}

static const TgSharedKind kind = { thing_ref, thing_unref, thing_size };
static const TgSharedKind other_kind = { thing_ref, thing_unref, thing_size };

static gboolean holds(TgCache *cache, const char *text, Thing *thing)
{
    gpointer found = tg_cache_find(cache, &kind, "", text);

    if (found != NULL)
        thing_unref(found);
    return found == thing;
}

TEST(test_cache__key_is_kind_settings_and_text)
{
    Thing thing = { 0, 1 };
    g_autoptr(TgCache) cache = tg_cache_new(100000);

    tg_cache_keep(cache, &kind, "dpi=200", "x", &thing);
    assert_null(tg_cache_find(cache, &kind, "dpi=100", "x"));
    assert_null(tg_cache_find(cache, &other_kind, "dpi=200", "x"));
    assert_null(tg_cache_find(cache, &kind, "dpi=200", "y"));
    assert_ptr_equal(tg_cache_find(cache, &kind, "dpi=200", "x"), &thing);
    assert_int_equal(thing.refs, 2); /* the cache's and ours */
}

/* Three things of 1,000 bytes where two have room: the one that was used last but once goes. */
TEST(test_cache__drops_the_longest_unused)
{
    Thing a = { 0, 1000 }, b = { 0, 1000 }, c = { 0, 1000 };
    g_autoptr(TgCache) cache = tg_cache_new(2500);

    tg_cache_keep(cache, &kind, "", "a", &a);
    tg_cache_keep(cache, &kind, "", "b", &b);
    assert_true(holds(cache, "a", &a)); /* now b is the older one */
    tg_cache_keep(cache, &kind, "", "c", &c);
    assert_true(holds(cache, "a", &a));
    assert_true(holds(cache, "b", NULL));
    assert_true(holds(cache, "c", &c));
    assert_int_equal(b.refs, 0);
}

TEST(test_cache__first_object_stays_and_huge_ones_do_not_enter)
{
    Thing first = { 0, 1000 }, second = { 0, 1000 }, huge = { 0, 3000 };
    g_autoptr(TgCache) cache = tg_cache_new(2500);

    tg_cache_keep(cache, &kind, "", "a", &first);
    tg_cache_keep(cache, &kind, "", "a", &second);
    tg_cache_keep(cache, &kind, "", "b", &huge);
    assert_true(holds(cache, "a", &first));
    assert_true(holds(cache, "b", NULL));
    assert_int_equal(second.refs, 0);
}

TEST(test_cache__owns_nothing_after_its_end)
{
    TgCache *cache = tg_cache_new(100000);
    Thing thing = { 0, 10 };

    tg_cache_keep(cache, &kind, "", "a", &thing);
    TgCache *also = tg_cache_ref(cache);
    tg_cache_unref(cache);
    assert_int_equal(thing.refs, 1);
    tg_cache_unref(also);
    assert_int_equal(thing.refs, 0);
}

enum { N_THINGS = 64, N_ROUNDS = 20000 };

typedef struct {
    TgCache *cache;
    Thing *things;
    guint step;
} Visitor;

/* Look things up and keep what is missing; whoever gets one gets the right one. */
static gpointer visit(gpointer data)
{
    const Visitor *visitor = data;

    for (guint i = 0; i < N_ROUNDS; i++) {
        const guint k = i * visitor->step % N_THINGS;
        const char text[] = { (char) ('0' + k), '\0' };
        gpointer found = tg_cache_find(visitor->cache, &kind, "", text);

        if (found == NULL) {
            tg_cache_keep(visitor->cache, &kind, "", text, &visitor->things[k]);
            continue;
        }
        if (found != &visitor->things[k])
            return GUINT_TO_POINTER(1);
        thing_unref(found);
    }
    return NULL;
}

TEST(test_cache__serves_several_threads)
{
    Thing things[N_THINGS] = { { 0, 0 } };
    TgCache *cache = tg_cache_new(N_THINGS / 2 * 200);
    Visitor visitors[4];
    GThread *threads[G_N_ELEMENTS(visitors)];

    for (guint i = 0; i < G_N_ELEMENTS(visitors); i++) {
        visitors[i] = (Visitor){ cache, things, 2 * i + 1 };
        threads[i] = g_thread_new("visitor", visit, &visitors[i]);
    }
    for (guint i = 0; i < G_N_ELEMENTS(visitors); i++)
        assert_null(g_thread_join(threads[i]));
    tg_cache_unref(cache);
    for (guint k = 0; k < N_THINGS; k++)
        assert_int_equal(things[k].refs, 0);
}
