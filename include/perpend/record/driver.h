/* An HDF5 file driver that survives a full disk. Part of perpend_record.h; Perpend's own library
 * uses it, too.
 *
 * HDF5 1.10 does not survive a full disk. At the end it tries again to write what it could not
 * write, with a superblock that promises more bytes than the file has. Then nobody can read the
 * file, and the program crashes at its exit. This driver stops writing after the first failure. The
 * file stays as a killed writer would have left it, HDF5 goes on in memory and closes normally, and
 * perpend_record_driver_failure says what failed. A process forked from the writer writes nothing.
 *
 * Plain C99 hides parts of POSIX. Without sigset_t, a write beyond the size limit of a file raises
 * SIGXFSZ in your program; without usleep, the driver does not wait for a lock.
 */
#ifndef PERPEND_RECORD_DRIVER_H
#define PERPEND_RECORD_DRIVER_H

/* C has no nullptr. NOLINTBEGIN(modernize-use-nullptr) */
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(H5_VERSION_GE) && H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#if defined(_POSIX_C_SOURCE) && _POSIX_C_SOURCE >= 200809L
#define PERPEND_RECORD_POSIX 1
#include <time.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Writes after the failure, in order. */
typedef struct perpend_record_later {
  haddr_t address;
  size_t size;
  char* bytes;
  struct perpend_record_later* next;
} perpend_record_later;

typedef struct perpend_record_driven {
  H5FD_t base; /* HDF5's part, first */
  int descriptor;
  pid_t writer; /* the process that opened the file; forks of it write nothing */
  dev_t device;
  ino_t inode;
  haddr_t end_of_space, end_of_file;
  int failed; /* errno of the first write that failed */
  perpend_record_later *later, **last;
} perpend_record_driven;

/* Locks the file. Waits up to a second, because other programs lock it for a moment to see whether
 * it is being written. Returns 0 if another program holds the lock. On file systems without locks
 * it does nothing. */
static int perpend_record_lock(int descriptor, int how) {
#ifdef PERPEND_RECORD_POSIX
  const struct timespec pause = {0, 10000000};
  int attempt;
  for (attempt = 0; attempt < 100; ++attempt) {
    if (flock(descriptor, how | LOCK_NB) == 0 || errno != EWOULDBLOCK) return 1;
    nanosleep(&pause, NULL);
  }
  return 0;
#else
  return flock(descriptor, how | LOCK_NB) == 0 || errno != EWOULDBLOCK;
#endif
}

static H5FD_t* perpend_record_driver_open(const char* name, unsigned flags, hid_t access,
                                          haddr_t most) {
  int how = (flags & H5F_ACC_RDWR) ? O_RDWR : O_RDONLY;
  struct stat info;
  perpend_record_driven* f = (perpend_record_driven*)calloc(1, sizeof *f);
  (void)access;
  (void)most;
  if (!f) return NULL;
  if (flags & H5F_ACC_TRUNC) how |= O_TRUNC;
  if (flags & H5F_ACC_CREAT) how |= O_CREAT;
  if (flags & H5F_ACC_EXCL) how |= O_EXCL;
#ifdef O_CLOEXEC
  how |= O_CLOEXEC;
#endif
  f->descriptor = open(name, how, 0666);
  if (f->descriptor < 0 || fstat(f->descriptor, &info) != 0) {
    if (f->descriptor >= 0) close(f->descriptor);
    free(f);
    return NULL;
  }
  f->writer = getpid();
  f->device = info.st_dev;
  f->inode = info.st_ino;
  f->end_of_file = (haddr_t)info.st_size;
  f->last = &f->later;
  return &f->base;
}

static herr_t perpend_record_driver_close(H5FD_t* file) {
  perpend_record_driven* f = (perpend_record_driven*)file;
  while (f->later) {
    perpend_record_later* next = f->later->next;
    free(f->later->bytes);
    free(f->later);
    f->later = next;
  }
  close(f->descriptor);
  free(f);
  return 0;
}

static int perpend_record_driver_compare(const H5FD_t* one, const H5FD_t* other) {
  const perpend_record_driven* a = (const perpend_record_driven*)one;
  const perpend_record_driven* b = (const perpend_record_driven*)other;
  if (a->device != b->device) return a->device < b->device ? -1 : 1;
  return a->inode == b->inode ? 0 : a->inode < b->inode ? -1 : 1;
}

