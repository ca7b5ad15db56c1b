"""Moving pictures, marks of contacts and plots over time: files that other programs read, the same
bytes whoever makes them, and wrong usage."""

import json
import os
import re
import shutil
import signal
import struct
import subprocess
import time
import unittest
import xml.etree.ElementTree as ElementTree

from program import PROGRAM, Case, run

HAS_FFMPEG = shutil.which("ffmpeg") and shutil.which("ffprobe")


def without_ffmpeg(*arguments):
    return subprocess.run(
        [PROGRAM, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": "/nonexistent"},
        stdin=subprocess.DEVNULL,
    )


def probed(path):
    """What ffprobe tells: (codec, pixels, width, height, frames, seconds)."""
    told = subprocess.run(
        ["ffprobe", "-v", "error", "-count_frames", "-of", "json", "-show_streams", path],
        capture_output=True,
        check=True,
    ).stdout
    (stream,) = json.loads(told)["streams"]
    return (
        stream["codec_name"],
        stream["pix_fmt"],
        stream["width"],
        stream["height"],
        int(stream["nb_read_frames"]),
        float(stream["duration"]),
    )


def frame_of(path, number, width, height):
    """One frame as rows of (r, g, b)."""
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, "-vf", f"select=eq(n\\,{number})", "-frames:v", "1"]
        + ["-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
        capture_output=True,
        check=True,
    ).stdout
    assert len(raw) == 3 * width * height
    return [
        [tuple(raw[3 * (y * width + x) : 3 * (y * width + x) + 3]) for x in range(width)]
        for y in range(height)
    ]


def places(rows, like):
    """Columns and rows of the pixels for which `like` holds."""
    return [(x, y) for y, row in enumerate(rows) for x, pixel in enumerate(row) if like(*pixel)]


def magenta(r, g, b):
    return r > 120 and g < 90 and 60 < b < 190 and r > b + 20


