# `import perpend`: the compiled module beside the Python files, in build/.../python. Made where
# pybind11 and the headers of Debian's Python are found; without optimization or with sanitizers it
# is of no use.
set(PYBIND11_FINDPYTHON ON)
if(EXISTS /usr/bin/python3 AND NOT Python_EXECUTABLE)
  set(Python_EXECUTABLE /usr/bin/python3)  # the first on the PATH may be another
endif()
find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module)
find_package(pybind11 2.10 QUIET CONFIG)
if(NOT pybind11_FOUND OR NOT Python_Development.Module_FOUND)
  message(STATUS "Python: import perpend is not built (pybind11-dev, python3-dev)")
  return()
endif()
if(PERPEND_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  message(STATUS "Python: import perpend is built without sanitizers and optimized only")
  return()
endif()

file(GLOB python_sources CONFIGURE_DEPENDS python/*.cpp)
file(GLOB python_files CONFIGURE_DEPENDS python/perpend/*.py python/perpend/*.pyi
  python/perpend/py.typed)
pybind11_add_module(perpend_python MODULE NO_EXTRAS ${python_sources})
set(PERPEND_PYTHON_FOLDER ${PROJECT_BINARY_DIR}/python)
set_target_properties(perpend_python PROPERTIES OUTPUT_NAME _perpend
  LIBRARY_OUTPUT_DIRECTORY ${PERPEND_PYTHON_FOLDER}/perpend
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_link_libraries(perpend_python PRIVATE perpend_core perpend_host perpend_scene perpend_io
  perpend_peers perpend_bench perpend_bullet perpend_sim perpend_flags)
target_link_options(perpend_python PRIVATE LINKER:--exclude-libs,ALL LINKER:--gc-sections -s)
# What takes time is in the libraries.
target_compile_options(perpend_python PRIVATE -O1)
target_compile_definitions(perpend_python PRIVATE PERPEND_VERSION="${PROJECT_VERSION}")
target_precompile_headers(perpend_python PRIVATE python/bindings.hpp)
perpend_unity(perpend_python 8)

# The Python files lie beside the module; a changed one is copied.
set(copied)
foreach(file ${python_files})
  get_filename_component(name ${file} NAME)
  add_custom_command(OUTPUT ${PERPEND_PYTHON_FOLDER}/perpend/${name} COMMENT ""
    COMMAND ${CMAKE_COMMAND} -E copy ${file} ${PERPEND_PYTHON_FOLDER}/perpend/${name} DEPENDS ${file})
  list(APPEND copied ${PERPEND_PYTHON_FOLDER}/perpend/${name})
endforeach()
add_custom_target(perpend_python_files ALL DEPENDS ${copied})
add_dependencies(perpend_python perpend_python_files)
message(STATUS "Python: import perpend for ${Python_EXECUTABLE} ${Python_VERSION}")

# Debian's folder for modules, or that of the Python that was found.
if(NOT PERPEND_PYTHON_DESTINATION)
  set(PERPEND_PYTHON_DESTINATION lib/python3/dist-packages)
endif()
install(DIRECTORY ${PERPEND_PYTHON_FOLDER}/perpend DESTINATION ${PERPEND_PYTHON_DESTINATION}
  COMPONENT python FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "*.so"
  PATTERN "__pycache__" EXCLUDE)
# --target perpend_wheel: build/release/wheel/perpend-*.whl
add_custom_target(perpend_wheel COMMENT "perpend-*.whl in ${PROJECT_BINARY_DIR}/wheel"
  COMMAND ${CMAKE_COMMAND} -E env PERPEND_PYTHON_FOLDER=${PERPEND_PYTHON_FOLDER}
    ${Python_EXECUTABLE} -m pip wheel --quiet --no-build-isolation --no-index --no-deps
    -w ${PROJECT_BINARY_DIR}/wheel ${PROJECT_SOURCE_DIR}
  DEPENDS perpend_python VERBATIM)
