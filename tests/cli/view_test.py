"""perpend view: what a hand did is repeated, the address is printed, and signals end it."""

import json
import os
import signal
import stat
import subprocess
import time
import unittest
import urllib.error
import urllib.request

from program import GRAVITY, PROGRAM, SOURCE, Case


class View(Case):
    def hand(self, *events):
        path = self.path("hand.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"format": "perpend-hand", "events": list(events)}, file)
        return path

    def pull(self):
        """A cube of stack is pulled, the solver changes, a ball is thrown."""
        return self.hand(
            {"step": 0, "kind": "set", "name": "solver", "value": "box/nncg"},
            {"step": 5, "kind": "drag", "body": 13, "point": [0.5, 0, 0], "target": [2, 0, 5]},
            {"step": 20, "kind": "set", "name": "solver", "value": "ncp/auto"},
            {"step": 25, "kind": "release", "body": 13},
            {
                "step": 30,
                "kind": "throw",
                "position": [-4, 0, 2],
                "velocity": [9, 0, 0],
                "radius": 0.3,
                "mass": 5,
            },
        )

    def run_of(self, *arguments):
        return self.succeeds("view", "stack", "--steps", 60, "--json", *arguments).json()

    def test_a_hand_gives_the_same_bits_again(self):
        hand = self.pull()
        first = self.run_of("--hand", hand)
        self.assertEqual(first["steps"], 60)
        self.assertEqual(self.run_of("--hand", hand), first)
        self.assertEqual(self.run_of("--hand", hand, "--threads", 3), first)
        self.assertNotEqual(self.run_of()["state_hash"], first["state_hash"])

    def recording(self):
        """ragdolls: a drag, a thrown ball, a cut joint and another solver, in 60 steps."""
        hand = self.hand(
            {"step": 0, "kind": "set", "name": "effort", "value": "20"},
            {"step": 2, "kind": "drag", "body": 3, "point": [0, 0, 0], "target": [0, 0, 9]},
            {"step": 8, "kind": "cut", "joint": 0},
            {
                "step": 10,
                "kind": "throw",
                "position": [-3, 0, 2],
                "velocity": [9, 0, 0],
                "radius": 0.3,
                "mass": 5,
            },
            {"step": 15, "kind": "set", "name": "solver", "value": "ncp/nncg"},
            {"step": 20, "kind": "release", "body": 3},
        )
        out = self.path("ragdolls.h5")
        arguments = ("view", "ragdolls", "--hand", hand, "--steps", 40, "--json", "--out", out)
        return out, self.succeeds(*arguments).json()

    def frames(self, file):
        lines = self.path("frames.jsonl")
        self.succeeds("convert", file, lines)
        with open(lines, encoding="utf-8") as text:
            return [json.loads(line) for line in text]

    def test_a_recorded_hand_is_repeated_bit_for_bit(self):
        out, run = self.recording()
        self.assertIn("valid", self.succeeds("validate", out).out)
        again = self.succeeds("validate", "--rerun", "--json", out).json()
        self.assertTrue(again["same"])
        self.assertEqual(again["frames"], 40)
        self.assertEqual(again["state_hash"], run["state_hash"])
        self.assertEqual(again["recorded_hash"], run["state_hash"])

    def test_a_recording_has_the_hand_its_force_and_what_it_threw(self):
        frames = self.frames(self.recording()[0])
        self.assertEqual(len(frames), 40)
        events = [json.loads(event) for event in frames[0]["events"]]
        self.assertEqual([event["step"] for event in events], [0, 2, 8, 10, 15, 20])
        self.assertEqual(events[1]["kind"], "drag")
        names = dict(zip(frames[0]["model"]["body_ids"], frames[0]["model"]["body_names"]))
        self.assertEqual(list(names.values())[-1], "ball 1")

        # The spring pulls upwards while it holds, and gravity alone before and after.
        def upwards(step):
            bodies = frames[step]["bodies"]
            row = bodies["ids"].index(list(names)[3])
            return bodies["forces"][row][2] / bodies["masses"][row]

        self.assertAlmostEqual(upwards(1), -GRAVITY, places=9)
        self.assertGreater(upwards(5), 10)
        self.assertAlmostEqual(upwards(25), -GRAVITY, places=9)
        self.assertEqual(len(frames[20]["bodies"]["ids"]), len(frames[9]["bodies"]["ids"]) + 1)
        self.assertIn(0, frames[7]["constraints"]["ids"])
        self.assertNotIn(0, frames[8]["constraints"]["ids"])

    def test_a_spoilt_event_is_told(self):
        out, _ = self.recording()
        spoilt = self.path("spoilt.h5")
        with open(out, "rb") as file:
            content = file.read()
        with open(spoilt, "wb") as file:
            file.write(content.replace(b'"kind":"cut"', b'"kind":"cat"'))
        self.refuses(
            "validate", "--rerun", spoilt, says="/events: events 2: kind: 'cat' is unknown"
        )

    def test_recordings_are_served_one_or_two(self):
        out, _ = self.recording()
        for files in ([out], [out, out]):
            process, address = self.start(*files, "--no-open", scene=None)
            self.assertRegex(address, r"^http://127\.0\.0\.1:\d+/\?token=[0-9a-f]{32}$")
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(timeout=10), 143)
        self.refuses("view", out, out, out, says="At Most 2")
        self.refuses("view", "stack", "wall", says="one scene, or two recordings")
        self.refuses("view", out, "--steps", 3, says="is a recording")

    def test_what_a_page_saw_is_recorded_when_it_ends(self):
        out = self.path("live.h5")
        process, _ = self.start("--no-open", "--out", out)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=10), 143)
        self.assertFalse(os.path.exists(out))  # no step was made

    def test_without_a_hand_it_is_simulate(self):
        summary = self.succeeds("simulate", "stack", "--steps", 60, "--json").json()
        self.assertEqual(self.run_of()["state_hash"], summary["state_hash"])

    # The hand of hose follows a script, servos a schedule.
    def test_what_follows_the_time_is_that_of_simulate(self):
        robots = os.path.join(SOURCE, "examples", "robots")
        arm = ["arm.urdf", "--control", "arm.control.json"]
        for scene in (
            ["hose"],
            [os.path.join(robots, word) if "." in word else word for word in arm],
        ):
            told = [*scene, "--steps", 100, "--json"]
            simulated = self.succeeds("simulate", *told).json()
            self.assertEqual(
                self.succeeds("view", *told).json()["state_hash"], simulated["state_hash"]
            )

    def test_panes_follow_one_hand(self):
        hand = self.pull()
        same = self.run_of("--hand", hand, "--pane", "ncp/auto", "--pane", "ncp/auto")
        self.assertEqual(same["panes"][0], same["panes"][1])
        self.assertIsNone(same["parted"])
        self.assertEqual(same["state_hash"], self.run_of("--hand", hand)["state_hash"])
        other = self.run_of("--hand", hand, "--pane", "ncp/auto", "--pane", "bullet@3")
        self.assertEqual(other["panes"][0], same["panes"][0])
        self.assertNotEqual(other["panes"][1]["state_hash"], other["state_hash"])
        papers = self.succeeds("view", "stack", "--panes", "--steps", 2).out
        self.assertIn("box/pgs, 50 iterations", papers)
        self.assertIn("box/nncg, 50 iterations", papers)
        self.assertIn("No pane parted from the first.", papers)

    def test_mistakes_are_one_line(self):
        self.refuses("view", "stack", "--pane", "ode", says="no solver is called 'ode'")
        self.refuses("view", "stack", "--pane", "box/pgs@x", says="--pane: 'x' is not a number")
        self.refuses("view", "stack", *5 * ["--pane", "bullet"], says="at most 4 fit")
        self.refuses("view", "ragdolls", "--pane", "normal/simple", says="joints")
        self.refuses("view", "stack", "--port", "99999", says="--port")
        self.refuses("view", "stack", "--solver", "no/such", says="no solver is called 'no/such'")
        self.refuses("view", "stack", "--effort", "much", says="--effort")
        self.refuses("view", "no-such-scene", says="no-such-scene")
        self.refuses("view", "ragdolls", "--solver", "normal/simple", says="joints")
        wrong = self.hand({"step": 0, "kind": "drag", "body": 0, "point": [0, 0, 0]})
        self.refuses("view", "stack", "--hand", wrong, says="events 0: target is missing")
        fixed = self.hand({"step": 0, "kind": "twist", "body": 0, "torque": [0, 0, 1]})
        self.refuses("view", "stack", "--hand", fixed, says=f"{fixed}: events 0: body 0 is fixed")

    def start(self, *arguments, scene="stack", **environment):
        process = subprocess.Popen(
            [PROGRAM, "view", *([scene] if scene else []), *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process, process.stdout.readline().strip()

    def test_prints_one_line_serves_and_ends_with_a_signal(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process, address = self.start("--no-open")
            self.assertRegex(address, r"^http://127\.0\.0\.1:\d+/\?token=[0-9a-f]{32}$")
            with urllib.request.urlopen(address, timeout=10) as page:
                self.assertIn(b"<title>Perpend", page.read(100000))
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(address.split("?")[0], timeout=10)
            self.assertEqual(refused.exception.code, 403)
            refused.exception.close()
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=10), code)
            self.assertEqual(process.stdout.read(), "")
            self.assertEqual(process.stderr.read(), "")

    def test_a_port_that_is_taken_is_told(self):
        _, address = self.start("--no-open")
        port = address.split(":")[2].split("/")[0]
        second, nothing = self.start("--no-open", "--port", port)
        self.assertEqual(second.wait(timeout=10), 1)
        self.assertEqual(nothing, "")
        self.assertIn(f"port {port}: Address already in use", second.stderr.read())

    def test_the_browser_gets_a_file_that_only_we_can_read(self):
        browser = self.path("xdg-open")
        seen = self.path("seen")
        with open(browser, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\necho "$@" > {seen}.new\nmv {seen}.new {seen}\nsleep 60\n')
        os.chmod(browser, 0o755)
        process, address = self.start(
            DISPLAY=":9",
            XDG_RUNTIME_DIR=self.folder,
            PATH=self.folder + ":" + os.environ["PATH"],
        )
        for _ in range(200):
            if os.path.exists(seen):
                break
            time.sleep(0.05)
        with open(seen, encoding="utf-8") as file:
            given = file.read().strip()
        self.assertNotIn("token", given)
        self.assertEqual(stat.S_IMODE(os.stat(given).st_mode), 0o600)
        with open(given, encoding="utf-8") as file:
            self.assertIn(f"url={address}", file.read())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=10), 143)
        self.assertFalse(os.path.exists(given))


if __name__ == "__main__":
    unittest.main()
