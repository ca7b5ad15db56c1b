#include "view/access.hpp"

#include <gtest/gtest.h>

#include "view/mailbox.hpp"

namespace access_test {

using namespace perpend::view;
using To = Access::To;

const std::vector<std::string> kHosts = host_names("127.0.0.1", true, 8000, "here");

Request asked(std::string_view target) {
  Request out;
  out.method = "GET";
  out.target = target;
  out.host = "127.0.0.1:8000";
  return out;
}
Access given(const Request& request) { return access(request, kHosts, "abcd"); }

TEST(ViewAccess, PageNeedsTheTokenAndOurName) {
  EXPECT_EQ(given(asked("/?token=abcd")).to, To::page);
  for (const char* target : {"/", "/?token=", "/?token=abce", "/?token=abcd&x", "/?token=abcdabcd"})
    EXPECT_EQ(given(asked(target)).status, 403u) << target;
  EXPECT_EQ(given(asked("/etc/passwd?token=abcd")).status, 404u);
  Request request = asked("/?token=abcd");
  for (const char* host : {"localhost:8000", "127.0.0.1:8000"}) {
    request.host = host;
    EXPECT_EQ(given(request).to, To::page) << host;
  }
  for (const char* host :
       {"", "evil.example", "evil.example:8000", "127.0.0.1", "127.0.0.1:80000"}) {
    request.host = host;
    EXPECT_EQ(given(request).status, 403u) << host;
  }
  request = asked("/?token=abcd");
  request.method = "POST";
  EXPECT_EQ(given(request).status, 405u);
}

TEST(ViewAccess, SocketNeedsAPageOfOurs) {
  Request request = asked("/socket?token=abcd");
  EXPECT_EQ(given(request).status, 426u);
  request.upgrade = true;
  EXPECT_EQ(given(request).status, 403u);  // no Origin
  for (const char* origin : {"http://127.0.0.1:8000", "http://localhost:8000"}) {
    request.origin = origin;
    EXPECT_EQ(given(request).to, To::socket) << origin;
  }
  for (const char* origin : {"null", "http://evil.example", "https://127.0.0.1:8000",
                             "http://127.0.0.1:8001", "http://127.0.0.1:8000.evil.example"}) {
    request.origin = origin;
    EXPECT_EQ(given(request).status, 403u) << origin;
  }
}

TEST(ViewAccess, NamesOfAServer) {
  EXPECT_EQ(host_names("::1", true, 80, "m"),
            (std::vector<std::string>{"[::1]:80", "[::1]", "localhost:80", "localhost"}));
  EXPECT_EQ(host_names("10.0.0.2", false, 99, "m"),
            (std::vector<std::string>{"10.0.0.2:99", "m:99"}));
}

TEST(ViewMailbox, KeepsTheNewestOfEachKind) {
  Mailbox mailbox;
  const auto state = [](double step) {
    StateMessage out;
    out.step = step;
    return std::make_shared<const Bytes>(encoded(out));
  };
  for (int step = 0; step < 1000; ++step) mailbox.put(state(step));
  mailbox.put(std::make_shared<const Bytes>(encoded(SceneMessage{})));
  EXPECT_EQ(mailbox.waiting(), 2u);
  EXPECT_EQ(*mailbox.take(), encoded(SceneMessage{}));  // before its states
  EXPECT_EQ(*mailbox.take(), *state(999));
  EXPECT_EQ(mailbox.take(), nullptr);
}

}  // namespace access_test
