#include "capture/ode/exported.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "capture/ode/rows.hpp"
#include "perpend/base.hpp"

namespace perpend::capture::from_ode {
namespace {

std::string text_of(dWorldID world) {
  char* text = nullptr;
  std::size_t length = 0;
  std::FILE* file = open_memstream(&text, &length);
  if (!file) return {};
  dWorldExportDIF(world, file, "");
  std::fclose(file);
  const std::unique_ptr<char, void (*)(void*)> owner(text, std::free);
  return std::string(text, length);
}

// Numbers as ODE writes them.
void append(std::string& out, const dReal* numbers, int count) {
  for (int i = 0; i < count; ++i) {
    out += formatted("%.15g", numbers[i]);
    out += i + 1 < count ? "," : ";";
  }
}
std::string state_of(dBodyID body) {
  std::string out;
  append(out, dBodyGetPosition(body), 3);
  append(out, dBodyGetQuaternion(body), 4);
  append(out, dBodyGetLinearVel(body), 3);
  append(out, dBodyGetAngularVel(body), 3);
  return out;
}

// "name = {1,2,3}," or "name = 1,": the part between, without braces.
std::string_view value_of(std::string_view line, std::string_view name) {
  line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
  if (!line.starts_with(name) || line.substr(name.size(), 3) != " = ") return {};
  line.remove_prefix(name.size() + 3);
  if (line.starts_with('{')) return line.substr(1, line.find('}') - 1);
  return line.substr(0, line.find(','));
}
bool read(std::string_view text, dReal* numbers, int count) {
  for (int i = 0; i < count; ++i) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), numbers[i]);
    if (error != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.starts_with(',')) text.remove_prefix(1);
  }
  return true;
}
// The numbers of "{body[3],body[0]}".
std::vector<int> bodies_in(std::string_view text) {
  std::vector<int> out;
  for (std::size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    int number = -1;
    std::from_chars(text.data() + at + 1, text.data() + text.size(), number);
    out.push_back(number);
  }
  return out;
}

struct ContactBlock {
  std::vector<int> bodies;
  dContact contact{};
};

// One line of a contact joint's block.
void take(std::string_view line, ContactBlock& joint) {
  dSurfaceParameters& surface = joint.contact.surface;
  const auto number = [&](const char* name, dReal& out, int flag) {
    if (const std::string_view value = value_of(line, name); !value.empty() && read(value, &out, 1))
      surface.mode |= flag;
  };
  const auto vector = [&](const char* name, dReal* out, int flag) {
    if (const std::string_view value = value_of(line, name); !value.empty() && read(value, out, 3))
      surface.mode |= flag;
  };
  if (const std::string_view value = value_of(line, "body"); !value.empty())
    joint.bodies = bodies_in(value);
  vector("pos", joint.contact.geom.pos, 0);
  vector("normal", joint.contact.geom.normal, 0);
  vector("fdir1", joint.contact.fdir1, dContactFDir1);
  number("depth", joint.contact.geom.depth, 0);
  number("mu", surface.mu, 0);
  number("mu2", surface.mu2, dContactMu2);
  number("bounce", surface.bounce, dContactBounce);
  number("bounce_vel", surface.bounce_vel, dContactBounce);
  number("soft_ERP", surface.soft_erp, dContactSoftERP);
  number("soft_CFM", surface.soft_cfm, dContactSoftCFM);
  number("motion1", surface.motion1, dContactMotion1);
  number("motion2", surface.motion2, dContactMotion2);
  number("slip1", surface.slip1, dContactSlip1);
  number("slip2", surface.slip2, dContactSlip2);
  dReal approximation = 0;
  number("friction_approximation", approximation, 0);
  if (static_cast<int>(approximation) & 1) surface.mode |= dContactApprox1_1;
  if (static_cast<int>(approximation) & 2) surface.mode |= dContactApprox1_2;
}

struct World {
  std::vector<std::string> bodies;  // their states
  std::vector<ContactBlock> contacts;
};

World parsed(const std::string& text) {
  World out;
  enum class Block { other, body, contact } block = Block::other;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("body[")) {
      block = Block::body;
      out.bodies.emplace_back();
    } else if (line.starts_with("joint[")) {
      block = line.find("contact_joint") != std::string::npos ? Block::contact : Block::other;
      if (block == Block::contact) out.contacts.emplace_back();
    } else if (block == Block::body) {
      for (const char* name : {"pos", "q", "lvel", "avel"})
        if (const std::string_view value = value_of(line, name);
            !value.empty() && line.starts_with('\t') && !line.starts_with("\t\t"))
          out.bodies.back() += std::string(value) + ";";
    } else if (block == Block::contact) {
      take(line, out.contacts.back());
    }
  }
  return out;
}

using Pair = std::pair<dBodyID, dBodyID>;

}  // namespace

std::unordered_map<dJointID, dContact> exported_contacts(dWorldID world,
                                                         const std::vector<dBodyID>& bodies) {
  const World text = parsed(text_of(world));
  std::unordered_map<std::string, dBodyID> by_state;  // null: of several
  for (const dBodyID body : bodies) {
    const auto [at, added] = by_state.emplace(state_of(body), body);
    if (!added) at->second = nullptr;
  }
  const auto body_of = [&](int number) -> dBodyID {
    if (number < 0 || static_cast<std::size_t>(number) >= text.bodies.size()) return nullptr;
    const auto at = by_state.find(text.bodies[static_cast<std::size_t>(number)]);
    return at == by_state.end() ? nullptr : at->second;
  };
  std::map<Pair, std::vector<const dContact*>> contacts;
  for (const ContactBlock& one : text.contacts) {
    if (one.bodies.empty()) continue;
    const dBodyID first = body_of(one.bodies[0]);
    const dBodyID second = one.bodies.size() > 1 ? body_of(one.bodies[1]) : nullptr;
    if (first && (one.bodies.size() == 1 || second))
      contacts[{first, second}].push_back(&one.contact);
  }
  std::map<Pair, std::vector<dJointID>> joints;
  for (const dBodyID body : bodies)
    for (int i = 0; i < dBodyGetNumJoints(body); ++i) {
      const dJointID joint = dBodyGetJoint(body, i);
      if (dJointGetType(joint) != dJointTypeContact) continue;
      const OdePair pair = bodies_of(joint);
      if (pair.first == body) joints[{pair.first, pair.second}].push_back(joint);
    }
  std::unordered_map<dJointID, dContact> out;
  for (const auto& [pair, made] : contacts) {
    const auto at = joints.find(pair);
    if (at == joints.end() || at->second.size() != made.size()) continue;
    for (std::size_t i = 0; i < made.size(); ++i) out[at->second[i]] = *made[i];
  }
  return out;
}

}  // namespace perpend::capture::from_ode
