# The operations, and one of them.
"$ulpscope" ops
"$ulpscope" ops gemm | head -n 1
"$ulpscope" ops gem
