#include "perpend/capture/bullet.hpp"

namespace perpend::capture {

BulletFile::BulletFile(const std::string& path, const std::string& scene)
    : BulletRecorder(Outlet{[this](RecordedStep step) { writer_.put(std::move(step.gathered)); },
                            [this] { return writer_.emptied(); }}),
      writer_(path, bullet_header(scene)) {}

BulletFile::~BulletFile() = default;

}  // namespace perpend::capture
