"""tests/core/make_foreign.py make|check FILE - a case with much in it that is not ours, and whether a
copy of it has all of that still."""
import sys

import h5py
import numpy as np

name = sys.argv[2]
if sys.argv[1] == "make":
    with h5py.File(name, "w", track_order=True) as f:
        f.attrs["ulpscope_case"] = 1
        f.attrs["op"] = "gemm"
        f.attrs["alpha"] = np.float32(0.5)
        f.attrs["list"] = ["some", "words"]
        f.attrs["table"] = np.arange(6, dtype=">i2").reshape(2, 3)
        f.attrs["none"] = h5py.Empty("f4")
        f["inputs/a"] = np.ones((2, 3))
        f["inputs/b"] = np.ones((3, 2))
        f.create_dataset("outputs/first", data=np.arange(4.0).reshape(2, 2), chunks=(1, 2),
                         compression="lzf")
        f["outputs/second"] = np.full((2, 2), 2.0)
        f["outputs"].attrs["about"] = "two runs"
        f["outputs/link"] = h5py.SoftLink("/outputs/second")
        f["soft"] = h5py.SoftLink("/nowhere/at/all")
        f["outside"] = h5py.ExternalLink("other.h5", "/x")
        f["notes/deep/down"] = "text"
        f["notes"].attrs["by"] = "hand"
        f["kind"] = np.dtype("<f4")
else:
    with h5py.File(name, "r") as f:
        assert f.attrs["alpha"] == 0.5 and f.attrs["alpha"].dtype == np.float32
        assert list(f.attrs["list"]) == ["some", "words"]
        assert f.attrs["table"].tolist() == [[0, 1, 2], [3, 4, 5]]
        assert f.attrs["table"].dtype == np.dtype(">i2")
        assert isinstance(f.attrs["none"], h5py.Empty)
        assert f["outputs"].attrs["about"] == "two runs"
        first = f["outputs/first"]
        assert first.compression == "lzf" and first.chunks == (1, 2)
        assert first[()].tolist() == [[0, 1], [2, 3]]
        assert f.get("outputs/link", getlink=True).path == "/outputs/second"
        assert f.get("soft", getlink=True).path == "/nowhere/at/all"
        outside = f.get("outside", getlink=True)
        assert (outside.filename, outside.path) == ("other.h5", "/x")
        assert f["notes/deep/down"][()] == b"text" and f["notes"].attrs["by"] == "hand"
        assert f["kind"].dtype == np.dtype("<f4")
        assert list(f.attrs)[:3] == ["ulpscope_case", "op", "alpha"]
        root = h5py.h5g.open(f.id, b"/")
        assert root.get_create_plist().get_link_creation_order() == 3
        order = [root.links.get_info(name).corder for name in (b"inputs", b"outputs", b"soft", b"kind")]
        assert order == sorted(order), order
        # what the test replaced and added
        assert f["outputs/second"].attrs["note"] == "replaced"
        assert f["outputs/second"][()].tolist() == [[7, 7], [7, 7]]
        assert f["emulated/new"].attrs["model"] == "some line"
        assert sorted(f["outputs"]) == ["first", "link", "second"]
