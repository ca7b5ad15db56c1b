// Clears the mark that a killed writer leaves in the superblock, so that plain HDF5 opens the file.
//
// Forty-eight bytes are rewritten in place: the status flags become 0, and the end of the file is
// moved a megabyte behind what is there (a hole, which costs nothing), because HDF5 refuses to read
// a chunk that was given out but not yet written to its end. Where the file may not grow, its end
// is where it ends: a flushed frame lies before that. No dataset is touched and nothing is cut off.
// A file that is still being written is refused. Layout of the superblock and its checksum
// (Jenkins' lookup3): HDF5 File Format Specification 3.0, section II.A.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>

#include "io/hdf5.hpp"

namespace perpend::io {
namespace {

constexpr std::size_t kFlags = 11, kEnd = 28, kChecksum = 44, kSize = 48;
constexpr std::uint64_t kRoom = std::uint64_t{1} << 20;  // more than any chunk we write
using Superblock = std::array<unsigned char, kSize>;

template <class Word>
Word word_at(const Superblock& bytes, std::size_t at, std::size_t size = sizeof(Word)) {
  Word value = 0;
  for (std::size_t i = 0; i < size; ++i) value |= static_cast<Word>(Word{bytes[at + i]} << (8 * i));
  return value;
}

template <class Word>
void put_word(Superblock& bytes, std::size_t at, Word value) {
  for (std::size_t i = 0; i < sizeof(Word); ++i)
    bytes[at + i] = static_cast<unsigned char>(value >> (8 * i));
}

// lookup3 over the bytes before the checksum: blocks of twelve, the last one closes.
std::uint32_t checksum(const Superblock& bytes) {
  std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(kChecksum), b = a, c = a;
  const auto mix = [](std::uint32_t& x, std::uint32_t y, std::uint32_t& z, int turn) {
    x -= z;
    x ^= std::rotl(z, turn);
    z += y;
  };
  const auto close = [](std::uint32_t& x, std::uint32_t y, int turn) {
    x ^= y;
    x -= std::rotl(y, turn);
  };
  std::size_t at = 0;
  for (; kChecksum - at > 12; at += 12) {
    a += word_at<std::uint32_t>(bytes, at);
    b += word_at<std::uint32_t>(bytes, at + 4);
    c += word_at<std::uint32_t>(bytes, at + 8);
    mix(a, b, c, 4);
    mix(b, c, a, 6);
    mix(c, a, b, 8);
    mix(a, b, c, 16);
    mix(b, c, a, 19);
    mix(c, a, b, 4);
  }
  static_assert(kChecksum % 12 == 8);
  a += word_at<std::uint32_t>(bytes, at);
  b += word_at<std::uint32_t>(bytes, at + 4);
  close(c, b, 14);
  close(a, c, 11);
  close(b, a, 25);
  close(c, b, 16);
  close(a, c, 4);
  close(b, a, 14);
  close(c, b, 24);
  return c;
}

class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : path_(path) {
    fd_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (fd_ < 0) refuse();
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return fd_; }
  void lock() const {
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      h5::fail(path_, "", "cannot be repaired: another program is writing or reading it");
  }
  [[noreturn]] void refuse() const {
    h5::fail(path_, "", std::string("cannot be repaired: ") + std::strerror(errno));
  }

 private:
  std::string path_;
  int fd_ = -1;
};

}  // namespace

Index repair(const std::string& path, bool* changed) {
  if (changed) *changed = false;
  const Index safe = FrameReader(path).frames();  // throws when there is nothing to save
  const Descriptor file(path);
  Superblock block{};
  struct stat info {};
  if (::pread(file, block.data(), kSize, 0) != static_cast<ssize_t>(kSize) ||
      ::fstat(file, &info) != 0)
    file.refuse();
  constexpr std::array<unsigned char, 8> kSignature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  const bool ours = std::equal(kSignature.begin(), kSignature.end(), block.begin());
  const unsigned version = block[8];
  // Files of older superblocks carry no mark; neither do those that were closed.
  if (!ours || version < 3 || block[kFlags] == 0) return safe;
  file.lock();
  if (version != 3 || block[9] != 8 || checksum(block) != word_at<std::uint32_t>(block, kChecksum))
    h5::fail(path, "", "cannot be repaired: its superblock is damaged");
  const std::uint64_t size = static_cast<std::uint64_t>(info.st_size);
  std::uint64_t end = std::max(word_at<std::uint64_t>(block, kEnd), size) + kRoom;
  if (::ftruncate(file, static_cast<off_t>(end)) != 0) {
    if (errno != EFBIG && errno != ENOSPC) file.refuse();
    end = size;
  }
  block[kFlags] = 0;
  put_word(block, kEnd, end);
  put_word(block, kChecksum, checksum(block));
  if (::pwrite(file, block.data(), kSize, 0) != static_cast<ssize_t>(kSize) || ::fsync(file) != 0)
    file.refuse();
  if (changed) *changed = true;
  return safe;
}

}  // namespace perpend::io
