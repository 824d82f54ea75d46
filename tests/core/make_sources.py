"""tests/core/make_sources.py DIRECTORY - datasets as h5py and NumPy write them, with their bytes beside."""
import sys

import h5py
import numpy as np

where = sys.argv[1]
rng = np.random.default_rng(1)
codes16 = rng.integers(0, 1 << 16, (37, 11), dtype=np.uint16)
codes8 = rng.integers(0, 256, (37, 11), dtype=np.uint8)
real = codes16.view(np.float16)
with h5py.File(where + "/py.h5", "w") as f:
    f.create_dataset("v2", data=codes16.view("V2"))
    f["v2"].attrs["dtype"] = "bfloat16"
    f.create_dataset("v1", data=codes8.view("V1"), chunks=(8, 4), compression="gzip", shuffle=True,
                     fletcher32=True)
    f["v1"].attrs["dtype"] = np.bytes_("float8_e4m3fn")
    f.create_dataset("f2", data=real.astype(">f2"), chunks=(5, 11))
    f.create_dataset("u2", data=codes16, maxshape=(None, 11))
    f["u2"].attrs.create("dtype", ["bf16"], dtype=h5py.string_dtype())
    f.create_dataset("flag", data=np.array([True, False]))
    f.create_dataset("z", data=np.array([1 + 2j]))
    f.create_dataset("void", data=h5py.Empty("f4"))
codes16.tofile(where + "/codes16")
codes8.tofile(where + "/codes8")
np.save(where + "/f2.npy", real)
np.save(where + "/f2be.npy", real.astype(">f2"))
np.save(where + "/f2f.npy", np.asfortranarray(real))
np.save(where + "/v2.npy", codes16.view("V2"))
