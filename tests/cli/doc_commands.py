#!/usr/bin/env python3
"""Runs every command line `plimsoll ...` that stands on a line of its own in the docs: each must succeed."""
import pathlib
import re
import shlex
import subprocess
import sys


def commands(page):
    """The runnable lines of a page; lines with a placeholder (... or a word in capitals after a space) are prose."""
    for line in page.read_text().splitlines():
        text = line.strip().removeprefix("$ ").removeprefix("bin/")
        if re.match(r"plimsoll (bounds|capacity|count|doctor) ", text) and "..." not in text and not re.search(r" (SPEC|ID|FILE|N)\b", text):
            yield text


def main(program, *folders):
    ran, failed = 0, []
    for folder in folders:
        for page in sorted(pathlib.Path(folder).glob("*.md")):
            for command in commands(page):
                words = [program, *shlex.split(command)[1:]]
                result = subprocess.run(words, capture_output=True, text=True)
                ran += 1
                if result.returncode not in (0, 1):
                    failed.append(f"{page.name}: {command}\n    {result.stderr.strip()}")
    print("\n".join(failed))
    print(f"{ran - len(failed)} of {ran} commands of the docs succeed")
    return 1 if failed or ran == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