static herr_t perpend_record_driver_query(const H5FD_t* file, unsigned long* flags) {
  (void)file;
  if (flags)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

static haddr_t perpend_record_driver_space(const H5FD_t* file, H5FD_mem_t type) {
  (void)type;
  return ((const perpend_record_driven*)file)->end_of_space;
}
static herr_t perpend_record_driver_set_space(H5FD_t* file, H5FD_mem_t type, haddr_t address) {
  (void)type;
  ((perpend_record_driven*)file)->end_of_space = address;
  return 0;
}
static haddr_t perpend_record_driver_end(const H5FD_t* file, H5FD_mem_t type) {
  (void)type;
  return ((const perpend_record_driven*)file)->end_of_file;
}

static herr_t perpend_record_driver_handle(H5FD_t* file, hid_t access, void** handle) {
  (void)access;
  *handle = &((perpend_record_driven*)file)->failed;
  return 0;
}

static herr_t perpend_record_driver_read(H5FD_t* file, H5FD_mem_t type, hid_t transfer,
                                         haddr_t address, size_t size, void* buffer) {
  const perpend_record_driven* f = (const perpend_record_driven*)file;
  const perpend_record_later* one;
  char* to = (char*)buffer;
  size_t done = 0;
  (void)type;
  (void)transfer;
  if (lseek(f->descriptor, (off_t)address, SEEK_SET) < 0) return -1;
  while (done < size) {
    const ssize_t got = read(f->descriptor, to + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) { /* zeros beyond the end of the file */
      memset(to + done, 0, size - done);
      break;
    }
    done += (size_t)got;
  }
  for (one = f->later; one; one = one->next) {
    const haddr_t begin = address > one->address ? address : one->address;
    const haddr_t ours = address + size, theirs = one->address + one->size;
    const haddr_t end = ours < theirs ? ours : theirs;
    if (begin < end)
      memcpy(to + (begin - address), one->bytes + (begin - one->address), (size_t)(end - begin));
  }
  return 0;
}

/* A write beyond the size limit of a file (ulimit -f) raises SIGXFSZ, which ends the process.
 * Between quiet and loud the signal is blocked, and the write fails with EFBIG. */
#ifdef PERPEND_RECORD_POSIX
typedef struct perpend_record_signals {
  sigset_t signal, before;
  int was_waiting;
} perpend_record_signals;
static void perpend_record_quiet(perpend_record_signals* s) {
  sigset_t waiting;
  sigemptyset(&s->signal);
  sigaddset(&s->signal, SIGXFSZ);
  sigpending(&waiting);
  s->was_waiting = sigismember(&waiting, SIGXFSZ) == 1;
  pthread_sigmask(SIG_BLOCK, &s->signal, &s->before);
}
static void perpend_record_loud(const perpend_record_signals* s) {
  const int error = errno;
  const struct timespec now = {0, 0};
  if (!s->was_waiting && sigismember(&s->before, SIGXFSZ) == 0)
    while (sigtimedwait(&s->signal, NULL, &now) > 0) {
    }
  pthread_sigmask(SIG_SETMASK, &s->before, NULL);
  errno = error;
}
#else
typedef int perpend_record_signals;
static void perpend_record_quiet(perpend_record_signals* s) { *s = 0; }
static void perpend_record_loud(const perpend_record_signals* s) { (void)s; }
#endif

/* 0, or the errno of the failed write. */
static int perpend_record_put_bytes(const perpend_record_driven* f, haddr_t address, size_t size,
                                    const char* from) {
  size_t done = 0;
  if (getpid() != f->writer) return ECHILD;
  if (lseek(f->descriptor, (off_t)address, SEEK_SET) < 0) return errno;
  while (done < size) {
    const ssize_t put = write(f->descriptor, from + done, size - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    done += (size_t)put;
  }
  return 0;
}

static herr_t perpend_record_driver_write(H5FD_t* file, H5FD_mem_t type, hid_t transfer,
                                          haddr_t address, size_t size, const void* buffer) {
  perpend_record_driven* f = (perpend_record_driven*)file;
  perpend_record_signals signals;
  (void)type;
  (void)transfer;
  perpend_record_quiet(&signals);
  if (!f->failed) f->failed = perpend_record_put_bytes(f, address, size, (const char*)buffer);
  perpend_record_loud(&signals);
  if (f->failed) {
    perpend_record_later* one = (perpend_record_later*)malloc(sizeof *one);
    char* bytes = (char*)malloc(size ? size : 1);
    if (!one || !bytes) {
      free(one);
      free(bytes);
      return -1;
    }
    memcpy(bytes, buffer, size);
    one->address = address;
    one->size = size;
    one->bytes = bytes;
    one->next = NULL;
    *f->last = one;
    f->last = &one->next;
  }
  if (f->end_of_file < address + size) f->end_of_file = address + size;
  return 0;
}

static herr_t perpend_record_driver_truncate(H5FD_t* file, hid_t transfer, hbool_t closing) {
  perpend_record_driven* f = (perpend_record_driven*)file;
  (void)transfer;
  (void)closing;
  if (f->end_of_space == f->end_of_file) return 0;
  if (!f->failed && getpid() != f->writer) f->failed = ECHILD;
  if (!f->failed) {
    perpend_record_signals signals;
    perpend_record_quiet(&signals);
#ifdef PERPEND_RECORD_POSIX
    if (ftruncate(f->descriptor, (off_t)f->end_of_space) != 0) f->failed = errno;
#else
    /* A file that is too long does no harm: HDF5 stores where it ends. */
    if (f->end_of_space > f->end_of_file)
      f->failed = perpend_record_put_bytes(f, f->end_of_space - 1, 1, "");
#endif
    perpend_record_loud(&signals);
  }
  f->end_of_file = f->end_of_space;
  return 0;
}

static herr_t perpend_record_driver_lock(H5FD_t* file, hbool_t writing) {
  const perpend_record_driven* f = (const perpend_record_driven*)file;
  return perpend_record_lock(f->descriptor, writing ? LOCK_EX : LOCK_SH) ? 0 : -1;
}
static herr_t perpend_record_driver_unlock(H5FD_t* file) {
  const perpend_record_driven* f = (const perpend_record_driven*)file;
  if (getpid() == f->writer) flock(f->descriptor, LOCK_UN);
  return 0;
}

/* Makes files opened with this access list guarded. The id that comes back (negative: HDF5 refused)
 * is given to H5FDunregister after they are closed: HDF5 gives up its own hold on a driver before
 * it calls its close function for the last time. */
static hid_t perpend_record_drive(hid_t access) {
  static const H5FD_mem_t pools[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  H5FD_class_t c;
  hid_t id;
  memset(&c, 0, sizeof c);
#ifdef H5FD_CLASS_VERSION
  c.version = H5FD_CLASS_VERSION;
  c.value = (H5FD_class_value_t)600; /* HDF5 reserves the numbers below */
#endif
  c.name = "perpend-guarded";
  c.maxaddr = (haddr_t)0x7fffffffffffffff;
  c.fc_degree = H5F_CLOSE_WEAK;
  c.open = perpend_record_driver_open;
  c.close = perpend_record_driver_close;
  c.cmp = perpend_record_driver_compare;
  c.query = perpend_record_driver_query;
  c.get_eoa = perpend_record_driver_space;
  c.set_eoa = perpend_record_driver_set_space;
  c.get_eof = perpend_record_driver_end;
  c.get_handle = perpend_record_driver_handle;
  c.read = perpend_record_driver_read;
  c.write = perpend_record_driver_write;
  c.truncate = perpend_record_driver_truncate;
  c.lock = perpend_record_driver_lock;
  c.unlock = perpend_record_driver_unlock;
  memcpy(c.fl_map, pools, sizeof pools);
  id = H5FDregister(&c);
  if (id >= 0) H5Pset_driver(access, id, NULL);
  return id;
}

/* The errno of the first write of this file that failed; 0: none. */
static int perpend_record_driver_failure(hid_t file) {
  void* handle = NULL;
  if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 || !handle) return 0;
  return *(const int*)handle;
}

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-use-nullptr) */
#endif
