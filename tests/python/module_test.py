#!/usr/bin/env python3
"""import plimsoll, against the command line: the same documents, the same sentences, in this process."""
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import numpy as np
import plimsoll
from plimsoll import data, tokenizers

PROGRAM = os.environ["PLIMSOLL_BIN"]


def command_line(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True)


def document(*words):
    return json.loads(command_line(*words, "--json").stdout)


def seen_on_light_and_dark(colour):
    """Contrast of at least 3 (WCAG 2, graphics) on white and on Jupyter's dark background."""
    def light(hex_colour):
        shares = [int(hex_colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in shares]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05

    return light("#ffffff") / light(colour) >= 3 and light(colour) / light("#111111") >= 3


class Results(unittest.TestCase):
    def test_every_result_is_the_document_of_the_command_line(self):
        spec = "transformer:depth=12,width=768,heads=12"
        for result, words in [
            (plimsoll.audit("gpt2"), ["audit", "gpt2"]),
            (plimsoll.audit("t5-11b", context=1024), ["audit", "t5-11b", "--context", "1024"]),
            (plimsoll.advise("100M"), ["advise", "--params", "100M"]),
            (plimsoll.advise(1e8, head_dim=[32, 64]), ["advise", "--params=100M", "--head-dim=32,64"]),
            (plimsoll.count(spec), ["count", spec]),
            (plimsoll.bounds(spec), ["bounds", spec]),
            (plimsoll.bounds("LEVINE-T3", L=3, dx=8, H=2), ["bounds", "LEVINE-T3", "L=3", "dx=8", "H=2"]),
            (plimsoll.bounds(), ["bounds", "--list"]),
            (plimsoll.zoo(filter=["family=gpt2", "depth>20"]), ["zoo", "--filter=family=gpt2", "--filter=depth>20"]),
            (plimsoll.capacity("10M", context=64, vocab=1000, max_depth=16),
             ["capacity", "--params=10M", "--context=64", "--vocab=1000", "--max-depth=16"]),
        ]:
            with self.subTest(" ".join(words)):
                self.assertEqual(result.to_dict(), document(*words))

    def test_numbers_that_are_timed_apart_a_rank_is_the_same(self):
        measured = plimsoll.rank("attention:depth=2,width=2,heads=1", positions=4).to_dict()
        printed = document("rank", "attention:depth=2,width=2,heads=1", "--positions", "4")
        for timed in ("seconds", "runs"):
            measured.pop(timed), printed.pop(timed)
        self.assertEqual(measured, printed)

    def test_a_result_is_frozen_compared_by_value_and_can_be_stored(self):
        one, other = plimsoll.audit("gpt2"), plimsoll.audit("gpt2-medium")
        self.assertEqual(one, plimsoll.audit("gpt2"))
        self.assertNotEqual(one, other)
        self.assertEqual(len({one.findings[0], plimsoll.audit("gpt2").findings[0]}), 1)
        with self.assertRaises(AttributeError):
            one.depth = 3
        with self.assertRaises(AttributeError):
            del one.depth
        self.assertEqual(pickle.loads(pickle.dumps(one)), one)
        self.assertEqual(type(one).from_dict(one.to_dict()), one)

    def test_it_shows_itself(self):
        shown = plimsoll.audit("t5-11b")
        self.assertIn("depth=24", repr(shown))
        self.assertLess(len(repr(shown)), 1500)
        html = shown._repr_html_()
        self.assertIn("<td>attention to width</td>", html)
        self.assertNotIn("#fff", html)  # neither light nor dark
        self.assertIn("<td>11,307,321,344</td>", html)
        self.assertIn(f"<td>{shown.verdict}</td>", html)  # whole, and without quotes
        self.assertNotIn("AuditZoo(", html)
        table, folded = html.split("<summary>text, remedy</summary>")
        self.assertNotIn(shown.findings[0].text, table)
        self.assertIn(shown.findings[0].text, folded)
        figure = plimsoll.capacity("1M", max_depth=4)._repr_mimebundle_()["application/vnd.vegalite.v5+json"]
        self.assertEqual(figure["layer"][0]["data"]["values"][0]["depth"], 1)
        for layer in figure["layer"]:
            self.assertTrue(seen_on_light_and_dark(layer["mark"]["color"]), layer["mark"])

    def test_text_in_html_is_escaped(self):
        config = {"model_type": "gpt2", "n_layer": 2, "n_embd": 64, "n_head": 2, "_name_or_path": "<script>"}
        self.assertNotIn("<script>", plimsoll.audit(config)._repr_html_())

    def test_what_was_assumed_is_a_warning(self):
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            plimsoll.rank("attention:depth=1,width=2,heads=1")
        self.assertEqual(str(heard[0].message), "measured at 4 positions, as --positions is not given")


class Models(unittest.TestCase):
    config = {"model_type": "gpt2", "n_layer": 3, "n_embd": 64, "n_head": 2, "vocab_size": 100, "n_positions": 32}

    def test_a_dict_a_config_and_a_model_are_the_same(self):
        class Config:
            def to_dict(self):
                return dict(Models.config)

        class GPT2LMHeadModel:
            config = Config()

        for model in (self.config, Config(), GPT2LMHeadModel()):
            self.assertEqual(plimsoll.audit(model).depth, 3)

    def test_a_model_says_which_head_it_has(self):
        from plimsoll import _config_of

        class GPT2ForSequenceClassification:
            config = type("Config", (), {"to_dict": lambda self: dict(Models.config)})()

        self.assertEqual(_config_of(GPT2ForSequenceClassification())["architectures"], ["GPT2ForSequenceClassification"])


class Errors(unittest.TestCase):
    def test_every_kind_has_its_class_its_code_and_the_sentence(self):
        for call, words, kind in [
            (lambda: plimsoll.advise("ten"), ["advise", "--params", "ten"], plimsoll.BadInput),
            (lambda: plimsoll.audit("nobody"), ["audit", "nobody"], plimsoll.NotFound),
            (lambda: plimsoll.bounds("monarch:depth=2,width=64"), ["bounds", "monarch:depth=2,width=64"],
             plimsoll.Unsupported),
        ]:
            printed = command_line(*words)
            with self.subTest(" ".join(words)), self.assertRaises(kind) as caught:
                call()
            self.assertEqual(caught.exception.code, printed.returncode)
            self.assertEqual(f"error: {caught.exception}\n", printed.stderr)
        self.assertTrue(issubclass(plimsoll.BadInput, ValueError) and issubclass(plimsoll.IoError, OSError))

    def test_training_verbs_do_not_replace_this_process(self):
        from plimsoll import _core
        with self.assertRaises(plimsoll.PlimsollError):
            _core.answer(["train", "nowhere.toml"], None)
        with self.assertRaises(plimsoll.NotFound):
            plimsoll.fit("/nowhere/at/all")

    def test_nothing_is_printed(self):
        script = "import plimsoll\ntry: plimsoll.audit('nobody')\nexcept plimsoll.NotFound: pass\nplimsoll.audit('gpt2')"
        ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, "", ""))


