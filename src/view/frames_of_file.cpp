#include <filesystem>

#include "perpend/io/files.hpp"
#include "view/frames.hpp"
#include "view/scratch.hpp"

namespace perpend::view {
namespace {

std::string one_frame_file(io::Header header, const io::Record& record) {
  header.simulate.clear();  // one frame is no run
  header.state_hash.clear();
  const ScratchFile file;
  {
    io::FrameWriter writer(file.path(), header, 64);
    writer.append(record);
    writer.close();
  }
  return io::read_text(file.path());
}

class FileFrames final : public Frames {
 public:
  explicit FileFrames(const std::string& path) : reader_(path) {
    if (reader_.frames() == 0) throw io::InputError(path + ": has no frames");
  }
  const std::string& path() const override { return reader_.path(); }
  const io::Header& header() const override { return reader_.header(); }
  io::ModelColumns model() const override { return reader_.model(); }
  Index count() const override { return reader_.frames(); }
  std::int64_t number(Index frame) const override { return frame; }
  io::Record read(Index frame) const override { return reader_.read(frame); }
  std::vector<double> times() const override { return reader_.numbers("time"); }
  std::vector<double> errors() const override { return reader_.numbers("solution/velocity_error"); }
  bool writes_files() const override { return true; }
  std::string standard_file(const io::Record& record) const override {
    return one_frame_file(reader_.header(), record);
  }

 private:
  io::FrameReader reader_;
};

io::LoadedRecording load_lines(const std::string& path) {
  std::ifstream text(path, std::ios::binary);
  if (!text) throw io::InputError(path + ": cannot be opened");
  return io::load_json_lines(text, path);
}

}  // namespace

std::unique_ptr<Frames> frames_of_file(const std::string& path) {
  if (io::kind_of(path) == io::Kind::json_lines) return frames_in_memory(load_lines(path));
  return std::make_unique<FileFrames>(path);
}

io::LoadedRecording load_recording(const std::string& path, const std::vector<Index>* frames) {
  io::LoadedRecording out;
  if (io::kind_of(path) == io::Kind::json_lines) {
    out = load_lines(path);
    if (frames) {
      std::vector<io::Record> kept;
      for (const Index frame : *frames)
        kept.push_back(std::move(out.records.at(static_cast<std::size_t>(frame))));
      out.records = std::move(kept);
      out.numbers.assign(frames->begin(), frames->end());
    }
  } else {
    const FileFrames file(path);
    out.header = file.header();
    out.model = file.model();
    for (Index k = 0; k < (frames ? static_cast<Index>(frames->size()) : file.count()); ++k) {
      const Index frame = frames ? (*frames)[static_cast<std::size_t>(k)] : k;
      out.numbers.push_back(frame);
      out.records.push_back(file.read(frame));
    }
  }
  out.name = std::filesystem::path(path).filename().string();
  return out;
}

}  // namespace perpend::view
