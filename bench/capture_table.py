#!/usr/bin/env python3
"""What recording costs: one Markdown table over engines and scenes.

    bench/capture_table.py build/release/bin/perpend [--engines bullet,dart:pgs] [--steps 10000] [SCENE ...]

`perpend capture --compare` runs two worlds of the engine in turns, a step of the recorded one, a
step of one that nobody records, so that both see the same machine. A recorded step ends when its
record is with the writer's thread; the file is written, flushed to disk at least twice a second,
and removed afterwards. The answers are not measured (--no-errors): that is no part of recording.
An engine has its default solver, or the one named after a colon. Times are those of this machine,
at whatever else it is doing.
"""

from captured import arguments, capture

SCENES = ["wall:10", "pile-spheres:100", "pile-boxes:100", "pile-spheres:1000"]


def row(engine, scene, d):
    plain, recorded = d["plain_step_ms"], d["recorded_step_ms"]
    own = d["step_ms"]
    cells = [engine, f"`{scene}`", str(d["bodies"]), str(d["contacts_max"]), str(d["steps"]),
             f"{plain['median']:.3g} / {plain['p99']:.3g}",
             f"{own['median']:.3g} / {own['p99']:.3g}",
             f"{recorded['median']:.3g} / {recorded['p99']:.3g}",
             f"{1e3 * (recorded['median'] - plain['median']):.0f}",
             f"{100 * (recorded['median'] / plain['median'] - 1):.0f} %",
             f"{d['seconds']['waited']:.2g}", f"{d['bytes'] / d['steps'] / 1000:.1f}",
             "yes" if d["same_without_recording"] else "**no**"]
    return "| " + " | ".join(cells) + " |"


def main():
    given = arguments(steps=10000, limit=3600).parse_intermixed_args()
    print("| engine | scene | bodies | contacts at most | steps | ms per step, not recorded: median "
          "/ p99 | recorded, engine's part | recorded, all | more, µs | more | waited, s | "
          "kB per frame | same bits |")
    print("| --- " * 13 + "|")
    for engine in given.engines.split(","):
        for scene in given.scenes or SCENES:
            found, why = capture(given.program, engine, scene, given.steps, given.limit, "--compare",
                                 "--no-errors")
            print(row(engine, scene, found) if found else f"| {engine} | `{scene}` | {why} |"
                  + " |" * 10, flush=True)


if __name__ == "__main__":
    main()
