/* Faults at the n-th mutating call: an LD_PRELOAD library for crash, full disk and power cut tests.
 *
 *   cc -O1 -Wall -shared -fPIC -o shim.so shim.c -ldl -lpthread
 *   LD_PRELOAD=$PWD/shim.so SHIM_ROOT=/tmp/box SHIM_COUNT=/tmp/count SHIM_MODE=kill SHIM_AT=7 slip ...
 *
 * It sees the calls that make, change or sync files below SHIM_ROOT, made by the program and every library in it, and numbers
 * them from 1 in the order in which they happen. Reads are not seen. Start the program itself under it, not a shell that starts it.
 *
 *   SHIM_ROOT      the real path of the folder to watch
 *   SHIM_COUNT     a file that always holds the number of calls so far, as text; outside the root, on the same file system.
 *                  SHIM_COUNT.state and SHIM_COUNT.stash are made beside it. A new run starts them afresh.
 *   SHIM_LOG       where given, a line for each call: number, process, call, path; emptied when a run starts
 *   SHIM_OWNER     empty: the library writes the first process's number there. A program that looks for its arguments before
 *                  its environment, as Swift's do, finds none where the variable has to be added
 *   SHIM_CHILDREN  1: the calls of child processes count, and fail, too (they find the library through LD_PRELOAD)
 *   SHIM_AT        the number of the call to fail at; `end` (power only): after the last, when the program exits
 *   SHIM_MODE      count      (default) nothing fails
 *                  kill       SIGKILL before the call, to the program and to whichever child makes it
 *                  fail       that call fails and has done nothing: SHIM_ERRNO, a number or a name (default EIO)
 *                  fail-from  that call and all after it fail; with ENOSPC and EDQUOT names can still be removed
 *                  fail-after that call is done, and fails nevertheless
 *                  short      that call, where it is a write, writes half of what it was given
 *                  power      a power cut before the call, as below; the program gets a SIGKILL. At `end` it exits as it would
 *   SHIM_DATA      zero (default), half, keep: what a power cut leaves of a file that was written, and not synced since:
 *                  nothing, the first half, all of it
 *   SHIM_NAMES     undo (default): a name that was made, changed or removed is as before unless its folder was synced since; a
 *                  rename between two folders holds when both were. POSIX promises no more.
 *                  journal: as undo, but a sync of anything makes all earlier names durable, as the one journal of ext4 does
 *                  keep: names are always durable
 *
 * Not simulated: a cut within a call; names that become durable out of order; old contents of a file written in place (they
 * are lost, as if the new length had reached the disk); writes through mmap, copy_file_range and stdio's own buffers (a file
 * opened by fopen counts as written from then on). Modes and times are counted but never undone.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PATH = 1024, MAX_DIRTY = 1 << 16, MAX_NAMES = 1 << 15 };
enum mode { COUNT, KILL, FAIL, FAIL_FROM, FAIL_AFTER, SHORT, POWER };
enum change { CREATED, MADE_DIR, REMOVED, REMOVED_DIR, RENAMED, EXCHANGED };

/* A change of names that is not durable: of `a`, or from `a` to `b`. `stash`: the number of a link to the file that it hid. */
struct name { enum change change; int stash, a_pending, b_pending; char a[PATH], b[PATH]; };
struct inode { dev_t device; ino_t number; };

/* What the processes of a run share: a sparse file, mapped by each. */
static struct state {
    pthread_mutex_t lock;
    long count;
    int dead, owner, stashes, dirty_count, name_count;
    struct inode dirty[MAX_DIRTY]; /* written, and not synced since */
    struct name names[MAX_NAMES];  /* in the order of the changes */
} *state;

static char root[PATH], stash[PATH];
static const char *data_left, *names_left;
static enum mode mode;
static long at;
static int failure, count_file = -1, log_file = -1, with_children;

/* ---- The shared state ---- */

