#include "model/mjcf_text.hpp"

#include <filesystem>

#include "perpend/io.hpp"

namespace perpend::model {
namespace {

constexpr std::size_t kMostIncludes = 1000;

}  // namespace

MjcfText::MjcfText(const std::string& text, const std::string& path, const Options& options,
                   Report& report)
    : path_(path), files_(path, options, report) {
  const XmlFile& file = documents_.emplace("", parse_xml(text, path)).first->second;
  root_.emplace(file.root(), file.name);
  visit(*root_, "");
}

void MjcfText::include(const Element& element, const std::string& section) {
  const std::string name = element.text("file");
  if (documents_.contains(name)) element.refuse("'" + name + "' is included twice");
  if (documents_.size() > kMostIncludes) element.refuse("includes go on without end");
  const std::string file = files_.find(name, element.place(), "include");
  const std::string shown =
      (std::filesystem::path(path_).parent_path() / name).lexically_normal().string();
  const XmlFile& read = documents_.emplace(name, parse_xml(read_bytes(file), shown)).first->second;
  visit(Element(read.root(), read.name), section);
}

void MjcfText::visit(const Element& element, const std::string& section) {
  for (const Element& child : element.children()) {
    const std::string tag = child.tag();
    if (tag == "include") {
      include(child, section);
      continue;
    }
    all_.push_back(child);
    if (tag == "compiler") {
      mesh_folder_ = child.text("meshdir", mesh_folder_);
      texture_folder_ = child.text("texturedir", texture_folder_);
      strip_ = child.text("strippath", "false") == "true";
    }
    if (tag == "mesh" || tag == "hfield" || tag == "skin" || tag == "texture")
      for (const char* file :
           {"file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"}) {
        if (!child.has(file)) continue;
        std::string name = child.text(file);
        if (strip_) name = std::filesystem::path(name).filename().string();
        files_.find_in(tag == "texture" ? texture_folder_ : mesh_folder_, name, child.place(), tag);
      }
    if (child.has("name"))
      places_.emplace(std::pair(tag == "freejoint" ? "joint" : tag, child.text("name")),
                      child.place());
    if (tag == "body") bodies_.push_back(child.place());
    if (tag == "geom" || tag == "joint" || tag == "freejoint")
      in_body_[{tag == "geom" ? tag : "joint", inside_}].push_back(child.place());
    if (!section.empty()) in_section_[section].push_back(child);
    const int outside = inside_;
    if (tag == "worldbody") inside_ = 0;
    if (tag == "body") inside_ = static_cast<int>(bodies_.size());
    const bool lists = tag == "actuator" || tag == "equality" || tag == "tendon";
    visit(child, lists ? tag : "");
    inside_ = outside;
  }
}

Included MjcfText::included() const {
  return [this](const Element& element) -> std::optional<Element> {
    const auto found = documents_.find(element.text("file", ""));
    if (found == documents_.end()) return {};
    return Element(found->second.root(), found->second.name);
  };
}

Place MjcfText::place(const std::string& tag, const std::string& name) const {
  const auto found = places_.find({tag, name});
  return found == places_.end() ? Place{path_, 0} : found->second;
}

Place MjcfText::body(int k, int bodies, const std::string& name) const {
  if (Place named = place("body", name); named.line > 0) return named;
  if (static_cast<int>(bodies_.size()) == bodies - 1 && k > 0)
    return bodies_[static_cast<std::size_t>(k - 1)];
  return {path_, 0};
}

Place MjcfText::in_body(const std::string& tag, int k, int nth, int bodies) const {
  const auto found = in_body_.find({tag, k});
  if (static_cast<int>(bodies_.size()) != bodies - 1 || found == in_body_.end() || nth < 0 ||
      nth >= static_cast<int>(found->second.size()))
    return {path_, 0};
  return found->second[static_cast<std::size_t>(nth)];
}

int MjcfText::count_in(const std::string& section) const {
  const auto found = in_section_.find(section);
  return found == in_section_.end() ? 0 : static_cast<int>(found->second.size());
}

const Element* MjcfText::nth_in(const std::string& section, int n) const {
  if (n < 0 || n >= count_in(section)) return nullptr;
  return &in_section_.at(section)[static_cast<std::size_t>(n)];
}

Place MjcfText::nth(const std::string& tag, int n) const {
  for (const Element& one : all_)
    if (one.tag() == tag && n-- == 0) return one.place();
  return {path_, 0};
}

Place MjcfText::last_with(const char* attribute) const {
  const std::vector<Element> all = with(attribute);
  return all.empty() ? Place{path_, 0} : all.back().place();
}

std::string MjcfText::file_at(const std::string& tag, int line) const {
  for (const Element& one : all_)
    if (one.tag() == tag && one.place().line == line) return one.place().file;
  return path_;
}

std::vector<Element> MjcfText::with(const char* attribute) const {
  std::vector<Element> out;
  for (const Element& one : all_)
    if (one.has(attribute)) out.push_back(one);
  return out;
}

}  // namespace perpend::model
