#!/bin/bash
# Measures everything that the documents quote and writes results/MACHINE/*.csv.
#
#   scripts/measure.sh [NAME...]    all, or the tables named; builds the programs first. On idle cores:
#                                   most of it is times
#   scripts/measure.sh --list       names, minutes and titles
#   scripts/measure.sh --update     pictures, the table and the quoted numbers in the documents, from
#                                   results/; says what must be changed by hand
#   --quick                         a few steps, to try it: into out/measure
#   --out DIR                       another folder than results/MACHINE
#   --machine NAME                  another name than that made from processor and cores
#   --fclib DIR                     the FCLIB files [../shared/data/fclib]
#   --bin DIR                       programs that are built already [build/release/bin, which is built]
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

built=no
for option in "$@"; do
  case "$option" in
    -h | --help) sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"; exit 0 ;;
    --list | --update | --targets | --bin | --bin=*) built=yes ;;
  esac
done
if [ $built = no ]; then
  targets=$(python3 -B bench/measure.py --targets "$@")
  title "Build"
  # shellcheck disable=SC2086
  build release all $targets
fi
exec python3 -B bench/measure.py "$@"
