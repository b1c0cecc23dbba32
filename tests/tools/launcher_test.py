"""bin/plimsoll, tools/install_packages and tools/figure_runtime, with cmake, dpkg-query, apt-get, node and npm played by
short scripts. Ninja is the real one.
"""
import shutil
import signal
import subprocess
import time
import unittest

from staged import INSTALL, ROOT, Project, Staged, script

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

    def test_verbs_that_show_the_page_build_it_before_the_program(self):
        self.assertEqual(self.call(self.launcher, "audit").returncode, 0)
        self.assertNotIn("page ", self.notes())
        self.assertEqual(self.call(self.launcher, "serve").returncode, 0)
        notes = self.notes()
        self.assertEqual(notes[0], "page ")
        self.assertTrue(notes[-1].startswith("cmake --preset"), "a new page is configured into the program")
        time.sleep(0.02)
        self.call(self.launcher, "serve")
        self.assertEqual(self.notes(), ["page "], "the same page builds nothing")

    def test_without_a_network_the_program_comes_without_the_page(self):
        (self.home / "offline").touch()
        done = self.call(self.launcher, "serve")
        self.assertEqual((done.returncode, done.stdout[:7]), (0, "[serve]"))
        self.assertIn("continuing without the page", done.stderr)

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

    def objects(self):
        return sorted((self.project / "build" / "launch").glob("*.o"))

    def stays_stopped(self):
        """The build ended before its end, and no compiler runs on."""
        left = self.objects()
        self.assertLess(len(left), 6)
        time.sleep(0.6)
        self.assertEqual(self.objects(), left)

    def test_ctrl_c_stops_the_build_and_the_next_call_continues_it(self):
        self.seconds(0.5)
        code, text = self.on_a_terminal(self.launcher, "x", ctrl_c_after=" [1-3]/7 files")
        self.assertEqual(code, 130, text)
        self.assertTrue(text.endswith("\r\x1b[Kbuild: interrupted; the next call continues it\r\n"), text)
        before = self.notes()
        self.stays_stopped()
        self.assertEqual(self.call(self.launcher, "x").returncode, 0)
        again = [note for note in self.notes() if note in before and note.startswith("compile")]
        self.assertLessEqual(len(again), 2, "only what was under way is compiled again")

    def test_a_terminated_launcher_stops_its_build(self):
        self.seconds(0.5)
        call = subprocess.Popen([self.launcher, "x"], env=self.environment(), stderr=subprocess.PIPE, text=True)
        while not any(note.startswith("compile") for note in self.notes()):
            time.sleep(0.02)
        call.send_signal(signal.SIGTERM)
        self.assertEqual(call.wait(timeout=10), 143)
        call.stderr.close()
        self.stays_stopped()

    def test_signals_reach_the_program(self):
        self.call(self.launcher, "x")
        call = subprocess.Popen([self.launcher, "wait"], env=self.environment(), stdout=subprocess.PIPE, text=True)
        self.assertEqual(call.stdout.readline().split()[-1], str(call.pid))
        call.send_signal(signal.SIGTERM)
        self.assertEqual(call.wait(timeout=10), -signal.SIGTERM)
        call.stdout.close()


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
