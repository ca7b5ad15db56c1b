# The core and the recordings of the viewer as WebAssembly, for pages that carry them (docs/share.md):
# a worker of the browser. Built where em++ is found unless PERPEND_WASM says otherwise. Included by
# cmake/view.cmake. Sets share_sources: C++ that holds worker and module as texts, empty ones where
# they are not built.
find_program(EMXX em++)
find_program(GZIP_PROGRAM gzip)
find_program(BASE64_PROGRAM base64)
if(NOT DEFINED PERPEND_WASM)
  set(PERPEND_WASM OFF)
  if(EMXX AND GZIP_PROGRAM AND BASE64_PROGRAM)
    set(PERPEND_WASM ON)
  endif()
endif()
set(wasm_folder ${PROJECT_BINARY_DIR}/wasm)
set(share_sources ${wasm_folder}/share_worker.cpp ${wasm_folder}/share_module.cpp)
if(NOT PERPEND_WASM)
  message(STATUS "--share: not built (emscripten, -DPERPEND_WASM=ON)")
  perpend_embed(${wasm_folder}/share_worker.cpp view/page.hpp perpend::view share_worker)
  perpend_embed(${wasm_folder}/share_module.cpp view/page.hpp perpend::view share_module)
  return()
endif()
if(NOT EMXX OR NOT GZIP_PROGRAM OR NOT BASE64_PROGRAM)
  message(FATAL_ERROR "em++, gzip or base64 was not found (emscripten); -DPERPEND_WASM=OFF builds without --share")
endif()

# The core is to be quick; of the rest, what needs no thread, file or HDF5, quick to build.
file(GLOB core CONFIGURE_DEPENDS src/base/*.cpp src/frame/*.cpp src/system/*.cpp src/measure/*.cpp
  src/formulate/*.cpp src/linear/*.cpp src/solve/*.cpp src/solve/kit/*.cpp)
set(rest src/view/wasm/program.cpp)
foreach(one convex_hull invalid mass_properties motion scene)
  list(APPEND rest src/scene/${one}.cpp)
endforeach()
foreach(one column_values engine_file forces io joint_json json_fields json_text model model_growth names packed
    printable record_json recorded scene_json stored_columns system_columns)
  list(APPEND rest src/io/${one}.cpp)
endforeach()
foreach(one answerer frames_in_memory messages recording recordings resolve)
  list(APPEND rest src/view/${one}.cpp)
endforeach()
list(TRANSFORM rest PREPEND ${PROJECT_SOURCE_DIR}/)
# Few large sources: reading Eigen takes longest.
perpend_group(50 core ${core})
perpend_group(50 rest ${rest})
math(EXPR rest_groups "${rest_groups} + 1")
set(rest_${rest_groups} ${PROJECT_SOURCE_DIR}/src/io/columns.cpp)  # by itself, as everywhere

# Debian's emscripten looks for its own scripts there, also beside another Node.
set(em ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs)
if(CCACHE)
  list(APPEND em EM_COMPILER_WRAPPER=${CCACHE}
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime)
endif()
list(APPEND em ${EMXX})
# Two numbers at a time, as on every x86-64: then sums have the same order and errors the same digits as
# in the program. Eigen has assembler for g++ before 6.3 and since 6.0: this version is neither.
set(wasm_flags -std=c++20 -msimd128 -msse2 -fgnuc-version=5.13.0 -ffp-contract=off -DNDEBUG -fexceptions
  -Wno-everything -Xclang -fno-pch-timestamp
  -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/doors)
# Not all of /usr/include: its C library is not the one of emscripten.
file(MAKE_DIRECTORY ${wasm_folder}/include)
foreach(library Eigen3::Eigen nlohmann_json::nlohmann_json)
  get_target_property(folders ${library} INTERFACE_INCLUDE_DIRECTORIES)
  foreach(folder IN LISTS folders)
    foreach(name Eigen nlohmann)
      if(IS_DIRECTORY ${folder}/${name})
        file(CREATE_LINK ${folder}/${name} ${wasm_folder}/include/${name} SYMBOLIC)
      endif()
    endforeach()
  endforeach()
endforeach()
file(CONFIGURE OUTPUT ${wasm_folder}/include/mmintrin.h CONTENT "// MMX, which Eigen includes and does not use\n")
list(APPEND wasm_flags -isystem ${wasm_folder}/include)
# Its headers once for all.
file(GENERATE OUTPUT ${wasm_folder}/headers.hpp CONTENT
  "#include <Eigen/Core>\n#include <Eigen/SparseCore>\n#include <algorithm>\n#include <functional>\n#include <memory>\n#include <string>\n#include <vector>\n")
set(wasm_objects)
foreach(part "core;-O2" "rest;-O1")
  list(GET part 0 name)
  list(GET part 1 quick)
  set(headers ${wasm_folder}/headers_${name}.pch)
  add_custom_command(OUTPUT ${headers} COMMENT "Building the headers of WebAssembly"
    COMMAND ${em} ${quick} ${wasm_flags} -x c++-header ${wasm_folder}/headers.hpp -o ${headers}
    DEPENDS ${wasm_folder}/headers.hpp)
  foreach(group RANGE 1 ${${name}_groups})
    set(text "")
    foreach(source IN LISTS ${name}_${group})
      string(APPEND text "#include \"${source}\"\n")
    endforeach()
    set(unity ${wasm_folder}/${name}_${group})
    file(GENERATE OUTPUT ${unity}.cpp CONTENT "${text}")
    add_custom_command(OUTPUT ${unity}.o COMMENT "Building WebAssembly, ${name} ${group} of ${${name}_groups}"
      COMMAND ${em} ${quick} ${wasm_flags} -include-pch ${headers} -MMD -MF ${unity}.d -c ${unity}.cpp -o ${unity}.o
      DEPENDS ${${name}_${group}} ${unity}.cpp ${headers} DEPFILE ${unity}.d)
    list(APPEND wasm_objects ${unity}.o)
  endforeach()
endforeach()
set(exported "_malloc,_free")
foreach(name open_packed open_lines join hear look_ahead take taken)
  string(APPEND exported ",_perpend_${name}")
endforeach()
set(worker ${PROJECT_SOURCE_DIR}/src/view/wasm/worker.js)
# -O2 would take 17 s more for 4 % of its size.
add_custom_command(OUTPUT ${wasm_folder}/perpend.js ${wasm_folder}/perpend.wasm COMMENT "Linking WebAssembly"
  COMMAND ${em} -O1 -fexceptions ${wasm_objects} -o ${wasm_folder}/perpend.js --no-entry --extern-post-js ${worker}
    -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB -sENVIRONMENT=web,worker -sFILESYSTEM=0 -sMODULARIZE=1
    -sEXPORT_NAME=perpend_module -sEXPORTED_FUNCTIONS=${exported}
  DEPENDS ${wasm_objects} ${worker})
foreach(part "share_worker;perpend.js" "share_module;perpend.wasm")
  list(GET part 0 function)
  list(GET part 1 file)
  set(packed ${wasm_folder}/${file}.gz.base64)
  add_custom_command(OUTPUT ${packed} COMMENT "" DEPENDS ${wasm_folder}/${file}
    COMMAND ${GZIP_PROGRAM} -9nc ${wasm_folder}/${file} > ${packed}.part
    COMMAND ${BASE64_PROGRAM} -w0 ${packed}.part > ${packed})
  perpend_embed(${wasm_folder}/${function}.cpp view/page.hpp perpend::view ${function} ${packed})
endforeach()
add_custom_target(perpend_wasm DEPENDS ${share_sources})
