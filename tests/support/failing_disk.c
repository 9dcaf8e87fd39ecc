/*
 * Preloaded into the program: a disk that fails. From the write number TEXGAUGE_FAIL_FROM on, every
 * write to a file whose path holds "failing" sets errno to TEXGAUGE_FAIL_WITH.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int number(const char *name)
{
    const char *text = getenv(name);

    return text != NULL ? atoi(text) : 0;
}

static int fails(int fd)
{
    static int n;
    char link[32], path[4096];

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t len = readlink(link, path, sizeof path - 1);
    if (len < 0)
        return 0;
    path[len] = '\0';
    if (strstr(path, "failing") == NULL || ++n < number("TEXGAUGE_FAIL_FROM"))
        return 0;
    errno = number("TEXGAUGE_FAIL_WITH");
    return 1;
}

__attribute__((visibility("default"))) int fflush(FILE *file)
{
    int (*next)(FILE *);
    void *found = dlsym(RTLD_NEXT, "fflush");

    memcpy(&next, &found, sizeof next);
    if (file == NULL || __fpending(file) == 0 || !fails(fileno(file)))
        return next(file);
    __fpurge(file);
    return EOF;
}

__attribute__((visibility("default"))) ssize_t write(int fd, const void *bytes, size_t n)
{
    ssize_t (*next)(int, const void *, size_t);
    void *found = dlsym(RTLD_NEXT, "write");

    memcpy(&next, &found, sizeof next);
    return fails(fd) ? -1 : next(fd, bytes, n);
}
