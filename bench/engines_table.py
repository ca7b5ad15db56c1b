#!/usr/bin/env python3
"""docs/engines.md: the answers of every engine on the same scenes, measured by the same errors.

    bench/engines_table.py build/release/bin/perpend [--steps 120] [--engines bullet,dart:pgs] [SCENE ...]
        [--results FILE.json] [--picture FILE.svg] > docs/engines.md

Each engine runs the scene by itself (`perpend capture ENGINE SCENE`), with its default solver or the
one named after a colon, so that after the first step every engine has contacts and velocities of its
own. With --results runs that the file has are not made again, and new ones are added to it. Errors
are the same on every run; times are not, and none is printed.
"""

import json
import os

import engines_plot
from captured import arguments, capture

SCENES = ["stack", "stack:10", "heavy-top", "snake", "arch", "wall", "spheres", "logs", "hose",
          "mass-ratio:100", "creep", "ragdolls"]
PAGE = """# What engines answer

Engines as Debian ships them, on the same scenes, each with its default solver and settings, {steps} steps; every answer recorded and measured by the same functions ([errors.md](errors.md)). Made by

```
bench/engines_table.py build/release/bin/perpend --steps {steps} --limit {limit:.0f} --picture docs/pictures/engines.svg > docs/engines.md
```

![For each scene and engine: own_error and velocity_error, median and worst frame](pictures/engines.svg)

Each cell has the worst frame and, after a bar, the median frame. `own_error` asks whether the engine solved the problem it had set itself (its bias, compliance and friction bounds); the others hold its impulses against the rigid law with Coulomb friction at its own contacts, velocities and step. `energy_change` above 0 is kinetic energy that the impulses added. *Exact* is the worst residual of M(v⁺ − v) = h f + Jᵀλ, the proof that the recording is right ([capture.md](capture.md)).

What it shows:

- whether an engine solves its own problem (`own_error` near rounding: a direct or converged method; large: iterations ran out), and separately how far its model is from Coulomb's law (`velocity_error`). An engine can be perfect in the first and poor in the second: a regularized contact gives way by design, a friction pyramid or a box has corners;
- who answered: an engine that hands a step to another solver does not say so. Where DART's Dantzig gave up (one step of `stack`, `stack:10`, `heavy-top`, `mass-ratio:100`), the worst `own_error` is that of the sweeps that took over. Where Siconos found a reaction for a contact that its collision detection had removed meanwhile, nobody got it ("not applied", [capture.md](capture.md#what-siconos-solves-in-place-of-the-rigid-law)).

In short: DART's Dantzig, where it answers, and MuJoCo's Newton solve their own problem nearly to rounding (MuJoCo's `wall` to 2e-5 m/s at its impact), so that what is left of `velocity_error` is their model; Bullet's ten sweeps and ODE's QuickStep are, on 100 kg on top, on joints and at impacts, metres per second away from the problem they set themselves, so that there the solver is at fault before the model is.

What it does not show:

- which engine simulates better. After the first step every engine is in a state of its own, with contacts of its own (their number is in the table), and a frame that is hard comes from a state that a better step before might have avoided. Large worst values mostly belong to the moment of an impact;
- anything about other settings. A thousand iterations, smaller steps or other solver parameters change most numbers here;
- the same physics everywhere: engines combine coefficients of friction in their own ways, and some find contacts only when bodies overlap, so that they answer to gaps that are already negative. `capture.md` tells for each engine what it solves in place of the rigid law. Errors that mix units (`normal_error`) compare within a scene, not between scenes. A row that was not finished had the time told there.

"""


def short(value):
    if value is None:
        return "-"
    return f"{value:.1e}" if value and (abs(value) < 0.01 or abs(value) >= 1e4) else f"{value:.3g}"


def row(engine, d):
    def error(name):
        if name not in d["errors"]:
            return "-"
        return short(d["errors"][name]) + " \\| " + short(d["errors_median"][name])

    who = ", ".join(f"{name} {steps}" for name, steps in d["answered"].items())
    return "| " + " | ".join(
        [f"{engine} {d['engine_version']}", who, f"{d['contacts_max']}, {d['joint_rows']}"]
        + [error(name) for name in ("own_error", "velocity_error", "normal_error",
                                    "friction_error", "max_penetration", "energy_change")]
        + [short(d["momentum_gap"]), f"{d['bytes'] / d['steps'] / 1000:.1f}"]) + " |"


class Results:
    """Summaries by engine and scene, kept in a file where one is named."""

    def __init__(self, path):
        self.path, self.kept = path, {}
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.kept = {tuple(key.split(" ")): value for key, value in json.load(file).items()}

    def of(self, given, engine, scene):
        if (engine, scene) not in self.kept:
            self.kept[engine, scene] = capture(given.program, engine, scene, given.steps,
                                               given.limit)
            if self.path:
                with open(self.path, "w", encoding="utf-8") as file:
                    json.dump({" ".join(key): value for key, value in self.kept.items()}, file)
        return self.kept[engine, scene]


def main():
    parser = arguments(steps=120, limit=600)
    parser.add_argument("--results", help="JSON file of the runs, read and added to")
    parser.add_argument("--picture", help="SVG file")
    given = parser.parse_intermixed_args()
    engines, scenes = given.engines.split(","), given.scenes or SCENES
    results = Results(given.results)
    print(PAGE.format(steps=given.steps, limit=given.limit), end="")
    drawn = {}
    for scene in scenes:
        print(f"## {scene}\n")
        print("| engine | who answered, steps | contacts, joint rows at most | own_error m/s | "
              "velocity_error m/s | normal_error | friction_error J | max_penetration m | "
              "energy_change J | exact | kB per frame |")
        print("| --- " * 11 + "|")
        for engine in engines:
            found, why = results.of(given, engine, scene)
            if found:
                drawn.setdefault((engine.partition(":")[0], scene), found)
            print(row(engine, found) if found else f"| {engine} | {why} |" + " |" * 9, flush=True)
        print()
    if given.picture:
        names = list(dict.fromkeys(engine.partition(":")[0] for engine in engines))
        with open(given.picture, "w", encoding="utf-8") as file:
            file.write(engines_plot.draw(scenes, names, drawn))


if __name__ == "__main__":
    main()
