"""Hashes on the way, saving and restoring, and simulating a recording again."""

import json
import subprocess
import unittest

from program import Case, run

DEBIANS_PYTHON = "/usr/bin/python3"  # the one that has python3-h5py


def edit(path, script):
    """Changes a recording with h5py, as somebody else's program would."""
    subprocess.run(
        [
            DEBIANS_PYTHON,
            "-c",
            "import h5py, sys\n"
            "with h5py.File(sys.argv[1], 'r+') as f:\n"
            + "".join(f"    {line}\n" for line in script),
            path,
        ],
        check=True,
    )


class Hashes(Case):
    def test_are_told_every_so_many_steps(self):
        lines = self.succeeds("simulate", "stack:3", "--steps", "7", "--hash-every", "3").out
        lines = lines.splitlines()
        self.assertEqual([line.split()[:2] for line in lines[:2]], [["step", "3:"], ["step", "6:"]])
        document = self.succeeds(
            "simulate", "stack:3", "--steps", "6", "--hash-every", "3", "--json"
        ).json()
        self.assertEqual([one["step"] for one in document["hashes"]], [3, 6])
        self.assertEqual(
            [one["hash"] for one in document["hashes"]], [line.split()[4] for line in lines[:2]]
        )
        self.assertEqual(document["hashes"][1]["hash"], document["state_hash"])

    def test_do_not_depend_on_threads_or_order(self):
        scene = json.loads(self.succeeds("scenes", "pile-boxes:8").out)
        for i, body in enumerate(scene["bodies"]):
            body["id"] = 5 * i
        hashes = set()
        for threads, order in ((1, 1), (2, 1), (1, -1)):
            scene["bodies"] = scene["bodies"][::order]
            path = self.write("scene.json", json.dumps(scene))
            hashes.add(
                self.succeeds(
                    "simulate", path, "--steps", "100", "--threads", threads, "--json"
                ).json()["state_hash"]
            )
        self.assertEqual(len(hashes), 1)


class Restoring(Case):
    def hash(self, *arguments):
        return self.succeeds("simulate", *arguments, "--json").json()["state_hash"]

    def test_goes_on_as_if_nothing_had_happened(self):
        state, middle = self.path("state.json"), self.path("middle.json")
        whole = self.hash("ragdolls", "--steps", "80", "--save", middle, "--save-at", "50")
        self.hash("ragdolls", "--steps", "50", "--save", state)
        self.assertEqual(self.text(state), self.text(middle))
        again = self.succeeds(
            "simulate", "ragdolls", "--steps", "80", "--restore", state, "--json"
        ).json()
        self.assertEqual((again["restored_at"], again["steps"]), (50, 80))
        self.assertEqual(again["state_hash"], whole)

    def test_of_a_bad_file_is_one_line_that_names_file_and_field(self):
        state = self.path("state.json")
        self.hash("stack:3", "--steps", "5", "--save", state)
        good = json.loads(self.text(state))

        def refused(text, *words):
            path = self.write("bad.json", text)
            self.refuses("simulate", "stack:3", "--restore", path, says=["bad.json", *words])

        def changed(change):
            bad = json.loads(json.dumps(good))
            change(bad)
            return json.dumps(bad)

        refused("{", "bad.json:1:2: ")
        refused("[]", "object")
        refused(changed(lambda s: s.pop("dt")), "dt")
        refused(changed(lambda s: s.update(format="x")), "format")
        refused(changed(lambda s: s.update(surprise=1)), "surprise")
        refused(changed(lambda s: s["bodies"].pop()), "bodies")
        refused(changed(lambda s: s["bodies"][1].update(pose=[1, 2])), "bodies 1/pose")
        refused(
            changed(lambda s: s["bodies"][1]["velocity"].__setitem__(2, None)), "bodies 1/velocity"
        )
        refused(
            changed(lambda s: s["contacts"][0]["impulses"][0].__setitem__(0, "zz")),
            "contacts 0/impulses",
        )
        refused(changed(lambda s: s.update(scene="wall")), "scene")

        def wrong(*arguments, says):
            self.refuses("simulate", "stack:3", *arguments, says=says)

        wrong("--restore", self.path("missing.json"), says="missing.json")
        wrong("--steps", "3", "--restore", state, says="step 5")
        wrong("--dt", "0.001", "--restore", state, says=["state.json", "dt"])
        wrong("--save-at", "3", says="--save")
        wrong("--steps", "3", "--save", state, "--save-at", "4", says="--save-at")
        wrong("--engine", "bullet", "--save", state, says="--save")


