// The child process that opens a foreign HDF5 file first (probe.hpp).
//
// The child walks every link, object, attribute and chunk index, reads small and filtered datasets
// whole and the ends of the others, under limits on memory and time, and answers through a pipe.
// Silence means that it died. It calls nothing but HDF5 and leaves by _exit, so that neither the
// parent's buffers nor its exit handlers run twice.
#include "io/probe.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "io/hdf5.hpp"
#include "perpend/host.hpp"
#include "perpend/io/files.hpp"

namespace perpend::io {
namespace {

constexpr hsize_t kSmall = hsize_t{1} << 20;         // bytes read whole
constexpr rlim_t kMemory = rlim_t{1} << 29;          // bytes the child may add to what it inherits
constexpr std::uint64_t kBytesPerSecond = 20 << 20;  // slowest disk we wait for
constexpr rlim_t kSeconds = 4;                       // for a file of any size
// The child's own time is limited. A clock on the wall is for one that waits, for a disk that does
// not answer: a child that works gets its time even where thirty share a processor.
constexpr rlim_t kSharing = 30;

// Reads rows of numbers as the parent would; text in its own type.
void read_rows(const h5::Dataset& data, hsize_t first, hsize_t rows, std::vector<char>& buffer) {
  if (data.element() != h5::Element::real && data.element() != h5::Element::integer) return;
  hsize_t bytes = 8 * rows;
  for (std::size_t i = 1; i < data.shape().size(); ++i) bytes *= data.shape()[i];
  buffer.resize(std::max<std::size_t>(buffer.size(), bytes));
  data.read(first, rows, data.element() == h5::Element::real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64,
            buffer.data());
}

void walk_dataset(const h5::File& file, const std::string& name) {
  const h5::Dataset data(file, name);
  const h5::Handle creation(H5Dget_create_plist(data), H5Pclose);
  if (H5Pget_external_count(creation) > 0) data.fail("keeps its data in another file");
  const H5D_layout_t layout = H5Pget_layout(creation);
  if (layout == H5D_VIRTUAL) data.fail("keeps its data in other datasets");
  const int filters = H5Pget_nfilters(creation);
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter = H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values,
                                               nullptr, 0, nullptr, nullptr);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE &&
        filter != H5Z_FILTER_FLETCHER32)
      data.fail("uses filter " + std::to_string(filter) +
                "; only deflate, shuffle and fletcher32 can be read");
  }
  if (layout == H5D_CHUNKED) {
    const h5::Handle space(H5Dget_space(data), H5Sclose);
    hsize_t chunks = 0;
    if (H5Dget_num_chunks(data, space, &chunks) < 0) data.fail("has a damaged index of chunks");
  }
  if (data.element() == h5::Element::text) {
    if (data.shape().size() == 1 && data.stored_bytes() <= kSmall) h5::read_strings(file, name);
    return;
  }
  const hsize_t rows = data.rows();
  if (rows == 0 || data.row_bytes() == 0 || data.stored_bytes() == 0) return;
  if (data.row_bytes() > kSmall) return;
  std::vector<char> buffer;
  const hsize_t step = std::max<hsize_t>(kSmall / data.row_bytes(), 1);
  hsize_t total = 0;
  const bool finite = !__builtin_mul_overflow(rows, data.row_bytes(), &total);
  // No more rows than the stored bytes can unpack to: the others are fill values, of which a few
  // bytes can declare a terabyte.
  const bool whole = filters > 0 || (finite && total <= kSmall);
  const hsize_t most = whole ? std::min(rows, data.warranted_rows()) : 0;
  for (hsize_t first = 0; first < most; first += step)
    read_rows(data, first, std::min(step, most - first), buffer);
  if (most < rows) {
    read_rows(data, 0, 1, buffer);
    read_rows(data, rows - 1, 1, buffer);
  }
}

