#include "glb.hpp"

#ifdef PERPEND_HAS_TINYGLTF
#include <tiny_gltf.h>

#include <cstring>
#include <sstream>
#endif

namespace perpend::app {

#ifndef PERPEND_HAS_TINYGLTF

bool has_gltf() { return false; }
std::string glb(const std::vector<draw::Clip>&, double) { return {}; }

#else

namespace {

// Collects numbers in one buffer, with a view and an accessor for each list.
class GltfBuffer {
 public:
  explicit GltfBuffer(tinygltf::Model& model) : model_(model) { model.buffers.emplace_back(); }

  // `width` numbers a row. `target`: 0 for what is no vertex.
  int add(const std::vector<float>& numbers, int width, int target, bool limits = false) {
    tinygltf::BufferView view;
    view.buffer = 0;
    view.byteOffset = bytes().size();
    view.byteLength = numbers.size() * sizeof(float);
    view.target = target;
    bytes().resize(view.byteOffset + view.byteLength);
    std::memcpy(bytes().data() + view.byteOffset, numbers.data(), view.byteLength);
    model_.bufferViews.push_back(view);
    tinygltf::Accessor accessor;
    accessor.bufferView = static_cast<int>(model_.bufferViews.size()) - 1;
    accessor.componentType = TINYGLTF_COMPONENT_TYPE_FLOAT;
    accessor.count = numbers.size() / static_cast<std::size_t>(width);
    accessor.type = width == 1   ? TINYGLTF_TYPE_SCALAR
                    : width == 3 ? TINYGLTF_TYPE_VEC3
                                 : TINYGLTF_TYPE_VEC4;
    if (limits)
      for (int k = 0; k < width; ++k) {
        double least = numbers[static_cast<std::size_t>(k)], most = least;
        for (std::size_t i = static_cast<std::size_t>(k); i < numbers.size();
             i += static_cast<std::size_t>(width)) {
          least = std::min(least, static_cast<double>(numbers[i]));
          most = std::max(most, static_cast<double>(numbers[i]));
        }
        accessor.minValues.push_back(least);
        accessor.maxValues.push_back(most);
      }
    model_.accessors.push_back(accessor);
    return static_cast<int>(model_.accessors.size()) - 1;
  }

 private:
  std::vector<unsigned char>& bytes() { return model_.buffers.front().data; }
  tinygltf::Model& model_;
};

std::vector<float> flat(const std::vector<std::array<Vector3d, 3> >& triangles) {
  std::vector<float> out;
  for (const auto& triangle : triangles)
    for (const Vector3d& point : triangle)
      for (Index k = 0; k < 3; ++k) out.push_back(static_cast<float>(point[k]));
  return out;
}

bool told(const State& state, Index body) {
  return state.positions.row(body).allFinite() && state.quaternions.row(body).allFinite();
}

class GltfWriter {
 public:
  std::string write(const std::vector<draw::Clip>& clips, double slow) {
    model_.asset.version = "2.0";
    model_.asset.generator = "Perpend";
    model_.animations.emplace_back().name = "run";
    tinygltf::Node root;
    root.name = "Perpend";
    double to_the_right = 0;
    for (const draw::Clip& clip : clips) {
      const Vector3d half = extent(clip);
      tinygltf::Node group;
      group.name = clip.run.title;
      group.translation = {to_the_right, 0, 0};
      to_the_right += 2.5 * half.x();
      plane_half_ = 2 * half.norm();
      group.children = bodies(clip, slow);
      root.children.push_back(put(group));
    }
    // Up is against gravity here and y there.
    const Vector3d gravity = clips.front().scene.gravity;
    const Vector3d up = gravity.norm() > 0 ? Vector3d(-gravity.normalized()) : Vector3d::UnitZ();
    const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(up, Vector3d::UnitY());
    root.rotation = {turn.x(), turn.y(), turn.z(), turn.w()};
    tinygltf::Scene scene;
    scene.name = clips.front().scene.name;
    scene.nodes = {put(root)};
    model_.scenes.push_back(scene);
    model_.defaultScene = 0;
    std::ostringstream out;
    tinygltf::TinyGLTF().WriteGltfSceneToStream(&model_, out, false, true);
    return out.str();
  }

 private:
  int put(const tinygltf::Node& node) {
    model_.nodes.push_back(node);
    return static_cast<int>(model_.nodes.size()) - 1;
  }

  // Half of the box around all that moves, m.
  static Vector3d extent(const draw::Clip& clip) {
    Vector3d lower = Vector3d::Constant(1e300), upper = -lower;
    for (std::size_t i = 0; i < clip.scene.bodies.size(); ++i) {
      if (!(clip.scene.bodies[i].mass > 0)) continue;
      const State& first = clip.run.states.front();
      if (!told(first, static_cast<Index>(i))) continue;
      const Vector3d at = first.positions.row(static_cast<Index>(i));
      const Vector3d reach = Vector3d::Constant(radius(clip.scene.bodies[i]));
      lower = lower.cwiseMin(at - reach);
      upper = upper.cwiseMax(at + reach);
    }
    return lower.x() <= upper.x() ? Vector3d((upper - lower) / 2) : Vector3d::Ones();
  }