@unittest.skipUnless(HAS_FFMPEG, "ffmpeg is not installed")
class Animate(Case):
    def film(self, *arguments, name="film.mp4", command="simulate"):
        path = self.path(name)
        self.succeeds(command, *arguments, "--animate", path)
        return path

    def test_a_film_has_its_frames_its_length_and_a_form_that_browsers_play(self):
        path = self.film("stack:2", "--steps", "60", "--width", "201")
        codec, pixels, width, height, frames, seconds = probed(path)
        self.assertEqual((codec, pixels, width), ("h264", "yuv420p", 202))
        self.assertEqual(height % 2, 0)
        self.assertEqual(frames, 31)  # 30 a second, both ends
        self.assertAlmostEqual(seconds, 31 / 30, places=2)
        data = self.bytes(path)
        self.assertLess(data.index(b"moov"), data.index(b"mdat"))  # plays before it is all there

    def test_a_gif_has_25_frames_a_second_and_repeats(self):
        path = self.film("stack:2", "--steps", "60", "--width", "160", name="film.gif")
        codec, _, width, _, frames, seconds = probed(path)
        self.assertEqual((codec, width, frames), ("gif", 160, 26))
        self.assertAlmostEqual(seconds, 26 / 25, places=2)
        self.assertIn(b"NETSCAPE2.0", self.bytes(path))

    def test_slow_motion_has_more_frames_and_from_fewer(self):
        common = ["stack:2", "--steps", "30", "--width", "120", "--fps", "10"]
        self.assertEqual(probed(self.film(*common))[4], 6)
        self.assertEqual(probed(self.film(*common, "--slow", "3"))[4], 16)
        self.assertEqual(probed(self.film(*common, "--from", "0.3"))[4], 3)

    def test_the_bytes_are_the_same_on_every_run_and_for_any_number_of_threads(self):
        arguments = ["crates:3", "--steps", "20", "--width", "160", "--show", "forces,cones,error"]
        for name in ["film.gif", "film.mp4"]:
            one = self.bytes(self.film(*arguments, "--beside", "bullet", name=name))
            self.assertGreater(len(one), 1000)
            for threads in ["1", "2"]:
                path = self.film(
                    *arguments, "--beside", "bullet", "--threads", threads, name="again-" + name
                )
                self.assertEqual(self.bytes(path), one, f"{name}, {threads} threads")

    def test_a_force_is_an_arrow_above_its_contact(self):
        # One cube, seen from the front: its four contacts push upwards from its lower corners.
        arguments = ["stack:1", "--steps", "12", "--view", "-90,5", "--width", "300"]
        _, _, width, height, frames, _ = probed(self.film(*arguments, "--show", "forces"))
        rows = frame_of(self.path("film.mp4"), frames - 1, width, height)
        found = places(rows, magenta)
        self.assertGreater(len(found), 100)
        columns = [x for x, _ in found]
        left = [x for x in columns if x < width / 2]
        self.assertGreater(len(left), 0.3 * len(columns))  # at both sides of the cube
        self.assertLess(len(left), 0.7 * len(columns))
        self.assertAlmostEqual((min(columns) + max(columns)) / 2, width / 2, delta=4)
        plain = frame_of(self.film(*arguments), frames - 1, width, height)
        self.assertEqual(places(plain, magenta), [])

    def test_a_solver_that_was_stopped_early_shows_red_marks(self):
        def red(r, g, b):
            return r > 150 and g < 70 and b < 70

        arguments = ["stack:3", "--steps", "4", "--width", "240", "--fps", "30", "--show", "error"]
        arguments += ["--view", "-90,10"]
        bad = ["--solver", "ncp/pgs", "--max-iterations", "1", "--cold", "--correct", "0"]
        counts = []
        for more in [[], bad]:
            path = self.film(*arguments, *more)
            _, _, width, height, frames, _ = probed(path)
            body = frame_of(path, frames - 1, width, height)
            # Without the scale at the bottom left, which has all colours.
            counts.append(len([1 for x, y in places(body, red) if y < height - 30]))
        self.assertEqual(counts[0], 0)
        self.assertGreater(counts[1], 20)

    def test_two_runs_stand_beside_each_other(self):
        path = self.film("stack:2", "--steps", "4", "--beside", "bullet", "--width", "400")
        _, _, width, height, _, _ = probed(path)
        rows = frame_of(path, 0, width, height)

        def saturated(r, g, b):
            return max(r, g, b) - min(r, g, b) > 60

        columns = [x for x, _ in places(rows, saturated)]
        halves = [[x for x in columns if x < width / 2], [x for x in columns if x >= width / 2]]
        self.assertAlmostEqual(len(halves[0]), len(halves[1]), delta=0.05 * len(columns))

    def test_a_recording_gives_the_film_of_its_run(self):
        # Frames of a recording are states before a step: all but the last.
        file = self.path("run.h5")
        common = ["--width", "160", "--fps", "20", "--show", "forces"]
        self.film("stack:3", "--steps", "31", "--out", file, *common)
        path = self.film(file, *common, name="again.mp4", command="view")
        _, _, width, height, frames, _ = probed(path)
        self.assertEqual(frames, 11)
        two = self.film(file, file, "--width", "320", name="two.mp4", command="view")
        self.assertEqual(probed(two)[2], 320)
        self.assertGreater(len(places(frame_of(path, 5, width, height), magenta)), 30)

    def test_a_run_that_goes_on_from_a_saved_state_begins_there(self):
        saved = self.path("saved.json")
        self.succeeds("simulate", "stack:2", "--steps", "20", "--save", saved)
        path = self.film(
            "stack:2", "--steps", "40", "--restore", saved, "--fps", "30", "--width", "120"
        )
        self.assertEqual(probed(path)[4], 11)

    def test_ctrl_c_leaves_nothing_behind(self):
        path = self.path("film.mp4")
        for arguments in [["--steps", "100000"], ["--steps", "600", "--width", "2000"]]:
            process = subprocess.Popen(
                [PROGRAM, "simulate", "stack:2", *arguments, "--animate", path],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            time.sleep(1.5)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130, err)
            self.assertEqual(os.listdir(self.folder), [])

    def test_what_ffmpeg_complains_of_is_told_in_one_line(self):
        # An ffmpeg that cannot write the format.
        folder = self.path("bin")
        os.mkdir(folder)
        fake = os.path.join(folder, "ffmpeg")
        with open(fake, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho first >&2\necho 'Unknown encoder' >&2\nexit 1\n")
        os.chmod(fake, 0o755)
        answer = subprocess.run(
            [PROGRAM, "simulate", "stack:1", "--steps", "9", "--animate", self.path("film.mp4")],
            capture_output=True,
            text=True,
            env={**os.environ, "PATH": folder + ":" + os.environ["PATH"]},
        )
        self.assertEqual(answer.returncode, 1)
        self.assertEqual(answer.stderr, "perpend: --animate: ffmpeg failed: Unknown encoder\n")
        self.assertEqual(os.listdir(self.folder), ["bin"])


class AnimateUsage(Case):
    def test_without_ffmpeg_one_line_says_so_before_the_run(self):
        began = time.monotonic()
        answer = without_ffmpeg(
            "simulate", "pile-boxes:400", "--steps", "100000", "--animate", self.path("film.mp4")
        )
        self.assertEqual((answer.returncode, answer.stdout), (2, ""))
        self.assertEqual(answer.stderr.count("\n"), 1)
        self.assertIn("ffmpeg", answer.stderr)
        self.assertLess(time.monotonic() - began, 60)  # the run itself would take hours
        self.assertEqual(os.listdir(self.folder), [])

    def test_wrong_usage_is_one_line_and_leaves_no_file(self):
        film, plot = self.path("film.glb"), self.path("plot.svg")
        energy = ["--plot-over-time", "energy"]
        for arguments, word in [
            (["--animate", self.path("film.avi")], ".gif or .mp4 or .glb"),
            (["--animate", "/nowhere/film.glb"], "/nowhere"),
            (["--animate", film, "--show", "forces"], "bodies only"),
            (["--animate", self.path("film.mp4"), "--show", "speed"], "speed"),
            (["--animate", film, "--from", "99"], "99 s"),
            (["--animate", film, "--fps", "0"], "--fps"),
            (["--animate", self.path("film.gif"), "--fps", "60"], "50 frames"),
            (["--animate", film, "--slow", "0"], "--slow"),
            (["--animate", film, "--slow", "1e9"], "at most 1e+05"),
            (["--animate", film, "--refine", "2"], "--refine"),
            (["--fps", "30"], "--animate"),
            (["--show", "forces"], "--animate"),
            (["--beside", "bullet"], "--animate"),
            (energy, "--plot"),
            (["--plot", plot], "--plot-over-time"),
            ([*energy, "--plot", self.path("plot.png")], ".svg"),
            (["--plot-over-time", "speed", "--plot", plot], "speed"),
            (["--plot-over-time", "force:", "--plot", plot], "force:"),
            (["--plot-over-time", "force:nobody", "--plot", plot], ["nobody", "box 1"]),
        ]:
            self.refuses("simulate", "stack:2", "--steps", "60", *arguments, says=word)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_scene_in_view_is_sent_to_simulate(self):
        self.refuses("view", "stack:2", "--animate", self.path("a.glb"), says="perpend simulate")


def read_glb(data):
    """(the document, a function that reads an accessor)."""
    magic, version, size = struct.unpack("<4sII", data[:12])
    assert (magic, version, size) == (b"glTF", 2, len(data))
    length, kind = struct.unpack("<I4s", data[12:20])
    assert kind == b"JSON"
    document = json.loads(data[20 : 20 + length])
    binary = data[20 + length + 8 :]

    def accessor(number):
        told = document["accessors"][number]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[told["type"]]
        assert told["componentType"] == 5126
        at = document["bufferViews"][told["bufferView"]].get("byteOffset", 0)
        flat = struct.unpack_from(f"<{told['count'] * width}f", binary, at)
        return [flat[i : i + width] for i in range(0, len(flat), width)]

    return document, accessor


HAS_GLTF = (
    "built without"
    not in run("simulate", "stack:1", "--steps", "0", "--animate", "/nowhere/a.glb").err
)


@unittest.skipUnless(HAS_GLTF, "built without tinygltf")
class Gltf(Case):
    def made(self, *arguments):
        path = self.path("run.glb")
        self.succeeds("simulate", *arguments, "--animate", path)
        return read_glb(self.bytes(path))

    def test_a_node_for_each_body_with_its_name_shape_and_motion(self):
        saved = self.path("end.json")
        document, accessor = self.made("crates:3", "--steps", "90", "--save", saved)
        scene = self.succeeds("scenes", "crates:3").json()
        names = [body["name"] for body in scene["bodies"]]
        nodes = document["nodes"]
        named = {node["name"]: i for i, node in enumerate(nodes) if node["name"] in names}
        self.assertEqual(sorted(named), sorted(names))
        self.assertTrue(all("mesh" in nodes[i] for i in named.values()))
        self.assertEqual(len(nodes), len(names) + 2)  # one for the run, one that turns z up to y up

        (animation,) = document["animations"]
        end = {body["id"]: body for body in json.loads(self.text(saved))["bodies"]}
        moving = [body["name"] for body in scene["bodies"] if body.get("mass", 0) > 0]
        self.assertEqual(len(animation["channels"]), 2 * len(moving))
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            self.assertEqual(sampler["interpolation"], "LINEAR")
            times = [t for t, in accessor(sampler["input"])]
            self.assertEqual(len(times), 91)
            self.assertEqual(times[0], 0)
            self.assertAlmostEqual(times[-1], 1.5, places=5)
            values = accessor(sampler["output"])
            name = nodes[channel["target"]["node"]]["name"]
            if channel["target"]["path"] == "translation":
                place = end[1 + names.index(name)]["pose"][:3]
                for ours, saved_one in zip(values[-1], place):
                    self.assertAlmostEqual(ours, saved_one, delta=1e-4)
            else:
                for a, b in zip(values, values[1:]):  # the short way round
                    self.assertGreater(sum(x * y for x, y in zip(a, b)), 0)

    def test_up_is_y(self):
        document, _ = self.made("stack:1", "--steps", "2")
        root = document["nodes"][document["scenes"][0]["nodes"][0]]
        x, y, z, w = root["rotation"]
        # The world's z after the turn.
        turned = (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))
        for value, expected in zip(turned, (0, 1, 0)):
            self.assertAlmostEqual(value, expected, places=9)

    def test_two_runs_stand_beside_each_other(self):
        document, _ = self.made("stack:2", "--steps", "3", "--beside", "bullet")
        root = document["nodes"][document["scenes"][0]["nodes"][0]]
        runs = [document["nodes"][i] for i in root["children"]]
        self.assertTrue(runs[0]["name"].startswith("stock Bullet"))
        self.assertEqual(runs[1]["name"], "Perpend")
        self.assertGreater(runs[1]["translation"][0], 1)

    def test_the_bytes_are_the_same_on_every_run(self):
        one, two = self.path("one.glb"), self.path("two.glb")
        for path in [one, two]:
            self.succeeds("simulate", "ragdolls", "--steps", "3", "--animate", path)
        self.assertEqual(self.bytes(one), self.bytes(two))


