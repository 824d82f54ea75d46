cd "$examples" || exit 2
"$ulpscope" explain h100-bf16.h5 --format markdown
"$ulpscope" explain one-flipped-bit.h5 --format markdown
