# The third-party libraries of the slim build; layers.toml says which module may include which.
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(NETTLE REQUIRED IMPORTED_TARGET nettle)
find_path(PLIMSOLL_TOMLPP_INCLUDE toml++/toml.h REQUIRED)

# Debian 12 ships Arb beside FLINT 2; FLINT 3 has absorbed it. theory/flint_headers.h is the one file that knows.
find_library(PLIMSOLL_FLINT_LIBRARY flint REQUIRED)
find_library(PLIMSOLL_ARB_LIBRARY NAMES flint-arb arb)
find_library(PLIMSOLL_GMP_LIBRARY gmp REQUIRED)
set(PLIMSOLL_FLINT_LIBRARIES ${PLIMSOLL_FLINT_LIBRARY} ${PLIMSOLL_GMP_LIBRARY})
if(PLIMSOLL_ARB_LIBRARY)
  list(PREPEND PLIMSOLL_FLINT_LIBRARIES ${PLIMSOLL_ARB_LIBRARY})
endif()

# LibTorch 1.13 and 2.x have the same package. The BLAS beside it must share torch's OpenMP threads: reference BLAS is
# 25 times slower, OpenBLAS's pthread build 3 to 6 times.
if(PLIMSOLL_TORCH)
  find_package(Torch REQUIRED)
  find_path(PLIMSOLL_BLAS_FOLDER libblas.so.3 PATH_SUFFIXES openblas-openmp
    PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} NO_DEFAULT_PATH)
endif()

# Only those who test need GoogleTest: bin/plimsoll builds without it, `make test` insists on it.
if(PLIMSOLL_TESTS)
  find_package(GTest)
  include(GoogleTest)
endif()
if(PLIMSOLL_BENCH)
  find_package(benchmark)
endif()
