#!/usr/bin/env python3
"""The smoke scale of one experiment with the real program: every run done, every file written, nothing trained twice."""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

NO_DATA = 3
SKIP = 77


def reproduce(program, folder, out):
    words = [program, "reproduce", str(folder), "--scale", "smoke", "--out", str(out), "--workers", "2", "--json"]
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    return subprocess.run(words, capture_output=True, text=True, env=environment, check=False)


def problems_of(result, out):
    """What is wrong with an output that should be whole."""
    if not result["complete"]:
        yield f"not complete: {result['partial']}"
    tables = [path for path in out.glob("*.csv")]
    if not tables:
        yield "no rows"
    for path in tables:
        with path.open(newline="") as file:
            rows = list(csv.DictReader(file))
        if not rows:
            yield f"{path.name} has no rows"
        if any(row.get("phase", "done") != "done" for row in rows):
            yield f"{path.name} has rows that are not done"
    for name in ["report.md", "provenance.json"]:
        if not (out / name).exists():
            yield f"no {name}"
    figures = result["report"]["figures"]
    if not figures:
        yield "no figure"
    for figure in figures:
        if not (out / "figures" / f"{figure['name']}.vl.json").exists():
            yield f"figure {figure['name']} was not written"
    if not result["missing"] and not (out / "report.html").exists():
        yield "no report.html"


def trained_now(result):
    return sum(job["here"] for job in result["sweep"]["jobs"]) if result["sweep"] else 0


def main(program, folder):
    with tempfile.TemporaryDirectory() as place:
        out = pathlib.Path(place) / "out"
        first = reproduce(program, pathlib.Path(folder), out)
        if first.returncode == NO_DATA:
            print(first.stderr)
            return SKIP
        if first.returncode != 0:
            print(first.stdout[-3000:], first.stderr)
            return 1
        problems = list(problems_of(json.loads(first.stdout), out))
        again = reproduce(program, pathlib.Path(folder), out)
        if again.returncode != 0:
            problems.append(f"the second time: {again.stderr}")
        elif trained_now(json.loads(again.stdout)) > 0:
            problems.append("something was trained twice")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
