"""Data sets: what a file or folder holds.

>>> from plimsoll import data
>>> data.info("synthetic:grammar")["name"]
'synthetic:grammar,bytes=1000000,nouns=2000,seed=1'
"""

from __future__ import annotations

import os
from typing import Any

from plimsoll._ask import ask, flags


def info(
    target: str | os.PathLike[str],
    *,
    kind: str | None = None,
    field: str | None = None,
    columns: str | None = None,
    label: str | None = None,
    vocab: int | None = None,
) -> dict[str, Any]:
    """As what a set is read, counts, labels, duplicates and damage, as `plimsoll data info --json`; what a document
    has depends on the kind of set."""
    words = ["data", "info", os.fspath(target)]
    document: dict[str, Any] = ask(
        words + flags(kind=kind, field=field, columns=columns, label=label, vocab=vocab)
    )
    return document
