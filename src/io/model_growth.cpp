#include "io/model_growth.hpp"

namespace perpend::io {

ModelColumns ModelGrowth::added(const ModelColumns& model) {
  ModelColumns out;
  std::unordered_set<std::int64_t> now;
  for (std::size_t i = 0; i < model.body_ids.size(); ++i)
    if (bodies_.insert(model.body_ids[i]).second) {
      now.insert(model.body_ids[i]);
      out.body_ids.push_back(model.body_ids[i]);
      out.body_names.push_back(model.body_names[i]);
    }
  for (std::size_t i = 0; i < model.joint_ids.size(); ++i)
    if (joints_.insert(model.joint_ids[i]).second) {
      out.joint_ids.push_back(model.joint_ids[i]);
      out.joint_names.push_back(model.joint_names[i]);
    }
  const auto keep = [](auto& to, const auto& from, Index first, Index count) {
    to.conservativeResize(to.rows() + count, from.cols());
    to.bottomRows(count) = from.middleRows(first, count);
  };
  for (std::size_t s = 0; s < model.shape_kinds.size(); ++s) {
    if (!now.contains(model.shape_bodies[s])) continue;
    const auto i = static_cast<Index>(s);
    const auto mesh = model.shape_meshes.row(i);
    out.shape_bodies.push_back(model.shape_bodies[s]);
    out.shape_kinds.push_back(model.shape_kinds[s]);
    keep(out.shape_poses, model.shape_poses, i, 1);
    keep(out.shape_sizes, model.shape_sizes, i, 1);
    keep(out.shape_meshes, model.shape_meshes, i, 1);
    if (mesh[1] == 0) continue;
    out.shape_meshes(out.shape_meshes.rows() - 1, 0) = meshes_[0] + out.vertices.rows();
    out.shape_meshes(out.shape_meshes.rows() - 1, 2) = meshes_[1] + out.triangles.rows();
    keep(out.vertices, model.vertices, mesh[0], mesh[1]);
    keep(out.triangles, model.triangles, mesh[2], mesh[3]);
  }
  meshes_[0] += out.vertices.rows();
  meshes_[1] += out.triangles.rows();
  return out;
}

}  // namespace perpend::io
