include(CMakePackageConfigHelpers)
get_property(libraries GLOBAL PROPERTY PERPEND_LIBRARIES)
install(TARGETS ${libraries} EXPORT perpendTargets)
if(TARGET perpend)
  install(TARGETS perpend)
endif()
install(DIRECTORY include/perpend DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT perpendTargets NAMESPACE perpend:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/perpend)
configure_package_config_file(cmake/perpendConfig.cmake.in
  ${PROJECT_BINARY_DIR}/perpendConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/perpend)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/perpendConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/perpendConfig.cmake
  ${PROJECT_BINARY_DIR}/perpendConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/perpend)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
