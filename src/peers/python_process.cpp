#include "peers/python_process.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

namespace perpend::peers {
namespace {

// `-m perpend.worker` without the current folder, which may hold something of that name.
constexpr const char* kStart =
    "import sys; sys.path[:] = [folder for folder in sys.path if folder]; "
    "from perpend.worker import main; sys.exit(main(sys.argv[1:]))";
constexpr double kReady = 60;  // s until the file has been read: it may import much

std::string python() {
  const char* named = std::getenv("PERPEND_PYTHON");
  return named ? named : "/usr/bin/python3";
}

// Where `import perpend` is: beside this program where it was built, else where Python looks.
std::string python_path() {
  const std::string built = host::program_folder() + "/../python";
  const char* before = std::getenv("PYTHONPATH");
  std::string rest = before ? before : "";
  if (::access((built + "/perpend/worker.py").c_str(), R_OK) != 0) return rest;
  return rest.empty() ? built : built + ":" + rest;
}

}  // namespace

PythonProcess::~PythonProcess() { end(true); }

PythonTable PythonProcess::begin(const Waiting::Stop& stop) {
  PythonTable table;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    table.refused = "no socket";
    return table;
  }
  host::Environment environment({{"OPENBLAS_NUM_THREADS", "1"},
                                 {"OMP_NUM_THREADS", "1"},
                                 {"PYTHONDONTWRITEBYTECODE", "1"},
                                 {"PYTHONPATH", python_path()}});
  const int failed = child_.start({python(), "-c", kStart, file_, std::to_string(::getpid())},
                                  environment, ends[1], STDERR_FILENO);
  ::close(ends[1]);
  channel_ = ends[0];
  Bytes bytes;
  Waiting waiting(kReady, stop);
  if (failed != 0)
    table.refused = "needs " + python() + ", which cannot be started";
  else if (!receive(Message::python_table, bytes, waiting) || !from_bytes(bytes, table))
    table.refused = python() +
                    " -m perpend.worker ended: " + end(waiting.late() || waiting.stopped()) +
                    " (is the package python3-perpend installed?)";
  if (failed != 0) {
    ::close(channel_);
    channel_ = -1;
  }
  return table;
}

bool PythonProcess::send(Message message, const Bytes& bytes, Waiting& waiting) {
  return child_.runs() && peers::send(channel_, message, bytes, &waiting);
}

bool PythonProcess::receive(Message wanted, Bytes& bytes, Waiting& waiting) {
  Message message;
  return child_.runs() && peers::receive(channel_, message, bytes, &waiting) && message == wanted;
}

std::string PythonProcess::end(bool by_force) {
  host::ExitStatus how;
  if (!child_.runs()) return {};
  ::close(channel_);
  channel_ = -1;
  for (int i = 0; i < 500 && !by_force && !child_.ended(how); ++i) ::usleep(1000);
  if (child_.runs()) how = child_.kill();
  return how.words();
}

PythonProcesses::PythonProcesses(std::string file) : file_(std::move(file)), owner_(::getpid()) {}

// They are the parent's, to speak to and to end.
void PythonProcesses::forget_those_of_the_parent() {
  if (owner_ == ::getpid()) return;
  for (auto& one : waiting_) static_cast<void>(one.release());
  waiting_.clear();
  owner_ = ::getpid();
}

std::unique_ptr<PythonProcess> PythonProcesses::take(std::string& why, const Waiting::Stop& stop) {
  {
    const std::lock_guard lock(lock_);
    forget_those_of_the_parent();
    if (!waiting_.empty()) {
      auto one = std::move(waiting_.back());
      waiting_.pop_back();
      return one;
    }
  }
  auto one = std::make_unique<PythonProcess>(file_);
  why = one->begin(stop).refused;
  if (!why.empty()) one.reset();
  return one;
}

void PythonProcesses::give(std::unique_ptr<PythonProcess> one) {
  const std::lock_guard lock(lock_);
  forget_those_of_the_parent();
  waiting_.push_back(std::move(one));
}

}  // namespace perpend::peers
