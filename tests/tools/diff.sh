# Fixtures by NumPy, and the questions of the trade.
/usr/bin/python3 - <<'EOF' || exit 77
import numpy as np, h5py, json, struct
def put(name, words, dtype, np_type):
    with h5py.File(name, "w") as f:
        d = f.create_dataset("x", data=np.array(words, dtype=np_type)); d.attrs["dtype"] = dtype
put("zero_a.h5", [0x0000], "bf16", np.uint16); put("zero_b.h5", [0x8000], "bf16", np.uint16)
put("nan_a.h5", [0x7fc0, 0x3f80], "bf16", np.uint16); put("nan_b.h5", [0xffc1, 0x3f80], "bf16", np.uint16)
put("inf_a.h5", [0x7f80], "bf16", np.uint16); put("max_b.h5", [0x7f7f], "bf16", np.uint16)
put("sub_a.h5", [0x0001], "bf16", np.uint16); put("sub_b.h5", [0x8001], "bf16", np.uint16)
put("pow_a.h5", [0x3f80], "bf16", np.uint16); put("pow_b.h5", [0x3f7f], "bf16", np.uint16)
put("fn_a.h5", [0x7e, 0x78], "f8e4m3fn", np.uint8); put("fn_b.h5", [0x7f, 0x77], "f8e4m3fn", np.uint8)
put("ieee_a.h5", [0x78], "f8e4m3", np.uint8); put("ieee_b.h5", [0x77], "f8e4m3", np.uint8)
np.save("a.npy", np.array([1, 2, 3], dtype=np.float32)); np.save("b.npy", np.array([1, 2, 3], dtype=">f4"))
np.save("c.npy", np.array([[1, 2, 3]], dtype=np.float32)); np.save("u.npy", np.array([1, 2], dtype=np.uint8))
np.save("e.npy", np.zeros(0, dtype=np.float32))
EOF
pair() { "$ulpscope" diff "$@"; echo "exit $?"; }
pair zero_a.h5 zero_b.h5
pair zero_a.h5 zero_b.h5 --zero signed
pair nan_a.h5 nan_b.h5
pair nan_a.h5 nan_b.h5 --nan differ
pair inf_a.h5 max_b.h5
pair sub_a.h5 sub_b.h5
pair pow_a.h5 pow_b.h5
pair fn_a.h5 fn_b.h5
pair ieee_a.h5 ieee_b.h5
pair a.npy b.npy
pair pow_a.h5 pow_b.h5 --ulp 1
pair pow_a.h5 pow_b.h5 --rel 0.001
for refused in "a.npy c.npy" "u.npy u.npy" "e.npy e.npy" "a.npy pow_a.h5" "a.npy missing.npy" "pow_a.h5:/y pow_b.h5" "a.npy b.npy --ulp x" "a.npy b.npy --dtype fp8"; do
    # shellcheck disable=SC2086
    pair $refused 2>&1
done
