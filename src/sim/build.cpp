#include "sim/build.hpp"

#include <algorithm>
#include <map>

namespace perpend::sim {

Built::Built(const Scene& scene, double h, Engine engine) : h_(h), dispatcher_(&configuration_) {
  if (engine == Engine::perpend) {
    auto ours =
        std::make_unique<DynamicsWorld>(&dispatcher_, &broadphase_, &solver_, &configuration_);
    ours_ = ours.get();
    world_ = std::move(ours);
  } else {
    world_ = std::make_unique<btDiscreteDynamicsWorld>(&dispatcher_, &broadphase_, &solver_,
                                                       &configuration_);
  }
  scene_ = std::make_unique<bullet::SceneInWorld>(scene, h, *world_);
  if (!ours_) return;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (scene.bodies[i].id) ours_->set_id(&scene_->body(i), *scene.bodies[i].id);
  for (std::size_t i = 0; i < scene.joints.size(); ++i)
    if (scene.joints[i].id) ours_->set_id(&scene_->joint(i), *scene.joints[i].id);
  drives_ = std::make_unique<SceneDrives>(scene, *scene_, *ours_);
}

std::string Built::named(const Scene& scene, const std::string& told) {
  constexpr std::string_view kBody = "body ", kDigits = "0123456789";
  std::map<std::string, std::string> names;  // by ids
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    names[std::to_string(ours_->id(&scene_->body(i)))] = scene.bodies[i].name;
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = told.find(kBody); at != std::string::npos; at = told.find(kBody, from)) {
    const std::size_t id = at + kBody.size();
    const std::size_t end = std::min(told.find_first_not_of(kDigits, id), told.size());
    const auto found = names.find(told.substr(id, end - id));
    const bool named = found != names.end() && !found->second.empty();
    out += told.substr(from, at - from) + (named ? found->second : told.substr(at, end - at));
    from = end;
  }
  return out + told.substr(from);
}

Snapshot Built::save() const {
  Snapshot out = ours_->save();
  out.h = h_;
  out.step = steps();
  return out;
}

std::string Built::restore(const Snapshot& saved) {
  if (saved.h != h_)
    return "dt: the run that was saved had steps of " + std::to_string(saved.h) +
           " s, this one of " + std::to_string(h_) + " s";
  if (std::string why = ours_->restore(saved); !why.empty()) return why;
  scene_->set_steps(saved.step);
  return {};
}

}  // namespace perpend::sim
