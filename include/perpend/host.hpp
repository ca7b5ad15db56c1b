// What the operating system gives and the core does without: threads, and processes beside ours.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "perpend/base.hpp"

namespace perpend {

// `threads` threads, the calling one among them, share the items of a loop. An exception of an item
// reaches the caller: that of the lowest item among those that threw.
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

// Processor time that this thread, or all threads of the process, have taken so far, s.
double cpu_seconds(bool all_threads);

// The folder that holds the running program, without a slash at its end; empty: not known.
std::string program_folder();

// The variables a child is started with: ours, and those in `set` instead of ours of that name.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::string>& set = {});
  char** get() { return pointers_.data(); }

 private:
  std::vector<std::string> lines_;
  std::vector<char*> pointers_;
};

// True when there is something to read, or nobody who writes any more; false after `seconds`
// (infinite: never). Signals do not end it.
bool readable(int file, double seconds);

// How a process ended.
struct ExitStatus {
  int status = 0;             // as waitpid tells it
  int signal() const;         // 0: none
  int code() const;           // of its exit; 128 and the signal when one ended it
  std::string words() const;  // "Segmentation fault", "exit code 3"
};

// A child process. Who drops one that runs kills it.
class Child {
 public:
  Child() = default;
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // A program, words[0], with the files `in` and `out` as its standard input and output (-1: ours).
  // Returns errno of what failed, 0 for success.
  int start(std::vector<std::string> words, Environment&, int in = -1, int out = -1);
  // A copy of this process, which is told `signal_of_ours` when we end, runs `task` and is gone.
  // Returns errno of what failed, 0 for success.
  int fork(int signal_of_ours, const std::function<void()>& task);

  bool runs() const { return id_ > 0; }
  void signal(int number) const;
  void signal_group(int number) const;  // to all of the group that it leads
  bool ended(ExitStatus&);              // without waiting
  ExitStatus wait();
  ExitStatus kill();

 private:
  pid_t id_ = -1;
};

}  // namespace host
}  // namespace perpend
