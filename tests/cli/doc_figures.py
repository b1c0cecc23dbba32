#!/usr/bin/env python3
"""Makes every figure of docs/findings again, by the command on its page, and compares it with the one that is kept."""
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile


def commands(page):
    """The lines of a page that make a figure."""
    lines = [line.strip() for line in page.read_text().splitlines()]
    return [line for line in lines if line.startswith("plimsoll ") and " --vega figures/" in line]


def problem_of(program, command, kept):
    words = shlex.split(command)
    name = words[words.index("--vega") + 1]
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "figures").mkdir()
        result = subprocess.run([program, *words[1:]], cwd=folder, capture_output=True, text=True)
        if result.returncode != 0:
            return result.stderr.strip()
        made = json.loads(pathlib.Path(folder, name).read_text())
    return "" if made == json.loads((kept / name).read_text()) else f"{name} is another figure now"


def main(program, folder):
    made, failed = 0, []
    for page in sorted(pathlib.Path(folder).glob("*.md")):
        for command in commands(page):
            made += 1
            problem = problem_of(program, command, pathlib.Path(folder))
            if problem:
                failed.append(f"{page.name}: {command}\n    {problem}")
    print("\n".join(failed))
    print(f"{made - len(failed)} of {made} figures are as kept")
    return 1 if failed or made == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
