# Writes OUT, a source file with the commit of SOURCE; "unknown" where there is no git or no repository.
set(commit "unknown")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --short=12 HEAD
    OUTPUT_VARIABLE head RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed)
    set(commit ${head})
    execute_process(COMMAND ${GIT} -C ${SOURCE} status --porcelain --untracked-files=no
      OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      string(APPEND commit " with local changes")
    endif()
  endif()
endif()
set(text "#include <string>\n
namespace perpend::app {
std::string commit() { return \"${commit}\"; }
}  // namespace perpend::app
")
if(EXISTS ${OUT})
  file(READ ${OUT} old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE ${OUT} "${text}")
endif()
