// A program like perpend-peers whose only solvers do what peers do when they are at their worst.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <limits>

#include "peers/serve.hpp"

namespace perpend::peers {
namespace {

constexpr useconds_t kSlow = 200000;  // us
constexpr double kOwn = 0x1p-30;      // s, less than any call takes

class Misbehaving final : public Host {
 public:
  explicit Misbehaving(std::string how) : how_(std::move(how)) {
    if (how_ == "ncp/slow-to-translate") ::usleep(kSlow);
  }

  Answer solve(const Call& call) override {
    if (how_ == "ncp/crash") ::raise(SIGSEGV);
    if (how_ == "ncp/abort") std::abort();
    if (how_ == "ncp/exit") std::exit(17);
    while (how_ == "ncp/hang" || (how_ == "ncp/sometimes" && call.b[0] < 0)) ::sleep(1);
    if (how_ == "ncp/print") std::puts("this must not be seen");
    Answer answer;
    if (how_ == "ncp/slow-to-translate" || how_ == "ncp/quick") answer.seconds = kOwn;
    if (how_ == "ncp/boasts") answer.seconds = 1e9;
    if (how_ == "ncp/no-time") answer.seconds = std::numeric_limits<double>::quiet_NaN();
    answer.x = VectorXd::Zero(call.b.size());
    answer.solved = how_ != "ncp/fail";
    answer.remark = how_ == "ncp/fail" ? "no pivot" : "";
    if (how_ == "ncp/nan") answer.x.setConstant(std::numeric_limits<double>::quiet_NaN());
    if (how_ == "ncp/short") answer.x.conservativeResize(call.b.size() - 1);
    return answer;
  }

 private:
  std::string how_;
};

}  // namespace
}  // namespace perpend::peers

int main(int argc, char** argv) {
  using namespace perpend::peers;
  return serve(argc, argv, [](const Task& task) -> std::unique_ptr<Host> {
    if (task.peer == "ncp/stranger") return nullptr;
    return std::make_unique<Misbehaving>(task.peer);
  });
}
