#!/bin/bash
# Prints the state hash of every built-in scene. A change must not alter them unless it says why.
# Families run at the size that `perpend scenes` shows.
#
#   scripts/hashes.sh [PERPEND] [--steps N]   build/release/bin/perpend, 600 steps (60 in scenes of
#                                             a thousand bodies and more)
#
# Compare hashes of one machine only.
set -euo pipefail
perpend=$(dirname "${BASH_SOURCE[0]}")/../build/release/bin/perpend
steps=600
while [ $# -gt 0 ]; do
  case $1 in
    --steps) steps=${2:?--steps needs a number}; shift ;;
    -*) sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"; [ "$1" = --help ] && exit 0; exit 2 ;;
    *) perpend=$1 ;;
  esac
  shift
done
"$perpend" scenes --json | python3 -c '
import json, sys
for scene in json.load(sys.stdin)["scenes"]:
    print(scene["name"].split(":")[0], int(scene["parameter"] or 0) or "", scene["bodies"])' |
  while read -r name parameter bodies; do
    if [ -z "$bodies" ]; then bodies=$parameter; parameter=; fi
    scene=$name${parameter:+:${parameter}}
    n=$steps
    [ "$bodies" -lt 1000 ] || n=$((steps / 10))
    code=0
    hash=$("$perpend" simulate "$scene" --steps "$n" --json --quiet |
      python3 -c 'import json, sys; print(json.load(sys.stdin)["state_hash"])') || code=$?
    printf '%-18s %5d steps  %s\n' "$scene" "$n" "${hash:-failed, exit code $code}"
  done
