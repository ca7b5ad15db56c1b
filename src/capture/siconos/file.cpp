#include "capture/siconos/file.hpp"

#include "capture/siconos/record.hpp"

namespace perpend::capture::from_siconos {

struct StepFile::Work {
  Writer writer;
  std::string error;
};

StepFile::StepFile(const std::string& path, const std::string& scene) {
  WriterOptions options;
  options.measure = measure_siconos;
  work_.reset(new Work{Writer(path, siconos_header(scene), options), {}});
}

StepFile::~StepFile() = default;

void StepFile::put(SiconosStep& step) {
  if (!work_->error.empty()) return;
  try {
    work_->writer.put(step_record(std::move(step)));
  } catch (const io::InputError& why) {
    work_->error = why.what();
  }
}

std::string StepFile::error() const {
  return work_->error.empty() ? work_->writer.error() : work_->error;
}

void StepFile::close() {
  if (!work_->error.empty()) throw std::runtime_error(work_->error);
  work_->writer.close();
}

}  // namespace perpend::capture::from_siconos
