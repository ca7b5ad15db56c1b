#include "bench/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "perpend/base.hpp"
#include "perpend/io.hpp"

namespace perpend::bench {
namespace {

struct RecordHeader {
  std::uint32_t magic, size;
  std::uint64_t hash;
};
constexpr std::uint32_t kMagic = 0x4a425050U;  // "PPBJ"

constexpr int kDeepest = 16;  // more than any record of ours is nested

// CBOR as a document. nlohmann-json reads it with recursion: the depth is bounded, so that a
// hostile journal does not end the program with its stack.
class Document : public nlohmann::detail::json_sax_dom_parser<Json> {
  using Base = nlohmann::detail::json_sax_dom_parser<Json>;

 public:
  explicit Document(Json& into) : Base(into, false) {}
  bool start_object(std::size_t size) { return ++depth_ <= kDeepest && Base::start_object(size); }
  bool start_array(std::size_t size) { return ++depth_ <= kDeepest && Base::start_array(size); }
  bool end_object() { return --depth_ >= 0 && Base::end_object(); }
  bool end_array() { return --depth_ >= 0 && Base::end_array(); }

 private:
  int depth_ = 0;
};

bool parsed(const std::vector<std::uint8_t>& content, Json& record) {
  try {
    Document document(record);
    return Json::sax_parse(content, &document, Json::input_format_t::cbor);
  } catch (const Json::exception&) {  // an array of more items than any memory holds
    return false;
  }
}

// A write ended halfway (disk full) is an error; the torn record is cut off by the next reader.
bool write_all(int to, const std::vector<std::uint8_t>& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::write(to, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

Journal::Journal(const std::string& path) : path_(path) {
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
  if (file_ < 0) fail(std::string("cannot be written: ") + std::strerror(errno));
  struct stat info {};
  if (::fstat(file_, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(file_);
    fail("is not a plain file");
  }
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    ::close(file_);
    fail("another process is using it");
  }
  try {
    read();
  } catch (...) {
    ::close(file_);
    throw;
  }
}

Journal::~Journal() { ::close(file_); }

void Journal::fail(const std::string& what) const { throw io::InputError(path_ + ": " + what); }

void Journal::read() {
  struct stat info {};
  if (::fstat(file_, &info) != 0) fail(std::strerror(errno));
  auto left = static_cast<std::uint64_t>(info.st_size);
  off_t safe = 0;
  std::vector<std::uint8_t> content;
  const auto take = [&](void* into, std::size_t size) {
    if (size > left) return false;
    left -= size;
    auto* at = static_cast<char*>(into);
    while (size > 0) {
      const ssize_t n = ::read(file_, at, size);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      at += n;
      size -= static_cast<std::size_t>(n);
    }
    return true;
  };
  while (left > 0) {
    RecordHeader opening{};
    if (!take(&opening, sizeof opening) || opening.magic != kMagic || opening.size > left) break;
    content.resize(opening.size);
    if (!take(content.data(), content.size())) break;
    if (fnv(content.data(), content.size()) != opening.hash) break;
    Json record;
    if (!parsed(content, record)) break;
    records_.push_back(std::move(record));
    safe += static_cast<off_t>(sizeof opening + content.size());
  }
  // A file that does not even begin like a journal is somebody else's.
  if (records_.empty() && info.st_size >= static_cast<off_t>(sizeof(RecordHeader))) {
    std::uint32_t magic = 0;
    if (::pread(file_, &magic, sizeof magic, 0) != sizeof magic || magic != kMagic)
      fail("is not a journal of perpend bench");
  }
  if (::ftruncate(file_, safe) != 0 || ::lseek(file_, safe, SEEK_SET) != safe)
    fail(std::string("cannot be written: ") + std::strerror(errno));
}

void Journal::append(const Json& record) {
  const std::vector<std::uint8_t> content = Json::to_cbor(record);
  const RecordHeader opening{kMagic, static_cast<std::uint32_t>(content.size()),
                             fnv(content.data(), content.size())};
  std::vector<std::uint8_t> bytes(sizeof opening + content.size());
  std::memcpy(bytes.data(), &opening, sizeof opening);
  std::memcpy(bytes.data() + sizeof opening, content.data(), content.size());
  if (!write_all(file_, bytes)) fail(std::string("cannot be written: ") + std::strerror(errno));
}

void Journal::clear() {
  records_.clear();
  if (::ftruncate(file_, 0) != 0 || ::lseek(file_, 0, SEEK_SET) != 0)
    fail(std::string("cannot be written: ") + std::strerror(errno));
}

void Journal::sync() { ::fdatasync(file_); }

}  // namespace perpend::bench
