#!/usr/bin/env python3
"""kill_and_resume.py PROGRAM [DEVICE] [RUNS]: trains one run, or a stack of several, undisturbed, and the same killed with
SIGKILL at random moments and resumed until it is done, and once more stopped by signals that ask for a checkpoint; metrics
and weights must be the same bytes."""
import pathlib
import random
import signal
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
[train]
steps = {steps}
batch = 16
eval_every = 60
eval_batches = 3
log_every = 3
checkpoint_every = {checkpoint_every}
[seeds]
init = {seed}
data = {seed}
"""


def write_configs(folder, count):
    """One config, or several with seeds and checkpoints of their own: a kill leaves them at different steps."""
    configs = [folder / f"run{seed}.toml" for seed in range(1, count + 1)]
    for seed, path in enumerate(configs, 1):
        path.write_text(CONFIG.format(steps=400 if count == 1 else 150, checkpoint_every=3 + seed, seed=seed))
    return [str(path) for path in configs]


def files_of(runs):
    """The metrics of all runs, and their weights."""
    folders = sorted(path for path in runs.iterdir() if (path / "config.toml").exists())
    weights = [sorted(run.glob("checkpoint/*/weights.safetensors"))[-1].read_bytes() for run in folders]
    return b"".join((run / "metrics.jsonl").read_bytes() for run in folders), b"".join(weights)


def killed_until_done(command, startup, duration):
    """Runs and kills, at most eight times, then lets it finish; how often it was killed."""
    kills = 0
    while True:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            child.wait(timeout=startup + random.uniform(0, 0.2) * duration if kills < 8 else None)
            assert child.returncode == 0, f"exit {child.returncode}"
            return kills
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            kills += 1


def stopped_until_done(command, startup, duration):
    """Asks it to stop, at most six times; how often it stopped with a checkpoint (exit code 75)."""
    stops = asked = 0
    while True:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            child.wait(timeout=startup + random.uniform(0.1, 0.3) * duration if asked < 6 else None)
            assert child.returncode == 0, f"exit {child.returncode}"
            return stops
        except subprocess.TimeoutExpired:
            which = random.choice([signal.SIGTERM, signal.SIGUSR1, signal.SIGINT])
            child.send_signal(which)
            code = child.wait()
            asked += 1
            assert code in (75, 0, -which), f"exit {code}"  # -which: it had not begun to listen
            stops += code == 75


def main():
    program, device = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "cpu"
    random.seed(1)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        configs = write_configs(folder, int(sys.argv[3]) if len(sys.argv) > 3 else 1)

        def command(runs):
            return [program, "train", *configs, "--runs", str(folder / runs), "--device", device]

        start = time.time()
        subprocess.run(command("whole"), check=True, stdout=subprocess.DEVNULL)
        duration = time.time() - start
        start = time.time()
        subprocess.run(command("whole"), check=True, stdout=subprocess.DEVNULL)  # done: only the start-up
        startup = time.time() - start
        whole = files_of(folder / "whole")
        kills = attempts = 0
        while kills < 5:  # a busy machine may finish before a kill
            attempts += 1
            assert attempts <= 10, f"only {kills} kills in 10 runs"
            kills += killed_until_done(command(f"killed{attempts}"), startup, duration)
            killed = files_of(folder / f"killed{attempts}")
            assert whole[0] == killed[0], "metrics differ"
            assert whole[1] == killed[1], "weights differ"
        stops = stopped_until_done(command("stopped"), startup, duration)
        assert whole == files_of(folder / "stopped"), "metrics or weights differ after stops"
        print(f"{kills} kills and {stops} stops, {len(whole[0])} bytes of metrics and {len(whole[1])} bytes of weights equal")


main()
