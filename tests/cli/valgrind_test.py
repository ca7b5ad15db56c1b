"""The released programs under valgrind: no memory is used that was freed or never set."""

import os
import shutil
import subprocess
import unittest

from kills import ENGINES, built, scene_of
from program import PROGRAM, Case, frame, sliding

CODE = "99"  # when valgrind complains
VALGRIND = ["valgrind", "-q", "--error-exitcode=" + CODE, "--leak-check=no"]


@unittest.skipUnless(shutil.which("valgrind"), "there is no valgrind")
class Memory(Case):
    def is_clean(self, *command, options=()):
        done = subprocess.run(
            [*VALGRIND, *options, *map(str, command)],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        self.assertEqual(done.returncode, 0, done.stderr[:8000])

    def test_simulate_records(self):
        self.is_clean(PROGRAM, "simulate", "stack:3", "--steps", "20", "--out", self.path("r.h5"))

    def test_solve_stores(self):
        self.is_clean(
            PROGRAM,
            "solve",
            self.lines(frame(), sliding()),
            "--solver",
            "ncp/pgs",
            "--out",
            self.path("s.h5"),
        )

    def test_memory_that_was_freed_and_overwritten_is_not_missed(self):
        done = subprocess.run(
            [PROGRAM, "simulate", "stack:3", "--steps", "20", "--out", self.path("r.h5")],
            capture_output=True,
            text=True,
            check=False,
            env=dict(
                os.environ, MALLOC_PERTURB_="99", GLIBC_TUNABLES="glibc.malloc.tcache_count=0"
            ),
        )
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_capture_starts_a_recorder(self):
        self.is_clean(
            PROGRAM,
            "capture",
            "bullet",
            "stack:3",
            "--steps",
            "20",
            "--out",
            self.path("c.h5"),
            options=["--trace-children=yes"],
        )


def recorder_test(engine):
    @unittest.skipUnless(built(engine), f"the recorder of {engine} was not built")
    def test(self):
        scene = scene_of(engine)
        if engine != "gazebo":
            scene = self.path("scene.json")
            with open(scene, "w", encoding="utf-8") as file:
                file.write(self.succeeds("scenes", scene_of(engine)).out)
        self.is_clean(
            os.path.join(os.path.dirname(PROGRAM), "perpend-capture-" + engine),
            scene,
            "--steps",
            "20",
            "--out",
            self.path("run.h5"),
        )

    return test


for name in ENGINES:
    if name != "bullet":  # perpend capture starts that one
        setattr(Memory, f"test_the_recorder_of_{name}", recorder_test(name))

if __name__ == "__main__":
    unittest.main()
