#!/bin/sh
# tests/tools/check_examples.sh ULPSCOPE PYTHON MAN EXAMPLES - every example of a man page and of a --help runs as it
# stands and answers: exit 0 or 1, nothing on stderr. Exit 77 where Python lacks h5py.
set -u
ulpscope=$(realpath "$1")
python=$2
man=$(realpath "$3")
examples=$(realpath "$4")
"$python" -c 'import h5py, numpy' 2>/dev/null || { echo "check_examples: $python has no h5py: skipped"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/work"
ln -s "$ulpscope" "$folder/bin/ulpscope"
PATH=$folder/bin:$PATH
cd "$folder/work" || exit 1
# The files that the examples speak of. The case has an output in f32 and its rounding to bf16.
ulpscope emulate "$examples/h100-bf16.h5" --model 'hopper.bf16.f32 | out(bf16,rne)' --name x -o case.h5 >/dev/null || exit 1
"$python" - <<'END' || exit 1
import h5py, json, numpy as np, shutil, struct
with h5py.File("case.h5", "r+") as f:
    f.move("emulated/x", "outputs/bf16")
    del f["outputs/device"]
with h5py.File("a.h5", "w") as f:
    for name, words in (("h100", [0x3f80, 0x4000]), ("trn2", [0x3f80, 0x4001])):
        f.create_dataset("outputs/" + name, data=np.array(words, np.uint16)).attrs["dtype"] = "bf16"
np.save("got.npy", np.array([0x3f80, 0x4000], np.uint16))
np.save("want.npy", np.array([0x3f80, 0x4001], np.uint16))
shutil.copy("want.npy", "b.npy")
head = json.dumps({"w": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}}).encode()
open("weights.safetensors", "wb").write(struct.pack("<Q", len(head)) + head + b"\x80\x3f\x00\x40")
END
{
    sed -n 's/^\.Dl //p' "$man"/ulpscope*.1
    ulpscope --help | sed -n '/^Examples:/,$s/^  //p'
    for command in $(sed -nE 's/^\.Xr ulpscope-([a-z]+) 1.*/\1/p' "$man/ulpscope.1"); do
        ulpscope "$command" --help | sed -n '/^Examples:/,$s/^  //p'
    done
} | sort -u >lines
bad=0
count=0
while IFS= read -r line; do
    count=$((count + 1))
    bash -c "$line" >out 2>err </dev/null
    code=$?
    if [ "$code" -gt 1 ] || [ -s err ]; then
        echo "check_examples: $line: exit code $code: $(cat err)"
        bad=1
    fi
done <lines
[ "$count" -ge 20 ] || { echo "check_examples: only $count examples seen"; bad=1; }
echo "$count examples"
exit "$bad"