class Arrays(unittest.TestCase):
    def test_the_columns_are_the_calculation_s_own_memory(self):
        curve = plimsoll.capacity("10M", max_depth=64, certify=[1, 4])
        self.assertEqual((curve.depth.dtype, curve.log3_capacity.dtype), (np.dtype("int64"), np.dtype("float64")))
        self.assertFalse(curve.depth.flags.owndata or curve.depth.flags.writeable)
        self.assertEqual(type(curve.depth.base).__name__, "PyCapsule")
        self.assertEqual(np.flatnonzero(~np.isnan(curve.certified_lower)).tolist(), [0, 3])
        self.assertTrue((curve.certified_lower <= curve.certified_upper)[[0, 3]].all())
        depths = curve.depth
        del curve
        self.assertEqual(int(depths[-1]), 64)  # the memory lives as long as an array does


LONG = "attention:depth=3,width=4,heads=2"


class Long(unittest.TestCase):
    def test_progress_is_heard_and_may_stop_it(self):
        heard = []

        class Enough(Exception):
            pass

        def tell(done, total):
            heard.append((done, total))
            raise Enough

        with self.assertRaises(Enough):
            plimsoll.rank(LONG, positions=8, progress=tell)
        self.assertEqual((len(heard), heard[0][1]), (1, 100))

    def test_other_threads_run_meanwhile(self):
        counted = [0]
        over = threading.Event()

        def count():
            while not over.wait(0.001):
                counted[0] += 1

        thread = threading.Thread(target=count, daemon=True)
        thread.start()
        end = time.monotonic() + 0.2  # of nothing but calls
        while time.monotonic() < end:
            plimsoll.rank("attention:depth=2,width=4,heads=2", positions=6)
            plimsoll.capacity("1B", max_depth=256)  # inside this process
        over.set()
        thread.join()
        self.assertGreater(counted[0], 10)

    def test_ctrl_c_stops_it(self):
        script = f"import plimsoll\nprint('begun', flush=True)\nplimsoll.rank('{LONG}', positions=8)"
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stdout.readline()
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        begun = time.monotonic()
        _, errors = process.communicate(timeout=10)
        self.assertIn("KeyboardInterrupt", errors)
        self.assertLess(time.monotonic() - begun, 5)


