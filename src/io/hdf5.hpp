// A thin layer over HDF5's C API: handles that close themselves, reads that check first.
//
// Every failure becomes an InputError "FILE: /dataset: reason", one line. Nothing is allocated
// before the declared shape has been held against what the file really stores (Dataset::warrant).
// Foreign files are opened only after probe() (probe.hpp) has survived them in a child process.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "perpend/io.hpp"

namespace perpend::io::h5 {

// Keeps HDF5 from printing its error stack while it lives. Every entry point holds one.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept;
  ~Handle() { reset(); }
  // Closes now; false when HDF5 could not (unwritten data, for instance).
  bool reset();
  bool valid() const { return id_ >= 0; }
  operator hid_t() const { return id_; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

// What HDF5's error stack says, innermost entry; call it right after the failing function.
std::string reason();

// Throws InputError "FILE: /name: what".
[[noreturn]] void fail(const std::string& file, std::string_view name, std::string_view what);

class File {
 public:
  File() = default;
  File(File&&) noexcept = default;
  File& operator=(File&& other) noexcept {
    close();  // the file before its driver
    path_ = std::move(other.path_);
    called_ = std::move(other.called_);
    driver_ = std::move(other.driver_);
    handle_ = std::move(other.handle_);
    swmr_ = other.swmr_;
    return *this;
  }
  // Read only. A file whose writer was killed, or is still at work, opens as an SWMR reader.
  static File open(const std::string& path);
  // Files that are written are guarded against a full disk (guarded_driver.hpp).
  // `called`: the name messages use, where `path` is a temporary.
  static File open_for_writing(const std::string& path, const std::string& called = {});
  // Truncates what was there. `latest`: the newest file format, which SWMR needs.
  static File create(const std::string& path, bool latest, const std::string& called = {});

  const std::string& path() const { return called_; }  // as messages name it
  std::uint64_t bytes() const;                         // size of the file now
  bool unclosed() const { return swmr_; }  // its writer left a mark: killed, or still at work
  bool close() {
    const bool closed = handle_.reset();
    driver_.reset();
    return closed;
  }
  // Closes a file that was written, or throws when not all of it is on the disk.
  void finish();
  operator hid_t() const { return handle_; }

 private:
  File(const std::string& path, const std::string& called)
      : path_(path), called_(called.empty() ? path : called) {}

  std::string path_, called_;
  Handle driver_;  // of a guarded file; given up after it was closed
  Handle handle_;
  bool swmr_ = false;
};

// Held by whoever writes a file with SWMR, where HDF5 itself gives up its lock: readers may come, a
// second writer may not (File::create and open_for_writing refuse it).
class WriterLock {
 public:
  explicit WriterLock(const std::string& path);
  ~WriterLock();
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

 private:
  int descriptor_;
};

enum class Element { real, integer, text, other };
enum class Found { nothing, group, dataset, other };

// What a path inside the file leads to; links that lead nowhere are `nothing`.
Found find(const File&, const std::string& name);
// Names of the links in a group, sorted.
std::vector<std::string> members(const File&, const std::string& group);

class Dataset {
 public:
  Dataset() = default;
  Dataset(const File&, const std::string& name);  // throws when it is not there

  bool valid() const { return handle_.valid(); }
  const std::string& name() const { return name_; }
  const std::vector<hsize_t>& shape() const { return shape_; }
  hsize_t rows() const { return shape_.empty() ? 1 : shape_[0]; }
  Element element() const { return element_; }
  hsize_t row_bytes() const { return row_bytes_; }  // in the file
  hsize_t stored_bytes() const { return stored_; }  // really allocated in the file
  operator hid_t() const { return handle_; }

  // Element as expected, and shape (any number of rows, width...). Throws what is wrong.
  void expect(Element, const std::vector<hsize_t>& width) const;
  // The same for a scalar.
  void expect_scalar(Element) const;
  // The most rows the bytes stored in the file can hold, and a refusal when that is not enough.
  hsize_t warranted_rows() const;
  void warrant(hsize_t rows) const;
  // Rows [first, first + rows) into `out`. Precondition: expect() and warrant() have passed.
  void read(hsize_t first, hsize_t rows, hid_t memory_type, void* out) const;
  [[noreturn]] void fail(std::string_view what) const { h5::fail(file_, name_, what); }

 private:
  std::string file_, name_;
  Handle handle_;
  std::vector<hsize_t> shape_;
  Element element_ = Element::other;
  hsize_t row_bytes_ = 0, stored_ = 0, expansion_ = 1;
};

std::string_view describe(Element);
std::string describe(const std::vector<hsize_t>& shape);

template <class T>
hid_t memory_type();
template <>
inline hid_t memory_type<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
inline hid_t memory_type<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
inline hid_t memory_type<std::int8_t>() {
  return H5T_NATIVE_INT8;
}

// A whole dataset of real or integer numbers with these columns, checked and read.
template <class T>
std::vector<T> read_all(const File& file, const std::string& name,
                        const std::vector<hsize_t>& width = {}) {
  const Dataset data(file, name);
  data.expect(std::is_floating_point_v<T> ? Element::real : Element::integer, width);
  data.warrant(data.rows());
  std::size_t size = static_cast<std::size_t>(data.rows());
  for (hsize_t w : width) size *= static_cast<std::size_t>(w);
  std::vector<T> values(size);
  if (size) data.read(0, data.rows(), memory_type<T>(), values.data());
  return values;
}
// One number, stored as a scalar or as a dataset of a single element.
template <class T>
T read_scalar(const File& file, const std::string& name) {
  const Dataset data(file, name);
  if (data.shape().empty()) {
    data.expect_scalar(std::is_floating_point_v<T> ? Element::real : Element::integer);
  } else {
    data.expect(std::is_floating_point_v<T> ? Element::real : Element::integer, {});
    if (data.rows() != 1) data.fail("has " + std::to_string(data.rows()) + " rows, expected 1");
  }
  data.warrant(1);
  T value{};
  data.read(0, 1, memory_type<T>(), &value);
  return value;
}
// A dataset of strings, or a scalar one (fixed or variable length), at most 64 kB each.
std::vector<std::string> read_strings(const File&, const std::string& name);

// Attributes of the object `name`. Absent: false and `value` untouched; wrong type: throws.
bool read_attribute(const File&, const std::string& name, const std::string& attribute,
                    std::string& value);
bool read_attribute(const File&, const std::string& name, const std::string& attribute,
                    std::int64_t& value);
void write_attribute(const File&, const std::string& name, const std::string& attribute,
                     const std::string& value);
void write_attribute(const File&, const std::string& name, const std::string& attribute,
                     std::int64_t value);

// Missing groups on the way are made. An empty shape is a scalar.
void make_group(const File&, const std::string& name);
void write(const File&, const std::string& name, const std::vector<hsize_t>& shape,
           hid_t memory_type, hid_t file_type, const void* values);
void write_strings(const File&, const std::string& name, const std::vector<std::string>& values);
template <class T>
void write(const File& file, const std::string& name, const std::vector<hsize_t>& shape,
           const T* values) {
  const hid_t on_disk = std::is_same_v<T, double>         ? H5T_IEEE_F64LE
                        : std::is_same_v<T, std::int64_t> ? H5T_STD_I64LE
                                                          : H5T_STD_I8LE;
  write(file, name, shape, memory_type<T>(), on_disk, values);
}

}  // namespace perpend::io::h5
