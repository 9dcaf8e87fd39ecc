/* A mutex that ThreadSanitizer understands; unlike that of an uninstrumented GLib. */
#pragma once

#include <pthread.h>

typedef pthread_mutex_t TgLock;

static inline void tg_lock_init(TgLock *lock)
{
    pthread_mutex_init(lock, NULL);
}

static inline void tg_lock_clear(TgLock *lock)
{
    pthread_mutex_destroy(lock);
}

static inline void tg_lock_acquire(TgLock *lock)
{
    pthread_mutex_lock(lock);
}

static inline void tg_lock_release(TgLock *lock)
{
    pthread_mutex_unlock(lock);
}

/** The same for what is made once: g_once_init_leave() hides its release from ThreadSanitizer. */
typedef pthread_once_t TgOnce;

#define TG_ONCE_INIT PTHREAD_ONCE_INIT

/** Run @make if nobody has; when this returns, it has run. */
static inline void tg_once(TgOnce *once, void (*make)(void))
{
    pthread_once(once, make);
}
