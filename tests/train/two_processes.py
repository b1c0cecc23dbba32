#!/usr/bin/env python3
"""two_processes.py PROGRAM [DEVICE]: trains with two processes on this machine, as torchrun would start them, and demands what
docs/RUNS.md promises: the bits of one process with the same parts, resumption with another number of processes, and
an end with a sentence for everybody when one of them fails."""
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

CONFIG = """
[model]
spec = "transformer:depth=2,width=32,heads=2,vocab=256,context=32"
dropout = 0.1
[data]
name = "synthetic:grammar,bytes=60000"
[optimizer]
clip = 1.0
[train]
steps = 60
batch = 8
eval_every = 25
eval_batches = 3
log_every = 3
checkpoint_every = 4
"""
LONG = ["train.steps=4000"]
PARTS = ["optimizer.accumulate=2"]


def free_port():
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        return some.getsockname()[1]


class Bench:
    """Where the runs are, and how to start them."""

    def __init__(self, program, device, folder):
        self.program, self.device, self.folder = program, device, folder
        # A GPU draws its masks in a row, so they depend on the number of processes.
        (folder / "run.toml").write_text(CONFIG if device == "cpu" else CONFIG.replace("dropout = 0.1", ""))

    def start(self, runs, sets=(), place=None, flags=(), **variables):
        words = [self.program, "train", str(self.folder / "run.toml"), "--runs", str(self.folder / runs),
                 "--device", self.device, *flags]
        for one in sets:
            words += ["--set", one]
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "OMPI_", "PMI_"))}
        return subprocess.Popen(words, env={**clean, "OMP_NUM_THREADS": "1", **(place or {}), **variables}, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def start_two(self, runs, sets=(), sets_of_second=None, **variables):
        port = str(free_port())
        return [self.start(runs, sets if rank == 0 or sets_of_second is None else sets_of_second,
                           {"RANK": str(rank), "WORLD_SIZE": "2", "LOCAL_RANK": str(rank), "MASTER_ADDR": "127.0.0.1",
                            "MASTER_PORT": port}, **variables) for rank in range(2)]

    def train(self, runs, processes, sets=()):
        """Trains to the end; the bytes of metrics and weights, and the last session of environment.json."""
        started = self.start_two(runs, sets) if processes == 2 else [self.start(runs, sets)]
        outputs = [one.communicate() for one in started]
        assert all(one.returncode == 0 for one in started), outputs
        assert outputs[0][0].startswith("run "), outputs
        assert all(text == "" for text, _ in outputs[1:]), "only the first process speaks"
        return self.files(runs)

    def run_folder(self, runs):
        (run,) = [path for path in (self.folder / runs).iterdir() if (path / "config.toml").exists()]
        return run

    def files(self, runs):
        run = self.run_folder(runs)
        (weights,) = run.glob("checkpoint/*/weights.safetensors")
        sessions = json.loads((run / "environment.json").read_text())["sessions"]
        return (run / "metrics.jsonl").read_bytes(), weights.read_bytes(), sessions[-1]

    def wait_for_checkpoint(self, runs):
        while not list((self.folder / runs).glob("*/checkpoint/step-*/manifest.json")):
            time.sleep(0.01)


def ends(started):
    """How the processes ended: exit codes and what they said on stderr."""
    said = [one.communicate()[1] for one in started]
    return [one.returncode for one in started], said


def bits(bench):
    """Two processes with a part each are one process with two parts; without parts only rounding differs."""
    for precision in ("fp32", "fp64"):
        sets = [f"train.precision={precision}"]
        two = bench.train(f"two-{precision}", 2, sets)
        one = bench.train(f"one-{precision}", 1, sets + PARTS)
        assert two[0] == one[0], f"{precision}: metrics differ"
        assert two[1] == one[1], f"{precision}: weights differ"
        assert (two[2]["processes"], one[2]["processes"]) == (2, 1)
    whole = bench.train("whole-fp64", 1, ["train.precision=fp64", "model.dropout=0"])
    two = bench.train("two-undropped", 2, ["train.precision=fp64", "model.dropout=0"])
    assert whole[0] != two[0], "other sums, and no bit of them differs: were there two processes?"
    losses = [[row["loss"] for row in map(json.loads, text.splitlines()) if "loss" in row] for text in (whole[0], two[0])]
    assert len(losses[0]) == 20
    # Sums in another order: some 1e-16 a step, which 60 steps of Adam may enlarge where a gradient is near 0.
    worst = max(abs(a - b) for a, b in zip(*losses))
    assert worst < 1e-9, f"losses differ by {worst}"
    return f"same bits in fp32 and fp64; losses without parts within {worst:.1g}"


def killed_and_resumed(bench):
    """Both killed, then resumed with two or with one: the bytes of a run that nobody disturbed."""
    sets = PARTS + ["train.steps=400"]
    whole = bench.train("undisturbed", 2, sets)
    for processes in (2, 1):
        runs = f"killed-{processes}"
        started = bench.start_two(runs, sets)
        bench.wait_for_checkpoint(runs)
        assert any([one.poll() is None for one in started]), "the run ended before it could be killed"
        for one in started:
            one.kill()
            one.communicate()
        resumed = bench.train(runs, processes, sets)
        assert resumed[0] == whole[0], f"resumed with {processes}: metrics differ"
        assert resumed[1] == whole[1], f"resumed with {processes}: weights differ"
        assert resumed[2]["processes"] == processes
    return "killed and resumed with 2 and with 1: same bits"


def one_dies(bench):
    """Whoever dies, the other one says so and ends; the run can be resumed."""
    for victim in (0, 1):
        runs = f"dead-{victim}"
        started = bench.start_two(runs, LONG)
        bench.wait_for_checkpoint(runs)
        started[victim].kill()
        codes, said = ends(started)
        assert codes[1 - victim] == 5, (codes, said)
        assert "another process of this run is gone" in said[1 - victim], said
        assert "resumes from there" in said[1 - victim], said
        phase = json.loads((bench.run_folder(runs) / "state.json").read_text())["phase"]
        assert phase == "running", phase  # not failed: the next call resumes it
    return "one dies, the other says so"


def one_fails(bench):
    """What one process finds wrong, both say."""
    (bench.folder / "file").write_text("")
    codes, said = ends(bench.start_two("file"))
    assert all(codes) and "error: process 0 of 2: " in said[1], (codes, said)
    codes, said = ends(bench.start_two("other", [], ["seeds.init=7"]))
    assert codes == [2, 2], (codes, said)
    assert "given another config than process 0" in said[1] and "process 1 of 2" in said[0], said
    codes, said = ends(bench.start_two("nan", ["optimizer.kind=sgd", "optimizer.lr=1e18", "schedule.warmup=11"]))
    assert codes[0] == 1 and codes[1] != 0, (codes, said)
    assert "diverged" in said[0] and "process 0 of 2: train: diverged" in said[1], said
    codes, said = ends(bench.start_two("odd", ["train.batch=9"]))
    assert codes == [2, 2] and "train.batch: must be a multiple of 2 for 2 processes" in said[0], said
    assert not (bench.folder / "odd").exists(), "an error before anything starts"
    return "errors of one are errors of both"


def nobody_comes(bench):
    """A process without its other ends after the time it was given; --alone needs nobody."""
    place = {"RANK": "0", "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}
    codes, said = ends([bench.start("alone", place=place, PLIMSOLL_PROCESS_TIMEOUT="1")])
    assert codes == [5] and "did not find the others at 127.0.0.1" in said[0], (codes, said)
    codes, said = ends([bench.start("alone", place=place, flags=["--alone"])])
    assert codes == [0], said
    return "nobody comes: an error, and --alone trains"


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "cpu", pathlib.Path(folder))
        for part in (bits, killed_and_resumed, one_dies, one_fails, nobody_comes):
            start = time.time()
            print(f"{part(bench)} ({time.time() - start:.1f} s)", flush=True)


main()
