#!/bin/sh
# clang-tidy over every source of the rooms, warnings are errors.
set -eu
database=build/clang
[ -f "$database/compile_commands.json" ] || {
    echo "check_tidy: $database/compile_commands.json is absent: cmake --preset clang"
    exit 1
}
git ls-files 'precision/*.c' 'core/*.c' 'refs/*.c' 'emulators/*.c' 'analysis/*.c' 'datasets/*.c' 'tools/*.c' |
    xargs -P 2 -n 4 clang-tidy --quiet -p "$database" 2>/dev/null
