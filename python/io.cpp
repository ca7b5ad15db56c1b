// Files.
#include <filesystem>

#include "bindings.hpp"
#include "perpend/io/columns.hpp"
#include "perpend/io/files.hpp"

namespace perpend::python {
namespace {

// The frames of a file, read one at a time.
struct FileObject {
  std::string path;
  io::Kind kind;
  std::shared_ptr<io::FrameReader> standard;
  std::shared_ptr<io::JsonLines> lines;
  std::shared_ptr<io::FclibProblem> fclib;

  Index frames() const {
    return standard ? standard->frames() : lines ? lines->frames() : fclib ? 1 : 0;
  }
};

FileObject open(const std::filesystem::path& named) {
  const std::string path = named;
  io::OpenFile file(path);
  FileObject opened{path, file.kind(), nullptr, nullptr, nullptr};
  switch (opened.kind) {
    case io::Kind::standard:
      opened.standard = std::make_shared<io::FrameReader>(std::move(file));
      break;
    case io::Kind::json_lines:
      opened.lines = std::make_shared<io::JsonLines>(std::move(file));
      break;
    case io::Kind::fclib:
      opened.fclib = std::make_shared<io::FclibProblem>(io::read_fclib(std::move(file)));
      break;
    default:
      throw io::InputError(path + ": is a " + std::string(name(opened.kind)) +
                           ", which has no frames");
  }
  return opened;
}

py::object frame_of(const FileObject& file, Index i) {
  const Index count = file.frames();
  const Index at = i < 0 ? i + count : i;
  if (at < 0 || at >= count)
    throw py::index_error(file.path + " has " + std::to_string(count) + " frames, no frame " +
                          std::to_string(i));
  if (file.fclib) return py::cast(SystemObject{std::make_shared<System>(file.fclib->system)});
  auto frame = std::make_shared<FrameObject>();
  *frame->record = file.standard ? file.standard->read(at) : file.lines->read(at);
  frame->where = file.path + ": frame " + std::to_string(at);
  return py::cast(frame);
}

py::dict header(const FileObject& file) {
  py::dict all;
  if (!file.standard) return all;
  const io::Header& h = file.standard->header();
  all["engine"] = h.engine;
  all["engine_version"] = h.engine_version;
  all["scene"] = h.scene;
  all["created"] = h.created;
  all["friction_model"] = h.friction_model;
  all["omitted"] = h.omitted;
  all["units"] = h.units;
  all["stepper"] = std::string(name(h.stepper));
  all["format_version"] = file.standard->format_version();
  all["layout"] = std::string(file.standard->layout());
  all["state_hash"] = h.state_hash;
  return all;
}

// A recording that is written frame by frame; it is there under its name when it is closed.
class WriterObject {
 public:
  WriterObject(const std::filesystem::path& path, const std::string& engine,
               const std::string& version, const std::string& scene, const std::string& omitted,
               std::int64_t format_version)
      : path_(path), part_(std::make_unique<io::PartFile>(path_)) {
    header_.engine = engine;
    header_.engine_version = version;
    header_.scene = scene;
    header_.omitted = omitted;
    header_.created = timestamp();
    header_.format_version = format_version;
  }
  void append(const FrameObject& frame) {
    if (!part_) throw io::InputError("the recording is closed");
    io::Record& record = *frame.record;
    expect_valid(frame);
    if (!writer_) {
      header_.stepper = record.frame.stepper;
      if (!record.answer.answered.empty()) header_.answerers = {record.answer.answered};
      writer_ = std::make_unique<io::FrameWriter>(part_->path(), header_, 256);
    }
    try {
      writer_->append(record);
    } catch (const io::InputError& error) {  // about the file that was asked for
      std::string words = error.what();
      if (const std::size_t at = words.find(part_->path()); at != std::string::npos)
        words.replace(at, part_->path().size(), path_);
      throw io::InputError(words);
    }
    ++frames_;
  }
  Index frames() const { return frames_; }
  void close() {
    if (!part_) return;
    if (!writer_) writer_ = std::make_unique<io::FrameWriter>(part_->path(), header_, 64);
    writer_->close();
    part_->commit();
    part_.reset();
  }
  void drop() {  // what failed: the frames are kept, as those of any writer that ends early
    writer_.reset();
    part_.reset();
  }