class Tokenizers(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.text = self.folder / "text"
        self.text.write_text("the cat sat on the mat; the cat sat, and the mat sat on the cat. " * 20)

    def test_trained_and_encoded_as_by_the_command_line(self):
        ours = tokenizers.train([self.text], vocab=270)
        file = self.folder / "tokenizer.json"
        command_line("tokenize", "train", str(self.text), "--vocab", "270", "--out", str(file))
        self.assertEqual(ours, tokenizers.read(file))
        printed = command_line("tokenize", "encode", str(self.text), "--tokenizer", str(file)).stdout.split()
        ids = ours.encode(self.text.read_text())
        self.assertEqual(ids.tolist(), [int(one) for one in printed])
        self.assertEqual(ours.encode_file(self.text, threads=2).tolist(), ids.tolist())
        self.assertEqual(ours.decode(ids), self.text.read_text())
        many = ours.encode_many(["the cat", "sat"], threads=2)
        self.assertEqual([one.tolist() for one in many], [ours.encode("the cat").tolist(), ours.encode("sat").tolist()])
        self.assertEqual(ours.decode_bytes(ours.encode(b"\xff\x00")), b"\xff\x00")
        ours.save(self.folder / "ranks", format="tiktoken")
        self.assertGreater((self.folder / "ranks").stat().st_size, 1000)

    def test_a_wrong_request_is_an_error(self):
        with self.assertRaises(plimsoll.NotFound):
            tokenizers.read(self.folder / "nothing")
        with self.assertRaises(plimsoll.BadInput):
            tokenizers.train([self.text], vocab=100_000)
        with self.assertRaises(plimsoll.BadInput):
            tokenizers.train([self.text], vocab=270).decode([10_000_000])


class Program(unittest.TestCase):
    def test_python_m_plimsoll_is_the_command_line(self):
        ran = subprocess.run([sys.executable, "-m", "plimsoll", "zoo", "gpt2"], capture_output=True, text=True)
        self.assertEqual((ran.returncode, ran.stdout), (0, command_line("zoo", "gpt2").stdout))

    def test_the_import_is_quick_and_brings_no_numpy(self):
        script = "import sys, time; t = time.monotonic(); import plimsoll; print(time.monotonic() - t, 'numpy' in sys.modules)"
        seconds, numpy = min(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout.split()
                             for _ in range(3))
        self.assertEqual(numpy, "False")
        self.assertLess(float(seconds), 0.2)

    def test_data(self):
        self.assertEqual(data.info("synthetic:hops"), document("data", "info", "synthetic:hops"))


if __name__ == "__main__":
    unittest.main()
