# The pages of report and viewer: built again and compared, and in a real browser. Skipped, with the reason, where
# there is no npm, where it cannot fetch its packages, or no Chromium.
if(NOT NPM)
  add_test(NAME Report.Page COMMAND ${CMAKE_COMMAND} -E echo "skipped: there is no npm")
  set_tests_properties(Report.Page PROPERTIES LABELS web SKIP_REGULAR_EXPRESSION "^skipped")
  return()
endif()
add_test(NAME Report.PageIsAsBuilt COMMAND ${CMAKE_COMMAND} -DNPM=${NPM} -DPAGE=report
  -DSAME=${PROJECT_SOURCE_DIR}/web/report/report.html -DWORK=${CMAKE_CURRENT_BINARY_DIR}/web
  -P ${PROJECT_SOURCE_DIR}/web/build.cmake)
set_tests_properties(Report.PageIsAsBuilt PROPERTIES FIXTURES_SETUP report_packages LABELS web
  SKIP_REGULAR_EXPRESSION "skipped: npm ci")
add_executable(report_sample bench/report_sample.cpp)
target_include_directories(report_sample PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(report_sample PRIVATE perpend_bench perpend_flags)
# perpend_page_test(NAME test solvers problems): a report of invented results, and its test.
function(perpend_page_test name test solvers problems)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/report/${test})
  file(MAKE_DIRECTORY ${folder})
  add_test(NAME Report.${name}.Written COMMAND report_sample ${folder} ${solvers} ${problems})
  add_test(NAME Report.${name} COMMAND node --test ${PROJECT_SOURCE_DIR}/web/report/test/${test}.test.mjs)
  set_tests_properties(Report.${name}.Written PROPERTIES FIXTURES_SETUP report_${test} LABELS web)
  set_tests_properties(Report.${name} PROPERTIES FIXTURES_REQUIRED "report_${test};report_packages" LABELS web
    ENVIRONMENT "REPORT_FOLDER=${folder};PERPEND_PROGRAM=${PROJECT_BINARY_DIR}/bin/perpend"
    SKIP_REGULAR_EXPRESSION "skipped: Chromium")
endfunction()
perpend_page_test(Page page 8 15)
perpend_page_test(FiftySolversOnAThousandProblems large 50 1000)

# A real comparison, and the commands its report gives.
if(TARGET perpend)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/report/rerun)
  set(share)
  if(PERPEND_WASM)
    set(share --share)
  endif()
  add_test(NAME Report.Rerun.Written COMMAND perpend bench
    ${PROJECT_SOURCE_DIR}/examples/frames/blocks.jsonl --solvers ncp/nncg,box/pgs,lcp/lemke
    --set bounds=lagged --overwrite --quiet --out ${folder} ${share})
  add_test(NAME Report.Rerun COMMAND node --test ${PROJECT_SOURCE_DIR}/web/report/test/rerun.test.mjs)
  set_tests_properties(Report.Rerun.Written PROPERTIES FIXTURES_SETUP report_rerun LABELS web)
  set_tests_properties(Report.Rerun PROPERTIES FIXTURES_REQUIRED "report_rerun;report_packages" LABELS web
    ENVIRONMENT "REPORT_FOLDER=${folder};PERPEND_PROGRAM=$<TARGET_FILE:perpend>"
    SKIP_REGULAR_EXPRESSION "skipped: Chromium")
endif()

if(TARGET perpend_view)
  add_test(NAME View.MessagesAreAsMade
    COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/scripts/messages.py --check)
  add_test(NAME View.PageIsAsBuilt COMMAND ${CMAKE_COMMAND} -DNPM=${NPM} -DPAGE=view
    -DSAME=${PROJECT_SOURCE_DIR}/web/view/view.html -DWORK=${CMAKE_CURRENT_BINARY_DIR}/web
    -P ${PROJECT_SOURCE_DIR}/web/build.cmake)
  set_tests_properties(View.MessagesAreAsMade PROPERTIES LABELS view)
  set_tests_properties(View.PageIsAsBuilt PROPERTIES FIXTURES_SETUP view_packages LABELS web
    SKIP_REGULAR_EXPRESSION "skipped: npm ci")
  # perpend_view_page_test(NAME test): a file of tests in a real browser.
  function(perpend_view_page_test name test)
    add_test(NAME View.${name} COMMAND node --test ${PROJECT_SOURCE_DIR}/web/view/test/${test}.test.mjs)
    set_tests_properties(View.${name} PROPERTIES FIXTURES_REQUIRED view_packages LABELS web
      ENVIRONMENT "PERPEND_PROGRAM=$<TARGET_FILE:perpend>;PERPEND_WASM=${PROJECT_BINARY_DIR}/wasm" SKIP_REGULAR_EXPRESSION "skipped: Chromium")
  endfunction()
  perpend_view_page_test(Page page)
  perpend_view_page_test(Panes panes)
  perpend_view_page_test(Look look)
  perpend_view_page_test(Recordings recording)
  perpend_view_page_test(Templates templates)
  perpend_view_page_test(Gltf gltf)
  if(PERPEND_WASM)
    perpend_view_page_test(Wasm wasm)
    perpend_view_page_test(Share share)
    perpend_view_page_test(Playground playground)
  endif()
endif()
