#include "view/playback.hpp"

#include <cmath>

namespace perpend::view {
namespace {

constexpr auto kBetweenTimelines = std::chrono::milliseconds(250);

std::vector<std::unique_ptr<Recording>> opened(const std::vector<std::string>& files) {
  std::vector<std::unique_ptr<Recording>> out;
  for (const std::string& file : files)
    out.push_back(std::make_unique<Recording>(frames_of_file(file)));
  return out;
}

}  // namespace

Playback::Playback(const std::vector<std::string>& files, Send send)
    : Clients(std::move(send)), recordings_(opened(files)) {
  reader_ = std::thread([this] { read_files(); });
  worker_ = std::thread([this] { work(); });
}

Playback::~Playback() {
  ending_ = true;
  {
    const std::lock_guard lock(mutex_);
    news_.notify_all();
    jobs_.notify_all();
  }
  reader_.join();
  worker_.join();
}

// ---- the thread that reads ----

void Playback::read_files() {
  bool more = true;
  while (!ending_) {
    std::vector<Item> items;
    std::vector<Measured> measured;
    {
      std::unique_lock lock(mutex_);
      const auto ready = [&] { return ending_ || !queue_.empty() || idle_; };
      if (!more) news_.wait(lock, ready);
      std::swap(items, queue_);
      std::swap(measured, measured_);
      idle_ = false;
    }
    for (const Measured& one : measured) recordings_.measured(one.place, one.error);
    for (const Item& item : items) {
      try {
        answer(item);
      } catch (const std::exception& error) {
        notice(item.client, error.what());
      }
    }
    if (ending_) break;
    if (items.empty()) {
      try {
        more = look_ahead();
      } catch (const std::exception& error) {
        notice(kEverybody, error.what());
        more = false;
      }
    } else {
      more = true;
    }
  }
}

void Playback::answer(const Item& item) {
  if (item.what == Item::What::left) {
    const std::lock_guard lock(mutex_);
    solved_.erase(item.client);
    if (solving_ == item.client) cancel_ = true;
    return;
  }
  if (item.what == Item::What::joined) {
    send(item.client, recordings_.about());
    tell_timeline(item.client);
    send(item.client, recordings_.frame(0));
  } else if (const auto* frame = std::get_if<ShowFrame>(&item.message)) {
    send(item.client, recordings_.frame(frame->frame));
  } else if (const auto* asked = std::get_if<SolveFrame>(&item.message)) {
    solve(item.client, *asked);
  } else if (const auto* iterate = std::get_if<ShowIterate>(&item.message)) {
    std::shared_ptr<const Resolved> solved;
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = solved_.find(item.client); found != solved_.end())
        solved = found->second;
    }
    solved ? send(item.client, solved->iterate(iterate->point))
           : notice(item.client, "show_iterate: no frame was solved yet");
  } else if (const auto* form = std::get_if<SaveFrame>(&item.message)) {
    send(item.client, recordings_.saved(*form));
  } else {
    notice(item.client, std::string(name(item.message)) + ": not with a recording");
  }
}

void Playback::solve(Client client, const SolveFrame& asked) {
  Job job;
  job.client = client;
  job.solve = asked;
  job.solve.frame = std::floor(asked.frame);
  job.record = recordings_.to_solve(asked);
  const std::lock_guard lock(mutex_);
  std::erase_if(waiting_, [&](const Job& older) { return older.client == client; });
  if (solving_ == client || solving_ == kEverybody) cancel_ = true;
  waiting_.push_front(std::move(job));
  jobs_.notify_all();
}

bool Playback::look_ahead() {
  if (measure_next()) return true;
  const bool more = recordings_.compare_next();
  if (recordings_.urgent()) tell_timeline(kEverybody);
  if (more) return true;
  const bool late = std::chrono::steady_clock::now() - told_ > kBetweenTimelines;
  if ((untold_ || recordings_.news()) && (recordings_.complete() || late))
    tell_timeline(kEverybody);
  return false;
}

// Hands a frame without an error to the other thread, one at a time.
bool Playback::measure_next() {
  {
    const std::lock_guard lock(mutex_);
    if (!waiting_.empty()) return false;
  }
  const std::optional<Recordings::Place> place = recordings_.next_unmeasured();
  if (!place) return false;
  Job job;
  job.place = *place;
  job.record = recordings_.read(*place);
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(job));
  jobs_.notify_all();
  return true;
}

void Playback::tell_timeline(Client client) {
  told_ = std::chrono::steady_clock::now();
  untold_ = client != kEverybody && (untold_ || recordings_.news());
  send(client, recordings_.timeline());
}

// ---- the thread that works ----

void Playback::work() {
  while (!ending_) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      jobs_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
      if (ending_) return;
      job = std::move(waiting_.front());
      waiting_.pop_front();
      solving_ = job.client;
      cancel_ = false;
    }
    const auto cancelled = [this] {
      if (ending_) return true;
      const std::lock_guard lock(mutex_);
      return cancel_;
    };
    if (job.client != kEverybody) {
      try {
        const auto solved =
            std::make_shared<const Resolved>(std::move(job.record), job.solve, cancelled);
        bool wanted = false;
        {
          const std::lock_guard lock(mutex_);
          wanted = !cancel_ && !ending_;
          if (wanted) solved_[job.client] = solved;
        }
        if (wanted) send(job.client, solved->message());
      } catch (const std::exception& error) {
        notice(job.client, std::string("internal error: ") + error.what());
      }
    } else {
      double error = std::numeric_limits<double>::quiet_NaN();
      try {
        error = recorded_error(job.record);
      } catch (const std::exception&) {
        // No memory for it: it stays unknown.
      }
      const std::lock_guard lock(mutex_);
      measured_.push_back({job.place, error});
    }
    const std::lock_guard lock(mutex_);
    solving_.reset();
    idle_ = true;
    news_.notify_all();
  }
}

}  // namespace perpend::view
