# `make install` and the packages: executables with their manual pages and completions, what draws figures, the
# experiments; public headers, static libraries and the CMake package Plimsoll with a target per module; the Python module.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Plimsoll)
set(share_folder ${CMAKE_INSTALL_DATADIR}/plimsoll)

# plimsoll
install(TARGETS plimsoll RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT plimsoll)
install(CODE "set(program $<TARGET_FILE:plimsoll>)
  set(share_folder ${CMAKE_INSTALL_DATADIR})" COMPONENT plimsoll)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_usage.cmake COMPONENT plimsoll)
install(CODE "set(figures ${CMAKE_SOURCE_DIR}/web/figures)
  set(share_folder ${share_folder})" COMPONENT plimsoll)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_figures.cmake COMPONENT plimsoll)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/experiments DESTINATION ${share_folder} COMPONENT plimsoll)

# plimsoll-torch
if(PLIMSOLL_TORCH)
  install(TARGETS plimsoll-torch RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT torch)
endif()

# The libraries
get_property(modules GLOBAL PROPERTY PLIMSOLL_MODULES)
install(TARGETS ${modules} EXPORT PlimsollTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
# The headers that tools/public_headers names when it is installed, of the modules whose libraries come along.
list(TRANSFORM modules REPLACE "^plimsoll_" "" OUTPUT_VARIABLE module_names)
list(JOIN module_names "," module_names)
install(CODE "set(source ${CMAKE_SOURCE_DIR})
  set(modules ${module_names})
  set(include_folder \"${CMAKE_INSTALL_INCLUDEDIR}\")" COMPONENT dev)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_headers.cmake COMPONENT dev)
install(EXPORT PlimsollTargets NAMESPACE plimsoll:: DESTINATION ${package_folder} COMPONENT dev)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/PlimsollConfig.cmake.in ${CMAKE_BINARY_DIR}/PlimsollConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/PlimsollConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/PlimsollConfig.cmake ${CMAKE_BINARY_DIR}/PlimsollConfigVersion.cmake
  DESTINATION ${package_folder} COMPONENT dev)

# The Python module, where Debian's python3 looks for packages.
if(PLIMSOLL_PYTHON)
  set(python_folder lib/python3/dist-packages)
  install(TARGETS plimsoll_python LIBRARY DESTINATION ${python_folder}/plimsoll COMPONENT python)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/python/plimsoll DESTINATION ${python_folder} COMPONENT python
    PATTERN "__pycache__" EXCLUDE PATTERN ".mypy_cache" EXCLUDE PATTERN "*.so" EXCLUDE)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/plimsoll_packages.cmake)
