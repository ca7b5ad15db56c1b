#!/bin/bash
# Runs the fuzz targets of BUILD, as many at a time as there are cores, each over its committed
# corpus, with at most 10 s and 1 GB for any input.
#
#   fuzz/run.sh BUILD [--fresh] [--targets "NAME ..."] [--hdf5-runs N] [libFuzzer options]
#
# What libFuzzer finds new goes to BUILD/corpus and stays there for the next run, unless that is
# --fresh; crashing inputs go to BUILD/crashes. Targets of HDF5 files start a child process for each
# input and are slow: --hdf5-runs is their -runs. Prints a line per target, and fails when one does.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
shift
hdf5="standard_file results fclib"
targets="$hdf5 scene json_lines journal snapshot wire raw_problem view hand control packed obj stl urdf model"
hdf5_runs=
while [[ ${1-} == --* ]]; do
  case $1 in
    --fresh) rm -rf "$build/corpus" ;;
    --targets) targets=$2; shift ;;
    --hdf5-runs) hdf5_runs=-runs=$2; shift ;;
    *) sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"; exit 2 ;;
  esac
  shift
done
mkdir -p "$build/crashes" "$build/logs"

one() {
  local target=$1 log=$build/logs/$1.log code=0
  shift
  [[ " $hdf5 " != *" $target "* ]] || set -- "$@" $hdf5_runs
  mkdir -p "$build/corpus/$target"
  # HDF5 keeps its free lists: what it leaves at the end is not ours to free. A child process looks
  # at each file first: a small quarantine makes it cheap to fork, and when it dies, which is its
  # business, it leaves an empty report behind. More memory than there is, asked for by HDF5, is an
  # error that it can tell.
  ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=1:thread_local_quarantine_size_kb=16:allocator_may_return_null=1 \
    "$build/bin/${target}_fuzz" -detect_leaks=0 -timeout=10 -rss_limit_mb=1024 \
    -malloc_limit_mb=512 -print_final_stats=1 -verbosity=1 -artifact_prefix="$build/crashes/$target-" \
    "$@" "$build/corpus/$target" "$here/corpus/$target" >"$log" 2>&1 || code=$?
  find "$build/crashes" -size 0 -delete
  if [ $code -ne 0 ]; then
    echo "$target FAILED, exit code $code; the end of $log:"
    tail -n 40 "$log"
    return $code
  fi
  # The slowest unit in whole seconds; memory in MB, of the target without its child processes.
  sed -n "s/^stat::\(.*\): *\([0-9]*\)$/\1 \2/p" "$log" | awk -v target="$target" '
    { s[$1] = $2 }
    END { printf "%-14s %9d inputs %6d a second, slowest %d s, %4d MB\n", target,
          s["number_of_executed_units"], s["average_exec_per_sec"], s["slowest_unit_time_sec"],
          s["peak_rss_mb"] }'
}
export -f one
export build here hdf5 hdf5_runs
printf '%s\n' $targets | xargs -P "$(nproc)" -I TARGET bash -c 'one TARGET "$@"' one "$@"
