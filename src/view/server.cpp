#include "view/server.hpp"

#include <unistd.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <list>
#include <map>
#include <stdexcept>

#include "view/access.hpp"
#include "view/page.hpp"

namespace perpend::view {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using boost::system::error_code;
using Tcp = asio::ip::tcp;

constexpr auto kPatience = std::chrono::seconds(10);  // with a request, and with a closing socket
constexpr std::size_t kMostHeader = 16 << 10;
constexpr std::size_t kMostRequests = 64;  // at a time; one more ends the oldest that says nothing
constexpr auto kWithoutDescriptors = std::chrono::milliseconds(50);

std::string_view view_of(boost::beast::string_view text) { return {text.data(), text.size()}; }

}  // namespace

class Socket;
class Connection;

struct Server::Inside {
  Inside(ServerOptions about, Listener who) : options(std::move(about)), listener(std::move(who)) {}

  ServerOptions options;
  Listener listener;
  std::size_t requests = 0;
  std::list<Connection*> silent;  // whose request is not there yet, the oldest first
  asio::io_context context{1};
  Tcp::acceptor acceptor{context};
  asio::steady_timer timer{context}, pause{context};
  std::map<Client, std::shared_ptr<Socket>> sockets;
  Client last = 0;
  bool ending = false;

  void accept();
  bool drop_the_oldest_silent();  // false: there is none
  void ask(const std::function<bool()>& stop);
  void end();
};

// One page: reads messages, writes what its mailbox holds.
class Socket : public std::enable_shared_from_this<Socket> {
 public:
  Socket(Server::Inside& server, beast::tcp_stream stream, Client client)
      : server_(server), stream_(std::move(stream)), client_(client) {}

  void start(const http::request<http::empty_body>& request) {
    websocket::stream_base::timeout limits{kPatience, std::chrono::seconds(60), true};
    stream_.set_option(limits);
    stream_.read_message_max(server_.options.most_bytes);
    stream_.binary(true);
    stream_.auto_fragment(false);
    stream_.async_accept(request, [self = shared_from_this()](error_code error) {
      if (error) return self->gone();
      self->open_ = true;
      self->server_.listener.joined(self->client_);
      self->read();
    });
  }

  void put(SharedBytes message) {
    mailbox_.put(std::move(message));
    write();
  }

  void close() {
    if (!open_) return beast::get_lowest_layer(stream_).close();
    stream_.async_close(websocket::close_code::going_away,
                        [self = shared_from_this()](error_code) {});
  }

 private:
  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return self->gone();
      if (self->closing_)
        self->buffer_.consume(self->buffer_.size());
      else if (!self->heard())
        self->close_for("too much at once");
      self->read();
    });
  }

  // What still comes is read, for the other side may write before it reads.
  void close_for(const char* why) {
    closing_ = true;
    stream_.async_close({websocket::close_code::policy_error, why},
                        [self = shared_from_this()](error_code) {});
  }

  // False: it was more than this program keeps.
  bool heard() {
    std::string why = "texts are not understood here";
    Message message;
    if (stream_.got_binary())
      message =
          decoded(static_cast<const std::uint8_t*>(buffer_.data().data()), buffer_.size(), why);
    const std::size_t bytes = buffer_.size();
    buffer_.consume(bytes);
    if (number(message) == 0) {
      NoticeMessage notice;
      notice.wrong = true;
      notice.words = "a message that is not understood: " + why;
      put(std::make_shared<const Bytes>(encoded(notice)));
      return true;
    }
    return server_.listener.heard(client_, std::move(message), bytes);
  }

  void write() {
    if (!open_ || writing_ || closing_) return;
    SharedBytes message = mailbox_.take();
    if (!message) return;
    writing_ = true;
    const asio::const_buffer bytes(message->data(), message->size());
    stream_.async_write(bytes, [self = shared_from_this(), message](error_code error, std::size_t) {
      self->writing_ = false;
      if (error) return;  // reading ends as well
      self->write();
    });
  }

  void gone() {
    if (server_.sockets.erase(client_) > 0 && open_) server_.listener.left(client_);
    open_ = false;
  }

  Server::Inside& server_;
  websocket::stream<beast::tcp_stream> stream_;
  Client client_;
  Mailbox mailbox_;
  beast::flat_buffer buffer_;
  bool open_ = false, writing_ = false, closing_ = false;
};

