# Included by the root CMakeLists.txt. Sets report_page_source, the C++ source that holds the page of
# the report: report.html beside this file, which is committed as built. After a change of the page's
# sources `cmake --build --preset release --target perpend_report_page` builds it again (npm); the
# test Report.PageIsAsBuilt compares.
set(report_folder ${CMAKE_CURRENT_LIST_DIR})
set(report_page_source ${PROJECT_BINARY_DIR}/web/report_page.cpp)
perpend_embed(${report_page_source} bench/report_page.hpp perpend::bench report_page
  ${report_folder}/report.html)
find_program(NPM npm)
if(NPM)
  add_custom_target(perpend_report_page COMMENT "Building the page of the report"
    COMMAND ${CMAKE_COMMAND} -DNPM=${NPM} -DOUT=${report_folder}/report.html -DPAGE=report
      -DWORK=${PROJECT_BINARY_DIR}/web -P ${PROJECT_SOURCE_DIR}/web/build.cmake)
endif()