static void lock(void) { if (pthread_mutex_lock(&state->lock) == EOWNERDEAD) pthread_mutex_consistent(&state->lock); }
static void unlock(void) { int e = errno; pthread_mutex_unlock(&state->lock); errno = e; }
static int raw_open(const char *path, int flags) { return syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600); }

static int error_code(const char *name)
{
    static const struct { const char *name; int code; } codes[] = {
        {"EIO", EIO}, {"ENOSPC", ENOSPC}, {"EACCES", EACCES}, {"EROFS", EROFS}, {"EDQUOT", EDQUOT}, {"EPERM", EPERM},
        {"EMFILE", EMFILE}, {"EINVAL", EINVAL}, {"ENOSYS", ENOSYS}, {"EFBIG", EFBIG}, {"EINTR", EINTR}, {"EEXIST", EEXIST}};
    if (!name) return EIO;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) if (!strcmp(name, codes[i].name)) return codes[i].code;
    return atoi(name);
}

static enum mode mode_named(const char *name)
{
    static const char *names[] = {"count", "kill", "fail", "fail-from", "fail-after", "short", "power"};
    for (int i = 0; name && i < 7; i++) if (!strcmp(name, names[i])) return i;
    return COUNT;
}

static void empty_stash(void)
{
    DIR *d = opendir(stash);
    for (struct dirent *e; d && (e = readdir(d));) syscall(SYS_unlinkat, dirfd(d), e->d_name, 0);
    if (d) closedir(d);
    syscall(SYS_mkdirat, AT_FDCWD, stash, 0700);
}

