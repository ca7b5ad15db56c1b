"""Commands about files: solve --out, info, validate, repair, convert, and files that are bad."""

import json
import os
import resource
import shutil
import subprocess
import unittest

from program import PROGRAM, SHARED, Case, frame, run, sliding, tower


class Out(Case):
    def test_solutions_are_added_and_visible_in_info(self):
        file = self.standard(frame(), sliding())
        out = self.path("out.h5")
        self.succeeds("solve", file, "--solver", "ncp/pgs,box/pgs", "--history", "--out", out)
        self.assertEqual(
            sorted(self.succeeds("info", out, "--json").json()["solutions"]), ["box/pgs", "ncp/pgs"]
        )
        self.assertEqual(self.succeeds("info", file, "--json").json()["solutions"], [])
        self.assertEqual(run("validate", out).code, 0)

    def test_the_frames_are_those_of_the_input(self):
        file = self.standard(frame(), sliding(contacts=3, joint=True))
        out = self.path("out.h5")
        self.succeeds("solve", file, "--solver", "ncp/pgs", "--out", out)
        lines = [self.path(n) for n in ["a.jsonl", "b.jsonl"]]
        self.succeeds("convert", file, lines[0])
        self.succeeds("convert", out, lines[1])
        self.assertEqual(*[self.text(n) for n in lines])

    def test_json_lines_become_a_standard_file_first(self):
        out = self.path("out.h5")
        self.succeeds("solve", self.lines(frame(), sliding()), "--solver", "ncp/pgs", "--out", out)
        document = self.succeeds("info", out, "--json").json()
        self.assertEqual(
            (document["format"], document["frames"], document["solutions"]),
            ("perpend", 2, ["ncp/pgs"]),
        )

    def test_an_fclib_problem_becomes_a_standard_file_first(self):
        fclib, out = self.path("one.fclib.h5"), self.path("out.h5")
        self.succeeds("convert", self.lines(sliding(contacts=2)), fclib)
        self.succeeds("solve", fclib, "--solver", "ncp/pgs", "--out", out)
        self.assertEqual(self.succeeds("info", out, "--json").json()["solutions"], ["ncp/pgs"])
        self.assertEqual(run("validate", out).code, 0)

    def test_only_the_frames_solved_are_covered(self):
        file = self.standard(frame(), sliding(), frame())
        out = self.path("out.h5")
        self.succeeds("solve", file, "--solver", "ncp/pgs", "--frames", "1", "--out", out)
        self.assertEqual(self.succeeds("info", out, "--json").json()["frames"], 3)

    def test_the_input_itself_may_be_extended(self):
        file = self.standard(frame())
        self.succeeds("solve", file, "--solver", "ncp/pgs", "--out", file)
        self.assertEqual(self.succeeds("info", file, "--json").json()["solutions"], ["ncp/pgs"])

    def test_an_impossible_place_is_known_before_the_work(self):
        file = self.standard(tower(3))
        self.refuses("solve", file, "--solver", "ncp/pgs", "--out", self.folder, says="directory")
        self.refuses(
            "solve",
            file,
            "--solver",
            "ncp/pgs",
            "--out",
            self.path("no/where.h5"),
            says="no folder",
        )
        lines = self.lines(frame())
        self.refuses(
            "solve", lines, "--solver", "ncp/pgs", "--out", lines, says="is the input file"
        )


