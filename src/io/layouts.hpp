// The two ways the standard file lays out its frames, behind one door.
//
// columns: rows of all frames in one dataset per field, /frames/offsets says whose is whose.
// frames: the hierarchy of Lu et al. 2013, Figure 3: /frames/000000/bodies/forces ...
#pragma once

#include <functional>
#include <memory>

#include "io/columns.hpp"
#include "io/hdf5.hpp"
#include "io/hdf5_types.hpp"

namespace perpend::io {

class Layout {
 public:
  virtual ~Layout() = default;
  virtual std::string_view name() const = 0;
  virtual Index frames() const = 0;
  virtual FrameCounts counts(Index frame) const = 0;
  virtual Record read(Index frame) const = 0;
};

// What to do with a complaint: a reader throws it, validate collects it.
using Complain = std::function<void(const InputError&)>;
[[noreturn]] inline void throw_it(const InputError& error) { throw error; }
// Runs `check`; an InputError goes to `complain`.
void attempt(const Complain& complain, const std::function<void()>& check);

// Root attributes; `version` is format_version.
// None of the attributes that a standard file needs: what is left when all are stripped. It is read
// as a file of the version that its columns need, with the stepper st.
bool bare(const h5::File&);
Header read_header(const h5::File&, std::int64_t& version, const Complain&);
void write_header(const h5::File&, const Header&);

// Precondition: the file outlives the layout.
std::unique_ptr<Layout> open_layout(const h5::File&, const Header&, const Complain&);
std::unique_ptr<Layout> open_columns_layout(const h5::File&, const Header&, const Complain&);
std::unique_ptr<Layout> open_frames_layout(const h5::File&, const Header&, const Complain&);

// The group of a frame in the frames layout: "/frames/000012".
std::string frame_group(Index frame);

// What a frame just read needs before it is handed out: ids become indices, absent becomes default.
void finish_reading(Record&, Stepper, const std::string& where);

// Names of the solutions stored beside the frames.
std::vector<std::string> stored_solutions(const h5::File&);

}  // namespace perpend::io