__attribute__((constructor)) static void start(void)
{
    const char *r = getenv("SHIM_ROOT"), *count = getenv("SHIM_COUNT"), *owner = getenv("SHIM_OWNER");
    char path[PATH];
    with_children = getenv("SHIM_CHILDREN") && !strcmp(getenv("SHIM_CHILDREN"), "1");
    if (owner && !*owner) owner = 0;
    if (!r || !count || strlen(r) + strlen(count) > PATH / 2) return;
    if (owner && atoi(owner) != getpid() && !with_children) return;
    strcpy(root, r);
    mode = mode_named(getenv("SHIM_MODE"));
    at = getenv("SHIM_AT") ? (strcmp(getenv("SHIM_AT"), "end") ? atol(getenv("SHIM_AT")) : -1) : 0;
    failure = error_code(getenv("SHIM_ERRNO"));
    data_left = getenv("SHIM_DATA") ? getenv("SHIM_DATA") : "zero";
    names_left = getenv("SHIM_NAMES") ? getenv("SHIM_NAMES") : "undo";
    snprintf(stash, sizeof stash, "%s.stash", count);
    snprintf(path, sizeof path, "%s.state", count);
    if (!owner) syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    int file = raw_open(path, O_RDWR | O_CREAT);
    count_file = raw_open(count, O_RDWR | O_CREAT);
    if (getenv("SHIM_LOG")) log_file = raw_open(getenv("SHIM_LOG"), O_WRONLY | O_CREAT | O_APPEND | (owner ? 0 : O_TRUNC));
    if (file < 0 || count_file < 0) return;
    if (!owner) {
        syscall(SYS_ftruncate, file, sizeof *state);
        syscall(SYS_ftruncate, count_file, 0);
        syscall(SYS_pwrite64, count_file, "0\n", 2, 0);
        empty_stash();
    }
    struct state *map = mmap(0, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (map == MAP_FAILED) return;
    if (!owner) {
        pthread_mutexattr_t shared;
        pthread_mutexattr_init(&shared);
        pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
        pthread_mutexattr_setrobust(&shared, PTHREAD_MUTEX_ROBUST);
        pthread_mutex_init(&map->lock, &shared);
        map->owner = getpid();
        snprintf(path, sizeof path, "%d", getpid());
        setenv("SHIM_OWNER", path, 1);
    }
    state = map;
}

/* ---- Paths ---- */

static int below(const char *path)
{
    size_t n = strlen(root);
    return !strncmp(path, root, n) && (path[n] == '/' || !path[n]);
}

static int active(void) { return state && (with_children || state->owner == getpid()); }

/* The path of a descriptor as it is now, wherever the file was renamed to; whether it is below the root. */
static int path_of(int descriptor, char *out)
{
    char link[64];
    int e = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t n = active() ? readlink(link, out, PATH - 1) : -1;
    errno = e;
    out[n < 0 ? 0 : n] = 0;
    return n > 0 && below(out);
}

/* The real path of a name in a folder, which itself need not exist; whether it is below the root. */
static int path_at(int folder, const char *name, int follow, char *out)
{
    char joined[2 * PATH], real[PATH_MAX], base[PATH] = "";
    int e = errno, length;
    if (!active() || !name || !*name || strlen(name) >= PATH) return 0;
    if (*name != '/') {
        if (folder == AT_FDCWD) { if (!getcwd(base, sizeof base)) return 0; }
        else { path_of(folder, base); if (!*base) return 0; }
    }
    length = snprintf(joined, sizeof joined, *name == '/' ? "%s%s" : "%s/%s", base, name);
    while (length > 1 && joined[length - 1] == '/') joined[--length] = 0;
    char *last = strrchr(joined, '/');
    if ((follow || !strcmp(last, "/.") || !strcmp(last, "/..")) && realpath(joined, real)) snprintf(out, PATH, "%.*s", PATH - 1, real);
    else {
        *last = 0;
        char *folder_path = realpath(*joined ? joined : "/", real) ? real : joined;
        snprintf(out, PATH, "%.*s/%.*s", PATH / 2, folder_path, PATH / 2 - 2, last + 1);
    }
    errno = e;
    return below(out);
}

static int exists(const char *path) { struct stat s; int e = errno, r = lstat(path, &s) == 0; errno = e; return r; }

/* ---- What a power cut would undo ---- */

static void set_dirty(const struct stat *s, int dirty)
{
    if (mode != POWER || !S_ISREG(s->st_mode)) return;
    int i = 0;
    while (i < state->dirty_count && (state->dirty[i].number != s->st_ino || state->dirty[i].device != s->st_dev)) i++;
    if (!dirty && i < state->dirty_count) state->dirty[i] = state->dirty[--state->dirty_count];
    if (dirty && i == state->dirty_count && i < MAX_DIRTY) state->dirty[state->dirty_count++] = (struct inode){s->st_dev, s->st_ino};
}

static void set_dirty_file(int descriptor, int dirty) { struct stat s; if (!fstat(descriptor, &s)) set_dirty(&s, dirty); }

/* Keeps a file that is about to lose its name; returns a number, or 0 where there is none. */
static int keep(const char *path)
{
    char kept[2 * PATH];
    if (mode != POWER || !exists(path)) return 0;
    snprintf(kept, sizeof kept, "%s/%d", stash, state->stashes + 1);
    return syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, kept, 0) == 0 ? ++state->stashes : 0;
}

static void changed(enum change change, const char *a, const char *b, int kept)
{
    if (mode != POWER || !strcmp(names_left, "keep") || state->name_count == MAX_NAMES) return;
    struct name *n = &state->names[state->name_count++];
    *n = (struct name){.change = change, .stash = kept, .a_pending = 1, .b_pending = b != 0};
    strcpy(n->a, a);
    strcpy(n->b, b ? b : "");
}

static int is_in(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return !strncmp(path, folder, n) && path[n] == '/' && !strchr(path + n + 1, '/');
}

/* A folder was synced (0: everything): its names are durable. */
static void synced_names(const char *folder)
{
    int left = 0;
    for (int i = 0; i < state->name_count; i++) {
        struct name *n = &state->names[i];
        if (!folder || is_in(n->a, folder)) n->a_pending = 0;
        if (!folder || is_in(n->b, folder)) n->b_pending = 0;
        if (n->a_pending || n->b_pending) state->names[left++] = *n;
    }
    state->name_count = left;
}

