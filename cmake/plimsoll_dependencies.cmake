# The third-party libraries of the slim build; layers.toml says which module may include which.
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(NETTLE REQUIRED IMPORTED_TARGET nettle)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(LZMA REQUIRED IMPORTED_TARGET liblzma)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)
pkg_check_modules(JPEG REQUIRED IMPORTED_TARGET libjpeg)
pkg_check_modules(MATIO REQUIRED IMPORTED_TARGET matio)
# The file that matio's programs are linked to at run time (libmatio.so.11), for those who open it by name.
find_library(PLIMSOLL_MATIO_LIBRARY matio HINTS ${MATIO_LIBRARY_DIRS} REQUIRED)
file(REAL_PATH ${PLIMSOLL_MATIO_LIBRARY} PLIMSOLL_MATIO_FILE)
cmake_path(GET PLIMSOLL_MATIO_FILE FILENAME PLIMSOLL_MATIO_FILE)
string(REGEX REPLACE "(\\.so\\.[0-9]+).*" "\\1" PLIMSOLL_MATIO_FILE "${PLIMSOLL_MATIO_FILE}")
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
find_path(PLIMSOLL_TOMLPP_INCLUDE toml++/toml.h REQUIRED)

# Debian 12 ships Arb beside FLINT 2; FLINT 3 has absorbed it. theory/numbers/flint_headers.h is the one file that knows.
find_library(PLIMSOLL_FLINT_LIBRARY flint REQUIRED)
find_library(PLIMSOLL_ARB_LIBRARY NAMES flint-arb arb)
find_library(PLIMSOLL_GMP_LIBRARY gmp REQUIRED)
set(PLIMSOLL_FLINT_LIBRARIES ${PLIMSOLL_FLINT_LIBRARY} ${PLIMSOLL_GMP_LIBRARY})
# Sets `variable` to the version that `header` defines as `macro`; empty when there is no such header.
function(plimsoll_header_version variable header macro)
  find_path(${variable}_FOLDER ${header} PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE})
  if(${variable}_FOLDER)
    file(STRINGS ${${variable}_FOLDER}/${header} lines REGEX "define +${macro}[ _A-Z]*[ \"]+[0-9]")
    string(REGEX REPLACE "[^;]*[^0-9.;]([0-9][0-9.]*)[^;]*" "\\1" numbers "${lines}")
    list(JOIN numbers "." version)
  endif()
  set(${variable} "${version}" PARENT_SCOPE)
endfunction()
plimsoll_header_version(PLIMSOLL_FLINT_VERSION flint/flint.h "FLINT_VERSION")
plimsoll_header_version(PLIMSOLL_ARB_VERSION arb.h "__ARB_VERSION")
plimsoll_header_version(PLIMSOLL_GMP_VERSION gmp.h "__GNU_MP_VERSION")
if(PLIMSOLL_ARB_LIBRARY)
  list(PREPEND PLIMSOLL_FLINT_LIBRARIES ${PLIMSOLL_ARB_LIBRARY})
endif()

# OpenBLAS's OpenMP build: reference BLAS is 25 times slower, the pthread build 3 to 6 times under torch. plimsoll opens
# it on first use (rank/lapack.cpp), plimsoll-torch links it; neither changes the system's choice of libblas.so.3.
find_path(PLIMSOLL_BLAS_FOLDER libblas.so.3 PATH_SUFFIXES openblas-openmp
  PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} NO_DEFAULT_PATH)
find_file(PLIMSOLL_LAPACK_FILE libopenblas.so.0 PATHS ${PLIMSOLL_BLAS_FOLDER} NO_DEFAULT_PATH)
foreach(found PLIMSOLL_BLAS_FOLDER PLIMSOLL_LAPACK_FILE)
  if(NOT ${found})
    set(${found} "")
  endif()
endforeach()

# FFLAS-FFPACK is headers over Givaro; clang cannot compile Debian 12's. A build without it uses rank/elimination/fflas_absent.cpp.
find_path(PLIMSOLL_FFLAS_INCLUDE fflas-ffpack/ffpack/ffpack.h)
find_library(PLIMSOLL_GIVARO_LIBRARY givaro)
set(PLIMSOLL_FFLAS OFF)
if(PLIMSOLL_FFLAS_INCLUDE AND PLIMSOLL_GIVARO_LIBRARY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(PLIMSOLL_FFLAS ON)
endif()

# LibTorch 1.13 and 2.x have the same package. The BLAS beside it must share torch's OpenMP threads.
if(PLIMSOLL_TORCH)
  find_package(Torch REQUIRED)
  find_package(OpenMP REQUIRED COMPONENTS CXX)
  # First on the link line, kept though nothing of ours calls it, and with DT_RPATH (not RUNPATH), which also holds for
  # what libtorch itself asks for: so the system's choice of libblas.so.3 stays as it is and is not used here.
  add_library(plimsoll_torch_blas INTERFACE)
  if(PLIMSOLL_BLAS_FOLDER)
    target_link_options(plimsoll_torch_blas INTERFACE -Wl,--disable-new-dtags,-rpath,${PLIMSOLL_BLAS_FOLDER})
    target_link_libraries(plimsoll_torch_blas INTERFACE
      -Wl,--push-state,--no-as-needed -l:libblas.so.3 -l:liblapack.so.3 -Wl,--pop-state)
  endif()
  # PyTorch's own builds export parts of another libstdc++ (std::filesystem among them); the system's must be found first.
  target_link_libraries(plimsoll_torch_blas INTERFACE -Wl,--push-state,--no-as-needed -lstdc++ -Wl,--pop-state)
endif()

# Only those who test need GoogleTest: bin/plimsoll builds without it, `make test` insists on it.
if(PLIMSOLL_TESTS)
  find_package(GTest)
  include(GoogleTest)
endif()
if(PLIMSOLL_BENCH)
  find_package(benchmark)
endif()
