// Any bytes as the journal of a campaign. Checksums would stop nearly every change: the input is
// taken for the contents of records, each after its size in two bytes, and gets checksums here.
// What is read is gone through as by a campaign that goes on.
//
// About: src/bench/journal.cpp src/bench/records.cpp
#include "bench/journal.hpp"

#include <cstring>

#include "bench/records.hpp"
#include "input.hpp"
#include "perpend/base.hpp"

namespace {

std::vector<std::uint8_t> with_checksums(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> out;
  const auto put = [&](const void* bytes, std::size_t count) {
    const auto* from = static_cast<const std::uint8_t*>(bytes);
    out.insert(out.end(), from, from + count);
  };
  while (size > 2) {
    std::uint16_t wanted = 0;
    std::memcpy(&wanted, data, sizeof wanted);
    data += 2;
    size -= 2;
    const auto length = static_cast<std::uint32_t>(std::min<std::size_t>(wanted, size));
    const std::uint64_t hash = perpend::fnv(data, length);
    put("PPBJ", 4);
    put(&length, sizeof length);
    put(&hash, sizeof hash);
    put(data, length);
    data += length;
    size -= length;
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perpend;
  const std::vector<std::uint8_t> journal = with_checksums(data, size);
  const fuzz::InputFile file(journal.data(), journal.size());
  fuzz::accepted([&] {
    std::vector<bench::Json> records = bench::Journal(file.path()).take_records();
    try {
      const bench::Past past = bench::past_of(records, 4, 2, 4);
      for (const auto& row : past.rows) fuzz::require(!row || row->machine < past.machines.size());
    } catch (const bench::Json::exception&) {
    } catch (const std::out_of_range&) {
    }
  });
  return 0;
}
