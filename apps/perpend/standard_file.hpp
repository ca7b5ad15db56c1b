// Standard files made from files of other kinds.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "output.hpp"
#include "perpend/io/names.hpp"

namespace perpend::app {

// Frames that go into one standard file, read one at a time.
struct Frames {
  io::Header header;
  Index count = 0;
  std::int64_t rows = 0;  // of the longest table all frames together fill
  std::function<io::Record(Index)> read;
  // Of a standard file; the lines of JSON lines have their own.
  io::ModelColumns model;
  std::vector<io::EventText> events;
  std::shared_ptr<const io::Names> names;  // of both; FCLIB has none
};
// A frame; the first one that is written carries what belongs to the file.
io::Record read_frame(const Frames&, Index frame, bool first);

// The frames of a standard file or of JSON lines; an FCLIB problem is a frame without bodies.
// Precondition: the kind is not raw_problem.
Frames open_frames(const std::string& path, io::Kind);

// These frames in the columns layout; `stop` is asked between them.
void write_standard(const Frames&, const std::vector<Index>& chosen, const std::string& path,
                    bool (*stop)() = nullptr);

// The stored solutions of these frames of one standard file, put into another, under construction,
// that holds these frames alone. Ascending.
void copy_solutions(const std::string& from, const std::vector<Index>& chosen,
                    const std::string& to);

// The file as a standard file that solutions can be added to.
void write_standard_copy(const std::string& path, io::Kind, Output& out);

// Both names mean the same file.
bool same_file(const std::string&, const std::string&);

}  // namespace perpend::app
