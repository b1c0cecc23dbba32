#!/usr/bin/env python3
"""man_pages.py PLIMSOLL: groff formats the manual page of every verb without a warning, and it has every flag of --help."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def main(program):
    if shutil.which("groff") is None:
        print("skipped: no groff here")
        return 0
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "help", "--man", folder], check=True)
        pages = sorted(pathlib.Path(folder).glob("*.1"))
        for page in pages:
            made = subprocess.run(["groff", "-man", "-Tutf8", "-wall", "-rLL=78n", str(page)], capture_output=True, text=True)
            if made.stderr:
                wrong.append(f"{page.name}: {made.stderr.splitlines()[0]}")
            text = re.sub("\x1b\\[[0-9;]*m|.\b", "", made.stdout)
            verb = page.stem.removeprefix("plimsoll").removeprefix("-")
            helped = subprocess.run([program, *([verb] if verb else []), "--help"], capture_output=True, text=True).stdout
            flags = re.findall(r"^  (?:-\w, )?(--[\w-]+)", helped, re.M)
            wrong += [f"{page.name}: lacks {flag}" for flag in flags if flag not in text]
    print("\n".join(wrong) if wrong else f"{len(pages)} pages")
    return 1 if wrong or len(pages) < 20 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
