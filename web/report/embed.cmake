# cmake -DPAGE=file.html -DOUT=file.cpp -P embed.cmake: the page as a text in the program; an empty
# one where the page was not built. OUT is rewritten only when it changes.
set(page "")
if(EXISTS "${PAGE}")
  file(READ "${PAGE}" page)
endif()
string(FIND "${page}" ")perpend\"" end)
if(NOT end EQUAL -1)
  message(FATAL_ERROR "${PAGE} contains the mark that ends it in C++")
endif()
set(text "#include \"bench/report_page.hpp\"

namespace perpend::bench {

std::string_view report_page() {
  return R\"perpend(${page})perpend\";
}

}  // namespace perpend::bench
")
if(EXISTS "${OUT}")
  file(READ "${OUT}" old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE "${OUT}" "${text}")
endif()
