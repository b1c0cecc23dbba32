"""python3 -m plimsoll: the command line."""

import os
import sys

from plimsoll._errors import PlimsollError
from plimsoll._program import find_program


def main() -> int:
    """Becomes the program."""
    try:
        program = find_program()
    except PlimsollError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.code
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
