# Run by `cmake --install` with `figures` (web/figures) and `share_folder` set: what draws figures, with the packages that npm
# brought there (tools/figure_runtime) but those of the tests, so that nobody who installs Plimsoll needs npm.
set(destination "${CMAKE_INSTALL_PREFIX}/${share_folder}/figures")
set(not_needed check_spec.mjs open_page.mjs bin test .npmignore .eslintrc* .package-lock.json .bin *.map *.ts)
set(patterns "")
foreach(pattern IN LISTS not_needed)
  list(APPEND patterns PATTERN ${pattern} EXCLUDE)
endforeach()

# The folders of node_modules that package-lock.json calls "dev".
file(READ ${figures}/package-lock.json lock)
string(JSON packages GET "${lock}" packages)
string(JSON count LENGTH "${packages}")
math(EXPR last "${count} - 1")
set(test_folders "")
foreach(i RANGE ${last})
  string(JSON folder MEMBER "${packages}" ${i})
  string(JSON only_for_tests ERROR_VARIABLE none GET "${packages}" "${folder}" dev)
  if(only_for_tests STREQUAL "ON")
    list(APPEND test_folders ${folder})
    string(REPLACE "." "\\." expression "/${folder}$")
    list(APPEND patterns REGEX ${expression} EXCLUDE)
  endif()
endforeach()
file(INSTALL ${figures}/ DESTINATION ${destination} FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ ${patterns}
  REGEX "/\\.plimsoll/tests$" EXCLUDE REGEX "/fonts/cache$" EXCLUDE)

# The cache of the fonts lies with the user's, not where it was built.
set(settings "$ENV{DESTDIR}${destination}/node_modules/.plimsoll/fonts/fonts.conf")
if(EXISTS ${settings})
  file(READ ${settings} text)
  string(REGEX REPLACE "<cachedir>[^<]*</cachedir>" "<cachedir prefix=\"xdg\">fontconfig</cachedir>" text "${text}")
  file(WRITE ${settings} "${text}")
endif()
