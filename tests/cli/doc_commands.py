#!/usr/bin/env python3
"""Runs every command line `plimsoll ...` that stands on a line of its own in the docs: each must give what the page says."""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

VERBS = r"plimsoll (advise|audit|bounds|capacity|count|data|doctor|export|fit|rank|report|reproduce|tokenize|zoo) "


def commands(page):
    """The runnable lines of a page as (command, value or ""): a value may follow its command after three spaces or more,
    an error stands on the line below. Lines with a placeholder (... or a word in capitals), or with a file that a console block makes, are prose."""
    lines = page.read_text().splitlines()
    for line, below in zip(lines, lines[1:] + [""]):
        text = line.strip().removeprefix("$ ").removeprefix("bin/")
        command, _, value = re.sub(r" {3,}", "\n", text).partition("\n")
        if re.match(VERBS, command) and "..." not in command and not re.search(r" (SPEC|ID|FILE|FOLDER|RUN|N)\b| \w+\.json\b", command):
            yield command, below if below.startswith("error: ") else value.strip()


def needs_torch(command):
    return "--numeric" in command or command.startswith("plimsoll fit ")


def says(output, value):
    """Whether the JSON output has the value: digits may be cut ("6.28.."), lists stand with spaces, "none" is null."""
    value = re.sub(r"\s+\(.*\)$", "", value)
    if value == "none":
        return '"null": true' in output
    if " " in value:
        return re.findall(r'"(\d+)"', output.partition('"output"')[2]) == value.split()
    return f'"{value.removesuffix("..")}' in output if "." in value else f'"{value}"' in output


def problem_of(program, command, value):
    fails = value.startswith("error: ")
    words = [program, *shlex.split(command)[1:]] + (["--json"] if value and not fails else [])
    result = subprocess.run(words, capture_output=True, text=True)
    if fails:
        return "" if result.returncode and value in result.stderr else f"the page says {value}, not {result.stderr.strip()}"
    if result.returncode not in (0, 1):
        return result.stderr.strip()
    if value and not says(result.stdout, value):
        return f"the page says {value}, the program {' '.join(result.stdout.split())[:300]}"
    return ""


def main(program, *folders):
    program, folders = os.path.abspath(program), [os.path.abspath(folder) for folder in folders]
    with tempfile.TemporaryDirectory() as room:  # for what the commands write
        os.chdir(room)
        return run_all(program, folders)


def run_all(program, folders):
    ran, failed = 0, []
    for folder in folders:
        for page in sorted(pathlib.Path(folder).glob("*.md")):
            for command, value in commands(page):
                if needs_torch(command) and not pathlib.Path(program).with_name("plimsoll-torch").exists():
                    continue
                ran += 1
                problem = problem_of(program, command, value)
                if problem:
                    failed.append(f"{page.name}: {command}\n    {problem}")
    print("\n".join(failed))
    print(f"{ran - len(failed)} of {ran} commands of the docs succeed")
    return 1 if failed or ran == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
