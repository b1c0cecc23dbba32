# What lies in a prefix beside headers and libraries: manual pages, completions, what draws figures, the Python module.
function(must_exist prefix)
  foreach(file IN LISTS ARGN)
    if(NOT EXISTS ${prefix}/${file})
      message(FATAL_ERROR "not installed: ${file}")
    endif()
  endforeach()
endfunction()

# Figures come without what only tests need, and name no folder of the machine they were installed on.
function(check_figures figures)
  foreach(only_tests ajv playwright-core .plimsoll/tests)
    if(EXISTS ${figures}/node_modules/${only_tests})
      message(FATAL_ERROR "installed, though only tests need it: ${only_tests}")
    endif()
  endforeach()
  set(settings ${figures}/node_modules/.plimsoll/fonts/fonts.conf)
  if(EXISTS ${settings})
    file(STRINGS ${settings} caches REGEX "<cachedir")
    if(NOT caches MATCHES "prefix=.xdg")
      message(FATAL_ERROR "the fonts' cache is where it was built: ${caches}")
    endif()
  endif()
endfunction()

# Imported from the prefix, the module answers and finds the program there.
function(check_python prefix)
  set(folder ${prefix}/lib/python3/dist-packages)
  if(NOT EXISTS ${folder}/plimsoll)
    return()
  endif()
  set(script "import plimsoll\nfrom plimsoll._program import find_program\nprint(plimsoll.audit('gpt2').depth, find_program())")
  execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=PLIMSOLL_BIN PYTHONPATH=${folder} PYTHONDONTWRITEBYTECODE=1
    /usr/bin/python3 -c "${script}" OUTPUT_VARIABLE said OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  if(NOT said STREQUAL "12 ${prefix}/bin/plimsoll")
    message(FATAL_ERROR "python in the prefix said '${said}'")
  endif()
endfunction()

# What is installed is stripped.
function(check_stripped program)
  execute_process(COMMAND readelf --section-headers --wide ${program} OUTPUT_VARIABLE sections COMMAND_ERROR_IS_FATAL ANY)
  if(sections MATCHES "\\.(symtab|debug_info)")
    message(FATAL_ERROR "not stripped: ${program}")
  endif()
endfunction()

function(check_prefix prefix)
  check_stripped(${prefix}/bin/plimsoll)
  must_exist(${prefix} share/man/man1/plimsoll.1.gz share/man/man1/plimsoll-fit.1.gz
    share/bash-completion/completions/plimsoll share/zsh/vendor-completions/_plimsoll
    share/fish/vendor_completions.d/plimsoll.fish share/plimsoll/experiments share/plimsoll/figures/render.mjs)
  check_figures(${prefix}/share/plimsoll/figures)
  check_python(${prefix})
  execute_process(COMMAND ${prefix}/bin/plimsoll doctor OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
  if(said MATCHES "bin/plimsoll doctor")
    message(FATAL_ERROR "what is installed names the launcher of the source tree: ${said}")
  endif()
endfunction()
