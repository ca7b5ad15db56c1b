#!/bin/bash
# Builds Perpend, lets ten boxes stand in stock Bullet and in our world, then solves the sample
# frames with every solver and prints one table.
#
#   scripts/demo.sh    writes out/demo/*.h5; installs missing Debian packages first
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
[ $# -eq 0 ] || { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"; [ "$1" = --help ] && exit 0; exit 2; }

install_packages

title "Build"
build release perpend

perpend=build/release/bin/perpend
frames=out/demo/frames.h5
mkdir -p out/demo

title "Ten boxes for ten seconds: stock Bullet"
"$perpend" simulate stack:10 --engine bullet

title "The same in our world, every step recorded"
"$perpend" simulate stack:10 --out out/demo/stack.h5

title "The sample frames as one standard file"
cat examples/frames/*.jsonl >out/demo/frames.jsonl
"$perpend" convert out/demo/frames.jsonl "$frames"
"$perpend" info "$frames"

title "Every solver on every frame"
# Exit code 1 says that some frame was not solved, which the table shows; 2 would be an error.
"$perpend" solve "$frames" --solver all || [ $? -eq 1 ]

title "Try next"
cat <<END
  $perpend simulate heavy-top --engine bullet; $perpend simulate heavy-top
  $perpend simulate tower --at 2,4,6,8 --beside bullet --picture out/demo/tower.png
  $perpend scenes
  $perpend solve $frames --solver ncp/nncg --history --json
  h5dump -n $frames
END
