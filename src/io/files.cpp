// Outputs that appear whole or not at all, inputs of bounded size (files.hpp).
#include "perpend/io/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "perpend/io.hpp"
#include "perpend/io/inputs.hpp"

namespace perpend::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBuffer = std::size_t{1} << 20;
constexpr int kMostLinks = 40;  // as the kernel
constexpr std::size_t kLetters = 16;

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw InputError((path == "-" ? "standard input" : path) + ": " + what);
}

std::string cannot_be_written(int error) {
  return std::string("cannot be written: ") + std::strerror(error);
}

std::string_view kind_name(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return value_; }

 private:
  int value_;
};

bool write_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(to, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// At most `longest` bytes, piece by piece; what is read is given to `take`.
template <class Take>
void read_all(int from, const std::string& path, std::uint64_t longest, Take take) {
  std::vector<char> buffer(kBuffer);
  std::uint64_t total = 0;
  for (;;) {
    const ssize_t n = ::read(from, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse(path, std::string("cannot be read: ") + std::strerror(errno));
    if (n == 0) return;
    total += static_cast<std::uint64_t>(n);
    if (total > longest)
      refuse(path, "has more than " + std::to_string(longest >> 20) + " MiB, which is the limit");
    take(std::string_view(buffer.data(), static_cast<std::size_t>(n)));
  }
}

std::string letters() {
  constexpr std::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyz234567";  // 32: five bits each
  std::array<unsigned char, kLetters> bytes{};
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::getrandom(bytes.data() + done, bytes.size() - done, 0);
    if (n < 0 && errno != EINTR)
      throw InputError(std::string("no random numbers: ") + std::strerror(errno));
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  std::string text;
  for (const unsigned char byte : bytes) text += kAlphabet[byte % kAlphabet.size()];
  return text;
}

// The descriptor of this process that a name in /proc/self/fd stands for; -1: it is no such name.
int own_descriptor(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  if (name.empty() || name.size() > 9 || name.find_first_not_of("0123456789") != std::string::npos)
    return -1;
  std::error_code error;
  const fs::path folder = fs::canonical(folder_of(path), error);
  if (error || folder.filename() != "fd") return -1;
  const fs::path own = fs::canonical("/proc/self/fd", error);
  if (error) return -1;
  const fs::path thread = fs::canonical("/proc/thread-self/fd", error);
  return folder == own || (!error && folder == thread) ? std::stoi(name) : -1;
}

// Links that others put into a folder which is open to all are not followed: the kernel refuses
// them too where it is asked to follow (fs.protected_symlinks).
bool somebody_elses(const std::string& path, const struct stat& link) {
  struct stat folder {};
  if (::stat(folder_of(path).c_str(), &folder) != 0) return false;
  const bool open_to_all = (folder.st_mode & S_ISVTX) && (folder.st_mode & S_IWOTH);
  return open_to_all && link.st_uid != ::geteuid() && link.st_uid != folder.st_uid;
}

// Which file it is, whatever its name.
using FileId = std::pair<dev_t, ino_t>;

std::optional<FileId> plain_id(int descriptor, const std::string& path) {
  struct stat info {};
  const int failed = descriptor >= 0 ? ::fstat(descriptor, &info) : ::stat(path.c_str(), &info);
  if (failed != 0 || !S_ISREG(info.st_mode)) return {};
  return FileId{info.st_dev, info.st_ino};
}

// Of the program, set once by its main function: outputs are opened in every room.
std::vector<FileId>& kept() {
  static std::vector<FileId> list;
  return list;
}

void require_no_input(const Destination& place, const std::string& target) {
  const std::optional<FileId> there = plain_id(place.descriptor, place.path);
  if (there && std::count(kept().begin(), kept().end(), *there) > 0)
    throw InputError(target + ": is the input file; no output replaces an input");
}

void require_plain(const Destination& place, const std::string& target) {
  if (place.plain) return;
  throw InputError(target == "-" ? "-: HDF5 cannot be written to standard output; give a file name"
                                 : target +
                                       ": is not a plain file; HDF5 cannot be written to pipes, "
                                       "devices and open descriptors");
}

}  // namespace

std::uint64_t plain_size(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0)
    refuse(path, errno == ENOENT ? "no such file"
                                 : std::string("cannot be opened: ") + std::strerror(errno));
  if (S_ISDIR(info.st_mode)) refuse(path, "is a directory");
  if (!S_ISREG(info.st_mode))
    refuse(path, "is " + std::string(kind_name(info.st_mode)) + ", not a plain file");
  return static_cast<std::uint64_t>(info.st_size);
}

