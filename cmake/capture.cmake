# Recorders: what they share, the program that runs an engine, and one engine at a time.
find_package(CLI11 REQUIRED)
file(GLOB capture_sources CONFIGURE_DEPENDS src/capture/*.cpp)
perpend_library(capture ${capture_sources})
target_link_libraries(perpend_capture PUBLIC perpend_core perpend_scene perpend_io
  PRIVATE Threads::Threads)
target_precompile_headers(perpend_capture REUSE_FROM perpend_core)
file(GLOB capture_program_sources CONFIGURE_DEPENDS src/capture/program/*.cpp)
perpend_library(capture_program ${capture_program_sources})
target_link_libraries(perpend_capture_program PUBLIC perpend_capture
  PRIVATE $<BUILD_INTERFACE:CLI11::CLI11> $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
target_compile_options(perpend_capture_program PRIVATE $<$<CONFIG:Release>:-O1>)

# perpend_capture_engine(ENGINE PACKAGE package TARGET library [LINK ...] [OPTIONS ...])
#
# The recorder of one engine, where that engine is found: cmake/ENGINE.cmake looks for it and makes
# TARGET, in this build and for the installed package alike. PACKAGE: the Debian package that brings
# it. LINK: what the recorder's own sources need besides. OPTIONS: of the compiler, for whoever
# includes the engine's headers.
#   src/capture/ENGINE/*.cpp    library perpend_capture_ENGINE, perpend::capture_ENGINE, installed
#   apps/capture-ENGINE/*.cpp   program perpend-capture-ENGINE, installed
#   tests/capture/ENGINE/*.cpp  tests perpend_capture_ENGINE_test, with that engine alone
#   examples/capture/ENGINE.cpp a user's program, recorded_ENGINE, run in the tests
function(perpend_capture_engine engine)
  cmake_parse_arguments(arg "" "PACKAGE;TARGET" "LINK;OPTIONS" ${ARGN})
  include(${PROJECT_SOURCE_DIR}/cmake/${engine}.cmake)
  if(NOT TARGET ${arg_TARGET})
    message(STATUS "Recorder of ${engine}: not built, ${arg_PACKAGE} is missing")
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS src/capture/${engine}/*.cpp)
  perpend_library(capture_${engine} ${sources})
  target_link_libraries(perpend_capture_${engine} PUBLIC perpend_capture ${arg_TARGET}
    PRIVATE ${arg_LINK})
  target_compile_options(perpend_capture_${engine} PUBLIC ${arg_OPTIONS})
  file(GLOB program CONFIGURE_DEPENDS apps/capture-${engine}/*.cpp)
  add_executable(perpend-capture-${engine} ${program})
  target_link_libraries(perpend-capture-${engine} PRIVATE perpend_capture_${engine}
    perpend_capture_program perpend_flags)
  install(TARGETS perpend-capture-${engine} COMPONENT engines)
  set_property(GLOBAL APPEND PROPERTY PERPEND_CAPTURE_ENGINES ${engine})
  set_property(GLOBAL APPEND PROPERTY PERPEND_CAPTURE_TARGETS ${engine}=${arg_TARGET})
endfunction()

perpend_capture_engine(bullet PACKAGE libbullet-dev TARGET bullet::float64 LINK perpend_bullet)
perpend_capture_engine(dart PACKAGE "libdart-dev libdart-utils-urdf-dev" TARGET dart::engine)
perpend_capture_engine(gazebo PACKAGE libignition-physics-dev TARGET gazebo::physics
  LINK perpend_capture_dart)
perpend_capture_engine(mujoco PACKAGE libmujoco-dev TARGET mujoco::library)
perpend_capture_engine(ode PACKAGE libode-dev TARGET ode::double)
perpend_capture_engine(siconos PACKAGE libsiconos-mechanics-dev TARGET siconos::mechanics)
if(TARGET perpend_capture_siconos)
  # Siconos' headers do not compile as C++20: what includes them is C++17, its users' programs too.
  file(GLOB siconos_sources CONFIGURE_DEPENDS src/capture/siconos/inside/*.cpp)
  add_library(perpend_capture_siconos_inside OBJECT ${siconos_sources})
  set_target_properties(perpend_capture_siconos_inside PROPERTIES CXX_STANDARD 17)
  target_include_directories(perpend_capture_siconos_inside PRIVATE include src)
  target_link_libraries(perpend_capture_siconos_inside PRIVATE siconos::mechanics Eigen3::Eigen
    perpend_flags)
  target_sources(perpend_capture_siconos PRIVATE $<TARGET_OBJECTS:perpend_capture_siconos_inside>)
  set_target_properties(perpend_capture_siconos PROPERTIES INTERFACE_COMPILE_FEATURES cxx_std_17
    INTERFACE_LINK_LIBRARIES "$<LINK_ONLY:perpend_capture>;siconos::mechanics")
endif()

# perpend_preload(ENGINE): libperpend_record_ENGINE.so, which records a program of somebody else
# that uses the engine (LD_PRELOAD; `perpend capture ENGINE --run`), where its recorder is built.
#   src/capture/ENGINE/preload/*.cpp
function(perpend_preload engine)
  if(NOT TARGET perpend_capture_${engine})
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS src/capture/${engine}/preload/*.cpp src/capture/preload/*.cpp)
  add_library(perpend_record_${engine} MODULE ${sources})
  target_include_directories(perpend_record_${engine} PRIVATE src)
  target_link_libraries(perpend_record_${engine} PRIVATE perpend_capture_${engine} perpend_flags
    ${CMAKE_DL_LIBS})
  # Nothing of ours but the engine's own functions may be seen by the program.
  target_link_options(perpend_record_${engine} PRIVATE LINKER:--exclude-libs,ALL)
  set_target_properties(perpend_record_${engine} PROPERTIES
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/perpend)
  install(TARGETS perpend_record_${engine} DESTINATION ${CMAKE_INSTALL_LIBDIR}/perpend
    COMPONENT engines)
endfunction()
perpend_preload(dart)
perpend_preload(mujoco)
perpend_preload(ode)
