#!/bin/bash
# fuzz/coverage.sh [BUILD]: the lines that the corpora reach, of the files that each target is about
# ("About:" in its source): the committed corpus, and what runs in BUILD (build/fuzz) have found.
# Files also contain code that writes and code for others, so it never reaches 100 %. The walk of
# src/io/probe.cpp, which runs in a child process, is not counted.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v llvm-cov-14 >/dev/null || { echo "fuzz/coverage.sh needs the package llvm-14" >&2; exit 2; }
found=${1-build/fuzz}
build=build/coverage
cmake --preset fuzz -B $build -DPERPEND_FUZZ_COVERAGE=ON >$build.log 2>&1 || { cat $build.log; exit 1; }
cmake --build $build -j "$(nproc)" --target perpend_fuzz
for source in fuzz/*.cpp; do
  target=$(basename "$source" .cpp)
  folders=("fuzz/corpus/$target")
  [ ! -d "$found/corpus/$target" ] || folders+=("$found/corpus/$target")
  LLVM_PROFILE_FILE=$build/$target.profraw "$build/bin/${target}_fuzz" -runs=0 -rss_limit_mb=0 \
    "${folders[@]}" >"$build/$target.log" 2>&1
  llvm-profdata-14 merge -sparse "$build/$target.profraw" -o "$build/$target.profdata"
  files=$(sed -n '/^\/\/ About:/,/^[^\/]/{s/^\/\/ \(About: \)\{0,1\}//p}' "$source")
  printf '%s: ' "$target"
  llvm-cov-14 export -summary-only "$build/bin/${target}_fuzz" -instr-profile="$build/$target.profdata" \
    $files | python3 -c '
import json, os, sys
data = json.load(sys.stdin)["data"][0]
lines = data["totals"]["lines"]
print(str(lines["covered"]) + " of " + str(lines["count"]) + " lines, %.1f %%" % lines["percent"])
for file in data["files"]:
    one = file["summary"]["lines"]
    name = os.path.relpath(file["filename"])
    print("    %-32s %4d of %4d lines, %5.1f %%" % (name, one["covered"], one["count"], one["percent"]))'
done
