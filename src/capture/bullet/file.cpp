#include <ctime>

#include "perpend/bullet.hpp"
#include "perpend/capture/bullet.hpp"

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

io::Header bullet_header(const std::string& scene) {
  io::Header header;
  header.engine = "bullet";
  header.engine_version = bullet::version();
  header.scalar_bytes = sizeof(btScalar);
  header.scene = scene;
  header.created = now();
  header.friction_model = "box";
  header.omitted =
      "sleeping bodies; fixed bodies that nothing touches; impulses of rolling and spinning "
      "friction; push of the split impulse (it moves positions only); contact ids; factors that "
      "lock axes of a body; impulses the solver started from";
  return header;
}

BulletFile::BulletFile(const std::string& path, const std::string& scene)
    : BulletRecorder([this](BulletStep& step) { write(step.record); }),
      writer_(path, bullet_header(scene), 1024) {}

BulletFile::~BulletFile() = default;

void BulletFile::write(const io::Record& record) {
  if (!error_.empty()) return;
  try {
    writer_.append(record);
  } catch (const io::InputError& error) {
    error_ = error.what();
  }
}

void BulletFile::close() {
  if (!error_.empty()) throw io::InputError(error_);
  writer_.close();
}

}  // namespace perpend::capture
