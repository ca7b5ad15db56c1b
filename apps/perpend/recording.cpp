#include "recording.hpp"

#include <filesystem>

#include "interrupt.hpp"

namespace perpend::app {
namespace {

std::string counted(Index frames) {
  return std::to_string(frames) + (frames == 1 ? " frame" : " frames");
}

}  // namespace

Recording::Recording(const std::string& target, Writer writer) : name_(target), file_(target) {
  part_ = file_.path();
  leave_at_end(part_, file_.target(), writer == Writer::here ? AtEnd::remove : AtEnd::nothing);
}

Recording::~Recording() { leave_at_end({}, {}, AtEnd::nothing); }

void Recording::has_frames() { leave_at_end(AtEnd::rename); }

std::string Recording::end() {
  try {
    ended_ = file_.end();
  } catch (const io::InputError& error) {
    return error.what();
  }
  if (ended_.frames == 0) return "no frame was recorded";
  return name_ + " has " + counted(ended_.frames);
}

std::string Recording::about_target(std::string complaint) const {
  for (std::size_t at = 0; (at = complaint.find(part_, at)) != std::string::npos;)
    complaint.replace(at, part_.size(), name_);
  return complaint;
}

std::string found_recording(const std::string& name, const std::vector<io::LeftPart>& parts,
                            const Globals& globals) {
  std::error_code ignored;
  const bool there = std::filesystem::exists(name, ignored);
  std::string found = name;
  for (const io::LeftPart& part : parts) {
    if (part.frames == 0) continue;
    const bool taken = !there && found == name;
    note(globals, (taken ? name + " does not exist, but " : std::string()) + part.path + " has " +
                      counted(part.frames) +
                      (part.writing ? " and is being written"
                                    : " of a recording that was killed; perpend repair " + name +
                                          (taken ? " renames it" : " repairs it")));
    if (taken) found = part.path;
  }
  return found;
}

}  // namespace perpend::app
