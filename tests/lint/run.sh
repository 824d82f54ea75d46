#!/bin/sh
# tests/lint/run.sh - every check that reads the tree and runs nothing of it. Needs build/clang/compile_commands.json.
# Each check is a script of its own and says what it found; all run, and one failure fails.
cd "$(dirname "$0")/../.." || exit 2
failed=0
for check in format includes docs papers words man tidy; do
    if sh "tests/lint/check_$check.sh"; then
        echo "lint: $check ok"
    else
        echo "lint: $check FAILED"
        failed=1
    fi
done
exit "$failed"
