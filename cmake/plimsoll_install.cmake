# `make install`: executables, public headers, static libraries and the CMake package Plimsoll with a target per module.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Plimsoll)

get_property(modules GLOBAL PROPERTY PLIMSOLL_MODULES)
install(TARGETS ${modules} EXPORT PlimsollTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS plimsoll RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(PLIMSOLL_TORCH)
  install(TARGETS plimsoll-torch RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
# The headers that tools/public_headers names when it is installed, of the modules whose libraries come along.
list(TRANSFORM modules REPLACE "^plimsoll_" "" OUTPUT_VARIABLE module_names)
list(JOIN module_names "," module_names)
install(CODE "set(source ${CMAKE_SOURCE_DIR})
  set(modules ${module_names})
  set(include_folder \"${CMAKE_INSTALL_INCLUDEDIR}\")")
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_headers.cmake)
install(EXPORT PlimsollTargets NAMESPACE plimsoll:: DESTINATION ${package_folder})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/PlimsollConfig.cmake.in ${CMAKE_BINARY_DIR}/PlimsollConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/PlimsollConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/PlimsollConfig.cmake ${CMAKE_BINARY_DIR}/PlimsollConfigVersion.cmake
  DESTINATION ${package_folder})
