#include <ctime>

#include "perpend/capture/ode.hpp"

namespace perpend::capture {
namespace {

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&time, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace

std::string ode_version() { return dODE_VERSION; }

io::Header ode_header(const std::string& scene) {
  io::Header header;
  header.engine = "ode";
  header.engine_version = ode_version();
  header.scalar_bytes = sizeof(dReal);
  header.scene = scene;
  header.created = now();
  header.friction_model = "box";
  header.omitted =
      "gaps above zero; contact ids; sleeping bodies; iterations and residual of dWorldStep; rows "
      "of contacts that were not told and of joints other than ball, hinge, slider, universal, "
      "fixed and angular motor (their forces count as external); the cap of a body's angular "
      "speed; the seed of QuickStep's random order";
  return header;
}

OdeFile::OdeFile(const std::string& path, dWorldID world, dSpaceID space, const std::string& scene)
    : OdeRecorder(world, space, [this](OdeStep& step) { write(step.record); }),
      writer_(path, ode_header(scene), 1024) {}

OdeFile::~OdeFile() = default;

void OdeFile::write(const io::Record& record) {
  if (!error_.empty()) return;
  try {
    writer_.append(record);
  } catch (const io::InputError& error) {
    error_ = error.what();
  }
}

void OdeFile::close() {
  if (!error_.empty()) throw io::InputError(error_);
  writer_.close();
}

}  // namespace perpend::capture
