#include "perpend/capture/dart.hpp"

namespace perpend::capture {

DartFile::DartFile(const std::string& path, const std::string& scene)
    : DartRecorder([this](DartStep& step) { writer_.put(std::move(step.record)); }),
      writer_(path, dart_header(scene)) {}

DartFile::~DartFile() { stop(); }

void DartFile::close() {
  stop();
  writer_.close();
}

}  // namespace perpend::capture
