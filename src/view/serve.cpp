// What perpend/view.hpp offers, put together.
#include "perpend/view.hpp"
#include "view/server.hpp"

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
  about.token = random_token();
  Live* live = nullptr;
  Server server(
      about,
      {[&](Client client) { live->joined(client); }, [&](Client client) { live->left(client); },
       [&](Client client, Message message) { live->heard(client, std::move(message)); }});
  Live simulation(scene, options.step, options.threads, hand_of(options),
                  [&](Client client, SharedBytes bytes) { server.send(client, std::move(bytes)); });
  live = &simulation;
  ready(server.address());
  server.run(stop);
}

HandRun follow_hand(const Scene& scene, const ViewOptions& options, Index steps,
                    const std::function<bool()>& stop) {
  ThreadPool pool(options.threads);
  Session session(scene, options.step, pool, hand_of(options));
  session.keep_within(0);
  HandRun out;
  while (session.steps() < steps && out.message.empty() && !stop()) out.message = session.step();
  out.steps = session.steps();
  out.time = session.time();
  out.state_hash = session.hash();
  return out;
}

}  // namespace perpend::view
