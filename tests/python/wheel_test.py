#!/usr/bin/env python3
"""wheel_test.py TOOLS BUILD: the wheel of this build, installed elsewhere, works without the libraries of the system."""
import base64
import csv
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

USE = """
import plimsoll, re, sys
assert plimsoll.__file__.startswith(sys.argv[1]), plimsoll.__file__
assert plimsoll.audit("gpt2").parameters == 124439808
assert plimsoll.rank("attention:depth=1,width=2,heads=1", positions=4).rank == 3  # by the program inside
assert plimsoll._program.find_program().startswith(sys.argv[1])
print("\\n".join({line.split()[-1] for line in open("/proc/self/maps") if ".so" in line}))
"""


def check_record(archive):
    """The list of files has each with its digest, and no other."""
    record = next(name for name in archive.namelist() if name.endswith("/RECORD"))
    rows = list(csv.reader(io.StringIO(archive.read(record).decode())))
    assert sorted(row[0] for row in rows) == sorted(archive.namelist())
    for name, digest, size in rows:
        if name != record:
            content = archive.read(name)
            made = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            assert (digest, int(size)) == (f"sha256={made}", len(content)), name


def install(wheel, folder):
    """By pip where there is one, without a network; else a wheel is an archive."""
    pip = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--target", folder, wheel]
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode == 0:
        subprocess.run(pip, check=True, capture_output=True)
        return
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    os.chmod(folder / "plimsoll" / "bin" / "plimsoll", 0o755)


def main(tools, build):
    if shutil.which("patchelf") is None:
        print("skipped: no patchelf here")
        return
    folder = pathlib.Path(tempfile.mkdtemp())
    subprocess.run([sys.executable, pathlib.Path(tools) / "wheel", build, folder], check=True)
    wheel = next(folder.glob("plimsoll-*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        check_record(archive)
        assert any(name.startswith("plimsoll/lib/libflint") for name in archive.namelist()), archive.namelist()
    install(wheel, folder / "site")
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(folder / "site")}
    used = subprocess.run([sys.executable, "-c", USE, str(folder)], env=environment, capture_output=True, text=True)
    assert used.returncode == 0, used.stderr
    ours = [library for library in used.stdout.split() if re.search(r"/lib(flint|gmp|mpfr|fmt|nettle|png)", library)]
    assert len(ours) > 4 and all(library.startswith(str(folder)) for library in ours), ours
    shutil.rmtree(folder)
    print(f"{len(ours)} libraries from the wheel")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