class PlotOverTime(Case):
    def plot(self, *arguments, command="simulate"):
        path = self.path("plot.svg")
        self.succeeds(command, *arguments, "--plot", path)
        return self.text(path)

    @staticmethod
    def curves(text):
        """The labels of the curves, and how many points each has."""
        out = {}
        for path in ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}path"):
            if path.get("class") == "curve" and path.get("d"):
                label = path.find("{http://www.w3.org/2000/svg}title").text
                out[label] = len(re.findall(r"[ML]", path.get("d")))
        return out

    def test_each_quantity_is_a_plot_with_its_unit(self):
        text = self.plot(
            "stack:2", "--steps", "30", "--plot-over-time", "energy,penetration,error,force:box 1"
        )
        for words in ["energy [J]", "penetration [m]", "velocity error [m/s]", "normal force [N]"]:
            self.assertIn(">" + words + "<", text)
        self.assertIn("force on box 1", text)
        self.assertGreaterEqual(len(self.curves(text)), 3)

    def test_two_runs_are_two_curves_in_each_plot(self):
        text = self.plot(
            "stack:2", "--steps", "30", "--beside", "bullet", "--plot-over-time", "energy"
        )
        labels = sorted(re.sub(r" [\d.]+$", "", label) for label in self.curves(text))
        self.assertEqual(labels, ["Perpend", "stock Bullet"])

    def test_what_bullet_does_not_tell_is_said_and_left_out(self):
        answer = self.succeeds(
            *["simulate", "stack:2", "--steps", "9", "--engine", "bullet"],
            *["--plot-over-time", "error", "--plot", self.path("plot.svg")],
        )
        self.assertIn("is not known", answer.err)
        self.assertEqual(self.curves(self.text(self.path("plot.svg"))), {})

    def test_a_recording_is_plotted_too(self):
        file = self.path("run.h5")
        self.succeeds("simulate", "stack:2", "--steps", "20", "--out", file)
        text = self.plot(file, "--plot-over-time", "energy,force:box 2", command="view")
        self.assertEqual(set(self.curves(text)), {"energy", "force on box 2"})


if __name__ == "__main__":
    unittest.main()
