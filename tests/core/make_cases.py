"""tests/core/make_cases.py DIRECTORY - case files as h5py users write them, good and bad.

Everything that a test expects of a good file is computed here by NumPy and stored in it.
"""
import sys

import h5py
import numpy as np

directory = sys.argv[1]
rng = np.random.default_rng(1)


def case(name, op="gemm", **attributes):
    f = h5py.File(f"{directory}/{name}.h5", "w")
    f.attrs["ulpscope_case"] = 1
    if op is not None:
        f.attrs["op"] = op
    for key, value in attributes.items():
        f.attrs[key] = value
    return f


def put(f, path, values, dtype=None, kind=np.float64):
    f[path] = np.asarray(values, dtype=kind)
    if dtype:
        f[path].attrs["dtype"] = dtype


def integers(*shape):
    return rng.integers(-8, 9, size=shape).astype(np.float64)


# attributes in every storage that h5py gives them
with case("attributes", alpha=0.5, beta=np.float32(0.25), trans_a=True, trans_b=np.int8(0)) as f:
    f.attrs["text"] = "some words"
    f.attrs["bytes"] = np.bytes_("fixed")
    f.attrs["one"] = np.array([7])
    f.attrs["big"] = np.array(66306, dtype=">i4")
    f.attrs["unsigned"] = np.uint64(2**64 - 1)
    f.attrs["several"] = np.array([1, 2, 3])
    f.attrs["empty"] = ""
    put(f, "inputs/a", [[1, 2], [3, 4]])
    put(f, "inputs/b", [[5, 6], [7, 8]])
    put(f, "outputs/z", [[1, 2], [3, 4]])
    put(f, "outputs/h100", [[0x3F80, 0x4000], [0x4040, 0xFFFF]], "bf16", np.uint16)
    f["outputs/h100"].attrs["platform"] = "NVIDIA H100"
    f["outputs/h100"].attrs["runs"] = 3
    f["outputs/h100"].attrs["sha256"] = "00"

# contractions; outputs/want by NumPy
for name, a, b, c, extra in [
    ("gemm_plain", (3, 4), (4, 5), None, {}),
    ("gemm_c", (3, 4), (4, 5), (3, 5), {"alpha": 2.0, "beta": -3}),
    ("gemm_trans", (4, 3), (5, 4), (3, 5), {"trans_a": 1, "trans_b": 1}),
    ("gemm_trans_a", (4, 3), (4, 5), None, {"trans_a": "1"}),
    ("gemm_trans_b", (3, 4), (5, 4), None, {"trans_b": True}),
    ("gemm_batch", (2, 3, 3, 4), (2, 3, 4, 5), (2, 3, 3, 5), {}),
    ("gemm_batch_a", (2, 3, 4), (4, 5), (3, 5), {}),
    ("gemm_batch_b", (3, 4), (2, 5, 4), (2, 3, 5), {"trans_b": 1}),
    ("gemm_k0", (3, 0), (0, 5), (3, 5), {}),
]:
    with case(name, **extra) as f:
        A, B = integers(*a), integers(*b)
        put(f, "inputs/a", A)
        put(f, "inputs/b", B)
        if float(extra.get("trans_a", 0)):
            A = np.swapaxes(A, -1, -2)
        if float(extra.get("trans_b", 0)):
            B = np.swapaxes(B, -1, -2)
        want = extra.get("alpha", 1) * (A @ B)
        if c:
            C = integers(*c)
            put(f, "inputs/c", C)
            want = want + extra.get("beta", 1) * C
        put(f, "outputs/want", want)

for name, lead, c in [("dot", (6,), True), ("dot_no_c", (2, 3), False), ("dot_row", (), True)]:
    with case(name, op="dot") as f:
        a, b = integers(*lead, 8), integers(*lead, 8)
        put(f, "inputs/a", a)
        put(f, "inputs/b", b)
        want = np.sum(a * b, axis=-1)
        if c:
            C = integers(*lead)
            put(f, "inputs/c", C)
            want = want + C
        put(f, "outputs/want", want)

