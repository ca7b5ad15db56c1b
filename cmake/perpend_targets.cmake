# Flags of our own code, in one place. Foreign headers come as SYSTEM through imported targets.
add_library(perpend_flags INTERFACE)
# Headers of rooms that only this project enters: they are not installed.
target_include_directories(perpend_flags INTERFACE ${PROJECT_SOURCE_DIR}/doors)
target_compile_options(perpend_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  -ffp-contract=off $<$<BOOL:${PERPEND_WERROR}>:-Werror>)
# Eigen's fixed-size paths and inlined strings make g++ 12 guess at uninitialized reads and
# out-of-bounds writes; a source that is compiled with others is no header whose types leak.
target_compile_options(perpend_flags INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overread
    -Wno-stringop-overflow >
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:$<$<BOOL:${PERPEND_UNITY}>:-Wno-subobject-linkage>>)
# A local name of one source is no mistake where another one that is compiled with it has it too;
# the preset clang compiles each by itself.
target_compile_options(perpend_flags INTERFACE
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:$<$<BOOL:${PERPEND_UNITY}>:-Wno-shadow>>)
if(PERPEND_SANITIZE)
  target_compile_options(perpend_flags INTERFACE -fsanitize=${PERPEND_SANITIZE}
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(perpend_flags INTERFACE -fsanitize=${PERPEND_SANITIZE})
  # Tests that take minutes under a sanitizer ask for this.
  target_compile_definitions(perpend_flags INTERFACE PERPEND_SANITIZED)
  if(PERPEND_SANITIZE MATCHES "undefined")
    # Eigen takes offsets of empty matrices. Null and misaligned addresses crash without help, and
    # checks of them double the time to build.
    target_compile_options(perpend_flags INTERFACE
      -fno-sanitize=alignment,null,object-size,pointer-overflow,vptr)
  endif()
endif()

# perpend_library(ROOM sources...): target perpend_ROOM, alias perpend::ROOM, installed.
function(perpend_library room)
  add_library(perpend_${room} ${ARGN})
  add_library(perpend::${room} ALIAS perpend_${room})
  set_target_properties(perpend_${room} PROPERTIES EXPORT_NAME ${room})
  target_include_directories(perpend_${room}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(perpend_${room} PUBLIC cxx_std_20)
  target_link_libraries(perpend_${room} PRIVATE $<BUILD_INTERFACE:perpend_flags>)
  set_property(GLOBAL APPEND PROPERTY PERPEND_LIBRARIES perpend_${room})
  perpend_unity(perpend_${room} 8)
endfunction()

# perpend_embed(OUT.cpp HEADER NAMESPACE FUNCTION FILES...): the files' text as a function.
function(perpend_embed out header namespace function)
  string(REPLACE ";" "," files "${ARGN}")
  add_custom_command(OUTPUT ${out} COMMENT ""
    COMMAND ${CMAKE_COMMAND} "-DFILES=${files}" -DHEADER=${header} -DNAMESPACE=${namespace}
      -DFUNCTION=${function} -DOUT=${out} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  # The standard asks of compilers 65,536 characters; ours take more.
  set_source_files_properties(${out} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
endfunction()

# perpend_targets_below(FOLDER VARIABLE): the programs and libraries made in the folder and below.
function(perpend_targets_below folder variable)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(one ${below})
    perpend_targets_below(${one} deeper)
    list(APPEND targets ${deeper})
  endforeach()
  set(${variable} ${targets} PARENT_SCOPE)
endfunction()
