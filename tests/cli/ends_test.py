"""However a recording ends, the frames that were flushed are kept: at its name, or, where its
program itself was killed, beside it, where `info` and `repair` find them."""

import os
import resource
import signal
import subprocess
import tempfile
import time
import unittest

from kills import ENGINES, PROGRAM, Recording, built, frames, perpend
from program import Case


def kept(count, path):
    return f"{path} has {count} frame{'' if count == 1 else 's'}"


def small_files():
    """No file may grow beyond 4 MB, and the signal for it is not ignored."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_000_000, resource.RLIM_INFINITY))


class Ends(Case):
    WHAT = "simulate"

    def setUp(self):
        super().setUp()
        self.out = self.path("run.h5")

    def start(self, **options):
        running = Recording(self.WHAT, self.out, **options)
        self.addCleanup(running.process.communicate)
        self.addCleanup(running.process.kill)
        return running

    def older(self):
        """A recording of two frames at the same name."""
        self.succeeds("simulate", "stack:2", "--steps", "2", "--out", self.out)

    def is_sound(self, at_least):
        self.assertEqual(os.listdir(self.folder), ["run.h5"])
        self.succeeds("validate", self.out)
        count = frames(self.out)
        self.assertGreaterEqual(count, at_least)
        return count

    def test_a_killed_program_leaves_a_part_that_info_and_repair_find(self):
        running = self.start()
        seen = running.wait_for_frames()
        running.kill_parent()
        part = running.parts()[0]
        self.assertFalse(os.path.exists(self.out))
        about = self.succeeds("info", self.out, "--json")
        self.assertEqual(about.json()["file"], part)
        self.assertGreaterEqual(about.json()["frames"], seen)
        self.assertIn(f"{self.out} does not exist, but {part} has ", about.err)
        repaired = self.succeeds("repair", self.out)
        count = self.is_sound(seen)
        self.assertEqual(repaired.out, f"{self.out}: repaired: {count} frames\n")

    def test_sigterm_is_143_and_keeps_the_recording(self):
        self.older()
        running = self.start()
        seen = running.wait_for_frames()
        code, err = running.stop(signal.SIGTERM)
        self.assertEqual(code, 143, err)
        count = self.is_sound(seen)
        self.assertIn("stopped by SIGTERM after ", err)
        self.assertIn(kept(count, self.out), err)

    def test_a_file_that_may_not_grow_keeps_its_frames(self):
        running = self.start(preexec_fn=small_files)
        code, err = running.finish()
        self.assertEqual(code, 1, err)
        self.assertEqual(err.count("\n"), 1, err)
        self.assertIn("File too large", err)
        self.assertIn(kept(self.is_sound(1), self.out), err)


class EndsOfSimulate(Ends):
    """What is the same for all engines is tested here alone."""

    def test_an_older_file_stays_where_the_program_was_killed(self):
        self.older()
        running = self.start()
        seen = running.wait_for_frames()
        running.kill_parent()
        part = running.parts()[0]
        about = self.succeeds("info", self.out, "--json")
        self.assertEqual(about.json()["frames"], 2)
        self.assertEqual(about.json()["parts"][0]["file"], part)
        self.assertIn(part, about.err)
        repaired = self.succeeds("repair", self.out)
        self.assertIn(f"{self.out}: nothing to repair: 2 frames\n{part}: repaired: ", repaired.out)
        self.assertEqual(frames(self.out), 2)
        self.assertGreaterEqual(frames(part), seen)
        self.succeeds("validate", part)

    def test_a_recording_in_work_is_shown_and_not_repaired(self):
        running = self.start()
        running.wait_for_frames()
        self.assertIn("is being written", self.succeeds("info", self.out, "--json").err)
        self.refuses("repair", self.out, says="is being written")
        running.stop(signal.SIGINT)

    def test_a_crash_of_the_program_keeps_the_recording(self):
        self.older()
        for crash in (signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE):
            running = self.start()
            seen = running.wait_for_frames()
            self.assertEqual(running.stop(crash)[0], -crash)
            self.succeeds("repair", self.out)
            self.is_sound(seen)

    def test_a_second_signal_keeps_the_recording(self):
        running = self.start()
        seen = running.wait_for_frames()
        running.process.send_signal(signal.SIGTERM)
        self.assertEqual(running.stop(signal.SIGTERM)[0], 143)
        self.succeeds("repair", self.out)
        self.is_sound(seen)

    def test_ctrl_c_before_the_first_frame_leaves_the_older_file(self):
        self.older()
        running = subprocess.Popen(
            [PROGRAM, "simulate", "pyramid:30", "--steps", "9", "--out", self.out],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        while not any(".part-" in name for name in os.listdir(self.folder)):
            time.sleep(0.005)
        running.send_signal(signal.SIGINT)
        _, err = running.communicate()
        self.assertEqual(running.returncode, 130, err)
        self.assertEqual(os.listdir(self.folder), ["run.h5"])
        self.assertGreater(frames(self.out), 0)  # the older one, or a step that was in time

    @unittest.skipUnless(os.geteuid() == 0, "a small disk is mounted by root alone")
    def test_a_full_disk_keeps_the_frames_of_the_last_flush(self):
        disk = tempfile.mkdtemp()
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=3m", "none", disk],
            capture_output=True,
            check=False,
        )
        self.addCleanup(os.rmdir, disk)
        if mounted.returncode != 0:
            self.skipTest("nothing can be mounted here")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        for what in ("simulate", "bullet"):
            out = os.path.join(disk, "run.h5")
            code, err = Recording(what, out).finish()
            self.assertEqual(code, 1, err)
            self.assertEqual(err.count("\n"), 1, err)
            self.assertIn("No space left on device", err)
            self.assertEqual(os.listdir(disk), ["run.h5"])
            self.assertIn(kept(frames(out), out), err)
            self.succeeds("validate", out)
            os.remove(out)

    def test_what_is_no_file_is_refused_before_the_first_step(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        for out in (pipe, "/dev/null"):
            self.refuses("simulate", "stack:2", "--steps", "2", "--out", out, says=out)


class EndsOfEngine(Ends):
    def test_a_killed_recorder_leaves_the_recording(self):
        self.older()
        running = self.start()
        seen = running.wait_for_frames()
        code, err = running.kill_child()
        self.assertEqual(code, 1, err)
        count = self.is_sound(seen)
        self.assertEqual(
            err,
            f"perpend: capture: the recorder of {self.WHAT} was ended by signal "
            f"9 (Killed); {kept(count, self.out)}\n",
        )


class EndsOfBullet(EndsOfEngine):
    WHAT = "bullet"


def of(engine):
    """The same of another engine."""
    skip = unittest.skipUnless(built(engine), f"the recorder of {engine} was not built")
    return skip(type(f"EndsOf{engine.capitalize()}", (EndsOfEngine,), {"WHAT": engine}))


for other in ENGINES:
    if other != "bullet":
        globals()[f"EndsOf{other.capitalize()}"] = of(other)
del Ends, EndsOfEngine  # themselves no tests

if __name__ == "__main__":
    unittest.main()
