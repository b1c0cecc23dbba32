"""The program plimsoll, for what runs as a process of its own: training, and calculations that may take long."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from plimsoll._ask import Progress, ask
from plimsoll._errors import NotFound, error_of

Say = Callable[[str], None]
STOPPED = 75  # the exit code of a program that was asked to stop; the same command resumes


def find_program() -> str:
    """$PLIMSOLL_BIN, the one inside the package, the one of this build or of this prefix, or the one on the PATH."""
    here = pathlib.Path(__file__).resolve().parent
    homes = [here, *list(here.parents)[1:4:2]]  # BUILD/python/plimsoll, PREFIX/lib/python3/dist-packages/plimsoll
    for place in (os.environ.get("PLIMSOLL_BIN"), *(home / "bin" / "plimsoll" for home in homes)):
        if place and os.access(place, os.X_OK) and not os.path.isdir(place):
            return os.fspath(place)
    found = shutil.which("plimsoll")
    if found:
        return found
    raise NotFound("plimsoll: no such program; set PLIMSOLL_BIN to it, or install the package plimsoll", "plimsoll")


def run(words: Sequence[str], say: Say | None = None) -> Any:
    """The document that `plimsoll WORDS --json` prints. Every line of its progress goes to `say`; what that raises ends
    the program. Ctrl-C asks the program to stop, which leaves what it has so that the same call resumes."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        process = subprocess.Popen(
            [find_program(), *words, "--json"],
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,  # Ctrl-C reaches it from here, once
        )
        try:
            last = _listen(process, say)
            code = process.wait()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            _listen(process, None)
            process.wait()
            raise
        finally:
            _end(process)
        output.seek(0)
        return _document(output.read(), code, last)


def compute(words: Sequence[str], progress: Progress | None) -> Any:
    """The document of a calculation that may take long: by the program, so that Ctrl-C ends it at once, or in this
    process where there is no program."""
    try:
        find_program()
    except NotFound:
        return ask(words, progress)
    return run([*words, "--verbose"], lambda line: _heard(line, progress))


def _heard(line: str, progress: Progress | None) -> None:
    """A line of progress, "measuring  42 %  3 s left", or a note."""
    if line.startswith("note: "):
        warnings.warn(line.removeprefix("note: "), stacklevel=6)
    working = re.search(r"  (?:(\d+) %|\d+ s$)", line)  # or, until it is known how far it is, for how long
    if working and progress:
        progress(int(working.group(1) or 0), 100)


def _listen(process: subprocess.Popen[str], say: Say | None) -> list[str]:
    """Hears the program until it has ended; the last lines."""
    last: list[str] = []
    assert process.stderr is not None
    for line in process.stderr:
        last = [*last[-4:], line.rstrip("\n")]
        if say:
            say(last[-1])
    return last


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.kill()
        process.wait()
    if process.stderr is not None:
        process.stderr.close()


def _document(text: str, code: int, last: Sequence[str]) -> Any:
    try:
        document = json.loads(text)
    except ValueError:
        document = None
    error = document.get("error") if isinstance(document, dict) else None
    if isinstance(error, dict):
        raise error_of(code, error.get("where", ""), error["message"])
    if document is None or (code not in (0, 1, STOPPED)):
        raise error_of(code, "", "\n".join(last) or f"plimsoll ended with {code}")
    return document

