// FrameReader: the root attributes, the choice of layout, and the frames.
#include <algorithm>
#include <limits>
#include <sstream>

#include "io/file_columns.hpp"
#include "io/layouts.hpp"
#include "io/open_file.hpp"
#include "io/probe.hpp"

namespace perpend::io {

void attempt(const Complain& complain, const std::function<void()>& check) {
  try {
    check();
  } catch (const InputError& error) {
    complain(error);
  }
}

bool bare(const h5::File& file) {
  for (const char* needed : {"format", "format_version", "stepper"})
    if (H5Aexists(file, needed) > 0) return false;
  return h5::find(file, "/frames/offsets") == h5::Found::dataset;
}

Header read_header(const h5::File& file, std::int64_t& version, const Complain& complain) {
  Header header;
  if (bare(file)) {
    version = 1;
    for (const Column& column : columns())
      if (column.since() > version && h5::find(file, column.path()) == h5::Found::dataset)
        version = column.since();
    header.format_version = version;
    return header;
  }
  const auto refuse = [&](const std::string& what) { h5::fail(file.path(), "", what); };
  // Without these two nothing else can be understood: they are thrown, whoever asks.
  std::string format;
  if (!h5::read_attribute(file, "/", "format", format) || format != "perpend")
    refuse("not a standard file: its attribute format is not \"perpend\"");
  if (!h5::read_attribute(file, "/", "format_version", version))
    refuse("attribute format_version is missing");
  if (version < 1 || version > kFormatVersion)
    refuse("attribute format_version is " + std::to_string(version) + ", this program reads 1 to " +
           std::to_string(kFormatVersion));
  header.format_version = version;
  for (const auto& list : {attributes(), recipe_attributes()})
    for (const Attribute& attribute : list)
      attempt(complain, [&] {
        std::string& text = header.*attribute.text;
        text.clear();
        h5::read_attribute(file, "/", std::string(attribute.name), text);
      });
  attempt(complain, [&] {
    if (!header.units.empty() && header.units != "SI") refuse("attribute units is not \"SI\"");
  });
  attempt(complain, [&] {
    header.scalar_bytes = 8;
    h5::read_attribute(file, "/", "scalar_bytes", header.scalar_bytes);
  });
  attempt(complain, [&] {
    std::string names;
    if (!h5::read_attribute(file, "/", "answerers", names)) return;
    std::istringstream lines(names);
    for (std::string line; std::getline(lines, line);) header.answerers.push_back(line);
  });
  attempt(complain, [&] {
    std::string stepper;
    if (!h5::read_attribute(file, "/", "stepper", stepper)) refuse("attribute stepper is missing");
    if (stepper != name(Stepper::st) && stepper != name(Stepper::ap))
      refuse("attribute stepper is neither \"st\" nor \"ap\"");
    header.stepper = stepper == name(Stepper::ap) ? Stepper::ap : Stepper::st;
  });
  return header;
}

void write_header(const h5::File& file, const Header& header) {
  h5::write_attribute(file, "/", "format", std::string("perpend"));
  h5::write_attribute(file, "/", "format_version", header.format_version);
  for (const Attribute& attribute : attributes())
    h5::write_attribute(file, "/", std::string(attribute.name), header.*attribute.text);
  if (!header.simulate.empty())  // the hash too: what is created later is lost with the process
    for (const Attribute& attribute : recipe_attributes())
      h5::write_attribute(file, "/", std::string(attribute.name), header.*attribute.text);
  if (!header.answerers.empty()) {
    std::string names;
    for (const std::string& one : header.answerers) {
      if (one.empty() || one.find('\n') != std::string::npos)
        h5::fail(file.path(), "", "attribute answerers: a name is empty or has two lines");
      names += (names.empty() ? "" : "\n") + one;
    }
    h5::write_attribute(file, "/", "answerers", names);
  }
  h5::write_attribute(file, "/", "scalar_bytes", header.scalar_bytes);
  h5::write_attribute(file, "/", "stepper", std::string(name(header.stepper)));
}

std::unique_ptr<Layout> open_layout(const h5::File& file, const Header& header,
                                    const Complain& complain) {
  if (h5::find(file, "/frames") != h5::Found::group)
    h5::fail(file.path(), "/frames", "is missing or not a group");
  return h5::find(file, "/frames/offsets") == h5::Found::nothing
             ? open_frames_layout(file, header, complain)
             : open_columns_layout(file, header, complain);
}

void finish_reading(Record& record, Stepper stepper, const std::string& where) {
  for (const Column& column : columns())
    if (column.type == Type::body_id)
      indices_of_pairs(
          record.frame.bodies,
          column.count == Count::joint ? record.frame.joints.pairs : record.frame.contacts.pairs,
          where, column);
  record.answer.iterations = std::max<std::int64_t>(record.answer.iterations, -1);
  Stepper& own = record.frame.stepper;
  if (static_cast<std::int8_t>(own) < 0) own = stepper;
  if (own != Stepper::st && own != Stepper::ap)
    throw InputError(where + ": /stepper: is neither 0 (st) nor 1 (ap)");
}

struct FrameReader::File {
  h5::File file;
  std::int64_t version = 0;
  Header header;
  std::unique_ptr<Layout> layout;