// One request: the page, a refusal, or a socket.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Server::Inside& server, Tcp::socket socket)
      : server_(server), stream_(std::move(socket)) {
    ++server_.requests;
  }
  ~Connection() {
    heard_something();
    --server_.requests;
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void start() {
    server_.silent.push_back(this);
    parser_.header_limit(kMostHeader);
    parser_.body_limit(0);
    stream_.expires_after(kPatience);
    http::async_read(
        stream_, buffer_, parser_, [self = shared_from_this()](error_code error, std::size_t) {
          self->heard_something();
          if (error == http::error::end_of_stream || error == asio::error::operation_aborted)
            return;
          error ? self->answer({Access::To::nothing, 400, "not a request"}) : self->judge();
        });
  }
  void drop() { stream_.close(); }

 private:
  void heard_something() { server_.silent.remove(this); }

  void judge() {
    const auto& request = parser_.get();
    error_code error;
    const Tcp::endpoint here = stream_.socket().local_endpoint(error);
    if (error) return;
    char machine[256] = "";
    gethostname(machine, sizeof machine - 1);
    Request asked;
    asked.method = view_of(request.method_string());
    asked.target = view_of(request.target());
    asked.host = view_of(request[http::field::host]);
    if (request.find(http::field::origin) != request.end())
      asked.origin = view_of(request[http::field::origin]);
    asked.upgrade = websocket::is_upgrade(request);
    const Access given = access(
        asked,
        host_names(here.address().to_string(), here.address().is_loopback(), here.port(), machine),
        server_.options.token);
    if (given.to != Access::To::socket) return answer(given);
    if (server_.sockets.size() >= server_.options.most_clients || server_.ending)
      return answer({Access::To::nothing, 503, "too many pages are open"});
    stream_.expires_never();  // the socket has limits of its own
    const Client client = ++server_.last;
    const auto socket = std::make_shared<Socket>(server_, std::move(stream_), client);
    server_.sockets[client] = socket;
    socket->start(request);
  }

  void answer(const Access& given) {
    const bool page_asked = given.to == Access::To::page;
    response_.result(given.status);
    response_.version(11);
    response_.set(http::field::content_type,
                  page_asked ? "text/html; charset=utf-8" : "text/plain; charset=utf-8");
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("X-Frame-Options", "DENY");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.set("Content-Security-Policy",
                  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
                  "img-src data: blob:; connect-src 'self'; frame-ancestors 'none'; "
                  "base-uri 'none'; form-action 'none'");
    response_.keep_alive(false);
    const std::string_view text = page_asked ? page() : given.why;
    response_.body() = std::string(text) + (page_asked ? "" : "\n");
    response_.prepare_payload();
    if (parser_.get().method() == http::verb::head) response_.body().clear();
    stream_.expires_after(kPatience);
    http::async_write(stream_, response_,
                      [self = shared_from_this()](error_code error, std::size_t) {
                        self->stream_.socket().shutdown(Tcp::socket::shutdown_send, error);
                      });
  }

  Server::Inside& server_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  http::request_parser<http::empty_body> parser_;
  http::response<http::string_body> response_;
};

bool Server::Inside::drop_the_oldest_silent() {
  if (silent.empty()) return false;
  Connection* const oldest = silent.front();
  silent.pop_front();
  oldest->drop();
  return true;
}

void Server::Inside::accept() {
  acceptor.async_accept([this](error_code error, Tcp::socket socket) {
    if (ending || error == asio::error::operation_aborted) return;
    const bool room = (!error && requests < kMostRequests) || drop_the_oldest_silent();
    if (error) {  // no descriptors are left
      pause.expires_after(kWithoutDescriptors);
      return pause.async_wait([this](error_code) { accept(); });
    }
    if (room) {
      socket.set_option(Tcp::no_delay(true), error);
      std::make_shared<Connection>(*this, std::move(socket))->start();
    }
    accept();
  });
}

void Server::Inside::ask(const std::function<bool()>& stop) {
  timer.expires_after(std::chrono::milliseconds(50));
  timer.async_wait([this, &stop](error_code) { stop() ? end() : ask(stop); });
}

// Pages are told; who does not answer soon is left.
void Server::Inside::end() {
  ending = true;
  acceptor.close();
  const auto told = sockets;
  for (const auto& [client, socket] : told) socket->close();
  timer.expires_after(std::chrono::milliseconds(told.empty() ? 0 : 300));
  timer.async_wait([this](error_code) { context.stop(); });
}

Server::Server(ServerOptions options, Listener listener)
    : inside_(std::make_unique<Inside>(std::move(options), std::move(listener))) {
  Inside& in = *inside_;
  const std::string address = in.options.listen == "localhost" ? "127.0.0.1" : in.options.listen;
  const auto check = [&](error_code error) {
    if (error)
      throw std::runtime_error("cannot listen on " + in.options.listen + ", port " +
                               std::to_string(in.options.port) + ": " + error.message());
  };
  error_code error;
  const Tcp::endpoint endpoint(asio::ip::make_address(address, error), in.options.port);
  check(error);
  in.acceptor.open(endpoint.protocol(), error);
  check(error);
  in.acceptor.set_option(Tcp::acceptor::reuse_address(true), error);
  check(error);
  in.acceptor.bind(endpoint, error);
  check(error);
  in.acceptor.listen(asio::socket_base::max_listen_connections, error);
  check(error);
}

Server::~Server() = default;

std::string Server::address() const {
  const Tcp::endpoint here = inside_->acceptor.local_endpoint();
  std::string host = here.address().to_string();
  if (here.address().is_unspecified()) {
    char machine[256] = "";
    gethostname(machine, sizeof machine - 1);
    host = machine;
  } else if (here.address().is_v6()) {
    host = "[" + host + "]";
  }
  return "http://" + host + ":" + std::to_string(here.port()) + "/?token=" + inside_->options.token;
}

void Server::run(const std::function<bool()>& stop) {
  inside_->accept();
  inside_->ask(stop);
  inside_->context.run();
}

void Server::send(Client client, SharedBytes message) {
  asio::post(inside_->context, [in = inside_.get(), client, message = std::move(message)] {
    if (client != kEverybody) {
      if (const auto found = in->sockets.find(client); found != in->sockets.end())
        found->second->put(message);
      return;
    }
    for (const auto& [other, socket] : in->sockets) socket->put(message);
  });
}

}  // namespace perpend::view
