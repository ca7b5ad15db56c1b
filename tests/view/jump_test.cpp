// How long a jump takes in a recording of 10,000 frames, seen by a client that reads and does not
// draw. Times are told, not judged.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <iostream>
#include <thread>

#include "perpend/base.hpp"
#include "perpend/io.hpp"
#include "perpend/view.hpp"
#include "support/scratch.hpp"
#include "view/socket_client.hpp"

namespace jump_test {

using namespace perpend;
using namespace perpend::view;
constexpr Index kFrames = 10000;

// A recorded stack, over and over.
void write_long(const std::string& path, const std::string& from) {
  std::string why;
  SimulateOptions options;
  options.steps = 20;
  options.out = from;
  simulate(*scene_named("stack:3", 1, why), options);
  const io::FrameReader reader(from);
  std::vector<io::Record> records;
  for (Index i = 0; i < reader.frames(); ++i) records.push_back(reader.read(i));
  records.front().model = reader.model();
  io::FrameWriter writer(path, reader.header());
  for (Index i = 0; i < kFrames; ++i) {
    io::Record& record = records[static_cast<std::size_t>(i % reader.frames())];
    record.frame.time = static_cast<double>(i) / 60;
    writer.append(record);
  }
  writer.close();
}

TEST(Jump, InTenThousandFramesIsMeasured) {
  const scratch::Folder folder;
  write_long(folder.path("long.h5"), folder.path("short.h5"));
  std::atomic<bool> stop = false, ready = false;
  std::string address;
  std::thread server([&] {
    serve_recordings(
        {folder.path("long.h5")}, {},
        [&](const std::string& told) {
          address = told;
          ready = true;
        },
        [&] { return stop.load(); });
  });
  while (!ready) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto port = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  {
    SocketClient page(port);
    ASSERT_TRUE(page.open_socket(port, address.substr(address.find("token=") + 6)));
    page.next_of<FrameMessage>();
    std::vector<double> ms;
    for (Index i = 0, frame = 0; i < 300; ++i) {
      frame = (frame + 6151) % kFrames;
      ShowFrame show;
      show.frame = static_cast<double>(frame);
      const auto asked = std::chrono::steady_clock::now();
      page.send(show);
      EXPECT_EQ(page.next_of<FrameMessage>().frame, show.frame);
      ms.push_back(
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - asked)
              .count());
    }
    const double middle = quantile(ms, 0.5), most = quantile(ms, 1);
    std::cout << "a jump in " << kFrames << " frames: median " << middle << " ms, worst " << most
              << " ms\n";
    RecordProperty("median_ms", std::to_string(middle));
    RecordProperty("worst_ms", std::to_string(most));
  }
  stop = true;
  server.join();
}

}  // namespace jump_test