class Rerun(Case):
    def record(self, *arguments):
        path = self.path("run.h5")
        self.succeeds("simulate", *arguments, "--out", path)
        return path

    def differs(self, *arguments):
        answer = run("validate", "--rerun", *arguments)
        self.assertEqual(answer.code, 1, answer.err + answer.out)
        return answer

    def test_finds_a_recording_the_same(self):
        for arguments in (
            ["ragdolls", "--steps", "40", "--threads", "2"],
            [
                "stack:4",
                "--steps",
                "20",
                "--stepper",
                "ap",
                "--solver",
                "ncp/nncg",
                "--tolerance",
                "1e-7",
                "--correct",
                "0",
                "--cold",
                "--dt",
                "0.01",
            ],
            ["notch", "--steps", "40", "--contacts", "nonconvex"],
            ["pile-boxes:40", "--steps", "5"],
        ):  # a scene of more than 64 KiB or so
            path = self.record(*arguments)
            self.assertIn("the same", self.succeeds("validate", "--rerun", path).out)
            document = self.succeeds("validate", "--rerun", path, "--json").json()
            self.assertTrue(document["same"])
            self.assertEqual(document["frames"], document["steps"])
            self.assertEqual(document["state_hash"], document["recorded_hash"])
            self.succeeds("validate", path)

    def test_of_a_scene_file_needs_no_scene_file(self):
        scene = self.write("mine.json", self.succeeds("scenes", "plate").out)
        path = self.record(scene, "--steps", "10")
        self.write("mine.json", "gone")
        self.succeeds("validate", "--rerun", path)

    def test_names_frame_and_dataset_that_differ(self):
        path = self.record("stack:3", "--steps", "12")
        edit(
            path,
            ["row = int(f['frames/offsets'][7, 0]) + 2", "f['bodies/velocities'][row, 4] += 1e-12"],
        )
        self.assertIn("frame 7: /bodies/velocities differs in row 2", self.differs(path).out)
        document = self.differs(path, "--json").json()
        self.assertEqual(document["difference"]["frame"], 7)
        self.assertEqual(document["difference"]["field"], "/bodies/velocities")
        self.assertAlmostEqual(
            document["difference"]["recorded"] - document["difference"]["now"], 1e-12, 15
        )

    def test_compares_every_column_but_the_times(self):
        path = self.record("stack:3", "--steps", "4")
        edit(path, ["f['timing/total'][2] += 1"])
        self.succeeds("validate", "--rerun", path)
        for column in (
            "contacts/tangents",
            "solution/velocity_error",
            "solution/iterations",
            "solution/slide_or_stick",
        ):
            path = self.record("stack:3", "--steps", "4")
            edit(path, [f"f['{column}'][0] = 0.5 if f['{column}'].dtype == 'f8' else 77"])
            self.assertIn(f"frame 0: /{column} differs in row 0", self.differs(path).out)

    def test_tells_a_recording_of_another_version_before_it_differs(self):
        path = self.record("stack:3", "--steps", "4")
        version = run("--version").out.split()[1].rstrip(",")
        self.assertEqual(self.succeeds("info", path, "--json").json()["engine_version"], version)
        edit(path, ["f['bodies/velocities'][0, 0] = 1"])
        self.assertNotIn("made by", self.differs(path).out)
        for stamp, words in (
            ("0.0.9", "made by perpend 0.0.9"),
            ("", "made by an unknown version of perpend"),
        ):
            edit(path, [f"f.attrs['engine_version'] = '{stamp}'"])
            lines = self.differs(path).out.splitlines()
            self.assertIn(f"run.h5: {words}, this is {version}", lines[0])
            self.assertIn("/bodies/velocities differs", lines[1])
            document = self.differs(path, "--json").json()
            self.assertEqual(
                (document["recorded_version"], document["version"]), (stamp or None, version)
            )

    def test_sees_another_end(self):
        path = self.record("stack:3", "--steps", "6")
        edit(path, ["f.attrs['state_hash'] = '0123456789abcdef'"])
        self.assertIn("state_hash", self.differs(path).out)

    def test_refuses_what_does_not_say_how_it_was_made(self):
        def refused(path, *says):
            self.refuses("validate", "--rerun", path, says=says)

        path = self.record("stack:3", "--steps", "3")
        edit(path, ["f.attrs['simulate'] = '{}'"])
        refused(path, "run.h5: attribute simulate: engine: is missing")
        edit(path, ["del f.attrs['simulate']"])
        refused(path, "run.h5", "how it was made")
        refused(self.write("mine.json", self.succeeds("scenes", "plate").out), "mine.json")
        refused(self.path("missing.h5"), "missing.h5")
        refused(self.write("foreign.h5", "something else"), "foreign.h5")
        state, restored = self.path("state.json"), self.path("restored.h5")
        self.succeeds("simulate", "stack:3", "--steps", "3", "--save", state)
        self.succeeds("simulate", "stack:3", "--steps", "6", "--restore", state, "--out", restored)
        refused(restored, "how it was made")


if __name__ == "__main__":
    unittest.main()
