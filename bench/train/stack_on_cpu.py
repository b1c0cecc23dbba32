#!/usr/bin/env python3
"""bench/train/stack_on_cpu.py PLIMSOLL-TORCH [RUNS [NETWORK...]]: runs as one stack on two threads against two processes of one thread.

Both ways train the same runs (default 12, seeds 1 to 12) of several small networks, program starts and data included,
twice in turn. The answer is checked: the validation losses of the two ways agree to 0.01.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

NETWORKS = {
    "decoder 3 x 40": ("transformer:depth=3,width=40,heads=4,vocab=256,context=64", "synthetic:grammar,bytes=400000"),
    "decoder 9 x 24": ("transformer:depth=9,width=24,heads=4,vocab=256,context=64", "synthetic:grammar,bytes=400000"),
    "causal mixer 4 x 64": ("mixer:depth=4,channels=64,tokens=64,vocab=256,causal=on", "synthetic:grammar,bytes=400000"),
    "decoder 4 x 128": ("transformer:depth=4,width=128,heads=4,vocab=256,context=64", "synthetic:grammar,bytes=400000"),
}
STEPS = {"decoder 4 x 128": 40}


def write_configs(folder, network, runs):
    spec, data = NETWORKS[network]
    paths = []
    for seed in range(1, runs + 1):
        path = folder / f"{seed}.toml"
        path.write_text(f"""[model]
spec = "{spec}"
[data]
name = "{data}"
[train]
steps = {STEPS.get(network, 150)}
batch = 16
eval_batches = 8
[seeds]
init = {seed}
data = {seed}
""")
        paths.append(str(path))
    return paths


def start(program, configs, runs_folder, threads):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
    return subprocess.Popen([program, "train", *configs, "--runs", str(runs_folder), "--json"], env=environment,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def answers(process):
    result = json.loads(process.communicate()[0])
    return [run["validation"]["loss"] for run in result.get("runs", [result])]


def stacked(program, configs, folder):
    begin = time.monotonic()
    losses = answers(start(program, configs, folder, 2))
    return time.monotonic() - begin, losses


def by_processes(program, configs, folder):
    begin = time.monotonic()
    halves, losses = [configs[0::2], configs[1::2]], {}
    for pair in zip(*halves):
        for config, process in [(config, start(program, [config], folder, 1)) for config in pair]:
            losses[config] = answers(process)[0]
    return time.monotonic() - begin, [losses[config] for config in configs]


def main():
    program, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 12
    for network in sys.argv[3:] or NETWORKS:
        times = {"stack": [], "processes": []}
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            configs = write_configs(folder, network, runs)
            for turn in range(int(os.environ.get("TURNS", "2"))):
                seconds, together = stacked(program, configs, folder / f"stack{turn}")
                times["stack"].append(seconds)
                seconds, alone = by_processes(program, configs, folder / f"alone{turn}")
                times["processes"].append(seconds)
                apart = max(abs(a - b) for a, b in zip(together, alone))
                if apart > 0.01:
                    sys.exit(f"{network}: the losses differ by {apart:.4f}")
        stack, processes = min(times["stack"]), min(times["processes"])
        print(f"{network:22} {runs} runs: stack {stack:6.2f} s, two processes {processes:6.2f} s, "
              f"ratio {processes / stack:5.2f}, losses within {apart:.1e}", flush=True)


if __name__ == "__main__":
    main()