class Info(Case):
    def test_counts_of_a_standard_file(self):
        file = self.standard(frame(), sliding(contacts=3, joint=True), frame(contacts=0))
        document = self.succeeds("info", file, "--json").json()
        self.assertEqual(document["file"], file)
        self.assertEqual(document["format"], "perpend")
        self.assertEqual(document["format_version"], 1)
        self.assertEqual(
            [document[k] for k in ["frames", "bodies", "contacts", "joints"]], [3, 6, 4, 1]
        )
        self.assertEqual(document["per_frame"]["contacts"], {"min": 0, "median": 1, "max": 3})
        self.assertEqual(document["step"], {"min": 0.01, "median": 0.01, "max": 0.01})
        self.assertEqual(document["stepper"], "st")
        self.assertEqual(document["layout"], "columns")
        for field in ["engine", "scene", "omitted", "solutions"]:
            self.assertIn(field, document)

    def test_names_and_shapes_of_a_recording_are_told(self):
        file = self.path("run.h5")
        self.succeeds("simulate", "stack:10", "--steps", 2, "--out", file)
        document = self.succeeds("info", file, "--json").json()
        self.assertEqual(len(document["body_names"]), 11)
        self.assertEqual((document["shapes"], document["joint_names"]), (11, []))
        out = self.succeeds("info", file).out
        self.assertRegex(out, r"body_names: .*, \.\.\. \(11\)\n")
        self.assertIn("shapes: 11\n", out)
        self.assertNotIn("events:", out)

    def test_friction_that_is_recorded_and_not_modelled_is_told(self):
        record = frame(contacts=2)
        record["contacts"]["rolling_mu"] = [0.01, 0]
        record["contacts"]["torsional_mu"] = [0.01, 0.02]
        notes = self.succeeds("info", self.standard(record), "--json").json()["notes"]
        self.assertEqual(
            notes,
            [
                "1 contacts have rolling friction, which Perpend does not model",
                "2 contacts have torsional friction, which Perpend does not model",
            ],
        )
        self.assertIn("does not model", self.succeeds("info", self.path("frames.h5")).out)

    def test_recorded_errors_are_the_worst_ones(self):
        records = [frame(z=[[0, 0, 0]]) for _ in range(2)]
        for record, value in zip(records, [1e-3, 2e-5]):
            record["expected"]["errors"] = {"velocity_error": value}
        document = self.succeeds("info", self.standard(*records), "--json").json()
        self.assertEqual(document["worst_recorded_errors"], {"velocity_error": 1e-3})
        self.assertEqual(document["answered_frames"], 2)

    def test_other_kinds(self):
        lines = self.lines(frame(name="resting"), sliding())
        document = self.succeeds("info", lines, "--json").json()
        self.assertEqual((document["format"], document["frames"]), ("json-lines", 2))
        self.assertEqual(document["names"], ["resting", ""])
        self.succeeds("convert", lines, self.path("f.fclib.h5"), "--frames", 0)
        document = self.succeeds("info", self.path("f.fclib.h5"), "--json").json()
        self.assertEqual(
            (document["format"], document["problem"], document["contacts"]), ("fclib", "local", 1)
        )
        raw = self.raw(
            type="mlcp", n=2, A=[[0, 0, 1], [1, 1, 1]], b=[1, 1], lower=[None, 0], upper=[None, 2]
        )
        document = self.succeeds("info", raw, "--json").json()
        self.assertEqual(
            [document[k] for k in ["problem", "n", "nonzeros", "free", "boxed"]],
            ["mlcp", 2, 2, 1, 1],
        )

    def test_for_people(self):
        out = self.succeeds("info", self.standard(frame())).out
        self.assertIn("frames: 1", out)
        self.assertIn("contacts per frame (min | median | max): 1 | 1 | 1", out)


class Validate(Case):
    def test_sound_files(self):
        for file in [self.lines(frame()), self.standard(frame())]:
            self.assertIn("valid", self.succeeds("validate", file).out)
            document = self.succeeds("validate", file, "--json").json()
            self.assertTrue(document["valid"])
            self.assertEqual(document["complaints"], [])

    def test_a_bad_line_is_a_complaint_that_names_line_and_field(self):
        bad = frame()
        bad["contacts"]["normals"] = [[0, 0, 2]]
        answer = run("validate", self.lines(frame(), bad))
        self.assertEqual(answer.code, 1)
        self.assertIn("normals", answer.out)
        self.assertIn(":2", answer.out)
        document = run("validate", self.path("frames.jsonl"), "--json").json()
        self.assertFalse(document["valid"])
        self.assertEqual(len(document["complaints"]), 1)

    def test_a_matrix_that_is_not_symmetric_is_a_note(self):
        files = os.path.join(SHARED, "data", "fclib")
        if not os.path.isdir(files):
            self.skipTest("no ../shared/data/fclib")
        notes = []
        for name in sorted(os.listdir(files)):
            document = self.succeeds("validate", os.path.join(files, name), "--json").json()
            self.assertEqual(document["complaints"], [])
            notes += document["notes"]
        self.assertTrue(any("not symmetric" in note for note in notes), notes)

    def test_unreadable_is_exit_code_2(self):
        self.refuses("validate", self.path("nothing.h5"), says="nothing.h5")


