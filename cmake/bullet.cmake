# bullet::float64, Debian's Bullet in double precision. Without BT_USE_DOUBLE_PRECISION a program
# links and crashes. Looked for by name, in the build and by the installed package alike; sets
# bullet_float64_FOUND.
set(bullet_float64_FOUND TRUE)
find_path(BULLET_FLOAT64_INCLUDE btBulletDynamicsCommon.h PATH_SUFFIXES bullet)
set(bullet_float64_libraries)
foreach(part BulletDynamics BulletCollision LinearMath)
  find_library(BULLET_FLOAT64_${part} ${part}-float64)
  list(APPEND bullet_float64_libraries ${BULLET_FLOAT64_${part}})
  if(NOT BULLET_FLOAT64_INCLUDE OR NOT BULLET_FLOAT64_${part})
    set(bullet_float64_FOUND FALSE)
  endif()
endforeach()
if(bullet_float64_FOUND AND NOT TARGET bullet::float64)
  add_library(bullet::float64 INTERFACE IMPORTED)
  target_include_directories(bullet::float64 INTERFACE ${BULLET_FLOAT64_INCLUDE})
  target_compile_definitions(bullet::float64 INTERFACE BT_USE_DOUBLE_PRECISION)
  target_link_libraries(bullet::float64 INTERFACE ${bullet_float64_libraries})
endif()
