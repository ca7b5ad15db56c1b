// The thin layer over HDF5's C API (hdf5.hpp).
#include "io/hdf5.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "io/guarded_driver.hpp"
#include "perpend/io/files.hpp"

namespace perpend::io::h5 {
namespace {

// Deflate cannot expand a byte into more than 1032 (the bound zlib's documentation gives).
constexpr hsize_t kDeflateExpansion = 1032;
constexpr std::size_t kLongestText = 65536;
// A reader of a file that is being written tries again, with pauses that double, when a checksum is
// wrong: 16 ms in all. HDF5's own hundred attempts would outlast the user.
constexpr unsigned kReadAttempts = 24;
// The page of the kernel: a process can be killed in the middle of a write, but not inside a page.
constexpr hsize_t kPage = 4096;

std::string absolute(std::string_view name) {
  std::string path;
  if (name.empty() || name[0] != '/') path += '/';
  path += name;
  return path;
}

Handle checked(hid_t id, Handle::Close close, const std::string& file, std::string_view name,
               std::string_view what) {
  if (id < 0) fail(file, name, std::string(what) + " (" + reason() + ")");
  return {id, close};
}

void checked(herr_t status, const std::string& file, std::string_view name, std::string_view what) {
  if (status < 0) fail(file, name, std::string(what) + " (" + reason() + ")");
}

// IEEE floats and signed integers of either byte order. Anything else (unsigned, enumerations,
// odd bit layouts, compounds) is `other`.
Element element_of(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_FLOAT:
      for (hid_t known : {H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_IEEE_F32LE, H5T_IEEE_F32BE})
        if (H5Tequal(type, known) > 0) return Element::real;
      return Element::other;
    case H5T_INTEGER:
      for (hid_t known : {H5T_STD_I64LE, H5T_STD_I32LE, H5T_STD_I8LE, H5T_STD_I16LE, H5T_STD_I64BE,
                          H5T_STD_I32BE, H5T_STD_I8BE, H5T_STD_I16BE})
        if (H5Tequal(type, known) > 0) return Element::integer;
      return Element::other;
    case H5T_STRING:
      return Element::text;
    default:
      return Element::other;
  }
}

std::vector<hsize_t> shape_of(hid_t space) {
  const int rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> shape(rank > 0 ? static_cast<std::size_t>(rank) : 0);
  if (!shape.empty()) H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  return shape;
}

// `count` strings of an attribute or dataset through `read(type, buffer)`.
std::vector<std::string> texts(const std::string& file, std::string_view name, hid_t type,
                               hid_t space, std::size_t count,
                               const std::function<herr_t(hid_t, void*)>& read) {
  std::vector<std::string> values;
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> pointers(count, nullptr);
    checked(read(type, pointers.data()), file, name, "cannot be read");
    for (const char* p : pointers) values.emplace_back(p ? p : "");
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
  } else {
    const std::size_t size = H5Tget_size(type);
    // A scene may be long, but no longer than the file.
    struct stat info {};
    const bool fits = size <= kLongestText || (count == 1 && ::stat(file.c_str(), &info) == 0 &&
                                               size <= static_cast<std::size_t>(info.st_size));
    if (size == 0 || !fits) fail(file, name, "has a text of impossible length");
    std::vector<char> buffer(size * count);
    checked(read(type, buffer.data()), file, name, "cannot be read");
    for (std::size_t i = 0; i < count; ++i) {
      std::string_view text(buffer.data() + i * size, size);
      text = text.substr(0, text.find('\0'));
      if (H5Tget_strpad(type) == H5T_STR_SPACEPAD)
        text = text.substr(0, text.find_last_not_of(' ') + 1);
      values.emplace_back(text);
    }
  }
  return values;
}

Handle text_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, std::max<std::size_t>(size, 1));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

Handle open_attribute(const File& file, const std::string& name, const std::string& attribute) {
  const htri_t exists =
      H5Aexists_by_name(file, absolute(name).c_str(), attribute.c_str(), H5P_DEFAULT);
  if (exists == 0) return {};
  return checked(exists < 0 ? -1
                            : H5Aopen_by_name(file, absolute(name).c_str(), attribute.c_str(),
                                              H5P_DEFAULT, H5P_DEFAULT),
                 H5Aclose, file.path(), name, "attribute " + attribute + " cannot be opened");
}

