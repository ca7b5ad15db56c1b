#include "view/server.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <thread>

#include "perpend/view.hpp"
#include "view/socket_client.hpp"

namespace server_test {

using namespace perpend;
using namespace perpend::view;

Scene falling_cube() {
  Scene scene;
  scene.name = "cube";
  scene.bodies.resize(2);
  scene.bodies[0].shape.type = Shape::Type::plane;
  scene.bodies[1].name = "cube";
  scene.bodies[1].mass = 1;
  scene.bodies[1].pose.position = {0, 0, 0.5};
  return scene;
}

// perpend view in a thread of its own.
class Served {
 public:
  explicit Served(Scene scene = falling_cube()) {
    std::atomic<bool> ready = false;
    thread_ = std::thread([this, &ready, scene = std::move(scene)] {
      serve(
          scene, {},
          [&](const std::string& address) {
            address_ = address;
            ready = true;
          },
          [this] { return stop_.load(); });
    });
    while (!ready) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::size_t colon = address_.rfind(':');
    port = static_cast<std::uint16_t>(std::stoi(address_.substr(colon + 1)));
    token = address_.substr(address_.find("token=") + 6);
  }
  ~Served() { end(); }
  void end() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  const std::string& address() const { return address_; }
  std::string host() const { return "Host: 127.0.0.1:" + std::to_string(port); }
  std::uint16_t port = 0;
  std::string token;

