#!/bin/sh
# tests/install/check_install.sh BUILD - install into an empty prefix, then use the library from another project:
# by pkg-config and a bare cc, and by find_package. The program decodes a number; a wrong answer fails.
set -eu
build=$1
cc=${2:-cc}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder/prefix" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
cat >"$folder/main.c" <<'EOF'
#include "precision/number.h"
#include <stdio.h>
int main(void)
{
    const ulp_format_t *fp8 = ulp_format_find("f8e4m3fn", NULL);
    double x = ulp_number_to_double(ulp_number_decode(0x7e, fp8));
    printf("%g\n", x);
    return x == 448.0 ? 0 : 1;
}
EOF
PKG_CONFIG_PATH=$(find "$folder/prefix" -name pkgconfig -type d)
export PKG_CONFIG_PATH
library=$(dirname "$(find "$folder/prefix" -name 'libulpscope*' | head -n 1)")
# shellcheck disable=SC2046
"$cc" -o "$folder/by_pkgconfig" "$folder/main.c" $(pkg-config --cflags --libs --static ulpscope) \
    $(grep -q 'libulpscope\.a' "$folder/log" && echo "-lhdf5_serial -fopenmp -lm")
[ "$(LD_LIBRARY_PATH=$library "$folder/by_pkgconfig")" = 448 ]
mkdir "$folder/project"
cat >"$folder/project/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.25)
project(consumer C)
find_package(ulpscope REQUIRED)
add_executable(consumer ../main.c)
target_link_libraries(consumer PRIVATE ulpscope::ulpscope)
EOF
cmake -S "$folder/project" -B "$folder/project/build" -DCMAKE_PREFIX_PATH="$folder/prefix" >"$folder/log" 2>&1 &&
    cmake --build "$folder/project/build" >>"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
[ "$("$folder/project/build/consumer")" = 448 ]
[ -x "$folder/prefix/bin/ulpscope" ] && "$folder/prefix/bin/ulpscope" --version >/dev/null
echo "installed, and used by pkg-config and by find_package"
