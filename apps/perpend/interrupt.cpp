#include "interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

#include "command.hpp"
#include "perpend/io/files.hpp"

namespace perpend::app {
namespace {

// A signal handler can reach nothing but globals.
std::atomic<int> seen = 0, times = 0;  // the first signal, and how many there were
std::atomic<Patience> patience = Patience::none;
std::atomic<bool> unfinished_set = false;
std::atomic<AtEnd> at_end = AtEnd::nothing;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<AtEnd>::is_always_lock_free);
char unfinished[4096], recording[4096], recording_target[4096];
pid_t self = 0;  // children that were forked off leave our files alone

void leave() {
  if (getpid() != self) return;
  if (unfinished_set) unlink(unfinished);
  if (at_end == AtEnd::remove) unlink(recording);
  if (at_end == AtEnd::rename) rename(recording, recording_target);
}

void on_interrupt(int signal) {
  int none = 0;
  seen.compare_exchange_strong(none, signal);
  ++times;
  if (patience == Patience::always || (patience == Patience::once && times == 1)) return;
  leave();
  _exit(128 + seen);
}

// With the handler gone the same signal ends the program, as it would have.
void on_crash(int signal) {
  leave();
  raise(signal);
}

void install(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

// The file to be removed when a signal ends the program at once; empty: none.
void remember(const std::string& path) {
  unfinished_set = false;
  if (path.empty() || path.size() >= sizeof unfinished) return;
  std::memcpy(unfinished, path.c_str(), path.size() + 1);
  unfinished_set = true;
}

}  // namespace

void catch_interrupts() {
  self = getpid();
  // Reading and writing go on as if nothing had happened.
  for (const int signal : {SIGINT, SIGTERM}) install(signal, on_interrupt, SA_RESTART);
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) install(SIGHUP, on_interrupt, SA_RESTART);  // as nohup wants it
  install(SIGXFSZ, SIG_IGN, 0);  // a file beyond the limit of its size is an error like any other
}

bool interrupted() { return seen != 0; }
bool impatient() { return times > 1; }
int stop_signal() { return seen == 0 ? SIGINT : seen.load(); }
std::string stopped_by() {
  return stop_signal() == SIGINT ? "Ctrl-C" : stop_signal() == SIGTERM ? "SIGTERM" : "SIGHUP";
}

Patient::Patient(Patience how) : before_(patience.exchange(how)) {}
Patient::~Patient() { patience = before_; }

int Relay::next() {
  if (told_ == 0 && interrupted()) {
    told_ = 1;
    return stop_signal();
  }
  if (told_ == 1 && impatient()) {
    told_ = 2;
    return SIGKILL;
  }
  return 0;
}

void leave_at_end(const std::string& path, const std::string& target, AtEnd what) {
  at_end = AtEnd::nothing;
  const bool fits = path.size() < sizeof recording && target.size() < sizeof recording_target;
  recording[0] = '\0';
  if (fits) {
    std::memcpy(recording, path.c_str(), path.size() + 1);
    std::memcpy(recording_target, target.c_str(), target.size() + 1);
    at_end = what;
  }
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT, SIGPIPE, SIGXCPU})
    path.empty() ? install(signal, SIG_DFL, 0)
                 : install(signal, on_crash, static_cast<int>(SA_RESETHAND | SA_NODEFER));
}
void leave_at_end(AtEnd what) {
  if (recording[0] != '\0') at_end = what;
}

UnfinishedFile::UnfinishedFile(const std::string& path) {
  if (unfinished_set) before_ = unfinished;
  if (!path.empty()) remember(path);
}

UnfinishedFile::~UnfinishedFile() { remember(before_); }

void check_target(const std::string& path) { io::plain_target(path); }

}  // namespace perpend::app