 private:
  std::atomic<bool> stop_ = false;
  std::string address_;
  std::thread thread_;
};

// A page that has its socket open, and its first scene.
class Page : public SocketClient {
 public:
  explicit Page(const Served& served) : SocketClient(served.port) {
    EXPECT_TRUE(open_socket(served.port, served.token));
    scene = next_of<SceneMessage>();
  }
  SceneMessage scene;
  StateMessage state_after(double step) {
    StateMessage state = next_of<StateMessage>();
    for (int i = 0; i < 100000 && state.step < step && state.run > 0; ++i)
      state = next_of<StateMessage>();
    return state;
  }
};

TEST(ViewServer, AddressHasARandomToken) {
  Served first, second;
  EXPECT_EQ(first.address(),
            "http://127.0.0.1:" + std::to_string(first.port) + "/?token=" + first.token);
  EXPECT_EQ(first.token.size(), 32u);
  EXPECT_NE(first.token, second.token);
}

TEST(ViewServer, GivesThePageOnlyToWhoHasTheToken) {
  Served served;
  const auto status = [&](const std::string& lines) {
    return SocketClient(served.port).status(lines);
  };
  const std::string get = "GET /?token=" + served.token + " HTTP/1.1\r\n";
  EXPECT_EQ(status(get + served.host()), 200);
  EXPECT_EQ(status("GET / HTTP/1.1\r\n" + served.host()), 403);
  EXPECT_EQ(status(get + "Host: evil.example:" + std::to_string(served.port)), 403);
  EXPECT_EQ(status(get + served.host() + "\r\nOrigin: http://evil.example"), 403);
  EXPECT_EQ(status("POST /?token=" + served.token + " HTTP/1.1\r\n" + served.host()), 405);
  EXPECT_EQ(status("GET /../../etc/passwd HTTP/1.1\r\n" + served.host()), 404);
  EXPECT_EQ(status("nonsense"), 400);
  EXPECT_EQ(status(get + served.host() + "\r\nX: " + std::string(100000, 'x')), 400);
  EXPECT_EQ(status(get + served.host() + "\r\nContent-Length: 9\r\n\r\n123456789"), 400);
  EXPECT_FALSE(SocketClient(served.port).open_socket(served.port, std::string(32, '0')));
}

TEST(ViewServer, PageComesWithItsOwnRules) {
  Served served;
  SocketClient client(served.port);
  client.write("GET /?token=" + served.token + " HTTP/1.1\r\n" + served.host() + "\r\n\r\n");
  const std::string answer = client.read_answer();
  for (const char* line :
       {"Content-Security-Policy: default-src 'none'", "Referrer-Policy: no-referrer",
        "Cache-Control: no-store", "<title>Perpend"})
    EXPECT_NE(answer.find(line), std::string::npos) << line;
}

TEST(ViewServer, PlaysStepsAndStops) {
  Served served;
  Page page(served);
  EXPECT_EQ(page.next_of<StateMessage>().step, 0);
  page.send(Play{});
  EXPECT_TRUE(page.state_after(5).playing);
  page.send(Pause{});
  StateMessage state = page.next_of<StateMessage>();
  while (state.playing) state = page.next_of<StateMessage>();
  Steps steps;
  steps.count = 2;
  page.send(steps);
  EXPECT_EQ(page.next_of<StateMessage>().step, state.step + 2);
  steps.count = -3;
  page.send(steps);
  EXPECT_EQ(page.next_of<StateMessage>().step, state.step - 1);
  page.send(Reset{});
  EXPECT_EQ(page.next_of<StateMessage>().step, 0);
}

TEST(ViewServer, DragMovesTheBodyAndLeavingLetsGo) {
  Served served;
  Page page(served);
  Page other(served);
  Drag drag;
  drag.body = 1;
  drag.target = {0, 0, 3};
  page.send(drag);
  page.send(Play{});
  StateMessage state = page.state_after(100);
  EXPECT_EQ(state.held, (field::counts{1}));
  EXPECT_NEAR(state.poses[9], 3 - 9.81 / 400, 0.05);
  page.close();
  for (int i = 0; i < 10000 && !state.held.empty(); ++i) state = other.next_of<StateMessage>();
  EXPECT_TRUE(state.held.empty());
  other.send(AskEvents{});
  const std::string events = other.next_of<EventsMessage>().json;
  EXPECT_NE(events.find("\"release\""), std::string::npos) << events;
}

TEST(ViewServer, MalformedMessagesAreAnswered) {
  Served served;
  Page page(served);
  for (const Bytes& bytes :
       {Bytes{}, Bytes{200, 1, 2}, Bytes{32, 0}, Bytes{37, 9, 9, 9, 255, 255, 255, 255}}) {
    page.send(bytes);
    EXPECT_NE(page.next_of<NoticeMessage>().words.find("not understood"), std::string::npos);
  }
  page.send(Bytes{'h', 'i'}, 1);
  EXPECT_NE(page.next_of<NoticeMessage>().words.find("texts"), std::string::npos);
  page.send(StateMessage{});
  EXPECT_EQ(page.next_of<NoticeMessage>().words, "state: is sent by the program, not to it");
  Set set;
  set.name = "solver";
  set.value = "/etc/passwd";
  page.send(set);
  EXPECT_EQ(page.next_of<NoticeMessage>().words, "set: solver: no solver is called '/etc/passwd'");
  page.send(Play{});
  EXPECT_GE(page.state_after(3).step, 3);
}

TEST(ViewServer, TooLargeAMessageEndsTheConnectionAlone) {
  Served served;
  Page page(served);
  page.send(Bytes(1 << 20));
  while (number(page.next()) != 0) {
  }
  EXPECT_EQ(Page(served).next_of<StateMessage>().step, 0);
}

// Its states wait in the mailbox, one at a time; the run goes on for the others.
TEST(ViewServer, ClientThatStopsReadingHoldsNobodyUp) {
  Scene scene = falling_cube();
  scene.step = 0.001;
  for (int i = 0; i < 200; ++i) {
    scene.bodies.push_back(scene.bodies[1]);
    scene.bodies.back().pose.position = {3.0 * (i % 20), 3.0 + 3 * (i / 20), 0.5};
  }
  Served served(scene);
  Page deaf(served);
  Page page(served);
  page.send(Play{});
  // 200 bodies, 800 contacts: 50 kB a state. Beyond what a socket's buffers hold.
  const auto start = std::chrono::steady_clock::now();
  double longest = 0, last = 0;
  for (StateMessage state = page.next_of<StateMessage>(); last < 400 && state.run > 0;
       state = page.next_of<StateMessage>()) {
    longest = std::max(longest, state.milliseconds);
    last = state.step;
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_GE(last, 400);
  EXPECT_LT(seconds, 60);
  // What it reads after all begins with old states and ends with the newest.
  page.send(Pause{});
  StateMessage state = page.next_of<StateMessage>();
  while (state.playing) state = page.next_of<StateMessage>();
  int read = 0;
  StateMessage seen;
  do {
    seen = deaf.next_of<StateMessage>();
    ++read;
  } while (seen.step < state.step && seen.run > 0);
  EXPECT_EQ(seen.step, state.step);
  EXPECT_LT(read, state.step);
}

// One that sends nothing has no right to a place that somebody needs.
TEST(ViewServer, SilentConnectionsKeepNoPageOut) {
  Served served;
  std::deque<SocketClient> silent;
  for (int i = 0; i < 200; ++i) silent.emplace_back(served.port);
  SocketClient late(served.port);
  EXPECT_EQ(late.status("GET /?token=" + served.token + " HTTP/1.1\r\n" + served.host()), 200);
  Page page(served);
  EXPECT_EQ(page.next_of<StateMessage>().step, 0);
}

// The steps of this scene take long, and what is asked for meanwhile waits.
TEST(ViewServer, MoreMessagesThanItKeepsEndTheConnectionAlone) {
  std::string why;
  const Scene scene = *scene_named("pile-boxes:300", 1, why);
  Served served(scene);
  Page page(served), other(served);
  Steps steps;
  steps.count = 1000;
  page.send(steps);
  Set large;
  large.name = "solver";
  large.value = std::string(4000, 'x');
  for (int i = 0; i < 3000; ++i) page.send(large);
  while (number(page.next()) != 0) {
  }
  EXPECT_EQ(page.closed_with, 1008);  // RFC 6455, 7.4.1: policy violation
  other.send(Pause{});
  EXPECT_GE(other.next_of<StateMessage>().step, 0);
}

TEST(ViewServer, AnswersAgainOnceThereAreDescriptors) {
  Served served;
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const rlimit few{std::min<rlim_t>(before.rlim_cur, 256), before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &few);
  std::vector<int> files;
  for (int file = 0; (file = ::dup(0)) >= 0;) files.push_back(file);
  ::close(files.back());
  files.pop_back();
  SocketClient waits(served.port);  // takes the last one
  waits.write("GET /?token=" + served.token + " HTTP/1.1\r\n" + served.host() + "\r\n\r\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  for (const int file : files) ::close(file);
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_TRUE(waits.read_answer().starts_with("HTTP/1.1 200"));
  EXPECT_EQ(Page(served).next_of<StateMessage>().step, 0);
}

TEST(ViewServer, EndsWhileStepsAreMadeAndPagesAreOpen) {
  auto served = std::make_unique<Served>();
  Page page(*served);
  page.send(Play{});
  page.state_after(2);
  const auto start = std::chrono::steady_clock::now();
  served->end();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  while (number(page.next()) != 0) {
  }
  // The port is free again.
  ServerOptions again;
  again.port = served->port;
  again.token = "x";
  EXPECT_NO_THROW(Server(again, {}));
}

TEST(ViewServer, PortThatIsTakenIsTold) {
  Served served;
  ServerOptions same;
  same.port = served.port;
  try {
    Server server(same, {});
    ADD_FAILURE();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()), "cannot listen on 127.0.0.1, port " +
                                             std::to_string(served.port) +
                                             ": Address already in use");
  }
}

}  // namespace server_test
