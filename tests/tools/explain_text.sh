# What the examples' README promises: real devices named, one flipped bit found, a lost product outside.
cd "$examples" || exit 2
for case in h100-bf16 ada-fp8 b200-fp8 mi300x-fp8 one-flipped-bit lost-last-k; do
    "$ulpscope" explain "$case.h5"
    echo "exit $?"
done
