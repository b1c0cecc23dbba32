#!/usr/bin/env python3
"""types_test.py PACKAGE: mypy --strict accepts the package and a right use of it, and refuses a wrong one."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

RIGHT = """
import plimsoll
depth: int | None = plimsoll.audit("gpt2").depth
width: int = plimsoll.advise("100M").answer.width
readings: list[str] = [finding.reading for finding in plimsoll.audit("gpt2").findings]
curve = plimsoll.capacity("1M").log3_capacity.max()
tokens = plimsoll.tokenizers.read("tokenizer.json").encode("text").sum()
"""
WRONG = """
import plimsoll
plimsoll.audit("gpt2").dept
width: str = plimsoll.advise("100M").answer.width
plimsoll.capacity(parameters="1M")
"""


def mypy(*files):
    command = ["/usr/bin/mypy", "--strict", "--cache-dir", tempfile.mkdtemp(), *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True)


def main(package):
    if shutil.which("/usr/bin/mypy") is None:
        print("skipped: no mypy here")
        return 0
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "right.py").write_text(RIGHT)
    (folder / "wrong.py").write_text(WRONG)
    right = mypy(package, folder / "right.py")
    print(right.stdout, right.stderr)
    wrong = mypy(folder / "wrong.py")
    print(wrong.stdout)
    refused = wrong.stdout.count("error:")
    return 0 if right.returncode == 0 and refused == 3 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
