// Where a recording is while it is written, and how it gets its name (perpend/io.hpp).
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "io/hdf5.hpp"
#include "perpend/io.hpp"
#include "perpend/io/files.hpp"
#include "perpend/io/inputs.hpp"

namespace perpend::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = ".part-";

// What its writer says in the superblock: nothing is open, open, open for SWMR (and then frames may
// have been flushed); -1: there is no superblock. Where: repair.cpp.
int mark_of(const std::string& path) {
  std::array<unsigned char, 12> head{};
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  const ssize_t size = ::pread(descriptor, head.data(), head.size(), 0);
  ::close(descriptor);
  const bool ours =
      size == static_cast<ssize_t>(head.size()) && std::memcmp(&head[1], "HDF", 3) == 0;
  return ours ? head[11] : -1;
}
constexpr int kClosed = 0, kBeingMade = 1;

bool being_written(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool taken = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  return taken;
}

// Never over a file that is there.
bool rename_to_free(const std::string& from, const std::string& to) {
  return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0 ||
         (errno == EINVAL && ::link(from.c_str(), to.c_str()) == 0 && ::unlink(from.c_str()) == 0);
}

}  // namespace

PartFile::PartFile(const std::string& target) : target_(plain_target(target)) {
  Temporary made = make_temporary(target_, kMark);
  ::close(made.descriptor);
  path_ = std::move(made.path);
}

PartFile::~PartFile() {
  try {
    end();
  } catch (const InputError&) {
    // The destructor cannot report; the recording stays where it is.
  }
}

void PartFile::commit() {
  if (path_.empty()) return;
  const std::string part = std::exchange(path_, {});
  const int descriptor = ::open(part.c_str(), O_RDONLY | O_CLOEXEC);
  const bool safe = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!safe)
    h5::fail(target_, "",
             std::string("cannot be written: ") + std::strerror(error) + "; the recording is at " +
                 part);
  try {
    replace(part, {target_}, target_);
  } catch (const InputError& why) {
    throw InputError(std::string(why.what()) + "; the recording is at " + part);
  }
}

RecordingEnd PartFile::end() {
  if (path_.empty()) return {};
  const int mark = mark_of(path_);
  RecordingEnd out{0, mark == kClosed};
  try {
    out.frames = repair(path_);
  } catch (const InputError&) {
    try {
      out.frames = FrameReader(path_).frames();  // the mark stays; our own reader does not mind it
    } catch (const InputError& why) {
      if (mark == -1 || mark == kBeingMade) {
        ::unlink(std::exchange(path_, {}).c_str());
        return out;
      }
      path_.clear();
      throw InputError(std::string(why.what()) + "; the file is kept");
    }
  }
  if (out.frames > 0)
    commit();
  else
    ::unlink(std::exchange(path_, {}).c_str());
  return out;
}

std::vector<LeftPart> parts_of(const std::string& target) {
  const fs::path name = destination_of(target).path;
  const std::string begin = name.filename().string() + std::string(kMark);
  std::vector<std::pair<fs::file_time_type, std::string>> found;
  std::error_code error;
  fs::directory_iterator entries(name.has_parent_path() ? name.parent_path() : ".", error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const std::string entry = entries->path().filename().string();
    std::error_code gone;
    if (!entry.starts_with(begin) || !fs::is_regular_file(entries->symlink_status(gone))) continue;
    const fs::file_time_type time = fs::last_write_time(entries->path(), gone);
    if (!gone) found.emplace_back(time, (name.parent_path() / entry).string());
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<LeftPart> out;
  for (const auto& [time, path] : found) {
    LeftPart& part = out.emplace_back(LeftPart{path, 0, being_written(path)});
    try {
      part.frames = FrameReader(path).frames();
    } catch (const InputError&) {
      // Killed before its first frame, or no recording.
    }
  }
  return out;
}

std::vector<LeftPart> repair_parts(const std::string& target) {
  const std::string name = destination_of(target).path;
  std::vector<LeftPart> out;
  for (LeftPart& part : parts_of(target)) {
    if (part.writing || part.frames == 0) continue;
    try {
      part.frames = repair(part.path);
    } catch (const InputError&) {
      continue;
    }
    if (rename_to_free(part.path, name)) part.path = name;
    out.push_back(std::move(part));
  }
  return out;
}

}  // namespace perpend::io
