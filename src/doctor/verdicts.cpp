// The list of verdicts.
#include <array>

#include "doctor/verdict.hpp"

namespace perpend::doctor {

std::string_view name(Blame blame) {
  static constexpr std::array<std::string_view, 3> kNames{"solver", "model", "geometry"};
  return name_in(kNames, blame);
}

std::span<const Verdict> verdicts() {
  static const std::vector<Verdict> kVerdicts{
#define VERDICT(function) function(),
#include "doctor/verdicts.inc"
#undef VERDICT
  };
  return kVerdicts;
}

const Verdict* verdict_named(std::string_view id) {
  for (const Verdict& one : verdicts())
    if (one.id == id) return &one;
  return nullptr;
}

}  // namespace perpend::doctor
