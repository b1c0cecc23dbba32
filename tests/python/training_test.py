#!/usr/bin/env python3
"""What trains, from Python: runs with their progress, their table for pandas, and the answer of a fit."""
import json
import os
import pathlib
import tempfile
import threading
import time
import unittest

import numpy as np
import pandas
import plimsoll
from plimsoll import runs

CONFIG = {
    "name": "tiny",
    "model": {"spec": "transformer:depth=1,width=32,heads=2,vocab=256,context=32"},
    "data": {"name": "synthetic:grammar,bytes=100000"},
    "train": {"steps": 20, "batch": 8, "log_every": 5},
}


class Training(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        os.chdir(self.folder)
        pathlib.Path("text.txt").write_text("the cat sat on the mat; the dog did not. " * 400)
        CONFIG["data"]["name"] = str(self.folder / "text.txt")

    def test_a_dict_trains_and_its_run_is_a_row(self):
        summary = plimsoll.train(CONFIG, set={"optimizer.lr": 0.01})
        self.assertEqual((summary.step, summary.was_done), (20, False))
        self.assertTrue(plimsoll.train(CONFIG, set={"optimizer.lr": 0.01}).was_done)
        plimsoll.train(CONFIG)
        table = runs.table(where="phase=done", columns=["id", "lr", "loss"], sort="loss")
        frame = pandas.DataFrame(table)
        self.assertEqual(len(frame), 2)
        self.assertEqual(frame["id"][0], summary.id)
        self.assertEqual(frame["optimizer.lr"][0], 0.01)
        self.assertTrue(np.issubdtype(frame["loss"].dtype, np.floating))

    def test_a_config_that_is_wrong_is_the_same_sentence(self):
        with self.assertRaisesRegex(plimsoll.BadInput, "unknown key 'modle'"):
            plimsoll.train({**CONFIG, "modle": {"spec": "x"}})

    def test_progress_comes_line_by_line(self):
        said = []
        long = {**CONFIG, "train": {"steps": 100_000, "batch": 8}}
        threading.Thread(target=self.interrupt_when, args=(said,), daemon=True).start()
        with self.assertRaises(KeyboardInterrupt):
            plimsoll.train(long, say=said.append)
        self.assertTrue(any("step" in line for line in said), said)
        self.assertEqual(runs.table(columns=["phase"])["phase"].tolist(), ["interrupted"])  # with a checkpoint

    def interrupt_when(self, said):
        begun = time.monotonic()
        while not said and time.monotonic() - begun < 60:
            time.sleep(0.1)
        os.kill(os.getpid(), 2)

    def test_the_answer_of_a_fit_is_loaded_from_its_folder(self):
        folder = self.folder / "fit"
        folder.mkdir()
        (folder / "fit.json").write_text(json.dumps({"format": "plimsoll-fit-1", "request": {}}))
        self.assertEqual(plimsoll.Fit.load(folder).to_dict()["format"], "plimsoll-fit-1")
        with self.assertRaises(plimsoll.PlimsollError):
            plimsoll.Fit.load(self.folder)


if __name__ == "__main__":
    unittest.main()
