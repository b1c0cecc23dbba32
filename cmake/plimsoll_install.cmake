# `make install`: executables, headers, static libraries and the CMake package Plimsoll with a target per module.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Plimsoll)

get_property(modules GLOBAL PROPERTY PLIMSOLL_MODULES)
install(TARGETS ${modules} EXPORT PlimsollTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS plimsoll RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(PLIMSOLL_TORCH)
  install(TARGETS plimsoll-torch RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/plimsoll DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT PlimsollTargets NAMESPACE plimsoll:: DESTINATION ${package_folder})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/PlimsollConfig.cmake.in ${CMAKE_BINARY_DIR}/PlimsollConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/PlimsollConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/PlimsollConfig.cmake ${CMAKE_BINARY_DIR}/PlimsollConfigVersion.cmake
  DESTINATION ${package_folder})
