"""Solvers of other projects, seen from the program."""

import os
import subprocess
import unittest

from program import PROGRAM, Case, frame, run, sliding

HELPER = os.path.join(os.path.dirname(PROGRAM), "perpend-peers")
built = unittest.skipUnless(os.access(HELPER, os.X_OK), "perpend-peers was not built")


def peers():
    return [
        entry["name"]
        for entry in run("solvers", "--json").json()["solvers"]
        if entry["origin"] != "perpend"
    ]


def with_peers_at(path, *arguments):
    return subprocess.run(
        [PROGRAM, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PERPEND_PEERS": path},
        stdin=subprocess.DEVNULL,
        check=False,
    )


class Peers(Case):
    def test_the_program_itself_links_none_of_them(self):
        linked = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True, check=True).stdout
        self.assertIn("libc.so", linked)
        for library in ["siconos", "dart", "openblas", "mumps"]:
            self.assertNotIn(library, linked)
        # Bullet in double precision alone: the single one has the same symbols.
        for line in linked.splitlines():
            if "libBullet" in line or "libLinearMath" in line:
                self.assertIn("float64", line)

    def test_all_means_all_others(self):
        ours = self.succeeds("solvers", "all", "--json").json()["solvers"]
        self.assertEqual({entry["origin"] for entry in ours}, {"perpend"})
        self.assertEqual(bool(peers()), os.access(HELPER, os.X_OK))

    def test_without_their_program_they_are_unknown(self):
        listed = with_peers_at("/nowhere/perpend-peers", "solvers")
        self.assertEqual(listed.returncode, 0)
        self.assertNotIn("siconos", listed.stdout)
        asked = with_peers_at(
            "/nowhere/perpend-peers", "solve", self.lines(frame()), "--solver", "ncp/siconos-nsgs"
        )
        self.assertEqual(asked.returncode, 2)
        self.assertIn("unknown solver", asked.stderr)

    @built
    def test_a_program_that_is_none_of_ours_is_a_crash_of_theirs(self):
        done = with_peers_at(
            "/bin/false", "solve", self.lines(sliding()), "--solver", peers()[0], "--json"
        )
        self.assertEqual(done.returncode, 1)
        self.assertIn('"crashed"', done.stdout)

    @built
    def test_a_sliding_point_loses_mu_g_h(self):
        document = self.succeeds(
            "solve", self.lines(sliding(mu=0.5)), "--solver", "peers", "--json"
        ).json()
        self.assertGreater(len(document["results"]), 2)
        for result in document["results"]:
            self.assertEqual(result["status"], "converged", result)
            self.assertLessEqual(result["errors"]["own_error"], 1e-8)


if __name__ == "__main__":
    unittest.main()
