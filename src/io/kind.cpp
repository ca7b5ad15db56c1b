// What a file holds, by its content: HDF5's signature and then our `format` attribute or FCLIB's
// groups; for JSON the fields of the first object.
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>

#include "io/json_fields.hpp"
#include "io/json_walk.hpp"
#include "io/layouts.hpp"
#include "io/open_file.hpp"
#include "io/probe.hpp"
#include "perpend/io.hpp"
#include "perpend/io/files.hpp"

namespace perpend::io {
namespace {

constexpr std::size_t kLongestFormat = 60;

// HDF5's superblock may follow a user block: it starts at byte 0, 512, 1024, 2048, ...
bool has_hdf5_signature(std::ifstream& file, std::uint64_t bytes) {
  constexpr std::array<char, 8> kSignature{'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  for (std::uint64_t at = 0; at + kSignature.size() <= bytes; at = at ? 2 * at : 512) {
    std::array<char, 8> found{};
    file.seekg(static_cast<std::streamoff>(at));
    if (!file.read(found.data(), found.size())) break;
    if (found == kSignature) return true;
  }
  file.clear();
  return false;
}

// Walks the first object and stops at the field that tells a scene or a raw problem from a frame.
// Broken JSON is told by the reader of the kind it seems to be, with its line.
class FirstObject final : public JsonWalk {
 public:
  Kind kind = Kind::json_lines;
  std::string foreign;  // a format of others

  bool start_object(std::size_t) override { return ++depth_ > 0; }
  bool key(string_t& name) override {
    if (depth_ == 1 && (name == "type" || name == "A")) kind = Kind::raw_problem;
    format_ = depth_ == 1 && name == "format";
    return kind == Kind::json_lines;
  }
  bool string(string_t& value) override {
    if (!format_) return true;
    if (value == kSceneFormat)
      kind = Kind::scene;
    else
      foreign = value;
    return false;
  }
  bool end_object() override { return --depth_ > 0; }
  bool start_array(std::size_t) override { return ++depth_ > 0; }
  bool end_array() override { return --depth_ > 0; }

 private:
  long depth_ = 0;
  bool format_ = false;  // the value that follows is the format
};

Kind hdf5_kind(const h5::File& file) {
  const std::string& path = file.path();
  std::string format;
  if (h5::read_attribute(file, "/", "format", format)) {
    if (format == "perpend") return Kind::standard;
    if (format == "perpend-results")
      throw InputError(path +
                       ": holds results of perpend bench, not frames (report, compare and merge "
                       "take its folder)");
    throw InputError(path + ": attribute format is not \"perpend\"");
  }
  if (h5::find(file, "/fclib_local") == h5::Found::group ||
      h5::find(file, "/fclib_global") == h5::Found::group)
    return Kind::fclib;
  if (bare(file)) return Kind::standard;
  throw InputError(path + ": is an HDF5 file of an unknown kind: it has neither the attribute " +
                   "format nor /fclib_local nor /fclib_global");
}

Kind text_kind(std::ifstream& file, const std::string& path) {
  file.seekg(0);
  char first = 0;
  while (file.get(first)) {
    if (std::strchr(" \t\r\n", first)) continue;
    if (first != '#') break;
    while (file.get(first) && first != '\n') {
    }
  }
  if (!file || first != '{') {
    if (const auto found = engine_file_at(path)) throw InputError(path + ": " + found->words);
    throw InputError(path + ": neither HDF5 nor JSON that starts with an object");
  }
  file.unget();
  using Characters = std::istreambuf_iterator<char>;
  using Beginning = JsonText<Characters>;  // as much of it as one document may have
  FirstObject object;
  std::uint64_t taken = 0;
  Json::sax_parse(Beginning(Characters(file), Characters(), kLongestDocument, taken), Beginning(),
                  &object, Json::input_format_t::json, false);
  if (!object.foreign.empty())
    throw InputError(path + ": its format is \"" +
                     printable(std::string_view(object.foreign).substr(0, kLongestFormat)) +
                     "\"; a scene has \"" + kSceneFormat + "\", and frames have no format");
  return object.kind;
}

}  // namespace

OpenFile::OpenFile(const std::string& path) : handle_(std::make_unique<Handle>()) {
  Handle& open = *handle_;
  open.path = path;
  const std::uint64_t bytes = plain_size(path);
  open.text.open(path, std::ios::binary);
  if (!open.text) throw InputError(path + ": cannot be opened");
  if (bytes == 0) throw InputError(path + ": is empty");
  if (has_hdf5_signature(open.text, bytes)) {
    open.text.close();
    probe(path);
    const h5::Silence silence;
    open.hdf5 = h5::File::open(path);
    open.kind = hdf5_kind(open.hdf5);
    return;
  }
  if (bytes > kLongestLines)
    throw InputError(path + ": has " + std::to_string(bytes >> 20) +
                     " MiB; the limit for files that are not HDF5 is " +
                     std::to_string(kLongestLines >> 20) + " MiB");
  open.kind = text_kind(open.text, path);
  open.text.clear();
  open.text.seekg(0);
}
OpenFile::OpenFile(OpenFile&&) noexcept = default;
OpenFile::~OpenFile() = default;

Kind OpenFile::kind() const { return handle_->kind; }
Kind kind_of(const std::string& path) { return OpenFile(path).kind(); }

}  // namespace perpend::io
