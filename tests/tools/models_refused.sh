# Lines with a mistake, and rows that are not there.
say() { "$ulpscope" models "$@"; echo "exit $?" >&2; }
say 'fdpq(l=4)'
say 'fdpa(l=4,f=23)'
say 'hoper.bf16.f32'
say 'hopper.bf16.f32 | out(fp8,rne)'
say --dtype fp8
say --dtype f64 --device 'volta.*'
say --device 'volta.*' hopper.bf16.f32
say ''
