#!/bin/sh
# Man pages are clean mdoc.
set -eu
command -v mandoc >/dev/null 2>&1 || { echo "check_man: mandoc is not installed"; exit 1; }
pages=$(git ls-files 'tools/man/*.[1-9]')
[ -n "$pages" ] || { echo "check_man: no pages"; exit 1; }
# shellcheck disable=SC2086
mandoc -T lint -W warning $pages
