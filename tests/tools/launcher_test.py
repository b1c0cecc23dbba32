"""bin/plimsoll, tools/build, tools/test, tools/install_packages and tools/figure_runtime, with cmake, dpkg-query, apt-get,
node and npm played by short scripts. Ninja and CTest are the real ones.
"""
import fcntl
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time
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
FIGURES = '#!/bin/bash\necho "figures $*" >>"$NOTES"\n[[ ! -e $HOME/offline ]]\n'
# What npm and node leave behind, as far as tools/figure_runtime looks.
NPM = """#!/bin/bash
echo "npm $1 ${*: -1}" >>"$NOTES"
rm -rf node_modules
if [[ -e $HOME/offline ]]; then echo "no such registry"; exit 1; fi
sleep 0.2
mkdir node_modules
"""
NODE = """#!/bin/bash
if [[ $1 == -p ]]; then cut -d. -f1 "$HOME/version"; exit; fi
if [[ $1 == --version ]]; then echo "v$(cat "$HOME/version")"; exit; fi
mkdir -p "$2"
"""


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


class Launcher(Project):
    def builds(self):
        return [note for note in self.notes() if note.startswith("cmake --preset")]

    def test_the_first_call_installs_and_builds_and_the_second_does_nothing(self):
        first = self.call(self.launcher, "count", "two words", "")
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertTrue(first.stdout.startswith("[count][two words][] "), first.stdout)
        notes = self.notes()
        self.assertEqual(notes[0], "install slim")
        self.assertEqual(notes[1], "cmake --preset launch --fresh -DPLIMSOLL_TORCH=OFF")
        self.assertEqual(sorted(notes[2:]), [f"compile plimsoll.{number}.o" for number in range(1, 7)])
        self.assertEqual(self.call(self.launcher, "count").stderr, "")
        self.assertEqual(self.notes(), [])

    def test_a_symbolic_link_from_elsewhere_works(self):
        (self.home / "link").symlink_to(self.launcher)
        self.assertEqual(self.call(self.home / "link", "x").returncode, 0)

    def test_an_edit_a_new_file_and_a_deleted_file_each_build_again(self):
        extra = self.project / "plimsoll" / "base" / "extra.cpp"
        for change in (lambda: None, (self.project / "CMakeLists.txt").touch, extra.touch, extra.unlink):
            time.sleep(0.02)
            change()
            self.assertEqual(self.call(self.launcher, "x").returncode, 0)
            self.assertEqual(len(self.builds()), 1)

    def test_verbs_that_need_torch_build_it(self):
        for words in (("train",), ("doctor", "--json", "--torch"), ("sweep", "plan", "x"), ("reproduce", "x"), ("fit",)):
            shutil.rmtree(self.project / "build", ignore_errors=True)
            self.assertEqual(self.call(self.launcher, *words).returncode, 0)
            notes = self.notes()
            self.assertEqual(notes[0], "install slim torch")
            self.assertTrue(notes[1].endswith("-DPLIMSOLL_TORCH=ON"))
            self.assertIn("compile plimsoll-torch.1.o", notes)
        for words in (("doctor",), ("sweep", "plan", "x", "--no-calibrate"), ("report", "x"), ("reproduce", "--list")):
            shutil.rmtree(self.project / "build", ignore_errors=True)
            self.call(self.launcher, *words)
            self.assertEqual(self.notes()[0], "install slim")

    def test_a_verb_without_torch_after_one_with_it_builds_nothing(self):
        self.call(self.launcher, "train")
        self.notes()
        self.assertEqual(self.call(self.launcher, "count").stderr, "")
        self.assertEqual(self.notes(), [])

    def test_a_verb_with_torch_after_one_without_adds_only_what_is_missing(self):
        self.call(self.launcher, "count")
        self.notes()
        self.assertEqual(self.call(self.launcher, "train").returncode, 0)
        notes = self.notes()
        self.assertEqual(notes[:2], ["install slim torch", "cmake --preset launch -DPLIMSOLL_TORCH=ON"])
        self.assertEqual(sorted(notes[2:]), [f"compile plimsoll-torch.{number}.o" for number in range(1, 7)])

    def test_torch_stays_on_while_its_files_are_there(self):
        source = self.project / "plimsoll" / "base" / "text.cpp"
        self.call(self.launcher, "train")
        for expected in ("ON", "OFF"):
            self.notes()
            time.sleep(0.02)
            source.touch()
            self.call(self.launcher, "count")
            self.assertEqual(self.notes()[:2], ["install slim", f"cmake --preset launch -DPLIMSOLL_TORCH={expected}"])
            (self.home / "torch" / "TorchConfig.cmake").unlink(missing_ok=True)

    def test_an_edit_seen_by_a_verb_without_torch_is_still_new_to_one_with_it(self):
        self.call(self.launcher, "train")
        time.sleep(0.02)
        (self.project / "plimsoll" / "base" / "text.cpp").touch()
        self.call(self.launcher, "count")
        self.notes()
        self.call(self.launcher, "train")
        self.assertEqual(len(self.builds()), 1)

    def test_only_verbs_that_draw_bring_what_draws_figures(self):
        for words, brought in ((("report", "x"), 1), (("reproduce", "x"), 1), (("fit", "x"), 1), (("reproduce", "--list"), 0), (("audit", "x"), 0)):
            self.assertEqual(self.call(self.launcher, *words).returncode, 0)
            self.assertEqual(self.notes().count("figures "), brought, words)

    def test_without_a_network_the_program_still_runs(self):
        (self.home / "offline").touch()
        done = self.call(self.launcher, "report", "x")
        self.assertEqual((done.returncode, done.stdout[:11]), (0, "[report][x]"))
        self.assertIn("continuing without figures", done.stderr)

    def test_a_failed_build_shows_the_log_exits_70_and_is_tried_again(self):
        (self.home / "broken").touch()
        failed = self.call(self.launcher, "x")
        self.assertEqual((failed.returncode, failed.stdout), (70, ""))
        self.assertIn("no such semicolon", failed.stderr)
        (self.home / "broken").unlink()
        self.assertEqual(self.call(self.launcher, "x").returncode, 0)

    def test_first_calls_at_once_build_once(self):
        self.seconds(0.1)
        calls = [subprocess.Popen([self.launcher, "x"], env=self.environment(), stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) for _ in range(3)]
        self.assertEqual([call.wait() for call in calls], [0, 0, 0])
        self.assertEqual(len(self.builds()), 1)

    def test_a_program_that_waited_for_a_build_does_not_keep_the_lock(self):
        self.seconds(0.1)
        calls = [subprocess.Popen([self.launcher, "wait"], env=self.environment(), stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True) for _ in range(2)]
        for call in calls:
            call.stdout.readline()
        (self.project / "plimsoll" / "base" / "text.cpp").touch()
        done = subprocess.run([self.launcher, "x"], env=self.environment(), capture_output=True, check=False, timeout=20)
        self.assertEqual(done.returncode, 0)
        for call in calls:
            call.kill()
            call.wait()
            call.stdout.close()

    def test_ctrl_c_stops_the_build_and_the_next_call_continues_it(self):
        self.seconds(0.3)
        code, text = self.on_a_terminal(self.launcher, "x", ctrl_c_after=" [1-3]/7 files")
        self.assertEqual(code, 130, text)
        self.assertTrue(text.endswith("\r\x1b[Kbuild: interrupted; the next call continues it\r\n"), text)
        before = self.notes()
        time.sleep(0.5)
        self.assertEqual(self.notes(), [], "a compiler runs on")
        self.assertEqual(self.call(self.launcher, "x").returncode, 0)
        again = [note for note in self.notes() if note in before and note.startswith("compile")]
        self.assertLessEqual(len(again), 2, "only what was under way is compiled again")

    def test_a_terminated_launcher_stops_its_build(self):
        self.seconds(0.3)
        call = subprocess.Popen([self.launcher, "x"], env=self.environment(), stderr=subprocess.PIPE, text=True)
        while not any(note.startswith("compile") for note in self.notes()):
            time.sleep(0.02)
        call.send_signal(signal.SIGTERM)
        self.assertEqual(call.wait(timeout=10), 143)
        call.stderr.close()
        self.notes()
        time.sleep(0.5)
        self.assertEqual(self.notes(), [])

    def test_signals_reach_the_program(self):
        self.call(self.launcher, "x")
        call = subprocess.Popen([self.launcher, "wait"], env=self.environment(), stdout=subprocess.PIPE, text=True)
        self.assertEqual(call.stdout.readline().split()[-1], str(call.pid))
        call.send_signal(signal.SIGTERM)
        self.assertEqual(call.wait(timeout=10), -signal.SIGTERM)
        call.stdout.close()


