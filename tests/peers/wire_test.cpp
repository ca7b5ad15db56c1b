#include "peers/wire.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

#include "peers/channel.hpp"
#include "peers/serve.hpp"
#include "perpend/io.hpp"

namespace perpend::peers {
namespace wire_test {

std::vector<System> systems() {
  std::vector<System> list;
  for (const char* file : {"blocks", "joints", "groups", "mimics"})
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
  Result result = solve(systems().front(), "ncp/nncg", options);
  result.transfer_seconds = 0.125;
  ASSERT_GT(result.history.size(), 1u);
  Result back;
  ASSERT_TRUE(from_bytes(to_bytes(result), back));
  EXPECT_EQ(to_bytes(back), to_bytes(result));
  EXPECT_EQ(back.history.size(), result.history.size());
  EXPECT_EQ(back.transfer_seconds, 0.125);

  Answer answer;
  answer.x = VectorXd::LinSpaced(3, 1, 3);
  answer.seconds = 0.25;
  Answer returned;
  ASSERT_TRUE(from_bytes(to_bytes(answer), returned));
  EXPECT_EQ(returned.seconds, 0.25);
  EXPECT_EQ(to_bytes(returned), to_bytes(answer));
}

TEST(Wire, WhatPythonSaysArrivesAsItWasAndCutOffIsRefused) {
  PythonTable table;
  table.solvers.push_back({"box/mine", "title", "reference", true, {}});
  table.solvers[0].options.push_back({"order", "which way", "up", {"up", "down"}, 0, 1});
  PythonTable there;
  const Bytes bytes = to_bytes(table);
  ASSERT_TRUE(from_bytes(bytes, there));
  EXPECT_EQ(there.solvers.at(0).options.at(0).choices, table.solvers[0].options[0].choices);
  PythonStep step;
  step.z = VectorXd::LinSpaced(3, 1, 3);
  step.work[1] = 7;
  step.restarted = true;
  PythonStep back;
  ASSERT_TRUE(from_bytes(to_bytes(step), back));
  EXPECT_EQ(back.z, step.z);
  EXPECT_EQ(back.work, step.work);
  EXPECT_TRUE(back.restarted);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    PythonTable none;
    EXPECT_FALSE(from_bytes(std::span(bytes).first(size), none)) << size;
  }
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

// Bytes `at` of a message replaced by a number.
template <class T, class Number>
bool accepted_with(const T& message, std::size_t at, Number number) {
  Bytes bytes = to_bytes(message);
  std::memcpy(bytes.data() + at, &number, sizeof number);
  T read;
  return from_bytes(bytes, read);
}

TEST(Wire, AMatrixWithEntriesOutsideOrOfHugeSizeIsRefused) {
  Task task;  // bytes: peer 0, rows 8, columns 16, at_row 24, 32, at_column 40, 48, values 56, 64
  task.A = SparseMatrix(1, 1);
  task.A.insert(0, 0) = 2.5;
  EXPECT_TRUE(accepted_with(task, 8, Index{1}));
  for (const Index rows : {Index{-1}, Index{0}, Index{1} << 30, Index{1} << 40})
    for (const std::size_t at : {8U, 16U}) EXPECT_FALSE(accepted_with(task, at, rows)) << rows;
  for (const Index place : {Index{-1}, Index{1}, Index{1} << 32})
    for (const std::size_t at : {32U, 48U}) EXPECT_FALSE(accepted_with(task, at, place)) << place;
  Bytes fewer = to_bytes(task);  // two rows named, one column and one value
  const std::uint64_t two = 2;
  std::memcpy(fewer.data() + 24, &two, sizeof two);
  fewer.insert(fewer.begin() + 40, 8, std::byte{0});
  Task read;
  EXPECT_FALSE(from_bytes(fewer, read));
}

TEST(Wire, TruthAndNamesThatDoNotExistAreRefused) {
  Call call;
  const std::size_t coupled = 4 * 2 * sizeof(Index);  // after four empty vectors
  EXPECT_TRUE(accepted_with(call, coupled, std::uint8_t{1}));
  EXPECT_FALSE(accepted_with(call, coupled, std::uint8_t{2}));
  EXPECT_TRUE(accepted_with(Result(), 0, static_cast<int>(Status::crashed)));
  EXPECT_FALSE(accepted_with(Result(), 0, static_cast<int>(Status::crashed) + 1));
  EXPECT_FALSE(accepted_with(Result(), 0, -1));
}

class Sockets {
 public:
  Sockets() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends_), 0); }
  ~Sockets() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  int here() const { return ends_[0]; }
  int there() const { return ends_[1]; }
  void nothing_more() const { ::shutdown(ends_[0], SHUT_WR); }

 private:
  int ends_[2];
};

