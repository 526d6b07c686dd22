/* Faults by injection, for test_faults.py: loaded before libc by LD_PRELOAD, it counts every call of
   a process, and of those it starts, that changes a file below FAULTS_BELOW or writes into a pipe,
   and breaks call number FAULTS_AT:

   kill   SIGKILL in its place          torn   SIGKILL with half of it written
   all    SIGKILL of the process group  ERRNO  that error, from there on: a full disk (what takes no
                                               room goes on) or a read-only one; pipes are spared
   once:ERRNO  that error, for this call alone

   FAULTS_STATE holds the count, FAULTS_LOG is told every call. FAULTS_CLOCK=S shifts the time of day
   by S seconds, FAULTS_CLOCK=~S at every second look at it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static atomic_long *made;
static const char *below, *how;
static long at;
static int told = -1;

__attribute__((constructor)) static void begin(void) {
  const char *state = getenv("FAULTS_STATE"), *log = getenv("FAULTS_LOG"), *number = getenv("FAULTS_AT");
  below = getenv("FAULTS_BELOW");
  how = getenv("FAULTS_HOW");
  at = number ? atol(number) : 0;
  if (!state || !below) return;
  int file = syscall(SYS_openat, AT_FDCWD, state, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *map = mmap(NULL, sizeof *made, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (map != MAP_FAILED) made = map;
  syscall(SYS_close, file);
  if (log) told = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CLOEXEC);
}

static int is_below(const char *path) {
  size_t size = strlen(below);
  return !strncmp(path, below, size) && (path[size] == '/' || !path[size]);
}

/* What is done to `path` (relative to a directory), or to what `fd` is open for: 0 for neither. */
static int concerns(int dir, const char *path, int fd, char *full, int *pipe) {
  char link[64];
  *pipe = 0;
  if (fd >= 0) {
    struct stat found;
    if (fstat(fd, &found)) return 0;
    if (S_ISFIFO(found.st_mode)) {
      strcpy(full, "pipe");
      return *pipe = 1;
    }
    if (!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, full, PATH_MAX - 1);
    full[size < 0 ? 0 : size] = 0;
    return is_below(full);
  }
  if (!path) return 0;
  if (*path == '/') {
    snprintf(full, PATH_MAX, "%s", path);
    return is_below(full);
  }
  char where[PATH_MAX] = "";
  if (dir == AT_FDCWD) {
    if (!getcwd(where, sizeof where)) return 0;
  } else {
    snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
    ssize_t size = readlink(link, where, sizeof where - 1);
    where[size < 0 ? 0 : size] = 0;
  }
  snprintf(full, 2 * PATH_MAX, "%s/%s", where, path);
  return is_below(full);
}

enum { GOES_ON, FAILS, TORN };