void write_attribute(const File& file, const std::string& name, const std::string& attribute,
                     hid_t file_type, hid_t memory_type, const void* value) {
  const std::string object = absolute(name);
  if (H5Aexists_by_name(file, object.c_str(), attribute.c_str(), H5P_DEFAULT) > 0)
    H5Adelete_by_name(file, object.c_str(), attribute.c_str(), H5P_DEFAULT);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle handle =
      checked(H5Acreate_by_name(file, object.c_str(), attribute.c_str(), file_type, space,
                                H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
              H5Aclose, file.path(), name, "attribute " + attribute + " cannot be created");
  checked(H5Awrite(handle, memory_type, value), file.path(), name,
          "attribute " + attribute + " cannot be written");
}

}  // namespace

Silence::Silence() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
Silence::~Silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

Handle& Handle::operator=(Handle&& other) noexcept {
  if (this != &other) {
    reset();
    id_ = std::exchange(other.id_, H5I_INVALID_HID);
    close_ = other.close_;
  }
  return *this;
}

bool Handle::reset() {
  if (id_ < 0) return true;
  return close_(std::exchange(id_, H5I_INVALID_HID)) >= 0;
}

std::string reason() {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned n, const H5E_error2_t* entry, void* out) -> herr_t {
        if (n == 0 && entry->desc) *static_cast<std::string*>(out) = entry->desc;
        return 0;
      },
      &text);
  // Where the operating system refused, its words are all a reader needs.
  constexpr std::string_view kSystemSays = "error message = '";
  if (const std::size_t at = text.find(kSystemSays); at != std::string::npos) {
    const std::size_t begin = at + kSystemSays.size();
    return text.substr(begin, text.find('\'', begin) - begin);
  }
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text.empty() ? "HDF5 gives no reason" : "HDF5: " + text;
}

void fail(const std::string& file, std::string_view name, std::string_view what) {
  std::string text = file + ": ";
  if (!name.empty() && name != "/") text += absolute(name) + ": ";
  throw InputError(printable(text + std::string(what)));  // names of datasets are the file's own
}

File File::open(const std::string& path) {
  File file(path, path);
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  file.handle_ = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  if (!file.handle_.valid()) {
    const std::string why = reason();
    H5Pset_metadata_read_attempts(access, kReadAttempts);
    file.handle_ =
        Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access), H5Fclose);
    file.swmr_ = true;
    if (!file.handle_.valid()) fail(path, "", "cannot be opened as HDF5 (" + why + ")");
  }
  return file;
}

File File::open_for_writing(const std::string& path, const std::string& called) {
  File file(path, called);
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  file.driver_ = guard(access);
  file.handle_ = checked(H5Fopen(path.c_str(), H5F_ACC_RDWR, access), H5Fclose, file.path(), "",
                         "cannot be opened for writing");
  return file;
}

File File::create(const std::string& path, bool latest, const std::string& called) {
  File file(path, called);
  // The operating system's own words are clearer than HDF5's.
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (descriptor < 0)
    fail(file.path(), "", std::string("cannot be written: ") + std::strerror(errno));
  struct stat info {};
  if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(descriptor);
    fail(file.path(), "", "cannot be written: HDF5 needs a plain file");
  }
  // HDF5 looks for locks too, but after it has emptied the file.
  const bool ours = lock_patiently(descriptor, LOCK_EX);
  ::close(descriptor);
  if (!ours) fail(file.path(), "", "cannot be written: another program is writing or reading it");
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  file.driver_ = guard(access);
  if (latest) {
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    // Headers that are rewritten while frames are appended must not lie across two pages, or a kill
    // leaves half of an old and half of a new one: measured, one file in a hundred was lost so.
    H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_PAGE, false, 1);
    H5Pset_file_space_page_size(creation, kPage);
  }
  file.handle_ = checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose,
                         file.path(), "", "cannot be created");
  return file;
}

void File::finish() {
  const bool flushed = H5Fflush(handle_, H5F_SCOPE_GLOBAL) >= 0;
  const std::string why = failure(handle_);
  if (!flushed || !why.empty())
    fail(path(), "", "cannot be written (" + (why.empty() ? reason() : why) + ")");
  if (!close()) fail(path(), "", "cannot be closed (" + reason() + ")");
}

// Shared, as HDF5's readers take it.
WriterLock::WriterLock(const std::string& path)
    : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ >= 0) lock_patiently(descriptor_, LOCK_SH);
}

