#!/usr/bin/env python3
"""Measures, and writes results/MACHINE/NAME.csv: scripts/measure.sh builds the programs and calls it.

    bench/measure.py [NAME ...] [--quick] [--out DIR] [--machine NAME] [--bin DIR] [--fclib DIR]
    bench/measure.py --list | --targets [NAME ...] | --update

Without names, everything of bench/measurements.py that is not only run on request. A table is
replaced when its measurement has ended well; machine.json beside it says when, with which program
and by which commands. What lacks a program or a file is left out, and that is said. --quick makes a
few steps, to try the command: into out/measure unless --out says otherwise. --update makes the
pictures, the table and the quoted numbers in the documents from results/, and measures nothing.
"""

import argparse
import csv
import datetime
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import quotes  # noqa: E402
import results  # noqa: E402
from measurements import MEASUREMENTS, measurement  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]


class Failed(Exception):
    pass


def say(*words):
    print(*words, file=sys.stderr, flush=True)


def machine_name(cpu, cores):
    """A short name: `Intel(R) Xeon(R) Platinum 8488C CPU @ 2.40GHz` with 2 cores is
    xeon-platinum-8488c-2."""
    words = re.sub(r"\((R|TM)\)|@.*|\d+-Core|\b(AMD|Intel|CPU|Processor|Virtual)\b", " ", cpu)
    return "-".join(re.findall(r"[a-z0-9]+", f"{words} {cores}".lower()))


def described(bin_folder, folder):
    """The machine and the program, as `perpend bench` writes them."""
    out = os.path.join(folder, "machine")
    command = [
        os.path.join(bin_folder, "perpend"),
        "bench",
        "--solvers",
        "ncp/pgs",
        "--repeat",
        "0",
    ]
    command += ["--frames", "0", "--out", out, "examples/frames/single_contact.jsonl"]
    try:
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    except FileNotFoundError:
        raise Failed(f"{command[0]} is not built") from None
    return json.loads(Path(out, "results.json").read_text(encoding="utf-8"))["machine"]


def lacking(needs, given):
    """What of the needs is not there, in words; empty: nothing."""
    missing = []
    for need in needs:
        if need == "FCLIB":
            if not any(Path(given.fclib).glob("*.hdf5")):
                missing.append(f"there are no FCLIB files in {given.fclib} (--fclib DIR)")
        elif need == "h5py":
            if subprocess.run(["/usr/bin/python3", "-c", "import h5py"], stderr=-3).returncode:
                missing.append("h5py is not installed")
        elif not Path(given.bin, need).exists():
            missing.append(f"{need} is not built")
    return "; ".join(missing)


def run(text, given, folder):
    """What the command prints."""
    filled = text.format(bin=given.bin, fclib=given.fclib, tmp=folder)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        ["bash", "-c", filled], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    )
    if done.returncode:
        raise Failed(f"exit code {done.returncode}: {filled}")
    return done.stdout


def table(m, printed):
    """The rows of all commands, checked."""
    rows, seen = [], set()
    for text in printed:
        reader = csv.DictReader(io.StringIO(text))
        if reader.fieldnames is None or sorted(reader.fieldnames) != sorted(m.header()):
            raise Failed(f"columns are {reader.fieldnames}, and should be {m.header()}")
        for row in reader:
            key = tuple(row[name] for name in m.key)
            if key in seen:
                raise Failed(f"two rows {', '.join(key)}")
            seen.add(key)
            rows.append(row)
    if not rows:
        raise Failed("no rows")
    return rows


def replace(path, text):
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)


