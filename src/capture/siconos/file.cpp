// The file of a Siconos program. Its header is C++17, this file is not.
#include "perpend/capture/siconos/file.hpp"

#include "capture/siconos/record.hpp"
#include "capture/siconos/world.hpp"
#include "perpend/capture/siconos/engine.hpp"

namespace perpend::capture {

struct SiconosFile::Work {
  Writer writer;
  std::string error;
};

SiconosFile::SiconosFile(const std::string& path, const std::string& scene) {
  io::Header header = siconos_header();
  header.engine_version = siconos_version();
  header.scene = scene;
  header.created = timestamp();
  header.answerers = siconos_solvers();
  WriterOptions options;
  options.measure = measure_siconos;
  work_.reset(new Work{Writer(path, header, options), {}});
}

SiconosFile::~SiconosFile() {
  if (last_) last_();
}

void SiconosFile::put(SiconosStep& step) {
  if (!work_->error.empty()) return;
  try {
    work_->writer.put(gathered(std::move(step)));
  } catch (const io::InputError& why) {
    work_->error = why.what();
  }
}

std::string SiconosFile::error() const {
  return work_->error.empty() ? work_->writer.error() : work_->error;
}

void SiconosFile::close() {
  if (last_) last_();
  if (!work_->error.empty()) throw std::runtime_error(work_->error);
  work_->writer.close();
}

}  // namespace perpend::capture
