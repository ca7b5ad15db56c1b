# Tests that are no gtest executables: the architecture, the documents, the installed package.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

if(TARGET perpend)
  set(program PERPEND=$<TARGET_FILE:perpend>)
endif()
# perpend_python_test(NAME file class... [LABEL label] [ENVIRONMENT NAME=value...]): one ctest test
# NAME.CLASS per unittest class.
function(perpend_python_test name file)
  cmake_parse_arguments(given "" LABEL ENVIRONMENT ${ARGN})
  if(NOT given_LABEL)
    set(given_LABEL repository)
  endif()
  set(environment PERPEND_SOURCE_DIR=${PROJECT_SOURCE_DIR} ${program} ${given_ENVIRONMENT})
  foreach(class ${given_UNPARSED_ARGUMENTS})
    add_test(NAME ${name}.${class}
      COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/${file} -v ${class})
    set_tests_properties(${name}.${class} PROPERTIES LABELS ${given_LABEL}
      ENVIRONMENT "${environment}")
  endforeach()
endfunction()

perpend_python_test(Architecture architecture/rooms_test.py Tree PlantedViolation)
perpend_python_test(Documents docs/documents_test.py Documents PlantedMistake)
perpend_python_test(Results docs/results_test.py Results PlantedMistake Plots Machine Table)
perpend_python_test(Style style/format_test.py Format)
# Every solver on hostile frames: scripts/attack.sh runs all of it.
perpend_python_test(Attack attack/hostile/solvers_test.py HostileFrames ExactEvaluation PlantedFault)
if(TARGET perpend)
  perpend_python_test(Attack attack/hostile/solvers_test.py EverySolver)
  perpend_python_test(Results docs/results_test.py Command)
endif()
if(TARGET perpend AND NOT PERPEND_SANITIZE)
  perpend_python_test(Documents docs/site_test.py Site)
endif()

# The installed package, used by a project of its own. A sanitized library would need a sanitized
# consumer.
if(NOT PERPEND_SANITIZE)
  set(consumer ${CMAKE_CURRENT_BINARY_DIR}/consumer)
  add_test(NAME Consumer.BuildsAgainstTheInstalledPackage
    COMMAND ${CMAKE_COMMAND} -DBUILD_DIR=${PROJECT_BINARY_DIR} -DSOURCE_DIR=${PROJECT_SOURCE_DIR}
      -DCONSUMER_DIR=${PROJECT_SOURCE_DIR}/examples/consumer -DWORK_DIR=${consumer}
      -DGENERATOR=${CMAKE_GENERATOR} -DCXX_COMPILER=${CMAKE_CXX_COMPILER}
      -DBULLET_INCLUDE=$<$<BOOL:${PERPEND_SIM}>:${BULLET_FLOAT64_INCLUDE}>
      -DEIGEN_INCLUDE=$<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>
      -P ${CMAKE_CURRENT_SOURCE_DIR}/consumer/install_test.cmake)
  add_test(NAME Consumer.BoxOnTheFloorLosesMuGH COMMAND ${consumer}/build/box_on_floor)
  # 1 - 0.5 * 9.81 * 0.01 = 0.95095 m/s, printed to six digits; the tolerance is 1e-8 m/s.
  set_tests_properties(Consumer.BoxOnTheFloorLosesMuGH PROPERTIES
    PASS_REGULAR_EXPRESSION "converged.*velocity         0\\.950950 -?0\\.000000 -?0\\.000000 m/s")
  set(consumer_tests Consumer.BoxOnTheFloorLosesMuGH)
  if(PERPEND_IO)
    add_test(NAME Consumer.DrawsAScene
      COMMAND ${consumer}/build/draw_scene stack:2 ${consumer}/stack.png)
    set_tests_properties(Consumer.DrawsAScene PROPERTIES
      PASS_REGULAR_EXPRESSION "1200 x [0-9]+ pixels")
    add_test(NAME Consumer.SolvesAFileOfFrames
      COMMAND ${consumer}/build/solve_file ${PROJECT_SOURCE_DIR}/examples/frames/single_contact.jsonl)
    add_test(NAME Consumer.NamesAMissingFile
      COMMAND ${consumer}/build/solve_file ${consumer}/absent.jsonl)
    set_tests_properties(Consumer.NamesAMissingFile PROPERTIES
      PASS_REGULAR_EXPRESSION "absent\\.jsonl")
    list(APPEND consumer_tests Consumer.DrawsAScene Consumer.SolvesAFileOfFrames
      Consumer.NamesAMissingFile)
  endif()
  if(PERPEND_SIM)
    add_test(NAME Consumer.BoxFallsInBulletsInterface COMMAND ${consumer}/build/bullet_world)
    # The cube's half edge above the plane; steps are solved to 1e-10 m/s, 1e-12 m.
    set_tests_properties(Consumer.BoxFallsInBulletsInterface PROPERTIES
      PASS_REGULAR_EXPRESSION "height 0\\.500000000 m, converged")
    list(APPEND consumer_tests Consumer.BoxFallsInBulletsInterface)
  endif()
  set_tests_properties(Consumer.BuildsAgainstTheInstalledPackage PROPERTIES
    FIXTURES_SETUP consumer LABELS repository)
  set_tests_properties(${consumer_tests} PROPERTIES FIXTURES_REQUIRED consumer LABELS repository)
