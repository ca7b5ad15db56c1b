# Included by the root CMakeLists.txt. Sets report_page_source, the C++ source that holds the page:
# npm builds the page when there is an npm; without, the source holds an empty one, perpend report
# says so, and everything else works.
option(PERPEND_REPORT_PAGE "Build the page of perpend report (needs npm and, the first time, its registry)" ON)
find_program(NPM npm)
set(report_page_source ${PROJECT_BINARY_DIR}/web/report_page.cpp)
set(report_page ${PROJECT_BINARY_DIR}/web/report.html)
set(report_folder ${CMAKE_CURRENT_LIST_DIR})
if(PERPEND_REPORT_PAGE AND NPM)
  file(GLOB_RECURSE report_files CONFIGURE_DEPENDS ${report_folder}/src/*)
  list(APPEND report_files ${report_folder}/index.html ${report_folder}/package.json
    ${report_folder}/package-lock.json ${report_folder}/tsconfig.json ${report_folder}/vite.config.mjs
    ${report_folder}/build.cmake)
  # Where npm cannot fetch its packages there is no report.html, and the next build tries again.
  add_custom_command(OUTPUT ${report_page} COMMENT "Building the page of the report"
    COMMAND ${CMAKE_COMMAND} -DNPM=${NPM} -DOUT=${report_page} -P ${report_folder}/build.cmake
    DEPENDS ${report_files})
  set(report_page_made ${report_page})
else()
  message(STATUS "perpend report: built without its page (npm not found or PERPEND_REPORT_PAGE off)")
  set(report_page_made "")
endif()
perpend_embed(${report_page_source} bench/report_page.hpp perpend::bench report_page
  ${report_page_made})
