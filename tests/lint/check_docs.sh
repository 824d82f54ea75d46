#!/bin/sh
# Every function declared in a header of a room has a comment above it, every file says what it is and under
# which licence, no file is too long.
set -eu
bad=0
headers=$(git ls-files 'precision/*.h' 'core/*.h' 'refs/*.h' 'emulators/*.h' 'analysis/*.h' 'datasets/*.h' 'tools/*.h')
for header in $headers; do
    awk -v file="$header" '
        /^\/\*/ && NR == 1 { if (index($0, file) == 0 && getline > 0 && index($0, file) == 0) {
            printf "check_docs: %s:1: the first comment must begin with \"%s - ...\"\n", file, file; bad = 1 } }
        # A declaration: starts in column 0, has a name that ends in "(", and is no macro or typedef.
        /^[A-Za-z_].*ulp_[a-z0-9_]+\(/ && !/^(typedef|#|static)/ && !/^ULP_PRINTF/ {
            if (previous !~ /\*\/[ \t]*$/ && previous !~ /[;,][ \t]*(\/\*.*\*\/)?[ \t]*$/ &&
                previous !~ /^(ULP_MUST_CHECK|_Noreturn)/) {
                printf "check_docs: %s:%d: no comment above: %s\n", file, NR, $0; bad = 1 } }
        { if ($0 !~ /^[ \t]*$/) previous = $0; else previous = "" }
        END { exit bad }' "$header" || bad=1
done
for source in $(git ls-files '*.c' '*.cu' | grep -v '^tests/'); do
    head -n 40 "$source" | grep -q 'SPDX-License-Identifier: Apache-2.0' || {
        echo "check_docs: $source: no SPDX-License-Identifier line in its head"
        bad=1
    }
    head -n 3 "$source" | grep -q "$source - " || {
        echo "check_docs: $source:1: the first comment must begin with \"$source - ...\""
        bad=1
    }
done
for file in $(git ls-files '*.c' '*.h' '*.cu' | grep -vE '_(table|alias)\.[ch]$'); do
    lines=$(wc -l <"$file")
    [ "$lines" -le 400 ] || {
        echo "check_docs: $file: $lines lines; one noun a file, 400 at most"
        bad=1
    }
done
exit "$bad"
