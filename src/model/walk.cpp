#include "model/walk.hpp"

#include <algorithm>
#include <set>

namespace perpend::model {
namespace {

bool listed(std::string_view list, std::string_view word) {
  if (list == "*") return true;
  for (std::size_t from = 0; from < list.size();) {
    const std::size_t end = std::min(list.find(' ', from), list.size());
    if (list.substr(from, end - from) == word) return true;
    from = end + 1;
  }
  return false;
}

// PARENT/TAG, else */TAG; in MJCF's <default> the tag of any parent.
const Tag* tag_of(Format format, std::string_view parent, std::string_view tag) {
  const Tag* anywhere = nullptr;
  for (const Tag& one : tags()) {
    if (one.format != format) continue;
    const std::size_t slash = one.path.find('/');
    const std::string_view above = one.path.substr(0, slash), what = one.path.substr(slash + 1);
    if (above == parent && what == "*" && !anywhere) anywhere = &one;
    if (what != tag) continue;
    if (above == parent) return &one;
    if (above == "*" || (format == Format::mjcf && parent == "default" && !anywhere))
      anywhere = &one;
  }
  return anywhere;
}

struct Attribute {
  Format format;
  std::string_view names;
  Loss::Kind kind;
  std::string_view why;
};
using Kind = Loss::Kind;
constexpr std::string_view kSoft = "softness: contacts and limits of the scene are rigid";
// Why attributes do not come over, whichever tag they are of.
constexpr Attribute kAttributes[] = {
    {Format::urdf, "effort velocity", Kind::physics,
     "limits an actuator: give your controller's motor that limit"},
    {Format::mjcf, "rgba material group user texcoord width", Kind::appearance, "looks"},
    {Format::mjcf, "solref solimp solmix solreflimit solimplimit solreffriction solimpfriction",
     Kind::physics, kSoft},
    {Format::mjcf, "margin gap", Kind::physics, "contacts of the scene begin at gap 0"},
    {Format::mjcf, "priority", Kind::physics, "both bodies have their say in friction"},
    {Format::mjcf, "ctrlrange ctrllimited", Kind::physics, "limits an input: inputs are yours"},
    {Format::mjcf, "density viscosity wind", Kind::physics, "there is no medium"},
    {Format::mjcf,
     "solver iterations tolerance noslip_iterations noslip_tolerance mpr_iterations mpr_tolerance "
     "jacobian integrator collision impratio cone apirate warmstart refsafe sensor override energy "
     "fwdinv sensornoise multiccd",
     Kind::engine, "a setting of MuJoCo"},
};

void attributes(const Element& element, const Tag& tag, Format format, Report& report) {
  for (const tinyxml2::XMLAttribute* one = element.xml().FirstAttribute(); one; one = one->Next()) {
    const std::string name = one->Name();
    if (listed(tag.attributes, name) || name.starts_with("xmlns")) continue;
    Kind kind = Kind::physics;
    std::string_view why = "does not come over";
    for (const Attribute& known : kAttributes)
      if (known.format == format && listed(known.names, name)) {
        kind = known.kind;
        why = known.why;
      }
    report.lose({element.place().file, one->GetLineNum()}, element.tag() + "@" + name, kind,
                std::string(why));
  }
}

// What URDF and SDF may have several times in one place; of all else that comes over, readers take
// one. MuJoCo refuses it by itself.
constexpr std::string_view kMany = "collision frame include joint link model world";

bool second(const Element& child, const Tag& tag, Format format, std::set<std::string>& seen) {
  if (format == Format::mjcf || tag.becomes.empty() || listed(kMany, child.tag())) return false;
  const std::string_view path = tag.path;
  return !seen.insert(path.starts_with("geometry/") ? "geometry" : child.tag()).second;
}

void below(const Element& element, const std::string& parent, Format format, Report& report,
           const Included& included) {
  std::set<std::string> seen;
  for (const Element& child : element.children()) {
    if (included && child.tag() == "include") {
      if (const auto root = included(child)) below(*root, parent, format, report, included);
      continue;
    }
    const Tag* tag = tag_of(format, parent, child.tag());
    if (!tag) {
      report.lose(child.place(), child.tag(), Kind::physics, "is unknown inside <" + parent + ">");
    } else if (tag->becomes.empty()) {
      report.lose(child.place(), child.tag(), tag->kind, std::string(tag->why));
    } else if (second(child, *tag, format, seen)) {
      report.lose(child.place(), child.tag(), Kind::physics,
                  "a second one inside <" + parent + ">: one is taken");
    } else {
      attributes(child, *tag, format, report);
      below(child, child.tag(), format, report, included);
    }
  }
}

}  // namespace

void walk(const Element& root, Format format, Report& report, const Included& included) {
  if (const Tag* tag = tag_of(format, "", root.tag())) attributes(root, *tag, format, report);
  below(root, root.tag(), format, report, included);
}

}  // namespace perpend::model
