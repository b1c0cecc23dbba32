"""The runs of a folder as columns.

>>> import pathlib, tempfile
>>> from plimsoll import runs
>>> runs.table(tempfile.mkdtemp())
{'id': array([], dtype=float64)}
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plimsoll._ask import ask, flags


def table(
    folder: str | os.PathLike[str] | None = None,
    *,
    where: str | Sequence[str] = (),
    columns: Sequence[str] | None = None,
    sort: str | None = None,
    limit: int | None = None,
) -> dict[str, NDArray[Any]]:
    """A column of numbers or words for each key, ready for pandas.DataFrame; a number that is missing is NaN."""
    conditions = [where] if isinstance(where, str) else where
    words = ["runs", "list", "--no-index", *(f"--where={one}" for one in conditions)]
    words += flags(runs=folder, columns=columns, sort=sort, limit=limit)
    rows = ask(words)["rows"]
    keys = list(dict.fromkeys(key for row in rows for key in row)) or ["id"]
    return {key: _column([row.get(key) for row in rows]) for key in keys}


def show(run: str, folder: str | os.PathLike[str] | None = None) -> dict[str, Any]:
    """Settings, state and numbers of one run, as `plimsoll runs show --json`."""
    document: dict[str, Any] = ask(["runs", "show", run, "--no-index", *flags(runs=folder)])
    return document


def _column(values: list[Any]) -> NDArray[Any]:
    if all(value is None or isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
        if values and all(isinstance(value, int) for value in values):
            return np.array(values)
        return np.array([np.nan if value is None else value for value in values], dtype=float)
    return np.array(["" if value is None else value for value in values], dtype=object)
