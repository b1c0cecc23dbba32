#!/usr/bin/env python3
"""fit_kill_trial.py PLIMSOLL [KILLS]: `plimsoll fit` with the real plimsoll-torch, killed at random moments and started again until
it ends. What was done is never touched again, and the race comes to the same numbers as one that nobody disturbed."""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

DATA = "synthetic:grammar,bytes=60000"  # cut in two ways, of which the race chooses one
BUDGET = ["--vocab", "257,300", "--context", "32", "--params", "6K", "--flops", "3e10", "--workers", "2"]
PRIVATE = {"seconds"}  # of an entry: how long it took is not the same twice


def command(program):
    """In a folder of its own, so that the names of the vocabularies, and with them the ids of the runs, are the same."""
    return [program, "fit", DATA, *BUDGET, "--out", "out"]


def descendants(process):
    children = pathlib.Path(f"/proc/{process}/task/{process}/children")
    found = [int(word) for word in children.read_text().split()] if children.exists() else []
    return found + [deeper for child in found for deeper in descendants(child)]


def kill_all(fit, everybody):
    """SIGKILL for the program, and for its children with it or not: those end by themselves."""
    children = descendants(fit.pid)
    fit.kill()
    for child in children if everybody else []:
        try:
            os.kill(child, signal.SIGKILL)
        except ProcessLookupError:
            pass
    fit.wait()


def finished(out):
    """Every file of the runs that are done, but what a later look may note about a run, and the lock of a worker that is not
    done with it."""
    files = {}
    for state in sorted((out / "runs").glob("*/state.json")):
        if json.loads(state.read_text())["phase"] != "done":
            continue
        for file in sorted(state.parent.rglob("*")):
            if file.is_file() and file.name != "run.lock" and "claims" not in file.relative_to(out).parts:
                files[str(file.relative_to(out))] = file.read_bytes()
    return files


def check_untouched(before, after, what):
    for name, content in before.items():
        assert after.get(name) == content, f"{what}: {name} of a finished run changed"


def entries(out):
    race = json.loads((out / "fit.json").read_text())["race"]
    kept = [{key: value for key, value in entry.items() if key not in PRIVATE} for entry in race["entries"]]
    return sorted(kept, key=lambda entry: (entry["rung"], entry["run"]))


def disturbed(program, out, duration, most):
    """Runs it to its end with at most so many kills; how many there were."""
    kills, done = 0, {}
    while True:
        fit = subprocess.Popen(command(program), cwd=out.parent, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        try:
            error = fit.communicate(timeout=random.uniform(0.02, 0.3) * duration if kills < most else None)[1]
            assert fit.returncode == 0, f"exit {fit.returncode}: {error.decode()}"
            check_untouched(done, finished(out), "at the end")
            return kills
        except subprocess.TimeoutExpired:
            kill_all(fit, random.random() < 0.5)
            kills += 1
            after = finished(out) if (out / "runs").exists() else {}
            check_untouched(done, after, f"after kill {kills}")
            done = after


def main():
    program, wanted = str(pathlib.Path(sys.argv[1]).resolve()), int(sys.argv[2]) if len(sys.argv) > 2 else 12
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        start = time.time()
        (folder / "whole").mkdir()
        subprocess.run(command(program), cwd=folder / "whole", check=True, stdout=subprocess.DEVNULL)
        duration, whole = time.time() - start, entries(folder / "whole" / "out")
        assert (folder / "whole" / "out" / "steps" / "settled.json").exists(), "no input was chosen"
        made = rounds = 0
        while made < wanted:
            out = folder / f"killed{rounds}" / "out"
            out.parent.mkdir()
            made += disturbed(program, out, duration, min(10, wanted - made))
            assert entries(out) == whole, "another race"
            rounds += 1
        print(f"{made} kills in {rounds} fits of {len(whole)} runs: the same entries, no finished file changed")


main()
