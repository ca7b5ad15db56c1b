#include "view/playback.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

namespace perpend::view {
namespace {

constexpr auto kBetweenTimelines = std::chrono::milliseconds(250);
constexpr double kNotYet = -2;  // difference_
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// Farthest distance of a body's centre from where the other recording has it, and the first column
// of the bodies' states that differs in a bit.
struct Compared {
  double apart = 0;
  std::string column;
};
// `alike`: of one engine; two have axes of their own.
Compared compare_bodies(const Bodies& a, const Bodies& b, bool alike) {
  Compared out;
  if (a.ids != b.ids) {
    out.column = "bodies";
    return out;
  }
  out.apart = a.count() > 0 ? (a.positions - b.positions).rowwise().norm().maxCoeff() : 0;
  const auto same = [](const auto& x, const auto& y) {
    return x.size() == y.size() &&
           std::memcmp(x.data(), y.data(), sizeof(double) * static_cast<std::size_t>(x.size())) ==
               0;
  };
  if (!same(a.positions, b.positions))
    out.column = "positions";
  else if (alike && !same(a.quaternions, b.quaternions))
    out.column = "orientations";
  else if (!same(a.velocities, b.velocities))
    out.column = "velocities";
  return out;
}

}  // namespace

Playback::Playback(const std::vector<std::string>& files, Send send) : Clients(std::move(send)) {
  for (const std::string& file : files) {
    files_.push_back(std::make_unique<Recording>(file));
    errors_.push_back(files_.back()->errors());
    times_.push_back(files_.back()->times());
    next_.push_back(0);
    left_.push_back(static_cast<double>(std::count_if(errors_.back().begin(), errors_.back().end(),
                                                      [](double e) { return std::isnan(e); })));
  }
  if (files_.size() > 1) difference_ = kNotYet;
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
    {
      std::unique_lock lock(mutex_);
      const auto ready = [&] { return ending_ || !queue_.empty() || measured_; };
      if (!more) news_.wait(lock, ready);
      std::swap(items, queue_);
      untold_ |= measured_;
      measured_ = false;
    }
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
    RecordingMessage about;
    nlohmann::ordered_json recordings = nlohmann::ordered_json::array(),
                           methods = nlohmann::ordered_json::array();
    about.scenes = "[";
    for (const auto& file : files_) {
      recordings.push_back(file->about());
      about.scenes += (about.scenes.size() > 1 ? "," : "") + io::to_json(file->scene());
    }
    about.scenes += "]";
    for (const SolverInfo& info : solvers())
      methods.push_back({{"name", info.name}, {"title", info.title}, {"joints", info.joints}});
    about.json = nlohmann::ordered_json{{"recordings", recordings}, {"solvers", methods}}.dump(
        -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    send(item.client, about);
    tell_timeline(item.client);
    show(item.client, 0);
  } else if (const auto* frame = std::get_if<ShowFrame>(&item.message)) {
    show(item.client, frame->frame);
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
    save(item.client, *form);
  } else {
    notice(item.client, std::string(name(item.message)) + ": not with a recording");
  }
}

const Recording* Playback::recording(std::uint32_t which, double frame, Client client) {
  if (which >= files_.size())
    notice(client,
           "recording " + std::to_string(which) + ": there are " + std::to_string(files_.size()));
  else if (!(frame >= 0 && frame < static_cast<double>(files_[which]->frames())))
    notice(client, "there is no such frame: recording " + std::to_string(which) + " has " +
                       std::to_string(files_[which]->frames()));
  else
    return files_[which].get();
  return nullptr;
}

// Recordings that are shorter stay at their last frame.
void Playback::show(Client client, double asked) {
  FrameMessage out;
  Index longest = 0;
  for (const auto& file : files_) longest = std::max(longest, file->frames());
  const auto frame = static_cast<Index>(std::clamp(asked, 0.0, static_cast<double>(longest - 1)));
  out.frame = static_cast<double>(frame);
  nlohmann::ordered_json told = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const Index own = std::min(frame, files_[i]->frames() - 1);
    double error = kUnknown;
    {
      const std::lock_guard lock(mutex_);
      error = errors_[i][static_cast<std::size_t>(own)];
    }
    const io::Record record = files_[i]->read(own);
    add_state(files_[i]->state(record, error), out);
    told.push_back(files_[i]->told(record, error));
  }
  out.json = told.dump();
  send(client, out);
}

