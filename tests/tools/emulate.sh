cp "$examples/h100-bf16.h5" case.h5
before=$(sha256sum <case.h5)
"$ulpscope" emulate case.h5 --model hopper.bf16.f32 -o new.h5
[ "$before" = "$(sha256sum <case.h5)" ] || echo "the case changed"
"$ulpscope" diff new.h5:/emulated/hopper.bf16.f32 new.h5:/outputs/device
"$ulpscope" emulate case.h5 --model ampere.bf16.f32
"$ulpscope" diff case.h5:/emulated/ampere.bf16.f32 case.h5:/outputs/device -n 1
echo "exit $?"
"$ulpscope" emulate case.h5 --model 'hopper.bf16.f32 | out(bf16,rz)' --name bf16 && "$ulpscope" info case.h5
before=$(sha256sum <case.h5)
"$ulpscope" emulate case.h5 --model hopper.bf16.f32 -o /nonexistent/new.h5
"$ulpscope" emulate case.h5
"$ulpscope" emulate case.h5 --model hopper.f16.f99
"$ulpscope" emulate case.h5 --model 'imac(wrap)'
# 4 KiB: less than the case, more than an OpenMP runtime keeps in shared memory.
(ulimit -f 8; "$ulpscope" emulate case.h5 --model hopper.bf16.f32)
[ "$before" = "$(sha256sum <case.h5)" ] || echo "the case changed"
ls
