#!/usr/bin/env python3
"""terminal.py PROGRAM: trains a small run in a pseudo-terminal of 60 columns and through a pipe, and looks at what comes."""
import os
import pathlib
import pty
import subprocess
import sys
import tempfile

CONFIG = """
[model]
spec = "transformer:depth=1,width=32,heads=2,vocab=256,context=32"
[data]
name = "synthetic:grammar,bytes=20000"
[train]
steps = 200
batch = 8
log_every = 1
"""
CLEAR = "\r\x1b[K"
COLUMNS = 60


def in_terminal(command, environment):
    """Everything the command writes to a terminal."""
    child, master = pty.fork()
    if child == 0:
        os.execve(command[0], command, environment)
    output = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:  # Linux says so when the other end is closed
            break
        if not piece:
            break
        output += piece
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0, output.decode()
    return output.decode()


def with_columns(command, environment):
    """The terminal gets its size before the program starts."""
    script = f"stty cols {COLUMNS} rows 40; exec \"$@\""
    return in_terminal(["/bin/sh", "-c", script, "sh", *command], environment)


def main():
    program = sys.argv[1]
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1"}
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder) / "run.toml"
        config.write_text(CONFIG)

        def command(runs):
            return [program, "train", str(config), "--runs", str(pathlib.Path(folder) / runs)]

        output = with_columns(command("terminal"), environment)
        drawn = output.split(CLEAR)
        assert len(drawn) > 2, output
        assert drawn[0] == "", "nothing before the line"
        for line in drawn[1:-1]:
            assert line.startswith("step ") and " loss " in line, line
            assert "\n" not in line and len(line) < COLUMNS, line
        assert "MFU" in drawn[1], drawn[1]
        assert any(" left" in line for line in drawn[1:-1]), "no time left"
        assert drawn[-2].startswith("step 200 of 200"), drawn[-2]
        assert drawn[-1].startswith("run "), "cleared before the summary"
        assert "\x1b[3" not in output and "\x1b[0" not in output, "NO_COLOR"

        dumb = with_columns(command("dumb"), {**environment, "TERM": "dumb"})
        assert "\x1b" not in dumb, dumb
        piped = subprocess.run(command("pipe"), check=True, capture_output=True, text=True)
        assert "\x1b" not in piped.stdout + piped.stderr and "\r" not in piped.stdout + piped.stderr
        for line in piped.stderr.splitlines():  # only a slow machine has any
            assert line.startswith("step "), line
        print(f"{len(drawn) - 2} lines drawn over one another")


main()
