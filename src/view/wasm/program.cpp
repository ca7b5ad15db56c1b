// The program inside a page, as WebAssembly: what worker.js calls. Recordings are opened one after
// the other; then messages of src/view/messages.inc go in, and those that answer them wait to be
// taken.
#include <deque>
#include <sstream>

#include "view/answerer.hpp"

namespace {

using namespace perpend;
using namespace perpend::view;

std::vector<std::unique_ptr<Recording>> opened;
std::unique_ptr<Answerer> answerer;
std::deque<Bytes> waiting;
Bytes taken;

void put(Answerer::Answers answers) {
  for (Bytes& one : answers) waiting.push_back(std::move(one));
}

// 0: it failed, and a notice says why.
int tried(const auto& act) {
  try {
    return act();
  } catch (const std::bad_alloc&) {
    waiting.push_back(complaint("out of memory"));
  } catch (const std::exception& error) {
    waiting.push_back(complaint(error.what()));
  }
  return 0;
}

int open_recording(io::LoadedRecording recording) {
  opened.push_back(std::make_unique<Recording>(frames_in_memory(std::move(recording))));
  return 1;
}

std::string text(const char* from, std::size_t size) { return std::string(from, size); }

}  // namespace

extern "C" {

// Bytes of io::pack(). Both return 0 when that fails.
int perpend_open_packed(const char* bytes, std::size_t size) {
  return tried([&] {
    return open_recording(io::unpack(std::string_view(bytes, size), "the recording in this page"));
  });
}

// Frames as JSON lines (docs/json.md), from a file of this name.
int perpend_open_lines(const char* lines, std::size_t size, const char* name,
                       std::size_t name_size) {
  return tried([&] {
    std::istringstream stream(text(lines, size));
    return open_recording(io::load_json_lines(stream, text(name, name_size)));
  });
}

// Begins: what a page hears first, of all that was opened.
int perpend_join() {
  return tried([&] {
    if (opened.empty() && !answerer) throw io::InputError("no recording is open");
    if (!opened.empty()) answerer = std::make_unique<Answerer>(std::exchange(opened, {}));
    put(answerer->joined());
    return 1;
  });
}

int perpend_hear(const std::uint8_t* message, std::size_t size) {
  return tried([&] {
    if (!answerer) throw io::InputError("no recording is open");
    put(answerer->heard(message, size));
    return 1;
  });
}

// Something that nobody asked for; 0: there is nothing left.
int perpend_look_ahead() {
  return tried([&] {
    bool more = false;
    if (answerer) put(answerer->look_ahead(more));
    return more ? 1 : 0;
  });
}

// Takes the next answer; its size, 0: there is none.
std::size_t perpend_take() {
  if (waiting.empty()) return 0;
  taken = std::move(waiting.front());
  waiting.pop_front();
  return taken.size();
}
const std::uint8_t* perpend_taken() { return taken.data(); }

}  // extern "C"
