// Recordings in memory, and as bytes for a page that carries them (docs/share.md).
#pragma once

#include <iosfwd>

#include "perpend/io.hpp"

namespace perpend::io {

struct LoadedRecording {
  std::string name;  // of its file
  Header header;
  ModelColumns model;
  Integers numbers;  // of its frames in the file
  std::vector<Record> records;
  bool trajectory = false;  // where bodies are, and nothing to solve
};

// Frames as JSON lines, with the names and shapes that they bring. Throws InputError.
LoadedRecording load_json_lines(std::istream&, const std::string& name);

// Keeps times, masses and poses, these with 32 bits. Inertia stays where no shape is known: bodies
// are then drawn by it.
void keep_trajectory(LoadedRecording&);

// The bytes of a recording: nothing is rounded, and what is alike from frame to frame becomes
// zeros, so that gzip makes it small. Events, derivations and tags are left out.
std::string pack(const LoadedRecording&);
// Throws InputError for other bytes; the message begins with `where`.
LoadedRecording unpack(std::string_view bytes, const std::string& where);

}  // namespace perpend::io