for name, trans in [("scaled", 0), ("scaled_trans", 1)]:
    with case(name, trans_a=trans, trans_b=trans) as f:
        A, B, sA, sB = integers(2, 3, 8), integers(2, 8, 5), integers(2, 3, 2), integers(2, 2, 5)
        want = np.matmul(A * np.repeat(sA, 4, axis=-1), B * np.repeat(sB, 4, axis=-2))
        for key, value in (("a", A), ("b", B), ("a_scale", sA), ("b_scale", sB)):
            put(f, f"inputs/{key}", np.swapaxes(value, -1, -2) if trans else value)
        put(f, "outputs/want", want)

with case("scaled_dot", op="dot") as f:
    a, b, sa, sb = integers(5, 8), integers(5, 8), integers(5, 2), integers(5, 2)
    for key, value in (("a", a), ("b", b), ("a_scale", sa), ("b_scale", sb)):
        put(f, f"inputs/{key}", value)
    put(f, "outputs/want", np.sum(a * np.repeat(sa, 4, -1) * b * np.repeat(sb, 4, -1), axis=-1))

# what must be refused
with h5py.File(f"{directory}/no_case.h5", "w") as f:
    put(f, "inputs/a", [1])
with case("layout_2") as f:
    f.attrs["ulpscope_case"] = 2
with case("no_op", op=None) as f:
    put(f, "inputs/a", [[1]])
with case("bad_op", op="gem") as f:
    put(f, "inputs/a", [[1]])


def square(f):
    put(f, "inputs/a", [[1.0]])
    put(f, "inputs/b", [[1.0]])
    put(f, "outputs/d", [[1.0]])


for name, attributes in {
    "text_alpha": {"alpha": "half"},
    "array_alpha": {"alpha": [1.0, 2.0]},
    "nan_alpha": {"alpha": np.nan},
    "switch_2": {"trans_a": 2},
    "near_name": {"transA": 1},
    "activation": {"activation": "relu"},
}.items():
    with case(name, **attributes) as f:
        square(f)
with case("foreign_parameter", op="dot", alpha=2.0) as f:
    square(f)
with case("remarks", seed=1, description="x", k=16) as f:
    square(f)
with case("no_inputs") as f:
    put(f, "outputs/d", [[1]])
with case("empty_inputs") as f:
    f.create_group("inputs")
with case("no_b") as f:
    put(f, "inputs/a", [[1]])
with case("capital_a") as f:
    square(f)
    put(f, "inputs/A", [[1]])
with case("no_outputs") as f:
    square(f)
    del f["outputs"]
with case("empty_outputs") as f:
    square(f)
    del f["outputs/d"]
with case("outputs_is_data") as f:
    square(f)
    del f["outputs"]
    put(f, "outputs", [1])
with case("subgroup") as f:
    square(f)
    f.create_group("outputs/deeper")
with case("dangling") as f:
    square(f)
    f["outputs/gone"] = h5py.SoftLink("/nowhere")
with case("soft") as f:
    square(f)
    f["outputs/same"] = h5py.SoftLink("/outputs/d")
with case("unnamed") as f:
    put(f, "inputs/a", [[0x38]], None, np.uint8)
    put(f, "inputs/b", [[0x38]], None, np.uint8)
    put(f, "outputs/a", [[0x3F800000]], None, np.uint32)
with case("unnamed_one") as f:
    put(f, "inputs/a", [[0x38]], None, np.uint8)
    put(f, "inputs/b", [[0x38]], "f8e4m3fn", np.uint8)
with case("unknown_dtype") as f:
    put(f, "inputs/a", [[0x38]], "f8e9", np.uint8)
    put(f, "inputs/b", [[0x38]], "f8e4m3fn", np.uint8)
open(f"{directory}/text.h5", "w").write("not HDF5\n")
np.save(f"{directory}/array.npy", np.zeros(3))
