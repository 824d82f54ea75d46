# find_package(ulpscope): the library, and what it links where it is static.
include(CMakeFindDependencyMacro)
find_dependency(PkgConfig)
pkg_check_modules(MPFR REQUIRED IMPORTED_TARGET mpfr gmp)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(NETTLE REQUIRED IMPORTED_TARGET nettle)
find_dependency(HDF5 COMPONENTS C)
find_dependency(OpenMP COMPONENTS C)
include(${CMAKE_CURRENT_LIST_DIR}/ulpscopeTargets.cmake)
