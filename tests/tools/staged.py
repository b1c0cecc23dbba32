"""What the tests of the scripts stand on: a temporary home, programs of ours first on the PATH, and a project whose build is
played by a script. Ninja is the real one.
"""
import fcntl
import os
import pathlib
import pty
import re
import select
import shutil
import struct
import subprocess
import tempfile
import termios
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# Notes each call and leaves a build of plimsoll and plimsoll-torch, six objects each, that takes $HOME/seconds a file.
# The program prints its arguments. The file `broken` makes objects fail.
CMAKE = r"""#!/bin/bash
echo "cmake $*" >>"$NOTES"
torch=OFF
[[ " $* " != *" -DPLIMSOLL_TORCH=ON "* ]] || torch=ON
mkdir -p "build/$2/bin" && cd "build/$2" || exit 1
{
    echo "CMAKE_HOME_DIRECTORY:INTERNAL=$(dirname "$(dirname "$PWD")")"
    echo "PLIMSOLL_TORCH:BOOL=$torch"
    [[ $torch == OFF ]] || echo "Torch_DIR:PATH=$HOME/torch"
} >CMakeCache.txt
cat >program <<'END'
#!/bin/bash
printf "[%s]" "$@"
echo " $$"
[[ ${1:-} != wait ]] || exec sleep 60
END
chmod +x program
{
    echo 'rule object'
    echo '  command = if [ -e "$$HOME/broken" ]; then echo "x.cpp:1: error: no such semicolon"; exit 1; fi; $
echo "compile $out" >>"$$NOTES"; sleep $$(cat "$$HOME/seconds"); touch $out'
    echo 'rule program'
    echo '  command = cp program $out'
    for target in plimsoll plimsoll-torch; do
        for number in 1 2 3 4 5 6; do echo "build $target.$number.o: object"; done
        echo "build bin/$target: program $target.1.o $target.2.o $target.3.o $target.4.o $target.5.o $target.6.o"
        echo "build $target: phony bin/$target"
    done
} >build.ninja
"""
INSTALL = '#!/bin/bash\necho "install $*" >>"$NOTES"\n'
PAGE = """#!/bin/bash
echo "page $*" >>"$NOTES"
[[ ! -e $HOME/offline ]] || exit 5
mkdir -p "$(dirname "$0")/../web/page/dist"
[[ -e $(dirname "$0")/../web/page/dist/page.pack ]] || touch "$(dirname "$0")/../web/page/dist/page.pack"
"""
FIGURES = '#!/bin/bash\necho "figures $*" >>"$NOTES"\n[[ ! -e $HOME/offline ]]\n'


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


class Staged(unittest.TestCase):
    """A temporary home with programs of ours first on the PATH, and a file in which they note their calls."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.home = pathlib.Path(holder.name)
        self.project = self.home / "a project"
        self.path = f"{self.home}/fake:{os.environ['PATH']}"

    def environment(self):
        return {"HOME": str(self.home), "NOTES": str(self.home / "notes"), "PATH": self.path, "JOBS": "2",
                "PLIMSOLL_PROGRESS_SECONDS": "1"}

    def call(self, *command):
        return subprocess.run(command, capture_output=True, text=True, check=False, env=self.environment(), cwd="/")

    def notes(self):
        """What was called since the last look."""
        place = self.home / "notes"
        lines = place.read_text().splitlines() if place.exists() else []
        place.write_text("")
        return lines


class Project(Staged):
    """A project with the real launcher and tools, and a build that a script plays."""

    def setUp(self):
        super().setUp()
        for folder in ("plimsoll/base", "cmake", "tools/packages", "bin"):
            (self.project / folder).mkdir(parents=True)
        for file in ("CMakeLists.txt", "CMakePresets.json", "plimsoll/base/text.cpp"):
            (self.project / file).write_text("")
        self.launcher = shutil.copy(ROOT / "bin" / "plimsoll", self.project / "bin")
        for tool in ("build", "progress.sh"):
            shutil.copy(ROOT / "tools" / tool, self.project / "tools")
        script(self.project / "tools" / "install_packages", INSTALL)
        script(self.project / "tools" / "figure_runtime", FIGURES)
        script(self.project / "tools" / "page_bundle", PAGE)
        script(self.home / "fake" / "cmake", CMAKE)
        (self.home / "torch").mkdir()
        (self.home / "torch" / "TorchConfig.cmake").touch()
        self.seconds(0)

    def seconds(self, each):
        (self.home / "seconds").write_text(str(each))

    def on_a_terminal(self, *command, ctrl_c_after=None, columns=80):
        """The exit code and all that the command writes to a pseudo-terminal; Ctrl-C once the pattern was seen."""
        child, terminal = pty.fork()
        if child == 0:
            os.chdir("/")
            os.execve(command[0], list(map(str, command)), {**self.environment(), "TERM": "xterm"})
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        text = ""
        while select.select([terminal], [], [], 30)[0]:
            try:
                text += os.read(terminal, 4096).decode()
            except OSError:  # the last writer is gone
                break
            if ctrl_c_after and re.search(ctrl_c_after, text):
                os.write(terminal, b"\x03")
                ctrl_c_after = None
        os.close(terminal)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), text
