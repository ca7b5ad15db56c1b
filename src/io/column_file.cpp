// A plain HDF5 file of named columns: what other rooms keep as numbers and texts.
#include "io/hdf5.hpp"
#include "io/probe.hpp"
#include "perpend/io.hpp"
#include "perpend/io/files.hpp"

namespace perpend::io {
namespace {

constexpr int kDeepest = 8;  // groups within groups: a file that links to itself ends here

void read_group(const h5::File& file, const std::string& group, int depth, ColumnFile& into) {
  if (depth > kDeepest) h5::fail(file.path(), group, "groups are nested too deeply");
  for (const std::string& member : h5::members(file, group.empty() ? "/" : group)) {
    std::string name = group;
    name += "/" + member;
    const h5::Found found = h5::find(file, name);
    if (found == h5::Found::group) read_group(file, name, depth + 1, into);
    if (found != h5::Found::dataset) continue;
    switch (h5::Dataset(file, name).element()) {
      case h5::Element::real:
        into.columns[name] = h5::read_all<double>(file, name);
        break;
      case h5::Element::integer:
        into.columns[name] = h5::read_all<std::int64_t>(file, name);
        break;
      case h5::Element::text:
        into.columns[name] = h5::read_strings(file, name);
        break;
      case h5::Element::other:
        h5::fail(file.path(), name, "is neither numbers nor texts");
    }
  }
}

}  // namespace

void write_columns(const ColumnFile& content, const std::string& path) {
  const h5::Silence silence;
  OutputFile replacement(path, OutputFile::Content::hdf5);
  h5::File file = h5::File::create(replacement.path(), false, path);
  h5::write_attribute(file, "/", "format", content.format);
  h5::write_attribute(file, "/", "format_version", content.version);
  for (const auto& [name, column] : content.columns) {
    if (const auto* reals = std::get_if<std::vector<double>>(&column))
      h5::write(file, name, {reals->size()}, reals->data());
    else if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&column))
      h5::write(file, name, {whole->size()}, whole->data());
    else
      h5::write_strings(file, name, std::get<std::vector<std::string>>(column));
  }
  file.finish();
  replacement.commit();
}

ColumnFile read_columns(const std::string& path, const std::string& format) {
  probe(path);
  const h5::Silence silence;
  const h5::File file = h5::File::open(path);
  ColumnFile content;
  if (!h5::read_attribute(file, "/", "format", content.format) || content.format != format)
    h5::fail(path, "/", "attribute format is not \"" + format + "\"");
  h5::read_attribute(file, "/", "format_version", content.version);
  read_group(file, "", 0, content);
  return content;
}

}  // namespace perpend::io
