// A recording as the viewer shows it: which bodies there are and what they look like, and what is
// seen in one frame. Shapes and names come from the file's model, else from the scene that it
// names, else bodies are drawn as frames: three bars along their axes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <unordered_map>
#include <unordered_set>

#include "view/frames.hpp"
#include "view/messages.hpp"

namespace perpend::view {

class Recording {
 public:
  explicit Recording(std::unique_ptr<Frames>);  // throws io::InputError

  Index frames() const { return frames_->count(); }
  bool solvable() const { return frames_->solvable(); }
  const Scene& scene() const { return scene_; }  // to be drawn, at the first frame
  nlohmann::ordered_json about() const;          // of the message recording
  // Of all frames; NaN: not recorded.
  std::vector<double> times() const { return frames_->times(); }
  std::vector<double> errors() const { return frames_->errors(); }
  io::Record read(Index frame) const { return frames_->read(frame); }
  // Bodies in the order of the scene, by which two engines are compared: each numbers them in its
  // own way. Bodies that the scene lacks are left out.
  Bodies in_order(const Bodies&) const;
  const std::string& engine() const { return frames_->header().engine; }
  // What is seen of a record, and what the message frame tells of it; `error` is its
  // velocity_error, where that is known.
  StateMessage state(const io::Record&, double error) const;
  nlohmann::ordered_json told(const io::Record&, double error) const;
  // One frame with names and shapes, as a file: "h5" or "jsonl". Throws io::InputError.
  SavedMessage save(Index frame, const std::string& form) const;

 private:
  void take_shapes(const io::Record& first);
  void take_bodies(const Bodies&, std::unordered_set<std::int64_t>& seen);

  std::unique_ptr<Frames> frames_;
  Scene scene_;
  io::ModelColumns model_;
  std::string shapes_;  // where they come from: "model", "scene" or ""
  std::unordered_map<std::int64_t, std::uint32_t> place_;  // of body ids in the scene
};

// N, on the second body of each contact; z: impulses along n, t, o.
std::vector<float> forces_of(const Frame&, const Rows3& z);

}  // namespace perpend::view