WriterLock::~WriterLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::uint64_t File::bytes() const {
  struct stat info {};
  return ::stat(path_.c_str(), &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

Found find(const File& file, const std::string& name) {
  const std::string path = absolute(name);
  if (path == "/") return Found::group;
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string prefix = path.substr(0, end);
    if (H5Lexists(file, prefix.c_str(), H5P_DEFAULT) <= 0 ||
        H5Oexists_by_name(file, prefix.c_str(), H5P_DEFAULT) <= 0)
      return Found::nothing;
    if (end == std::string::npos) break;
  }
  H5O_info_t info;
  if (H5Oget_info_by_name2(file, path.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
    return Found::nothing;
  return info.type == H5O_TYPE_GROUP     ? Found::group
         : info.type == H5O_TYPE_DATASET ? Found::dataset
                                         : Found::other;
}

std::vector<std::string> members(const File& file, const std::string& group) {
  std::vector<std::string> names;
  hsize_t position = 0;
  const herr_t status = H5Literate_by_name(
      file, absolute(group).c_str(), H5_INDEX_NAME, H5_ITER_NATIVE, &position,
      [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
        static_cast<std::vector<std::string>*>(out)->emplace_back(name);
        return 0;
      },
      &names, H5P_DEFAULT);
  checked(status, file.path(), group, "cannot be listed");
  std::sort(names.begin(), names.end());
  return names;
}

std::string_view describe(Element element) {
  constexpr std::array<std::string_view, 4> words{"real numbers", "signed integers", "text",
                                                  "something else"};
  return words[static_cast<std::size_t>(element)];
}

std::string describe(const std::vector<hsize_t>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + ")";
}

Dataset::Dataset(const File& file, const std::string& name)
    : file_(file.path()), name_(absolute(name)) {
  switch (find(file, name_)) {
    case Found::nothing:
      throw InputError(printable(file_ + ": " + name_ + ": is missing"), printable(name_));
    case Found::dataset:
      break;
    default:
      fail("is not a dataset");
  }
  // Rows go straight from the file into the caller's memory; only filtered chunks need a cache,
  // or each one would be decompressed for every frame that touches it.
  const Handle direct(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  H5Pset_chunk_cache(direct, 1, 0, 1.0);
  handle_ =
      checked(H5Dopen2(file, name_.c_str(), direct), H5Dclose, file_, name_, "cannot be opened");
  const Handle creation(H5Dget_create_plist(handle_), H5Pclose);
  if (H5Pget_nfilters(creation) > 0) {
    expansion_ = kDeflateExpansion;
    handle_.reset();
    handle_ = checked(H5Dopen2(file, name_.c_str(), H5P_DEFAULT), H5Dclose, file_, name_,
                      "cannot be opened");
  }
  const Handle type(H5Dget_type(handle_), H5Tclose);
  const Handle space(H5Dget_space(handle_), H5Sclose);
  if (!type.valid() || !space.valid() || H5Sget_simple_extent_type(space) == H5S_NULL)
    fail("has no type or no shape");
  element_ = element_of(type);
  shape_ = shape_of(space);
  row_bytes_ = H5Tget_size(type);
  bool sensible = row_bytes_ > 0;
  for (std::size_t i = 1; i < shape_.size(); ++i)
    sensible = sensible && !__builtin_mul_overflow(row_bytes_, shape_[i], &row_bytes_);
  if (!sensible) fail("declares an impossible shape " + describe(shape_));
  stored_ = H5Dget_storage_size(handle_);
  const std::uint64_t bytes = file.bytes();
  if (stored_ > bytes)
    fail("declares " + std::to_string(stored_) + " stored bytes in a file of " +
         std::to_string(bytes));
}

void Dataset::expect(Element element, const std::vector<hsize_t>& width) const {
  if (element_ != element)
    fail("holds " + std::string(describe(element_)) + ", expected " +
         std::string(describe(element)));
  if (shape_.size() != width.size() + 1 ||
      !std::equal(width.begin(), width.end(), shape_.begin() + 1)) {
    std::string wanted = "(rows";
    for (hsize_t w : width) wanted += ", " + std::to_string(w);
    fail("has shape " + describe(shape_) + ", expected " + wanted + ")");
  }
}

void Dataset::expect_scalar(Element element) const {
  if (element_ != element)
    fail("holds " + std::string(describe(element_)) + ", expected " +
         std::string(describe(element)));
  if (!shape_.empty()) fail("has shape " + describe(shape_) + ", expected a scalar");
}

hsize_t Dataset::warranted_rows() const {
  hsize_t there = 0;
  if (__builtin_mul_overflow(stored_, expansion_, &there)) there = stored_;
  return row_bytes_ ? there / row_bytes_ : rows();
}

void Dataset::warrant(hsize_t rows) const {
  if (rows > warranted_rows())
    fail("stores " + std::to_string(stored_) + " bytes, too few for " + std::to_string(rows) +
         (rows == 1 ? " row" : " rows"));
}

void Dataset::read(hsize_t first, hsize_t rows, hid_t memory_type, void* out) const {
  const Handle space(H5Dget_space(handle_), H5Sclose);
  Handle memory;
  if (!shape_.empty()) {
    std::vector<hsize_t> start(shape_.size(), 0), count = shape_;
    start[0] = first;
    count[0] = rows;
    memory =
        Handle(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
    checked(
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
        file_, name_, "does not have these rows");
  }
  checked(H5Dread(handle_, memory_type, memory.valid() ? memory : hid_t{H5S_ALL},
                  shape_.empty() ? hid_t{H5S_ALL} : space, H5P_DEFAULT, out),
          file_, name_, "cannot be read");
}

std::vector<std::string> read_strings(const File& file, const std::string& name) {
  const Dataset data(file, name);
  if (data.shape().empty())
    data.expect_scalar(Element::text);
  else
    data.expect(Element::text, {});
  data.warrant(data.rows());
  if (data.rows() == 0) return {};
  const Handle type(H5Dget_type(data), H5Tclose), space(H5Dget_space(data), H5Sclose);
  return texts(file.path(), name, type, space, static_cast<std::size_t>(data.rows()),
               [&](hid_t memory, void* out) {
                 return H5Dread(data, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
               });
}

bool read_attribute(const File& file, const std::string& name, const std::string& attribute,
                    std::string& value) {
  const Handle handle = open_attribute(file, name, attribute);
  if (!handle.valid()) return false;
  const Handle type(H5Aget_type(handle), H5Tclose), space(H5Aget_space(handle), H5Sclose);
  if (element_of(type) != Element::text || H5Sget_simple_extent_npoints(space) != 1)
    fail(file.path(), name, "attribute " + attribute + " is not a text");
  value = texts(file.path(), name, type, space, 1, [&](hid_t memory, void* out) {
            return H5Aread(handle, memory, out);
          }).front();
  return true;
}

bool read_attribute(const File& file, const std::string& name, const std::string& attribute,
                    std::int64_t& value) {
  const Handle handle = open_attribute(file, name, attribute);
  if (!handle.valid()) return false;
  const Handle type(H5Aget_type(handle), H5Tclose), space(H5Aget_space(handle), H5Sclose);
  if (element_of(type) != Element::integer || H5Sget_simple_extent_npoints(space) != 1)
    fail(file.path(), name, "attribute " + attribute + " is not a signed integer");
  checked(H5Aread(handle, H5T_NATIVE_INT64, &value), file.path(), name,
          "attribute " + attribute + " cannot be read");
  return true;
}

void write_attribute(const File& file, const std::string& name, const std::string& attribute,
                     const std::string& value) {
  const Handle type = text_type(value.size());
  // An empty text is stored as one NUL: HDF5 knows no text of length 0.
  write_attribute(file, name, attribute, type, type, value.c_str());
}

void write_attribute(const File& file, const std::string& name, const std::string& attribute,
                     std::int64_t value) {
  write_attribute(file, name, attribute, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void make_group(const File& file, const std::string& name) {
  if (find(file, name) == Found::group) return;
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  checked(H5Gcreate2(file, absolute(name).c_str(), links, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
          file.path(), name, "cannot be created");
}

void write(const File& file, const std::string& name, const std::vector<hsize_t>& shape,
           hid_t memory_type, hid_t file_type, const void* values) {
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  const Handle space(shape.empty()
                         ? H5Screate(H5S_SCALAR)
                         : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                     H5Sclose);
  const Handle data = checked(
      H5Dcreate2(file, absolute(name).c_str(), file_type, space, links, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose, file.path(), name, "cannot be created");
  if (H5Sget_simple_extent_npoints(space) > 0)
    checked(H5Dwrite(data, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), file.path(), name,
            "cannot be written");
}

void write_strings(const File& file, const std::string& name,
                   const std::vector<std::string>& values) {
  std::size_t size = 1;
  for (const std::string& v : values) size = std::max(size, v.size());
  std::vector<char> buffer(size * values.size(), '\0');
  for (std::size_t i = 0; i < values.size(); ++i)
    std::copy(values[i].begin(), values[i].end(), buffer.begin() + static_cast<long>(i * size));
  const Handle type = text_type(size);
  write(file, name, {values.size()}, type, type, buffer.data());
}

}  // namespace perpend::io::h5
