// The text of an MJCF model: its files, and the lines of what libmujoco gives only values of.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/files.hpp"
#include "model/walk.hpp"
#include "model/xml.hpp"

namespace perpend::model {

class MjcfText {
 public:
  // Reads what it includes. Throws where a file is missing or out of reach.
  MjcfText(const std::string& text, const std::string& path, const Options&, Report&);

  const Element& root() const { return *root_; }
  Included included() const;
  // Of the body, joint, geom ... with that name, or the file.
  Place place(const std::string& tag, const std::string& name) const;
  // Of body k as libmujoco counts them, where the file has each of them.
  Place body(int k, int bodies, const std::string& name) const;
  // Of the nth geom or joint of a body; line 0 where composites hide it.
  Place in_body(const std::string& tag, int k, int nth, int bodies) const;
  // Of the elements inside <actuator>, <equality> or <tendon>: how many there are, and the nth.
  int count_in(const std::string& section) const;
  const Element* nth_in(const std::string& section, int n) const;
  // Of the nth element with this tag.
  Place nth(const std::string& tag, int n) const;
  // Of the last element with this attribute, which is the one that counts.
  Place last_with(const char* attribute) const;
  // The name of the file in which an element stands at that line; the model's if none does.
  std::string file_at(const std::string& tag, int line) const;
  std::string name() const { return root_->text("model", ""); }
  // Elements anywhere that have this attribute.
  std::vector<Element> with(const char* attribute) const;

 private:
  // `section`: that of which the element is, or stands for, the list.
  void visit(const Element&, const std::string& section);
  void include(const Element&, const std::string& section);

  std::string path_;
  Files files_;
  std::map<std::string, XmlFile> documents_;  // by what <include> says
  std::optional<Element> root_;
  std::map<std::pair<std::string, std::string>, Place> places_;
  std::vector<Place> bodies_;
  std::map<std::pair<std::string, int>, std::vector<Place>> in_body_;  // by tag and body
  int inside_ = -1;  // while reading: the body; 0: the world, -1: none
  std::map<std::string, std::vector<Element>> in_section_;
  std::vector<Element> all_;
  std::string mesh_folder_, texture_folder_;
  bool strip_ = false;
};

}  // namespace perpend::model