  std::vector<int> bodies(const draw::Clip& clip, double slow) {
    const std::vector<std::array<float, 3> > colours = draw::body_colours(clip.scene);
    const std::vector<State>& states = clip.run.states;
    std::vector<float> times;
    times.reserve(states.size());
    for (const State& state : states)
      times.push_back(static_cast<float>(slow * (state.time - states.front().time)));
    const int clock = buffer_.add(times, 1, 0, true);
    std::vector<int> out;
    for (std::size_t i = 0; i < clip.scene.bodies.size(); ++i) {
      const Body& body = clip.scene.bodies[i];
      const auto row = static_cast<Index>(i);
      tinygltf::Node node;
      node.name = body.name;
      add_meshes(body, colours[i], node);
      if (told(states.front(), row)) {
        const auto p = states.front().positions.row(row);
        const auto q = states.front().quaternions.row(row);
        node.translation = {p[0], p[1], p[2]};
        node.rotation = {q[1], q[2], q[3], q[0]};
      }
      out.push_back(put(node));
      if (body.mass > 0 || body.motion) add_motion(states, row, out.back(), clock);
    }
    return out;
  }

  // One mesh with a primitive for each part.
  void add_meshes(const Body& body, const std::array<float, 3>& colour, tinygltf::Node& node) {
    tinygltf::Mesh mesh;
    mesh.name = body.name;
    const int material = material_of(colour);
    for (const draw::Mesh& part : draw::meshes(body, plane_half_)) {
      if (part.points.empty()) continue;
      tinygltf::Primitive primitive;
      primitive.attributes["POSITION"] =
          buffer_.add(flat(part.points), 3, TINYGLTF_TARGET_ARRAY_BUFFER, true);
      primitive.attributes["NORMAL"] =
          buffer_.add(flat(part.normals), 3, TINYGLTF_TARGET_ARRAY_BUFFER);
      primitive.material = material;
      primitive.mode = TINYGLTF_MODE_TRIANGLES;
      mesh.primitives.push_back(primitive);
    }
    if (mesh.primitives.empty()) return;
    model_.meshes.push_back(mesh);
    node.mesh = static_cast<int>(model_.meshes.size()) - 1;
  }

  int material_of(const std::array<float, 3>& colour) {
    const auto [at, fresh] = materials_.try_emplace(colour, materials_.size());
    if (fresh) {
      tinygltf::Material material;
      material.pbrMetallicRoughness.baseColorFactor = {colour[0], colour[1], colour[2], 1};
      material.pbrMetallicRoughness.metallicFactor = 0;
      material.pbrMetallicRoughness.roughnessFactor = 0.75;
      material.doubleSided = true;
      model_.materials.push_back(material);
    }
    return static_cast<int>(at->second);
  }

  // A pose that is not told stays the one before. q and -q are the same: the nearer one is written,
  // since who plays it goes the straight way between two of them.
  void add_motion(const std::vector<State>& states, Index row, int node, int clock) {
    std::vector<float> positions, turns;
    Eigen::Vector4d last(0, 0, 0, 1);
    Vector3d place = Vector3d::Zero();
    for (const State& state : states) {
      if (told(state, row)) {
        place = state.positions.row(row);
        const auto q = state.quaternions.row(row);
        Eigen::Vector4d next(q[1], q[2], q[3], q[0]);
        next.normalize();
        last = !turns.empty() && next.dot(last) < 0 ? Eigen::Vector4d(-next) : next;
      }
      for (Index k = 0; k < 3; ++k) positions.push_back(static_cast<float>(place[k]));
      for (Index k = 0; k < 4; ++k) turns.push_back(static_cast<float>(last[k]));
    }
    add_channel(node, "translation", clock, buffer_.add(positions, 3, 0));
    add_channel(node, "rotation", clock, buffer_.add(turns, 4, 0));
  }

  void add_channel(int node, const char* path, int input, int output) {
    tinygltf::Animation& run = model_.animations.front();
    tinygltf::AnimationSampler sampler;
    sampler.input = input;
    sampler.output = output;
    sampler.interpolation = "LINEAR";
    run.samplers.push_back(sampler);
    tinygltf::AnimationChannel channel;
    channel.sampler = static_cast<int>(run.samplers.size()) - 1;
    channel.target_node = node;
    channel.target_path = path;
    run.channels.push_back(channel);
  }

  tinygltf::Model model_;
  GltfBuffer buffer_{model_};
  std::map<std::array<float, 3>, std::size_t> materials_;
  double plane_half_ = 1;
};

}  // namespace

bool has_gltf() { return true; }

std::string glb(const std::vector<draw::Clip>& clips, double slow) {
  return GltfWriter().write(clips, slow);
}

#endif

}  // namespace perpend::app
