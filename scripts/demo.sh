#!/bin/bash
# A tour of Perpend: simulates and records ten boxes in stock Bullet and in Perpend, runs every solver
# on the recorded steps, on those of a falling tower and on the sample frames, and writes a report.
#
#   scripts/demo.sh    writes out/demo; installs missing Debian packages first
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
[ $# -eq 0 ] || { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"; [ "$1" = --help ] && exit 0; exit 2; }

install_packages demo

title "Build"
build release perpend perpend_peers_program perpend-capture-bullet

perpend=build/release/bin/perpend
out=out/demo
mkdir -p $out

title "Ten boxes for ten seconds: stock Bullet"
"$perpend" simulate stack:10 --engine bullet

title "The same, every step recorded: what Bullet was asked, and what it answered"
"$perpend" capture bullet stack:10 --out $out/stack-bullet.h5

title "The same in our world, recorded too"
"$perpend" simulate stack:10 --out $out/stack-perpend.h5

title "Dropped from 15 m, both in one picture"
"$perpend" simulate tower --at 2,4,6,8 --beside bullet --picture $out/tower.png --quiet >/dev/null
echo "$out/tower.png"

title "The sample frames as one standard file"
cat examples/frames/*.jsonl >$out/frames.jsonl
"$perpend" convert $out/frames.jsonl $out/frames.h5
"$perpend" info $out/frames.h5

title "A tower that hits the ground, recorded"
"$perpend" simulate tower --steps 120 --out $out/tower.h5 --quiet >/dev/null

title "Every solver on the largest frames of each"
"$perpend" bench $out/stack-bullet.h5 $out/stack-perpend.h5 $out/tower.h5 $out/frames.h5 \
  --frames most-contacts:4 --solvers all --time-limit 0.5 --jobs "$jobs" --overwrite --out $out \
  --title "Perpend's demo"

title "Look at"
echo "  $PWD/$out/report.html"
echo "  $PWD/$out/tower.png"

title "Try next"
cat <<END
  $perpend capture bullet heavy-top --max-iterations 1000 --out out/heavy-top.h5
  $perpend bench --suite small --solvers all --jobs 2 --out out/small
  $perpend verify
END