class Build(Project):
    def build(self, *words):
        return self.call(self.project / "tools" / "build", *words)

    def test_a_terminal_shows_a_bar_with_the_files_done_and_the_time_left(self):
        self.seconds(1)
        code, text = self.on_a_terminal(self.project / "tools" / "build", "slim", "--", "plimsoll")
        self.assertEqual(code, 0, text)
        lines = text.split("\r\x1b[K")
        self.assertIn("configuring the build (preset slim)", lines)
        shown = [re.fullmatch(r"building \[(=*) *\] (\d)/7 files, (?:about (\d+) s left|estimating the time left)", line)
                 for line in lines[2:-1]]
        self.assertTrue(all(shown), lines)
        done = [int(line[2]) for line in shown]
        self.assertEqual((done[0], done), (0, sorted(done)))
        self.assertTrue(any(line[3] and 1 <= int(line[3]) <= 3 for line in shown), lines)
        self.assertGreater(len(shown[-1][1]), len(shown[0][1]))
        self.assertRegex(lines[-1], r"^built 7 files in \d+\.\d s \(preset slim\)\r\n$")

    def test_the_bar_fits_a_narrow_terminal(self):
        _, text = self.on_a_terminal(self.project / "tools" / "build", "slim", "--", "plimsoll", columns=30)
        self.assertTrue(all(len(line) < 30 for line in text.split("\r\x1b[K")[2:-1]), text)

    def test_a_pipe_gets_a_line_at_the_start_one_a_minute_and_one_at_the_end(self):
        self.seconds(1)
        done = self.build("slim", "--", "plimsoll")
        lines = done.stderr.splitlines()
        self.assertEqual(lines[0], f"building preset slim (log: {self.project}/build/slim/build.log)")
        self.assertGreaterEqual(len(lines), 4)
        for line in lines[1:-1]:
            self.assertRegex(line, r"^building: \d of 7 files after \d s, (about \d s left|estimating the time left)$")
        self.assertRegex(lines[-1], r"^built 7 files in \d+\.\d s \(preset slim\)$")
        self.assertNotIn("\x1b", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_a_dumb_terminal_gets_lines(self):
        command = ["/usr/bin/env", "TERM=dumb", self.project / "tools" / "build", "slim"]
        _, text = self.on_a_terminal(*command)
        self.assertNotIn("\x1b", text)

    def test_a_failure_shows_the_first_error_and_the_log(self):
        (self.home / "broken").touch()
        done = self.build("slim")
        self.assertEqual(done.returncode, 1)
        self.assertIn("x.cpp:1: error: no such semicolon", done.stderr)
        self.assertIn(f"the whole log is {self.project}/build/slim/build.log", done.stderr)

    def test_a_build_folder_from_elsewhere_is_configured_anew(self):
        self.build("slim")
        self.assertIn("cmake --preset slim --fresh", self.notes())
        self.build("slim", "-DX=1")
        self.assertIn("cmake --preset slim -DX=1", self.notes())
        moved = self.project.rename(self.home / "moved")
        self.call(moved / "tools" / "build", "slim")
        self.assertIn("cmake --preset slim --fresh", self.notes())

    def test_bad_arguments_are_refused(self):
        for words in ((), ("../x",), ("slim", "target")):
            self.assertEqual(self.build(*words).returncode, 2)


# Four tests, one of each kind; $HOME/broken_test makes the fast one fail.
CTEST = """
add_test(a.fast "/bin/sh" "-c" "test ! -e $HOME/broken_test")
add_test(b.slow "/bin/sleep" "1")
set_tests_properties(b.slow PROPERTIES LABELS "cli;slow")
add_test(c.long "/bin/sleep" "2")
set_tests_properties(c.long PROPERTIES LABELS "cli;slow;long")
add_test(d.gpu "/bin/false")
set_tests_properties(d.gpu PROPERTIES LABELS "gpu")
"""


class Test(Project):
    def setUp(self):
        super().setUp()
        for tool in ("test", "test_summary"):
            shutil.copy(ROOT / "tools" / tool, self.project / "tools")
        shutil.copy(ROOT / "CMakePresets.json", self.project)
        (self.project / "build" / "dev").mkdir(parents=True)
        (self.project / "build" / "dev" / "CTestTestfile.cmake").write_text(CTEST)

    def test_it_installs_builds_tests_and_sums_up(self):
        done = self.call(self.project / "tools" / "test")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        notes = self.notes()
        self.assertEqual(notes[:3], ["install slim torch report test", "figures --tests", "cmake --preset dev --fresh"])
        self.assertEqual(len(notes), 3 + 12, "all targets")
        summary = done.stdout[done.stdout.index("== seconds"):]
        for line in (r"packages +\d+ s", r"build +\d+ s", r"tests +[1-3] s", r"  fast +0 s  summed over 1 test",
                     r"  slow +1 s  summed over 1 test", "2 tests passed, 0 failed, 0 skipped",
                     r"left out: 1 test labelled long \(make test-long\), "
                     r"1 test labelled gpu \(needs a GPU: ctest --preset gpu\)"):
            self.assertRegex(summary, f"(?m)^{line}$")

    def test_the_exit_code_is_that_of_the_tests(self):
        (self.home / "broken_test").touch()
        done = self.call(self.project / "tools" / "test")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("1 test passed, 1 failed, 0 skipped", done.stdout)

    def test_a_failed_build_runs_no_test(self):
        (self.home / "broken").touch()
        done = self.call(self.project / "tools" / "test")
        self.assertEqual((done.returncode, done.stdout), (1, ""))

    def test_long_runs_only_what_is_labelled_long(self):
        done = self.call(self.project / "tools" / "test", "--long")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^  long +2 s  summed over 1 test$")
        self.assertNotIn("fast", done.stdout)
        self.assertIn("left out: 3 tests not labelled long (make test)", done.stdout)

    def test_nothing_is_installed_where_that_is_forbidden(self):
        self.call("/usr/bin/env", "PLIMSOLL_NO_INSTALL=1", self.project / "tools" / "test")
        self.assertTrue(self.notes()[0].startswith("cmake"))


# Notes its goal; a goal named in $HOME/red fails.
MAKE = """#!/bin/bash
echo "make $*" >>"$NOTES"
for word in "$@"; do if grep -qsx -e "$word" "$HOME/red"; then exit 1; fi; done
"""
STAGES = ["format-check", "layers", "markdown", "sizes", "test", "asan", "fuzz"]


class Stages(Staged):
    """.ci/run, with a make that only notes its goals."""

    def setUp(self):
        super().setUp()
        for folder in (".ci", "tools", "build"):
            (self.project / folder).mkdir(parents=True)
        self.run_file = shutil.copy(ROOT / ".ci" / "run", self.project / ".ci")
        script(self.project / "tools" / "install_packages", INSTALL)
        script(self.project / "tools" / "tidy", '#!/bin/bash\necho "plimsoll/base/text.cpp"\n')
        script(self.home / "fake" / "make", MAKE)

    def commits(self, count):
        git = ("git", "-C", self.project, "-c", "user.name=x", "-c", "user.email=x")
        for command in [("init", "-q")] + count * [("commit", "-q", "--allow-empty", "-m", "x")]:
            self.assertEqual(self.call(*git, *command).returncode, 0)

    def goals(self):
        lines = [note.replace("--no-print-directory ", "") for note in self.notes()]
        return [line.split()[1] for line in lines if line.startswith("make")]

    def test_the_cheapest_comes_first_and_a_red_stage_stops_nothing(self):
        self.commits(2)
        (self.home / "red").write_text("layers\n")
        done = self.call(self.run_file)
        self.assertEqual(self.goals(), STAGES + ["tidy", "test-long"])
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"(?m)^layers +RED +0 s$")
        self.assertRegex(done.stdout, r"(?m)^test +green +0 s$")
        self.assertNotIn("left out", done.stdout)

    def test_all_green_exits_0(self):
        self.commits(2)
        self.assertEqual(self.call(self.run_file).returncode, 0)

    def test_what_does_not_fit_is_left_out_by_name(self):
        self.commits(2)
        done = self.call("/usr/bin/env", "PLIMSOLL_CI_SECONDS=1000", self.run_file)
        self.assertEqual((done.returncode, self.goals()), (0, STAGES + ["tidy"]))
        self.assertIn("left out: the tests labelled long (make test-long) (takes about 1800 s;", done.stdout)
        (self.project / "build" / ".ci-long-seconds").write_text("900\n")
        self.call("/usr/bin/env", "PLIMSOLL_CI_SECONDS=1000", self.run_file)
        self.assertIn("test-long", self.goals())

    def test_a_clone_of_one_commit_goes_without_tidy(self):
        self.commits(1)
        done = self.call(self.run_file)
        self.assertEqual((done.returncode, self.goals()), (0, STAGES + ["test-long"]))
        self.assertIn("left out: tidy (this clone has no earlier commit)", done.stdout)