def lookup3(data):
    """Jenkins' hash, the checksum of an HDF5 superblock (File Format Specification 3.0)."""
    mask = 0xFFFFFFFF

    def turn(x, k):
        return (x << k | x >> (32 - k)) & mask

    a = b = c = (0xDEADBEEF + len(data)) & mask
    words = [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]
    while len(words) > 3:
        a, b, c = ((x + y) & mask for x, y in zip((a, b, c), words))
        for k in (4, 6, 8, 16, 19, 4):
            a, c = (a - c) & mask ^ turn(c, k), (c + b) & mask
            a, b, c = b, c, a
        words = words[3:]
    a, b, c = ((x + y) & mask for x, y in zip((a, b, c), words + [0, 0]))
    for k in (14, 11, 25, 16, 4, 14, 24):
        c = ((c ^ b) - turn(b, k)) & mask
        a, b, c = b, c, a
    return b


def mark_as_unclosed(path):
    """What a killed writer leaves: the mark in the superblock that keeps plain HDF5 away."""
    with open(path, "r+b") as file:
        block = bytearray(file.read(48))
        assert block[8] == 3 and lookup3(block[:44]) == int.from_bytes(block[44:], "little")
        block[11] = 5  # open for writing, SWMR
        block[44:] = lookup3(block[:44]).to_bytes(4, "little")
        file.seek(0)
        file.write(block)


class Repair(Case):
    def test_the_mark_of_a_killed_writer_is_cleared(self):
        file = self.standard(frame(), sliding())
        mark_as_unclosed(file)
        self.assertEqual(run("validate", file).code, 1)
        self.assertIn("2 frames", self.succeeds("repair", file).out)
        self.succeeds("validate", file)

    def test_a_marked_file_is_solved_and_its_copy_is_clean(self):
        file, out = self.standard(frame(), sliding()), self.path("out.h5")
        mark_as_unclosed(file)
        before = self.bytes(file)
        self.succeeds("solve", file, "--solver", "ncp/pgs", "--out", out)
        self.assertEqual(self.succeeds("info", out, "--json").json()["solutions"], ["ncp/pgs"])
        self.succeeds("validate", out)
        self.assertEqual(before, self.bytes(file))

    def test_a_closed_file_is_left_in_peace(self):
        file = self.standard(frame(), sliding())
        before = self.bytes(file)
        self.assertIn("2 frames", self.succeeds("repair", file).out)
        self.assertEqual(self.succeeds("repair", file, "--json").json()["frames"], 2)
        self.assertEqual(before, self.bytes(file))

    def test_other_files_are_refused(self):
        self.refuses("repair", self.path("nothing.h5"), says="nothing.h5")
        self.refuses("repair", self.lines(frame()), says="frames.jsonl")


