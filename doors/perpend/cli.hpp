// Shared by the command lines of our programs: names of options, whole numbers, misspelt options.
//
// "--max-iterations,--iterations" is one option. --help and messages show its first long name; the
// others are old names that still work.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace perpend::cli {

// Set it before you add commands to a program: they inherit it.
class Formatter : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool positional) const override {
    if (positional || option->get_lnames().empty())
      return CLI::Formatter::make_option_name(option, positional);
    std::string names;
    for (const std::string& letter : option->get_snames()) names += "-" + letter + ",";
    return names + "--" + option->get_lnames().front();
  }
};

// For ->transform(): a decimal whole number. CLI11 itself reads a leading 0 as octal, and replaces
// too large numbers by the largest one.
inline constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
inline CLI::Validator whole(std::uint64_t lowest, std::uint64_t highest = kLargest) {
  const bool open = highest >= kLargest;
  const std::string low = std::to_string(lowest), high = std::to_string(highest);
  return CLI::Validator(
      [=](std::string& text) {
        const char* end = text.data() + text.size();
        std::uint64_t value = 0;
        const auto [stopped, error] =
            std::from_chars(text.data() + (text.starts_with('+') ? 1 : 0), end, value);
        const bool digits = stopped == end && error != std::errc::invalid_argument;
        const bool large = digits && (error == std::errc::result_out_of_range || value > highest);
        if (open && large) return "'" + text + "' is larger than " + high;
        if (!digits || large || value < lowest)
          return "'" + text + "' is not a whole number " +
                 (open ? ">= " + low : "from " + low + " to " + high);
        text = std::to_string(value);
        return std::string();
      },
      open ? (lowest > 0 ? ">= " + low : "") : low + " to " + high);
}

// For ->check(): CLI11's own message contains the largest double with all its digits.
inline CLI::Validator positive(double least = 0,
                               double most = std::numeric_limits<double>::infinity()) {
  return CLI::Validator(
      [=](std::string& text) {
        double value = 0;
        if (!CLI::detail::lexical_cast(text, value) || !(value > 0))
          return "'" + text + "' is not a positive number";
        return value >= least && value <= most ? std::string() : "'" + text + "' is out of range";
      },
      "POSITIVE");
}

// Of a step size, as scenes have it.
inline CLI::Validator step_size() { return positive(1e-30, 1e30); }

// The number of edits that turn one word into the other.
inline std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, corner + (a[i] == b[j] ? 0U : 1U)});
      corner = above;
    }
  }
  return row.back();
}

// What may name an input: the values of all options and positionals that name no output.
inline std::vector<std::string> inputs(const CLI::App& program) {
  constexpr std::string_view kOutputs[] = {"--out",   "--page", "--plot", "--picture", "--animate",
                                           "--share", "--save", "OUT",    "FILE.html"};
  std::vector<const CLI::App*> apps{&program};
  for (const CLI::App* command : program.get_subcommands()) apps.push_back(command);
  std::vector<std::string> out;
  for (const CLI::App* app : apps)
    for (const CLI::Option* option : app->get_options())
      if (std::find(std::begin(kOutputs), std::end(kOutputs), option->get_name()) ==
          std::end(kOutputs))
        out.insert(out.end(), option->results().begin(), option->results().end());
  return out;
}

// After parsing failed: "unknown option --step; did you mean --steps?". Empty if every option is
// known. CLI11 itself reports what is missing first, which a misspelt name may have caused.
inline std::string unknown_option(const CLI::App& program) {
  const std::vector<std::string> left = program.remaining(true);
  const auto found = std::find_if(left.begin(), left.end(), [](const std::string& word) {
    return word.size() > 1 && word.front() == '-';
  });
  if (found == left.end() || *found == "--") return {};
  const std::string word = found->substr(0, found->find('='));
  std::vector<const CLI::App*> apps{&program};
  for (const CLI::App* command : program.get_subcommands()) apps.push_back(command);
  std::string nearest;
  for (const CLI::App* app : apps)
    for (const CLI::Option* option : app->get_options())
      if (const std::string name = option->get_name();
          name.starts_with("--") && distance(word, name) <= 2 &&
          (nearest.empty() || distance(word, name) < distance(word, nearest)))
        nearest = name;
  return "unknown option " + word + (nearest.empty() ? "" : "; did you mean " + nearest + "?");
}

}  // namespace perpend::cli
