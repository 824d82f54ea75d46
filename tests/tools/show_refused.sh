# Values, codes and formats that show cannot take.
say() { "$ulpscope" show "$@"; echo "exit $?" >&2; }
say 0.1x
say ''
say ' 1'
say 1e
say 0x
say one
say @inf@
say 0b101
say --dtype bf17 1
say --dtype fp8 1
say --dtype bf16, 1
say --dtype '' 1
say 0x7e:fp8
say 0x7e:f8e4m3fx
say 0x100:f8e4m3fn
say 0x10:f4e2m1fn
say 0x3f800001:tf32
say 0x10000000000000000:f64
say -1:i8
say zz:i8
say 7e:f8e4m3fn
