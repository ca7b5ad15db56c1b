// What perpend/view.hpp offers, put together.
#include "perpend/view.hpp"
#include "view/server.hpp"
#include "view/token.hpp"

namespace perpend::view {
namespace {

Hand hand_of(const ViewOptions& options) {
  return options.hand.empty() ? Hand{} : hand_from_json(options.hand, options.hand_name);
}

}  // namespace

void serve(const Scene& scene, const ViewOptions& options,
           const std::function<void(const std::string&)>& ready,
           const std::function<bool()>& stop) {
  ServerOptions about;
  about.listen = options.listen;
  about.port = options.port;
  about.token = options.token.empty() ? random_token() : options.token;
  Live* live = nullptr;
  Server server(
      about,
      {[&](Client client) { live->joined(client); }, [&](Client client) { live->left(client); },
       [&](Client client, Message message) { live->heard(client, std::move(message)); }});
  Live simulation(scene, options.panes, options.threads, hand_of(options),
                  [&](Client client, SharedBytes bytes) { server.send(client, std::move(bytes)); });
  live = &simulation;
  ready(server.address());
  server.run(stop);
}

HandRun follow_hand(const Scene& scene, const ViewOptions& options, Index steps,
                    const std::function<bool()>& stop) {
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

}  // namespace perpend::view
