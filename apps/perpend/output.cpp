#include "output.hpp"

#include <unistd.h>

#include <iostream>

#include "command.hpp"

namespace perpend::app {
namespace {

bool output_claimed = false;
std::string spooled;  // the path that stands for standard input; empty: it was not read

std::string renamed(std::string text, const std::string& from, const std::string& to) {
  if (from.empty()) return text;
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

Output::Output(const std::string& target, Content content, Place whose)
    : OutputFile(target, content), unfinished_(path()) {
  if (whose == Place::free) claim(place());
}

void Output::outside(const std::function<void()>& action) {
  const Impatient now;
  action();
}

void write_output(const std::string& target, std::string_view text) {
  Output file(target, Output::Content::text, Output::Place::claimed);
  file.write(text);
  file.commit();
}

void claim(const io::Destination& place) {
  if (place.descriptor != STDOUT_FILENO) return;
  if (output_claimed) throw UsageError("-: only one thing can be written to standard output");
  output_claimed = true;
  std::cout.flush();
  std::cout.rdbuf(std::cerr.rdbuf());
}

Input::Input(const std::string& name) : path_(name) {
  if (name != "-") return;
  if (!spooled.empty()) throw UsageError("-: standard input can be read only once");
  const Impatient now;
  spool_.emplace(STDIN_FILENO, [this](const std::string& made) { unfinished_.emplace(made); });
  path_ = spooled = spool_->path();
}

std::string Output::about_target(std::string complaint) const {
  return renamed(std::move(complaint), path(), target());
}

std::string as_named(std::string complaint) {
  return renamed(std::move(complaint), spooled, "standard input");
}

}  // namespace perpend::app
