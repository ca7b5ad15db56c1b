# Included by cmake/view.cmake. Sets view_page_source, the C++ source that holds the page of the
# viewer: view.html beside this file, which is committed as built. After a change of the page's
# sources `cmake --build --preset release --target perpend_view_page` builds it again (npm); the
# test View.PageIsAsBuilt compares.
set(view_folder ${CMAKE_CURRENT_LIST_DIR})
set(view_page_source ${PROJECT_BINARY_DIR}/web/view_page.cpp)
perpend_embed(${view_page_source} view/page.hpp perpend::view page ${view_folder}/view.html)
if(NPM)
  add_custom_target(perpend_view_page COMMENT "Building the page of the viewer"
    COMMAND ${CMAKE_COMMAND} -DNPM=${NPM} -DOUT=${view_folder}/view.html -DPAGE=view
      -DWORK=${PROJECT_BINARY_DIR}/web -P ${PROJECT_SOURCE_DIR}/web/build.cmake)
endif()
