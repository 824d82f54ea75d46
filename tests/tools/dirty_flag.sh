# A file whose writer never cleared its mark, and other files that are no case: said, not guessed, and left alone.
[ -d "$shared/cases/files" ] || exit 77
cd "$shared/cases/files" || exit 77
say() { "$ulpscope" "$@"; echo "exit $?" >&2; }
dirty=jhdf_byteshuffle_compressed_latest.hdf5
before=$(sha256sum <$dirty)
say info $dirty
say explain $dirty
say diff $dirty $dirty
say emulate $dirty --model hopper.bf16.f32
[ "$before" = "$(sha256sum <$dirty)" ] || echo "the file changed"
say explain iree_multiple.safetensors
say explain jhdf_float_special_values_earliest.hdf5
say info iree_array_types.npy
say info numpy_umath-validation-set-exp.csv
exit 0
