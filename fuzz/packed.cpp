// Any bytes as a recording in a page: what is read can be packed, and reads back to the same bytes.
//
// About: src/io/packed.cpp
#include "perpend/io/packed.hpp"

#include "input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perpend;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  io::LoadedRecording recording;
  if (!fuzz::accepted([&] { recording = io::unpack(bytes, "input"); })) return 0;
  const std::string packed = io::pack(recording);
  fuzz::require(io::pack(io::unpack(packed, "packed")) == packed);
  for (const io::Record& record : recording.records) invalid(record.frame);
  return 0;
}
