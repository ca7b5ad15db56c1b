#!/bin/bash
# Attacks the release build: changes files, kills recordings, fills the disk, solves hostile frames.
# Checks that no data is lost and no wrong answer is called converged.
#
#   scripts/attack.sh [--minutes N] [PART...]   N minutes for all parts together (default 10)
#
# A part is a program tests/attack/PART.py BIN --seconds N (kill_recordings takes a number of kills).
# It prints a line per failure and a summary at the end, and exits with 1 if anything failed. Inputs
# and logs are in build/attack, so that you can repeat a failure.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

minutes=10
parts=()
while [ $# -gt 0 ]; do
  case $1 in
    --minutes) minutes=${2:?--minutes needs a number}; shift ;;
    -*) sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"; [ "$1" = --help ] && exit 0; exit 2 ;;
    *) parts+=("$1") ;;
  esac
  shift
done
if [ ${#parts[@]} -eq 0 ]; then
  for file in tests/attack/*.py; do parts+=("$(basename "$file" .py)"); done
fi
[ -x build/release/bin/perpend ] || die "build/release/bin/perpend is not there: cmake --build --preset release"

seconds=$((60 * minutes / ${#parts[@]}))
mkdir -p build/attack
summary=()
failed=0
for part in "${parts[@]}"; do
  title "$part, $seconds s"
  code=0
  options=(build/release/bin --seconds "$seconds")
  if [ "$part" = kill_recordings ]; then  # of the program and of the recorder, in seven engines: 20 s
    kills=$((seconds / 20))
    options=(--program build/release/bin/perpend --kills $((kills < 1 ? 1 : kills > 30 ? 30 : kills)))
  fi
  timeout $((3 * seconds + 60)) /usr/bin/python3 "tests/attack/$part.py" "${options[@]}" \
    >"build/attack/$part.log" 2>&1 || code=$?
  if [ $code -ne 0 ]; then
    failed=1
    head -n 40 "build/attack/$part.log"
  fi
  summary+=("$(tail -n 1 "build/attack/$part.log")$([ $code -eq 0 ] || echo "  FAILED, exit code $code")")
done
title "Summary"
printf '%s\n' "${summary[@]}"
exit $failed
