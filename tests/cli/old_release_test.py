#!/usr/bin/env python3
"""old_release_test.py PLIMSOLL ARCHIVE: runs, a checkpoint and a fit folder that release 0.1.0 wrote still open.

ARCHIVE (tests/fixtures/releases/0.1.0.tar.xz) holds `runs/` with a complete run and one stopped at step 2668, their
run.toml files, and `fit/`, a finished fit. The expected numbers are those that 0.1.0 itself printed for them.
"""
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest

FIT = ["synthetic:hops=1,count=2000", "--params", "4K", "--flops", "2e10", "--out", "fit"]
# Files that say who opened a run and when, not what it learned.
VISITS = {"run.lock", "claims", "environment.json", "log.txt"}
# Another processor sums in another order: float32 losses of these small networks differ by some 1e-7 of their size.
TOLERANCE = 1e-5


class OldRelease(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        with tarfile.open(ARCHIVE) as archive:
            archive.extractall(self.folder)

    def tearDown(self):
        self.scratch.cleanup()

    def run_plimsoll(self, *arguments):
        done = subprocess.run([PLIMSOLL, *arguments], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "OMP_NUM_THREADS": "1"})
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stdout[-500:]} {done.stderr[-500:]}")
        return done.stdout

    def files(self, folder):
        return {path.relative_to(self.folder): hashlib.sha256(path.read_bytes()).hexdigest()
                for path in sorted((self.folder / folder).rglob("*"))
                if path.is_file() and not VISITS & set(path.relative_to(self.folder).parts)}

    def test_runs_are_listed_with_their_states(self):
        listed = self.run_plimsoll("runs", "list")
        self.assertRegex(listed, r"whole +done +4 ")
        self.assertRegex(listed, r"stopped +interrupted +2668 ")

    def test_a_complete_run_is_not_trained_again(self):
        before = self.files("runs")
        self.assertIn("already complete", self.run_plimsoll("train", "run.toml"))
        self.assertEqual(self.files("runs"), before)

    def test_weights_give_the_loss_they_gave(self):
        loss = json.loads(self.run_plimsoll("eval", "whole", "--json"))["loss"]
        self.assertAlmostEqual(loss, 5.541429131685613, delta=5.54 * TOLERANCE)

    def test_a_stopped_run_resumes_from_its_checkpoint(self):
        self.run_plimsoll("train", "stopped.toml")
        rows = [json.loads(line)
                for line in (self.folder / "runs/d46a2ce1c70f484e/metrics.jsonl").read_text().splitlines()]
        after = next(row for row in rows if row["step"] == 2670)
        self.assertAlmostEqual(after["loss"], 1.8788366198539734, delta=1.88 * TOLERANCE)
        self.assertEqual(rows[-1]["step"], 6000)

    def test_a_run_is_exported(self):
        self.run_plimsoll("export", "whole", "--out", "exported")
        self.assertTrue((self.folder / "exported/model.safetensors").exists())

    def test_a_finished_fit_is_read_and_trains_nothing(self):
        before = self.files("fit/runs")
        entries = json.loads((self.folder / "fit/steps/race.json").read_text())["entries"]
        decision = json.loads((self.folder / "fit/steps/decision.json").read_text())
        answer = json.loads(self.run_plimsoll("fit", *FIT, "--json"))
        self.assertEqual(self.files("fit/runs"), before)
        self.assertEqual([(e["run"], e["value"]) for e in answer["race"]["entries"]],
                         [(e["run"], e["value"]) for e in entries])
        # Its runs are judged by the rules of now: three networks that chance alone explains, and 0.1.0 named one.
        self.assertIn("nothing beats the constant answer", answer["decision"]["headline"])
        self.assertEqual(decision["winner"], "c02")
        said = any("recommended 1 x 16, 2 heads, symbols (c02) from the same runs" in note
                   for note in answer["decision"]["notes"])
        self.assertEqual(said, answer["decision"]["winner"] != "c02")


if __name__ == "__main__":
    PLIMSOLL, ARCHIVE = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
