// Any bytes as a snapshot: what is read can be written and read again.
//
// About: src/io/snapshot_json.cpp src/io/json_fields.cpp src/scene/snapshot.cpp
#include "input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perpend;
  const fuzz::InputFile file(data, size);
  Snapshot snapshot;
  if (!fuzz::accepted([&] { snapshot = io::read_snapshot(file.path()); })) return 0;
  const fuzz::InputFile again(nullptr, 0);
  io::write_snapshot(snapshot, again.path());
  const Snapshot read = io::read_snapshot(again.path());
  fuzz::require(read.bodies.size() == snapshot.bodies.size() &&
                read.pairs.size() == snapshot.pairs.size() &&
                read.joints.size() == snapshot.joints.size() && read.step == snapshot.step);
  return 0;
}
