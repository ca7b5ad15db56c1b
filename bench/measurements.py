"""The list of measurements. scripts/measure.sh runs them, the page of the site and the table in
docs/measured.md are made from it, and tests/docs/results_test.py holds results/ against it.

In commands, {bin} is the folder of the programs, {fclib} that of the FCLIB files, {tmp} a scratch
folder. `prepare` is run first; what `commands` print is one CSV table, with the header once.
"""

from dataclasses import dataclass

QUOTED = "epyc-2"  # the machine whose results the documents quote and draw


@dataclass(frozen=True)
class Command:
    text: str
    needs: tuple = ()  # programs in {bin}, "FCLIB", or Python modules; without them it is left out


@dataclass(frozen=True)
class Measurement:
    name: str
    title: str
    shows: str
    hides: str  # what it does not show
    key: tuple  # the columns that name a row
    columns: dict  # the others: (unit, meaning)
    commands: tuple
    quick: tuple  # the same columns in a few seconds; the numbers mean nothing
    minutes: float  # on two idle cores
    prepare: tuple = ()
    quick_prepare: tuple = ()
    targets: tuple = ()  # to build in addition to the default targets
    plots: tuple = ()  # (file name, function of bench/plots.py, arguments, {column: only this value})
    on_request: bool = False  # only if it is named

    def header(self):
        return [*self.key, *self.columns]


def panel(title, *columns, **options):
    return {"title": title, "columns": columns, **options}


def dots(name, label, *panels, only=None, **options):
    return (f"{name}.svg", "dots", {"label": label, "panels": panels, **options}, only or {})


def recorder(engine):
    return f"perpend-capture-{engine}"


def engines(engine, scenes="", options=""):
    text = f"bench/engines_table.py {{bin}}/perpend --engines {engine} {options} {scenes}"
    return Command(" ".join(text.split()), (recorder(engine.partition(":")[0]),))


def recording(engine, steps, scenes):
    text = f"bench/capture_table.py {{bin}}/perpend --engines {engine} --steps {steps} {scenes}"
    return Command(text, (recorder(engine.partition(":")[0]),))


PARETO_SCENES = (
    "stack:10",
    "heavy-column",
    "wall",
    "pyramid:20",
    "chain",
    "pile-boxes:100",
    "pile-boxes:1000",
    "pile-spheres:1000",
    "ragdolls",
    "hose",
    "logs",
    "crates:8",
)
PARETO_PANELS = {
    "x": ("ms_median", "ms per step, median"),
    "ys": [
        ("penetration", "penetration [m]"),
        ("drift", "drift [m]"),
        ("joint_violation", "joint_violation [m]"),
        ("velocity_error", "velocity_error [m/s]"),
    ],
    "series": "engine",
}
TIMES = {
    f"{kind}_{which}": ("ms", f"{clock} time of a step, {words}")
    for kind, clock in (("ms", "wall-clock"), ("cpu_ms", "processor"))
    for which, words in (
        ("median", "median"),
        ("p99", "99 % are shorter"),
        ("worst", "the longest"),
    )
}
WORST_AND_MEDIAN = {
    name + part: (unit, f"{words}{', median frame' if part else ', worst frame'}")
    for name, unit, words in (
        ("own_error", "m/s", "error in the problem that the engine posed"),
        ("velocity_error", "m/s", "error by Coulomb's law and rigid contact"),
        ("normal_error", "", "normal part of the error"),
        ("friction_error", "J", "friction part of the error"),
        ("max_penetration", "m", "overlap"),
        ("energy_change", "J", "energy gained by the impulses"),
    )
    for part in ("", "_median")
}

