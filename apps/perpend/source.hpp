// A file of contact problems, whatever its kind: frames of a standard file or of JSON lines, or the
// one problem of an FCLIB file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "perpend/io.hpp"

namespace perpend::app {

std::string_view name(io::Kind);

// One problem, ready to be solved.
struct Case {
  Index frame = 0;
  std::string title;  // JSON lines and FCLIB may have one
  io::FrameCounts counts{};
  std::optional<System> system;
  std::string refusal;  // why there is no system
  io::Answer answer;
};

class Source {
 public:
  virtual ~Source() = default;
  virtual Index frames() const = 0;
  virtual io::FrameCounts counts(Index frame) const = 0;
  virtual Case read(Index frame) const = 0;
};
// Precondition: the kind is not raw_problem.
std::unique_ptr<Source> open_source(const std::string& path, io::Kind);

io::FrameCounts counts(const io::Record&);
Case make_case(Index frame, const io::Record&);
// The recorded answer as impulses of the system; empty when none (or not one of the right size) is
// recorded. Joint impulses that are not recorded count as zero.
Impulses recorded(const Case&);

// --frames: K, A-B, most-contacts:N, worst:N, or nothing for all. Ascending.
std::vector<Index> select_frames(const std::string& selection, const std::string& path,
                                 const Source&, const Globals&);

}  // namespace perpend::app
