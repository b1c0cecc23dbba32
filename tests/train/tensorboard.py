#!/usr/bin/env python3
"""tensorboard.py PROGRAM CHECK: trains a run with --tensorboard and runs tools/check_tensorboard
on it: with the real TensorBoard where it is installed, else with the reader below in its place. A run whose events say
something else than its metrics must be found."""
import os
import pathlib
import subprocess
import sys
import tempfile

CONFIG = """
[model]
spec = "transformer:depth=1,width=16,heads=2,vocab=256,context=16"
[data]
name = "synthetic:grammar,bytes=20000"
[train]
steps = 30
batch = 8
eval_every = 10
eval_batches = 2
log_every = 5
"""

# As much of TensorBoard as the check uses, from the format alone: records of length, CRC, message, CRC; in a message the
# fields step (2) and summary (5), in a summary values (1) with tag (1) and simple_value (2).
STAND_IN = '''
import collections
import pathlib
import struct

Scalar = collections.namedtuple("Scalar", "step value")


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            size = {1: 8, 5: 4}.get(key & 7)
            if size is None:
                size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        yield key >> 3, value


def messages(data):
    at = 0
    while at < len(data):
        (size,) = struct.unpack("<Q", data[at:at + 8])
        yield data[at + 12:at + 12 + size]
        at += 16 + size


class EventAccumulator:
    def __init__(self, folder, size_guidance=None):
        self.folder, self.scalars = pathlib.Path(folder), {}

    def Reload(self):
        for file in sorted(self.folder.glob("events.out.tfevents.*")):
            for message in messages(file.read_bytes()):
                event = dict(fields(message))
                for number, value in fields(event.get(5, b"")):
                    parts = dict(fields(value))
                    scalar = Scalar(event.get(2, 0), struct.unpack("<f", parts[2])[0])
                    self.scalars.setdefault(parts[1].decode(), []).append(scalar)

    def Tags(self):
        return {"scalars": list(self.scalars), "tensors": []}

    def Scalars(self, tag):
        return self.scalars[tag]
'''


def installed():
    return subprocess.run([sys.executable, "-c", "import tensorboard"], capture_output=True).returncode == 0


def check(tool, run, path):
    environment = {**os.environ, "PYTHONPATH": str(path)} if path else os.environ
    done = subprocess.run([sys.executable, tool, str(run)], env=environment, capture_output=True, text=True)
    print(done.stdout + done.stderr)
    return done.returncode, done.stdout


def main():
    program, tool = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "run.toml").write_text(CONFIG)
        command = [program, "train", str(folder / "run.toml"), "--runs", str(folder / "runs")]
        subprocess.run([*command, "--tensorboard"], check=True, stdout=subprocess.DEVNULL)
        (run,) = (folder / "runs").iterdir()
        stand_in = None
        if not installed():
            assert check(tool, run, None)[0] == 77
            stand_in = folder / "packages"
            package = stand_in / "tensorboard" / "backend" / "event_processing"
            package.mkdir(parents=True)
            (package / "event_accumulator.py").write_text(STAND_IN)
        code, output = check(tool, run, stand_in)
        assert code == 0 and "5 of 5 tags" in output, code
        assert "train/loss" in output and "step 30" in output
        metrics = run / "metrics.jsonl"
        metrics.write_text(metrics.read_text().replace('"rate":', '"rate":1', 1))
        assert check(tool, run, stand_in)[0] == 1, "a changed value is not noticed"
        subprocess.run([*command, "--set", "name=without"], check=True, stdout=subprocess.DEVNULL)
        (other,) = [path for path in (folder / "runs").iterdir() if path != run]
        assert check(tool, other, stand_in)[0] == 2, "a run without events"
        print("checked with", "TensorBoard" if stand_in is None else "the stand-in")


main()
