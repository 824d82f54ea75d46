#!/bin/sh
# tests/tools/run.sh ULPSCOPE NAME.sh [SHARED] - run a script of commands and hold what it says against the files beside it:
# NAME.stdout, NAME.stderr (absent: nothing may be said), NAME.exit (absent: 0). The script runs in an empty folder
# with $ulpscope, the program, $examples, the example cases, and $shared, the folder of public files, which may be
# absent; its exit code is that of its last command. 77, which ulpscope never gives: skipped, something is not here.
set -u
ulpscope=$(realpath "$1")
script=$(realpath "$2")
here=$(dirname "$script")
examples=$(realpath "$here/../../datasets/examples")
shared=${3:-/nonexistent}
expected=${script%.sh}
export ulpscope examples here shared
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/work"
(cd "$folder/work" && sh "$script" >"$folder/stdout" 2>"$folder/stderr" </dev/null)
code=$?
if [ "$code" = 77 ]; then
    echo "run.sh: $2: skipped, what it needs is not here"
    exit 77
fi
bad=0
if [ ! -f "$expected.stdout" ] && [ ! -f "$expected.stderr" ]; then
    echo "run.sh: $expected.stdout and .stderr are both absent: nothing is expected"
    exit 1
fi
for stream in stdout stderr; do
    want=/dev/null
    [ -f "$expected.$stream" ] && want=$expected.$stream
    if ! diff -u "$want" "$folder/$stream"; then
        echo "run.sh: $2: $stream is not what $expected.$stream says"
        bad=1
    fi
done
want=0
[ -f "$expected.exit" ] && want=$(cat "$expected.exit")
if [ "$code" != "$want" ]; then
    echo "run.sh: $2: exit code $code, not $want"
    bad=1
fi
exit "$bad"
