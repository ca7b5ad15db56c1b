// The words of --contacts and --beside for a contact model: one-direction, nonconvex, conjunctive.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "perpend/sim.hpp"

namespace perpend::app {

inline std::optional<ContactModel> contact_model(std::string word) {
  std::replace(word.begin(), word.end(), '-', ' ');
  for (const ContactModel model :
       {ContactModel::one_direction, ContactModel::nonconvex, ContactModel::conjunctive})
    if (word == name(model)) return model;
  return std::nullopt;
}

}  // namespace perpend::app