class Convert(Case):
    RECORDS = [frame(), sliding(contacts=3, joint=True), frame(contacts=0)]

    def test_a_full_disk_is_told_and_leaves_nothing(self):
        records = self.lines(*[frame()] * 40)
        recording = self.path("recording.h5")
        self.succeeds("convert", records, recording)
        with open(recording, "rb") as file:
            before = file.read()

        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))

        for command in (
            ["convert", records, self.path("local.fclib.h5"), "--frames", "0"],
            ["convert", recording, self.path("frames.h5"), "--layout", "frames"],
            ["convert", records, self.path("columns.h5")],
            ["solve", recording, "--solver", "ncp/pgs", "--out", recording],
        ):
            with self.subTest(command=command):
                done = subprocess.run(
                    [PROGRAM, *command],
                    capture_output=True,
                    text=True,
                    preexec_fn=small,
                    stdin=subprocess.DEVNULL,
                    timeout=60,
                )
                self.assertIn(done.returncode, (1, 2), done.stderr)
                self.assertIn("File too large", done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        with open(recording, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual(
            sorted(os.listdir(os.path.dirname(recording))),
            sorted(os.path.basename(n) for n in (records, recording)),
        )

    def test_json_lines_to_standard_and_back_is_the_same(self):
        first, file, second = (self.path(n) for n in ["1.jsonl", "1.h5", "2.jsonl"])
        self.succeeds("convert", self.lines(*self.RECORDS), first)
        self.succeeds("convert", first, file)
        self.succeeds("convert", file, second)
        self.assertEqual(*[self.text(n) for n in [first, second]])

    def test_both_layouts(self):
        columns, frames, again = (self.path(n) for n in ["c.h5", "f.h5", "a.h5"])
        self.succeeds("convert", self.lines(*self.RECORDS), columns)
        self.succeeds("convert", columns, frames, "--layout", "frames")
        self.succeeds("convert", frames, again, "--layout", "columns")
        self.assertEqual(
            [self.succeeds("info", n, "--json").json()["layout"] for n in [columns, frames, again]],
            ["columns", "frames", "columns"],
        )
        texts = []
        for file in [columns, frames, again]:
            self.succeeds("convert", file, file + ".jsonl")
            texts.append(self.text(file + ".jsonl"))
        self.assertEqual(texts[0], texts[1])
        self.assertEqual(texts[0], texts[2])

    def test_json_lines_to_the_frames_layout_at_once(self):
        out = self.path("f.h5")
        self.succeeds("convert", self.lines(*self.RECORDS), out, "--layout", "frames")
        document = self.succeeds("info", out, "--json").json()
        self.assertEqual((document["layout"], document["frames"]), ("frames", 3))

    def test_stored_solutions_travel_along(self):
        file, out, copy = self.standard(*self.RECORDS), self.path("out.h5"), self.path("copy.h5")
        self.succeeds("solve", file, "--solver", "ncp/pgs", "--out", out)
        self.succeeds("convert", out, copy)
        self.assertEqual(self.succeeds("info", copy, "--json").json()["solutions"], ["ncp/pgs"])
        frames = self.path("hierarchy.h5")
        self.succeeds("convert", out, frames, "--layout", "frames")
        document = self.succeeds("info", frames, "--json").json()
        self.assertEqual((document["layout"], document["solutions"]), ("frames", ["ncp/pgs"]))
        self.succeeds("validate", frames)

    def test_one_frame(self):
        out = self.path("one.jsonl")
        answer = self.succeeds("convert", self.lines(*self.RECORDS), out, "--frames", 1, "--json")
        self.assertEqual(answer.json()["frames"], 1)
        self.assertEqual(len(self.text(out).splitlines()), 1)
        self.refuses("convert", self.path("frames.jsonl"), out, "--frames", 3, says="has 3 frames")

    def test_fclib_wants_one_frame(self):
        self.refuses(
            "convert",
            self.lines(*self.RECORDS),
            self.path("x.fclib.h5"),
            says=["3 frames", "--frames"],
        )
        self.assertFalse(os.path.exists(self.path("x.fclib.h5")))

    def test_local_and_global_fclib(self):
        lines = self.lines(sliding(contacts=2))
        for kind in ["local", "global"]:
            out = self.path(kind + ".fclib.h5")
            self.succeeds("convert", lines, out, "--" + kind)
            self.assertEqual(self.succeeds("info", out, "--json").json()["problem"], kind)
            self.assertEqual(run("solve", out, "--solver", "ncp/pgs").code, 0)
        self.refuses(
            "convert",
            self.path("local.fclib.h5"),
            self.path("x.fclib.h5"),
            "--global",
            says="--global",
        )
        self.refuses(
            "convert", lines, self.path("x.fclib.h5"), "--global", "--local", says="only one"
        )

    def test_fclib_to_standard_and_back(self):
        fclib, file, again = (self.path(n) for n in ["a.fclib.h5", "a.h5", "b.fclib.h5"])
        self.succeeds("convert", self.lines(sliding(contacts=2)), fclib)
        self.succeeds("convert", fclib, file)
        self.assertEqual(run("validate", file).code, 0)
        document = self.succeeds("info", file, "--json").json()
        self.assertEqual((document["bodies"], document["contacts"]), (0, 2))
        self.assertEqual(document["notes"], ["1 frames have a system without bodies (/system/)"])
        self.refuses("convert", file, self.path("a.jsonl"), says="has no bodies")
        self.succeeds("convert", file, again)
        errors = [
            self.succeeds("solve", f, "--solver", "ncp/pgs", "--json").json()["results"][0][
                "errors"
            ]
            for f in [fclib, file, again]
        ]
        self.assertEqual(errors[0], errors[1])
        self.assertEqual(errors[0], errors[2])

    def test_fclib_has_no_bodies_for_json_lines(self):
        fclib = self.path("a.fclib.h5")
        self.succeeds("convert", self.lines(sliding()), fclib)
        self.refuses("convert", fclib, self.path("a.jsonl"), says="has no bodies")

    def test_the_format_comes_from_the_name_or_from_to(self):
        lines = self.lines(frame())
        self.refuses("convert", lines, self.path("x.dat"), says="--to")
        self.succeeds("convert", lines, self.path("x.dat"), "--to", "standard")
        self.assertEqual(
            self.succeeds("info", self.path("x.dat"), "--json").json()["format"], "perpend"
        )
        self.refuses("convert", lines, self.path("x.dat"), "--to", "nonsense", says="nonsense")
        self.refuses("convert", lines, self.path("x.h5"), "--layout", "rows", says="rows")
        self.refuses("convert", lines, self.path("x.jsonl"), "--layout", "frames", says="--layout")

    def test_the_input_is_never_overwritten(self):
        file = self.standard(frame())
        os.symlink(file, self.path("link.h5"))
        for out in [file, self.path("link.h5"), os.path.join(self.folder, ".", "frames.h5")]:
            self.refuses("convert", file, out, says="is the input file")
        self.succeeds("info", file)

    def test_a_failed_conversion_leaves_the_old_output_and_no_new_file(self):
        out = self.path("old.h5")
        with open(out, "w", encoding="utf-8") as file:
            file.write("precious")
        bad = frame()
        bad["contacts"]["mu"] = [-1]
        self.refuses("convert", self.lines(frame(), bad), out, says="mu")
        self.assertEqual(self.text(out), "precious")
        self.assertEqual(sorted(os.listdir(self.folder)), ["frames.jsonl", "old.h5"])

    def test_a_raw_problem_is_no_contact_problem(self):
        raw = self.raw(type="lcp", n=1, A=[[0, 0, 1]], b=[1])
        self.refuses("convert", raw, self.path("x.h5"), says="raw")


class BadFiles(Case):
    def each_command_refuses(self, file, says):
        for arguments in [
            ("solve", file, "--solver", "ncp/pgs"),
            ("info", file),
            ("convert", file, self.path("out.h5")),
            ("repair", file),
            ("validate", file),
            ("info", file, "--json"),
        ]:
            self.refuses(*arguments, says=says)
        self.assertFalse(os.path.exists(self.path("out.h5")))

    def test_missing_file(self):
        self.each_command_refuses(self.path("nothing.h5"), "nothing.h5")

    def test_directory(self):
        self.each_command_refuses(self.folder, self.folder)

    def test_empty_file(self):
        open(self.path("empty"), "w", encoding="utf-8").close()
        self.each_command_refuses(self.path("empty"), "empty")

    def test_garbage(self):
        with open(self.path("garbage"), "wb") as file:
            file.write(bytes(range(256)) * 64)
        self.each_command_refuses(self.path("garbage"), "garbage")

    def test_truncated_hdf5(self):
        whole = self.bytes(self.standard(frame(), sliding()))
        with open(self.path("cut.h5"), "wb") as file:
            file.write(whole[: len(whole) // 3])
        self.each_command_refuses(self.path("cut.h5"), "cut.h5")

    def test_json_that_is_neither_frame_nor_problem(self):
        with open(self.path("other.json"), "w", encoding="utf-8") as file:
            json.dump({"hello": 1}, file)
        self.refuses("solve", self.path("other.json"), "--solver", "ncp/pgs", says="other.json")

    def test_a_name_that_is_not_utf_8_is_still_one_document(self):
        name = os.fsencode(self.folder) + b"/\xff.jsonl"
        shutil.copy(self.lines(frame()), name)
        done = subprocess.run(
            [PROGRAM.encode(), b"info", name, b"--json"], capture_output=True, check=False
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout.decode())["frames"], 1)


if __name__ == "__main__":
    unittest.main()
