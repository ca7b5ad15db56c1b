# cmake --install installs everything; cpack -G DEB makes four Debian packages:
#   perpend            the program, its manual page, documents and examples
#   libperpend-dev     headers, static libraries, files for CMake and pkg-config
#   perpend-engines    recorders and solvers of other projects, which need their libraries
#   python3-perpend    import perpend
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/perpend)
get_property(libraries GLOBAL PROPERTY PERPEND_LIBRARIES)
install(TARGETS ${libraries} EXPORT perpendTargets COMPONENT dev)
if(TARGET perpend)
  install(TARGETS perpend COMPONENT program)
  # The manual page is the program's own help.
  set(manual ${PROJECT_BINARY_DIR}/perpend.1)
  add_custom_command(OUTPUT ${manual} COMMENT "" DEPENDS perpend cmake/manual.cmake
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:perpend> -DOUT=${manual}
      -P ${PROJECT_SOURCE_DIR}/cmake/manual.cmake)
  add_custom_target(perpend_manual ALL DEPENDS ${manual})
  install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program OPTIONAL)
  install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
  install(DIRECTORY results DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
  install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
endif()
if(TARGET perpend_peers_program)
  install(TARGETS perpend_peers_program COMPONENT engines)
endif()
install(DIRECTORY include/perpend DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(FILES include/perpend_record.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(EXPORT perpendTargets NAMESPACE perpend:: DESTINATION ${package_dir} COMPONENT dev)
file(RELATIVE_PATH PERPEND_INCLUDE_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
  ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(cmake/perpend.pc.in ${PROJECT_BINARY_DIR}/perpend.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/perpend.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT dev)
get_property(PERPEND_CAPTURE_TARGETS GLOBAL PROPERTY PERPEND_CAPTURE_TARGETS)
list(TRANSFORM libraries REPLACE "^perpend_" "" OUTPUT_VARIABLE PERPEND_COMPONENTS)
get_property(capture_engines GLOBAL PROPERTY PERPEND_CAPTURE_ENGINES)
list(TRANSFORM capture_engines PREPEND cmake/ OUTPUT_VARIABLE find_files)
list(TRANSFORM find_files APPEND .cmake)
configure_package_config_file(cmake/perpendConfig.cmake.in
  ${PROJECT_BINARY_DIR}/perpendConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/perpendConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/perpendConfig.cmake
  ${PROJECT_BINARY_DIR}/perpendConfigVersion.cmake ${find_files} DESTINATION ${package_dir}
  COMPONENT dev)
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md CITATION.cff
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_CONTACT "the Perpend project")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENTS_ALL program dev)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME perpend)
  set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "rigid bodies in contact with Coulomb friction: the program")
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS ffmpeg)  # for --animate
  set(CPACK_DEBIAN_DEV_PACKAGE_NAME libperpend-dev)
  set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_DEV_DESCRIPTION "rigid bodies in contact with Coulomb friction: the library")
  set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libeigen3-dev (>= 3.4)")
  if(PERPEND_IO)
    string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", libhdf5-dev, libpng-dev, zlib1g-dev")
  endif()
  if(PERPEND_SIM)
    string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", libbullet-dev")
  endif()
  if(TARGET perpend_python)
    list(APPEND CPACK_COMPONENTS_ALL python)
    set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-perpend)
    set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
    set(CPACK_DEBIAN_PYTHON_DESCRIPTION "contact problems and their solvers in Python")
    math(EXPR next_python "${Python_VERSION_MINOR} + 1")
    set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3-numpy, python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_python})")
    set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "perpend (= ${PROJECT_VERSION})")
    set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS python3-matplotlib)
  endif()
  if(capture_engines OR TARGET perpend_peers_program)
    list(APPEND CPACK_COMPONENTS_ALL engines)
    set(CPACK_DEBIAN_ENGINES_PACKAGE_NAME perpend-engines)
    set(CPACK_DEBIAN_ENGINES_DESCRIPTION "recorders of physics engines and their solvers, for perpend")
    set(CPACK_DEBIAN_ENGINES_PACKAGE_DEPENDS "perpend (= ${PROJECT_VERSION})")
    if(TARGET perpend_capture_gazebo)  # loaded, not linked
      set(CPACK_DEBIAN_ENGINES_PACKAGE_RECOMMENDS libignition-physics5-dartsim-plugin5)
    endif()
  endif()
  include(CPack)
endif()
