# mujoco::library, Debian's MuJoCo. Looked for by name, in the build and by the installed package
# alike: MuJoCo's own CMake file adds /usr/include, which hides the compiler's headers.
find_path(MUJOCO_INCLUDE mujoco/mujoco.h)
find_library(MUJOCO_LIBRARY mujoco)
if(MUJOCO_INCLUDE AND MUJOCO_LIBRARY AND NOT TARGET mujoco::library)
  add_library(mujoco::library INTERFACE IMPORTED)
  target_include_directories(mujoco::library INTERFACE ${MUJOCO_INCLUDE})
  target_link_libraries(mujoco::library INTERFACE ${MUJOCO_LIBRARY})
endif()
