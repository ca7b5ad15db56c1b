// What perpend/view.hpp offers, put together.
#include "perpend/view.hpp"
#include "view/live.hpp"
#include "view/playback.hpp"
#include "view/record_run.hpp"
#include "view/server.hpp"
#include "view/token.hpp"

namespace perpend::view {
namespace {

Hand hand_of(const ViewOptions& options) {
  return options.hand.empty() ? Hand{} : hand_from_json(options.hand, options.hand_name);
}

ServerOptions server_of(const ViewOptions& options) {
  ServerOptions out;
  out.listen = options.listen;
  out.port = options.port;
  out.token = options.token.empty() ? random_token() : options.token;
  return out;
}

// Into `out`; of several panes the first one that is ours.
HandRun recorded(const Scene& scene, const ViewOptions& options, const Hand& hand, Index steps,
                 const std::function<bool()>& stop) {
  const std::optional<PaneRole> role = recorded_pane(options.panes);
  if (!role) throw io::InputError("runs of Bullet's own world are not recorded");
  return record_run(scene, options.panes[role->number - 1].step, options.threads, hand, steps,
                    options.out, stop, *role);
}

// Tells those who answer, once there are some.
Listener listener_to(Clients*& listener) {
  return {[&](Client client) { listener->joined(client); },
          [&](Client client) { listener->left(client); },
          [&](Client client, Message message, std::size_t bytes) {
            return listener->heard(client, std::move(message), bytes);
          }};
}

}  // namespace

HandRun serve(const Scene& scene, const ViewOptions& options,
              const std::function<void(const std::string&)>& ready,
              const std::function<bool()>& stop) {
  Clients* listener = nullptr;
  Server server(server_of(options), listener_to(listener));
  Live live(scene, options.panes, options.threads, hand_of(options),
            [&](Client client, SharedBytes bytes) { server.send(client, std::move(bytes)); });
  listener = &live;
  ready(server.address());
  server.run(stop);
  const auto [hand, steps] = live.finish();
  if (options.out.empty()) return {};
  return recorded(scene, options, hand, steps, [] { return false; });
}

HandRun follow_hand(const Scene& scene, const ViewOptions& options, Index steps,
                    const std::function<bool()>& stop) {
  if (!options.out.empty()) return recorded(scene, options, hand_of(options), steps, stop);
  ThreadPool pool(options.threads);
  Panes panes(scene, options.panes, pool, hand_of(options));
  panes.keep_within(0);
  HandRun out;
  while (panes.first().steps() < steps && out.message.empty() && !stop())
    out.message = panes.step();
  out.steps = panes.first().steps();
  out.time = panes.first().time();
  for (std::size_t k = 0; k < panes.count(); ++k)
    out.panes.push_back({panes[k].title(), panes[k].hash()});
  out.parted = panes.parting().step;
  out.parted_words = panes.words();
  return out;
}

void serve_recordings(const std::vector<std::string>& files, const ViewOptions& options,
                      const std::function<void(const std::string&)>& ready,
                      const std::function<bool()>& stop) {
  Clients* listener = nullptr;
  Server server(server_of(options), listener_to(listener));
  Playback playback(
      files, [&](Client client, SharedBytes bytes) { server.send(client, std::move(bytes)); });
  listener = &playback;
  ready(server.address());
  server.run(stop);
}

}  // namespace perpend::view
