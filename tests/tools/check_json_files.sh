#!/bin/sh
# tests/tools/check_json_files.sh ULPSCOPE PYTHON EXAMPLES - the words that readers of explain, diff, info and emulate
# rely on are in their JSON, with numbers that JSON can hold; exit 77 where Python lacks h5py.
set -u
ulpscope=$(realpath "$1")
python=$2
examples=$(realpath "$3")
"$python" -c 'import h5py, numpy' 2>/dev/null || { echo "check_json_files: $python has no h5py: skipped"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
cat >check.py <<'END'
import json, subprocess, sys
import h5py
import numpy as np

ulpscope, examples = sys.argv[1:]


def refuse(word):
    raise ValueError("not JSON: " + word)


def ask(code, *words):
    run = subprocess.run([ulpscope, *words, "--json"], capture_output=True, text=True)
    assert run.returncode == code, (words, run.returncode, run.stderr)
    assert run.stderr == "", (words, run.stderr)
    return json.loads(run.stdout, parse_constant=refuse)


def same(what, got, want):
    assert got == want, (what, got, want)


# explain: a match, a flipped bit, a lost product.
for name, code, verdict in (("h100-bf16", 0, "explained"), ("one-flipped-bit", 1, "rounding"),
                            ("lost-last-k", 1, "outside")):
    answer = ask(code, "explain", f"{examples}/{name}.h5")
    same(name, answer["schema"], "ulpscope.explain/1")
    for key in ("tool_version", "case", "op", "outputs"):
        assert key in answer, (name, key)
    for output in answer["outputs"]:
        same(name, output["verdict"], verdict)
        for key in ("name", "dtype", "n", "tried", "first_mismatch", "bound", "closest_other"):
            assert key in output, (name, key)
        model = output["model"]
        for key in ("name", "spec", "matched", "of", "matches"):
            assert key in model, (name, key)
        for key in ("exact", "max_ulp", "mean_ulp", "p99_ulp", "worst"):
            assert key in output["vs_reference"], (name, key)
        for key in ("index", "got", "want", "ulp"):
            assert key in output["vs_reference"]["worst"], (name, key)
        if verdict == "explained":
            assert model["name"] in model["matches"] and model["matched"] == model["of"] == output["n"]
            same(name, output["first_mismatch"], None)
        else:
            same(name, model["matches"], [])
            assert model["matched"] < model["of"], name
        if output["closest_other"] is not None:
            assert output["closest_other"]["spec"] != model["spec"], name
flipped = ask(1, "explain", f"{examples}/one-flipped-bit.h5")["outputs"][0]
same("the flipped element", flipped["first_mismatch"]["index"], [4])

# diff: integers that a double cannot hold, NaN, two files of several datasets.
np.save("i.npy", np.array([2**63 - 1, -2**63, 2**53 + 1, 7], np.int64))
np.save("j.npy", np.array([2**63 - 2, -2**63, 2**53 + 2, -7], np.int64))
answer = ask(1, "diff", "i.npy", "j.npy")
for key in ("schema", "tool_version", "n", "differing", "max_ulp_distance", "histogram", "worst", "nan", "inf",
            "zero", "equal", "tolerance", "policy"):
    assert key in answer, key
values = {w["flat_index"]: (w["got_value"], w["want_value"]) for w in answer["worst"]}
same("values", values, {0: ("9223372036854775807", "9223372036854775806"),
                        2: ("9007199254740993", "9007199254740994"), 3: (7, -7)})
same("counts", (answer["n"], answer["differing"], answer["equal"]), (4, 3, False))
same("histogram", sum(row["count"] for row in answer["histogram"]), 4)
np.save("nan.npy", np.array([np.nan, np.inf, 0, 1], np.float32))
np.save("one.npy", np.array([2, np.inf, -0.0, 1], np.float32))
answer = ask(1, "diff", "nan.npy", "one.npy")
same("NaN against a number", (answer["equal"], answer["worst"][0]["got_value"]), (False, "nan"))
same("zeros", answer["zero"], {"got": 1, "want": 1, "sign_differs": 1})
with h5py.File("a.h5", "w") as a, h5py.File("b.h5", "w") as b:
    a["x"] = np.float32([1, 2])
    b["x"] = np.float32([1, 2])
    a["y"] = np.float32([3, 4, 5])
    b["y"] = np.float32([3, 4, np.nextafter(np.float32(5), np.float32(6))])
answer = ask(1, "diff", "a.h5", "b.h5")
same("two files", (answer["n"], answer["differing"], answer["equal"], answer["max_ulp_distance"], len(answer["pairs"])),
     (5, 1, False, 1, 2))
answer = ask(0, "diff", "a.h5", "a.h5")
same("a file and itself", (answer["n"], answer["differing"], answer["equal"]), (5, 0, True))
with h5py.File("b.h5", "w") as b:
    b["x"] = np.float32([1, 2])
    b["z"] = np.float32([1])
answer = ask(1, "diff", "a.h5", "b.h5")
same("a dataset on one side", (answer["differing"], answer["equal"], answer["only_in_got"], answer["only_in_want"]),
     (0, False, ["/y"], ["/z"]))

# info: the least and the largest are exact.
answer = ask(0, "info", "i.npy")["datasets"][0]
same("info", (answer["dtype"], answer["shape"], answer["min"], answer["max"]),
     ("i64", [4], "-9223372036854775808", "9223372036854775807"))
np.save("k.npy", np.array([2**62 + 1, 2**62, -2**62, -2**62 - 1], np.int64))
answer = ask(0, "info", "k.npy")["datasets"][0]
same("neighbours", (answer["min"], answer["max"]), (str(-2**62 - 1), str(2**62 + 1)))
answer = ask(0, "info", f"{examples}/h100-bf16.h5")
same("info of a case", (answer["op"], len(answer["datasets"])), ("dot", 4))

# emulate: what was written is what the device gave.
answer = ask(0, "emulate", f"{examples}/h100-bf16.h5", "--model", "hopper.bf16.f32", "-o", "new.h5")
same("emulate", (answer["schema"], answer["name"], answer["n"]), ("ulpscope.emulate/1", "hopper.bf16.f32", 6))
with h5py.File("new.h5") as f:
    written = f["emulated/hopper.bf16.f32"]
    assert (written[...].view(np.uint32) == f["outputs/device"][...].view(np.uint32)).all()
    model = written.attrs["model"]
    same("model", model.decode() if isinstance(model, bytes) else model, answer["model"])
print("explain, diff, info, emulate: as readers rely on")
END
"$python" check.py "$ulpscope" "$examples"
