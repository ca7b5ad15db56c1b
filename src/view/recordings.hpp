// One or two recordings that are looked at: what is told of them, and what is found out about them
// meanwhile: errors that they lack, and the first difference of two. One thread uses it at a time.
#pragma once

#include "view/recording.hpp"

namespace perpend::view {

class Recordings {
 public:
  explicit Recordings(std::vector<std::unique_ptr<Recording>>);

  // The answers to pages. Those that throw throw io::InputError, for recordings and frames that
  // there are not.
  RecordingMessage about() const;
  TimelineMessage timeline();
  FrameMessage frame(double frame) const;  // the nearest one; shorter recordings stay at their last
  io::Record to_solve(const SolveFrame&) const;  // throws
  SavedMessage saved(const SaveFrame&) const;    // throws

  // A frame whose error is not known: each is named once.
  struct Place {
    std::size_t recording;
    Index frame;
  };
  std::optional<Place> next_unmeasured();
  io::Record read(Place place) const { return files_[place.recording]->read(place.frame); }
  void measured(Place, double error);  // NaN: it stays unknown
  // Compares the next frame of two recordings; false: there is nothing left to compare.
  bool compare_next();

  bool news() const { return news_; }      // since timeline() was called
  bool urgent() const { return urgent_; }  // the same, and worth telling at once
  bool complete() const;                   // every error was measured

 private:
  const Recording& recording(std::uint32_t, double frame) const;

  std::vector<std::unique_ptr<Recording>> files_;
  std::vector<std::vector<double>> times_, errors_;
  std::vector<double> left_;  // frames of each recording whose error is not known
  std::vector<Index> next_;   // frame of each recording to be measured
  std::vector<float> apart_;
  Index compared_ = 0;
  double difference_;
  std::string words_;
  bool news_ = false, urgent_ = false;
};

}  // namespace perpend::view
