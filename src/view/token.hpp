// The token in the address: who has it may have the page.
#pragma once

#include <string>

namespace perpend::view {

// 128 random bits as hexadecimal digits.
std::string random_token();

}  // namespace perpend::view
