// Reads and writes the frames layout: the hierarchy of Lu et al. 2013, Figure 3, one group per
// frame.
//
// Columns a frame lacks are left out; single numbers are scalars.
#include <cstdio>

#include "io/file_columns.hpp"
#include "io/layouts.hpp"
#include "perpend/io/files.hpp"

namespace perpend::io {
namespace {

class FramesLayout final : public Layout {
 public:
  FramesLayout(const h5::File& file, const Header& header, const Complain& complain)
      : file_(file),
        stepper_(header.stepper),
        version_(header.format_version),
        answerers_(header.answerers) {
    attempt(complain, [&] {
      // Members that are there, not the number that the group claims.
      frames_ = static_cast<Index>(h5::members(file, "/frames").size());
    });
    for (Index frame = 0; frame < frames_; ++frame)
      attempt(complain, [&] {
        if (h5::find(file, frame_group(frame)) != h5::Found::group)
          h5::fail(file.path(), frame_group(frame),
                   "is missing, but /frames has " + std::to_string(frames_) + " members");
      });
  }

  std::string_view name() const override { return "frames"; }
  Index frames() const override { return frames_; }

  FrameCounts counts(Index frame) const override {
    const std::string group = group_of(frame) + "/";
    const auto rows = [&](const char* column) {
      return static_cast<std::int64_t>(h5::Dataset(file_, group + column).rows());
    };
    return {rows("bodies/masses"), rows("constraints/pairs"), rows("constraints/violation"),
            rows("contacts/gap")};
  }

  Record read(Index frame) const override {
    const std::string group = group_of(frame);
    const FrameCounts counted = counts(frame);
    Counts expected{};
    expected.fill(-1);
    expected[static_cast<std::size_t>(Count::body)] = counted.bodies;
    expected[static_cast<std::size_t>(Count::joint)] = counted.joints;
    expected[static_cast<std::size_t>(Count::joint_row)] = counted.joint_rows;
    expected[static_cast<std::size_t>(Count::contact)] = counted.contacts;
    const std::string where = file_.path() + ": frame " + std::to_string(frame);
    Record record;
    record.frame.stepper = stepper_;
    for (const Column& column : columns()) {
      if (column.optional() && h5::find(file_, group + column.path()) == h5::Found::nothing) {
        if (column.count != Count::frame) column.resize(record, 0);
        continue;
      }
      const h5::Dataset data(file_, group + column.path());
      if (column.since() > version_)
        data.fail("needs format_version " + std::to_string(column.since()) + ", the file says " +
                  std::to_string(version_));
      const h5::Element element =
          column.type == Type::float64 ? h5::Element::real : h5::Element::integer;
      if (column.count == Count::frame)
        data.expect_scalar(element);
      else
        data.expect(element, width(column));
      data.warrant(data.rows());
      const Index rows = static_cast<Index>(data.rows());
      if (column.count != Count::frame) {
        std::int64_t& count = expected[static_cast<std::size_t>(column.count)];
        if (count < 0) count = rows;
        if (rows != count)
          data.fail("has " + std::to_string(rows) + " rows, expected " + std::to_string(count));
      }
      std::int64_t place = -1;
      void* out = column.type == Type::answerer ? &place : column.resize(record, rows);
      if (rows) data.read(0, data.rows(), memory_type(column.type), out);
      if (column.type == Type::answerer) name_answerer(record.answer, place, answerers_, where);
    }
    finish_reading(record, stepper_, where);
    return record;
  }

 private:
  std::string group_of(Index frame) const {
    if (frame < 0 || frame >= frames_)
      h5::fail(
          file_.path(), "",
          "has no frame " + std::to_string(frame) + " (it has " + std::to_string(frames_) + ")");
    return frame_group(frame);
  }

  const h5::File& file_;
  Stepper stepper_;
  std::int64_t version_;
  std::vector<std::string> answerers_;
  Index frames_ = 0;
};

void write_frame(const h5::File& file, Index frame, const Record& record, const Header& header) {
  const std::string group = frame_group(frame);
  const std::string where = file.path() + ": frame " + std::to_string(frame);
  expect_version(header, record, where);
  const std::int64_t answerer = place_of_answerer(record.answer, header.answerers, where);
  for (const Column& column : columns()) {
    if (lacks(column, record, header.stepper)) continue;
    const Column::View view = column.view(record);
    const void* values = column.type == Type::answerer ? &answerer : view.data;
    Integers ids;
    if (column.type == Type::body_id) {
      ids = ids_of_pairs(record, where, column);
      values = ids.data();
    }
    std::vector<hsize_t> shape;
    if (column.count != Count::frame) {
      shape = width(column);
      shape.insert(shape.begin(), static_cast<hsize_t>(view.rows));
    }
    h5::write(file, group + column.path(), shape, memory_type(column.type), file_type(column.type),
              values);
  }
}

}  // namespace

std::string frame_group(Index frame) {
  std::array<char, 40> text;
  std::snprintf(text.data(), text.size(), "/frames/%06lld", static_cast<long long>(frame));
  return text.data();
}

std::unique_ptr<Layout> open_frames_layout(const h5::File& file, const Header& header,
                                           const Complain& complain) {
  return std::make_unique<FramesLayout>(file, header, complain);
}

void write_frames_layout(const FrameReader& reader, const std::string& path) {
  const h5::Silence quiet;
  OutputFile replacement(path, OutputFile::Content::hdf5);
  {
    h5::File file = h5::File::create(replacement.path(), false, path);
    // Attributes end at 64 KiB here: a long scene stays behind, and with it how to make it again.
    constexpr std::size_t kLongest = 60000;
    Header header = reader.header();
    if (header.scene_json.size() > kLongest) header.simulate.clear();
    write_header(file, header);
    h5::make_group(file, "/frames");
    for (Index frame = 0; frame < reader.frames(); ++frame)
      write_frame(file, frame, reader.read(frame), header);
    // What belongs to the file, and solutions, are stored alike in both layouts.
    write_file_columns(file, reader.model(), reader.events());
    const h5::File source = h5::File::open(reader.path());
    if (h5::find(source, "/solutions") == h5::Found::group &&
        H5Ocopy(source, "/solutions", file, "/solutions", H5P_DEFAULT, H5P_DEFAULT) < 0)
      h5::fail(path, "/solutions", "cannot be copied (" + h5::reason() + ")");
    file.finish();
  }
  replacement.commit();
}

}  // namespace perpend::io
