# The viewer: perpend_view, where Boost is found unless PERPEND_VIEW says otherwise. Included by the
# root CMakeLists.txt.
find_package(Boost 1.74 QUIET)
if(NOT DEFINED PERPEND_VIEW)
  set(PERPEND_VIEW ${Boost_FOUND})
endif()
if(NOT PERPEND_VIEW)
  message(STATUS "perpend view: not built (libboost-dev, -DPERPEND_VIEW=ON)")
  return()
endif()
if(NOT Boost_FOUND)
  message(FATAL_ERROR "Boost was not found (libboost-dev); -DPERPEND_VIEW=OFF builds without perpend view")
endif()
file(GLOB view_sources CONFIGURE_DEPENDS src/view/*.cpp)
perpend_library(view ${view_sources})
include(web/view/page.cmake)
include(cmake/wasm.cmake)
target_sources(perpend_view PRIVATE ${view_page_source} ${share_sources})
foreach(sample blocks single_contact joints models groups)
  perpend_embed(${PROJECT_BINARY_DIR}/web/sample_${sample}.cpp view/samples.hpp perpend::view sample_${sample}
    ${PROJECT_SOURCE_DIR}/examples/frames/${sample}.jsonl)
  target_sources(perpend_view PRIVATE ${PROJECT_BINARY_DIR}/web/sample_${sample}.cpp)
endforeach()
target_link_libraries(perpend_view PUBLIC perpend_sim PRIVATE perpend_io ZLIB::ZLIB $<BUILD_INTERFACE:Boost::headers>
  Threads::Threads $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
target_precompile_headers(perpend_view REUSE_FROM perpend_core)
# Boost.Beast takes long to compile: one file has it, quick to build rather than quick to run.
set_source_files_properties(src/view/server.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
  SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS "$<$<CONFIG:Release>:-O1>"
  COMPILE_DEFINITIONS "BOOST_ASIO_DISABLE_CONCEPTS;BOOST_BEAST_USE_STD_STRING_VIEW")