# Leaves the compile commands of what is there.
TIDY_CMAKE = """#!/bin/bash
mkdir -p build/tidy
for file in plimsoll/*/*.cpp; do echo "  \\"file\\": \\"$PWD/$file\\","; done >build/tidy/compile_commands.json
"""


class Tidy(Staged):
    def setUp(self):
        super().setUp()
        self.tool = self.project / "tools" / "tidy"
        self.tool.parent.mkdir(parents=True)
        shutil.copy(ROOT / "tools" / "tidy", self.tool)
        script(self.home / "fake" / "cmake", TIDY_CMAKE)
        script(self.home / "fake" / "clang-tidy-19", '#!/bin/bash\necho "$*" >>"$NOTES"\n! grep -q Bad "${@: -1}"\n')
        self.git("init", "-q", "-b", "main")
        self.write(**{"a.cpp": "1", "a.h": "1", "b.cpp": '#include "plimsoll/base/only.h"', "only.h": "1", "c.cpp": "1"})
        self.commit()

    def git(self, *words):
        done = self.call("git", "-C", self.project, "-c", "user.name=x", "-c", "user.email=x", *words)
        self.assertEqual(done.returncode, 0, done.stderr)

    def write(self, **files):
        for name, text in files.items():
            place = self.project / "plimsoll" / "base" / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)

    def commit(self):
        self.git("add", "-A", "plimsoll")
        self.git("commit", "-q", "-m", "x")

    def listed(self, *words):
        done = self.call(self.tool, "--list", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [pathlib.Path(line).name for line in done.stdout.splitlines()]

    def test_changed_are_sources_and_those_of_changed_headers_since_the_merge_base(self):
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.write(**{"only.h": "2"})
        self.commit()
        self.write(**{"c.cpp": "2"})
        self.commit()
        self.write(**{"a.h": "2", "new.cpp": "1"})
        self.assertEqual(self.listed("--changed"), ["a.cpp", "b.cpp", "c.cpp", "new.cpp"])
        self.assertEqual(self.listed("--all"), ["a.cpp", "b.cpp", "c.cpp", "new.cpp"])

    def test_without_origin_it_is_the_last_commit_or_the_one_named(self):
        for text in ("2", "3"):
            self.write(**{"a.cpp" if text == "2" else "c.cpp": text})
            self.commit()
        self.assertEqual(self.listed("--changed"), ["c.cpp"])
        self.call("/usr/bin/env", "BASE=HEAD~2", self.tool, "--changed")
        self.assertEqual(sorted(note.split("/")[-1] for note in self.notes()), ["a.cpp", "c.cpp"])

    def test_a_clone_of_one_commit_is_told_to_name_another(self):
        done = self.call(self.tool, "--changed")
        self.assertEqual(done.returncode, 3)
        self.assertIn("error: tidy: no commit 'HEAD~1' to compare with; name one with BASE=", done.stderr)

    def test_a_complaint_of_clang_tidy_fails(self):
        self.assertEqual(self.call(self.tool, "--all").stdout, "tidy: 3 files clean\n")
        self.write(**{"a.cpp": "Bad"})
        self.assertEqual(self.call(self.tool, "--all").returncode, 1)


# One fuzzer of two has a target.
FUZZ_CMAKE = """#!/bin/bash
mkdir -p build/fuzz/tests/fuzz
printf 'rule c\\n  command = printf "#!/bin/sh\\\\necho ran $out\\\\n" >$out && chmod +x $out\\n' >build/fuzz/build.ninja
for name in $(cat "$HOME/targets"); do
    echo "build tests/fuzz/$name: c"
done >>build/fuzz/build.ninja
echo "build fuzzers: phony $(sed 's|[^ ]*|tests/fuzz/&|g' "$HOME/targets")" >>build/fuzz/build.ninja
"""


class Fuzz(Staged):
    def setUp(self):
        super().setUp()
        (self.project / "tools").mkdir(parents=True)
        (self.project / "tests" / "fuzz").mkdir(parents=True)
        for tool in ("fuzz", "build", "progress.sh"):
            shutil.copy(ROOT / "tools" / tool, self.project / "tools")
        for name in ("one", "two"):
            (self.project / "tests" / "fuzz" / f"{name}_fuzz.cpp").touch()
        script(self.home / "fake" / "cmake", FUZZ_CMAKE)

    def test_every_fuzzer_runs(self):
        (self.home / "targets").write_text("one_fuzz two_fuzz write_seeds")
        done = self.call(self.project / "tools" / "fuzz", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(re.findall(r"ran tests/fuzz/(\w+)_fuzz", done.stdout), ["one", "two"])

    def test_a_fuzzer_without_a_target_is_named(self):
        (self.home / "targets").write_text("one_fuzz write_seeds")
        done = self.call(self.project / "tools" / "fuzz", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error: fuzz: tests/fuzz/two_fuzz.cpp has no target; add plimsoll_fuzz(two ...)", done.stderr)


class Packages(Staged):
    def setUp(self):
        super().setUp()
        self.tool = self.home / "tools" / "install_packages"
        (self.home / "tools" / "packages").mkdir(parents=True)
        for tool in ("install_packages", "progress.sh"):
            shutil.copy(ROOT / "tools" / tool, self.tool.parent)
        (self.home / "tools" / "packages" / "slim.txt").write_text("# tier\ng++\nvirtual-thing # by another\n")

    def installed(self, *lines):
        script(self.home / "fake" / "dpkg-query", "#!/bin/bash\ncat <<'END'\n" + "\n".join(lines) + "\nEND\n")
        script(self.home / "fake" / "apt-get", '#!/bin/bash\necho "apt-get $*" >>"$NOTES"\n[[ ! -e $HOME/offline ]]\n')
        script(self.home / "fake" / "sudo", '#!/bin/bash\n[[ $1 == -n ]] && exit 0\nexec "$@"\n')

    def test_nothing_missing_calls_no_apt(self):
        self.installed("installed g++ ", "installed real virtual-thing (= 1), c++-compiler")
        self.assertEqual(self.call(self.tool, "slim").returncode, 0)
        self.assertEqual(self.notes(), [])

    def test_only_what_is_missing_is_installed(self):
        self.installed("config-files g++ ", "installed real virtual-thing")
        self.assertEqual(self.call(self.tool, "slim").returncode, 0)
        self.assertEqual(self.notes(), ["apt-get -q -y install --no-install-recommends g++"])

    def test_a_failed_install_fetches_new_lists_and_names_what_is_missing(self):
        self.installed("installed g++ ")
        (self.home / "offline").touch()
        done = self.call(self.tool, "slim")
        self.assertEqual(done.returncode, 4)
        self.assertIn("missing: virtual-thing", done.stderr)
        self.assertIn("apt-get -q -y update", self.notes())

    def test_elsewhere_than_on_debian_the_packages_are_named(self):
        self.path = str(self.home / "fake")
        for program in ("bash", "dirname", "readlink", "sed", "env"):
            (self.home / "fake").mkdir(exist_ok=True)
            (self.home / "fake" / program).symlink_to(shutil.which(program))
        done = self.call(self.tool, "slim")
        self.assertEqual(done.returncode, 4)
        self.assertIn("error: packages: this is not a Debian system; missing: g++ virtual-thing", done.stderr)

    def test_a_package_is_not_needed_where_its_command_is_there(self):
        (self.home / "tools" / "packages" / "slim.txt").write_text("nodejs unless node\nnpm unless no-such-command\n")
        script(self.home / "fake" / "node", "#!/bin/bash\n")
        self.installed("installed g++ ")
        self.assertEqual(self.call(self.tool, "slim").returncode, 0)
        self.assertEqual(self.notes(), ["apt-get -q -y install --no-install-recommends npm"])

    def test_an_unknown_tier_is_refused(self):
        done = self.call(self.tool, "slimm")
        self.assertEqual(done.returncode, 2)
        self.assertIn("unknown 'slimm' (one of: slim, torch, report, test)", done.stderr)


class Figures(Staged):
    def setUp(self):
        super().setUp()
        self.folder = self.project / "web" / "figures"
        for place in (self.folder, self.project / "tools"):
            place.mkdir(parents=True)
        for file in ("package-lock.json", "fonts.mjs"):
            (self.folder / file).write_text("1")
        self.tool = shutil.copy(ROOT / "tools" / "figure_runtime", self.project / "tools")
        script(self.project / "tools" / "install_packages", INSTALL)
        (self.home / "version").write_text("18.20.4")
        for program, text in (("npm", NPM), ("node", NODE), ("rsvg-convert", "#!/bin/bash\n")):
            script(self.home / "fake" / program, text)

    def calls(self, *words):
        done = self.call(self.tool, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.notes()

    def test_the_first_call_installs_and_the_second_does_nothing(self):
        self.assertEqual(self.calls(), ["npm ci --omit=dev"])
        self.assertEqual(self.calls(), [])

    def test_the_tests_need_more_and_keep_it(self):
        self.calls()
        self.assertEqual(len(self.calls("--tests")), 1)
        self.assertEqual(self.calls() + self.calls("--tests"), [])
        (self.folder / "package-lock.json").write_text("2")
        self.assertNotIn("--omit=dev", self.calls()[0])
        self.assertEqual(self.calls("--tests"), [])

    def test_a_failure_shows_the_log_and_is_tried_again(self):
        (self.home / "offline").touch()
        failed = self.call(self.tool)
        self.assertEqual((failed.returncode, failed.stdout), (5, ""))
        self.assertIn("no such registry", failed.stderr)
        (self.home / "offline").unlink()
        self.notes()
        self.assertEqual(len(self.calls()), 1)

    def test_two_calls_at_once_install_once(self):
        calls = [subprocess.Popen([self.tool], env=self.environment(), stderr=subprocess.DEVNULL) for _ in range(3)]
        self.assertEqual([call.wait() for call in calls], [0, 0, 0])
        self.assertEqual(len(self.notes()), 1)

    def test_an_old_node_is_named(self):
        (self.home / "version").write_text("16.1.0")
        done = self.call(self.tool)
        self.assertEqual(done.returncode, 4)
        self.assertIn("error: figures: node v16.1.0 is too old, 18 or newer is needed", done.stderr)

    def test_debians_packages_come_only_where_a_program_is_missing(self):
        self.path = str(self.home / "fake")
        for program in ("bash", "dirname", "readlink", "sed", "env", "cmp", "flock", "mktemp", "rm", "cp", "mkdir", "cut", "sleep", "touch", "tail"):
            (self.home / "fake" / program).symlink_to(shutil.which(program))
        self.assertEqual(self.calls(), ["npm ci --omit=dev"])
        (self.folder / "package-lock.json").write_text("2")
        (self.home / "fake" / "node").unlink()
        done = self.call(self.tool)
        self.assertEqual((done.returncode, self.notes()), (3, ["install report"]))
        self.assertIn("error: figures: node is missing (tools/install_packages report installs it)", done.stderr)


if __name__ == "__main__":
    unittest.main()
