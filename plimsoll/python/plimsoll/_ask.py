"""The words of a command line from the arguments of a function."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from plimsoll import _core

Progress = Callable[[int, int], None]
Count = int | float | str  # 100_000_000, 1e8 or "100M"


def flags(**values: Any) -> list[str]:
    """--name=value for each that is given; True is the flag alone."""
    words = []
    for name, value in values.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        words.append(flag if value is True else f"{flag}={text_of(value)}")
    return words


def text_of(value: Any) -> str:
    """A value as the command line takes it: lists with commas between."""
    if isinstance(value, (list, tuple)):
        return ",".join(text_of(item) for item in value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def ask(words: Sequence[str], progress: Progress | None = None) -> Any:
    """The document of `plimsoll WORDS --json`, computed in this process."""
    document, notes = _core.answer(list(words), progress)
    for note in notes:
        warnings.warn(note, stacklevel=3)
    return document
