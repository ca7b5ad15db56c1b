// What perpend/view.hpp offers, put together.
#include "perpend/view.hpp"
#include "view/playback.hpp"
#include "view/record_run.hpp"
#include "view/server.hpp"

namespace perpend::view {
namespace {

Hand hand_of(const ViewOptions& options) {
  return options.hand.empty() ? Hand{} : hand_from_json(options.hand, options.hand_name);
}

ServerOptions server_of(const ViewOptions& options) {
  ServerOptions out;
  out.listen = options.listen;
  out.port = options.port;
  out.token = random_token();
  return out;
}

// Tells a Live or a Playback, once there is one.
template <class What>
Listener listener_to(What*& listener) {
  return {[&](Client client) { listener->joined(client); },
          [&](Client client) { listener->left(client); },
          [&](Client client, Message message) { listener->heard(client, std::move(message)); }};
}

}  // namespace

HandRun serve(const Scene& scene, const ViewOptions& options,
              const std::function<void(const std::string&)>& ready,
              const std::function<bool()>& stop) {
  Live* listener = nullptr;
  Server server(server_of(options), listener_to(listener));
  Live live(scene, options.step, options.threads, hand_of(options),
            [&](Client client, SharedBytes bytes) { server.send(client, std::move(bytes)); });
  listener = &live;
  ready(server.address());
  server.run(stop);
  const auto [hand, steps] = live.finish();
  if (options.out.empty()) return {};
  return record_run(scene, options.step, options.threads, hand, steps, options.out,
                    [] { return false; });
}

HandRun follow_hand(const Scene& scene, const ViewOptions& options, Index steps,
                    const std::function<bool()>& stop) {
  return record_run(scene, options.step, options.threads, hand_of(options), steps, options.out,
                    stop);
}

void serve_recordings(const std::vector<std::string>& files, const ViewOptions& options,
                      const std::function<void(const std::string&)>& ready,
                      const std::function<bool()>& stop) {
  Playback* listener = nullptr;
  Server server(server_of(options), listener_to(listener));
  Playback playback(
      files, [&](Client client, SharedBytes bytes) { server.send(client, std::move(bytes)); });
  listener = &playback;
  ready(server.address());
  server.run(stop);
}

}  // namespace perpend::view
