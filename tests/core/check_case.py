"""tests/core/check_case.py FILE - what a written case must be, seen by h5py and hashlib."""
import hashlib
import sys

import h5py
import numpy as np

file = h5py.File(sys.argv[1], "r")
assert file.attrs["ulpscope_case"] == 1, "ulpscope_case"
assert isinstance(file.attrs["op"], str), "op"
seen = 0


def visit(name, item):
    global seen
    if not isinstance(item, h5py.Dataset) or "sha256" not in item.attrs:
        return
    seen += 1
    dtype = item.attrs["dtype"]
    assert isinstance(dtype, str), f"{name}: dtype is not text"
    native = {"f64": "<f8", "f32": "<f4", "tf32": "<f4", "f16": "<f2"}
    assert item.dtype.kind in "iuf", f"{name}: kind {item.dtype}"
    if dtype in native:
        assert item.dtype == np.dtype(native[dtype]), f"{name}: {dtype} stored as {item.dtype}"
    else:
        assert item.dtype.kind in "iu", f"{name}: {dtype} stored as {item.dtype}"
    assert item.dtype.byteorder != ">", f"{name}: byte order"
    digest = hashlib.sha256(item[()].tobytes()).hexdigest()
    assert digest == item.attrs["sha256"], f"{name}: sha256"
    if item.shape and item.size:
        assert item.chunks and item.shuffle and item.fletcher32, f"{name}: filters"
        assert item.compression == "gzip", f"{name}: gzip"


file.visititems(visit)
assert seen == int(sys.argv[2]), f"{seen} datasets with sha256"
