#!/usr/bin/env python3
"""to_csv.py SWEEP.toml RUNS: the truth table of a sweep, one row for each finished run (README.md has the columns).

PLIMSOLL names the program that plans the sweep; by default it is plimsoll on the PATH."""
import json
import os
import pathlib
import subprocess
import sys
import tomllib

MEASURES = ("bits_per_byte", "bits_per_token", "accuracy")  # the first that a run has is the table's


def planned_jobs(sweep):
    program = os.environ.get("PLIMSOLL", "plimsoll")
    answer = subprocess.run([program, "sweep", "plan", sweep, "--no-calibrate", "--json"], check=True,
                            stdout=subprocess.PIPE)
    return json.loads(answer.stdout)["jobs"]


def fields_of(spec):
    family, _, keys = spec.partition(":")
    return family, dict(pair.split("=", 1) for pair in keys.split(","))


def input_of(config, fields):
    if "patch" in fields:
        return "patch " + fields["patch"]
    tokenizer = config["data"].get("tokenizer", "bytes")
    return "bytes" if tokenizer == "bytes" else pathlib.Path(tokenizer).stem


def last_validation(folder):
    rows = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return [row["validation"] for row in rows if "validation" in row][-1]


def row_of(job, folder):
    """The measure of a finished run and its row; None when the run is not done."""
    state = folder / "state.json"
    if not state.exists() or json.loads(state.read_text())["phase"] != "done":
        return None
    config = tomllib.loads((folder / "config.toml").read_text())
    family, fields = fields_of(job["spec"])
    values = last_validation(folder)
    measure = next(name for name in MEASURES if name in values)
    sessions = json.loads((folder / "environment.json").read_text())["sessions"]
    width = fields.get("width", fields.get("channels"))
    return measure, (family, input_of(config, fields), int(fields["depth"]), int(width), config["optimizer"]["lr"],
                     config["seeds"]["init"], f"{values[measure]:.6f}", job["parameters"], f"{job['flops']:.4g}",
                     f"{sum(session.get('seconds', 0) for session in sessions):.1f}")


def main(sweep, runs):
    found = [row_of(job, pathlib.Path(runs) / job["id"]) for job in planned_jobs(sweep)]
    done = [one for one in found if one]
    if not done:
        sys.exit(f"{runs}: no run of {sweep} is done")
    if len(done) < len(found):
        print(f"{len(found) - len(done)} of {len(found)} runs are not done", file=sys.stderr)
    print(f"family,input,depth,width,rate,seed,{done[0][0]},parameters,flops,seconds")
    for _, row in sorted(done):
        print(",".join(str(cell) for cell in row))


main(*sys.argv[1:])
