#!/usr/bin/env python3
"""data_from_python.py PLIMSOLL: files that Python's own writers made, NumPy and pandas where they are, are read."""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

# Where another Python stands before the system's and lacks what Debian's packages bring, the system's is asked.
SYSTEM = "/usr/bin/python3"


def hand_over():
    if os.path.exists(SYSTEM) and os.path.realpath(sys.executable) != os.path.realpath(SYSTEM):
        os.execv(SYSTEM, [SYSTEM, *sys.argv])


try:
    import numpy
except ImportError:
    hand_over()
    numpy = None
try:
    import pandas
except ImportError:
    hand_over()
    pandas = None

ROWS = [["1.5", "red, dark", "u"], ["-2", 'a "quoted" one', "v"], ["", "two\nlines", "u"], ["4e3", "plain", "v"]]


class FromPython(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def info(self, name, *flags, code=0):
        done = subprocess.run([PLIMSOLL, "data", "info", name, "--json", *flags], cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout) if code == 0 else done.stderr

    def test_csv_by_the_csv_module(self):
        for delimiter, title in ((",", "CSV"), (";", "a table with ; between cells")):
            with open(self.folder / "t.csv", "w", newline="", encoding="utf-8") as file:
                writer = csv.writer(file, delimiter=delimiter)
                writer.writerow(["size", "what", "label"])
                writer.writerows(ROWS)
            info = self.info("t.csv")
            self.assertEqual(info["reading"], f"{title}, 3 columns, label in `label` (guessed; --label)")
            self.assertEqual(info["rows"], 4)
            self.assertEqual([column["missing"] for column in info["columns"]], [1, 0, 0])
            self.assertEqual(info["columns"][1]["first"], ["red, dark", 'a "quoted" one', "two\nlines"])
            self.assertEqual(info["classes"], ["u", "v"])

    def test_archives_by_their_modules(self):
        files = {"src/a.py": "print('a')\n" * 30, "src/b.py": "print('b')\n" * 50, "logo.bin": b"\0\1\2"}
        with zipfile.ZipFile(self.folder / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        for name, mode in (("x.tar", "w"), ("x.tar.gz", "w:gz"), ("x.tar.xz", "w:xz")):
            for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
                with tarfile.open(self.folder / name, mode, format=form) as archive:
                    for path, content in files.items():
                        content = content.encode() if isinstance(content, str) else content
                        member = tarfile.TarInfo(path)
                        member.size = len(content)
                        archive.addfile(member, io.BytesIO(content))
                self.check_archive(name)
        self.check_archive("x.zip")

    def check_archive(self, name):
        info = self.info(name)
        self.assertEqual(info["reading"], "text in an archive of 3 files")
        self.assertEqual([file["name"] for file in info["files"]], [f"{name}/src/a.py", f"{name}/src/b.py"])
        self.assertEqual(info["left_out"], [{"name": "logo.bin", "why": "binary (byte 0)"}])
        self.assertEqual(info["bytes"], 11 * 80)

    def test_json_lines_by_json(self):
        texts = ["one", "two\nlines", "caf\u00e9 \U0001f600"]
        (self.folder / "x.jsonl").write_text("".join(json.dumps({"id": i, "text": text}) + "\n"
                                                     for i, text in enumerate(texts)))
        info = self.info("x.jsonl")
        self.assertEqual(info["bytes"], len("\n\n".join(texts).encode()))

    @unittest.skipUnless(numpy, "NumPy is not here")
    def test_arrays_by_numpy(self):
        generator = numpy.random.default_rng(1)
        for dtype in ("uint16", "int32", "int64"):
            numpy.save(self.folder / "ids.npy", generator.integers(0, 500, 2000).astype(dtype))
            self.assertEqual(self.info("ids.npy")["count"], 2000)
        images = generator.integers(0, 256, (60, 28, 28, 3)).astype("uint8")
        labels = (numpy.arange(60) % 6).reshape(-1, 1)
        for save in (numpy.savez, numpy.savez_compressed):
            save(self.folder / "set.npz", train_images=images, train_labels=labels, test_images=images[:12],
                 test_labels=labels[:12])
            info = self.info("set.npz")
            self.assertEqual(info["shape"], {"channels": 3, "height": 28, "width": 28})
            self.assertAlmostEqual(info["splits"][0]["mean"][1], images[..., 1].mean() / 255, places=6)
        numpy.savez(self.folder / "table.npz", X=generator.normal(size=(50, 4)), y=numpy.arange(50) % 2)
        self.assertEqual(self.info("table.npz")["classes"], ["0", "1"])
        rows = generator.normal(size=(60, 3))
        for dtype in ("float16", "float32", "float64"):
            numpy.save(self.folder / "rows.npy", rows.astype(dtype))
            for seen, column in zip(self.info("rows.npy")["columns"], rows.T):
                self.assertAlmostEqual(seen["mean"], column.mean(), places=3)
        numpy.save(self.folder / "objects.npy", numpy.array([{}, None], dtype=object), allow_pickle=True)
        self.assertIn("Python objects", self.info("objects.npy", code=4))

    @unittest.skipUnless(pandas, "pandas is not here")
    def test_tables_by_pandas(self):
        frame = pandas.DataFrame({"size": [1.5, None, 3], "what": ["a,b", 'c"d', "e"], "label": ["u", "v", "u"]})
        frame.to_csv(self.folder / "t.csv")
        info = self.info("t.csv")
        self.assertEqual([column["name"] for column in info["columns"]], ["column1", "size", "what", "label"])
        self.check_splits(frame)
        twice = frame.rename(columns={"what": "size"})
        twice.to_csv(self.folder / "t.csv", index=False)
        self.assertEqual([column["name"] for column in self.info("t.csv")["columns"]], ["size", "size_2", "label"])
        (self.folder / "old.csv").write_bytes(frame.to_csv(index=False).replace("\n", "\r").encode())
        self.assertIn("end with a carriage return alone", self.info("old.csv", code=2))
        frame.to_pickle(self.folder / "t.pkl")
        self.assertIn("is a pickle", self.info("t.pkl", code=2))

    def check_splits(self, frame):
        """A table in several files, in a folder and in archives."""
        (self.folder / "set").mkdir()
        for name in ("train", "test"):
            frame.to_csv(self.folder / f"set/{name}.csv", index=False)
        with zipfile.ZipFile(self.folder / "set.zip", "w") as archive:
            for name in ("train", "test"):
                archive.write(self.folder / f"set/{name}.csv", f"{name}.csv")
        with zipfile.ZipFile(self.folder / "one.zip", "w") as archive:
            archive.write(self.folder / "set/train.csv", "train.csv")
        for name in ("set", "set.zip"):
            info = self.info(name)
            self.assertTrue(info["reading"].startswith("a table whose 2 files are its splits"), info["reading"])
            self.assertEqual([(split["name"], split["count"]) for split in info["splits"]],
                             [("train", 3), ("test", 3)])
        self.assertEqual(self.info("one.zip")["rows"], 3)
        frame.drop(columns="label").to_csv(self.folder / "set/test.csv", index=False)
        self.assertIn("test.csv: has no column 'label', which ", self.info("set", code=2))
        frame.to_csv(self.folder / "set/other.csv", index=False)
        self.assertIn("holds 3 tables that are no splits of one", self.info("set", code=2))


if __name__ == "__main__":
    PLIMSOLL = sys.argv.pop(1)
    unittest.main(verbosity=2)
