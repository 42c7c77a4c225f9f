/* Preloaded into a process: makes the n-th allocation of fastparse's own modules, or the n-th call of the system that
   an output needs, fail; and counts the allocations of these modules that nobody has freed. glibc alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

enum { ALLOCATION, CALL, N_KINDS };
static int armed;
static long counted[N_KINDS], fails_at[N_KINDS];

void faults_arm(long allocation, long call) {
    counted[ALLOCATION] = counted[CALL] = 0;
    fails_at[ALLOCATION] = allocation;
    fails_at[CALL] = call;
    armed = 1;
}

long faults_counted(int kind) { return counted[kind]; }

static int fails(int kind) { return __atomic_add_fetch(&counted[kind], 1, __ATOMIC_RELAXED) == fails_at[kind]; }

/* Whether an address lies in a module of fastparse. */
static int is_ours(void *caller) {
    Dl_info found;
    return armed && dladdr(caller, &found) && found.dli_fname && strstr(found.dli_fname, "/fastparse/") != NULL;
}

/* What lives of our own: a set of addresses with linear probing. A place that was freed is free for the next. */
enum { PLACES = 1 << 16 };
static const uintptr_t WAS = 1;
static uintptr_t living[PLACES];
static long n_living;
static char busy;

static uintptr_t *place(uintptr_t address, uintptr_t wanted, uintptr_t other) {
    size_t i = (size_t)(address * 0x9E3779B97F4A7C15u >> 48), tried;
    for (tried = 0; tried < PLACES; tried++, i = (i + 1) % PLACES) {
        if (living[i] == wanted || living[i] == other) return &living[i];
        if (!living[i]) break;
    }
    return NULL;
}

static void *born(void *p) {
    uintptr_t *at;
    if (!p) return p;
    while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE)) continue;
    at = place((uintptr_t)p, 0, WAS);
    if (at) *at = (uintptr_t)p;
    n_living += at ? 1 : PLACES; /* a set that is full does not go unnoticed */
    __atomic_clear(&busy, __ATOMIC_RELEASE);
    return p;
}

static void died(void *p) {
    uintptr_t *at;
    if (!p || !armed) return;
    while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE)) continue;
    at = place((uintptr_t)p, (uintptr_t)p, (uintptr_t)p);
    if (at) *at = WAS, n_living--;
    __atomic_clear(&busy, __ATOMIC_RELEASE);
}

/* How many allocations of our own since it was armed have not been freed. */
long faults_living(void) { return n_living; }

#define GIVE(call)                                                \
    if (!is_ours(__builtin_return_address(0))) return call;       \
    if (fails(ALLOCATION)) {                                      \
        errno = ENOMEM;                                           \
        return NULL;                                              \
    }

void *malloc(size_t size) {
    GIVE(__libc_malloc(size))
    return born(__libc_malloc(size));
}
void *calloc(size_t n, size_t size) {
    GIVE(__libc_calloc(n, size))
    return born(__libc_calloc(n, size));
}
void *realloc(void *p, size_t size) {
    void *moved;
    GIVE(__libc_realloc(p, size))
    died(p); /* before another thread can be given its place */
    moved = __libc_realloc(p, size);
    born(moved ? moved : p);
    return moved;
}
void free(void *p) {
    died(p);
    __libc_free(p);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define REFUSE(error, result)               \
    if (armed && fails(CALL)) {             \
        errno = error;                      \
        return result;                      \
    }

ssize_t write(int fd, const void *data, size_t size) {
    if (fd > 2) REFUSE(ENOSPC, -1)
    return REAL(write)(fd, data, size);
}
int fsync(int fd) { REFUSE(EIO, -1) return REAL(fsync)(fd); }
int rename(const char *from, const char *to) { REFUSE(EIO, -1) return REAL(rename)(from, to); }
int fchmod(int fd, mode_t mode) { REFUSE(EPERM, -1) return REAL(fchmod)(fd, mode); }
void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
    REFUSE(ENOMEM, MAP_FAILED)
    return REAL(mmap)(at, size, protection, flags, fd, offset);
}
#define OPENS(name)                                 \
    int name(const char *path, int flags, ...) {    \
        mode_t mode = 0;                            \
        if (flags & O_CREAT) {                      \
            va_list rest;                           \
            va_start(rest, flags);                  \
            mode = va_arg(rest, mode_t);            \
            va_end(rest);                           \
            REFUSE(EACCES, -1)                      \
        }                                           \
        return REAL(name)(path, flags, mode);       \
    }
OPENS(open)
OPENS(open64)
