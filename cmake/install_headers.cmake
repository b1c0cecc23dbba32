# Run by `cmake --install` with `source`, `modules` and `include_folder` set.
find_program(headers_python python3 REQUIRED)
execute_process(COMMAND ${headers_python} ${source}/tools/public_headers --modules ${modules} ${source}
  OUTPUT_VARIABLE headers OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" headers "${headers}")
foreach(header IN LISTS headers)
  cmake_path(GET header PARENT_PATH folder)
  file(INSTALL ${source}/${header} DESTINATION "${CMAKE_INSTALL_PREFIX}/${include_folder}/${folder}")
endforeach()
