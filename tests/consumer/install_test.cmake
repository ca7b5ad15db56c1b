# Installs BUILD_DIR into WORK_DIR/prefix and builds CONSUMER_DIR against it, as a stranger would.
file(REMOVE_RECURSE ${WORK_DIR})
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(failed)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
endfunction()
step(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
step(${CMAKE_COMMAND} -S ${CONSUMER_DIR} -B ${WORK_DIR}/build -G ${GENERATOR}
  -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_BUILD_TYPE=Release
  -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix
  -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
step(${CMAKE_COMMAND} --build ${WORK_DIR}/build)

# The package found must be the one just installed.
file(STRINGS ${WORK_DIR}/build/CMakeCache.txt found REGEX "^perpend_DIR:")
if(NOT found MATCHES "${WORK_DIR}/prefix/")
  message(FATAL_ERROR "the consumer found another package: ${found}")
endif()
# Nothing of the build tree may be named in what was installed.
file(GLOB installed ${WORK_DIR}/prefix/lib*/cmake/perpend/*.cmake
  ${WORK_DIR}/prefix/lib*/*/cmake/perpend/*.cmake)
foreach(file ${installed})
  file(READ ${file} text)
  foreach(path ${BUILD_DIR} ${SOURCE_DIR})
    string(FIND "${text}" "${path}/" position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "${file} names ${path}")
    endif()
  endforeach()
endforeach()

# refused(WHAT text COMMAND...): the command fails and says the text.
function(refused what text)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  string(FIND "${output}" "${text}" position)
  if(NOT failed OR position EQUAL -1)
    message(FATAL_ERROR "${what}: expected \"${text}\", got\n${output}")
  endif()
endfunction()

file(WRITE ${WORK_DIR}/unknown/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(unknown LANGUAGES C CXX)
find_package(perpend REQUIRED COMPONENTS core simulator)
")
refused("a component that does not exist"
  "this perpend has no component \"simulator\"; it was built with core, scene"
  ${CMAKE_COMMAND} -S ${WORK_DIR}/unknown -B ${WORK_DIR}/unknown/build -G ${GENERATOR}
  -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix
  -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)

if(BULLET_INCLUDE)
  file(WRITE ${WORK_DIR}/single.cpp "#include <perpend/sim/world.hpp>\n")
  refused("Bullet in single precision" "perpend needs Bullet in double precision"
    ${CXX_COMPILER} -std=c++20 -fsyntax-only -I${WORK_DIR}/prefix/include -isystem ${BULLET_INCLUDE}
    -isystem ${EIGEN_INCLUDE} ${WORK_DIR}/single.cpp)
endif()

# Without CMake: the compiler with what pkg-config says. eigen3.pc is Debian's.
find_program(pkg_config pkg-config)
if(pkg_config)
  file(GLOB_RECURSE description ${WORK_DIR}/prefix/perpend.pc)
  get_filename_component(folder "${description}" DIRECTORY)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${folder}
    ${pkg_config} --cflags --libs perpend OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  step(${CXX_COMPILER} -std=c++20 ${CONSUMER_DIR}/box_on_floor.cpp -o ${WORK_DIR}/box_on_floor
    ${flags})
  step(${WORK_DIR}/box_on_floor)
endif()