static void synced(int descriptor, const char *path)
{
    struct stat s;
    if (fstat(descriptor, &s)) return;
    if (S_ISDIR(s.st_mode)) synced_names(path); else set_dirty(&s, 0);
    if (!strcmp(names_left, "journal")) synced_names(0);
}

/* Cuts every file below a folder that was not synced. */
static void cut_files(const char *folder)
{
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[2 * PATH];
        struct stat s;
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= PATH || lstat(path, &s)) continue;
        if (S_ISDIR(s.st_mode)) cut_files(path);
        for (int i = 0; i < state->dirty_count; i++)
            if (state->dirty[i].number == s.st_ino && state->dirty[i].device == s.st_dev)
                syscall(SYS_truncate, path, !strcmp(data_left, "half") ? s.st_size / 2 : 0);
    }
    if (d) closedir(d);
}

static void undo(const struct name *n)
{
    char kept[2 * PATH];
    snprintf(kept, sizeof kept, "%s/%d", stash, n->stash);
    switch (n->change) {
    case CREATED: syscall(SYS_unlinkat, AT_FDCWD, n->a, 0); break;
    case MADE_DIR: syscall(SYS_unlinkat, AT_FDCWD, n->a, AT_REMOVEDIR); break;
    case REMOVED: break;
    case REMOVED_DIR: syscall(SYS_mkdirat, AT_FDCWD, n->a, 0777); break;
    case RENAMED: syscall(SYS_renameat2, AT_FDCWD, n->b, AT_FDCWD, n->a, 0); break;
    case EXCHANGED: syscall(SYS_renameat2, AT_FDCWD, n->a, AT_FDCWD, n->b, 2); break;
    }
    if (n->stash) syscall(SYS_linkat, AT_FDCWD, kept, AT_FDCWD, n->change == RENAMED ? n->b : n->a, 0);
}

static void cut_power(void)
{
    if (strcmp(data_left, "keep")) { cut_files(root); cut_files(stash); }
    while (state->name_count) undo(&state->names[--state->name_count]);
    state->dirty_count = 0;
}

__attribute__((destructor)) static void end(void)
{
    if (!state || mode != POWER || at != -1 || state->owner != getpid()) return;
    lock();
    cut_power();
    unlock();
}

/* ---- The n-th call ---- */

enum verdict { GO_ON, REFUSE, REFUSE_AFTER, CUT_SHORT };