std::string read_text(const std::string& path, std::uint64_t longest) {
  std::string text;
  const auto take = [&](std::string_view piece) { text += piece; };
  if (path == "-") {
    read_all(STDIN_FILENO, path, longest, take);
    return text;
  }
  if (const std::uint64_t size = plain_size(path); size > longest)
    refuse(path, "has " + std::to_string(size >> 20) + " MiB; the limit is " +
                     std::to_string(longest >> 20) + " MiB");
  // Not blocking: what was a plain file a moment ago may be a pipe now.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file < 0) refuse(path, std::string("cannot be opened: ") + std::strerror(errno));
  read_all(file, path, longest, take);
  return text;
}

Temporary make_temporary(const std::string& path, std::string_view mark, unsigned mode) {
  struct stat there {};
  const bool keep = mode == 0 && ::stat(path.c_str(), &there) == 0 && S_ISREG(there.st_mode);
  const mode_t rights = keep ? there.st_mode & 0777 : mode ? mode : 0666;
  // Long names lose their end, so that there is room for ours.
  const fs::path whole(path);
  std::string name = whole.filename().string();
  name.resize(std::min<std::size_t>(name.size(), NAME_MAX - mark.size() - kLetters));
  const std::string beginning = (whole.parent_path() / name).string() + std::string(mark);
  for (int attempt = 0; attempt < 100; ++attempt) {
    Temporary made{beginning + letters()};
    made.descriptor =
        ::open(made.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, rights);
    if (made.descriptor < 0 && errno == EEXIST) continue;
    if (made.descriptor < 0) refuse(path, cannot_be_written(errno));
    if (keep) {  // the owner where we may, and the rights that the umask took away
      const bool ours = there.st_uid == ::geteuid() && there.st_gid == ::getegid();
      const bool given = ours || ::fchown(made.descriptor, there.st_uid, there.st_gid) == 0;
      if (given && ::fchmod(made.descriptor, rights) != 0) {
        const int error = errno;
        ::close(made.descriptor);
        ::unlink(made.path.c_str());
        refuse(path, cannot_be_written(error));
      }
    }
    return made;
  }
  refuse(path, "cannot be written: no free name for a temporary file");
}

Spool::Spool(int from, const std::function<void(const std::string&)>& filled_next,
             std::uint64_t longest) {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  if (error) throw InputError("standard input: no folder for temporary files: " + error.message());
  Temporary made = make_temporary((folder / "perpend").string(), "-", 0600);
  const Descriptor file(made.descriptor);
  path_ = std::move(made.path);
  try {
    filled_next(path_);
    read_all(from, "-", longest, [&](std::string_view piece) {
      if (!write_all(file, piece))
        throw InputError("standard input: cannot be copied to " + folder.string() + ": " +
                         std::strerror(errno));
    });
  } catch (...) {
    ::unlink(path_.c_str());
    throw;
  }
}

Spool::~Spool() { ::unlink(path_.c_str()); }

Destination destination_of(const std::string& path) {
  Destination place{path};
  if (path == "-") return {path, STDOUT_FILENO, false};
  struct stat info {};
  for (int links = 0;; ++links) {
    if (const int descriptor = own_descriptor(place.path); descriptor >= 0) {
      if (::fcntl(descriptor, F_GETFD) < 0) refuse(path, cannot_be_written(errno));
      return {place.path, descriptor, false};
    }
    if (::lstat(place.path.c_str(), &info) != 0) break;
    if (!S_ISLNK(info.st_mode)) break;
    if (links == kMostLinks) refuse(path, cannot_be_written(ELOOP));
    if (somebody_elses(place.path, info))
      refuse(path, "is a symbolic link of another user in a folder that everybody can write to");
    std::error_code error;
    const fs::path to = fs::read_symlink(place.path, error);
    if (error) refuse(path, cannot_be_written(error.value()));
    place.path =
        (fs::path(place.path).parent_path() / to).string();  // or `to` where it is absolute
  }
  std::error_code ignored;
  const fs::path folder = fs::path(place.path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, ignored))
    refuse(path, "there is no folder " + folder.string());
  const bool there = ::stat(place.path.c_str(), &info) == 0;
  if (!there && errno != ENOENT) refuse(path, cannot_be_written(errno));
  if (there && S_ISDIR(info.st_mode)) refuse(path, "is a directory");
  place.plain = !there || S_ISREG(info.st_mode);
  // A plain file is replaced, which its folder must allow.
  const std::string changed = place.plain ? folder_of(place.path) : place.path;
  if (::access(changed.c_str(), W_OK) != 0) refuse(path, cannot_be_written(errno));
  return place;
}

