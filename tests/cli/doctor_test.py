"""The doctor as a user asks it: verdicts, the document, the page, stripped files, wrong usage, and a
few recordings of the proof (tests/doctor/proof.py), each with its fault turned up and back."""

import json
import os
import random
import re
import sys
import tempfile
import unittest

from program import PROGRAM, SOURCE, Case, run

sys.path.insert(0, os.path.join(SOURCE, "tests", "doctor"))
import proof  # noqa: E402

CLASSES = {"solver", "model", "geometry"}


def listed():
    return run("doctor", "--list", "--json").json()["verdicts"]


class Doctor(Case):
    def sound(self):
        file = self.path("run.h5")
        self.succeeds("simulate", "stack:3", "--steps", 20, "--out", file)
        return file

    def spoilt(self, change):
        """JSON lines of a sound run, each changed."""
        lines = self.path("run.jsonl")
        self.succeeds("convert", self.sound(), lines)
        with open(lines, encoding="utf-8") as file:
            frames = [json.loads(line) for line in file]
        for frame in frames:
            change(frame)
        with open(lines, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(frame) + "\n" for frame in frames)
        return lines

    def test_a_sound_recording_ends_with_zero(self):
        document = self.succeeds("doctor", self.sound(), "--json").json()
        self.assertEqual(document["verdict"], "sound")
        self.assertEqual(document["findings"], [])
        self.assertEqual(document["frames"], 20)

    def test_it_begins_with_the_errors_of_the_recorded_answer(self):
        file = self.sound()
        row = self.succeeds("solve", file, "--solver", "recorded", "--json").json()["results"]
        worst = max(frame["errors"]["velocity_error"] for frame in row)
        said = self.succeeds("doctor", file).out.splitlines()[1]
        told = re.fullmatch(r"recorded: worst own_error \S+ m/s, velocity_error (\S+) m/s", said)
        self.assertAlmostEqual(float(told[1]), worst, delta=0.01 * worst)

    def test_a_finding_has_every_field_and_ends_with_one(self):
        def lighten(frame):
            frame["bodies"]["forces"][-1][2] *= 0.5

        answer = run("doctor", self.spoilt(lighten), "--json")
        self.assertEqual(answer.code, 1)
        document = answer.json()
        self.assertEqual(document["verdict"], "model")
        (finding,) = document["findings"]
        self.assertEqual(finding["id"], "forces_do_not_add_up")
        self.assertIn(finding["class"], CLASSES)
        for field in ("frame", "where", "value", "unit", "change", "predicted", "proof", "says"):
            self.assertIn(field, finding)
        self.assertAlmostEqual(finding["value"], 0.5 * 9.81 / 60, places=6)

    def test_json_lines_tell_the_same_with_the_same_names(self):
        scene = proof.with_inertia(proof.stack(random.Random(3), 2), 1, [50, 50, 50])
        file, lines = self.path("run.h5"), self.path("run.jsonl")
        self.succeeds("simulate", self.write("s.json", json.dumps(scene)), "--out", file)
        self.succeeds("convert", file, lines)
        first, second = (run("doctor", one, "--json").json()["findings"] for one in (file, lines))
        self.assertEqual((first[0]["id"], first[0]["where"]), ("masses_and_inertia", "box 0"))
        self.assertEqual(first, second)

    def test_what_is_missing_is_named(self):
        def forget(frame):
            del frame["expected"]["z"]

        answer = run("doctor", self.spoilt(forget), "--json")
        self.assertEqual(answer.code, 1)
        self.assertEqual(answer.json()["verdict"], "cannot_tell")
        self.assertEqual(answer.json()["missing"][0]["dataset"], "/solution/z")

    def test_what_a_frame_must_have_is_named_too(self):
        def forget(frame):
            frame.get("contacts", {}).pop("mu", None)

        answer = run("doctor", self.spoilt(forget), "--json")
        self.assertEqual(answer.code, 1)
        self.assertEqual(answer.json()["verdict"], "cannot_tell")
        self.assertEqual(answer.json()["missing"][0]["dataset"], "/contacts/mu")
        self.assertEqual(answer.json()["frames"], 0)

    def test_names_and_attributes_change_no_verdict(self):
        file = self.path("bullet.h5")
        self.succeeds("capture", "bullet", "heavy-top", "--steps", 40, "--out", file)
        lines, bare = self.path("a.jsonl"), self.path("b.jsonl")
        self.succeeds("convert", file, lines)
        with open(lines, encoding="utf-8") as given, open(bare, "w", encoding="utf-8") as out:
            for line in given:
                frame = json.loads(line)
                for part in ("name", "derivation", "tags", "events"):
                    frame.pop(part, None)
                for part in ("body_names", "joint_names"):
                    frame.get("model", {}).pop(part, None)
                frame.get("expected", {}).pop("answered", None)
                if "model" in frame and "body_ids" in frame["model"]:
                    frame["model"]["body_names"] = [""] * len(frame["model"]["body_ids"])
                if "model" in frame and "joint_ids" in frame["model"]:
                    frame["model"]["joint_names"] = [""] * len(frame["model"]["joint_ids"])
                out.write(json.dumps(frame) + "\n")
        first = run("doctor", file, "--json").json()
        second = run("doctor", bare, "--json").json()
        self.assertGreater(len(first["findings"]), 0)
        keys = ("id", "class", "frame", "value", "unit", "predicted_value")
        self.assertEqual(first["verdict"], second["verdict"])
        self.assertEqual(
            [[f[k] for k in keys] for f in first["findings"]],
            [[f[k] for k in keys] for f in second["findings"]],
        )

    def test_threads_and_selection(self):
        file = self.path("bullet.h5")
        self.succeeds("capture", "bullet", "stack:4", "--steps", 80, "--out", file)
        one = run("doctor", file, "--json").out
        self.assertEqual(run("doctor", file, "--json", "--threads", 3).out, one)
        document = run("doctor", file, "--json", "--frames", "10-19").json()
        self.assertEqual(document["frames"], 10)

    def test_two_runs_part_at_the_first_difference(self):
        file, other = self.path("a.h5"), self.path("b.h5")
        self.succeeds("simulate", "stack:2", "--steps", 10, "--out", file)
        self.succeeds("simulate", "stack:2", "--steps", 10, "--dt", 0.02, "--out", other)
        answer = run("doctor", file, other, "--json")
        self.assertEqual(answer.code, 1)
        (finding,) = answer.json()["findings"]
        self.assertEqual((finding["id"], finding["frame"]), ("runs_part", 0))
        self.assertAlmostEqual(finding["value"], 0.02 - 1 / 60)
        self.assertEqual(self.succeeds("doctor", file, file, "--json").json()["verdict"], "sound")

    def test_the_page_is_one_file_with_plots(self):
        file = self.path("run.h5")
        self.succeeds("capture", "bullet", "heavy-top", "--steps", 30, "--out", file)
        page, folder = self.path("page.html"), self.path("folder")
        self.assertEqual(run("doctor", file, "--page", page).code, 1)
        self.assertEqual(run("doctor", file, "--out", folder, "--quiet").code, 1)
        with open(page, encoding="utf-8") as one:
            text = one.read()
        for word in ("<svg", "solver_stopped_early", "perpend view"):
            self.assertIn(word, text)
        for word in ("<script", "href"):
            self.assertNotIn(word, text)
        with open(os.path.join(folder, "index.html"), encoding="utf-8") as two:
            linked = re.findall(r'href="([^#"]*)#frame=\d+"', two.read())
        shares = "pages to share: yes" in run("--version").out
        self.assertEqual(len(linked) > 0, shares)
        for target in linked:
            self.assertTrue(os.path.exists(os.path.join(folder, target)))

    def test_the_document_has_the_list(self):
        with open(os.path.join(SOURCE, "docs", "doctor.md"), encoding="utf-8") as file:
            text = file.read()
        rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (.*?) \|$", text, re.M)
        self.assertEqual(rows, [(v["id"], v["class"], v["title"]) for v in listed()])
        self.assertEqual(len(rows), 13)

    def test_wrong_usage_is_one_line(self):
        scene = self.path("scene.json")
        with open(scene, "w", encoding="utf-8") as file:
            json.dump(proof.slide(random.Random(1), 1, 0), file)
        for arguments, word in [
            (("doctor",), "FILE"),
            (("doctor", self.path("absent.h5")), "absent.h5"),
            (("doctor", scene), "scene"),
            (("doctor", self.sound(), "--frames", "99"), "99"),
            (("doctor", self.sound(), "--page", "/no/such/folder/page.html"), "/no/such"),
        ]:
            self.refuses(*arguments, says=word)


class DoctorProof(Case):
    """Six of the proof's faults and six of its sound recordings, at an odd seed."""

    def lab(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return proof.Lab(PROGRAM, folder.name)

    def test_faults_are_named_and_followed_and_vanish(self):
        names = {
            "bullet, iterations",
            "bullet, mass ratio",
            "perpend, box friction",
            "jittering normals",
            "wedge",
            "perpend, overlap",
        }
        chosen = [fault for fault in proof.FAULTS if fault.name in names]
        self.assertEqual(len(chosen), len(names))
        for fault in chosen:
            wrong, values = proof.examine(self.lab(), fault, 1)
            self.assertEqual(wrong, [], f"{fault.name}: {values}")

    def test_sound_recordings_raise_no_alarm(self):
        for name, made in proof.SOUND:
            if name.startswith("perpend") and "pile" not in name:
                lab = self.lab()
                document = lab.doctor(made(lab, random.Random(1)))
                self.assertEqual(document["verdict"], "sound", f"{name}: {document['findings']}")


if __name__ == "__main__":
    unittest.main()
