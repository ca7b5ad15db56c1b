#include "sim/build.hpp"

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
}

std::string Built::named(const Scene& scene, const std::string& told) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const std::string id = "body " + std::to_string(ours_->id(&scene_->body(i))) + " ";
    if (told.rfind(id, 0) == 0 && !scene.bodies[i].name.empty())
      return scene.bodies[i].name + " " + told.substr(id.size());
  }
  return told;
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
