"""Each check of tools/ passes on this repository and fails, naming the place, on a tree with one thing wrong."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LAYERS = """
[modules]
base = []
theory = ["base"]
[fences]
"flint/*" = ["theory"]
"ATen/*" = ["base/torch_*"]
"""


def run(tool, root):
    done = subprocess.run([sys.executable, ROOT / "tools" / tool, root], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


class CheckCase(unittest.TestCase):
    def tree(self, files):
        """A temporary project of `files`, path to text."""
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        for path, text in {"layers.toml": LAYERS, "plimsoll/base/good.h": "#pragma once\n", **files}.items():
            place = pathlib.Path(holder.name, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        return holder.name

    def refuses(self, tool, files, words):
        code, output = run(tool, self.tree(files))
        self.assertEqual(code, 1, output)
        self.assertIn(words, output)

    def accepts(self, tool, root):
        code, output = run(tool, root)
        self.assertEqual(code, 0, output)


class Layers(CheckCase):
    def test_this_repository_is_in_order(self):
        self.accepts("check_layers", ROOT)

    def test_a_small_good_tree_is_in_order(self):
        good = '#include <flint/flint.h>\n#include "plimsoll/base/good.h"\n'
        self.accepts("check_layers", self.tree({"plimsoll/theory/ok.cpp": good}))

    def test_a_lower_module_must_not_include_a_higher_one(self):
        self.refuses("check_layers", {"plimsoll/theory/t.h": "", "plimsoll/base/bad.h": '#include "plimsoll/theory/t.h"\n'},
                     "plimsoll/base/bad.h:1: base must not include theory")

    def test_a_cuda_folder_belongs_to_its_module(self):
        self.refuses("check_layers", {"plimsoll/base/cuda/bad.cpp": '\n#include "plimsoll/theory/t.h"\n', "plimsoll/theory/t.h": ""},
                     "plimsoll/base/cuda/bad.cpp:2: base must not include theory")

    def test_a_fenced_library_stays_in_its_module(self):
        self.refuses("check_layers", {"plimsoll/base/bad.cpp": "#include <flint/fmpz.h>\n"},
                     "base must not include <flint/fmpz.h>; only theory may")

    def test_a_fence_may_name_files(self):
        self.accepts("check_layers", self.tree({"plimsoll/base/torch_main.cpp": "#include <ATen/ATen.h>\n"}))
        self.refuses("check_layers", {"plimsoll/base/other.cpp": "#include <ATen/ATen.h>\n"},
                     "base must not include <ATen/ATen.h>; only base/torch_* may")

    def test_a_folder_without_a_line_is_named(self):
        self.refuses("check_layers", {"plimsoll/stray/x.h": ""}, "plimsoll/stray: not in layers.toml")

    def test_a_cycle_in_the_table_is_named(self):
        table = '[modules]\nbase = ["theory"]\ntheory = ["base"]\n[fences]\n'
        self.refuses("check_layers", {"layers.toml": table}, "base includes itself through others")

    def test_a_quoted_include_needs_its_module(self):
        self.refuses("check_layers", {"plimsoll/base/bad.h": '#include "good.h"\n'}, "is not of the form")

    def test_using_namespace_at_file_scope_is_refused(self):
        self.refuses("check_layers", {"plimsoll/base/bad.h": "using namespace std;\n"}, "using namespace at file scope")


class Sizes(CheckCase):
    def test_this_repository_is_within_limits(self):
        self.accepts("check_sizes", ROOT)

    def test_a_long_file_is_named(self):
        self.refuses("check_sizes", {"plimsoll/base/long.cpp": "\n" * 501}, "long.cpp: 501 lines, 500 allowed")

    def test_a_long_command_is_named(self):
        self.refuses("check_sizes", {"plimsoll/cli/cmd_x.cpp": "\n" * 151}, "cmd_x.cpp: 151 lines, 150 allowed")

    def test_tables_are_exempt(self):
        self.accepts("check_sizes", self.tree({"plimsoll/base/prime_table.cpp": "\n" * 900}))


if __name__ == "__main__":
    unittest.main()
