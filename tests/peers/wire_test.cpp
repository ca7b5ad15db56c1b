#include "peers/wire.hpp"

#include <gtest/gtest.h>

#include "perpend/io.hpp"

namespace perpend::peers {
namespace wire_test {

std::vector<System> systems() {
  std::vector<System> list;
  for (const char* file : {"blocks", "joints", "groups"})
    for (const io::Record& record : io::read_json_lines(std::string(PERPEND_SOURCE_DIR) +
                                                        "/examples/frames/" + file + ".jsonl"))
      list.push_back(io::system_of(record, file));
  return list;
}

// The bytes of what was read are those that were written.
TEST(Wire, SystemsArriveAsTheyWere) {
  int blocks = 0;
  for (const System& system : systems())
    for (const System& form : {system, with_blocks(system)}) {
      const Bytes bytes = to_bytes(form);
      System read;
      ASSERT_TRUE(from_bytes(bytes, read));
      EXPECT_EQ(to_bytes(read), bytes);
      EXPECT_EQ(read.b, form.b);
      blocks += std::holds_alternative<Blocks>(read.A);
      const Impulses one = Impulses::Ones(form.rows());
      EXPECT_EQ(relative_velocity(read, one), relative_velocity(form, one));
    }
  EXPECT_GT(blocks, 3);
}

TEST(Wire, RequestsAndResultsArriveAsTheyWere) {
  Request request{"ncp/pgs", {}};
  request.options.tolerance = 1e-5;
  request.options.warm_start = Impulses::LinSpaced(6, 1, 6);
  request.options.set = {{"a", "1"}, {"b", "two"}};
  request.options.history = true;
  Request there;
  ASSERT_TRUE(from_bytes(to_bytes(request), there));
  EXPECT_EQ(there.options.set, request.options.set);
  EXPECT_EQ(there.options.warm_start, request.options.warm_start);
  EXPECT_EQ(to_bytes(there), to_bytes(request));

  Options options;
  options.history = true;
  const Result result = solve(systems().front(), "ncp/nncg", options);
  ASSERT_GT(result.history.size(), 1u);
  Result back;
  ASSERT_TRUE(from_bytes(to_bytes(result), back));
  EXPECT_EQ(to_bytes(back), to_bytes(result));
  EXPECT_EQ(back.history.size(), result.history.size());
}

TEST(Wire, WhatIsCutOffOrTooLongIsRefused) {
  const Bytes bytes = to_bytes(systems().front());
  System system;
  for (std::size_t size = 0; size < bytes.size(); size += 7)
    EXPECT_FALSE(from_bytes(std::span(bytes).first(size), system)) << size;
  Bytes longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(from_bytes(longer, system));
  // A length that nothing can hold.
  Bytes hostile = to_bytes(Result());
  for (std::size_t i = sizeof(Status); i < sizeof(Status) + 8; ++i) hostile[i] = std::byte{0x7f};
  Result result;
  EXPECT_FALSE(from_bytes(hostile, result));
}

}  // namespace wire_test
}  // namespace perpend::peers
