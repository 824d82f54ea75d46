# Unknown and ambiguous names.
say() { "$ulpscope" formats "$@"; echo "exit $?" >&2; }
say fp8
say float8_e4m3
say bfloat61
say quaternion
say ''
say f32 f16
