# ode::double, Debian's ODE in double precision. Looked for by name, in the build and by the
# installed package alike; sets ode_FOUND.
set(ode_FOUND FALSE)
find_path(ODE_INCLUDE ode/ode.h)
find_library(ODE_LIBRARY ode)
mark_as_advanced(ODE_INCLUDE ODE_LIBRARY)
if(ODE_INCLUDE AND ODE_LIBRARY)
  set(ode_FOUND TRUE)
  if(NOT TARGET ode::double)
    add_library(ode::double INTERFACE IMPORTED)
    target_include_directories(ode::double INTERFACE ${ODE_INCLUDE})
    target_link_libraries(ode::double INTERFACE ${ODE_LIBRARY})
  endif()
endif()
