#include "io/guarded_driver.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

namespace perpend::io::h5 {
namespace {

struct Kept {
  haddr_t address;
  std::vector<char> bytes;
};

struct Guarded : H5FD_t {
  int descriptor = -1;
  pid_t writer =
      ::getpid();  // the process that writes; a fork of it has HDF5's memory, not the file
  dev_t device = 0;
  ino_t inode = 0;
  haddr_t end_of_space = 0, end_of_file = 0;
  int failed = 0;           // errno of the first write that failed
  std::vector<Kept> later;  // what would have been written since, in order
  ~Guarded() {
    if (descriptor >= 0) ::close(descriptor);
  }
};

Guarded& of(H5FD_t* file) { return *static_cast<Guarded*>(file); }
const Guarded& of(const H5FD_t* file) { return *static_cast<const Guarded*>(file); }

H5FD_t* open_file(const char* name, unsigned flags, hid_t, haddr_t) {
  int how = (flags & H5F_ACC_RDWR) ? O_RDWR : O_RDONLY;
  if (flags & H5F_ACC_TRUNC) how |= O_TRUNC;
  if (flags & H5F_ACC_CREAT) how |= O_CREAT;
  if (flags & H5F_ACC_EXCL) how |= O_EXCL;
  auto file = std::make_unique<Guarded>();
  struct stat info {};
  file->descriptor = ::open(name, how | O_CLOEXEC, 0666);
  if (file->descriptor < 0 || ::fstat(file->descriptor, &info) != 0) return nullptr;
  file->device = info.st_dev;
  file->inode = info.st_ino;
  file->end_of_file = static_cast<haddr_t>(info.st_size);
  return file.release();
}

herr_t close_file(H5FD_t* file) {
  delete &of(file);
  return 0;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  const auto key = [](const Guarded& f) { return std::pair(f.device, f.inode); };
  return key(of(a)) < key(of(b)) ? -1 : key(of(b)) < key(of(a)) ? 1 : 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  if (flags)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_eoa(const H5FD_t* file, H5FD_mem_t) { return of(file).end_of_space; }
herr_t set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  of(file).end_of_space = address;
  return 0;
}
haddr_t get_eof(const H5FD_t* file, H5FD_mem_t) { return of(file).end_of_file; }

herr_t get_handle(H5FD_t* file, hid_t, void** handle) {
  *handle = &of(file).failed;
  return 0;
}

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  const Guarded& f = of(file);
  char* to = static_cast<char*>(buffer);
  for (size_t done = 0; done < size;) {
    const ssize_t got =
        ::pread(f.descriptor, to + done, size - done, static_cast<off_t>(address + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) {  // beyond the end there is nothing
      std::fill(to + done, to + size, '\0');
      break;
    }
    done += static_cast<size_t>(got);
  }
  for (const Kept& one : f.later) {
    const haddr_t begin = std::max(address, one.address);
    const haddr_t end = std::min(address + size, one.address + one.bytes.size());
    if (begin < end)
      std::memcpy(to + (begin - address), &one.bytes[begin - one.address], end - begin);
  }
  return 0;
}

bool ours(const Guarded& f) { return ::getpid() == f.writer; }

// Beyond the limit of a file's size (ulimit -f) the kernel sends a signal that ends the process,
// before it says EFBIG. While one lives, the signal does not arrive.
class NoSizeSignal {
 public:
  NoSizeSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    sigset_t waiting;
    sigpending(&waiting);
    was_waiting_ = sigismember(&waiting, SIGXFSZ) == 1;
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~NoSizeSignal() {
    const int error = errno;
    constexpr timespec kNow{};
    if (!was_waiting_ && sigismember(&before_, SIGXFSZ) == 0)
      while (sigtimedwait(&signal_, nullptr, &kNow) > 0) {
      }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }
  NoSizeSignal(const NoSizeSignal&) = delete;
  NoSizeSignal& operator=(const NoSizeSignal&) = delete;

 private:
  sigset_t signal_, before_;
  bool was_waiting_;
};

bool write_all(int descriptor, haddr_t address, size_t size, const char* from) {
  for (size_t done = 0; done < size;) {
    const ssize_t put =
        ::pwrite(descriptor, from + done, size - done, static_cast<off_t>(address + done));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    done += static_cast<size_t>(put);
  }
  return true;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* buffer) {
  Guarded& f = of(file);
  const char* from = static_cast<const char*>(buffer);
  const NoSizeSignal quiet;
  if (!f.failed && !ours(f)) f.failed = ECHILD;
  if (!f.failed && !write_all(f.descriptor, address, size, from)) f.failed = errno;
  if (f.failed) f.later.push_back({address, std::vector<char>(from, from + size)});
  f.end_of_file = std::max(f.end_of_file, address + size);
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  Guarded& f = of(file);
  if (f.end_of_space == f.end_of_file) return 0;
  const NoSizeSignal quiet;
  if (!f.failed && !ours(f)) f.failed = ECHILD;
  if (!f.failed && ::ftruncate(f.descriptor, static_cast<off_t>(f.end_of_space)) != 0)
    f.failed = errno;
  f.end_of_file = f.end_of_space;
  return 0;
}

herr_t lock(H5FD_t* file, hbool_t writing) {
  return lock_patiently(of(file).descriptor, writing ? LOCK_EX : LOCK_SH) ? 0 : -1;
}
herr_t unlock(H5FD_t* file) {
  if (ours(of(file))) ::flock(of(file).descriptor, LOCK_UN);
  return 0;
}

H5FD_class_t driver() {
  H5FD_class_t out{};
  out.name = "perpend-guarded";
  out.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
  out.fc_degree = H5F_CLOSE_WEAK;
  out.open = open_file;
  out.close = close_file;
  out.cmp = compare;
  out.query = query;
  out.get_eoa = get_eoa;
  out.set_eoa = set_eoa;
  out.get_eof = get_eof;
  out.get_handle = get_handle;
  out.read = read;
  out.write = write;
  out.truncate = truncate;
  out.lock = lock;
  out.unlock = unlock;
  constexpr H5FD_mem_t kPools[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(kPools), std::end(kPools), out.fl_map);
  return out;
}

}  // namespace

bool lock_patiently(int descriptor, int how) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    if (::flock(descriptor, how | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
    ::usleep(10'000);
  }
  return false;
}

Handle guard(hid_t access) {
  const H5FD_class_t made = driver();
  Handle out(H5FDregister(&made), H5FDunregister);
  if (out.valid()) H5Pset_driver(access, out, nullptr);
  return out;
}

std::string failure(hid_t file) {
  void* handle = nullptr;
  if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 || !handle) return {};
  const int failed = *static_cast<const int*>(handle);
  return failed ? std::strerror(failed) : "";
}

}  // namespace perpend::io::h5
