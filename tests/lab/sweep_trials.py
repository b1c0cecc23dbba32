#!/usr/bin/env python3
"""sweep_trials.py PLIMSOLL TRIAL [KILLS]: `plimsoll sweep run` with the real plimsoll-torch, disturbed; its runs must end as those
of a sweep that nobody disturbed, byte for byte, none lost and none trained by two processes."""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

# Two rates that learn and one that diverges.
SWEEP = """
seeds = 2
[base]
model.spec = "transformer:depth=1,width=16,heads=1,vocab=256,context=16"
data.name = "synthetic:grammar,bytes=20000"
train.steps = {steps}
train.batch = 4
train.eval_every = 50
train.eval_batches = 2
train.log_every = 3
train.checkpoint_every = 7
[axes]
optimizer.lr = {rates}
"""
DIVERGES = 1e30

# Three lengths whose first steps are the same: 120 of the longest, and 20 of the decay of each.
LENGTHS = """
[base]
model.spec = "transformer:depth=1,width=16,heads=1,vocab=256,context=16"
model.dropout = 0.1
data.name = "synthetic:grammar,bytes=20000"
schedule = {{ kind = "wsd", warmup = 5, decay = 20, share_trunk = {shared} }}
train.batch = 4
train.eval_every = 50
train.eval_batches = 2
train.log_every = 1
train.checkpoint_every = 7
[axes]
train.steps = [60, 100, 140]
"""


class Sweep:
    """A sweep file in a folder, and folders of runs beside it."""

    def __init__(self, program, folder, steps, rates):
        self.program, self.folder = program, pathlib.Path(folder)
        self.file = self.folder / "sweep.toml"
        self.file.write_text(SWEEP.format(steps=steps, rates=rates))
        self.environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        self.jobs = len(rates) * 2

    def command(self, runs, *flags):
        return [self.program, "sweep", "run", str(self.file), "--runs", str(self.folder / runs), *flags]

    def start(self, runs, *flags):
        return subprocess.Popen(self.command(runs, *flags), env=self.environment, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, start_new_session=True)

    def run(self, runs, *flags):
        """Exit code and, for 0, 1 and 75, what --json says."""
        result = subprocess.run(self.command(runs, "--json", *flags), env=self.environment, capture_output=True, text=True)
        return result.returncode, json.loads(result.stdout) if result.returncode in (0, 1, 75) else result.stderr

    def files(self, runs):
        """What a sweep is judged by: metrics and state of each run, and the weights of those that are done (the last checkpoint
        of one that diverges is where it was last stopped)."""
        found = {}
        for run in sorted((self.folder / runs).iterdir()):
            if run.name == ".sweeps":
                continue
            state = (run / "state.json").read_bytes()
            weights = b""
            if json.loads(state)["phase"] == "done":
                (checkpoint,) = run.glob("checkpoint/step-*/weights.safetensors")
                weights = checkpoint.read_bytes()
            found[run.name] = [(run / "metrics.jsonl").read_bytes(), state, weights]
        return found


def children_of(process):
    children = pathlib.Path(f"/proc/{process}/task/{process}/children")
    return [int(word) for word in children.read_text().split()] if children.exists() else []