TEST(Channel, AnAnnouncedSizeIsNotBelievedBeforeTheBytesAreThere) {
  const Sockets sockets;
  const Opening boast{Message::result, ~std::uint64_t{0}};
  ASSERT_TRUE(write_all(sockets.here(), &boast, sizeof boast));
  sockets.nothing_more();
  Message message;
  Bytes bytes;
  EXPECT_FALSE(receive(sockets.there(), message, bytes));
}

class Echo final : public Host {
 public:
  Answer solve(const Call& call) override {
    Answer answer;
    answer.x = call.b;
    return answer;
  }
};

// Tasks and calls whose sizes disagree end the program before a peer gets pointers to them.
TEST(Serve, CallsThatDoNotFitTheTaskEndIt) {
  const auto code_of = [](const Task& task, const Call& call, std::size_t answers) {
    const Sockets sockets;
    send(sockets.here(), Message::task, to_bytes(task));
    send(sockets.here(), Message::call, to_bytes(call));
    sockets.nothing_more();
    const int code = serve(sockets.there(), [](const Task&) { return std::make_unique<Echo>(); });
    Message message;
    Bytes bytes;
    ::shutdown(sockets.there(), SHUT_WR);
    std::size_t count = 0;
    while (receive(sockets.here(), message, bytes)) ++count;
    EXPECT_EQ(count, answers);
    return code;
  };
  Task task;
  task.A = SparseMatrix(2, 2);
  task.bound_by = {-1, 0};
  Call call;
  call.b = call.start = call.lower = call.upper = VectorXd::Zero(2);
  EXPECT_EQ(code_of(task, call, 2), 0);  // one that says ready
  Call shorter = call;
  shorter.start = VectorXd::Zero(1);
  EXPECT_NE(code_of(task, shorter, 1), 0);
  Task outside = task;
  outside.bound_by = {-1, 2};
  EXPECT_NE(code_of(outside, call, 1), 0);
}

// Says how often it was made, and took as long as the call's tolerance.
class Counted final : public Host {
 public:
  explicit Counted(int made) : made_(made) {}
  Answer solve(const Call& call) override {
    Answer answer;
    answer.iterations = made_;
    answer.seconds = call.tolerance;
    return answer;
  }

 private:
  int made_;
};

TEST(Serve, AShortFirstCallIsMadeAgainAndTheSecondIsTold) {
  for (const double seconds : {1e-6, 1.0}) {
    const Sockets sockets;
    Call call;
    call.tolerance = seconds;
    send(sockets.here(), Message::task, to_bytes(Task()));
    for (int k = 0; k < 2; ++k) send(sockets.here(), Message::call, to_bytes(call));
    sockets.nothing_more();
    int made = 0;
    EXPECT_EQ(
        serve(sockets.there(), [&](const Task&) { return std::make_unique<Counted>(++made); }), 0);
    Message message;
    Bytes bytes;
    ASSERT_TRUE(receive(sockets.here(), message, bytes));  // ready
    for (int k = 0; k < 2; ++k) {
      Answer answer;
      ASSERT_TRUE(receive(sockets.here(), message, bytes));
      ASSERT_TRUE(from_bytes(bytes, answer));
      EXPECT_EQ(answer.iterations, seconds < 1 ? 2 : 1);
    }
    EXPECT_EQ(made, seconds < 1 ? 2 : 1);
  }
}

}  // namespace wire_test
}  // namespace perpend::peers
