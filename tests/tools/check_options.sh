#!/bin/sh
# tests/tools/check_options.sh ULPSCOPE MAN - every option that a command's table holds stands in its page, every
# option of a page in the table; the help fits a screen and ends with two examples.
set -u
ulpscope=$1
man=$2
bad=0
count=0
say() {
    echo "check_options: $*"
    bad=1
}
commands=$("$ulpscope" --help | sed -n 's/^  \([a-z][a-z]*\)  *.*/\1/p' | grep -v '^ulpscope$')
[ "$(echo "$commands" | wc -l)" -ge 9 ] || say "too few commands in --help: $commands"
for command in $commands; do
    page=$man/ulpscope-$command.1
    if [ ! -f "$page" ]; then
        say "$page is absent"
        continue
    fi
    help=$("$ulpscope" "$command" --help) || say "$command --help: exit code $?"
    options=$(echo "$help" | sed -n 's/^  \(-[a-z], \)\{0,1\}--\([a-z][a-z-]*\).*/\2/p')
    for option in $options; do
        count=$((count + 1))
        grep -qE "^\.It Fl (. , )?-$option( |$)" "$page" || say "$page: --$option is not there"
    done
    for option in $(sed -nE 's/^\.It Fl (. , )?-([a-z]+).*/\2/p' "$page"); do
        echo "$options" | grep -qx "$option" || say "$page: --$option is in no table"
    done
    [ "$(echo "$help" | wc -l)" -le 24 ] || say "$command --help does not fit 24 lines"
    [ "$(echo "$help" | awk 'length > m { m = length } END { print m }')" -le 100 ] ||
        say "$command --help has a line of more than 100 columns"
    echo "$help" | tail -n 3 | head -n 1 | grep -qx 'Examples:' || say "$command --help: no two examples at its end"
    echo "$help" | tail -n 2 | grep -vq "ulpscope $command" && say "$command --help: an example of something else"
    grep -q "^\.Xr ulpscope-$command 1" "$man/ulpscope.1" || say "ulpscope.1 does not name ulpscope-$command"
done
[ "$count" -ge 40 ] || say "only $count options seen"
echo "$count options"
exit "$bad"
