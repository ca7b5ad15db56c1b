// The doctor: what is wrong with a recording, and what would help.
//
// A verdict reads numbers only: no attribute, and a name only to say where. Each is backed by an
// experiment (a frame solved again) or by a certificate (an identity that the numbers break).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/base.hpp"
#include "perpend/io/names.hpp"

namespace perpend::doctor {

// What is at fault.
enum class Blame { solver, model, geometry };
std::string_view name(Blame);

// One of the thirteen.
struct Verdict {
  std::string id;
  std::string title;  // the words people search for
  Blame blame = Blame::solver;
  std::string sign;    // what is measured
  std::string change;  // what helps
};
// The list, in the order of docs/doctor.md.
std::span<const Verdict> verdicts();
const Verdict* verdict_named(std::string_view id);

struct Finding {
  const Verdict* verdict = nullptr;
  Index frame = -1;   // of the file
  std::string where;  // contact, joint or body by name
  double value = std::numeric_limits<double>::quiet_NaN();
  std::string unit;
  std::string says;       // one sentence
  std::string proof;      // the experiment or the certificate
  std::string change;     // one thing to change
  std::string predicted;  // what will then be seen
  // The value after the change, in the same unit. NaN: not predicted as a number.
  double predicted_value = std::numeric_limits<double>::quiet_NaN();
};

// A dataset that is not there, and what cannot be told without it.
struct Missing {
  std::string dataset, without;
};

// Frames of a recording; `read` is called by one thread, in ascending order and again for frames
// that are examined more closely.
struct Recording {
  Index frames = 0;
  std::function<io::Record(Index)> read;
  io::ModelColumns model;  // sizes of bodies, if it has any
  io::Names names;         // only to say where
};

struct Settings {
  std::vector<Index> frames;  // ascending; empty: all
  Executor* executor = nullptr;
  std::function<bool()> cancelled;
  std::function<void(Index done)> progress;  // frames
};

// One number per frame, for plots; NaN: unknown.
struct Courses {
  std::vector<double> frame, own_error, velocity_error, momentum, creep, turn, depth;
};

// What the verdicts are computed from: the largest over all frames, or a share of what was looked
// at.
struct Number {
  std::string name, unit;
  double value = std::numeric_limits<double>::quiet_NaN();
};

struct Diagnosis {
  std::vector<Finding> findings;  // the gravest first
  std::vector<Missing> missing;
  Courses courses;
  std::vector<Number> numbers;
  Index frames = 0;     // examined
  bool answers = true;  // there are impulses
  bool stopped = false;

  // "solver", "model", "geometry", each once; else "sound" or "cannot_tell".
  std::vector<std::string> verdict() const;
};

Diagnosis diagnose(const Recording&, const Settings&);
// Where the second recording leaves the first one: the first frame, body and term. Empty: nowhere.
std::optional<Finding> compare(const Recording& first, const Recording& second, const Settings&);

// A page with the findings and plots. `viewer`: a page beside it that shows the recording and takes
// #frame=K; empty: none.
std::string html(const Diagnosis&, const std::string& file, const std::string& viewer = {});

}  // namespace perpend::doctor
