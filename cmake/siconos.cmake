# siconos::mechanics, Siconos' kernel, numerics and mechanics (libsiconos-mechanics-dev). Its headers
# include each other by bare names from all three folders.
find_path(SICONOS_ROOT siconos/mechanics/SiconosBulletCollisionManager.hpp)
set(siconos_libraries)
foreach(part mechanics kernel numerics)
  find_library(SICONOS_LIB_${part} siconos_${part})
  mark_as_advanced(SICONOS_LIB_${part})
  if(SICONOS_LIB_${part})
    list(APPEND siconos_libraries ${SICONOS_LIB_${part}})
  endif()
endforeach()
mark_as_advanced(SICONOS_ROOT)
list(LENGTH siconos_libraries siconos_count)
if(SICONOS_ROOT AND siconos_count EQUAL 3 AND NOT TARGET siconos::mechanics)
  add_library(siconos::mechanics INTERFACE IMPORTED)
  target_include_directories(siconos::mechanics INTERFACE ${SICONOS_ROOT}/siconos
    ${SICONOS_ROOT}/siconos/kernel ${SICONOS_ROOT}/siconos/mechanics
    ${SICONOS_ROOT}/siconos/numerics)
  target_link_libraries(siconos::mechanics INTERFACE ${siconos_libraries})
endif()