MEASUREMENTS = (
    Measurement(
        name="pareto",
        title="Accuracy against time",
        shows="Time per step and errors on twelve scenes, of Perpend at six efforts and of four "
        "other engines, measured by the same code.",
        hides="the spread between runs (one each, 90 to 600 steps), and runs longer than 15 s.",
        key=("scene", "engine", "setting"),
        columns={
            "steps": ("", "steps of the run"),
            "bodies": ("", "bodies"),
            "contacts_max": ("", "the most contacts of a step"),
            **TIMES,
            "over_bullet": ("", "ms_median over that of Bullet with 10 iterations"),
            "penetration": ("m", "deepest overlap"),
            "penetration_last_second": ("m", "deepest overlap in the last second"),
            "drift": ("m", "how far a body moved from its rest; empty: nothing came to rest"),
            "joint_violation": ("m", "largest opening of a joint"),
            "velocity_error": ("m/s", "error of the worst step by Coulomb's law"),
            "fell": ("", "a body ended lower than it started"),
            "outcome": ("", "finished, or why not"),
        },
        commands=(Command("bench/pareto_table.py {bin}", ("perpend_pareto_bench",)),),
        quick=(
            Command("bench/pareto_table.py {bin} --steps 3 stack:3", ("perpend_pareto_bench",)),
        ),
        minutes=6,
        targets=("perpend_pareto_bench",),
        plots=tuple(
            (
                f"pareto-{scene.replace(':', '-')}.svg",
                "scatter",
                {**PARETO_PANELS, "title": scene},
                {"scene": scene, "outcome": "finished"},
            )
            for scene in PARETO_SCENES
        ),
    ),
    Measurement(
        name="simulator",
        title="Accuracy at rest",
        shows="Eleven scenes that must stay at rest, 600 steps, in Perpend and in stock Bullet at "
        "their defaults.",
        hides="motion, and time.",
        key=("scene", "engine"),
        columns={
            "end": ("", "rests, moves or fell"),
            "drift_m": ("m", "how far a body moved across gravity"),
            "sag_m": ("m", "and along it"),
            "creep_m_per_s": ("m/s", "displacement per second over the last half"),
            "penetration_m": ("m", "deepest overlap"),
            "penetration_last_second_m": ("m", "deepest overlap in the last second"),
            "joint_violation_m": ("m", "largest opening of a joint"),
        },
        commands=(Command("bench/simulate_table.py {bin}/perpend"),),
        quick=(Command("bench/simulate_table.py {bin}/perpend --steps 3 stack:3 creep"),),
        minutes=1,
        plots=(
            dots(
                "simulator",
                "scene",
                panel("drift [m]", "drift_m", log=True),
                panel("penetration [m]", "penetration_m", log=True),
                series="engine",
            ),
        ),
    ),
    Measurement(
        name="solvers",
        title="How often each solver succeeds",
        shows="The share of 113 problems (100 frames of the small suite, 13 FCLIB files) that each "
        "solver solves: in its own problem, and by Coulomb's law. Cold start, at most 10 s and "
        "50,000 iterations.",
        hides="warm starts and large problems. A share is of the problems that the solver accepts.",
        key=("solver",),
        columns={
            "problems": ("", "problems that the solver accepts"),
            **{
                f"{error}_{tolerance}_percent": ("%", f"{error} at most {tolerance} m/s")
                for error in ("own_error", "velocity_error")
                for tolerance in ("1e-4", "1e-8", "1e-12")
            },
            "time_over_best": (
                "",
                "median of its time to 1e-8 over that of the quickest solver with the same "
                "friction model; empty: run at another time",
            ),
            "ends": ("", "how the runs ended"),
        },
        prepare=(
            "{bin}/perpend bench --suite small {fclib}/*.hdf5 --solvers all --tolerance 1e-12 "
            "--max-iterations 50000 --repeat 0 --jobs 2 --out {tmp}/solvers",
        ),
        commands=(Command("bench/solvers_table.py {tmp}/solvers", ("FCLIB",)),),
        quick_prepare=(
            "{bin}/perpend bench examples/frames/single_contact.jsonl --solvers box/pgs,ncp/auto "
            "--tolerance 1e-12 --repeat 0 --out {tmp}/solvers",
        ),
        quick=(Command("bench/solvers_table.py {tmp}/solvers"),),
        minutes=9,
        plots=(
            dots(
                "solvers",
                "solver",
                panel("% of its own problems solved to 1e-8", "own_error_1e-8_percent"),
                panel("% of Coulomb's law met to 1e-8", "velocity_error_1e-8_percent"),
            ),
        ),
    ),
    Measurement(
        name="peers",
        title="Solvers of other projects",
        shows="How many problems of the small suite and of 13 FCLIB files the solvers of Bullet, ODE "
        "and Siconos solve, and some of ours, within 3 s including transfer.",
        hides="other settings, which may suit them better. Most that fail ran out of time.",
        key=("solver",),
        columns={
            "frames": ("", "frames of the suite that the solver accepts"),
            "frames_1e-4": ("", "of these, own_error at most 1e-4 m/s"),
            "frames_1e-8": ("", "at most 1e-8 m/s"),
            "fclib": ("", "FCLIB files that the solver accepts"),
            "fclib_1e-4": ("", "of these, own_error at most 1e-4 m/s"),
            "fclib_1e-8": ("", "at most 1e-8 m/s"),
            "crashed": ("", "problems on which its process ended"),
        },
        prepare=(
            "{bin}/perpend bench --suite small {fclib}/*.hdf5 --tolerance 1e-8 --time-limit 3 "
            "--set patience=3 --solvers peers,ncp/auto,ncp/nncg,box/newton,box/path,lcp/lemke,"
            "lcp/path --repeat 0 --jobs 2 --out {tmp}/peers",
        ),
        commands=(Command("bench/peers_table.py {tmp}/peers", ("perpend-peers", "FCLIB")),),
        quick_prepare=(
            "{bin}/perpend bench examples/frames/single_contact.jsonl --solvers "
            "box/bullet-pgs,ncp/auto --time-limit 3 --repeat 0 --out {tmp}/peers",
        ),
        quick=(Command("bench/peers_table.py {tmp}/peers", ("perpend-peers",)),),
        minutes=25,
        plots=(
            dots(
                "peers",
                "solver",
                panel("frames solved to 1e-8", "frames_1e-8"),
                panel("FCLIB files solved to 1e-8", "fclib_1e-8"),
            ),
        ),
    ),
    Measurement(
        name="fclib",
        title="FCLIB problems",
        shows="Iterations and seconds on the 13 FCLIB files of Siconos' public tests, with a limit of "
        "10 s.",
        hides="solvers that need a mass matrix, which most files do not have.",
        key=("solver", "file", "tolerance"),
        columns={
            "contacts": ("", "contacts"),
            "error": ("", "the error that the tolerance is about"),
            "iterations": ("", "iterations"),
            "seconds": ("s", "time of the solve"),
            "natural_map_error": ("", "error that Siconos reports; it mixes units"),
            "velocity_error_m_per_s": ("m/s", "error by Coulomb's law"),
        },
        commands=(
            Command("bench/fclib_table.py {bin}/perpend {fclib} ncp/nncg ncp/pgs", ("FCLIB",)),
            Command(
                "bench/fclib_table.py {bin}/perpend {fclib} --error velocity_error "
                "--tolerances 1e-8 ncp/prox-newton",
                ("FCLIB",),
            ),
        ),
        quick=(
            Command(
                "bench/fclib_table.py {bin}/perpend {fclib} --tolerances 1e-2 ncp/nncg", ("FCLIB",)
            ),
        ),
        minutes=1,
        plots=(
            dots(
                "fclib",
                "file",
                panel("iterations to 1e-8, or in 10 s", "iterations", log=True),
                series="solver",
                only={"tolerance": "1e-8"},
            ),
        ),
    ),
    Measurement(
        name="sweeps",
        title="NNCG against Gauss-Seidel",
        shows="Sweeps until pgs_merit/‖λ‖² ≤ 1e-10 on the sample frames, counted as in "
        "Silcowitz-Hansen et al. 2010.",
        hides="walls and piles: the frames are small.",
        key=("frame",),
        columns={
            "contacts": ("", "contacts"),
            "joint_rows": ("", "rows of joints"),
            "pgs_sweeps": ("", "sweeps of box/pgs"),
            "nncg_sweeps": ("", "sweeps of box/nncg"),
        },
        commands=(
            Command(
                "{bin}/perpend_sweeps_bench examples/frames/*.jsonl", ("perpend_sweeps_bench",)
            ),
        ),
        quick=(
            Command(
                "{bin}/perpend_sweeps_bench examples/frames/single_contact.jsonl",
                ("perpend_sweeps_bench",),
            ),
        ),
        minutes=0.1,
        targets=("perpend_sweeps_bench",),
        plots=(dots("sweeps", "frame", panel("sweeps", "pgs_sweeps", "nncg_sweeps", log=True)),),
    ),
    Measurement(
        name="visits",
        title="One visit of a contact",
        shows="Processor time of one contact in a sweep over a pile of 1,000 bodies, one contact at "
        "a time and four at a time, beside Bullet's sequential impulses on the same contacts.",
        hides="how many sweeps are needed.",
        key=("pile", "sweep"),
        columns={
            "ns_per_visit": ("ns", "processor time of a contact"),
            "GB_per_s": ("GB/s", "data read and written"),
            "percent_of_triad": ("%", "of the bandwidth of a[i] = b[i] + s c[i] on as much data"),
        },
        prepare=(
            "{bin}/perpend simulate pile-spheres:1000 --steps 161 --effort real-time "
            "--out {tmp}/spheres.h5",
            "{bin}/perpend simulate pile-boxes:1000 --steps 161 --effort real-time "
            "--out {tmp}/boxes.h5",
        ),
        commands=(
            Command(
                "{bin}/perpend_visits_bench {tmp}/spheres.h5 160 {tmp}/boxes.h5 160",
                ("perpend_visits_bench",),
            ),
        ),
        quick_prepare=(
            "{bin}/perpend simulate pile-spheres:300 --steps 10 --effort 10 "
            "--out {tmp}/spheres.h5",
        ),
        quick=(
            Command("{bin}/perpend_visits_bench {tmp}/spheres.h5 9", ("perpend_visits_bench",)),
        ),
        minutes=1,
        targets=("perpend_visits_bench",),
        plots=(dots("visits", "sweep", panel("ns per visit", "ns_per_visit"), series="pile"),),
    ),
    Measurement(
        name="recording",
        title="What recording costs",
        shows="Time per step with and without recording, two worlds of the engine in turns.",
        hides="differences of 5 %, which are noise.",
        key=("engine", "scene"),
        columns={
            "bodies": ("", "bodies"),
            "contacts_max": ("", "the most contacts of a step"),
            "steps": ("", "steps"),
            **{
                f"{part}_ms_{which}": ("ms", f"{words}, {which}")
                for part, words in (
                    ("plain", "step that nobody records"),
                    ("engine_part", "the engine's part of a recorded step"),
                    ("recorded", "recorded step"),
                )
                for which in ("median", "p99")
            },
            "longer_percent": ("%", "how much longer a recorded step takes, median"),
            "waited_s": ("s", "time that the engine waited for the disk"),
            "kB_per_frame": ("kB", "bytes of a frame in the file"),
            "same_bits": ("", "the recorded world moves as the other one"),
        },
        commands=(
            recording("bullet", 10000, "wall:10 pile-spheres:100 pile-spheres:1000"),
            recording("ode", 10000, "wall:10 pile-spheres:100 pile-spheres:1000"),
            recording("mujoco", 10000, "examples/capture/gripper.xml"),
            recording("mujoco", 1000, "pile-spheres:100"),
            recording("dart:pgs", 1000, "pile-spheres:100"),
            recording("siconos", 200, "pile-boxes:100"),
        ),
        quick=(recording("bullet", 10, "stack:3"),),
        minutes=7,
        plots=(
            dots(
                "recording",
                ("engine", "scene"),
                panel("ms per step, median", "plain_ms_median", "recorded_ms_median", log=True),
            ),
        ),
    ),
    Measurement(
        name="file",
        title="The standard file",
        shows="A frame of 1,000 bodies and 4,000 contacts, written and read, beside h5py.",
        hides="the disk: files are in the page cache.",
        key=("what",),
        columns={
            "ms_per_frame": ("ms", "time of a frame"),
            "MB_per_s": ("MB/s", "numbers moved"),
            "peak_memory_MB": ("MB", "memory of the process"),
            "over_ours": ("", "time over that of our reader"),
        },
        commands=(
            Command("bench/file_bench.py {bin}/perpend_file_bench", ("perpend_file_bench", "h5py")),
        ),
        quick=(
            Command(
                "bench/file_bench.py {bin}/perpend_file_bench --frames 3",
                ("perpend_file_bench", "h5py"),
            ),
        ),
        minutes=0.5,
        targets=("perpend_file_bench",),
        plots=(dots("file", "what", panel("ms per frame", "ms_per_frame")),),
    ),
    Measurement(
        name="engines",
        title="How engines' answers compare",
        shows="Errors of five engines on the same twelve scenes with default solvers and settings, "
        "120 recorded steps.",
        hides="which engine simulates better: after the first step each is in a state of its own.",
        key=("scene", "engine"),
        columns={
            "engine_version": ("", "version"),
            "steps": ("", "steps"),
            "answered": ("", "solvers that answered, and in how many steps"),
            "contacts_max": ("", "the most contacts of a step"),
            "joint_rows": ("", "rows of joints"),
            **WORST_AND_MEDIAN,
            "momentum_gap": ("", "momentum that the record does not explain, relative"),
            "kB_per_frame": ("kB", "bytes of a frame in the file"),
        },
        commands=(
            engines("bullet"),
            engines("ode"),
            engines(
                "dart",
                "stack stack:10 heavy-top snake arch spheres hose mass-ratio:100 creep ragdolls",
            ),
            engines("dart:pgs", "wall logs"),
            engines("mujoco"),
            engines("mujoco:cg", "ragdolls"),
            engines(
                "siconos",
                "stack stack:10 heavy-top snake arch spheres logs hose mass-ratio:100 creep ragdolls",
            ),
            engines("siconos", "wall", "--steps 30"),
        ),
        quick=(engines("bullet", "stack:3", "--steps 3"),),
        minutes=15,
        plots=(
            dots(
                "engines",
                "scene",
                panel(
                    "own_error: did it solve its own problem",
                    "own_error_median",
                    to="own_error",
                    log=True,
                ),
                panel(
                    "velocity_error: is it Coulomb",
                    "velocity_error_median",
                    to="velocity_error",
                    log=True,
                ),
                series="engine",
                note="dot: median frame; end of the line: worst frame; m/s",
            ),
        ),
    ),
    Measurement(
        name="contacts",
        title="Contact models",
        shows="The three contact models on the same scenes: size, time over that of one-direction, "
        "and accuracy.",
        hides="which model is right; cracked-ramp, hole and notch are made to show that.",
        key=("scene", "model"),
        columns={
            "rows": ("", "contacts times three, the most of any step"),
            "cpu_ms_median": (
                "ms",
                "processor time of a step, median; the best of three runs in turns",
            ),
            "over_one_direction": ("", "cpu_ms_median over that of one-direction"),
            "settled": ("", "solves repeated because another face had to push"),
            "unconverged_steps": ("", "steps that missed the tolerance"),
            "penetration": ("m", "deepest overlap"),
        },
        commands=(Command("bench/nonconvex_table.py {bin}/perpend"),),
        quick=(Command("bench/nonconvex_table.py {bin}/perpend --repeat 1 --steps 3 hole"),),
        minutes=1.5,
        plots=(
            dots(
                "contacts",
                "scene",
                panel("time of a step over that of one-direction", "over_one_direction"),
                series="model",
            ),
        ),
    ),
    Measurement(
        name="correction",
        title="Position correction",
        shows="How far joints open and bodies overlap in motion with 0, 1 and 10 rounds of correction, "
        "300 steps of 1/60 s.",
        hides="energy, which correction takes from mechanisms in contact.",
        key=("scene", "rounds"),
        columns={
            "joint_violation": ("m", "largest opening of a joint"),
            "penetration": ("m", "deepest overlap"),
            "cpu_ms_median": ("ms", "processor time of a step, median"),
        },
        commands=(Command("bench/correction_table.py {bin}/perpend"),),
        quick=(Command("bench/correction_table.py {bin}/perpend --steps 3 chain"),),
        minutes=0.1,
        plots=(
            dots(
                "correction",
                ("scene", "rounds"),
                panel("largest opening of a joint [m]", "joint_violation", log=True),
            ),
        ),
    ),
    Measurement(
        name="porting",
        title="A Bullet program and its port",
        shows="What `examples/bullet/` prints after ten seconds, with Bullet's world and with "
        "Perpend's.",
        hides="large programs.",
        key=("world",),
        columns={
            "tower": ("", "stands or fell"),
            "tower_top_m": ("m", "height of the tower's top"),
            "chain_gap_m": ("m", "largest gap in the chain"),
            "crate_gap_m": ("m", "gap between crate and lift; negative: overlap"),
            "cpu_s": ("s", "processor time"),
        },
        commands=(
            Command("bench/porting_table.py {bin}", ("bullet_stock", "bullet_with_perpend")),
        ),
        quick=(Command("bench/porting_table.py {bin}", ("bullet_stock", "bullet_with_perpend")),),
        minutes=0.1,
        targets=("bullet_stock", "bullet_with_perpend"),
    ),
    Measurement(
        name="minutes",
        title="How long the scripts take",
        shows="Minutes of the scripts in a fresh clone without compiler cache, and of the small suite.",
        hides="the time to install packages.",
        key=("command",),
        columns={"minutes": ("minutes", "wall-clock time")},
        commands=(Command("bench/minutes_table.py {bin} {tmp}"),),
        quick=(Command("bench/minutes_table.py {bin} {tmp} --quick"),),
        minutes=40,
        on_request=True,
    ),
)


def measurement(name):
    found = [m for m in MEASUREMENTS if m.name == name]
    if not found:
        known = ", ".join(m.name for m in MEASUREMENTS)
        raise KeyError(f"there is no measurement {name}: {known}")
    return found[0]
