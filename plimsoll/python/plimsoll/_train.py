"""What trains networks: the program is started, and its progress comes line by line."""

from __future__ import annotations

import os
import pathlib
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from plimsoll._ask import Count, ask, flags
from plimsoll._program import Say, run
from plimsoll._results import FitAnswer, TrainSummary

Path = str | os.PathLike[str]


class Fit(FitAnswer):
    """What a fit decided: fit.json."""

    @classmethod
    def load(cls, folder: Path) -> Fit:
        """The answer in the folder of a fit."""
        return cls.from_dict(ask(["report", os.fspath(folder)]))


def fit(
    data: Path | Sequence[Path] | None = None,
    *,
    params: Count | None = None,
    time: str | None = None,
    flops: Count | None = None,
    families: Sequence[str] | None = None,
    style: str | None = None,
    vocab: Sequence[int] | str | None = None,
    context: int | None = None,
    recipe: Path | None = None,
    device: str | None = None,
    out: Path | None = None,
    seed: int | None = None,
    workers: int | None = None,
    say: Say | None = None,
) -> Fit:
    """Data and a budget in, a network with its evidence out, as `plimsoll fit`; the same call resumes a fit that
    was stopped."""
    files = [] if data is None else [data] if isinstance(data, (str, os.PathLike)) else list(data)
    words = flags(params=params, time=time, flops=flops, families=families, style=style, vocab=vocab)
    words += flags(context=context, recipe=recipe, device=device, out=out, seed=seed, workers=workers)
    return Fit.from_dict(run(["fit", *(os.fspath(file) for file in files), *words], say))


def train(
    config: Path | Mapping[str, Any],
    *,
    set: Mapping[str, Any] | None = None,
    device: str | None = None,
    runs: Path | None = None,
    say: Say | None = None,
) -> TrainSummary:
    """The run of a run.toml, or of a dict with its sections, as `plimsoll train`."""
    words = [f"--set={key}={_plain(value)}" for key, value in (set or {}).items()]
    words += flags(device=device, runs=runs)
    if not isinstance(config, Mapping):
        return TrainSummary.from_dict(run(["train", os.fspath(config), *words], say))
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "run.toml"
        file.write_text(_toml(config), encoding="utf-8")
        return TrainSummary.from_dict(run(["train", os.fspath(file), *words], say))


def sweep(
    file: Path, *, device: str | None = None, workers: int | None = None, runs: Path | None = None, say: Say | None = None
) -> dict[str, Any]:
    """The missing runs of a sweep.toml, as `plimsoll sweep run --json`."""
    document: dict[str, Any] = run(
        ["sweep", "run", os.fspath(file), *flags(device=device, workers=workers, runs=runs)], say
    )
    return document


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _quoted(value: Any) -> str:
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value).replace("\\", "\\\\").replace('"', '\\"')
        return f'"{text}"'
    return _plain(value)


def _toml(config: Mapping[str, Any]) -> str:
    scalars = {key: value for key, value in config.items() if not isinstance(value, Mapping)}
    lines = [f"{key} = {_quoted(value)}" for key, value in scalars.items()]
    for name, section in config.items():
        if isinstance(section, Mapping):
            lines += [f"[{name}]", *(f"{key} = {_quoted(value)}" for key, value in section.items())]
    return "\n".join(lines) + "\n"