  explicit File(h5::File open)
      : file(std::move(open)),
        header(read_header(file, version, throw_it)),
        layout(open_layout(file, header, throw_it)) {}
};

FrameReader::FrameReader(const std::string& path) {
  const h5::Silence quiet;
  probe(path);
  file_ = std::make_unique<File>(h5::File::open(path));
}
FrameReader::FrameReader(OpenFile open) {
  const h5::Silence quiet;
  file_ = std::make_unique<File>(std::move(open.handle().hdf5));
}
FrameReader::FrameReader(FrameReader&&) noexcept = default;
FrameReader::~FrameReader() = default;

const std::string& FrameReader::path() const { return file_->file.path(); }
const Header& FrameReader::header() const { return file_->header; }
std::int64_t FrameReader::format_version() const { return file_->version; }
std::string_view FrameReader::layout() const { return file_->layout->name(); }
Index FrameReader::frames() const { return file_->layout->frames(); }

FrameCounts FrameReader::counts(Index frame) const {
  const h5::Silence quiet;
  return file_->layout->counts(frame);
}

Record FrameReader::read(Index frame) const {
  const h5::Silence quiet;
  return file_->layout->read(frame);
}

std::vector<double> FrameReader::numbers(std::string_view name) const {
  const h5::Silence quiet;
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> out(static_cast<std::size_t>(frames()), kNaN);
  for (const Column& column : columns()) {
    if (column.name != name || column.count != Count::frame || column.type != Type::float64)
      continue;
    if (file_->layout->name() == "frames") {
      for (Index frame = 0; frame < frames(); ++frame) {
        const std::string path = frame_group(frame) + column.path();
        if (h5::find(file_->file, path) != h5::Found::nothing)
          out[static_cast<std::size_t>(frame)] = h5::read_scalar<double>(file_->file, path);
      }
    } else if (h5::find(file_->file, column.path()) != h5::Found::nothing) {
      const h5::Dataset data(file_->file, column.path());
      data.expect(h5::Element::real, {});
      const hsize_t rows = std::min<hsize_t>(data.rows(), out.size());
      if (rows > 0 && data.warranted_rows() >= rows)
        data.read(0, rows, H5T_NATIVE_DOUBLE, out.data());
    }
  }
  return out;
}

ModelColumns FrameReader::model() const {
  const h5::Silence quiet;
  return read_model(file_->file);
}

std::vector<std::string> FrameReader::events() const {
  const h5::Silence quiet;
  return read_events(file_->file);
}

std::vector<std::string> FrameReader::solutions() const {
  const h5::Silence quiet;
  return stored_solutions(file_->file);
}

}  // namespace perpend::io
