#include "perpend/capture/dart.hpp"

namespace perpend::capture::from_dart {

DartFile::DartFile(const std::string& path, const std::string& scene)
    : RecordedFile(path, dart_header(scene)),
      DartRecorder([this](DartStep& step) { writer_.put(std::move(step.record)); }) {}

DartFile::~DartFile() { stop(); }

void DartFile::close() {
  stop();
  RecordedFile::close();
}

}  // namespace perpend::capture::from_dart
