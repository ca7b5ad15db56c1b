# Tests that are no gtest executables: the architecture, the documents, the installed package.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# perpend_python_test(NAME file class...): one ctest test NAME.CLASS per unittest class.
function(perpend_python_test name file)
  foreach(class ${ARGN})
    add_test(NAME ${name}.${class}
      COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/${file} -v ${class})
    set_tests_properties(${name}.${class} PROPERTIES LABELS repository
      ENVIRONMENT PERPEND_SOURCE_DIR=${PROJECT_SOURCE_DIR})
  endforeach()
endfunction()

perpend_python_test(Architecture architecture/rooms_test.py Tree PlantedViolation)
