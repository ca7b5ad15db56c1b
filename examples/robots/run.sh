#!/bin/bash
# Three robots, from URDF files and servos: 20 s in Perpend, MuJoCo and DART; forces as CSV and
# plots, and the doctor's verdict on each recording.
#
#   examples/robots/run.sh [DIR] [SECONDS]     DIR: robots, SECONDS: 20
#
# perpend and its recorders are found on the PATH or in build/release/bin.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1-robots} seconds=${2-20}
perpend=$(command -v perpend || echo "$here/../../build/release/bin/perpend")
mkdir -p "$out"

# What to plot of each robot.
declare -A forces=(
  [arm]="--joint shoulder --joint elbow --joint hook"
  [gripper]="--pair cube left_finger --pair cube right_finger"
  [quadruped]="--pair front_left_shin floor --pair front_right_shin floor --pair rear_left_shin floor --pair rear_right_shin floor"
)

for robot in arm gripper quadruped; do
  scene=$out/$robot.json
  "$perpend" import "$here/$robot.urdf" --self-collide --control "$here/$robot.control.json" \
    --out "$scene" --quiet >"$out/$robot.import.txt"
  engines=(perpend mujoco dart)
  # MuJoCo's friction is soft, and the cube slips out: as the doctor proposes, with rigid friction.
  [ $robot = gripper ] && engines+=(mujoco-noslip)
  for engine in "${engines[@]}"; do
    h=0.016666666666666666 name=$robot-$engine
    # MuJoCo and DART solve contacts without the servos: with 1/60 s the quadruped falls.
    case $name in quadruped-mujoco | quadruped-dart) h=0.002 ;; esac
    steps=$(awk -v t="$seconds" -v h="$h" 'BEGIN {printf "%d", t / h + 0.5}')
    case $engine in
      perpend) run=(simulate "$scene") ;;
      mujoco-noslip) run=(capture mujoco "$scene" --solver newton-elliptic-noslip) ;;
      *) run=(capture "$engine" "$scene") ;;
    esac
    "$perpend" "${run[@]}" --steps "$steps" --dt "$h" --out "$out/$name.h5" --quiet >"$out/$name.txt"
    # shellcheck disable=SC2086
    "$perpend" forces "$out/$name.h5" ${forces[$robot]} --along z --out "$out/$name.csv" \
      --plot "$out/$name.svg" --quiet >>"$out/$name.txt"
    "$perpend" doctor "$out/$name.h5" --page "$out/$name.html" --quiet >"$out/$name.doctor.txt" || true
    # Means of the last second, upwards.
    sum=$(awk -F, -v from="$(awk -v t="$seconds" 'BEGIN {print t - 1}')" '
      NR == 1 {for (i = 1; i <= NF; ++i) column[$i] = i; next}
      $column["time"] >= from && ($column["kind"] == "joint" || $column["kind"] == "pair") {
        name = $column["kind"] == "joint" ? $column["name"] : $column["first"] " on " $column["second"]
        if (!(name in count)) names[++number] = name
        sum[name] += $column["force_z"]; ++count[name]}
      END {if (!number) printf "no contact"
           for (i = 1; i <= number; ++i)
        printf "%s%s %.3f N", (i > 1 ? ", " : ""), names[i], sum[names[i]] / count[names[i]]}' "$out/$name.csv")
    printf '%-22s %-26s %s\n' "$name" "$(head -1 "$out/$name.doctor.txt" | cut -d'(' -f1)" "$sum"
  done
done
