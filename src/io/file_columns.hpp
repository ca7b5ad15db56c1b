// What belongs to a whole file in the standard file: /model/ and /events.
#pragma once

#include <unordered_set>

#include "io/columns.hpp"
#include "io/hdf5.hpp"

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

// Rows behind the shortest column of a kind do not count, nor do shapes at the end that need more
// than is there: a writer that was killed leaves such. Throws InputError for everything else.
ModelColumns read_model(const h5::File&);
std::vector<std::string> read_events(const h5::File&);
void write_file_columns(const h5::File&, const ModelColumns&,
                        const std::vector<std::string>& events);

}  // namespace perpend::io
