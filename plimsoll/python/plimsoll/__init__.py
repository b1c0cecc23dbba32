"""How deep and how wide should a network be, for its data and its budget?

>>> import plimsoll
>>> model = plimsoll.audit("gpt2")
>>> model.depth, model.width, model.parameters
(12, 768, 124439808)
>>> plimsoll.advise(params="100M").answer.depth
16
"""

from __future__ import annotations

import importlib
import json
import os
import pathlib
import tempfile
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from plimsoll import _core
from plimsoll._ask import Count, Progress, ask, flags
from plimsoll._errors import BadInput, IoError, NotFound, PlimsollError, Unsupported
from plimsoll._program import Say, compute
from plimsoll._record import Record
from plimsoll._results import (
    Advice,
    Audit,
    Bound,
    Bounds,
    Claims,
    CountReport,
    Rank,
    RankTable,
    SupInf,
    TrainSummary,
    Verdicts,
    Zoo,
)

__version__ = _core.version
Path = str | os.PathLike[str]


@runtime_checkable
class HasConfig(Protocol):
    """A model of transformers: what it computes is in its config."""

    config: Any


@runtime_checkable
class HasDict(Protocol):
    """A config of transformers."""

    def to_dict(self) -> dict[str, Any]:
        """The content of config.json."""
        ...


Model = Path | Mapping[str, Any] | HasDict | HasConfig


