// XML with lines: an element's numbers, and what to say when they are none.
#pragma once

#include <tinyxml2.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "perpend/model.hpp"

namespace perpend::model {

// A document and its name in complaints.
struct XmlFile {
  std::string name;
  std::unique_ptr<tinyxml2::XMLDocument> document;
  const tinyxml2::XMLElement& root() const { return *document->RootElement(); }
};
XmlFile parse_xml(const std::string& text, const std::string& name);
// At most 64 MB of it.
std::string read_bytes(const std::string& path, std::size_t most = std::size_t{64} << 20);

// "FILE:LINE: WHY" on one line, as an io::InputError.
[[noreturn]] void refuse_at(const Place&, const std::string& why);

class Element {
 public:
  Element(const tinyxml2::XMLElement& element, const std::string& file)
      : element_(&element), file_(&file) {}
  std::string tag() const { return element_->Name(); }
  Place place() const { return {*file_, element_->GetLineNum()}; }
  const tinyxml2::XMLElement& xml() const { return *element_; }

  std::optional<Element> child(const char* tag) const;
  std::vector<Element> children(const char* tag = nullptr) const;

  bool has(const char* attribute) const { return element_->Attribute(attribute) != nullptr; }
  std::string text(const char* attribute) const;  // throws where it is missing
  std::string text(const char* attribute, const std::string& otherwise) const;
  double number(const char* attribute) const;
  double number(const char* attribute, double otherwise) const;
  Vector3d vector(const char* attribute, const Vector3d& otherwise) const;

  // "FILE:LINE: <TAG>: WHY"
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  const tinyxml2::XMLElement* element_;
  const std::string* file_;
};

// The numbers of a text, finite or infinite; nothing if something else stands there.
std::optional<std::vector<double>> numbers_of(std::string_view text);

}  // namespace perpend::model
