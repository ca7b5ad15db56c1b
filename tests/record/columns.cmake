# perpend_columns prints the list of columns, for scripts/columns.py. With _added the list has a line
# more: its source is compiled once more, and stands before the library's.
add_library(perpend_added_column OBJECT ${PROJECT_SOURCE_DIR}/src/io/columns.cpp)
target_compile_definitions(perpend_added_column PRIVATE PERPEND_TEST_COLUMN)
target_link_libraries(perpend_added_column PRIVATE perpend_io perpend_flags)
add_executable(perpend_columns record/list_columns.cpp)
add_executable(perpend_columns_added record/list_columns.cpp
  $<TARGET_OBJECTS:perpend_added_column>)
foreach(program perpend_columns perpend_columns_added)
  target_link_libraries(${program} PRIVATE perpend_io nlohmann_json::nlohmann_json perpend_flags)
endforeach()
if(TARGET perpend)
  get_target_property(libraries perpend LINK_LIBRARIES)
  list(REMOVE_ITEM libraries CLI11::CLI11)  # headers alone, and not known here
  add_executable(perpend_added $<TARGET_OBJECTS:perpend_added_column> $<TARGET_OBJECTS:perpend>)
  target_link_libraries(perpend_added PRIVATE ${libraries})
endif()
