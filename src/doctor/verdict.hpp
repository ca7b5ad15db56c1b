// A verdict and the function that finds it.
#pragma once

#include "perpend/doctor.hpp"

namespace perpend::doctor {

struct Examination;

struct Judge : Verdict {
  Judge(std::string given_id, std::string given_title, Blame given_blame, std::string given_sign,
        std::string given_change, std::optional<Finding> (*function)(Examination&))
      : Verdict{std::move(given_id), std::move(given_title), given_blame, std::move(given_sign),
                std::move(given_change)},
        find(function) {}
  std::optional<Finding> (*find)(Examination&);  // null: it needs two recordings
};

#define VERDICT(function) Judge function();
#include "doctor/verdicts.inc"
#undef VERDICT

}  // namespace perpend::doctor