std::string plain_target(const std::string& path) {
  Destination place = destination_of(path);
  require_plain(place, path);
  require_no_input(place, path);
  return std::move(place.path);
}

void keep(const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs)
    if (const auto there = plain_id(input == "-" ? STDIN_FILENO : -1, input))
      kept().push_back(*there);
}

void release(const std::string& input) {
  if (const auto there = plain_id(-1, input)) std::erase(kept(), *there);
}

void replace(const std::string& made, const Destination& place, const std::string& target) {
  struct stat info {};
  if (::lstat(place.path.c_str(), &info) == 0 && !S_ISREG(info.st_mode))
    throw InputError(target + ": cannot be written: it is no longer a plain file");
  require_no_input(place, target);
  if (std::rename(made.c_str(), place.path.c_str()) != 0)
    throw InputError(target + ": " + cannot_be_written(errno));
}

OutputFile::OutputFile(const std::string& target, Content content)
    : target_(target), place_(destination_of(target)) {
  require_no_input(place_, target);
  if (content == Content::hdf5) require_plain(place_, target);
  if (place_.plain) {
    Temporary made = make_temporary(place_.path);
    temporary_ = std::move(made.path);
    descriptor_ = made.descriptor;
  }
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::fail(int error) const {
  throw InputError((target_ == "-" ? "standard output" : target_) + ": " +
                   cannot_be_written(error));
}

// Pipes and devices are opened by the first byte: who opens a pipe waits for its reader.
void OutputFile::open() {
  if (descriptor_ >= 0) return;
  descriptor_ = place_.descriptor >= 0
                    ? ::fcntl(place_.descriptor, F_DUPFD_CLOEXEC, 3)
                    : ::open(place_.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor_ < 0) fail(errno);
}

void OutputFile::flush() {
  if (buffer_.empty()) return;
  const auto write = [this] {
    open();
    if (!write_all(descriptor_, buffer_)) fail(errno);
  };
  place_.plain ? write() : outside(write);
  buffer_.clear();
}

void OutputFile::write(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= kBuffer) flush();
}

void OutputFile::copy(const std::string& from) {
  plain_size(from);
  const Descriptor file(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (file < 0) refuse(from, std::string("cannot be opened: ") + std::strerror(errno));
  read_all(file, from, ~std::uint64_t{0}, [&](std::string_view piece) { write(piece); });
  flush();
}

void OutputFile::commit() {
  flush();
  if (place_.plain) {
    if (::fsync(descriptor_) != 0) fail(errno);
    replace(temporary_, place_, target_);
    temporary_.clear();
  }
  if (descriptor_ < 0) return;
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0 && errno != EINTR) fail(errno);
}

void write_text(const std::string& target, std::string_view text) {
  OutputFile file(target, OutputFile::Content::text);
  file.write(text);
  file.commit();
}

FolderLock::FolderLock(const std::string& path) {
  constexpr std::chrono::milliseconds kPause{10};
  constexpr std::chrono::seconds kPatience{120};
  descriptor_ = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) refuse(path, cannot_be_written(errno));
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    if (error == EWOULDBLOCK && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(kPause);
      continue;
    }
    if (error == EINTR) continue;
    ::close(descriptor_);
    refuse(path, error == EWOULDBLOCK ? "cannot be written: another program has locked its folder"
                                      : cannot_be_written(error));
  }
}

FolderLock::~FolderLock() { ::close(descriptor_); }

}  // namespace perpend::io
