// Threads and child processes. The core library does not use them.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "perpend/base.hpp"

namespace perpend {

// Shares the items of a loop among `threads` threads, including the calling one. If items throw,
// the caller gets the exception of the lowest item.
class ThreadPool final : public Executor {
 public:
  explicit ThreadPool(int threads);
  ~ThreadPool() override;
  int workers() const override;
  void for_each(std::ptrdiff_t count,
                const std::function<void(std::ptrdiff_t i, int worker)>& item) override;

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

namespace host {

// Processor time used so far by this thread, or by all threads of the process, in s.
double cpu_seconds(bool all_threads);

// The folder of the running program, without a slash at the end. Empty if unknown.
std::string program_folder();

// The program of this name on the PATH. Empty: there is none.
std::string program_on_path(const std::string& name);

// The environment of a child process: that of this process, changed by `set`.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::string>& set = {});
  char** get() { return pointers_.data(); }

 private:
  std::vector<std::string> lines_;
  std::vector<char*> pointers_;
};

// Waits until there is something to read, or all writers are gone. Returns false after `seconds`,
// which may be infinite. Signals do not interrupt it.
bool readable(int file, double seconds);

// How a process ended.
struct ExitStatus {
  int status = 0;             // of waitpid
  int signal() const;         // the signal that ended it; 0: none
  int code() const;           // the exit code, or 128 + the signal
  std::string words() const;  // "Segmentation fault", "exit code 3"
};

// A child process. The destructor kills it if it still runs.
class Child {
 public:
  Child() = default;
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Starts the program words[0] with `in`, `out` and `error` as standard input, output and error
  // (-1: those of this process). Returns 0 or the errno of what failed.
  int start(std::vector<std::string> words, Environment&, int in = -1, int out = -1,
            int error = -1);
  // Forks this process. The child runs `task` and exits; it gets `signal_of_ours` if this process
  // ends first. Returns 0 or the errno of what failed.
  int fork(int signal_of_ours, const std::function<void()>& task);

  bool runs() const { return id_ > 0; }
  void signal(int number) const;
  void signal_group(int number) const;  // to its whole process group
  bool ended(ExitStatus&);              // does not wait
  ExitStatus wait();
  ExitStatus kill();

 private:
  pid_t id_ = -1;
};

}  // namespace host
}  // namespace perpend
