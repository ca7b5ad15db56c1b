#include "perpend/capture.hpp"

namespace perpend::capture {

struct Writer::Work {
  io::FrameWriter file;
  WriterOptions options;
  std::string error;

  void write(io::Record& record) {
    try {
      if (options.measure) options.measure(record);
      file.append(record);
      if (options.written) options.written(record);
    } catch (const io::InputError& why) {
      error = why.what();
    }
  }
};

Writer::Writer(const std::string& path, const io::Header& header, WriterOptions options)
    : work_(new Work{io::FrameWriter(path, header, 1024), std::move(options), {}}) {}

Writer::~Writer() = default;

void Writer::put(io::Record record) {
  if (work_->error.empty()) work_->write(record);
}

std::string Writer::error() const { return work_->error; }

void Writer::close(const std::string& state_hash) {
  if (!work_->error.empty()) throw io::InputError(work_->error);
  state_hash.empty() ? work_->file.close() : work_->file.close(state_hash);
}

}  // namespace perpend::capture