 private:
  std::string path_;
  io::Header header_;
  std::unique_ptr<io::PartFile> part_;
  std::unique_ptr<io::FrameWriter> writer_;
  Index frames_ = 0;
};

}  // namespace

void bind_io(py::module_& m) {
  py::register_exception<io::InputError>(m, "InputError", PyExc_ValueError).doc() =
      "Bad data: one line with the file and the field, as on the command line.";

  py::class_<FileObject>(m, "File", "The frames of a file, read one at a time.")
      .def_readonly("path", &FileObject::path)
      .def_property_readonly(
          "kind", [](const FileObject& f) { return std::string(io::name(f.kind)); },
          "perpend, json-lines or fclib")
      .def_property_readonly("header", &header, "engine, scene, units and so on, as a dict")
      .def_property_readonly(
          "solutions",
          [](const FileObject& f) {
            return f.standard ? f.standard->solutions() : std::vector<std::string>();
          },
          "names of the solutions that `perpend solve --out` has added")
      .def("__len__", &FileObject::frames)
      .def("__getitem__", &frame_of, py::arg("frame"))
      .def("__getitem__",
           [](const FileObject& file, const py::slice& part) {
             py::ssize_t start = 0, stop = 0, step = 0, count = 0;
             if (!part.compute(file.frames(), &start, &stop, &step, &count))
               throw py::error_already_set();
             py::list frames;
             for (; count > 0; --count, start += step) frames.append(frame_of(file, start));
             return frames;
           })
      .def("__repr__", [](const FileObject& f) {
        return "<" + std::string(io::name(f.kind)) + " file " + f.path + ", " +
               std::to_string(f.frames()) + (f.frames() == 1 ? " frame>" : " frames>");
      });
  m.def("open", &open, py::arg("path"),
        "A file of frames: the standard file, JSON lines, or FCLIB (which has one System).");
  m.def(
      "kind_of",
      [](const std::filesystem::path& path) { return std::string(io::name(io::kind_of(path))); },
      py::arg("path"), "perpend, json-lines, fclib, raw-problem or scene.");
  m.def(
      "validate", [](const std::filesystem::path& path) { return io::validate(path); },
      py::arg("path"), "Everything that is wrong with a standard file.");
  m.def(
      "repair", [](const std::filesystem::path& path) { return io::repair(path); }, py::arg("path"),
      "Repairs the file of a writer that was killed. Returns its number of frames.");
  m.def("_write_json_lines",
        [](const std::vector<std::shared_ptr<FrameObject>>& frames, const std::string& path) {
          std::vector<io::Record> records;
          records.reserve(frames.size());
          for (const auto& frame : frames) {
            expect_valid(*frame);
            records.push_back(*frame->record);
          }
          io::write_json_lines(records, path);
        });
  m.def(
      "write_fclib",
      [](py::handle frame, const std::filesystem::path& path, bool global,
         const std::string& title) { io::write_fclib(*system_of(frame), path, global, title); },
      py::arg("frame"), py::arg("path"), py::arg("global_") = false, py::arg("title") = "",
      "Writes the system of a frame as FCLIB, `global_` with masses and Jacobian.");
  py::class_<WriterObject>(m, "_Writer")
      .def(py::init<const std::filesystem::path&, const std::string&, const std::string&,
                    const std::string&, const std::string&, std::int64_t>(),
           py::arg("path"), py::arg("engine"), py::arg("version"), py::arg("scene"),
           py::arg("omitted"), py::arg("format_version"))
      .def("append", &WriterObject::append, py::arg("frame"))
      .def_property_readonly("frames", &WriterObject::frames)
      .def("close", &WriterObject::close)
      .def("drop", &WriterObject::drop);
}

}  // namespace perpend::python
