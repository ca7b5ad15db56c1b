// Recordings that are looked at. One thread reads the files and answers pages; another one works at
// what takes long: frames that are solved again, and errors that a file lacks. No page waits for
// those.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <thread>

#include "view/clients.hpp"
#include "view/recording.hpp"
#include "view/resolve.hpp"

namespace perpend::view {

class Playback : public Clients {
 public:
  // One or two files. Throws io::InputError. `send` is called from both threads.
  Playback(const std::vector<std::string>& files, Send send);
  ~Playback();

 private:
  struct Place {
    std::size_t recording;
    Index frame;
  };
  // For the thread that works: a frame to be solved for a client, or to be measured.
  struct Job {
    Client client = kEverybody;
    SolveFrame solve;
    Place place{};
    io::Record record;
  };

  void read_files();  // the threads
  void work();
  void answer(const Item&);
  void show(Client, double frame);
  void solve(Client, const SolveFrame&);
  void save(Client, const SaveFrame&);
  bool look_ahead();  // something that nobody asked for; false: there is nothing to do now
  bool measure_next();
  void compare(Index frame);
  void tell_timeline(Client);
  const Recording* recording(std::uint32_t, double frame, Client);

  std::vector<std::unique_ptr<Recording>> files_;  // used by the reading thread alone
  std::atomic<bool> ending_ = false;

  std::condition_variable jobs_;
  // Guarded by mutex_.
  std::deque<Job> waiting_;
  std::optional<Client> solving_;  // for whom
  bool cancel_ = false, measured_ = false;
  std::vector<std::vector<double>> errors_;
  std::vector<double> left_;  // frames of each file whose error is not known
  std::map<Client, std::shared_ptr<const Resolved>> solved_;

  // Of the reading thread.
  std::vector<std::vector<double>> times_;
  std::vector<Index> next_;  // frame of each file to be measured
  std::vector<float> apart_;
  Index compared_ = 0;
  double difference_ = -1;
  std::string words_;
  bool untold_ = false;  // of the timeline
  std::chrono::steady_clock::time_point told_{};

  std::thread reader_, worker_;  // last: they use the others
};

}  // namespace perpend::view
