# `make deb`: the Debian packages plimsoll, plimsoll-torch, libplimsoll-dev and python3-plimsoll, by CPack, from the
# components of plimsoll_install.cmake. What is installed is stripped.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME plimsoll)
set(CPACK_PACKAGE_VENDOR "the Plimsoll authors")
set(CPACK_PACKAGE_CONTACT "the Plimsoll authors <maintainers@users.noreply.github.com>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL plimsoll dev)
if(PLIMSOLL_TORCH)
  list(APPEND CPACK_COMPONENTS_ALL torch)
endif()
if(PLIMSOLL_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

# The rpath to the OpenBLAS build that shares torch's threads is meant.
file(WRITE ${CMAKE_BINARY_DIR}/package/plimsoll-torch "plimsoll-torch: custom-library-search-path\n")
if(PLIMSOLL_TORCH)
  install(FILES ${CMAKE_BINARY_DIR}/package/plimsoll-torch DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides COMPONENT torch)
endif()

# plimsoll-torch is started by plimsoll; its page says so.
file(WRITE ${CMAKE_BINARY_DIR}/package/plimsoll-torch.1 ".TH PLIMSOLL-TORCH 1
.SH NAME
plimsoll-torch \\- the part of plimsoll that trains
.SH DESCRIPTION
Plimsoll starts this program for the verbs that need LibTorch: train, eval,
sample, probe and rank \\-\\-numeric, and as the worker of sweep and fit.
.SH SEE ALSO
.BR plimsoll (1)
")
execute_process(COMMAND gzip -9nf ${CMAKE_BINARY_DIR}/package/plimsoll-torch.1)
if(PLIMSOLL_TORCH)
  install(FILES ${CMAKE_BINARY_DIR}/package/plimsoll-torch.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT torch)
endif()

# plimsoll_deb(COMPONENT NAME SECTION DEPENDS SUMMARY TEXT)
function(plimsoll_deb component name section depends summary text)
  string(TOUPPER ${component} key)
  foreach(pair "DEBIAN_${key}_PACKAGE_NAME|${name}" "DEBIAN_${key}_PACKAGE_SECTION|${section}"
      "DEBIAN_${key}_PACKAGE_DEPENDS|${depends}" "COMPONENT_${key}_DESCRIPTION|${summary}\n${text}")
    string(REPLACE "|" ";" pair "${pair}")
    list(POP_FRONT pair variable)
    set(CPACK_${variable} "${pair}" PARENT_SCOPE)
  endforeach()
  # Every package says who may use it, and what has changed.
  install(FILES ${CMAKE_BINARY_DIR}/package/copyright ${CMAKE_BINARY_DIR}/package/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component})
endfunction()

set(same "(= ${PROJECT_VERSION})")
plimsoll_deb(plimsoll plimsoll science "libopenblas0-openmp, libmatio11"
  "how deep and how wide a neural network should be"
  "Given data and a parameter budget, or a model that exists, plimsoll says
how deep and how wide the network should be, why, and shows the evidence:
certified bounds, exactly measured separation ranks, and real training runs.
The verbs that train are in plimsoll-torch.")
set(CPACK_DEBIAN_PLIMSOLL_PACKAGE_RECOMMENDS "plimsoll-torch, nodejs, librsvg2-bin")
plimsoll_deb(torch plimsoll-torch science "plimsoll ${same}"
  "training for plimsoll, by LibTorch"
  "The program that plimsoll starts to train networks, to evaluate them, to
sample from them and to measure them. It needs LibTorch, which plimsoll
itself does not.")
# What PlimsollConfig.cmake looks for, and what static libraries leave to their users.
string(CONCAT needed_by_dev "libfmt-dev, nlohmann-json3-dev, libcli11-dev, pkg-config, nettle-dev, zlib1g-dev, liblzma-dev, "
  "libzstd-dev, libpng-dev, libjpeg-dev, libmatio-dev, libutf8proc-dev, libsqlite3-dev, libflint-dev, libflint-arb-dev, "
  "libgmp-dev, libgivaro-dev")
plimsoll_deb(dev libplimsoll-dev libdevel "${needed_by_dev}"
  "headers and static libraries of plimsoll"
  "The modules of plimsoll for C++ programs of one's own, with the CMake
package Plimsoll.")
plimsoll_deb(python python3-plimsoll python "python3 (>= 3.11), python3 (<< 3.12), python3-numpy, plimsoll ${same}"
  "plimsoll for Python"
  "The Python module of plimsoll: audits, advice, capacity curves as NumPy
arrays, tokenizers and tables of runs, typed, with the names of the program's
JSON documents.")

file(WRITE ${CMAKE_BINARY_DIR}/package/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: plimsoll

Files: *
Copyright: 2026 the Plimsoll authors
License: Apache-2.0
 The full text of the license is in /usr/share/common-licenses/Apache-2.0.

Files: usr/share/plimsoll/figures/node_modules/*
Copyright: their authors
License: BSD-3-Clause and ISC and MIT and OFL-1.1
 Packages of npm, unchanged, for drawing figures (Vega, Vega-Lite, D3, IBM Plex
 and what they need). The file LICENSE or package.json in the folder of each
 says which license is its own.
")
file(WRITE ${CMAKE_BINARY_DIR}/package/changelog "plimsoll (${PROJECT_VERSION}) bookworm; urgency=medium

  * See CHANGELOG.md of the source tree.

 -- ${CPACK_PACKAGE_CONTACT}  Thu, 19 Nov 2026 00:00:00 +0000
")
execute_process(COMMAND gzip -9nf ${CMAKE_BINARY_DIR}/package/changelog)
include(CPack)
