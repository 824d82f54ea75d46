# The table, and a format by another project's name.
"$ulpscope" formats
"$ulpscope" formats torch.float8_e4m3fn
"$ulpscope" formats i8
