#include "perpend/capture/ode.hpp"

namespace perpend::capture {

OdeFile::OdeFile(const std::string& path, dWorldID world, dSpaceID space, const std::string& scene)
    : OdeRecorder(world, space,
                  Outlet{[this](RecordedStep step) { writer_.put(std::move(step.gathered)); },
                         [this] { return writer_.emptied(); }}),
      writer_(path, ode_header(scene)) {}

OdeFile::~OdeFile() = default;

}  // namespace perpend::capture