void walk_attributes(const h5::File& file, const std::string& name) {
  std::vector<std::string> names;
  hsize_t position = 0;
  const herr_t status = H5Aiterate_by_name(
      file, name.c_str(), H5_INDEX_NAME, H5_ITER_NATIVE, &position,
      [](hid_t, const char* attribute, const H5A_info_t*, void* out) -> herr_t {
        static_cast<std::vector<std::string>*>(out)->emplace_back(attribute);
        return 0;
      },
      &names, H5P_DEFAULT);
  if (status < 0) h5::fail(file.path(), name, "has damaged attributes");
  for (const std::string& attribute : names) {
    const h5::Handle handle(
        H5Aopen_by_name(file, name.c_str(), attribute.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const h5::Handle type(H5Aget_type(handle), H5Tclose), space(H5Aget_space(handle), H5Sclose);
    if (!type.valid() || !space.valid())
      h5::fail(file.path(), name, "attribute " + attribute + " is damaged");
    if (H5Sget_simple_extent_npoints(space) != 1) continue;
    std::string text;
    std::int64_t number = 0;
    if (H5Tget_class(type) == H5T_STRING) h5::read_attribute(file, name, attribute, text);
    if (H5Tget_class(type) == H5T_INTEGER && H5Tget_size(type) <= 8)
      H5Aread(handle, H5T_NATIVE_INT64, &number);
  }
}

struct Object {
  std::string name;
  H5O_type_t type;
  hsize_t attributes;
};

void walk(const std::string& path) {
  if (H5Fis_hdf5(path.c_str()) <= 0) {
    if (const auto found = engine_file_at(path)) h5::fail(path, "", found->words);
    h5::fail(path, "", "not an HDF5 file");
  }
  const h5::File file = h5::File::open(path);
  std::string outside;
  const herr_t links = H5Lvisit(
      file, H5_INDEX_NAME, H5_ITER_NATIVE,
      [](hid_t, const char* name, const H5L_info_t* info, void* out) -> herr_t {
        if (info->type != H5L_TYPE_HARD && info->type != H5L_TYPE_SOFT)
          *static_cast<std::string*>(out) = std::string("/") + name;
        return 0;
      },
      &outside);
  if (links < 0) h5::fail(path, "", "damaged file (" + h5::reason() + ")");
  if (!outside.empty()) h5::fail(path, outside, "is a link to another file");
  std::vector<Object> objects;
  const herr_t visited = H5Ovisit2(
      file, H5_INDEX_NAME, H5_ITER_NATIVE,
      [](hid_t, const char* name, const H5O_info_t* info, void* out) -> herr_t {
        static_cast<std::vector<Object>*>(out)->push_back(
            {std::string("/") + (std::strcmp(name, ".") == 0 ? "" : name), info->type,
             info->num_attrs});
        return 0;
      },
      &objects, H5O_INFO_BASIC | H5O_INFO_NUM_ATTRS);
  if (visited < 0) h5::fail(path, "", "damaged file (" + h5::reason() + ")");
  for (const Object& object : objects) {
    if (object.attributes > 0) walk_attributes(file, object.name);
    if (object.type == H5O_TYPE_DATASET) walk_dataset(file, object.name);
  }
}

void limit(int resource, rlim_t value) {
  rlimit limits{};
  if (getrlimit(resource, &limits) != 0) return;
  limits.rlim_cur = std::min(value, limits.rlim_max);
  setrlimit(resource, &limits);
}

[[noreturn]] void child(const std::string& path, int answer, rlim_t address_space, rlim_t seconds) {
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGTERM, SIGALRM})
    std::signal(signal, SIG_DFL);
  std::signal(SIGINT, SIG_IGN);  // Ctrl-C is for the parent: the file is not damaged
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);  // it reads
  limit(RLIMIT_CPU, seconds);
  limit(RLIMIT_AS, address_space);
  if (const int null = ::open("/dev/null", O_WRONLY); null >= 0) {
    dup2(null, STDERR_FILENO);
    dup2(null, STDOUT_FILENO);
  }
  std::string verdict = "+";
  try {
    const h5::Silence quiet;
    walk(path);
  } catch (const InputError& error) {
    verdict = error.what();
  } catch (...) {
    verdict = path + ": damaged file (reading it needs too much memory)";
  }
  const ssize_t written =
      ::write(answer, verdict.data(), std::min<std::size_t>(verdict.size(), 4000));
  _exit(written < 0);
}

// Bytes of address space in use; RLIMIT_AS counts what the child inherits too.
rlim_t address_space() {
  unsigned long pages = 0;
  if (std::FILE* statm = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(statm, "%lu", &pages) != 1) pages = 0;
    std::fclose(statm);
  }
  return pages ? static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE))
               : RLIM_INFINITY - kMemory;
}

// Everything the child writes until it ends; false when time is up.
bool listen(int answer, rlim_t seconds, std::string& heard) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(seconds);
  std::array<char, 4096> buffer;
  while (true) {
    const double left = std::chrono::duration<double>(end - Clock::now()).count();
    if (left <= 0 || !host::readable(answer, left)) return false;
    const ssize_t size = ::read(answer, buffer.data(), buffer.size());
    if (size > 0) heard.append(buffer.data(), static_cast<std::size_t>(size));
    if (size == 0 || (size < 0 && errno != EINTR)) return true;
  }
}

}  // namespace

void probe(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) h5::fail(path, "", std::strerror(errno));
  if (!S_ISREG(info.st_mode)) h5::fail(path, "", "not a regular file");
  if (::access(path.c_str(), R_OK) != 0) h5::fail(path, "", std::strerror(errno));
  // What is on the disk: a file can be as large as it likes by a hole.
  const auto stored = std::min(static_cast<std::uint64_t>(info.st_size),
                               static_cast<std::uint64_t>(info.st_blocks) * 512);
  const rlim_t seconds = kSeconds + static_cast<rlim_t>(stored / kBytesPerSecond);
  const rlim_t memory = address_space() + kMemory;

  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) h5::fail(path, "", std::strerror(errno));
  host::Child process;
  const int failed = process.fork(SIGKILL, [&] {
    ::close(ends[0]);
    child(path, ends[1], memory, seconds);
  });
  ::close(ends[1]);
  if (failed != 0) {
    ::close(ends[0]);
    h5::fail(path, "",
             std::string("cannot be checked in a child process: ") + std::strerror(failed));
  }
  std::string heard;
  const bool in_time = listen(ends[0], kSharing * seconds, heard);
  ::close(ends[0]);
  const host::ExitStatus how = in_time ? process.wait() : process.kill();
  if (heard == "+") return;
  if (!heard.empty()) throw InputError(heard);
  if (!in_time || how.signal() == SIGXCPU)
    h5::fail(path, "", "damaged file (reading it takes too long)");
  h5::fail(path, "", "damaged file (HDF5 crashes when it reads it)");
}

}  // namespace perpend::io
