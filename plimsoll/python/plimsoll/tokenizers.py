"""Byte-level BPE tokenizers: trained, read, applied.

>>> import pathlib, tempfile
>>> from plimsoll import tokenizers
>>> text = pathlib.Path(tempfile.mkdtemp()) / "text"
>>> _ = text.write_text("the cat sat on the mat, the cat sat")
>>> tokenizer = tokenizers.train([text], vocab=260)
>>> len(tokenizer)
260
>>> ids = tokenizer.encode("the cat")
>>> ids.dtype, tokenizer.decode(ids)
(dtype('uint32'), 'the cat')
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plimsoll import _core
from plimsoll._ask import Progress

Path = str | os.PathLike[str]


class Tokenizer:
    """A tokenizer; several threads may use one."""

    def __init__(self, core: _core.Tokenizer) -> None:
        self._core = core

    def __len__(self) -> int:
        return self._core.size

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tokenizer) and self._core.same_as(other._core)

    def __hash__(self) -> int:
        return hash(self._core.size)

    def __repr__(self) -> str:
        return f"Tokenizer({len(self)} tokens)"

    def encode(self, text: str | bytes, *, specials_as_text: bool = False) -> NDArray[np.uint32]:
        """The ids of a text, without the GIL."""
        return self._core.encode(text, specials_as_text)

    def encode_many(
        self, texts: Sequence[str | bytes], *, threads: int | None = None, specials_as_text: bool = False
    ) -> list[NDArray[np.uint32]]:
        """The ids of each text, on `threads` threads (default: one a core)."""
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(lambda text: self._core.encode(text, specials_as_text), texts))

    def encode_file(
        self,
        path: Path,
        *,
        threads: int = 0,
        unit: str = "file",
        specials_as_text: bool = False,
        progress: Progress | None = None,
    ) -> NDArray[np.uint32]:
        """The ids of a text file, plain or compressed, on `threads` threads (0: all)."""
        return self._core.encode_file(os.fspath(path), threads, unit, specials_as_text, progress)

    def decode(self, ids: ArrayLike) -> str:
        """The text of ids; bytes that are no UTF-8 show as U+FFFD."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_bytes(self, ids: ArrayLike) -> bytes:
        """The exact bytes of ids."""
        return self._core.decode(np.ascontiguousarray(ids, dtype=np.uint32))

    def token(self, id: int) -> bytes:
        """The bytes of one token."""
        return self._core.token(id)

    def save(self, path: Path, *, format: str = "json") -> None:
        """Writes tokenizer.json, or with format="tiktoken" a file of ranks."""
        if format not in ("json", "tiktoken"):
            raise ValueError(f"format: must be json or tiktoken, got {format!r}")
        self._core.save(os.fspath(path), format == "tiktoken")


def train(
    files: Sequence[Path],
    *,
    vocab: int,
    specials: Sequence[str] = ("<|endoftext|>",),
    pretokenizer: str = "gpt2",
    min_frequency: int = 1,
    allow_smaller: bool = False,
    threads: int = 0,
    progress: Progress | None = None,
) -> Tokenizer:
    """Learns a vocabulary from text files, as `plimsoll tokenize train`."""
    paths = [os.fspath(file) for file in files]
    return Tokenizer(
        _core.train_tokenizer(
            paths, vocab, list(specials), pretokenizer, min_frequency, allow_smaller, threads, progress
        )
    )


def read(path: Path) -> Tokenizer:
    """Reads tokenizer.json, a folder with GPT-2's two files, or a file of tiktoken ranks."""
    return Tokenizer(_core.read_tokenizer(os.fspath(path)))
