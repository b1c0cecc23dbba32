"""tools/build, tools/test, tools/tidy, tools/fuzz and .ci/run, with cmake, make and clang-tidy played by short scripts. Ninja,
CTest and git are the real ones.
"""
import pathlib
import re
import shutil
import unittest

from staged import INSTALL, ROOT, Project, Staged, script


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
        left = [int(line[3]) for line in shown if line[3]]
        self.assertTrue(left and all(1 <= one <= 4 for one in left), lines)
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
        (self.project / "build" / "test").mkdir(parents=True)
        (self.project / "build" / "test" / "CTestTestfile.cmake").write_text(CTEST)

    def test_it_installs_builds_tests_and_sums_up(self):
        done = self.call(self.project / "tools" / "test")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        notes = self.notes()
        self.assertEqual(notes[:4], ["install slim torch report test", "figures --tests", "page --tests", "cmake --preset test --fresh"])
        self.assertEqual(len(notes), 4 + 12, "all targets")
        summary = done.stdout[done.stdout.index("== seconds"):]
        for line in (r"packages +\d+ s", r"build +\d+ s", r"tests +\d+ s", r"  fast +0 s  summed over 1 test",
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
STAGES = ["format-check", "layers", "markdown", "words", "sizes", "test", "asan", "fuzz"]


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


if __name__ == "__main__":
    unittest.main()
