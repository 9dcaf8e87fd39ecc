/* A mutex that ThreadSanitizer understands; it misreads the one of an uninstrumented GLib. */
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
