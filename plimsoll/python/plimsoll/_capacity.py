"""Capacity against depth, as arrays that the calculation filled."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from plimsoll import _core
from plimsoll._ask import Count, Progress, text_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_COLUMNS = (
    "depth",
    "width",
    "parameters",
    "log3_capacity",
    "log3_proved_lower",
    "knee",
    "published_threshold",
    "certified_lower",
    "certified_upper",
)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Capacity:
    """The widest network of each depth that a budget pays for; a column for each number of --json, NaN where nothing
    is certified. The arrays are read-only."""

    params: int
    context: int | None
    vocab: int | None
    past_threshold: int | None
    past_knee: int | None
    string_cap_log3: float | None
    saturated: int | None
    depth: NDArray[np.int64]
    width: NDArray[np.int64]
    parameters: NDArray[np.int64]
    log3_capacity: NDArray[np.float64]
    log3_proved_lower: NDArray[np.float64]
    knee: NDArray[np.float64]
    published_threshold: NDArray[np.float64]
    certified_lower: NDArray[np.float64]
    certified_upper: NDArray[np.float64]
    vega_lite: dict[str, Any]

    def __len__(self) -> int:
        return len(self.depth)

    def __repr__(self) -> str:
        return f"Capacity(params={self.params}, context={self.context}, {len(self)} depths)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Capacity) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.params, self.context, self.vocab, len(self)))

    def to_dict(self) -> dict[str, Any]:
        """The document of `plimsoll capacity --json`."""
        facts = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        facts.pop("vega_lite")
        columns = [facts.pop(name).tolist() for name in _COLUMNS]
        rows = [dict(zip(_COLUMNS, row, strict=True)) for row in zip(*columns, strict=True)]
        points = [{name: value for name, value in row.items() if value == value} for row in rows]  # without NaN
        return {"format": "plimsoll-capacity-1", **facts, "points": points}

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        figure = _for_notebook(self.vega_lite)
        return {"application/vnd.vegalite.v5+json": figure, "text/plain": repr(self), "text/html": self._repr_html_()}

    def _repr_html_(self) -> str:
        from plimsoll._record import _STYLE, _table

        rows = [
            [int(self.depth[i]), int(self.width[i]), float(self.log3_capacity[i]), float(self.knee[i])]
            for i in range(min(len(self), 30))
        ]
        return _STYLE + _table(repr(self), ["depth", "width", "capacity, log3", "knee T"], rows)


def _for_notebook(spec: dict[str, Any]) -> dict[str, Any]:
    """The figure on the notebook's own background, in colours that are seen on a light one and on a dark one."""
    blue, grey = "#3E86C6", "#888888"
    axis = {"labelColor": grey, "titleColor": grey, "domainColor": grey, "tickColor": grey, "gridColor": grey + "33"}
    layers = []
    for layer in spec["layer"]:
        mark = {**layer["mark"], "color": blue if layer["mark"]["type"] == "line" else grey}
        x = {**layer["encoding"]["x"], "scale": {"type": "log", "nice": False}}
        layers.append({**layer, "mark": mark, "encoding": {**layer["encoding"], "x": x}})
    config = {"background": None, "view": {"stroke": None}, "axis": axis, "title": {"color": grey}}
    return {**spec, "layer": layers, "config": config}


def capacity(
    params: Count = 100_000_000,
    *,
    context: int | None = None,
    vocab: int | None = None,
    max_depth: int = 256,
    certify: Sequence[int] | None = None,
    progress: Progress | None = None,
) -> Capacity:
    """Capacity of every depth up to `max_depth` at a fixed budget; the depths of `certify` get proved ends (default:
    those that the command line shows).

    >>> curve = capacity("1M", max_depth=8)
    >>> curve.depth.tolist()
    [1, 2, 3, 4, 5, 6, 7, 8]
    >>> bool((curve.log3_capacity[1:] > curve.log3_capacity[:-1]).all())
    True
    """
    budget = _core.count_of(text_of(params), "params")
    if certify is None:
        certify = _core.table_depths(max_depth)
    columns, facts, vega_lite = _core.capacity_arrays(budget, context, vocab, max_depth, list(certify), progress)
    for column in columns.values():
        column.flags.writeable = False
    values: dict[str, Any] = {**facts, **columns}
    return Capacity(params=budget, context=context, vocab=vocab, vega_lite=vega_lite, **values)