def alive(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def kill_runner(runner, everybody):
    """Kills the runner, and its children with it or not; returns when those have ended, as they must."""
    children = children_of(runner.pid)
    runner.kill()
    for child in children if everybody else []:
        try:
            os.kill(child, signal.SIGKILL)
        except ProcessLookupError:
            pass
    runner.wait()
    while random.random() < 0.5 and any(map(alive, children)):  # half the time the next one does not wait
        time.sleep(0.002)


def compare(whole, other, what):
    assert whole.keys() == other.keys(), f"{what}: other runs"
    for run in whole:
        for name, one, two in zip(("metrics", "state", "weights"), whole[run], other[run]):
            assert one == two, f"{what}: {name} of {run} differ"


def check_all_done(sweep, runs, failed):
    """Nothing is left, and looking again starts nothing."""
    code, again = sweep.run(runs)
    states = sorted(job["state"] for job in again["jobs"])
    assert states == ["done"] * (sweep.jobs - failed) + ["failed"] * failed, states
    assert not any(job["here"] for job in again["jobs"]), "trained again"
    assert code == (1 if failed else 0), code


def kills(program, folder, wanted=20):
    """Killed at random moments, alone or with its workers, until there were enough kills; in turn with one worker (one stack, half
    of which diverges) and with two."""
    sweep = Sweep(program, folder, 150, [1e-3, DIVERGES])
    whole, duration = {}, {}
    for workers in "12":
        start = time.time()
        code, first = sweep.run("whole" + workers, "--workers", workers)
        duration[workers] = time.time() - start
        assert code == 1 and not first["complete"], code
        whole[workers] = sweep.files("whole" + workers)
    made = sweeps = 0
    while made < wanted:
        runs, here, workers = f"killed{sweeps}", 0, "12"[sweeps % 2]
        most = 10 if wanted > 20 else 5
        while True:
            runner = sweep.start(runs, "--workers", workers)
            try:
                patient = here == most or made == wanted
                runner.wait(timeout=None if patient else random.uniform(0.15, 0.5) * duration[workers])
                break
            except subprocess.TimeoutExpired:
                kill_runner(runner, random.random() < 0.5)
                made, here = made + 1, here + 1
        assert runner.returncode == 1, f"exit {runner.returncode}"
        compare(whole[workers], sweep.files(runs), f"after {here} kills")
        check_all_done(sweep, runs, failed=2)
        sweeps += 1
    print(f"{made} kills in {sweeps} sweeps of {sweep.jobs} jobs, {sum(len(x) for r in whole['1'].values() for x in r)} bytes equal")


def stop(program, folder):
    """--stop-after and Ctrl-C end it cleanly; it goes on in a copy of the folder, as after an rsync."""
    sweep = Sweep(program, folder, 900, [1e-3])
    assert sweep.run("whole")[0] == 0
    code, said = sweep.run("slot0", "--stop-after", "1s")
    assert code == 75 and said["stopped"] and not said["complete"], (code, said)
    subprocess.run(["cp", "-a", folder + "/slot0", folder + "/slot1"], check=True)
    rows = lambda: {path.parent: path.stat().st_size for path in (pathlib.Path(folder) / "slot1").glob("*/metrics.jsonl")}
    before = rows()
    runner = sweep.start("slot1", "--workers", "2")
    while not (measured := [run for run, size in rows().items() if size > before.get(run, 0)]):
        assert runner.poll() is None, f"exit {runner.returncode} before the first new row"
        time.sleep(0.05)
    runner.send_signal(signal.SIGINT)
    code = runner.wait()
    assert code in (0, 75), code
    run = measured[0]
    ended = json.loads((run / "state.json").read_text())["phase"] == "done"
    if not ended:
        with open(run / "metrics.jsonl", "a") as metrics:
            metrics.write('{"step": 9')
    code, said = sweep.run("slot1")
    assert code == 0 and said["complete"], (code, said)
    assert ended or any("half a line" in note and run.name in note for note in said["notes"]), said["notes"]
    compare(sweep.files("whole"), sweep.files("slot1"), "in slots")
    print(f"went on in a copy; half a line was {'not tried' if ended else 'repaired and reported'}")


def race(program, folder):
    """Three runners on one folder at once: every job is done, by one of them. Each job alone: who comes first decides which runs
    could share a stack, and bits depend on that."""
    sweep = Sweep(program, folder, 60, [1e-3, 1e-2])
    runners = [sweep.start("raced", "--wait", "--no-stack") for _ in range(3)]
    assert [runner.wait() for runner in runners] == [0, 0, 0]
    assert sweep.run("alone", "--no-stack")[0] == 0
    compare(sweep.files("alone"), sweep.files("raced"), "raced")
    sessions = [len(json.loads((pathlib.Path(folder) / "raced" / run / "environment.json").read_text())["sessions"])
                for run in sweep.files("raced")]
    assert sessions == [1] * sweep.jobs, f"trained more than once: {sessions}"
    print(f"three runners, {sweep.jobs} jobs, each trained once")


def in_namespace(script):
    """Runs a script of sh in a mount namespace of its own; skips the trial where that is not allowed."""
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode != 0:
        print("skipped: no mount namespaces here")
        sys.exit(77)
    return subprocess.run(["unshare", "--mount", "sh", "-ec", script], capture_output=True, text=True,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})


