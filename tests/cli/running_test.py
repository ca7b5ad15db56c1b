"""What happens while the program runs: Ctrl-C, the progress bar, threads."""

import json
import os
import pty
import signal
import subprocess
import time
import unittest

from program import PROGRAM, Case, frame, run, sliding, tower

# Never done: no iterate of this tower has an error of exactly zero.
ENDLESS = ["--tolerance", "0", "--max-iterations", str(10**12)]


class Terminal:
    """The program with its stderr on a terminal."""

    def __init__(self, *arguments):
        self.screen, side = pty.openpty()
        self.process = subprocess.Popen(
            [PROGRAM, *map(str, arguments)],
            stderr=side,
            stdout=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
        )
        os.close(side)
        self.seen = ""

    def wait_for(self, text):
        """Reads the screen until the text is there; the end of the program ends it too."""
        while text not in self.seen:
            if not self._read():
                raise AssertionError("never seen: " + text + "\n" + self.seen)

    def let_work(self, seconds=0.2):
        """Waits until the program has computed for so long, however busy the machine is."""

        def computed():
            with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

        until = computed() + seconds
        while computed() < until:
            time.sleep(0.01)

    def finish(self):
        """(exit code, stdout, what stderr showed from begin to end)."""
        out = self.process.stdout.read().decode()
        while self._read():
            pass
        code = self.process.wait()
        self.process.stdout.close()
        os.close(self.screen)
        return code, out, self.seen

    def _read(self):
        try:
            data = os.read(self.screen, 4096)
        except OSError:  # Linux: the other side is closed
            return False
        self.seen += data.decode()
        return bool(data)


class Interrupt(Case):
    def stopped_in_the_second_frame(self, *arguments):
        """The first frame is solved at once (zero is its exact answer), the second never is."""
        file = self.standard(frame(contacts=0), tower(12), tower(12))
        running = Terminal("solve", file, "--solver", "box/pgs", *ENDLESS, *arguments)
        running.wait_for("1/3")
        running.let_work()  # to read a frame takes less: it is in the second one now
        running.process.send_signal(signal.SIGINT)
        return running.finish()

    def test_ctrl_c_is_130_and_the_results_so_far_are_printed(self):
        code, out, err = self.stopped_in_the_second_frame("--json")
        self.assertEqual(code, 130, err)
        document = json.loads(out)
        self.assertTrue(document["interrupted"])
        self.assertEqual([r["status"] for r in document["results"]], ["converged", "stopped"])

    def test_ctrl_c_keeps_the_results_in_the_file(self):
        out = self.path("out.h5")
        code, _, err = self.stopped_in_the_second_frame("--out", out)
        self.assertEqual(code, 130, err)
        self.assertEqual(self.succeeds("info", out, "--json").json()["solutions"], ["box/pgs"])
        self.assertEqual(run("validate", out).code, 0)

    def test_ctrl_c_with_threads(self):
        code, out, err = self.stopped_in_the_second_frame("--json", "--threads", 2)
        self.assertEqual(code, 130, err)
        statuses = [r["status"] for r in json.loads(out)["results"]]
        self.assertEqual(statuses[:2], ["converged", "stopped"])

    def test_ctrl_c_leaves_no_half_file(self):
        self.stopped_in_the_second_frame("--out", self.path("out.h5"))
        self.assertEqual(
            sorted(os.listdir(self.folder)), ["frames.h5", "frames.h5.jsonl", "out.h5"]
        )

    def test_ctrl_c_keeps_the_frames_of_json_lines_complete(self):
        file, out = self.lines(frame(contacts=0), tower(12), tower(12)), self.path("out.h5")
        running = Terminal("solve", file, "--solver", "box/pgs", *ENDLESS, "--out", out)
        running.wait_for("1/3")
        running.process.send_signal(signal.SIGINT)
        code, _, err = running.finish()
        self.assertEqual(code, 130, err)
        document = self.succeeds("info", out, "--json").json()
        self.assertEqual((document["frames"], document["solutions"]), (3, ["box/pgs"]))

    def test_a_second_ctrl_c_ends_it_at_once(self):
        # Whether the second one arrives before or after the work is done, the code is the same.
        running = Terminal(
            "solve", self.standard(frame(contacts=0), tower(12)), "--solver", "box/pgs", *ENDLESS
        )
        running.wait_for("1/2")
        running.process.send_signal(signal.SIGINT)
        running.process.send_signal(signal.SIGINT)
        self.assertEqual(running.finish()[0], 130)


class ProgressBar(Case):
    def test_is_shown_on_a_terminal_and_wiped(self):
        file = self.lines(frame(), sliding())
        code, out, err = Terminal("solve", file, "--solver", "ncp/pgs").finish()
        self.assertEqual(code, 0)
        self.assertIn("2/2 frames", err)
        self.assertTrue(err.endswith("\033[K"), repr(err))
        self.assertNotIn("frames,", out)

    def test_is_absent_with_quiet(self):
        file = self.lines(frame())
        _, _, err = Terminal("solve", file, "--solver", "ncp/pgs", "--quiet").finish()
        self.assertEqual(err, "")

    def test_is_absent_when_stderr_is_no_terminal(self):
        file = self.lines(frame(), sliding())
        self.assertEqual(self.succeeds("solve", file, "--solver", "ncp/pgs").err, "")


class Threads(Case):
    @staticmethod
    def timeless(value):
        """The document without what the clock says."""
        if isinstance(value, dict):
            return {k: Threads.timeless(v) for k, v in value.items() if "seconds" not in k}
        return [Threads.timeless(v) for v in value] if isinstance(value, list) else value

    def test_results_do_not_depend_on_the_number_of_threads(self):
        records = [tower(2 + i % 5) for i in range(12)] + [sliding(0.1 * i) for i in range(12)]
        file = self.standard(*records)
        documents = [
            self.timeless(
                run(
                    "solve",
                    file,
                    "--solver",
                    "box/pgs,ncp/pgs,ncp/nncg",
                    "--history",
                    "--max-iterations",
                    200,
                    "--threads",
                    threads,
                    "--json",
                ).json()
            )
            for threads in [1, 2, 5]
        ]
        self.assertEqual(documents[0], documents[1])
        self.assertEqual(documents[0], documents[2])
        self.assertEqual(len(documents[0]["results"]), 72)


if __name__ == "__main__":
    unittest.main()
