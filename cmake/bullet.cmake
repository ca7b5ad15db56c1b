# bullet::float64, Debian's Bullet in double precision. Without BT_USE_DOUBLE_PRECISION a program
# links and crashes. Looked for by name, so that an installed package finds it in the same way.
if(NOT TARGET bullet::float64)
  find_path(BULLET_FLOAT64_INCLUDE btBulletDynamicsCommon.h PATH_SUFFIXES bullet REQUIRED)
  add_library(bullet::float64 INTERFACE IMPORTED)
  target_include_directories(bullet::float64 INTERFACE ${BULLET_FLOAT64_INCLUDE})
  target_compile_definitions(bullet::float64 INTERFACE BT_USE_DOUBLE_PRECISION)
  foreach(part BulletDynamics BulletCollision LinearMath)
    find_library(BULLET_FLOAT64_${part} ${part}-float64 REQUIRED)
    target_link_libraries(bullet::float64 INTERFACE ${BULLET_FLOAT64_${part}})
  endforeach()
endif()
