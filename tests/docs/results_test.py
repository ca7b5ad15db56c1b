"""results/: its tables are on the list, the documents quote them rightly, and the command that writes
them works."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "..", "bench")]
import documents  # noqa: E402
import measure  # noqa: E402
import plots  # noqa: E402
import quotes  # noqa: E402
import results  # noqa: E402
from measurements import MEASUREMENTS, QUOTED, measurement  # noqa: E402
from planted import ROOT, Planted, Sound  # noqa: E402

LIMIT = 2_000_000  # bytes of results/
QUANTITY = re.compile(r"\d[\d.,]*(?: ?(?:[mµn]s|[kMG]B|[nµmc]m|minutes)\b| ?%| times\b)")
# Quantities that are no measurements of results/: settings, definitions, what a test or an example
# prints.
NOT_MEASURED = {
    "README.md": {"10 ms"},  # the step of an example
    "docs/capture.md": {"20 %", "4 cm", "1 %"},  # settings of engines
    "docs/cli.md": {"10 %"},  # of `perpend compare`
    "docs/doctor.md": {"10 %", "2 %"},  # thresholds
    "docs/porting-from-bullet.md": {"1 mm"},  # tests/sim/constraint_solver_test.cpp
    "docs/results.md": {"15 minutes"},  # a definition
    "docs/simulator.md": {
        "2.5 mm",
        "97.4 %",
        "8 ms",
        "0.6 %",
    },  # a formula, perpend verify, settings
    "docs/tutorials/bullet.md": {"2 GB"},
    "docs/view.md": {"20 times"},  # the strength of the hand
}


def check_tables(root):
    """Every file in results/ is a table of the list, with its columns, different keys, and a note in
    machine.json that says how it was made."""
    complaints = []
    for folder in sorted(Path(root, "results").iterdir()):
        where = f"results/{folder.name}"
        if not (folder / "machine.json").exists():
            complaints.append(f"{where} has no machine.json")
            continue
        made = results.about(root, folder.name)["measurements"]
        names = {path.stem for path in folder.glob("*.csv")}
        known = {m.name for m in MEASUREMENTS}
        complaints += [
            f"{where}/{path.name} is not on the list"
            for path in folder.iterdir()
            if path.name != "machine.json" and (path.suffix != ".csv" or path.stem not in known)
        ]
        complaints += [
            f"{where}/machine.json: {name} has no table or no note"
            for name in sorted(names ^ set(made))
        ]
        for name in sorted(names & known & set(made)):
            m, note = measurement(name), made[name]
            rows = results.rows_of(root, folder.name, name)
            if not rows or list(rows[0]) != m.header():
                complaints.append(f"{where}/{name}.csv does not have the columns of the list")
                continue
            keys = [tuple(row[column] for column in m.key) for row in rows]
            if len(set(keys)) < len(keys):
                complaints.append(f"{where}/{name}.csv has two rows with the same key")
            if not {"date", "commit", "compiler", "commands"} <= set(note) or note.get("quick"):
                complaints.append(f"{where}/machine.json: {name} is not said how it was made")
    return complaints


def check_quantities(root, known):
    """Times, lengths, sizes and percentages in prose are links to their rows, or known to be no
    measurements."""
    complaints = []
    for path in quotes.documents(root):
        name = path.relative_to(root).as_posix()
        for number, line in documents.lines_outside_code(path.read_text(encoding="utf-8")):
            prose = documents.CODE.sub("", re.sub(r"\[[^\]\n]*\]\([^)\s]*\)", "", line))
            complaints += [
                f"{name}:{number}: {found[0]} names no row of results/"
                for found in QUANTITY.finditer(prose)
                if found[0] not in known.get(name, ())
            ]
    return complaints


class Results(Sound):
    def test_measured_quantities_name_their_rows(self):
        self.quiet(check_quantities(ROOT, NOT_MEASURED))

    def test_tables_are_those_of_the_list(self):
        self.quiet(check_tables(ROOT))

    def test_every_measurement_has_a_table(self):
        for m in MEASUREMENTS:
            self.assertTrue((ROOT / "results" / QUOTED / f"{m.name}.csv").exists(), m.name)

    def test_quoted_numbers_are_those_of_their_rows(self):
        self.assertGreater(len(list(quotes.quoted(ROOT))), 80)
        self.quiet(quotes.check(ROOT))

    def test_minutes_beside_commands_are_those_of_their_rows(self):
        rows = results.rows_of(ROOT, QUOTED, "minutes")
        minutes = {row["command"]: float(row["minutes"]) for row in rows}
        found = 0
        for name in ("README.md", "CONTRIBUTING.md"):
            text = (ROOT / name).read_text(encoding="utf-8")
            for command, told in re.findall(r"^(scripts/\S+)\s+# (\d+) minutes", text, re.M):
                self.assertEqual(int(told), round(minutes[command]), f"{name}: {command}")
                found += 1
        self.assertEqual(found, 4)

    def test_documents_have_what_is_made_from_results(self):
        made = results.made(ROOT)
        self.assertEqual(len(made), 1 + len(results.PICTURES))
        for path, text in made.items():
            self.assertEqual(
                path.read_text(encoding="utf-8"), text, f"{path}: scripts/measure.sh --update"
            )

    def test_are_small(self):
        size = sum(path.stat().st_size for path in (ROOT / "results").rglob("*") if path.is_file())
        self.assertLess(size, LIMIT)

    def test_programs_of_the_list_exist(self):
        for m in MEASUREMENTS:
            for command in (*m.commands, *m.quick):
                script = command.text.split()[0]
                if script.startswith("bench/"):
                    self.assertTrue(os.access(ROOT / script, os.X_OK), script)
        listed = (ROOT / "bench" / "CMakeLists.txt").read_text(encoding="utf-8")
        for m in MEASUREMENTS:
            for target in m.targets:
                if target.startswith("perpend_"):
                    self.assertIn(f"add_executable({target} ", listed)

    def test_page_has_every_row_and_a_place_for_every_link(self):
        page, pictures = results.page(ROOT)
        anchors = set(re.findall(r'<tr id="([^"]*)"', page)) | set(
            re.findall(r"\{: #(\w+) }", page)
        )
        for _, _, text, table, place in quotes.quoted(ROOT):
            anchor = results.site_link(table, place).partition("#")[2]
            # A pattern for one row leads to its table.
            self.assertIn(anchor, anchors, text)
        self.assertEqual(
            len(re.findall(r"<tr id=", page)),
            sum(len(results.rows_of(ROOT, QUOTED, m.name)) for m in MEASUREMENTS),
        )
        self.assertEqual(
            set(re.findall(r"\]\(measurements/(\S+\.svg)\)", page)), set(pictures), "pictures"
        )
        self.assertIn("older than that of the newest table", page)


class PlantedMistake(Planted):
    def setUp(self):
        super().setUp()
        self.write(
            "results/m/correction.csv",
            "scene,rounds,joint_violation,penetration,cpu_ms_median\n"
            "chain,0,0.0043,0,0.05\nchain,1,1.02e-10,0,0.07\nragdolls,0,0.014,0.002,2.5\n",
        )
        note = {"date": "2026-11-16", "commit": "0", "compiler": "g++", "commands": ["x"]}
        self.about = {"machine": {}, "measurements": {"correction": note}}
        self.write("results/m/machine.json", json.dumps(self.about))
        self.write("README.md", "Nothing.\n")

    def quote(self, text, place):
        self.write("docs/page.md", f"It is [{text}](../results/m/correction.csv{place}).\n")
        return quotes.check(self.root)

    def test_right_quotations_are_left_alone(self):
        for text, place in (
            ("4.3 mm", "#chain,0,joint_violation"),
            ("0.0043", "#chain,0,joint_violation"),
            ("0.1 nm", "#chain,1,joint_violation"),
            ("1.0e-10 m", "#chain,1,joint_violation"),
            ("less than 2e-10 m", "#chain,1,joint_violation"),
            ("more than 1 cm", "#ragdolls,0,joint_violation"),
            ("50 µs", "#chain,0,cpu_ms_median"),
            ("14 mm", "#*,0,max:joint_violation"),
            ("2.62", "#*,*,sum:cpu_ms_median"),
            ("two", "#*,*,count:rounds=0"),
            ("this row", "#chain,1"),
            ("the table", ""),
        ):
            self.assertEqual(self.quote(text, place), [], f"{text} {place}")

    def test_wrong_quotations_are_found(self):
        for text, place, words in (
            ("4.4 mm", "#chain,0,joint_violation", "page.md:1: 4.4 is 4.3 in"),
            ("4 cm", "#chain,0,joint_violation", "4 is 0 in"),
            ("4.3 s", "#chain,0,joint_violation", "s cannot be compared with m"),
            ("less than 1e-10 m", "#chain,1,joint_violation", "is 1.02e-10 m"),
            ("three", "#*,*,count:rounds=0", "is 2"),
            ("4.3 mm", "#chain,2,joint_violation", "there is no row chain,2"),
            ("4.3 mm", "#chain,0,width", "there is no column width"),
            ("4.3 mm", "#chain", "a row is named by scene, rounds"),
            ("4.3 mm", "#chain,*,joint_violation", "2 rows are chain,*"),
            ("much", "#chain,0,joint_violation", "there is no number"),
        ):
            complaints = self.quote(text, place)
            self.assertEqual(len(complaints), 1, f"{text} {place}: {complaints}")
            self.assertIn(words, complaints[0])
        self.write("docs/page.md", "[4.3 mm](../results/m/gone.csv#chain,0,joint_violation)")
        self.complains(quotes.check, "there is no results/m/gone.csv")

    def test_quantities_without_a_row_are_found(self):
        check = lambda root: check_quantities(root, {"README.md": {"3 mm"}})
        self.write("README.md", "A gap of 3 mm, `5 ms`, [4 %](x.csv#a), 1/60 s.\n```\n7 ms\n```\n")
        self.assertEqual(check(self.root), [])
        for text, words in (
            ("It takes 4 ms.", "README.md:1: 4 ms names no row"),
            ("16 % more", "16 %"),
            ("2.5 times as long", "2.5 times"),
            ("25 minutes", "25 minutes"),
        ):
            self.write("README.md", text)
            self.complains(check, words)

    def test_update_writes_the_number_as_it_was_written(self):
        link = "(../results/m/correction.csv#chain,0,joint_violation)"
        self.write("docs/page.md", f"[9.9 mm]{link} and [7e-3 m]{link}, [less than 1 mm]{link}\n")
        told = quotes.update(self.root)
        self.assertEqual(len(told), 3)
        self.assertIn("by hand", told[2])
        text = (self.root / "docs" / "page.md").read_text(encoding="utf-8")
        self.assertEqual(text, f"[4.3 mm]{link} and [4e-3 m]{link}, [less than 1 mm]{link}\n")

    def test_tables_that_are_not_as_the_list_says(self):
        self.assertEqual(check_tables(self.root), [])
        head = "scene,rounds,joint_violation,penetration,cpu_ms_median\n"
        self.finds(
            check_tables,
            {
                "a stray file": ("results/m/notes.txt", "x", "notes.txt is not on the list"),
                "a column": (
                    "results/m/correction.csv",
                    "scene,rounds\n1,2\n",
                    "columns of the list",
                ),
                "a key twice": ("results/m/correction.csv", head + "a,1,,,\n" * 2, "the same key"),
                "no note": ("results/m/visits.csv", "x\n", "visits has no table or no note"),
                "a machine": ("results/n/visits.csv", "x\n", "results/n has no machine.json"),
            },
        )
        self.about["measurements"]["correction"]["quick"] = True
        self.write("results/m/machine.json", json.dumps(self.about))
        shutil.rmtree(self.root / "results" / "n")
        self.complains(check_tables, "correction is not said how")


class Plots(unittest.TestCase):
    ROWS = [
        {"scene": "a & b", "engine": "bullet", "x": "1", "y": "0"},
        {"scene": "a & b", "engine": "ode", "x": "100", "y": "1e-3"},
        {"scene": "c", "engine": "bullet", "x": "", "y": "1"},
    ]

    def drawn(self, svg):
        tree = xml.etree.ElementTree.fromstring(svg)
        tag = "{http://www.w3.org/2000/svg}"
        return tree.findall(f"{tag}circle"), [t.text for t in tree.findall(f"{tag}text")]

    def test_dots_of_every_number_and_a_legend(self):
        panels = [{"title": "x", "columns": ["x"], "log": True}, {"title": "y", "columns": ["y"]}]
        circles, texts = self.drawn(plots.dots(self.ROWS, "scene", panels, series="engine"))
        self.assertEqual(len(circles), 2 + 2 + 3)
        self.assertLessEqual({"a & b", "c", "bullet", "ode"}, set(texts))

    def test_scatter_has_zero_at_rounding(self):
        svg = plots.scatter(self.ROWS, ("x", "x"), [("y", "y")], "engine", "title")
        circles, texts = self.drawn(svg)
        self.assertEqual(len(circles), 2 + 2)  # an empty cell is not drawn
        self.assertIn("1e-16", texts)

    def test_places_on_a_logarithmic_axis(self):
        axis = plots.Axis([1, 1000], True, (0, 300))
        self.assertAlmostEqual(axis.place(10), 100)
        self.assertAlmostEqual(axis.place(1000), 300)


class Machine(unittest.TestCase):
    def test_has_a_short_name(self):
        for cpu, cores, name in (
            ("AMD EPYC", 2, "epyc-2"),
            ("Intel(R) Xeon(R) Platinum 8488C CPU @ 2.40GHz", 2, "xeon-platinum-8488c-2"),
            ("AMD Ryzen 9 7950X 16-Core Processor", 16, "ryzen-9-7950x-16"),
        ):
            self.assertEqual(measure.machine_name(cpu, cores), name)


@unittest.skipUnless("PERPEND" in os.environ, "PERPEND does not name the program")
class Command(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="perpend_measure_test_"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "perpend").symlink_to(os.environ["PERPEND"])
        self.out = self.folder / "out"

    def measure(self, *arguments):
        command = [ROOT / "scripts" / "measure.sh", *arguments, "--quick", "--out", self.out]
        command += ["--bin", self.folder / "bin", "--fclib", self.folder]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_writes_tables_and_says_how_they_were_made(self):
        done = self.measure("simulator", "solvers")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("[2/2] solvers", done.stderr)
        about = json.loads((self.out / "machine.json").read_text(encoding="utf-8"))
        self.assertEqual(set(about["machine"]), {"cpu", "cores", "memory_GB", "system"})
        for name, keys in (
            ("simulator", [["stack:3", "perpend"], ["stack:3", "bullet"]]),
            ("solvers", [["box/pgs"], ["ncp/auto"]]),
        ):
            m = measurement(name)
            with open(self.out / f"{name}.csv", encoding="utf-8", newline="") as file:
                reader = csv.DictReader(file)
                rows = list(reader)
            self.assertEqual(reader.fieldnames, m.header())
            found = [[row[column] for column in m.key] for row in rows]
            for key in keys:
                self.assertIn(key, found)
            note = about["measurements"][name]
            self.assertTrue(note["quick"])
            self.assertRegex(note["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
            self.assertIn("build/release/bin/perpend", " ".join(note["commands"]))
        self.assertEqual(
            sorted(path.name for path in self.out.iterdir()),
            ["machine.json", "simulator.csv", "solvers.csv"],
        )

    def test_every_script_prints_the_columns_of_the_list(self):
        shutil.rmtree(self.folder / "bin")
        (self.folder / "bin").symlink_to(os.path.dirname(os.environ["PERPEND"]))
        names = [m.name for m in MEASUREMENTS if m.name not in ("porting", "minutes", "visits")]
        done = self.measure(*names)
        self.assertEqual(done.returncode, 0, done.stderr)
        written = {path.stem for path in self.out.glob("*.csv")}
        self.assertLessEqual({"simulator", "solvers", "contacts", "correction"}, written)

    def test_leaves_out_what_lacks_a_program(self):
        done = self.measure("sweeps", "fclib", "correction")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("perpend_sweeps_bench is not built", done.stderr)
        self.assertIn("there are no FCLIB files", done.stderr)
        self.assertFalse((self.out / "sweeps.csv").exists())
        self.assertTrue((self.out / "correction.csv").exists())

    def test_keeps_the_old_table_when_it_fails(self):
        self.out.mkdir()
        (self.out / "correction.csv").write_text("old\n", encoding="utf-8")
        program = self.folder / "bin" / "perpend"
        program.unlink()
        # Describes the machine, and fails in a simulation.
        program.write_text(
            f'#!/bin/bash\n[ "$1" = simulate ] && exit 3\nexec {os.environ["PERPEND"]} "$@"\n',
            encoding="utf-8",
        )
        program.chmod(0o755)
        done = self.measure("correction")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("correction: failed, its table is as it was", done.stderr)
        self.assertEqual((self.out / "correction.csv").read_text(encoding="utf-8"), "old\n")
        self.assertEqual([path.name for path in self.out.iterdir()], ["correction.csv"])

    def test_refuses_a_name_that_is_not_on_the_list(self):
        done = self.measure("speed")
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no measurement speed: pareto, simulator,", done.stderr)


class Table(unittest.TestCase):
    def test_with_other_columns_or_a_key_twice_is_refused(self):
        m = measurement("porting")
        head = ",".join(m.header())
        self.assertEqual(len(measure.table(m, [f"{head}\na,,,,,\n", f"{head}\nb,,,,,\n"])), 2)
        for text in ("", "world\na\n", f"{head}\n", f"{head}\na,,,,,\na,,,,,\n"):
            with self.assertRaises(measure.Failed):
                measure.table(m, [text])


if __name__ == "__main__":
    unittest.main()