def audit(
    model: Model,
    *,
    context: Count | None = None,
    weights: bool = False,
    max_memory: str | None = None,
    runs: Path | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Whether a model is bottlenecked, and where: a path or name as the command line takes it, the content of a
    config.json, a config or a model of transformers.

    >>> audit({"model_type": "gpt2", "n_layer": 2, "n_embd": 64, "n_head": 2}).depth
    2
    """
    options = flags(context=context, weights=weights, max_memory=max_memory, runs=runs)
    if isinstance(model, (str, os.PathLike)):
        return Audit.from_dict(ask(["audit", os.fspath(model), *options], progress))
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "config.json"
        file.write_text(json.dumps(_config_of(model), default=str), encoding="utf-8")
        return Audit.from_dict(ask(["audit", os.fspath(file), *options], progress))


def _config_of(model: Mapping[str, Any] | HasDict | HasConfig) -> dict[str, Any]:
    if isinstance(model, Mapping):
        return dict(model)
    if isinstance(model, HasDict):
        return model.to_dict()
    content: dict[str, Any] = model.config.to_dict()
    return {**content, "architectures": [type(model).__name__]}  # the class says which head it has


def advise(
    params: Count | None = None,
    *,
    flops: Count | None = None,
    gpu_hours: float | None = None,
    gpu: str | None = None,
    by: str | None = None,
    family: str | None = None,
    vocab: Count | None = None,
    context: Count | None = None,
    patch: str | None = None,
    image: str | None = None,
    classes: Count | None = None,
    multiple_of: int | None = None,
    head_dim: Sequence[int] | int | None = None,
    block: str | None = None,
    embedding_rank: int | str | None = None,
) -> Advice:
    """A shape for a budget, and why.

    >>> advise("10M", vocab=8000, context=512).answer.width
    192
    """
    words = flags(params=params, flops=flops, gpu_hours=gpu_hours, gpu=gpu, by=by, family=family, vocab=vocab)
    words += flags(context=context, patch=patch, image=image, classes=classes, multiple_of=multiple_of)
    words += flags(head_dim=head_dim, block=block, embedding_rank=embedding_rank)
    return Advice.from_dict(ask(["advise", *words]))


def count(
    spec: str, *, context: Count | None = None, batch: int | None = None, bytes_per_value: int | None = None
) -> CountReport:
    """Parameters, FLOPs and bytes of an architecture.

    >>> count("transformer:depth=12,width=768,heads=12,vocab=50257").parameters
    124439808
    """
    words = flags(context=context, batch=batch, bytes_per_value=bytes_per_value)
    return CountReport.from_dict(ask(["count", spec, *words]))


def bounds(
    what: str | None = None, *, context: Count | None = None, digits: int | None = None, **inputs: int | str
) -> Bounds | Bound | Claims:
    """What the theorems say: of a spec or a model, of one id with its inputs, or all ids.

    >>> bounds("LEVINE-T3", L=3, dx=8, H=2).id
    'LEVINE-T3'
    >>> len(bounds().rows) > 50
    True
    """
    if what is None:
        return Claims.from_dict(ask(["bounds", "--list"]))
    words = [what, *(f"{name}={value}" for name, value in inputs.items())]
    document = ask(["bounds", *words, *flags(context=context, digits=digits)])
    return Bounds.from_dict(document) if "bounds" in document else Bound.from_dict(document)


def rank(
    spec: str,
    *,
    positions: int | None = None,
    left: Sequence[int] | str | None = None,
    partition: str | None = None,
    output: str | None = None,
    prime: int | None = None,
    seeds: int | None = None,
    max_size: int | None = None,
    max_memory: str | None = None,
    threads: int | None = None,
    construction: str | None = None,
    sup_inf: bool = False,
    progress: Progress | None = None,
) -> Rank | SupInf:
    """The separation rank of a polynomial network, measured exactly, in a process of its own: other threads run
    meanwhile, Ctrl-C ends it at once, and so does an exception of `progress`.

    >>> rank("attention:depth=1,width=2,heads=1", positions=4).rank
    3
    """
    words = flags(positions=positions, left=left, partition=partition, output=output, prime=prime, seeds=seeds)
    words += flags(max_size=max_size, max_memory=max_memory, threads=threads, construction=construction)
    document = compute(["rank", spec, *words, *flags(sup_inf=sup_inf)], progress)
    return SupInf.from_dict(document) if sup_inf else Rank.from_dict(document)


def rank_table(table: str, *, positions: str | int | None = None, progress: Progress | None = None) -> RankTable:
    """The ranks of specs with ranges, as `plimsoll rank --table`."""
    return RankTable.from_dict(compute(["rank", f"--table={table}", *flags(positions=positions)], progress))


def verify(
    claims: Sequence[str] = (), *, effort: str | None = None, progress: Progress | None = None
) -> Verdicts:
    """The papers' claims and ours put to the test by measurements."""
    words = flags(claim=list(claims) or None, effort=effort)
    return Verdicts.from_dict(compute(["verify", *words], progress))


def zoo(*, filter: str | Sequence[str] = (), sort: str | None = None) -> Zoo:
    """Published models: their shapes, and how each is known.

    >>> zoo(filter="family=gpt2").rows[0].name
    'gpt2'
    """
    filters = [filter] if isinstance(filter, str) else filter
    return Zoo.from_dict(ask(["zoo", *(f"--filter={one}" for one in filters), *flags(sort=sort)]))


from plimsoll import data  # noqa: E402
from plimsoll._capacity import Capacity, capacity  # noqa: E402
from plimsoll._train import Fit, fit, sweep, train  # noqa: E402

if TYPE_CHECKING:
    from plimsoll import runs, tokenizers


def __getattr__(name: str) -> Any:
    if name in ("runs", "tokenizers"):  # they import numpy, which takes longer than all the rest
        return importlib.import_module(f"plimsoll.{name}")
    raise AttributeError(f"module 'plimsoll' has no attribute {name!r}")

__all__ = [
    "Advice",
    "Audit",
    "BadInput",
    "Bound",
    "Bounds",
    "Capacity",
    "Claims",
    "Count",
    "CountReport",
    "Fit",
    "IoError",
    "Model",
    "NotFound",
    "PlimsollError",
    "Progress",
    "Rank",
    "RankTable",
    "Record",
    "Say",
    "SupInf",
    "TrainSummary",
    "Unsupported",
    "Verdicts",
    "Zoo",
    "advise",
    "audit",
    "bounds",
    "capacity",
    "count",
    "data",
    "fit",
    "rank",
    "rank_table",
    "runs",
    "sweep",
    "tokenizers",
    "train",
    "verify",
    "zoo",
]
