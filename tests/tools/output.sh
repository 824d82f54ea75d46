# Where an answer cannot go: one line, exit 2, nothing half-written. Where it can: whole.
say() { "$@"; echo "exit $?" >&2; }
say "$ulpscope" ops >/dev/full
say "$ulpscope" formats >/dev/full
say "$ulpscope" --version >/dev/full
say "$ulpscope" --help >/dev/full
say "$ulpscope" show --help >/dev/full
say "$ulpscope" ops >&-
say "$ulpscope" ops -o /dev/full
say "$ulpscope" ops -o absent/ops.txt
say "$ulpscope" ops -o .
echo before >kept
say "$ulpscope" show one -o kept
cat kept
say "$ulpscope" show 1 -q
say "$ulpscope" show 1 --dtype bf16 --out kept
cat kept
say "$ulpscope" models -o models.json --json
tail -c 2 models.json
{ sleep 1; "$ulpscope" models; echo "exit $?" >&2; } | :
ls
