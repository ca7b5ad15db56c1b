# cmake -DFILES=a,b -DHEADER=room/x.hpp -DNAMESPACE=n -DFUNCTION=f -DOUT=file.cpp -P embed.cmake
#
# The text of files, one after the other, in the program: std::string_view n::f(), declared in the
# header. Files that are not there add nothing. OUT is rewritten only when it changes.
set(content "")
string(REPLACE "," ";" FILES "${FILES}")
foreach(file IN LISTS FILES)
  if(EXISTS "${file}")
    file(READ "${file}" one)
    string(APPEND content "${one}")
  endif()
endforeach()
string(FIND "${content}" ")perpend\"" end)
if(NOT end EQUAL -1)
  message(FATAL_ERROR "${FILES} contain the mark that ends them in C++")
endif()
set(text "#include \"${HEADER}\"

namespace ${NAMESPACE} {

std::string_view ${FUNCTION}() {
  return R\"perpend(${content})perpend\";
}

}  // namespace ${NAMESPACE}
")
if(EXISTS "${OUT}")
  file(READ "${OUT}" old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE "${OUT}" "${text}")
endif()
