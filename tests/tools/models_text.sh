# A named model in words, a line with every kind of stage, a line that no row has.
"$ulpscope" models ampere.f16.f32 | sed '/open:/d'
"$ulpscope" models 'in(tf32,rna) | order(pairs,block=32) | scale(32) | gdpa(l=64,g=16,f=35,final=rz24,e0=-139) | promote(128) | splitk(2) | out(f8e4m3fn,rne,sat)'
"$ulpscope" models 'gtrfdpa(l=16,f=24,f2=31)' | sed '/rows of/,$d'
"$ulpscope" models 'in(flush=zero) | pairwise(l=2,final=rne24,flush=signed)' | sed '/rows of/,$d'
"$ulpscope" models 'imac(sat,l=32)' | sed '/rows of/,$d'
"$ulpscope" models 'fdpa(l=4,f=inf,final=rne24)' | sed '/rows of/,$d'
"$ulpscope" models --device '*V100*' | sed '/open:/d'
"$ulpscope" models --dtype bf16 --device 'hopper.*' | grep '^[a-z]'
