"""A recording in work, to be killed: `perpend simulate --out` or `perpend capture ENGINE`."""

import json
import os
import signal
import subprocess
import time

try:
    import h5py  # of Debian's Python: quick, and a reader that is not ours
except ImportError:
    h5py = None

PROGRAM = os.environ["PERPEND_PROGRAM"]
SOURCE = os.environ["PERPEND_SOURCE_DIR"]
ENGINES = ("bullet", "ode", "dart", "mujoco", "siconos", "gazebo")
PATIENCE = 120  # seconds, on a busy machine


def built(engine):
    return os.access(os.path.join(os.path.dirname(PROGRAM), "perpend-capture-" + engine), os.X_OK)


def perpend(*arguments):
    return subprocess.run(
        [PROGRAM, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def frames(path):
    """How many frames a reader sees; 0: none, or no file."""
    if h5py:
        try:
            with h5py.File(path, "r", swmr=True) as file:
                return file["/frames/offsets"].shape[0]
        except (OSError, KeyError):
            return 0
    done = perpend("info", path, "--json")
    return json.loads(done.stdout)["frames"] if done.returncode == 0 else 0


def scene_of(what):
    return (
        os.path.join(SOURCE, "examples", "capture", "cart.sdf") if what == "gazebo" else "stack:3"
    )


class Recording:
    """Endless, unless something ends it. `what` is "simulate" or an engine."""

    def __init__(self, what, out, preexec_fn=None):
        self.out = out
        command = ["simulate"] if what == "simulate" else ["capture", what]
        command += [scene_of(what), "--steps", str(10**9), "--out", out]
        self.process = subprocess.Popen(
            [PROGRAM, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=preexec_fn,
        )

    def seen(self):
        """Frames a reader sees now, where it is being written."""
        return max(map(frames, self.parts()), default=0)

    def wait_for_frames(self):
        """Until a reader sees some; how many."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < deadline:
            count = self.seen()
            if count > 0:
                return count
            time.sleep(0.02)
        raise AssertionError("no frame came: " + "".join(self.process.communicate()))

    def child(self):
        pid = self.process.pid
        with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
            return int(file.read().split()[0])

    def parts(self):
        folder, name = os.path.split(self.out)
        return [
            os.path.join(folder, part)
            for part in os.listdir(folder)
            if part.startswith(name + ".part-")
        ]

    def kill_child(self):
        os.kill(self.child(), signal.SIGKILL)
        return self.finish()

    def kill_parent(self):
        """And waits until the child is gone, too. What the parent said is nobody's then."""
        children = [] if self.process.args[1] == "simulate" else [self.child()]
        self.process.kill()
        self.finish()
        deadline = time.monotonic() + PATIENCE
        for child in children:
            while alive(child):
                if time.monotonic() > deadline:
                    os.kill(child, signal.SIGKILL)
                    raise AssertionError("the recorder outlived its parent")
                time.sleep(0.01)

    def stop(self, with_signal):
        self.process.send_signal(with_signal)
        return self.finish()

    def finish(self):
        """(exit code, what it said on stderr)."""
        _, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, err


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
