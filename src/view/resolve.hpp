// A recorded frame solved again, with its iterates: a person walks through them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "perpend/io.hpp"
#include "view/messages.hpp"

namespace perpend::view {

class Resolved {
 public:
  // Solves, or with the solver "recorded" measures the recorded answer; `cancelled` is asked after
  // each iteration. A problem that cannot be solved has a status that says so.
  Resolved(io::Record, const SolveFrame&, std::function<bool()> cancelled);

  SolvedMessage message() const;
  // A point of the error curve; the nearest one that there is.
  IterateMessage iterate(double point) const;

 private:
  struct Kept {
    long iteration;
    Impulses impulses;
  };
  template <class What>
  void show(const Impulses&, What& message) const;  // forces and errors of contacts

  io::Record record_;
  SolveFrame asked_;
  std::optional<System> system_;
  Result result_;
  std::vector<Kept> kept_;
};

// Those that are known, by name.
nlohmann::ordered_json errors_json(const Errors&);
// velocity_error of the recorded answer; NaN: there is none, or the frame cannot be assembled.
double recorded_error(const io::Record&);
// Each contact's part of it, m/s; -1: not known.
std::vector<float> recorded_contact_errors(const io::Record&);

}  // namespace perpend::view
