#!/usr/bin/env python3
"""slurm_test.py PLIMSOLL: sweeps on a real Slurm that the test starts on this machine, without systemd.

An array to completion, a task that is killed, one that runs into its time limit, a slurmd that dies under its task, a job that
fails, a sweep that is cancelled, one that is waited for: nothing is lost or doubled, and the metrics are those of an undisturbed run, bit for bit."""
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from slurm_cluster import MOST_TASKS, Cluster, missing_programs, processes_with, until

SKIPPED, STOPPED = 77, 75
PLIMSOLL = ""

BASE = """
[base]
model.spec = "transformer:depth=1,width=16,heads=2,vocab=256,context=16"
data.name = "synthetic:grammar,bytes=20000"
train.batch = 4
train.steps = {steps}
train.checkpoint_every = 100
train.eval_batches = 1
[axes]
{axes}
"""
QUICK, LONG = 30, 6000  # steps


def sweep_text(steps, axes):
    return BASE.format(steps=steps, axes=axes)


class Sweep:
    """A sweep.toml with its folder of runs, and plimsoll called on it."""

    def __init__(self, cluster, folder, text):
        self.cluster, self.folder = cluster, folder
        self.folder.mkdir()
        (self.folder / "sweep.toml").write_text(text)
        self.runs = self.folder / "runs"

    def plimsoll(self, *words):
        return subprocess.run([PLIMSOLL, *words], env=self.cluster.environment, cwd=self.folder, capture_output=True, text=True,
                              check=False)

    def submit(self, *flags):
        return self.plimsoll("sweep", "run", "sweep.toml", "--slurm", *flags)

    def wait(self):
        """Submits and waits, as a process of its own."""
        return subprocess.Popen([PLIMSOLL, "sweep", "run", "sweep.toml", "--slurm", "--wait"], env=self.cluster.environment,
                                cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def submissions(self):
        """The ids of Slurm's jobs, in order."""
        lines = next(self.runs.glob(".sweeps/*/slurm.jsonl")).read_text().splitlines()
        return [record["job"] for record in map(json.loads, lines) if record["event"] == "submitted"]

    def status(self):
        return json.loads(self.plimsoll("sweep", "status", "sweep.toml", "--json").stdout)

    def states(self):
        return [job["state"] for job in self.status()["jobs"]]

    def ids(self):
        return [job["id"] for job in self.status()["jobs"]]

    def reach(self, *states):
        """Waits until the jobs are in these states."""

        def there():
            self.cluster.hurry()
            return self.states() == list(states)

        until(there, f"states {states}", pause=0.2)

    def notes(self, job):
        """What the tasks of a job noted, in order."""
        file = next(self.runs.glob(f".sweeps/*/tasks/{job}.jsonl"), None)
        return [json.loads(line)["event"] for line in file.read_text().splitlines()] if file else []

    def trainer(self, job):
        """The process that trains a job, once it has made a checkpoint."""
        until(lambda: list(self.runs.glob(f"{job}/checkpoint/step-*")), "a first checkpoint", pause=0.01)
        return next(process for process in processes_with(f"/jobs/{job}.toml") if "plimsoll-torch" in os.readlink(f"/proc/{process}/exe"))

    def metrics(self, job):
        return (self.runs / job / "metrics.jsonl").read_bytes()

    def undisturbed(self, job):
        """The metrics of the same run, trained here and now without Slurm."""
        config = self.runs / job / "config.toml"
        with tempfile.TemporaryDirectory() as other:
            subprocess.run([PLIMSOLL, "train", config, "--runs", other], env={**self.cluster.environment, "OMP_NUM_THREADS": "1"},
                           cwd=self.folder, capture_output=True, check=True)
            return (pathlib.Path(other) / job / "metrics.jsonl").read_bytes()


def has_pending(process, number):
    """Whether a stopped process has a signal waiting for it."""
    lines = pathlib.Path(f"/proc/{process}/status").read_text().splitlines()
    masks = [int(line.split()[1], 16) for line in lines if line.startswith(("SigPnd", "ShdPnd"))]
    return any(mask >> (number - 1) & 1 for mask in masks)


class OnSlurm(unittest.TestCase):
    happened = []

    @classmethod
    def setUpClass(cls):
        stack = contextlib.ExitStack()
        cls.addClassCleanup(stack.close)
        cls.cluster = Cluster(stack.enter_context(tempfile.TemporaryDirectory(prefix="plimsoll-slurm-")))
        stack.callback(cls.cluster.stop)
        cls.folder = cls.cluster.folder / "sweeps' 100% \"all\" $HOME"
        cls.folder.mkdir()
        start = time.monotonic()
        cls.cluster.start()
        cls.say(f"munged, slurmctld and slurmd up in {time.monotonic() - start:.1f} s")

    @classmethod
    def say(cls, what):
        cls.happened.append(what)

    def tearDown(self):
        if any(test is self for test, _ in self._outcome.result.failures + self._outcome.result.errors):
            print(self.cluster.logs())
        self.cluster.try_call("scancel", "--signal=KILL", "--state=RUNNING", f"--user={os.geteuid()}")
        self.cluster.try_call("scancel", f"--user={os.geteuid()}")

    def sweep(self, text):
        return Sweep(self.cluster, self.folder / self._testMethodName, text)

    def ok(self, result, code=0):
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stdout + result.stderr

    def assert_as_undisturbed(self, sweep, job):
        self.assertEqual(sweep.metrics(job), sweep.undisturbed(job), job)

    def assert_notes(self, sweep, job, *notes):
        """A task notes what it did a moment after its run says so."""
        until(lambda: len(sweep.notes(job)) >= len(notes), f"notes {notes}")
        self.assertEqual(sweep.notes(job), list(notes))

    def test_an_array_to_completion(self):
        sweep = self.sweep(sweep_text(QUICK, "optimizer.lr = [1e-3, 2e-3, 3e-3, 4e-3, 5e-3, 6e-3]"))
        dry = self.ok(sweep.submit("--dry-run", "--array-limit", "2"))
        self.assertIn(f"#SBATCH --array=0-{MOST_TASKS - 1}%2\n", dry)
        self.assertFalse(sweep.runs.exists(), "a dry run writes nothing")
        said = self.ok(sweep.submit("--array-limit", "2", "--partition", "main", "--time", "10", "--sbatch=--comment=a #1 \"b\" $c"))
        self.assertEqual(said.count("tasks as Slurm job"), 2, said)  # MaxArraySize cuts it
        self.assertIn("nothing", self.ok(sweep.submit()), "what is queued is not submitted again")
        sweep.reach(*["done"] * 6)
        for job in sweep.ids():
            self.assert_as_undisturbed(sweep, job)
            self.assert_notes(sweep, job, "started", "done")
        self.assertIn("6: 6 done", self.ok(sweep.plimsoll("sweep", "status", "sweep.toml")))
        self.assertIn("nothing", self.ok(sweep.submit()))
        self.say("an array of 6 in two submissions (4 + 2, two at a time): all done, metrics as without Slurm")

    def test_a_killed_task(self):
        sweep = self.sweep(sweep_text(LONG, "optimizer.lr = [1e-3]"))
        self.ok(sweep.submit())
        [job] = sweep.ids()
        os.kill(sweep.trainer(job), signal.SIGKILL)
        sweep.reach("failed")
        said = self.ok(sweep.plimsoll("sweep", "status", "sweep.toml"), code=1)
        self.assertIn("plimsoll-torch ended with 137", said)
        self.assertIn("FAILED", self.cluster.call("squeue", "--noheader", "--states=all", "--format=%T"))
        self.assertIn("1 tasks as Slurm job", self.ok(sweep.submit()))
        sweep.reach("done")
        self.assert_notes(sweep, job, "started", "failed", "started", "done")
        self.assert_as_undisturbed(sweep, job)
        self.say("kill -9 of a training process: FAILED, exit code 1; submitted again it went on from its checkpoint")

    def test_a_task_that_runs_into_its_time_limit(self):
        sweep = self.sweep(sweep_text(LONG, "optimizer.lr = [1e-3]"))
        self.ok(sweep.submit("--time", "1", "--grace", "50"))
        [job] = sweep.ids()
        trainer = sweep.trainer(job)
        os.kill(trainer, signal.SIGSTOP)  # a run as slow as need be, on every machine
        # Slurm's signal comes ten seconds after the start; on a busy machine it may have come before the run was stopped.
        patience = time.monotonic() + 30
        until(lambda: has_pending(trainer, signal.SIGUSR1) or time.monotonic() > patience, "Slurm's signal before the limit")
        os.kill(trainer, signal.SIGCONT)
        until(lambda: "requeued" in sweep.notes(job), "the task goes back into the queue")
        sweep.reach("done")
        until(lambda: sweep.notes(job)[-1] == "done", "the task notes that it is done")
        self.assertEqual(sweep.notes(job)[:3], ["started", "requeued", "started"])
        self.assert_as_undisturbed(sweep, job)
        self.say(f"a time limit of one minute: {sweep.notes(job).count('requeued')} time(s) a checkpoint and back into the queue, then done")

    def test_a_slurmd_that_dies(self):
        sweep = self.sweep(sweep_text(LONG, "optimizer.lr = [1e-3]"))
        self.ok(sweep.submit())
        [job] = sweep.ids()
        orphan = sweep.trainer(job)
        self.assertEqual(self.cluster.kill_node(), 2, "slurmd and one slurmstepd")
        os.kill(orphan, signal.SIGSTOP)  # alive, and at its run, until we say otherwise
        self.cluster.call("scontrol", "update", "NodeName=localhost", "State=DOWN", "Reason=killed")
        self.cluster.start_node_after_death()
        until(lambda: self.cluster.hurry() or "waiting" in sweep.notes(job), "the new task finds the orphan at the run")
        before = sweep.metrics(job)
        os.kill(orphan, signal.SIGCONT)
        until(lambda: len(sweep.metrics(job)) > len(before), "the orphan still has the run")
        os.kill(orphan, signal.SIGKILL)
        sweep.reach("done")
        self.assert_as_undisturbed(sweep, job)
        until(lambda: "done" in sweep.notes(job), "the new task notes that it is done")
        self.say("kill -9 of slurmd and slurmstepd: requeued; the new task waited while the orphan lived, then went on from its checkpoint")

    def test_a_job_that_fails(self):
        text = sweep_text(QUICK, 'data.name = ["synthetic:grammar,bytes=30000", "no-such-file.txt"]').replace(
            'data.name = "synthetic:grammar,bytes=20000"\n', "")
        sweep = self.sweep(text)
        self.ok(sweep.submit())
        sweep.reach("done", "failed")
        said = self.ok(sweep.plimsoll("sweep", "status", "sweep.toml"), code=1)
        self.assertIn("plimsoll-torch ended with 3", said)
        self.assertIn("no-such-file.txt", said)
        states = self.cluster.call("squeue", "--noheader", "--array", "--states=all", "--format=%o %T")
        self.assertEqual([line.split()[-1] for line in states.splitlines() if str(sweep.runs) in line and "FAILED" in line], ["FAILED"])
        self.say("a job without its data: FAILED in Slurm and in sweep status, with its last lines and exit code 1; the other one is done")

    def test_a_sweep_that_is_cancelled(self):
        sweep = self.sweep(sweep_text(LONG, "optimizer.lr = [1e-3, 2e-3]"))
        self.ok(sweep.submit("--array-limit", "1"))
        job = sweep.ids()[0]
        sweep.trainer(job)
        self.assertIn("2 tasks; 1 of them are running", self.ok(sweep.plimsoll("sweep", "cancel", "sweep.toml")))
        until(lambda: "stopped" in sweep.notes(job), "the task notes that it was stopped")
        sweep.reach("stopped", "stopped")
        self.assertEqual(self.cluster.call("squeue", "--noheader"), "", "nothing comes back")
        self.assertIn("stopped on request", (sweep.runs / job / "log.txt").read_text())
        self.ok(sweep.submit())
        sweep.reach("done", "done")
        self.assert_as_undisturbed(sweep, job)
        self.say("cancel: the running task made a checkpoint, nothing came back; submitted again both were completed")

    def test_a_wait_that_is_stopped_and_taken_up_again(self):
        sweep = self.sweep(sweep_text(LONG, "optimizer.lr = [1e-3, 2e-3, 3e-3]"))
        first = sweep.wait()
        until(lambda: list(sweep.runs.glob("*/checkpoint/step-*")) or first.poll() is not None, "a first checkpoint", pause=0.01)
        first.send_signal(signal.SIGINT)
        out, err = first.communicate()
        self.assertEqual(first.returncode, STOPPED, out + err)
        [array] = sweep.submissions()
        self.assertIn(f"scancel {array} ends", out)
        self.assertTrue(any(state in ("queued", "running") for state in sweep.states()), "the array goes on")
        again = sweep.wait()
        out, err = again.communicate()
        self.assertEqual(again.returncode, 0, out + err)
        self.assertEqual(sweep.submissions(), [array], "nothing is submitted again")
        self.assertEqual(sweep.states(), ["done"] * 3)
        self.assertRegex(err, r"job \d of 3  [0-9a-f]{16}  done after .*  loss \d")
        for job in sweep.ids():
            self.assert_notes(sweep, job, "started", "done")
        self.assert_as_undisturbed(sweep, sweep.ids()[0])
        said = self.ok(sweep.submit("--wait"))
        self.assertIn("3, 0 of them now", said)
        self.say("--wait, stopped by SIGINT: exit code 75, the array went on; the same command waited for it, with one submission in all")

    def test_a_wait_for_a_job_that_fails(self):
        sweep = self.sweep(sweep_text(QUICK, 'data.name = ["synthetic:grammar,bytes=30000", "no-such-file.txt"]').replace(
            'data.name = "synthetic:grammar,bytes=20000"\n', ""))
        said = self.ok(sweep.submit("--wait"), code=1)
        self.assertIn("no-such-file.txt", said)
        self.assertIn("1, 1 of them now", said)
        self.say("--wait for a job without its data: exit code 1 with its last lines")

    def test_a_race_of_fit(self):
        sweep = self.sweep(sweep_text(QUICK, "optimizer.lr = [1e-3]"))  # for its folder
        asked = [PLIMSOLL, "fit", "synthetic:hops=1,count=2000", "--params", "4K", "--flops", "2e10", "--json"]

        def answer(*flags):
            process = subprocess.Popen([*asked, *flags], env=self.cluster.environment, cwd=sweep.folder,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            while process.poll() is None:
                self.cluster.hurry()
                time.sleep(0.2)
            out, err = process.communicate()
            self.assertEqual(process.returncode, 0, err)
            return json.loads(out)

        here, there = answer("--out", "here"), answer("--out", "there", "--slurm")
        arrays = list((sweep.folder / "there" / "runs").glob(".sweeps/*/slurm.jsonl"))
        self.assertGreaterEqual(len(arrays), 2, "each rung is an array")
        self.assertEqual(there["decision"]["winner"], here["decision"]["winner"])
        self.assertEqual([{**entry, "seconds": 0} for entry in there["race"]["entries"]],
                         [{**entry, "seconds": 0} for entry in here["race"]["entries"]])
        self.say(f"fit --slurm: {len(there['race']['entries'])} runs in {len(arrays)} arrays, the same race as without Slurm")

    def test_slurms_own_words(self):
        sweep = self.sweep(sweep_text(QUICK, "optimizer.lr = [1e-3]"))
        said = self.ok(sweep.submit("--partition", "nowhere"), code=2)
        self.assertIn("error: sbatch: ", said)
        self.assertIn("invalid partition specified: nowhere", said)
        self.assertEqual(sweep.states(), ["missing"])
        self.ok(sweep.submit())  # what was refused is no submission
        sweep.reach("done")
        self.say("a partition that is not there: Slurm's own words, exit code 2")


def main():
    global PLIMSOLL
    PLIMSOLL = os.path.abspath(sys.argv.pop(1))
    if missing_programs():
        print(f"[  SKIPPED ] slurm: not installed: {', '.join(missing_programs())}")
        return SKIPPED
    program = unittest.main(exit=False, verbosity=2)
    print("\n".join(OnSlurm.happened))
    return 0 if program.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