def full_disk(program, folder):
    """The disk is full in the middle; with more room the same command goes on."""
    sweep = Sweep(program, folder, 150, [1e-3])
    assert sweep.run("whole")[0] == 0
    run = " ".join(sweep.command("small"))
    result = in_namespace(f"""
        mkdir {folder}/small; mount -t tmpfs -o size=256k none {folder}/small
        {run} > {folder}/first 2>&1 && exit 1
        mount -o remount,size=64m {folder}/small
        {run} > {folder}/second 2>&1
        cp -a {folder}/small {folder}/kept""")
    first = (pathlib.Path(folder) / "first").read_text()
    assert result.returncode == 0, result.stderr + first + (pathlib.Path(folder) / "second").read_text()
    assert "No space left on device" in first, first
    compare(sweep.files("whole"), sweep.files("kept"), "after a full disk")
    print("a full disk was named, and nothing was lost")


def read_only(program, folder):
    """A read-only store is named before anything is trained; a finished sweep can be looked at in one."""
    sweep = Sweep(program, folder, 5, [1e-3])
    assert sweep.run("whole")[0] == 0
    result = in_namespace(f"""
        mkdir {folder}/closed; mount -t tmpfs -o ro none {folder}/closed; mount --bind -o ro {folder}/whole {folder}/whole
        {" ".join(sweep.command("whole"))}
        {" ".join(sweep.command("closed"))}""")
    assert result.returncode == 5 and "done         2, 0 of them now" in result.stdout, result
    assert "Read-only file system" in result.stderr and result.stderr.startswith("error: "), result.stderr
    print("a read-only store was named, and read")


def steps_made(folder):
    """A row of timings is a step."""
    return sum(len(timings.read_text().splitlines()) for timings in folder.glob("*/timings.jsonl"))


def trunk(program, folder):
    """Three lengths share a trunk: the bytes of runs trained from nothing with fewer steps, also after kill -9."""
    sweep = Sweep(program, folder, 1, [1e-3])
    sweep.jobs = 3
    sweep.file.write_text(LENGTHS.format(shared="false"))
    assert sweep.run("apart", "--no-stack")[0] == 0
    assert steps_made(sweep.folder / "apart") == 60 + 100 + 140
    sweep.file.write_text(LENGTHS.format(shared="true"))
    start = time.time()
    code, said = sweep.run("shared", "--no-stack")
    duration = time.time() - start
    assert code == 0 and [one["state"] for one in said["trunks"]] == ["done"], said
    assert steps_made(sweep.folder / "shared") == 120 + 3 * 20
    whole = sweep.files("shared")
    ends = [sorted((metrics, weights) for metrics, _, weights in files.values() if weights)
            for files in (sweep.files("apart"), whole)]
    assert len(ends[0]) == 3 and ends[0] == ends[1], "not the bytes of runs from nothing"
    made = 0
    for runs in ("killed0", "killed1"):
        while made % 3 < 2:
            runner = sweep.start(runs, "--no-stack")
            time.sleep(random.uniform(0.2, 0.9) * duration)
            kill_runner(runner, random.random() < 0.5)
            made += 1
        made += 1
        assert sweep.run(runs, "--no-stack", "--wait")[0] == 0
        compare(whole, sweep.files(runs), runs)
        check_all_done(sweep, runs, failed=0)
    print("three lengths made 180 steps, not 300; killed 4 times, all bytes equal")


TRIALS = {"kills": kills, "stop": stop, "race": race, "trunk": trunk, "full_disk": full_disk, "read_only": read_only}


def main():
    program, trial, *numbers = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        TRIALS[trial](program, folder, *map(int, numbers))


main()
