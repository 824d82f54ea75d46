# A line a format, one format in full, a code, a tie, an overflow.
"$ulpscope" show 0.1
"$ulpscope" show 464 --dtype f8e4m3fn,f8e4m3
"$ulpscope" show 0x78:f8e4m3 --dtype f8e4m3,f8e4m3fn
"$ulpscope" show -1.5 --dtype torch.bfloat16
"$ulpscope" show --dtype i8 -- -128.5
