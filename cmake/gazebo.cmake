# gazebo::physics, Gazebo's physics as Debian 12 ships it (Ignition Physics 5) with the DART it is
# built on, the loader of its plugins and the reader of SDF. Of what pkg-config says only folders and
# libraries are taken: it also asks for C++17. Sets gazebo_physics_FOUND.
set(gazebo_physics_FOUND FALSE)
include(${CMAKE_CURRENT_LIST_DIR}/dart.cmake)
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND AND dart_engine_FOUND)
  pkg_check_modules(GAZEBO_PHYSICS QUIET ignition-physics5 ignition-physics5-sdf
    ignition-physics5-mesh ignition-physics5-dartsim ignition-plugin1-loader
    ignition-common4-graphics ignition-math6-eigen3 sdformat12)
  set(gazebo_physics_FOUND ${GAZEBO_PHYSICS_FOUND})
endif()
if(gazebo_physics_FOUND AND NOT TARGET gazebo::physics)
  add_library(gazebo::physics INTERFACE IMPORTED)
  target_include_directories(gazebo::physics INTERFACE ${GAZEBO_PHYSICS_INCLUDE_DIRS})
  # The plugin of its engine is not among them: the program loads it.
  target_link_libraries(gazebo::physics INTERFACE dart::engine ${GAZEBO_PHYSICS_LINK_LIBRARIES})
endif()
