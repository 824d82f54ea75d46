#!/usr/bin/env python3
"""Every format that ml_dtypes has, decoded and encoded by precision/: the same values and the same codes.

ml_dtypes [MLDTYPES] shares no code with this project. Each code of each format is decoded to f64; random f32 words,
every member, every midpoint and its two neighbours are rounded from f32 (nearest even, overflow as the format says).
NaN must meet NaN; its code is not compared. Two differences are known, counted apart and printed: NaN into a format
that has none (ml_dtypes: -0, here +0 and a flag), zero into float8_e8m0fnu (ml_dtypes: NaN, here the least value and a
flag; see precision/number.h).

usage: ml_dtypes_formats.py [SOURCE [WORDS]]    SOURCE: the root of the sources, WORDS: random words a format
exit: 0 all the same, 1 some not, 77 ml_dtypes, numpy or a C compiler is not at hand
"""
import ctypes
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import ml_dtypes
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

FORMATS = {  # ours: theirs, bits
    "f8e4m3fn": (ml_dtypes.float8_e4m3fn, 8), "f8e4m3": (ml_dtypes.float8_e4m3, 8),
    "f8e5m2": (ml_dtypes.float8_e5m2, 8), "f8e3m4": (ml_dtypes.float8_e3m4, 8),
    "f8e4m3fnuz": (ml_dtypes.float8_e4m3fnuz, 8), "f8e5m2fnuz": (ml_dtypes.float8_e5m2fnuz, 8),
    "f8e4m3b11fnuz": (ml_dtypes.float8_e4m3b11fnuz, 8), "f8e8m0fnu": (ml_dtypes.float8_e8m0fnu, 8),
    "f6e2m3fn": (ml_dtypes.float6_e2m3fn, 6), "f6e3m2fn": (ml_dtypes.float6_e3m2fn, 6),
    "f4e2m1fn": (ml_dtypes.float4_e2m1fn, 4), "bf16": (ml_dtypes.bfloat16, 16), "f16": (np.float16, 16),
}
HAVE_NO_NAN = ("f6e2m3fn", "f6e3m2fn", "f4e2m1fn")


def load(source, folder):
    """precision/ as a shared library."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        print("skipped: no C compiler")
        sys.exit(77)
    library = folder + "/precision.so"
    files = sorted(str(path) for path in pathlib.Path(source, "precision").glob("*.c"))
    subprocess.run([compiler, "-std=c11", "-O2", "-shared", "-fPIC", "-I", str(source), *files, "-o", library],
                   check=True)
    handle = ctypes.CDLL(library)
    handle.ulp_format_find.restype = ctypes.c_void_p
    handle.ulp_format_find.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    handle.ulp_number_convert.restype = ctypes.c_uint64
    handle.ulp_number_convert.argtypes = [ctypes.c_uint64] + [ctypes.c_void_p] * 4
    return handle


def convert(handle, codes, to, source):
    """Our conversion of each code."""
    to, source = (handle.ulp_format_find(name.encode(), None) for name in (to, source))
    return np.array([handle.ulp_number_convert(code, to, source, None, None) for code in codes.tolist()],
                    dtype=np.uint64)


def words(values, rng, count):
    """f32 words: random ones, all members, midpoints and their neighbours, zeros and specials."""
    finite = np.unique(values[np.isfinite(values)])
    middle = ((finite[1:] + finite[:-1]) / 2).astype(np.float32).view(np.uint32)
    special = np.array([0, 0x80000000, 1, 0x80000001, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000,
                        0xFFC00001], dtype=np.uint32)
    return np.concatenate([rng.integers(0, 1 << 32, count, dtype=np.uint64).astype(np.uint32),
                           values.astype(np.float32).view(np.uint32), middle, middle + 1, middle - 1, special])


def compare(handle, name, rng, count):
    """Number of differences that are not among the known ones."""
    theirs, bits = FORMATS[name]
    storage = np.uint16 if bits == 16 else np.uint8
    codes = np.arange(1 << bits, dtype=storage)
    values = codes.view(theirs).astype(np.float64)
    ours = convert(handle, codes, "f64", name).view(np.float64)
    wrong = int(np.sum((ours.view(np.uint64) != values.view(np.uint64)) & ~(np.isnan(ours) & np.isnan(values))))
    sources = words(values, rng, count)
    singles = sources.view(np.float32)
    want = singles.astype(theirs).view(storage)
    got = convert(handle, sources, name, "f32").astype(storage)
    both_nan = np.isnan(want.view(theirs).astype(np.float32)) & np.isnan(got.view(theirs).astype(np.float32))
    differ = (got != want) & ~both_nan
    known = np.isnan(singles) if name in HAVE_NO_NAN else (singles == 0) & (name == "f8e8m0fnu")
    for i in np.flatnonzero(differ & ~known)[:5]:
        print(f"{name}: f32 0x{sources[i]:08x}: got 0x{got[i]:02x}, ml_dtypes 0x{want[i]:02x}")
    wrong += int(np.sum(differ & ~known))
    print(f"{name}: {codes.size} codes, {sources.size} words, {wrong} differ, {int(np.sum(differ & known))} known")
    return wrong


def main():
    """Compare all formats."""
    source = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 50000
    rng = np.random.default_rng(1)
    np.seterr(all="ignore")
    with tempfile.TemporaryDirectory() as folder:
        handle = load(source, folder)
        wrong = sum(compare(handle, name, rng, count) for name in FORMATS)
    print(f"ml_dtypes {ml_dtypes.__version__}: {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
