#include "io/hdf5_types.hpp"

namespace perpend::io {
namespace {

// Texts of these lengths, of UTF-8; HDF5 frees them at its end. They are declared as bytes, because
// Octave reads no file with a dataset of the other kind.
hid_t fixed_text_type(Type type) {
  static const auto make = [](std::size_t size) {
    const hid_t made = H5Tcopy(H5T_C_S1);
    H5Tset_size(made, size);
    H5Tset_strpad(made, H5T_STR_NULLPAD);
    return made;
  };
  static const hid_t kName = make(bytes(Type::name)), kEvent = make(bytes(Type::event));
  return type == Type::name ? kName : kEvent;
}

}  // namespace

hid_t file_type(Type type) {
  if (is_text(type)) return fixed_text_type(type);
  return type == Type::float64 ? H5T_IEEE_F64LE : bytes(type) == 1 ? H5T_STD_I8LE : H5T_STD_I64LE;
}

hid_t memory_type(Type type) {
  if (is_text(type)) return fixed_text_type(type);
  return type == Type::float64 ? H5T_NATIVE_DOUBLE
         : bytes(type) == 1    ? H5T_NATIVE_INT8
                               : H5T_NATIVE_INT64;
}

std::vector<hsize_t> width(const Column& column) {
  std::vector<hsize_t> numbers;
  for (int w : column.width)
    if (w > 0) numbers.push_back(static_cast<hsize_t>(w));
  return numbers;
}

}  // namespace perpend::io
