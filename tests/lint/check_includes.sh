#!/bin/sh
# Who may include whom. The picture in README.md, as a table: folder, then the folders its files may include.
# Also a test (ctest check_includes), since a wrong direction is a wrong design.
set -eu
cd "${1:-.}"
allowed() {
    case $1 in
    precision) echo 'precision' ;;
    core) echo 'core precision' ;;
    refs) echo 'refs core precision' ;;
    emulators) echo 'emulators core precision' ;;
    analysis) echo 'analysis refs emulators core precision' ;;
    datasets) echo 'datasets refs emulators core precision' ;;
    tools) echo 'tools datasets analysis refs emulators core precision' ;;
    esac
}
bad=0
seen=0
for folder in precision core refs emulators analysis datasets tools; do
    may=$(allowed $folder)
    # file:line:include "room/..."
    grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]+"' "$folder" --include='*.c' --include='*.h' \
        --include='*.cu' >"${TMPDIR:-/tmp}/includes.$$" || true
    while IFS= read -r line; do
        seen=$((seen + 1))
        room=${line#*\"}
        case $room in
        */*) room=${room%%/*} ;;
        *)
            echo "check_includes: $line: includes go from the root: \"$folder/...\""
            bad=1
            continue
            ;;
        esac
        case " $may " in
        *" $room "*) ;;
        *)
            echo "check_includes: $line: $folder/ may include $may only"
            bad=1
            ;;
        esac
    done <"${TMPDIR:-/tmp}/includes.$$"
    rm -f "${TMPDIR:-/tmp}/includes.$$"
    # Foreign libraries have rooms too.
    foreign=$(grep -rnE '#[[:space:]]*include[[:space:]]+<(mpfr|gmp|hdf5|jansson|popt|nettle|omp|cblas)' \
        "$folder" --include='*.c' --include='*.h' || true)
    case $folder in
    precision) wrong=$foreign ;;
    core) wrong=$(printf '%s\n' "$foreign" | grep -E '<(mpfr|gmp|popt|cblas)' || true) ;;
    emulators) wrong=$(printf '%s\n' "$foreign" | grep -E '<(mpfr|gmp|hdf5|jansson|popt|cblas)' || true) ;;
    refs) wrong=$(printf '%s\n' "$foreign" | grep -E '<(hdf5|jansson|popt)' || true) ;;
    *) wrong= ;;
    esac
    if [ -n "$wrong" ]; then
        echo "check_includes: this library has no business in $folder/:"
        printf '%s\n' "$wrong"
        bad=1
    fi
done
[ "$seen" -gt 0 ] || { echo "check_includes: no includes seen: wrong folder?"; exit 1; }
# A reference never passes through our own rounding or accumulator.
if grep -rnE 'ulp_number_encode|ulp_number_convert|ulp_accumulator_|ulp_number_product' refs --include='*.c'; then
    echo "check_includes: refs/ may decode only; rounding and sums are MPFR's"
    bad=1
fi
exit "$bad"