def measure(m, given):
    """Writes the table; False if nothing of it could be run."""
    commands = m.quick if given.quick else m.commands
    prepare = m.quick_prepare if given.quick else m.prepare
    possible, left_out = [], []
    for command in commands:
        why = lacking(command.needs, given)
        (left_out if why else possible).append(command)
        if why:
            say(f"{m.name}: left out: {results.plain(command.text)}: {why}")
    if not possible:
        return False
    began = time.monotonic()
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    with tempfile.TemporaryDirectory(prefix="perpend_measure_") as folder:
        machine = described(given.bin, folder)
        out = given.out or ROOT / "results" / (
            given.machine or machine_name(machine["cpu"], machine["cores"])
        )
        for text in prepare:
            run(text, given, folder)
        rows = table(m, [run(command.text, given, folder) for command in possible])
    seconds = time.monotonic() - began
    out.mkdir(parents=True, exist_ok=True)
    text = io.StringIO()
    writer = csv.DictWriter(text, m.header(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    about = {"machine": {}, "measurements": {}}
    if (out / "machine.json").exists():
        about = json.loads((out / "machine.json").read_text(encoding="utf-8"))
    about["machine"] = {
        "cpu": machine["cpu"],
        "cores": machine["cores"],
        "memory_GB": round(machine["memory_bytes"] / 2**30),
        "system": machine["os"],
    }
    about["measurements"][m.name] = {
        "date": date,
        "commit": machine["commit"],
        "compiler": f"{machine['compiler']} {machine['flags']}",
        "load": [round(load, 1) for load in machine["load"]],
        "seconds": round(seconds),
        "commands": [results.plain(text) for text in (*prepare, *(c.text for c in possible))],
        **({"left_out": [results.plain(c.text) for c in left_out]} if left_out else {}),
        **({"quick": True} if given.quick else {}),
    }
    replace(out / f"{m.name}.csv", text.getvalue())
    replace(out / "machine.json", json.dumps(about, indent=1, ensure_ascii=False) + "\n")
    say(f"{m.name}: {len(rows)} rows in {seconds:.0f} s: {out / m.name}.csv")
    return True


def estimate(m, quick):
    minutes = 0.1 if quick else m.minutes
    return f"{minutes:.0f} minutes" if minutes >= 1.5 else f"{60 * minutes:.0f} s"


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    shared = os.environ.get("PERPEND_SHARED", ROOT.parent / "shared")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--quick", action="store_true", help="a few steps, to try the command")
    parser.add_argument("--out", type=Path, help="folder of the tables [results/MACHINE]")
    parser.add_argument("--machine", help="its name [made from processor and cores]")
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "release" / "bin")
    parser.add_argument("--fclib", type=Path, default=Path(shared, "data", "fclib"))
    parser.add_argument("--list", action="store_true", help="names, minutes and titles")
    parser.add_argument("--targets", action="store_true", help="what must be built")
    parser.add_argument("--update", action="store_true", help="documents from results/")
    given = parser.parse_intermixed_args()
    given.bin, given.fclib = given.bin.resolve(), given.fclib.resolve()
    if given.quick and not given.out:
        given.out = ROOT / "out" / "measure"
    try:
        given.measurements = [measurement(name) for name in given.names]
    except KeyError as error:
        sys.exit(f"measure: {error.args[0]}")
    if not given.names:
        given.measurements = [m for m in MEASUREMENTS if not m.on_request]
    return given


def main():
    given = arguments()
    if given.list:
        for m in MEASUREMENTS:
            asked = ", only if named" if m.on_request else ""
            print(f"{m.name:10} {m.minutes:5g} min  {m.title}{asked}")
        return 0
    if given.targets:
        print(*dict.fromkeys(target for m in given.measurements for target in m.targets))
        return 0
    if given.update:
        for name in results.update(ROOT) + quotes.update(ROOT):
            print(name)
        return 0
    failed = []
    total = sum(m.minutes for m in given.measurements)
    if not given.quick and len(given.measurements) > 1:
        say(f"about {total:.0f} minutes on two idle cores")
    for number, m in enumerate(given.measurements, 1):
        about = estimate(m, given.quick)
        say(f"[{number}/{len(given.measurements)}] {m.name}: {m.title} (about {about})")
        try:
            if not measure(m, given):
                say(f"{m.name}: skipped")
        except Failed as why:
            say(f"{m.name}: failed, its table is as it was: {why}")
            failed.append(m.name)
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
