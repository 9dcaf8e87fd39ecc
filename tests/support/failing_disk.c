/*
 * Preloaded into the program: a disk that fails. Of the system calls that change files whose path
 * holds "failing/", from whatever library they come, it counts each. TEXGAUGE_FAULT says what is
 * done at call N:
 *
 *     kill:N    the process is killed before the call
 *     torn:N    half of what the call writes arrives, and the process is killed
 *     E:N       this call and all later ones fail with error number E, after half of a write
 *     once-E:N  this call alone fails, after half of a write
 *
 * The call that was met is named in the file TEXGAUGE_FAULT_LOG. A filter of seccomp sends the
 * calls here as SIGSYS; those made from here have a mark in their sixth argument, which none of
 * them uses.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARGUMENTS(registers)                                                                       \
    {                                                                                              \
        registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10],            \
            registers[REG_R8]                                                                      \
    }
#define REGISTERS(context) (context)->uc_mcontext.gregs
#define RESULT             REG_RAX
#elif defined(__aarch64__)
#define ARGUMENTS(registers)                                                                       \
    {                                                                                              \
        registers[0], registers[1], registers[2], registers[3], registers[4]                       \
    }
#define REGISTERS(context) (context)->uc_mcontext.regs
#define RESULT             0
#else
#error "tests/meson.build leaves this module out on other processors"
#endif

enum { MARK = 0x7e86a06e };

/* A call changes the file of a descriptor, or of a path in one of its arguments. Full disks let
 * files be removed. */
typedef enum { BY_FD, BY_PATH, OPENS, REMOVES } Kind;

static const struct {
    int number;
    const char *name;
    Kind kind;
    int at; /* which argument; of OPENS the flags come next */
} calls[] = {
    { SYS_write, "write", BY_FD, 0 },        { SYS_writev, "writev", BY_FD, 0 },
    { SYS_pwrite64, "pwrite", BY_FD, 0 },    { SYS_ftruncate, "ftruncate", BY_FD, 0 },
    { SYS_fsync, "fsync", BY_FD, 0 },        { SYS_fdatasync, "fdatasync", BY_FD, 0 },
    { SYS_close, "close", BY_FD, 0 },        { SYS_fchmod, "fchmod", BY_FD, 0 },
    { SYS_openat, "open", OPENS, 1 },        { SYS_mkdirat, "mkdir", BY_PATH, 1 },
    { SYS_unlinkat, "unlink", REMOVES, 1 },  { SYS_renameat, "rename", BY_PATH, 3 },
    { SYS_renameat2, "rename", BY_PATH, 3 },
#ifdef __x86_64__ /* newer processors have the calls with "at" alone */
    { SYS_open, "open", OPENS, 0 },          { SYS_mkdir, "mkdir", BY_PATH, 0 },
    { SYS_unlink, "unlink", REMOVES, 0 },    { SYS_rename, "rename", BY_PATH, 1 },
#endif
};
enum { N_CALLS = sizeof calls / sizeof calls[0] };

static struct {
    char what[16];
    int error, from, n_met, is_torn;
    char log[4096];
} fault;

static int on_the_disk(unsigned i, const long *arguments)
{
    char link[32], path[4096];

    if (calls[i].kind != BY_FD)
        return strstr((const char *) arguments[calls[i].at], "failing/") != NULL;
    snprintf(link, sizeof link, "/proc/self/fd/%ld", arguments[0]);
    const ssize_t len = readlink(link, path, sizeof path - 1);
    path[len > 0 ? len : 0] = '\0';
    return strstr(path, "failing/") != NULL;
}

static void tell(const char *name)
{
    char line[64];
    const int n = snprintf(line, sizeof line, "%d %s\n", fault.n_met, name);
    const long fd =
        syscall(SYS_openat, AT_FDCWD, fault.log, O_WRONLY | O_CREAT | O_APPEND, 0666, 0, MARK);

    syscall(SYS_write, fd, line, (long) n, 0L, 0L, MARK);
    syscall(SYS_close, fd, 0L, 0L, 0L, 0L, MARK);
}

static void meet(int signal_number, siginfo_t *info, void *data)
{
    ucontext_t *context = data;
    const long a[] = ARGUMENTS(REGISTERS(context));
    const int before = errno, number = info->si_syscall;
    int torn = 0, error = 0;
    unsigned i = 0;
    long done = 0;

    (void) signal_number;
    while (calls[i].number != number)
        i++;
    if (on_the_disk(i, a) && ++fault.n_met >= fault.from &&
        (calls[i].kind != REMOVES || strcmp(fault.what, "kill") == 0)) {
        const int is_first = fault.n_met == fault.from;

        if (is_first && !fault.is_torn)
            tell(calls[i].name);
        if (strcmp(fault.what, "kill") == 0)
            raise(SIGKILL);
        torn = is_first && number == SYS_write && a[2] > 1 && !fault.is_torn;
        error = is_first || strncmp(fault.what, "once", 4) != 0 ? fault.error : 0;
        fault.is_torn |= torn;
        fault.n_met -= torn && error != 0; /* the rest of the write meets the error */
    }
    if (torn)
        done = syscall(number, a[0], a[1], a[2] / 2, 0L, 0L, MARK);
    else if (error == 0 || number == SYS_close) /* a descriptor is closed, whatever is said of it */
        done = syscall(number, a[0], a[1], a[2], a[3], a[4], MARK);
    if (done < 0)
        done = -errno;
    if (error != 0 && !torn)
        done = -error;
    if (torn && strcmp(fault.what, "torn") == 0)
        raise(SIGKILL);
    REGISTERS(context)[RESULT] = done;
    errno = before;
}

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("TEXGAUGE_FAULT"), *log = getenv("TEXGAUGE_FAULT_LOG");
    struct sigaction action = { .sa_sigaction = meet, .sa_flags = SA_SIGINFO | SA_NODEFER };
    struct sock_filter filter[2 * N_CALLS + 16];
    struct sock_fprog program = { .filter = filter };

    if (text == NULL || sscanf(text, "%15[^:]:%d", fault.what, &fault.from) != 2)
        return;
    sscanf(fault.what, strncmp(text, "once", 4) == 0 ? "once-%d" : "%d", &fault.error);
    snprintf(fault.log, sizeof fault.log, "%s", log != NULL ? log : "/dev/null");
    sigaction(SIGSYS, &action, NULL);
    unsigned n = 0;
#define ADD(...)  filter[n++] = (struct sock_filter) __VA_ARGS__
#define FIELD(of) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, of))
#define ALLOW     BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define TRAP      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP)
    ADD(FIELD(args[5]));
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MARK, 0, 1));
    ADD(ALLOW);
    ADD(FIELD(nr));
    for (unsigned i = 0; i < N_CALLS; i++) {
        if (calls[i].kind == OPENS)
            continue;
        ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned) calls[i].number, 0, 1));
        ADD(TRAP);
    }
    for (unsigned i = 0; i < N_CALLS; i++) { /* the loader of libraries opens files to read them */
        if (calls[i].kind != OPENS)
            continue;
        ADD(FIELD(nr));
        ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned) calls[i].number, 0, 3));
        ADD(FIELD(args[calls[i].at + 1]));
        ADD(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_ACCMODE, 0, 1));
        ADD(TRAP);
    }
    ADD(ALLOW);
    program.len = (unsigned short) n;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        perror("failing_disk");
        _exit(77);
    }
}
