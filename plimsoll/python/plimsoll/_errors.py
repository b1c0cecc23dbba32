"""What goes wrong, as exceptions with the sentence that the command line prints."""

from __future__ import annotations


class PlimsollError(Exception):
    """Something plimsoll cannot do; `code` is the exit code of the command line, `where` the place."""

    code = 70

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(message)
        self.where = where


class BadInput(PlimsollError, ValueError):
    """Somebody asked for what cannot be."""

    code = 2


class NotFound(PlimsollError, LookupError):
    """A file, an id or a name that does not exist."""

    code = 3


class Unsupported(PlimsollError, NotImplementedError):
    """Understood, but not something plimsoll can do."""

    code = 4


class IoError(PlimsollError, OSError):
    """The operating system refused."""

    code = 5


_by_code: dict[int, type[PlimsollError]] = {one.code: one for one in (BadInput, NotFound, Unsupported, IoError)}


def error_of(code: int, where: str, message: str) -> PlimsollError:
    """The exception for an exit code of the command line."""
    made = _by_code.get(code, PlimsollError)(message, where)
    made.code = code
    return made
