# Every refusal: one line on stderr, exit 2, nothing on stdout.
say() { "$ulpscope" explain "$@"; echo "exit $?" >&2; }
say missing.h5
echo "no HDF5" >text.h5
say text.h5
head -c 3000 "$examples/h100-bf16.h5" >cut.h5
say cut.h5
: >empty.h5
say empty.h5
cp "$examples/h100-bf16.h5" case.h5
say case.h5 --output nowhere
say case.h5 --model 'fdpq(l=8)'
say case.h5 --model hopper.bf17.f32
say case.h5 --threads 0
say case.h5 --format html
say case.h5 --nonsense
say case.h5 other.h5
say
exit 0
