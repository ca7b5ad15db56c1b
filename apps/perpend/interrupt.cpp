#include "interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "command.hpp"
#include "perpend/io/files.hpp"

namespace perpend::app {
namespace {

// A signal handler can reach nothing but globals.
std::atomic<bool> seen = false;
std::atomic<bool> patient = false;
std::atomic<bool> unfinished_set = false;
static_assert(std::atomic<bool>::is_always_lock_free);
char unfinished[4096];

void on_interrupt(int) {
  if (patient && !seen.exchange(true)) return;
  if (unfinished_set) unlink(unfinished);
  _exit(kInterrupted);
}

// The file to be removed when Ctrl-C ends the program at once; empty: none.
void remember(const std::string& path) {
  unfinished_set = false;
  if (path.empty() || path.size() >= sizeof unfinished) return;
  std::memcpy(unfinished, path.c_str(), path.size() + 1);
  unfinished_set = true;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // reading and writing go on as if nothing had happened
  sigaction(SIGINT, &action, nullptr);
}

bool interrupted() { return seen; }

Patient::Patient() { patient = true; }
Patient::~Patient() { patient = false; }

Unfinished::Unfinished(const std::string& path) {
  if (unfinished_set) before_ = unfinished;
  if (!path.empty()) remember(path);
}

Unfinished::~Unfinished() { remember(before_); }

void check_target(const std::string& path) { io::plain_target(path); }

NewFile::NewFile(std::string target) : target_(std::move(target)) {
  check_target(target_);
  path_ = target_ + ".part-" + std::to_string(getpid());
  if (unfinished_set) before_ = unfinished;
  remember(path_);
}

NewFile::~NewFile() {
  remember(before_);
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove(path_, ignored);
}

std::string NewFile::about_target(std::string complaint) const {
  for (std::size_t at = 0; (at = complaint.find(path_, at)) != std::string::npos;)
    complaint.replace(at, path_.size(), target_);
  return complaint;
}

void NewFile::commit() {
  std::error_code error;
  std::filesystem::rename(path_, target_, error);
  if (error) throw UsageError(target_ + ": cannot be written: " + error.message());
  path_.clear();
}

}  // namespace perpend::app
