#!/usr/bin/env python3
"""completion_shells.py PLIMSOLL: the completions in bash, zsh and fish themselves; a shell that is missing is named."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# What is typed, and what the shell is to offer.
CASES = [
    ("plimsoll aud", "audit"),
    ("plimsoll audit gpt2-x", "gpt2-xl"),
    ("plimsoll runs sh", "show"),
    ("plimsoll bounds LEVINE-T3-", "LEVINE-T3-LOG3"),
    ("plimsoll count transformer:depth=12,wid", "transformer:depth=12,width="),
]

# zsh without its line editor: what is offered goes to compadd.
ZSH = 'compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -l -- "$@" }; compdef() { : }; source "$1"; ' \
    'words=("${(@s: :)2}"); CURRENT=${#words}; _plimsoll'
BASH = 'source "$1"; COMP_LINE=$2; COMP_POINT=${#2}; _plimsoll; printf "%s\\n" "${COMPREPLY[@]}"'
FISH = 'source $argv[1]; complete -C $argv[2] | string replace -r "\\t.*" ""'
SHELLS = {"bash": ["bash", "-c", BASH, "bash"], "zsh": ["zsh", "-fc", ZSH, "zsh"], "fish": ["fish", "-c", FISH]}


def offered(shell, script, line, environment):
    ran = subprocess.run([*SHELLS[shell], script, line], capture_output=True, text=True, env=environment)
    return ran.stdout.split()


def expected(shell, line, word):
    """bash replaces only what stands behind the last : or =."""
    typed = line.split()[-1]
    before = max(typed.rfind(":"), typed.rfind("=")) + 1
    return word[before:] if shell == "bash" else word


def main(program):
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PATH": f"{pathlib.Path(program).parent}:{os.environ['PATH']}", "HOME": folder}
        for shell in SHELLS:
            if shutil.which(shell) is None:
                print(f"{shell}: not here")
                continue
            script = pathlib.Path(folder) / shell
            script.write_text(subprocess.run([program, "completion", shell], capture_output=True, text=True, check=True).stdout)
            for line, word in CASES:
                got = offered(shell, script, line, environment)
                if got != [expected(shell, line, word)]:
                    print(f"{shell}: {line!r} offers {got}, not {word}")
                    wrong += 1
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
