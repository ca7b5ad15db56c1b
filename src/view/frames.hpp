// Frames that are looked at, wherever they are: in a file, or in a page that carries them.
#pragma once

#include <memory>

#include "perpend/io.hpp"
#include "perpend/io/packed.hpp"

namespace perpend::view {

class Frames {
 public:
  virtual ~Frames() = default;
  virtual const std::string& path() const = 0;  // of the file
  virtual const io::Header& header() const = 0;
  virtual io::ModelColumns model() const = 0;
  virtual Index count() const = 0;
  virtual std::int64_t number(Index frame) const = 0;  // in the file
  virtual io::Record read(Index frame) const = 0;
  virtual bool solvable() const { return true; }  // false: there are poses alone
  // Of all frames; NaN: not recorded.
  virtual std::vector<double> times() const = 0;
  virtual std::vector<double> errors() const = 0;
  // The bytes of a standard file with this record alone, where files can be written.
  virtual bool writes_files() const { return false; }
  virtual std::string standard_file(const io::Record&) const { return {}; }
};

// Both throw io::InputError for a recording without frames. A standard file or JSON lines:
std::unique_ptr<Frames> frames_of_file(const std::string& path);
std::unique_ptr<Frames> frames_in_memory(io::LoadedRecording);

// A standard file or JSON lines as a whole; these frames, or all.
io::LoadedRecording load_recording(const std::string& path, const std::vector<Index>* frames);

}  // namespace perpend::view
