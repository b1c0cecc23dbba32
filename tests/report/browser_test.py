"""browser_test.py PROGRAM...: every figure of the programs' pages by Vega-Lite's own schema, as SVG and PNG, and the pages in a
headless browser. Each PROGRAM FOLDER writes *.html and *.vl.json. Exit 77 where node, its packages or chromium are missing.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

FIGURES = pathlib.Path(__file__).resolve().parent.parent.parent / "web" / "figures"
PROGRAMS = []

POINT = {
    "data": {"values": [{"x": 1, "y": 2}]},
    "mark": "point",
    "encoding": {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y", "type": "quantitative"}},
}
# A page that is right as far as open_page.mjs can see, with room for something wrong.
PAGE = """<!doctype html><meta charset="utf-8"><title>x</title><main><figure id="figure-a">
<div class="plot" data-drawn="yes" role="img" aria-label="a"><svg width="20" height="20"><g class="mark-symbol">MARK</g><text fill="black">1</text></svg></div>
</figure></main>EXTRA"""
MARK = '<path d="M0,0h9v9Z"></path>'


def node(script, *arguments):
    return subprocess.run(["node", str(FIGURES / script), *map(str, arguments)], capture_output=True, text=True, check=False)


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)


class Pages(Folder):
    def test_every_spec_is_valid_and_drawn_and_every_page_opens(self):
        for program in PROGRAMS:
            with self.subTest(program=program):
                out = self.folder / pathlib.Path(program).name
                out.mkdir()
                made = subprocess.run([program, out], capture_output=True, text=True, check=False)
                self.assertEqual(made.returncode, 0, made.stderr)
                self.draw(sorted(out.glob("*.vl.json")))
                for page in out.glob("*.html"):
                    self.open(page)

    def draw(self, specs):
        self.assertGreater(len(specs), 0)
        checked = node("check_spec.mjs", *specs)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        self.assertEqual(checked.stdout.count(": valid\n"), len(specs))
        drawn = node("render.mjs", *specs)
        self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))
        for spec in specs:
            svg = spec.with_suffix(".svg")
            subprocess.run(["rsvg-convert", "-o", svg.with_suffix(".png"), svg], check=True)
            self.assertGreater(svg.with_suffix(".png").stat().st_size, 1000)

    def open(self, page):
        opened = node("open_page.mjs", page, *self.shots(page.stem))
        self.assertEqual(opened.returncode, 0, opened.stdout + opened.stderr)
        self.assertIn("no-script: ", opened.stdout)

    def shots(self, name):
        """Pictures of the page, for people: $PLIMSOLL_SHOTS says where."""
        place = os.environ.get("PLIMSOLL_SHOTS")
        return ["--shots", pathlib.Path(place) / name] if place else []


class WrongSpecs(Folder):
    def complaint(self, **change):
        file = self.folder / "wrong.json"
        file.write_text(json.dumps({**POINT, **change}))
        checked = node("check_spec.mjs", file)
        self.assertEqual(checked.returncode, 1, checked.stdout)
        return checked.stdout

    def test_the_schema_a_warning_and_outside_data_are_each_a_complaint(self):
        self.assertIn("/mark", self.complaint(mark="pie in the sky"))
        self.assertIn("additionalProperty", self.complaint(enkoding={}))
        x = {"field": "x", "type": "quantitative", "scale": {"type": "log", "domain": [0, 10]}}
        self.assertIn("warning: ", self.complaint(encoding={"x": x}))
        self.assertIn("refused to fetch", self.complaint(data={"url": "rows.json"}))
        self.assertIn("not Vega-Lite 5", self.complaint(**{"$schema": "https://vega.github.io/schema/vega-lite/v6.json"}))


class WrongPages(Folder):
    def opened(self, mark=MARK, extra=""):
        page = self.folder / "page.html"
        page.write_text(PAGE.replace("MARK", mark).replace("EXTRA", extra))
        return node("open_page.mjs", page, "--only", "phone")

    def test_what_is_right_passes_and_each_wrong_thing_is_seen(self):
        right = self.opened()
        self.assertEqual(right.returncode, 0, right.stdout + right.stderr)
        for said, wrong in (("no marks", {"mark": ""}),
                            ("console warning: careful", {"extra": "<script>console.warn('careful')</script>"}),
                            ("exception: nowhere", {"extra": "<script>nowhere()</script>"}),
                            ("request: http://127.0.0.1:9/a.js", {"extra": '<script src="http://127.0.0.1:9/a.js"></script>'}),
                            ("request: file://", {"extra": '<img src="beside.png">'}),
                            ("pixels wide", {"extra": '<div style="width: 900px">.</div>'}),
                            ("rows did not open", {"extra": '<details class="rows"><summary>Rows</summary></details>'})):
            with self.subTest(said=said):
                done = self.opened(**wrong)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn(said, done.stdout)


if __name__ == "__main__":
    browser = os.environ.get("PLIMSOLL_CHROMIUM", "/usr/bin/chromium")
    absent = [name for name, there in (("node", shutil.which("node")), ("rsvg-convert", shutil.which("rsvg-convert")), (browser, os.path.exists(browser)),
                                       ("web/figures/node_modules (tools/figure_runtime --tests)", (FIGURES / "node_modules" / ".plimsoll" / "tests").exists())) if not there]
    if absent:
        print("not here: " + ", ".join(absent))
        sys.exit(77)
    PROGRAMS.extend(sys.argv[1:])
    unittest.main(argv=sys.argv[:1])
