#!/bin/bash
# Draws the pictures in docs/pictures, with the program and nothing else.
#
#   scripts/pictures.sh    rewrites docs/pictures/*; the same program draws the same bytes, but for
#                          the seconds in solvers-*.svg
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
[ $# -eq 0 ] || { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"; [ "$1" = --help ] && exit 0; exit 2; }

build release perpend perpend_fixed_point_bench
out=docs/pictures
mkdir -p $out

# draw NAME.png ARGUMENT...: one run or two, quietly.
draw() {
  local name=$1
  shift
  title "$name"
  build/release/bin/perpend simulate "$@" --picture "$out/$name" --quiet >/dev/null
}

# plot NAME.svg ARGUMENT...: the convergence laboratory.
plot() {
  local name=$1
  shift
  title "$name"
  build/release/bin/perpend simulate "$@" --plot "$out/$name" --quiet
}

# Nguyen and Trinkle 2010, Figs. 1 and 2: ten boxes that fell from 15 m, at the paper's moments.
draw tower.png tower --at 2,4,6,8 --beside bullet --view -65,12
# The heaviest on top.
draw heavy-top.png heavy-top --at 0,0.5,1,2 --steps 120 --beside bullet
# Nguyen and Trinkle 2010, Figs. 6 and 7, and 8 and 9: the old contact model above, the new one
# below.
draw cracked-ramp.png cracked-ramp --contacts nonconvex --beside conjunctive --strobe --view -90,8 \
  --at 0,0.6,1.2,1.6,2,2.4,2.8
draw hole.png hole --contacts nonconvex --beside conjunctive --at 0,0.8,1.2,1.6,2.4,3
# What else there is to see.
draw pile.png pile-boxes:60 --at 0,0.8,1.6,5 --steps 300
draw ragdolls.png ragdolls --at 0,0.4,0.8,2 --steps 120

plot convergence.svg tower --steps 60 --refine 6
plot chaos.svg pile-boxes:8 --steps 120 --refine 6

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
