# plimsoll_module(NAME SOURCES ... [DEPS module ...] [LIBS lib ...] [PUBLIC_LIBS lib ...] [PRECOMPILED header ...] [TOGETHER])
# One static library per folder of plimsoll/. LIBS stay private: no header of the module includes them. PRECOMPILED: the
# module precompiles headers of its own, these and the usual ones, and is compiled with -O1 in a release build and with
# -O1 -g1 (backtraces with lines) for debugging: a terminal face takes 5.2 s of processor time then instead of 9.4.
# TOGETHER: see plimsoll_unity.
function(plimsoll_module name)
  cmake_parse_arguments(arg "TOGETHER" "" "SOURCES;DEPS;LIBS;PUBLIC_LIBS;PRECOMPILED" ${ARGN})
  add_library(plimsoll_${name} STATIC ${arg_SOURCES})
  add_library(plimsoll::${name} ALIAS plimsoll_${name})
  set_target_properties(plimsoll_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(plimsoll_${name} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
  target_compile_features(plimsoll_${name} PUBLIC cxx_std_20)
  foreach(dep IN LISTS arg_DEPS)
    target_link_libraries(plimsoll_${name} PUBLIC plimsoll_${dep})
  endforeach()
  target_link_libraries(plimsoll_${name} PRIVATE ${arg_LIBS} PUBLIC ${arg_PUBLIC_LIBS})
  set_property(GLOBAL APPEND PROPERTY PLIMSOLL_MODULES plimsoll_${name})
  set(together "")
  if(arg_TOGETHER)
    set(together TOGETHER)
  endif()
  plimsoll_unity(plimsoll_${name} ${together} ${arg_SOURCES})
  if(arg_PRECOMPILED)
    plimsoll_quick_to_compile(plimsoll_${name})
    target_compile_options(plimsoll_${name} PRIVATE "$<$<CONFIG:RelWithDebInfo>:-O1;-g1>")
    plimsoll_precompiled(plimsoll_${name} plimsoll_${name} ${arg_PRECOMPILED})
  else()
    plimsoll_precompiled(plimsoll_${name} plimsoll_base)
  endif()
endfunction()

# For code that does not compute: -O1 in a release build, where -O2 takes a third longer to compile.
function(plimsoll_quick_to_compile target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# plimsoll_precompiled(TARGET OWNER [HEADER ...]): compiles TARGET with the precompiled headers of OWNER. Is TARGET the owner
# itself, these are cmake/precompiled.h and HEADERs. Nothing without PLIMSOLL_PCH.
function(plimsoll_precompiled target owner)
  if(NOT PLIMSOLL_PCH)
    return()
  endif()
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/precompiled.h ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
  plimsoll_compile_as_library(${target})
endfunction()

# An executable that reuses the precompiled headers of a library must be compiled as that is: -fPIC, not -fPIE.
function(plimsoll_compile_as_library target)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
endfunction()

# plimsoll_unity(TARGET [TOGETHER] SOURCE ...): in a unity build (CMAKE_UNITY_BUILD) the sources of one folder, with TOGETHER
# all of the target, are compiled together, PLIMSOLL_UNITY_SOURCES at a time. They share their file-local names: no two may
# use the same one; the compiler refuses it where they fall into one part.
set(PLIMSOLL_UNITY_SOURCES 12 CACHE STRING "Sources that a unity build compiles together at most")
function(plimsoll_unity target)
  cmake_parse_arguments(arg "TOGETHER" "" "" ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    cmake_path(GET source PARENT_PATH folder)
    if(arg_TOGETHER)
      set(folder ${target})
    endif()
    string(MAKE_C_IDENTIFIER "folder_${folder}" group)
    math(EXPR count "0${${group}} + 1")
    set(${group} ${count})
    math(EXPR part "(${count} - 1) / ${PLIMSOLL_UNITY_SOURCES}")
    get_source_file_property(alone ${source} SKIP_UNITY_BUILD_INCLUSION)
    if(NOT alone)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${part})
    endif()
  endforeach()
endfunction()

# plimsoll_test(MODULE SOURCES ... [LIBS lib ...]): one executable per module, a CTest entry per TEST, label MODULE.
function(plimsoll_test module)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${module}_test ${arg_SOURCES})
  target_link_libraries(${module}_test PRIVATE plimsoll_${module} plimsoll_test_support GTest::gmock GTest::gtest_main ${arg_LIBS})
  plimsoll_quick_to_compile(${module}_test)
  plimsoll_precompiled(${module}_test plimsoll_test_support)
  plimsoll_unity(${module}_test TOGETHER ${arg_SOURCES})
  gtest_discover_tests(${module}_test PROPERTIES LABELS ${module} DISCOVERY_TIMEOUT 60)
endfunction()

# plimsoll_slow_test(MODULE NAME SOURCES ... [LIBS lib ...] [LABELS label ...] [DEFINITIONS macro ...]): an executable and one
# CTest entry MODULE.NAME of its own for tests too long for the fast preset; labels MODULE, slow and LABELS.
function(plimsoll_slow_test module name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS;LABELS;DEFINITIONS" ${ARGN})
  set(target ${module}_${name}_test)
  set(labels ${module} slow ${arg_LABELS})
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE plimsoll_${module} plimsoll_test_support GTest::gmock GTest::gtest_main ${arg_LIBS})
  target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
  plimsoll_quick_to_compile(${target})
  plimsoll_precompiled(${target} plimsoll_test_support)
  plimsoll_unity(${target} TOGETHER ${arg_SOURCES})
  add_test(NAME ${module}.${name} COMMAND ${target})
  set_tests_properties(${module}.${name} PROPERTIES LABELS "${labels}")
endfunction()

# plimsoll_torch_test(MODULE SOURCES ... [LIBS lib ...]): one executable for the tests of a module with torch, compiled with the
# precompiled headers of model. The caller adds the CTest entries: LibTorch takes half a second to load, so few entries.
function(plimsoll_torch_test module)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${module}_test ${arg_SOURCES})
  target_link_libraries(${module}_test PRIVATE plimsoll_${module} plimsoll_test_support GTest::gmock GTest::gtest_main ${arg_LIBS})
  plimsoll_precompiled(${module}_test plimsoll_model)
  plimsoll_unity(${module}_test TOGETHER ${arg_SOURCES})
endfunction()

# plimsoll_embed(FILE HEADER NAMESPACE FUNCTION): sets embedded_FUNCTION to a source that gives the file's text.
function(plimsoll_embed file header space function)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  set(script ${CMAKE_SOURCE_DIR}/cmake/embed_text.cmake)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${source} -DHEADER=${header} -DSPACE=${space} -DNAME=${function} -P ${script}
    DEPENDS ${file} ${script} VERBATIM)
  set(embedded_${function} ${source} PARENT_SCOPE)
endfunction()
