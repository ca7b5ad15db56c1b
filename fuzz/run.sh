#!/bin/sh
# fuzz/run.sh BUILD [libFuzzer options]: runs every target of BUILD over its committed corpus.
# What libFuzzer finds new goes to BUILD/corpus, crashing inputs to BUILD/crashes.
set -eu
build=$1
shift
here=$(dirname "$0")
mkdir -p "$build/crashes"
for corpus in "$here"/corpus/*; do
  target=$(basename "$corpus")
  rm -rf "$build/corpus/$target"
  mkdir -p "$build/corpus/$target"
  echo "fuzzing $target"
  # HDF5 keeps its free lists: what it leaves at the end is not ours to free. A child process looks
  # at each file first: a small quarantine makes it cheap to fork, and when it dies, which is its
  # business, it leaves an empty report behind.
  ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=1:thread_local_quarantine_size_kb=16 \
    "$build/bin/${target}_fuzz" -detect_leaks=0 -timeout=60 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="$build/crashes/" "$@" "$build/corpus/$target" "$corpus"
  find "$build/crashes" -size 0 -delete
done
