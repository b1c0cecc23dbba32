#!/usr/bin/env python3
"""examples_test.py PAGE: the examples in the docstrings of the package, and those of a page, do what they say."""
import doctest
import importlib
import pathlib
import sys
import tempfile
import os

MODULES = ["plimsoll", "plimsoll._capacity", "plimsoll.data", "plimsoll.runs", "plimsoll.tokenizers"]


def main(page):
    page = pathlib.Path(page).resolve()
    os.chdir(tempfile.mkdtemp())
    failed = attempted = 0
    for name in MODULES:
        outcome = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
        failed, attempted = failed + outcome.failed, attempted + outcome.attempted
    outcome = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    failed, attempted = failed + outcome.failed, attempted + outcome.attempted
    print(f"{attempted} examples, {failed} failed")
    return 1 if failed or attempted < 30 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
