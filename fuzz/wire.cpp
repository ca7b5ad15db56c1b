// Any bytes between two processes of ours. The first byte chooses: one message of each kind as
// somebody may have written it, or a stream of messages as perpend-peers receives it. What is taken
// can be sent on, and a peer gets nothing whose sizes disagree.
//
// About: src/peers/wire.cpp src/peers/channel.cpp src/peers/serve.cpp
#include <sys/socket.h>

#include "input.hpp"
#include "peers/channel.hpp"
#include "peers/serve.hpp"

namespace perpend::fuzz {
namespace {

using namespace peers;

template <class Type>
void message(std::span<const std::byte> bytes) {
  Type value;
  if (!from_bytes(bytes, value)) return;
  const Bytes written = to_bytes(value);
  Type again;
  require(from_bytes(written, again) && to_bytes(again) == written);
}

class Reader final : public Host {
 public:
  explicit Reader(const Task& task) : task_(task) {}
  Answer solve(const Call& call) override {
    Answer answer;
    answer.x = task_.A * call.start + call.b;
    for (std::size_t i = 0; i < task_.bound_by.size(); ++i)
      if (const Index by = task_.bound_by[i]; by >= 0 && call.lower.size() > 0)
        answer.x[static_cast<Index>(i)] += call.start[by] * call.upper[static_cast<Index>(i)];
    return answer;
  }

 private:
  Task task_;
};

void stream(const std::uint8_t* data, std::size_t size) {
  int ends[2];
  require(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  const bool sent = write_all(ends[0], data, size);
  shutdown(ends[0], SHUT_WR);
  if (sent) serve(ends[1], [](const Task& task) { return std::make_unique<Reader>(task); });
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace perpend::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perpend;
  if (size == 0 || size > 65536) return 0;  // what a socket holds without a reader
  const std::span bytes = std::as_bytes(std::span(data, size)).subspan(1);
  switch (data[0] % 9) {
    case 0:
      fuzz::message<System>(bytes);
      break;
    case 1:
      fuzz::message<peers::Request>(bytes);
      break;
    case 2:
      fuzz::message<Result>(bytes);
      break;
    case 3:
      fuzz::message<peers::Task>(bytes);
      break;
    case 4:
      fuzz::message<peers::Call>(bytes);
      break;
    case 5:
      fuzz::message<peers::Answer>(bytes);
      break;
    case 7:
      fuzz::message<peers::PythonTable>(bytes);
      break;
    case 8:
      fuzz::message<peers::PythonStep>(bytes);
      break;
    default:
      fuzz::stream(data + 1, size - 1);
  }
  return 0;
}
