#!/usr/bin/python3
"""Kills recordings in work and fills their disks, again and again: nothing flushed is lost.

  kill_recordings.py [--kills N] [--program PERPEND] [WHAT...]

WHAT: simulate, bullet, ode, dart, mujoco, siconos, gazebo [all that are built]. In each of them N
times [30] the program itself and N times its recorder is killed, at moments spread over 0.6 s,
and a disk is full once by a limit of the file's size and, for root, once on a file system of 3 MB.
What a reader saw right before must be there afterwards, in a sound file. Ends with one line of
counts; exit code 1 when anything was lost.
"""

import argparse
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SPREAD = 0.6  # seconds after the first frame: more than between two flushes


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--program", default=os.path.join(ROOT, "build/release/bin/perpend"))
    parser.add_argument("what", nargs="*")
    return parser.parse_args()


OPTIONS = arguments()
os.environ.setdefault("PERPEND_PROGRAM", os.path.abspath(OPTIONS.program))
os.environ.setdefault("PERPEND_SOURCE_DIR", ROOT)
sys.path.insert(0, os.path.join(ROOT, "tests", "cli"))
import kills  # noqa: E402  it reads the environment


class Lost(Exception):
    pass


def expect(right, what):
    if not right:
        raise Lost(what)


def in_work(what, out, pause):
    running = kills.Recording(what, out)
    running.wait_for_frames()
    time.sleep(pause)
    return running


def is_kept(out, seen):
    """The file at its name is sound, and has what was seen; how many frames it has."""
    expect(
        os.listdir(os.path.dirname(out)) == [os.path.basename(out)],
        "left behind: " + " ".join(os.listdir(os.path.dirname(out))),
    )
    checked = kills.perpend("validate", out)
    expect(checked.returncode == 0, "not sound: " + checked.stdout + checked.stderr)
    count = kills.frames(out)
    expect(count >= max(seen, 1), f"{seen} frames were seen, {count} are there")
    return count


def kill_parent(what, out, pause):
    running = in_work(what, out, pause)
    seen = running.seen()
    running.kill_parent()
    expect(len(running.parts()) == 1, "there is no part")
    done = kills.perpend("repair", out)
    expect(done.returncode == 0, "repair: " + done.stderr)
    return is_kept(out, seen)


def kill_child(what, out, pause):
    running = in_work(what, out, pause)
    seen = running.seen()
    code, err = running.kill_child()
    expect(code == 1 and out + " has " in err, f"exit code {code}: {err}")
    return is_kept(out, seen)


def small_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5_000_000, resource.RLIM_INFINITY))


def full(what, out, words, **options):
    code, err = kills.Recording(what, out, **options).finish()
    expect(code == 1 and words in err and out + " has " in err, f"exit code {code}: {err}")
    return is_kept(out, 1)


def full_disk(what, out, _):
    return full(what, out, "No space left on device")


def full_file(what, out, _):
    return full(what, out, "File too large", preexec_fn=small_files)


def attack(way, what, pause=0.0, disk=None):
    """One attack in a fresh folder. (frames kept, complaint)."""
    folder = tempfile.mkdtemp(dir=disk)
    try:
        return way(what, os.path.join(folder, "run.h5"), pause), ""
    except (Lost, AssertionError, subprocess.TimeoutExpired) as why:
        return 0, f"{what}, {way.__name__} after {pause:.3f} s: {why}"
    finally:
        shutil.rmtree(folder)


def small_disk():
    """A file system of 3 MB; None: only root may mount one."""
    folder = tempfile.mkdtemp()
    mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "none", folder]
    if (
        os.geteuid() == 0
        and subprocess.run(mount, capture_output=True, check=False).returncode == 0
    ):
        return folder
    os.rmdir(folder)
    return None


def main():
    known = ["simulate", *filter(kills.built, kills.ENGINES)]
    what = OPTIONS.what or known
    for one in what:
        if one not in known:
            sys.exit(f"kill_recordings.py: '{one}' is none of: {', '.join(known)}")
    disk = small_disk()
    if disk is None:
        print("no small disk: only root may mount one; a limit of the file's size stands for it")
    counts = {"parents": 0, "recorders": 0, "full": 0, "frames": 0, "lost": 0}

    def add(kind, outcome):
        kept, complaint = outcome
        counts[kind] += 1
        counts["frames"] += kept
        if complaint:
            counts["lost"] += 1
            print("LOST: " + complaint, flush=True)

    try:
        for one in what:
            for i in range(OPTIONS.kills):
                pause = SPREAD * i / OPTIONS.kills
                add("parents", attack(kill_parent, one, pause))
                # simulate has no recorder of its own: it is killed as often itself.
                way = kill_parent if one == "simulate" else kill_child
                add(
                    "parents" if one == "simulate" else "recorders",
                    attack(way, one, pause + SPREAD / (2 * OPTIONS.kills)),
                )
            add("full", attack(full_file, one))
            if disk:
                add("full", attack(full_disk, one, disk=disk))
            print(f"{one}: done", flush=True)
    finally:
        if disk:
            subprocess.run(["umount", disk], check=True)
            os.rmdir(disk)
    print(
        f"killed recordings: {counts['parents']} programs and {counts['recorders']} recorders "
        f"killed, {counts['full']} full disks, {counts['frames']} frames kept, "
        f"{counts['lost']} recordings lost"
    )
    return 1 if counts["lost"] else 0


if __name__ == "__main__":
    sys.exit(main())
