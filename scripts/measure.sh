#!/bin/bash
# Measures everything that the documents quote and writes results/MACHINE/*.csv.
#
#   scripts/measure.sh [NAME...]    all tables, or those that you name; builds the programs first. Use
#                                   an idle machine: most columns are times
#   scripts/measure.sh --list       names, minutes and titles
#   scripts/measure.sh --update     writes pictures, the table and the quoted numbers of results/ into the
#                                   documents; says what you must change by hand
#   --quick                         only a few steps, to try it; writes to out/measure
#   --out DIR                       another folder than results/MACHINE
#   --machine NAME                  name of the machine [made from processor and cores]
#   --fclib DIR                     the FCLIB files [../shared/data/fclib]
#   --bin DIR                       use the programs in this folder [builds build/release/bin]
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
