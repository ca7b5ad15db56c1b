#include "capture/outlet.hpp"
#include "perpend/capture/bullet.hpp"

namespace perpend::capture::from_bullet {

BulletFile::BulletFile(const std::string& path, const std::string& scene)
    : RecordedFile(path, bullet_header(scene)), BulletRecorder(outlet_to(writer_)) {}

}  // namespace perpend::capture::from_bullet
