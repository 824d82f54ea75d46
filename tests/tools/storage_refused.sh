# What a file does not say is asked for and never guessed; what does not fit is refused and nothing is written.
/usr/bin/python3 -c 'import h5py, numpy' 2>/dev/null || exit 77
/usr/bin/python3 - <<'END' || exit 1
import h5py, numpy as np, os, shutil
np.save("u.npy", np.array([1, 2], np.uint8)); np.save("f.npy", np.array([1, 2], np.float32))
for name, a in (("m.h5", [1, 2]), ("n.h5", [1, 2, 3])):
    with h5py.File(name, "w") as f:
        f["x"] = np.float32(a); f["y"] = np.float32([3])
with h5py.File("other.h5", "w") as f:
    f["p"] = np.float32([1]); f["q"] = np.float32([1])
source = os.environ["examples"] + "/h100-bf16.h5"
for name in ("shapes.h5", "nothing.h5", "nodtype.h5"):
    shutil.copy(source, name)
with h5py.File("shapes.h5", "r+") as f:
    a = f["inputs/a"][...]; del f["inputs/a"]
    f["inputs"].create_dataset("a", data=a[:, :8]).attrs["dtype"] = "bf16"
with h5py.File("nothing.h5", "r+") as f:
    del f["outputs"]
with h5py.File("nodtype.h5", "r+") as f:
    del f["inputs/a"].attrs["dtype"]
END
say() { "$ulpscope" "$@"; echo "exit $?" >&2; }
say info u.npy --dtype fp8
say info u.npy --dtype nonsense
say info f.npy --dtype f64
say info f.npy --dtype i32
say info f.npy --dtype =i32
say diff u.npy u.npy
say diff f.npy f.npy --dtype A=f32,X=bf16
say diff f.npy f.npy --dtype A=f32,B=f32,junk
say diff f.npy f.npy --dtype f32,f32
say diff f.npy f.npy --dtype A=f32,A=f32
say diff f.npy f.npy --dtype A=
say diff f.npy f.npy --dtype A=f32,B=f32 -q
say diff m.h5 n.h5
say diff m.h5 other.h5
say diff m.h5 f.npy
say diff m.h5:/z m.h5:/x
say explain shapes.h5
say emulate shapes.h5 --model hopper.bf16.f32 -o new.h5
say explain nothing.h5
say explain nodtype.h5
say explain nodtype.h5 --dtype a=bf17
say explain nodtype.h5 --dtype z=bf16
say emulate nodtype.h5 --model hopper.bf16.f32 -o new.h5
ls
exit 0