endif()

# What the address sanitizer runs over: the core's rooms, and every solver on the sample frames.
add_custom_target(perpend_small_tests)
foreach(room frame linear system measure formulate solve conformance)
  if(TARGET perpend_${room}_test)
    add_dependencies(perpend_small_tests perpend_${room}_test)
  endif()
endforeach()

# A Bullet program and its port: they differ in one constructor, and both run.
if(PERPEND_SIM)
  add_subdirectory(${PROJECT_SOURCE_DIR}/examples/bullet ${CMAKE_CURRENT_BINARY_DIR}/bullet)
  perpend_python_test(Porting sim/porting_test.py Port Page LABEL sim ENVIRONMENT
    BULLET_STOCK=$<TARGET_FILE:bullet_stock>
    BULLET_WITH_PERPEND=$<TARGET_FILE:bullet_with_perpend>)
  perpend_python_test(Settings sim/settings_test.py List LABEL sim)
endif()

# Programs that record themselves, and what the recorders link.
get_property(engines GLOBAL PROPERTY PERPEND_CAPTURE_ENGINES)
if(engines)
  add_subdirectory(${PROJECT_SOURCE_DIR}/examples/capture ${CMAKE_CURRENT_BINARY_DIR}/recorded)
endif()
foreach(engine ${engines})
  set(classes Libraries)
  set(recorded)
  if(TARGET recorded_${engine})
    list(APPEND classes Example)
    set(recorded RECORDED=$<TARGET_FILE:recorded_${engine}>)
  endif()
  perpend_python_test(Capture.${engine} capture/example_test.py ${classes} LABEL capture ENVIRONMENT
    ENGINE=${engine} OPENBLAS_NUM_THREADS=1 CAPTURE=$<TARGET_FILE:perpend-capture-${engine}>
    ${recorded})
endforeach()

# Programs of somebody else, recorded as they are.
foreach(engine gazebo mujoco ode)
  set(library ${engine})
  if(engine STREQUAL gazebo)
    set(library dart)
  endif()
  if(NOT TARGET perpend-capture-${engine} OR NOT TARGET perpend_record_${library})
    continue()
  endif()
  file(GLOB source CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/capture/plain/${engine}.c*)
  add_executable(plain_${engine} ${source})
  get_property(targets GLOBAL PROPERTY PERPEND_CAPTURE_TARGETS)
  list(FILTER targets INCLUDE REGEX "^${engine}=")
  string(REPLACE "${engine}=" "" target "${targets}")
  target_link_libraries(plain_${engine} PRIVATE ${target})
  string(SUBSTRING ${engine} 0 1 first)
  string(TOUPPER ${first} first)
  string(SUBSTRING ${engine} 1 -1 rest)
  add_test(NAME Capture.${engine}.Plain COMMAND ${Python3_EXECUTABLE} -B
    ${CMAKE_CURRENT_SOURCE_DIR}/capture/preload_test.py -v Plain${first}${rest})
  set_tests_properties(Capture.${engine}.Plain PROPERTIES LABELS capture ENVIRONMENT
    "PERPEND_SOURCE_DIR=${PROJECT_SOURCE_DIR};ENGINE=${engine};PERPEND=$<TARGET_FILE:perpend>;PLAIN=$<TARGET_FILE:plain_${engine}>;LIBRARY=$<TARGET_FILE:perpend_record_${library}>")
endforeach()

# An engine in C that records itself with perpend_record.h; Octave reads what it wrote.
if(PERPEND_IO)
  add_subdirectory(${PROJECT_SOURCE_DIR}/examples/record ${CMAKE_CURRENT_BINARY_DIR}/recorded_box)
  target_link_libraries(recorded_box PRIVATE perpend_flags)
  perpend_python_test(Record record/example_test.py Engine Program Octave LABEL record ENVIRONMENT
    RECORDED_BOX=$<TARGET_FILE:recorded_box>)
  set(lists COLUMNS=$<TARGET_FILE:perpend_columns>
    COLUMNS_ADDED=$<TARGET_FILE:perpend_columns_added>)
  perpend_python_test(Columns record/columns_test.py Made LABEL record ENVIRONMENT ${lists})
  if(TARGET perpend)
    perpend_python_test(Columns record/columns_test.py Added LABEL record ENVIRONMENT ${lists}
      PERPEND_ADDED=$<TARGET_FILE:perpend_added>)
  endif()
endif()

# natural_map_error against Siconos.
add_subdirectory(measure/siconos)

# `import perpend`, with pytest: one ctest test per file.
if(TARGET perpend_python)
  foreach(part frames solve plugin world worlds tools)
    add_test(NAME Python.${part} COMMAND ${Python_EXECUTABLE} -B
      ${CMAKE_CURRENT_SOURCE_DIR}/python/run.py ${part}_test.py)
    set_tests_properties(Python.${part} PROPERTIES LABELS python SKIP_REGULAR_EXPRESSION "^skipped"
      ENVIRONMENT
      "PERPEND_SOURCE_DIR=${PROJECT_SOURCE_DIR};PYTHONPATH=${PERPEND_PYTHON_FOLDER};PERPEND=$<TARGET_FILE:perpend>")
  endforeach()
endif()

if(TARGET perpend)
  add_subdirectory(cli)
endif()
if(TARGET perpend_bench)
  include(web.cmake)
endif()