__attribute__((noreturn)) static void die(void)
{
    state->dead = 1;
    kill(state->owner, SIGKILL);
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

/* Takes the lock, counts the call and decides; the lock is held until `done`. */
static enum verdict arrive(const char *call, const char *path)
{
    char line[2 * PATH];
    int saved = errno;
    lock();
    if (state->dead) die();
    long number = ++state->count;
    syscall(SYS_pwrite64, count_file, line, snprintf(line, sizeof line, "%ld\n", number), 0);
    if (log_file >= 0) syscall(SYS_write, log_file, line, snprintf(line, sizeof line, "%ld %d %s %s\n", number, getpid(), call, path));
    errno = saved;
    int needs_room = strcmp(call, "unlink") && strcmp(call, "rmdir");
    if ((failure == ENOSPC || failure == EDQUOT) && !needs_room && mode != KILL && mode != POWER) return GO_ON;
    if (mode == FAIL_FROM && at > 0 && number >= at) return REFUSE;
    if (number != at) return GO_ON;
    switch (mode) {
    case KILL: die();
    case POWER: cut_power(); die();
    case FAIL: return REFUSE;
    case FAIL_AFTER: return REFUSE_AFTER;
    case SHORT: return CUT_SHORT;
    default: return GO_ON;
    }
}

static long done(enum verdict verdict, long result)
{
    unlock();
    if (verdict != REFUSE && verdict != REFUSE_AFTER) return result;
    errno = failure;
    return -1;
}

/* ---- The calls ---- */

#define EXPORT __attribute__((visibility("default")))

static int open_any(const char *call, int folder, const char *name, int flags, mode_t file_mode)
{
    char path[PATH];
    struct stat before;
    int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
    if ((flags & O_PATH) || !writes || !path_at(folder, name, !(flags & (O_NOFOLLOW | O_EXCL)), path))
        return syscall(SYS_openat, folder, name, flags, file_mode);
    enum verdict v = arrive(call, path);
    if (v == REFUSE) return done(v, -1);
    int existed = exists(path);
    int had_data = existed && !stat(path, &before) && before.st_size > 0;
    int file = syscall(SYS_openat, folder, name, flags, file_mode);
    if (file >= 0 && !existed) { set_dirty_file(file, 0); changed(CREATED, path, 0, 0); }
    if (file >= 0 && had_data && (flags & O_TRUNC)) set_dirty_file(file, 1);
    if (v == REFUSE_AFTER && file >= 0) close(file);
    return done(v, file);
}

#define MODE(flags) ({ mode_t m = 0; if (((flags) & O_CREAT) || ((flags) & O_TMPFILE) == O_TMPFILE) { va_list l; va_start(l, flags); m = va_arg(l, mode_t); va_end(l); } m; })
EXPORT int open(const char *p, int f, ...) { return open_any("open", AT_FDCWD, p, f, MODE(f)); }
EXPORT int open64(const char *p, int f, ...) { return open_any("open", AT_FDCWD, p, f, MODE(f)); }
EXPORT int openat(int d, const char *p, int f, ...) { return open_any("open", d, p, f, MODE(f)); }
EXPORT int openat64(int d, const char *p, int f, ...) { return open_any("open", d, p, f, MODE(f)); }
EXPORT int __open_2(const char *p, int f) { return open_any("open", AT_FDCWD, p, f, 0); }
EXPORT int __open64_2(const char *p, int f) { return open_any("open", AT_FDCWD, p, f, 0); }
EXPORT int __openat_2(int d, const char *p, int f) { return open_any("open", d, p, f, 0); }
EXPORT int __openat64_2(int d, const char *p, int f) { return open_any("open", d, p, f, 0); }
EXPORT int creat(const char *p, mode_t m) { return open_any("creat", AT_FDCWD, p, O_WRONLY | O_CREAT | O_TRUNC, m); }
EXPORT int creat64(const char *p, mode_t m) { return open_any("creat", AT_FDCWD, p, O_WRONLY | O_CREAT | O_TRUNC, m); }

/* glibc's own calls to open and write do not come here: the names are made before it sees them. */
static int make_temporary(char *template, int suffix, int flags)
{
    size_t n = strlen(template);
    static unsigned turn;
    for (int i = 0; n >= 6u + suffix && i < 100; i++) {
        unsigned v = (unsigned)getpid() * 7919u + ++turn * 104729u + i;
        for (int k = 0; k < 6; k++, v = v / 26 + 31 * k + turn) template[n - suffix - 6 + k] = 'a' + v % 26;
        int file = open_any("mkstemp", AT_FDCWD, template, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
        if (file >= 0 || errno != EEXIST) return file;
    }
    return -1;
}
EXPORT int mkstemp(char *t) { return make_temporary(t, 0, 0); }
EXPORT int mkstemp64(char *t) { return make_temporary(t, 0, 0); }
EXPORT int mkostemp(char *t, int f) { return make_temporary(t, 0, f); }
EXPORT int mkstemps(char *t, int s) { return make_temporary(t, s, 0); }

static FILE *open_stream(const char *symbol, const char *name, const char *how)
{
    FILE *(*next)(const char *, const char *) = dlsym(RTLD_NEXT, symbol);
    char path[PATH];
    if (!strpbrk(how, "wa+") || !path_at(AT_FDCWD, name, 1, path)) return next(name, how);
    enum verdict v = arrive("fopen", path);
    if (v == REFUSE) { done(v, -1); return 0; }
    int existed = exists(path);
    FILE *stream = next(name, how);
    if (stream && !existed) changed(CREATED, path, 0, 0);
    if (stream) set_dirty_file(fileno(stream), 1);
    if (v == REFUSE_AFTER && stream) fclose(stream);
    return done(v, 0) ? 0 : stream;
}
EXPORT FILE *fopen(const char *p, const char *m) { return open_stream("fopen", p, m); }
EXPORT FILE *fopen64(const char *p, const char *m) { return open_stream("fopen64", p, m); }

/* Calls on an open file: `BODY` is the call, `SHORTER` what half of it is. */
#define ON_FILE(CALL, BODY, SHORTER, AFTER)                                  \
    char path[PATH];                                                         \
    if (!path_of(fd, path)) return BODY;                                     \
    enum verdict v = arrive(CALL, path);                                     \
    if (v == REFUSE) return done(v, -1);                                     \
    ssize_t result = v == CUT_SHORT ? SHORTER : BODY;                        \
    if (result >= 0) { int e = errno; AFTER; errno = e; }                    \
    return done(v, result);

#define HALF(n) ((n) > 1 ? (n) / 2 : (n))
EXPORT ssize_t write(int fd, const void *b, size_t n)
{
    ON_FILE("write", syscall(SYS_write, fd, b, n), syscall(SYS_write, fd, b, HALF(n)), set_dirty_file(fd, 1))
}
EXPORT ssize_t pwrite(int fd, const void *b, size_t n, off_t o)
{
    ON_FILE("pwrite", syscall(SYS_pwrite64, fd, b, n, o), syscall(SYS_pwrite64, fd, b, HALF(n), o), set_dirty_file(fd, 1))
}
EXPORT ssize_t pwrite64(int fd, const void *b, size_t n, off64_t o) { return pwrite(fd, b, n, o); }
EXPORT ssize_t writev(int fd, const struct iovec *v_, int n)
{
    ON_FILE("writev", syscall(SYS_writev, fd, v_, n), syscall(SYS_write, fd, v_->iov_base, HALF(v_->iov_len)), set_dirty_file(fd, 1))
}
EXPORT int ftruncate(int fd, off_t n)
{
    ON_FILE("ftruncate", syscall(SYS_ftruncate, fd, n), syscall(SYS_ftruncate, fd, n), set_dirty_file(fd, 1))
}
EXPORT int ftruncate64(int fd, off64_t n) { return ftruncate(fd, n); }
EXPORT int fsync(int fd) { ON_FILE("fsync", syscall(SYS_fsync, fd), syscall(SYS_fsync, fd), synced(fd, path)) }
EXPORT int fdatasync(int fd) { ON_FILE("fdatasync", syscall(SYS_fdatasync, fd), syscall(SYS_fdatasync, fd), synced(fd, path)) }
EXPORT int syncfs(int fd)
{
    ON_FILE("syncfs", syscall(SYS_syncfs, fd), syscall(SYS_syncfs, fd), (synced_names(0), state->dirty_count = 0))
}
EXPORT int fchmod(int fd, mode_t m) { ON_FILE("fchmod", syscall(SYS_fchmod, fd, m), syscall(SYS_fchmod, fd, m), (void)0) }
EXPORT int futimens(int fd, const struct timespec t[2])
{
    ON_FILE("futimens", syscall(SYS_utimensat, fd, 0, t, 0), syscall(SYS_utimensat, fd, 0, t, 0), (void)0)
}

/* Calls on a name: `BEFORE` may keep what the call hides. */
#define ON_NAME(CALL, FOLDER, NAME, FOLLOW, BODY, BEFORE, AFTER)             \
    char path[PATH];                                                         \
    if (!path_at(FOLDER, NAME, FOLLOW, path)) return BODY;                   \
    enum verdict v = arrive(CALL, path);                                     \
    if (v == REFUSE) return done(v, -1);                                     \
    { BEFORE; }                                                              \
    int result = BODY;                                                       \
    if (result == 0) { int e = errno; AFTER; errno = e; }                    \
    return done(v, result);

EXPORT int unlinkat(int d, const char *p, int flags)
{
    int kept = 0, is_folder = flags & AT_REMOVEDIR;
    ON_NAME(is_folder ? "rmdir" : "unlink", d, p, 0, syscall(SYS_unlinkat, d, p, flags),
            if (!is_folder) kept = keep(path), changed(is_folder ? REMOVED_DIR : REMOVED, path, 0, kept))
}
EXPORT int unlink(const char *p) { return unlinkat(AT_FDCWD, p, 0); }
EXPORT int rmdir(const char *p) { return unlinkat(AT_FDCWD, p, AT_REMOVEDIR); }
EXPORT int remove(const char *p)
{
    struct stat s;
    return unlinkat(AT_FDCWD, p, !lstat(p, &s) && S_ISDIR(s.st_mode) ? AT_REMOVEDIR : 0);
}
EXPORT int mkdirat(int d, const char *p, mode_t m)
{
    ON_NAME("mkdir", d, p, 0, syscall(SYS_mkdirat, d, p, m), , changed(MADE_DIR, path, 0, 0))
}
EXPORT int mkdir(const char *p, mode_t m) { return mkdirat(AT_FDCWD, p, m); }
EXPORT int symlinkat(const char *t, int d, const char *p)
{
    ON_NAME("symlink", d, p, 0, syscall(SYS_symlinkat, t, d, p), , changed(CREATED, path, 0, 0))
}
EXPORT int symlink(const char *t, const char *p) { return symlinkat(t, AT_FDCWD, p); }
EXPORT int linkat(int od, const char *o, int d, const char *p, int flags)
{
    ON_NAME("link", d, p, 0, syscall(SYS_linkat, od, o, d, p, flags), , changed(CREATED, path, 0, 0))
}
EXPORT int link(const char *o, const char *p) { return linkat(AT_FDCWD, o, AT_FDCWD, p, 0); }
EXPORT int truncate(const char *p, off_t n)
{
    struct stat s;
    ON_NAME("truncate", AT_FDCWD, p, 1, syscall(SYS_truncate, p, n), , if (!stat(path, &s)) set_dirty(&s, 1))
}
EXPORT int truncate64(const char *p, off64_t n) { return truncate(p, n); }
EXPORT int chmod(const char *p, mode_t m) { ON_NAME("chmod", AT_FDCWD, p, 1, syscall(SYS_fchmodat, AT_FDCWD, p, m), , (void)0) }
EXPORT int fchmodat(int d, const char *p, mode_t m, int flags)
{
    ON_NAME("chmod", d, p, 1, syscall(SYS_fchmodat, d, p, m), (void)flags, (void)0)
}
EXPORT int utimensat(int d, const char *p, const struct timespec t[2], int flags)
{
    ON_NAME("utimensat", d, p, 0, syscall(SYS_utimensat, d, p, t, flags), , (void)0)
}

EXPORT int renameat2(int od, const char *o, int d, const char *p, unsigned flags)
{
    char old[PATH];
    int kept = 0, known = path_at(od, o, 0, old);
    ON_NAME("rename", d, p, 0, syscall(SYS_renameat2, od, o, d, p, flags),
            if (!(flags & 3)) kept = keep(path),
            if (known) changed(flags & 2 ? EXCHANGED : RENAMED, old, path, kept))
}
EXPORT int renameat(int od, const char *o, int d, const char *p) { return renameat2(od, o, d, p, 0); }
EXPORT int rename(const char *o, const char *p) { return renameat2(AT_FDCWD, o, AT_FDCWD, p, 0); }
