#include "perpend/capture/bullet.hpp"

namespace perpend::capture {

BulletFile::BulletFile(const std::string& path, const std::string& scene)
    : BulletRecorder([this](BulletStep& step) { writer_.put(std::move(step.record)); }, false),
      writer_(path, bullet_header(scene)) {}

BulletFile::~BulletFile() = default;

}  // namespace perpend::capture
