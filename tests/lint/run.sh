#!/bin/sh
# tests/lint/run.sh [CHECK...] - the checks that read the tree and run nothing of it; all but tidy by default, which
# needs build/clang/compile_commands.json (./dev tidy). Each is a script of its own and says what it found; all run,
# and one failure fails.
cd "$(dirname "$0")/../.." || exit 2
failed=0
[ $# -gt 0 ] || set -- format includes docs papers words man
for check in "$@"; do
    if sh "tests/lint/check_$check.sh"; then
        echo "lint: $check ok"
    else
        echo "lint: $check FAILED"
        failed=1
    fi
done
exit "$failed"
