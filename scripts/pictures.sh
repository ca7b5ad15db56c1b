#!/bin/bash
# Draws the pictures in docs/pictures, with the program and, for films, ffmpeg.
#
#   scripts/pictures.sh    rewrites docs/pictures/*; the same program draws the same bytes, except for
#                          the seconds in solvers-*.svg
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
[ $# -eq 0 ] || { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"; [ "$1" = --help ] && exit 0; exit 2; }

build release perpend perpend_fixed_point_bench
out=docs/pictures
mkdir -p $out

# The pictures of docs/gallery.md, by the command under each.
sed -n 's/^`perpend \(simulate .*\) \(--picture\|--plot\|--animate\) \(.*\)`$/\2 \3 \1/p' docs/gallery.md |
  while read -r option name arguments; do
    title "$name"
    # shellcheck disable=SC2086
    build/release/bin/perpend $arguments "$option" "$out/$name" --quiet >/dev/null
  done

# solvers NAME SOLVERS: error against iterations and time, on the first step of heavy-top
# (Silcowitz-Hansen et al. 2010, Fig. 4 (h)): 100 kg on nine cubes of 1 kg.
solvers() {
  title "solvers-$1.svg"
  local folder=out/pictures/$1
  build/release/bin/perpend bench out/pictures/heavy-top.h5 --frames 0 --solvers "$2" \
    --tolerance 1e-12 --time-limit 10 --repeat 3 --overwrite --out "$folder" --quiet >/dev/null
  build/release/bin/perpend report "$folder" --plot "$out/solvers-$1.svg" --quiet >/dev/null
}

mkdir -p out/pictures
build/release/bin/perpend simulate heavy-top --steps 1 --out out/pictures/heavy-top.h5 --quiet >/dev/null
for formulation in normal box lcp mlcp mncp; do solvers $formulation "$formulation/*"; done
solvers ncp-sweeps ncp/pgs,ncp/nncg,ncp/pgs-sm,ncp/fixed-point,ncp/minres,ncp/apgd,ncp/staggered
solvers ncp-factors ncp/newton,ncp/prox-newton,ncp/interior-point,ncp/admm,ncp/auto

# Lu et al. 2013, section 4.2: iterations of the proximal fixed point against r.
title fixed-point.svg
build/release/bin/perpend_fixed_point_bench $out/fixed-point.svg
