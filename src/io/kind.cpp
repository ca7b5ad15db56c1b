// What a file holds, by its content: HDF5's signature and then our `format` attribute or FCLIB's
// groups; for JSON the fields of the first object.
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "io/hdf5.hpp"
#include "io/probe.hpp"
#include "perpend/io.hpp"

namespace perpend::io {
namespace {

using Json = nlohmann::json;

// HDF5's superblock may follow a user block: it starts at byte 0, 512, 1024, 2048, ...
bool has_hdf5_signature(std::ifstream& file, std::uintmax_t bytes) {
  constexpr std::array<char, 8> kSignature{'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  for (std::uintmax_t at = 0; at + kSignature.size() <= bytes; at = at ? 2 * at : 512) {
    std::array<char, 8> found{};
    file.seekg(static_cast<std::streamoff>(at));
    if (!file.read(found.data(), found.size())) break;
    if (found == kSignature) return true;
  }
  file.clear();
  return false;
}

// Walks the first object and stops at the field that tells a scene or a raw problem from a frame.
class FirstObject final : public nlohmann::json_sax<Json> {
 public:
  Kind kind = Kind::json_lines;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return ++depth_ > 0; }
  bool key(string_t& name) override {
    if (depth_ == 1 && (name == "type" || name == "A")) kind = Kind::raw_problem;
    if (depth_ == 1 && name == "format") kind = Kind::scene;
    return kind == Kind::json_lines;
  }
  bool end_object() override { return --depth_ > 0; }
  bool start_array(std::size_t) override { return ++depth_ > 0; }
  bool end_array() override { return --depth_ > 0; }
  // Broken JSON is told by the reader of the kind it seems to be, with its line.
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override {
    return false;
  }

 private:
  long depth_ = 0;
};

Kind hdf5_kind(const std::string& path) {
  probe(path);
  const h5::Silence silence;
  const h5::File file = h5::File::open(path);
  std::string format;
  if (h5::read_attribute(file, "/", "format", format)) {
    if (format == "perpend") return Kind::standard;
    throw InputError(path + ": attribute format is not \"perpend\"");
  }
  if (h5::find(file, "/fclib_local") == h5::Found::group ||
      h5::find(file, "/fclib_global") == h5::Found::group)
    return Kind::fclib;
  throw InputError(path + ": HDF5, but neither attribute format nor /fclib_local nor " +
                   "/fclib_global is there");
}

}  // namespace

Kind kind_of(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    throw InputError(path + ": no such file");
  if (std::filesystem::is_directory(status)) throw InputError(path + ": is a directory");
  if (!std::filesystem::is_regular_file(status)) throw InputError(path + ": is not a plain file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path + ": cannot be opened");
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (bytes == 0) throw InputError(path + ": is empty");
  if (has_hdf5_signature(file, bytes)) return hdf5_kind(path);

  file.seekg(0);
  char first = 0;
  while (file.get(first)) {
    if (std::strchr(" \t\r\n", first)) continue;
    if (first != '#') break;
    while (file.get(first) && first != '\n') {
    }
  }
  if (!file || first != '{')
    throw InputError(path + ": neither HDF5 nor JSON that starts with an object");
  file.unget();
  FirstObject object;
  Json::sax_parse(file, &object, Json::input_format_t::json, false);
  return object.kind;
}

}  // namespace perpend::io