void Playback::solve(Client client, const SolveFrame& asked) {
  const Recording* file = recording(asked.recording, asked.frame, client);
  if (!file) return;
  Job job;
  job.client = client;
  job.solve = asked;
  job.solve.frame = std::floor(asked.frame);
  job.record = file->read(static_cast<Index>(asked.frame));
  const std::lock_guard lock(mutex_);
  std::erase_if(waiting_, [&](const Job& older) { return older.client == client; });
  if (solving_ == client || solving_ == kEverybody) cancel_ = true;
  waiting_.push_front(std::move(job));
  jobs_.notify_all();
}

void Playback::save(Client client, const SaveFrame& asked) {
  const Recording* file = recording(asked.recording, asked.frame, client);
  if (!file) return;
  if (asked.form != "h5" && asked.form != "jsonl")
    return notice(client, "save_frame: form is neither h5 nor jsonl");
  send(client, file->save(static_cast<Index>(asked.frame), asked.form));
}

bool Playback::look_ahead() {
  if (measure_next()) return true;
  if (files_.size() > 1 && compared_ < std::min(files_[0]->frames(), files_[1]->frames())) {
    compare(compared_++);
    return true;
  }
  if (difference_ == kNotYet) {
    difference_ = -1;
    if (files_[0]->frames() != files_[1]->frames()) {
      difference_ = static_cast<double>(compared_);
      words_ = "one of them ends";
    }
    untold_ = true;
  }
  const bool all = [this] {
    const std::lock_guard lock(mutex_);
    return std::all_of(left_.begin(), left_.end(), [](double left) { return left <= 0; });
  }();
  if (untold_ && (all || std::chrono::steady_clock::now() - told_ > kBetweenTimelines))
    tell_timeline(kEverybody);
  return false;
}

// Hands a frame without an error to the other thread, one at a time.
bool Playback::measure_next() {
  for (std::size_t i = 0; i < files_.size(); ++i)
    for (; next_[i] < files_[i]->frames(); ++next_[i]) {
      {
        const std::lock_guard lock(mutex_);
        if (!std::isnan(errors_[i][static_cast<std::size_t>(next_[i])])) continue;
        if (!waiting_.empty()) return false;
      }
      Job job;
      job.place = {i, next_[i]++};
      job.record = files_[i]->read(job.place.frame);
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(job));
      jobs_.notify_all();
      return true;
    }
  return false;
}

void Playback::compare(Index frame) {
  const io::Record a = files_[0]->read(frame), b = files_[1]->read(frame);
  const Compared found =
      compare_bodies(files_[0]->in_order(a.frame.bodies), files_[1]->in_order(b.frame.bodies),
                     files_[0]->engine() == files_[1]->engine());
  apart_.push_back(static_cast<float>(found.apart));
  untold_ = true;
  if (difference_ != kNotYet || found.column.empty()) return;
  difference_ = static_cast<double>(frame);
  words_ = found.column + " differ";
  tell_timeline(kEverybody);
}

void Playback::tell_timeline(Client client) {
  told_ = std::chrono::steady_clock::now();
  if (client == kEverybody) untold_ = false;
  TimelineMessage out;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    out.frames.push_back(static_cast<std::uint32_t>(files_[i]->frames()));
    for (const double time : times_[i]) out.times.push_back(static_cast<float>(time));
    const std::lock_guard lock(mutex_);
    for (const double error : errors_[i]) out.errors.push_back(static_cast<float>(error));
    out.left += left_[i];
  }
  out.apart = apart_;
  out.difference = difference_;
  out.words = words_;
  send(client, out);
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
      double error = kUnknown;
      try {
        error = recorded_error(job.record);
      } catch (const std::exception&) {
        // No memory for it: it stays unknown.
      }
      const std::lock_guard lock(mutex_);
      errors_[job.place.recording][static_cast<std::size_t>(job.place.frame)] = error;
      left_[job.place.recording] -= 1;
    }
    const std::lock_guard lock(mutex_);
    solving_.reset();
    measured_ = true;
    news_.notify_all();
  }
}

}  // namespace perpend::view
