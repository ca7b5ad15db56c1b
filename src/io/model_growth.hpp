// The model of a file whose frames bring theirs.
#pragma once

#include <array>
#include <unordered_set>

#include "perpend/io.hpp"

namespace perpend::io {

// What of the frames' models is new: each body and joint counts once, with the frame that names it
// first. Meshes are counted on.
class ModelGrowth {
 public:
  ModelColumns added(const ModelColumns&);
  const std::array<Index, 2>& meshes() const { return meshes_; }

 private:
  std::unordered_set<std::int64_t> bodies_, joints_;
  std::array<Index, 2> meshes_{};  // vertices, triangles so far
};

}  // namespace perpend::io
