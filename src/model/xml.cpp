#include "model/xml.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "perpend/io.hpp"

namespace perpend::model {
namespace {

// Every attribute of a tag is compared with all before it, here and by the engines.
constexpr long kMostAttributes = 1000;

// Where `end` stands after `at`, and its length further.
std::size_t beyond(std::string_view text, std::string_view end, std::size_t at) {
  const std::size_t found = text.find(end, at);
  return found == text.npos ? text.size() : found + end.size();
}

void check_tags(std::string_view text, const std::string& name) {
  for (std::size_t at = text.find('<'); at < text.size(); at = text.find('<', at)) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("<!--")) {
      at = beyond(text, "-->", at + 4);
    } else if (rest.starts_with("<![CDATA[")) {
      at = beyond(text, "]]>", at);
    } else if (rest.starts_with("<!") || rest.starts_with("<?")) {
      at = beyond(text, ">", at);
    } else {
      const std::size_t begin = at;
      long attributes = 0;
      while ((at = text.find_first_of("=\"'>", at)) < text.size() && text[at] != '>') {
        if (text[at] == '=' && ++attributes > kMostAttributes)
          refuse_at(
              {name, static_cast<int>(
                         1 + std::count(text.begin(),
                                        text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'))},
              "a tag has more than " + std::to_string(kMostAttributes) + " attributes");
        at = text[at] == '=' ? at + 1 : beyond(text, text.substr(at, 1), at + 1);
      }
    }
  }
}

}  // namespace

XmlFile parse_xml(const std::string& text, const std::string& name) {
  if (text.find('\0') != text.npos) throw io::InputError(name + ": is not text");
  check_tags(text, name);
  XmlFile out{name, std::make_unique<tinyxml2::XMLDocument>()};
  const tinyxml2::XMLError error = out.document->Parse(text.data(), text.size());
  if (error == tinyxml2::XML_SUCCESS && out.document->RootElement()) return out;
  const Place place{name, out.document->ErrorLineNum()};
  const char* why = tinyxml2::XMLDocument::ErrorIDToName(error);
  switch (error) {
    case tinyxml2::XML_SUCCESS:
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      why = "is empty";
      break;
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      why = "elements are nested too deeply";
      break;
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      why = "an element ends that was not begun, or the file ends too early";
      break;
    default:
      break;
  }
  throw io::InputError(place.words() + ": not XML: " + why);
}

std::string read_bytes(const std::string& path, std::size_t most) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw io::InputError(path + ": does not exist");
  if (!std::filesystem::is_regular_file(path, error))
    throw io::InputError(path + ": is not a regular file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw io::InputError(path + ": cannot be read");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > most)
    throw io::InputError(path + ": has " + std::to_string(size) + " bytes, at most " +
                         std::to_string(most) + " are read");
  std::string text(static_cast<std::size_t>(size), '\0');
  file.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::optional<std::vector<double>> numbers_of(std::string_view text) {
  std::vector<double> out;
  constexpr std::string_view kSpace = " \t\r\n";
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
    if (text.empty()) return out;
    if (text.front() == '+') text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range)
      value = 0;  // an exponent below what doubles have, or above: told apart below
    else if (error != std::errc())
      return {};
    const std::string_view word(text.data(), static_cast<std::size_t>(end - text.data()));
    if (error == std::errc::result_out_of_range && word.find("e-") == word.npos &&
        word.find("E-") == word.npos)
      return {};
    text.remove_prefix(word.size());
    if (!text.empty() && kSpace.find(text.front()) == kSpace.npos) return {};
    out.push_back(value);
  }
}

std::optional<Element> Element::child(const char* tag) const {
  const tinyxml2::XMLElement* found = element_->FirstChildElement(tag);
  if (!found) return {};
  return Element(*found, *file_);
}

std::vector<Element> Element::children(const char* tag) const {
  std::vector<Element> out;
  for (const tinyxml2::XMLElement* one = element_->FirstChildElement(tag); one;
       one = one->NextSiblingElement(tag))
    out.emplace_back(*one, *file_);
  return out;
}

std::string Element::text(const char* attribute) const {
  const char* value = element_->Attribute(attribute);
  if (!value) refuse(std::string("has no ") + attribute);
  return value;
}

std::string Element::text(const char* attribute, const std::string& otherwise) const {
  const char* value = element_->Attribute(attribute);
  return value ? value : otherwise;
}

double Element::number(const char* attribute) const {
  const std::string word = text(attribute);
  const auto found = numbers_of(word);
  if (!found || found->size() != 1 || !std::isfinite(found->front()))
    refuse(std::string(attribute) + " is '" + word.substr(0, 40) + "', not a number" +
           (word.find("${") != word.npos ? " (run xacro first)" : ""));
  return found->front();
}

double Element::number(const char* attribute, double otherwise) const {
  return has(attribute) ? number(attribute) : otherwise;
}

Vector3d Element::vector(const char* attribute, const Vector3d& otherwise) const {
  if (!has(attribute)) return otherwise;
  const std::string word = text(attribute);
  const auto found = numbers_of(word);
  Vector3d out = Vector3d::Zero();
  if (found && found->size() == 3) out = Eigen::Map<const Vector3d>(found->data());
  if (!found || found->size() != 3 || !out.allFinite())
    refuse(std::string(attribute) + " is '" + word.substr(0, 60) + "', not three numbers" +
           (word.find("${") != word.npos ? " (run xacro first)" : ""));
  return out;
}

void Element::refuse(const std::string& why) const {
  refuse_at(place(), "<" + tag() + ">: " + why);
}

void refuse_at(const Place& place, const std::string& why) {
  std::string line = place.words() + ": " + why;
  for (char& letter : line)
    if (static_cast<unsigned char>(letter) < ' ') letter = ' ';
  throw io::InputError(line);
}

}  // namespace perpend::model
