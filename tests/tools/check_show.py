"""tests/tools/check_show.py ULPSCOPE - show against exact rational arithmetic.

Every code, mode, error and neighbour that `show --json` prints is computed again here with fractions, from the widths
and biases of the documents that define the formats. Nothing of the program is used but its answer.
"""
# SPDX-License-Identifier: Apache-2.0
import json
import random
import subprocess
import sys
from fractions import Fraction

# name: sign bit, exponent bits, fraction bits, bias, rule of specials, unused low bits
FORMATS = {
    "f64": (1, 11, 52, 1023, "ieee", 0), "f32": (1, 8, 23, 127, "ieee", 0), "tf32": (1, 8, 10, 127, "ieee", 13),
    "f16": (1, 5, 10, 15, "ieee", 0), "bf16": (1, 8, 7, 127, "ieee", 0), "f8e4m3fn": (1, 4, 3, 7, "fn", 0),
    "f8e4m3": (1, 4, 3, 7, "ieee", 0), "f8e5m2": (1, 5, 2, 15, "ieee", 0), "f8e3m4": (1, 3, 4, 3, "ieee", 0),
    "f8e4m3fnuz": (1, 4, 3, 8, "fnuz", 0), "f8e5m2fnuz": (1, 5, 2, 16, "fnuz", 0),
    "f8e4m3b11fnuz": (1, 4, 3, 11, "fnuz", 0), "f6e2m3fn": (1, 2, 3, 1, "none", 0),
    "f6e3m2fn": (1, 3, 2, 3, "none", 0), "f4e2m1fn": (1, 2, 1, 1, "none", 0),
}
INTEGERS = {"i8": (-128, 127, 8), "u8": (0, 255, 8), "i32": (-2**31, 2**31 - 1, 32), "i64": (-2**63, 2**63 - 1, 64),
            "u64": (0, 2**64 - 1, 64)}
MODES = ["rne", "rna", "rz", "ru", "rd", "ro"]


def floor_log2(x):
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if Fraction(2)**e <= x else e - 1


def to_integer(q, mode, negative):
    """The integer that the mode selects for the magnitude q."""
    low = q.numerator // q.denominator
    rest = q - low
    if rest == 0:
        return low
    up = {"rne": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and low % 2 == 1), "rna": rest >= Fraction(1, 2),
          "rz": False, "ru": not negative, "rd": negative, "ro": low % 2 == 0}[mode]
    return low + up


class Float:
    def __init__(self, name):
        self.sign, self.eb, self.fb, self.bias, self.rule, self.pad = FORMATS[name]
        self.emin = 1 - self.bias
        top = (1 << (self.eb + self.fb)) - 1  # the largest magnitude code
        if self.rule == "ieee":
            top = ((1 << self.eb) - 1 << self.fb) - 1
        elif self.rule == "fn":
            top -= 1
        self.max_code = top
        self.emax = (top >> self.fb) - self.bias

    def value(self, magnitude):
        field, fraction = magnitude >> self.fb, magnitude & ((1 << self.fb) - 1)
        if field == 0:
            return Fraction(fraction) * Fraction(2)**(self.emin - self.fb)
        return Fraction((1 << self.fb) + fraction) * Fraction(2)**(field - self.bias - self.fb)

    def overflowed(self, mode, negative):
        """Magnitude code and whether it is NaN."""
        stays = mode in ("rz", "ro") or (mode == "ru" and negative) or (mode == "rd" and not negative)
        if stays or self.rule == "none":
            return self.max_code, False
        return (self.max_code + 1, False) if self.rule == "ieee" else (None, True)

    def round(self, x, mode, negative):
        """Full code, pad included."""
        width = self.eb + self.fb
        q = abs(x)
        if q == 0:
            magnitude, nan = 0, False
        else:
            e = max(floor_log2(q), self.emin)
            units = to_integer(q / Fraction(2)**(e - self.fb), mode, negative)
            rounded = units * Fraction(2)**(e - self.fb)
            if rounded > self.value(self.max_code):
                magnitude, nan = self.overflowed(mode, negative)
            else:
                nan = False
                if rounded == 0:
                    magnitude = 0
                else:
                    e = max(floor_log2(rounded), self.emin)
                    units = rounded / Fraction(2)**(e - self.fb)
                    assert units.denominator == 1
                    field = 0 if units < 1 << self.fb else e + self.bias
                    magnitude = (field << self.fb) + int(units) - (1 << self.fb if field else 0)
        if nan:
            return (1 << width) if self.rule == "fnuz" else (1 << width) - 1
        if self.rule == "fnuz" and magnitude == 0:
            negative = False
        return (magnitude | (1 << width if negative else 0)) << self.pad

    def ulp_exponent(self, x):
        e = self.emin if x == 0 else min(max(floor_log2(abs(x)), self.emin), self.emax)
        return e - self.fb

    def error(self, x, code):
        code >>= self.pad
        width = self.eb + self.fb
        magnitude = code & ((1 << width) - 1)
        if self.rule == "fnuz" and code == 1 << width or self.rule == "fn" and magnitude == (1 << width) - 1:
            return None
        y = Fraction(2)**(self.emax + 1) if magnitude > self.max_code else self.value(magnitude)
        y = -y if code >> width else y
        return abs(y - x) / Fraction(2)**self.ulp_exponent(x)


