#include "capture/outlet.hpp"
#include "perpend/capture/ode.hpp"

namespace perpend::capture::from_ode {

OdeFile::OdeFile(const std::string& path, dWorldID world, dSpaceID space, const std::string& scene)
    : RecordedFile(path, ode_header(scene)), OdeRecorder(world, space, outlet_to(writer_)) {}

}  // namespace perpend::capture::from_ode
