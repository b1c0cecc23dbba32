from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

version: str

_Progress = Callable[[int, int], None] | None

def answer(words: Sequence[str], progress: _Progress) -> tuple[Any, list[str]]: ...
def capacity_arrays(
    params: int,
    context: int | None,
    vocab: int | None,
    max_depth: int,
    certify: Sequence[int],
    progress: _Progress,
) -> tuple[dict[str, NDArray[Any]], dict[str, Any], dict[str, Any]]: ...

class Tokenizer:
    def encode(self, text: str | bytes, specials_as_text: bool) -> NDArray[np.uint32]: ...
    def encode_file(
        self, path: str, threads: int, unit: str, specials_as_text: bool, progress: _Progress
    ) -> NDArray[np.uint32]: ...
    def decode(self, ids: NDArray[np.uint32]) -> bytes: ...
    def token(self, id: int) -> bytes: ...
    def save(self, path: str, ranks: bool) -> None: ...
    def same_as(self, other: Tokenizer) -> bool: ...
    @property
    def size(self) -> int: ...

def read_tokenizer(path: str) -> Tokenizer: ...
def train_tokenizer(
    files: Sequence[str],
    vocab: int,
    specials: Sequence[str],
    pretokenizer: str,
    min_frequency: int,
    allow_smaller: bool,
    threads: int,
    progress: _Progress,
) -> Tokenizer: ...
def count_of(text: str, where: str) -> int: ...
def table_depths(deepest: int) -> list[int]: ...
