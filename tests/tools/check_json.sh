#!/bin/sh
# tests/tools/check_json.sh ULPSCOPE PYTHON - every JSON answer is JSON as RFC 8259 has it, no NaN or Infinity, and
# begins with schema and tool_version.
set -u
ulpscope=$1
python=$2
bad=0
check() {
    schema=$1
    shift
    "$ulpscope" "$@" --json | "$python" -c '
import json, sys
def refuse(word):
    raise ValueError("not JSON: " + word)
answer = json.load(sys.stdin, parse_constant=refuse)
assert list(answer)[:2] == ["schema", "tool_version"], list(answer)
assert answer["schema"] == sys.argv[1], answer["schema"]
' "$schema" || {
        echo "check_json: ulpscope $*"
        bad=1
    }
}
check ulpscope.version/1 --version
check ulpscope.formats/1 formats
check ulpscope.formats/1 formats f8e4m3fn
check ulpscope.models/1 models
check ulpscope.models/1 models 'hopper.bf16.f32 | out(bf16,rne)'
check ulpscope.ops/1 ops
check ulpscope.ops/1 ops gemm
for value in 0 -0 1 0.1 -1e400 1e1000 1e-1000 inf -inf nan 0x7e:f8e4m3fn 0x8000000000000000:i64; do
    check ulpscope.show/1 show "$value"
    check ulpscope.show/1 show "$value" --dtype f64,i8,u64,f8e8m0fnu,f8e4m3fn
done
exit "$bad"
