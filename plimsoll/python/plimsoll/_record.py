"""What every result has in common: frozen, compared by value, shown well."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeVar

Self = TypeVar("Self", bound="Record")

_STYLE = (
    "<style>.plimsoll{border-collapse:collapse;font-size:13px;color:inherit}.plimsoll td,.plimsoll th"
    "{padding:2px 10px;text-align:left;vertical-align:top;border-bottom:1px solid #8886;background:transparent;"
    "color:inherit;max-width:44em}"
    ".plimsoll th{font-weight:600}.plimsoll .n{text-align:right;font-variant-numeric:tabular-nums}"
    "details.plimsoll{font-size:13px;padding:2px 10px}"
    ".plimsoll caption{text-align:left;font-weight:600;padding:4px 10px;color:inherit}</style>"
)
_MOST_ROWS = 30
_LONG, _FEW = 70, 3  # text of more characters is folded away below its table, where that leaves it three columns


class Record:
    """A frozen result; the names are those of --json. Not a dataclass: making a hundred of those takes longer than
    importing all the rest."""

    _fields: ClassVar[tuple[str, ...]] = ()
    _nested: ClassVar[Mapping[str, type[Record]]] = {}  # by key: the class of an object, or of a list's items
    _names: ClassVar[Mapping[str, str]] = {}  # keys that are no names of Python
    _given: frozenset[str]  # keys that the document had

    @classmethod
    def from_dict(cls: type[Self], document: Mapping[str, Any]) -> Self:
        """The result of a document of --json."""
        made = cls.__new__(cls)
        values: dict[str, Any] = dict.fromkeys(cls._fields)
        for key, value in document.items():
            values[cls._names.get(key, key)] = _frozen(value, cls._nested.get(key))
        made.__dict__.update(values, _given=frozenset(document))
        return made

    def to_dict(self) -> dict[str, Any]:
        """The document of --json again."""
        keys = {name: key for key, name in self._names.items()}
        named = ((keys.get(name, name), value) for name, value in self._values())
        return {key: _thawed(value) for key, value in named if key in self._given}

    def _values(self) -> list[tuple[str, Any]]:
        return [(name, getattr(self, name)) for name in self._fields]

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; to_dict() gives a copy that is not")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(tuple(self._values()))

    def __repr__(self) -> str:
        parts = [f"{name}={_short(value)}" for name, value in self._shown() if value is not None]
        return f"{type(self).__name__}({', '.join(parts)})"

    def _shown(self) -> list[tuple[str, Any]]:
        return [(name, value) for name, value in self._values() if name != "format"]

    def _repr_html_(self) -> str:
        shown = [(name, value) for name, value in self._shown() if value is not None and value != ()]
        facts = [[name, _words(value)] for name, value in shown if not _is_rows(value)]
        tables = [(name, value) for name, value in shown if _is_rows(value)]
        head = _table(type(self).__name__, [], facts)
        return _STYLE + head + "".join(_rows_html(name, rows) for name, rows in tables)


def _frozen(value: Any, nested: type[Record] | None) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(item, nested) for item in value)
    if nested is not None and isinstance(value, dict):
        return nested.from_dict(value)
    return value


def _thawed(value: Any) -> Any:
    if isinstance(value, Record):
        return value.to_dict()
    return [_thawed(item) for item in value] if isinstance(value, tuple) else value


def _is_rows(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) > 0 and isinstance(value[0], Record)


def _short(value: Any) -> str:
    if _is_rows(value):
        return f"<{len(value)} {type(value[0]).__name__}>"
    if isinstance(value, float):
        return f"{value:.6g}"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _words(value: Any) -> str:
    """A value as people read it: text as it is, numbers in groups of three, a record as "name value, ..."."""
    if isinstance(value, str):
        return value
    if _is_number(value):
        whole = value == int(value) if abs(value) < 1e15 else isinstance(value, int)
        return f"{value:,.0f}" if whole and abs(value) >= 100_000 else f"{value:.4g}" if not whole else f"{value:.0f}"
    if isinstance(value, Record):
        return ", ".join(f"{name.rstrip('_')} {_words(one)}" for name, one in value._shown() if one is not None)
    if isinstance(value, tuple) and not _is_rows(value):
        return ", ".join(_words(one) for one in value)
    return "" if value is None else _short(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _cell(value: Any) -> str:
    kind = ' class="n"' if _is_number(value) else ""
    return f"<td{kind}>{html.escape(_words(value))}</td>"


def _table(caption: str, headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    numbers = [any(_is_number(row[i]) for row in rows) for i in range(len(headings))]
    cells = zip(headings, numbers, strict=True)
    head = "".join(f'<th{" class=n" if number else ""}>{html.escape(name)}</th>' for name, number in cells)
    body = "".join("<tr>" + "".join(_cell(value) for value in row) + "</tr>" for row in rows)
    title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f'<table class="plimsoll">{title}{f"<tr>{head}</tr>" if head else ""}{body}</table>'


def _rows_html(name: str, rows: Sequence[Record]) -> str:
    first = rows[:_MOST_ROWS]
    names = [key for key, value in rows[0]._shown() if not isinstance(value, (tuple, dict, Record))]
    names = [key for key in names if any(getattr(row, key) is not None for row in first)]
    long = [key for key in names if any(len(str(getattr(row, key))) > _LONG for row in first)]
    short = [key for key in names if key not in long]
    if len(short) < _FEW:
        long, short = [], names
    more = f", the first {_MOST_ROWS}" if len(rows) > _MOST_ROWS else ""
    table = _table(f"{name} ({len(rows)}{more})", short, [[getattr(row, key) for key in short] for row in first])
    if not long:
        return table
    folded = _table("", [short[0], *long], [[getattr(row, key) for key in [short[0], *long]] for row in first])
    what = html.escape(", ".join(long))
    return f'{table}<details class="plimsoll"><summary>{what}</summary>{folded}</details>'