static int fault(const char *call, int dir, const char *path, int fd, int spared) {
  if (!made) return GOES_ON;
  int before = errno, pipe;
  char full[2 * PATH_MAX];
  if (!concerns(dir, path, fd, full, &pipe)) {
    errno = before;
    return GOES_ON;
  }
  long number = atomic_fetch_add(made, 1) + 1;
  if (told >= 0) {
    char row[2 * PATH_MAX + 128];
    int size = snprintf(row, sizeof row, "%ld %s %s %s\n", number, program_invocation_short_name, call, full);
    syscall(SYS_write, told, row, size);
  }
  errno = before;
  if (!at || !how || number < at) return GOES_ON;
  int once = !strncmp(how, "once:", 5), code = atoi(how + (once ? 5 : 0));
  if (code) {
    if (pipe || (once && number > at)) return GOES_ON;
    if (code == ENOSPC && (spared || (!strcmp(call, "open") && !access(full, F_OK)))) return GOES_ON;
    errno = code;
    return FAILS;
  }
  if (number > at) return GOES_ON;
  if (!strcmp(how, "torn") && (!strcmp(call, "write") || !strcmp(call, "pwrite"))) return TORN;
  kill(strcmp(how, "all") ? getpid() : 0, SIGKILL);
  return FAILS;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define WRITES(flags) (((flags) & O_ACCMODE) != O_RDONLY || ((flags) & (O_CREAT | O_TRUNC)))
#define MODE(flags) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | __O_TMPFILE)) { va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); }

int open(const char *path, int flags, ...) {
  MODE(flags)
  if (WRITES(flags) && fault("open", AT_FDCWD, path, -1, 0)) return -1;
  return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  MODE(flags)
  if (WRITES(flags) && fault("open", AT_FDCWD, path, -1, 0)) return -1;
  return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
int openat(int dir, const char *path, int flags, ...) {
  MODE(flags)
  if (WRITES(flags) && fault("open", dir, path, -1, 0)) return -1;
  return syscall(SYS_openat, dir, path, flags, mode);
}
int openat64(int dir, const char *path, int flags, ...) {
  MODE(flags)
  if (WRITES(flags) && fault("open", dir, path, -1, 0)) return -1;
  return syscall(SYS_openat, dir, path, flags, mode);
}
int creat(const char *path, mode_t mode) { return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

#define BREAKS(call, dir, path, fd, spared, ...) \
  if (fault(call, dir, path, fd, spared)) return -1; \
  return __VA_ARGS__;
#define TEARS(call, fd, half, ...) \
  switch (fault(call, 0, NULL, fd, 0)) { \
    case FAILS: return -1; \
    case TORN: half; kill(getpid(), SIGKILL); \
  } \
  return __VA_ARGS__;

ssize_t write(int fd, const void *from, size_t size) {
  TEARS("write", fd, syscall(SYS_write, fd, from, size / 2), syscall(SYS_write, fd, from, size))
}
ssize_t pwrite(int fd, const void *from, size_t size, off_t where) {
  TEARS("pwrite", fd, syscall(SYS_pwrite64, fd, from, size / 2, where), syscall(SYS_pwrite64, fd, from, size, where))
}
ssize_t pwrite64(int fd, const void *from, size_t size, off64_t where) {
  TEARS("pwrite", fd, syscall(SYS_pwrite64, fd, from, size / 2, where), syscall(SYS_pwrite64, fd, from, size, where))
}
ssize_t writev(int fd, const struct iovec *parts, int count) { BREAKS("writev", 0, NULL, fd, 0, REAL(writev)(fd, parts, count)) }
int ftruncate(int fd, off_t size) { BREAKS("ftruncate", 0, NULL, fd, size == 0, syscall(SYS_ftruncate, fd, size)) }
int ftruncate64(int fd, off64_t size) { BREAKS("ftruncate", 0, NULL, fd, size == 0, syscall(SYS_ftruncate, fd, size)) }
int fsync(int fd) { BREAKS("fsync", 0, NULL, fd, 0, syscall(SYS_fsync, fd)) }
int fdatasync(int fd) { BREAKS("fsync", 0, NULL, fd, 0, syscall(SYS_fdatasync, fd)) }
int fchmod(int fd, mode_t mode) { BREAKS("chmod", 0, NULL, fd, 1, syscall(SYS_fchmod, fd, mode)) }
int chmod(const char *path, mode_t mode) { BREAKS("chmod", AT_FDCWD, path, -1, 1, syscall(SYS_fchmodat, AT_FDCWD, path, mode)) }
int mkdir(const char *path, mode_t mode) { BREAKS("mkdir", AT_FDCWD, path, -1, 0, syscall(SYS_mkdirat, AT_FDCWD, path, mode)) }
int mkdirat(int dir, const char *path, mode_t mode) { BREAKS("mkdir", dir, path, -1, 0, syscall(SYS_mkdirat, dir, path, mode)) }
int rename(const char *old, const char *new) { BREAKS("rename", AT_FDCWD, new, -1, 1, syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, 0)) }
int renameat(int from, const char *old, int to, const char *new) { BREAKS("rename", to, new, -1, 1, syscall(SYS_renameat2, from, old, to, new, 0)) }
int link(const char *old, const char *new) { BREAKS("link", AT_FDCWD, new, -1, 0, syscall(SYS_linkat, AT_FDCWD, old, AT_FDCWD, new, 0)) }
int symlink(const char *old, const char *new) { BREAKS("symlink", AT_FDCWD, new, -1, 0, syscall(SYS_symlinkat, old, AT_FDCWD, new)) }
int unlink(const char *path) { BREAKS("unlink", AT_FDCWD, path, -1, 1, syscall(SYS_unlinkat, AT_FDCWD, path, 0)) }
int unlinkat(int dir, const char *path, int flags) { BREAKS("unlink", dir, path, -1, 1, syscall(SYS_unlinkat, dir, path, flags)) }
int rmdir(const char *path) { BREAKS("rmdir", AT_FDCWD, path, -1, 1, syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR)) }

static long shift(void) {
  static atomic_long looks;
  const char *told_by = getenv("FAULTS_CLOCK");
  if (!told_by) return 0;
  if (*told_by != '~') return atol(told_by);
  return atomic_fetch_add(&looks, 1) % 2 ? atol(told_by + 1) : 0;
}
int clock_gettime(clockid_t clock, struct timespec *now) {
  int code = syscall(SYS_clock_gettime, clock, now);
  if (!code && clock == CLOCK_REALTIME) now->tv_sec += shift();
  return code;
}
int gettimeofday(struct timeval *now, void *zone) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return 0;
}
time_t time(time_t *now) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now) *now = exact.tv_sec;
  return exact.tv_sec;
}
