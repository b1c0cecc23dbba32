# Language level, warnings, linker and compiler cache: everything that holds for every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_compile_definitions(PLIMSOLL_VERSION="${PROJECT_VERSION}")
add_compile_options(-Wall -Wextra -Wshadow -Wconversion -Wno-missing-field-initializers -Wno-sign-conversion)
# Compiled together, a local variable of one source may have the name of a file-local function of another.
if(CMAKE_UNITY_BUILD)
  add_compile_options(-Wno-shadow)
endif()
if(PLIMSOLL_WERROR)
  add_compile_options(-Werror)
endif()
if(PLIMSOLL_SANITIZE)
  add_compile_options(-fsanitize=${PLIMSOLL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${PLIMSOLL_SANITIZE})
endif()

if(PLIMSOLL_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(PLIMSOLL_CCACHE ccache)
if(PLIMSOLL_CCACHE)
  # Paths inside the checkout count as relative, so that clones and worktrees find one another's objects. Without the
  # sloppiness, and -fpch-preprocess, nothing that uses a precompiled header is ever found again.
  set(PLIMSOLL_CCACHE_COMMAND ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PLIMSOLL_CCACHE_COMMAND} ${PLIMSOLL_CCACHE})
endif()
find_program(PLIMSOLL_MOLD mold)
if(PLIMSOLL_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # libstdc++ 12's own std::stable_sort uses what C++17 deprecated, and clang reports it in our sources.
  add_compile_options(-Wno-deprecated-declarations)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
endif()