def fail(text):
    print("check_show:", text)
    sys.exit(1)


def check(text, x, negative, answer):
    seen = 0
    for row in answer["formats"]:
        name = row["format"]
        for mode in MODES:
            got = int(row["rounding"][mode], 16)
            if name in INTEGERS:
                least, most, bits = INTEGERS[name]
                n = to_integer(abs(x), mode, negative)
                want = min(max(-n if negative else n, least), most) % (1 << bits)
            elif name in FORMATS:
                want = Float(name).round(x, mode, negative)
            else:
                continue
            seen += 1
            if got != want:
                fail(f"{text} in {name}, {mode}: got {got:#x}, want {want:#x}")
        if name in FORMATS:
            code = int(row["code"], 16)
            error = Float(name).error(x, code)
            if (error is None) != (row["error_ulp"] is None):
                fail(f"{text} in {name}: error {row['error_ulp']}, want {error}")
            if error is not None and not isinstance(row["error_ulp"], str):
                got = Fraction(row["error_ulp"])
                if abs(got - error) > max(error * Fraction(2)**-50, Fraction(2)**-74) or (got == 0) != (error == 0):
                    fail(f"{text} in {name}: error {row['error_ulp']}, want {float(error)}")
            if error is not None and row["ulp_exponent"] != Float(name).ulp_exponent(x):
                fail(f"{text} in {name}: ulp 2^{row['ulp_exponent']}, want 2^{Float(name).ulp_exponent(x)}")
            # An infinity stands at 2^(emax+1) for the error, and is inexact all the same.
            if ("inexact" in row["flags"]) != (error != 0 or row["value"] in ("inf", "-inf")):
                fail(f"{text} in {name}: flags {row['flags']}, error {error}")
    return seen


def cases():
    """Ties, their neighbours at the 200th bit, powers of two, ends of the formats, plain decimals."""
    rng = random.Random(20261201)
    yield from ["0", "-0", "1", "0.1", "-0.3", "448", "464", "464.0000000000000000000000000000000000001", "480", "240",
                "248", "65504", "65520", "65519.99999999999999999999999999999999999999", "3.4e38", "3.4028236e38",
                "1e-45", "7e-46", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1e308", "1.8e308",
                "1e400", "-1e400", "1e-400", "18446744073709551614.5", "9223372036854775807.5", "-128.5", "127.5",
                "0x1.00000000000008p+0", "0x1.00000000000008000000000000000000000000000001p+0", "6.2e-5", "16", "15.75"]
    for name, (sign, eb, fb, bias, rule, pad) in FORMATS.items():
        for _ in range(3):
            exponent = rng.randrange(-bias - fb, (1 << eb) - bias + 1)
            significand = (1 << fb) | rng.getrandbits(fb)
            tail = rng.choice(["8", "8" + "0" * 45 + "1", "7" + "f" * 45, "0" * 46 + "1", ""])
            digits = f"{significand:x}"
            yield f"{rng.choice(['', '-'])}0x{digits}{'.' + tail if tail else ''}p{exponent - fb:+d}"


def parse(text):
    body = text.lstrip("-")
    if body.startswith("0x"):
        mantissa, exponent = body[2:].split("p")
        whole, _, rest = mantissa.partition(".")
        return Fraction(int(whole + rest, 16), 16**len(rest)) * Fraction(2)**int(exponent)
    return Fraction(body)


def main():
    program = sys.argv[1]
    names = ",".join(list(FORMATS) + list(INTEGERS))
    seen = ncases = 0
    for text in cases():
        done = subprocess.run([program, "show", text, "--dtype", names, "--json"], capture_output=True, text=True)
        if done.returncode != 0 or done.stderr:
            fail(f"{text}: exit {done.returncode}: {done.stderr}")
        negative = text.startswith("-")
        x = -parse(text) if negative else parse(text)
        ncases += 1
        seen += check(text, x, negative, json.loads(done.stdout))
    if seen != ncases * len(MODES) * (len(FORMATS) + len(INTEGERS)) or ncases < 70:
        fail(f"only {seen} roundings of {ncases} numbers were seen")
    print(f"{seen} roundings of {ncases} numbers, errors and spacings as exact arithmetic gives them")


main()
