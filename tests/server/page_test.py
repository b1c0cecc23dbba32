"""page_test.py PLIMSOLL: the page in a headless browser, by web/page/test/browser.mjs, served by the program PLIMSOLL. Exit 77
where node, its packages, chromium or the page in the binary are missing.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "web" / "page"
RUNS = pathlib.Path(__file__).resolve().parent.parent / "fixtures" / "runs"
PROGRAM = ""
PATIENCE = 120  # seconds, for a machine that does much else


class Server:
    """plimsoll serve on a free port, with temporary files of its own."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()  # the index of the runs is written beside them
        self.scratch = pathlib.Path(self.folder.name) / "tmp"
        self.scratch.mkdir()
        shutil.copytree(RUNS, self.folder.name + "/runs")
        self.process = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--runs", self.folder.name + "/runs"], stdout=subprocess.PIPE, text=True,
                                        env=os.environ | {"TMPDIR": str(self.scratch)})
        self.address = self.process.stdout.readline().strip()
        self.page = "The page is not in this build" not in self.process.stdout.readline()
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.code = self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()
        self.left = list(self.scratch.iterdir())
        self.folder.cleanup()


class Page(unittest.TestCase):
    def test_every_trial_is_right(self):
        with tempfile.TemporaryDirectory() as shots, Server() as server:
            site = pathlib.Path(shots) / "site"
            written = subprocess.run([PROGRAM, "site", str(site)], capture_output=True, text=True, check=False)
            self.assertEqual(written.returncode, 0, written.stderr)
            again = subprocess.run([PROGRAM, "site", str(site)], capture_output=True, text=True, check=False)
            self.assertEqual((again.returncode, "--force" in again.stderr), (2, True))
            done = subprocess.run(["node", str(PAGE / "test" / "browser.mjs"), server.address, "--site", (site / "index.html").as_uri(),
                                   "--shots", os.environ.get("PLIMSOLL_SHOTS", shots)],
                                  capture_output=True, text=True, check=False)
            print(done.stdout)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertGreater(done.stdout.count("right  "), 45)


class Signals(unittest.TestCase):
    def test_sigterm_ends_it_cleanly_with_its_computations(self):
        with Server() as server:
            slow = subprocess.Popen(["curl", "-sN", f"{server.address}api/v1/rank/stream?spec=attention:depth=3,width=6,heads=1&positions=12"], stdout=subprocess.PIPE)
            slow.stdout.read(20)
            self.assertTrue([place for place in server.scratch.iterdir() if place.name.startswith("plimsoll-serve")])
            children, end = [], time.monotonic() + PATIENCE
            while not children and time.monotonic() < end:  # one for each size of the matrix
                tasks = pathlib.Path("/proc", str(server.process.pid), "task").iterdir()
                children = [child for task in tasks for child in (task / "children").read_text(encoding="ascii").split()]
            self.assertTrue(children)
        self.assertEqual(server.code, 0)
        slow.wait(timeout=PATIENCE)
        slow.stdout.close()
        self.assertEqual(server.left, [])
        self.assertFalse(any(pathlib.Path("/proc", child, "exe").exists() for child in children))

    def test_other_addresses_want_the_token(self):
        process = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--listen", "0.0.0.0"], stdout=subprocess.PIPE, text=True)
        try:
            address, token = process.stdout.readline().strip().replace("0.0.0.0", "127.0.0.1").split("?token=")
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(address + "api/v1/openapi.json")
            self.assertEqual(refused.exception.code, 401)
            refused.exception.close()
            request = urllib.request.Request(address + "api/v1/openapi.json", headers={"Authorization": f"Bearer {token}"})
            with urllib.request.urlopen(request) as answer:
                self.assertEqual(answer.status, 200)
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE)
            process.stdout.close()


class Browser(unittest.TestCase):
    def test_an_opener_that_stays_does_not_hold_the_server(self):
        with tempfile.TemporaryDirectory() as folder:
            opener = pathlib.Path(folder) / "xdg-open"
            opener.write_text(f"#!/bin/sh\necho $$ $1 >{folder}/opened\nexec sleep 600\n", encoding="ascii")
            opener.chmod(0o700)
            process = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--open"], stdout=subprocess.PIPE, text=True,
                                       env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"})
            try:
                address = process.stdout.readline().strip()
                with urllib.request.urlopen(address + "api/v1/openapi.json", timeout=PATIENCE) as answer:
                    self.assertEqual(answer.status, 200)
            finally:
                process.terminate()
                self.assertEqual(process.wait(timeout=PATIENCE), 0)
                process.stdout.close()
            end = time.monotonic() + PATIENCE
            while not (pathlib.Path(folder) / "opened").exists() and time.monotonic() < end:
                time.sleep(0.05)
            number, opened = (pathlib.Path(folder) / "opened").read_text(encoding="ascii").split()
            os.kill(int(number), signal.SIGKILL)  # it is still there: the server ends without it
            self.assertEqual(opened, address)


class Links(unittest.TestCase):
    def test_a_run_is_read_where_it_lies(self):
        with Server() as server:
            runs = pathlib.Path(server.folder.name) / "runs"
            run = "523f16cada3336df"
            address = f"{server.address}api/v1/runs/{run}"
            with urllib.request.urlopen(address) as answer:
                self.assertEqual(answer.status, 200)
            secret = pathlib.Path(server.folder.name) / "secret"
            secret.write_text('{"step": 1, "loss": 0.5, "secret": "told"}\n', encoding="utf-8")
            (runs / run / "metrics.jsonl").unlink()
            (runs / run / "metrics.jsonl").symlink_to(secret)
            for of in ("", "/metrics", "/diff?with=ecae24ee0cccc8e2"):
                with self.assertRaises(urllib.error.HTTPError) as refused:
                    urllib.request.urlopen(address + of)
                self.assertEqual(refused.exception.code, 404)
                self.assertIn("leads out", refused.exception.read().decode())
                refused.exception.close()


def missing():
    if not shutil.which("node"):
        return "node"
    if not (PAGE / "node_modules" / "playwright-core").is_dir():
        return "web/page/node_modules (tools/page_bundle --tests)"
    if not pathlib.Path(os.environ.get("PLIMSOLL_CHROMIUM", "/usr/bin/chromium")).exists():
        return "chromium"
    with Server() as server:
        return "" if server.page else "the page in this build (tools/page_bundle, then configure and build)"


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    if lacking := missing():
        print(f"skipped: {lacking} is missing")
        sys.exit(77)
    unittest.main()
