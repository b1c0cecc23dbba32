#!/usr/bin/env python3
"""to_csv.py RUNS: one row for each finished run of a pool: depth, width, seed, bits per byte, FLOPs per byte, seconds."""
import json
import pathlib
import sys
import tomllib


def row_of(folder):
    config = tomllib.loads((folder / "config.toml").read_text())
    spec = dict(pair.split("=") for pair in config["model"]["spec"].split(":", 1)[1].split(","))
    last = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines() if "validation" in line][-1]
    steps, units = last["step"], config["train"]["batch"] * int(spec["context"])
    seconds = sum(session.get("seconds", 0) for session in json.loads((folder / "environment.json").read_text())["sessions"])
    return (int(spec["depth"]), int(spec["width"]), config["seeds"]["init"], last["validation"]["bits_per_byte"],
            FLOPS / (steps * units), seconds)


FLOPS = 2.0e11  # of every run of the pool
done = [f.parent for f in pathlib.Path(sys.argv[1]).glob("*/state.json") if json.loads(f.read_text())["phase"] == "done"]
print("depth,width,seed,value,flops_per_unit,seconds")
for row in sorted(row_of(folder) for folder in done):
    print("{},{},{},{:.6f},{:.4g},{:.1f}".format(*row))
