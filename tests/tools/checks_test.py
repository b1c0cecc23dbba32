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
"spdlog/*" = []
"""
PAGE = """
## plimsoll/: the product

- `base/`: for all.
- `theory/`: the bounds.

## Beside it

- `data/`: no module.
"""
# A tree without an offence; each test puts one thing wrong into it.
GOOD = {
    "layers.toml": LAYERS,
    "docs/ARCHITECTURE.md": PAGE,
    "plimsoll/base/good.h": "#pragma once\n",
    "plimsoll/base/torch_main.cpp": "#include <ATen/ATen.h>\n",
    "plimsoll/theory/ok.cpp": '#include <flint/flint.h>\n#include "plimsoll/base/good.h"\n',
}


def run(tool, *arguments):
    done = subprocess.run([sys.executable, ROOT / "tools" / tool, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def ring(size, module="base"):
    """Headers and sources of `size` units, each of which includes the next and the last the first."""
    files = {}
    for at in range(size):
        files[f"plimsoll/{module}/unit{at}.h"] = "#pragma once\n"
        files[f"plimsoll/{module}/unit{at}.cpp"] = f'\n#include "plimsoll/{module}/unit{(at + 1) % size}.h"\n'
    return files


class CheckCase(unittest.TestCase):
    def tree(self, files):
        """A temporary project of `files`, path to text."""
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        for path, text in {**GOOD, **files}.items():
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
        self.accepts("check_layers", self.tree({}))

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
        self.refuses("check_layers", {"plimsoll/base/other.cpp": "#include <ATen/ATen.h>\n"},
                     "base must not include <ATen/ATen.h>; only base/torch_* may")

    def test_a_fence_without_places_keeps_everybody_out(self):
        self.refuses("check_layers", {"plimsoll/base/log.h": "#include <spdlog/spdlog.h>\n"},
                     "plimsoll/base/log.h:1: base must not include <spdlog/spdlog.h>; nobody may")

    def test_a_fence_around_nothing_is_named(self):
        self.refuses("check_layers", {"layers.toml": LAYERS + '"png.h" = ["base"]\n'},
                     "layers.toml: no file includes <png.h>")

    def test_a_place_in_a_fence_that_does_not_use_it_is_named(self):
        table = LAYERS.replace('["theory"]', '["theory", "base/flint_*"]')
        self.refuses("check_layers", {"layers.toml": table},
                     "layers.toml: base/flint_* may include <flint/*>, but no file there does")

    def test_a_folder_without_a_line_is_named(self):
        self.refuses("check_layers", {"plimsoll/stray/x.h": ""}, "plimsoll/stray: not in layers.toml")

    def test_the_table_is_lowest_first(self):
        table = LAYERS.replace("base = []", 'base = ["theory"]')
        self.refuses("check_layers", {"layers.toml": table},
                     "layers.toml: base may include theory, which does not come before it; the table is lowest first")

    def test_a_permitted_module_must_exist(self):
        table = LAYERS.replace("base = []", 'base = ["thoery"]')
        self.refuses("check_layers", {"layers.toml": table}, "layers.toml: base may include thoery, which is no module")

    def test_a_permitted_edge_that_no_file_uses_is_named(self):
        self.refuses("check_layers", {"plimsoll/theory/ok.cpp": "#include <flint/flint.h>\n"},
                     "layers.toml: theory may include base, but no file does")

    def test_kernels_and_templates_use_an_edge(self):
        for name in ("theory/cuda/k.cu", "theory/facts.h.in"):
            files = {"plimsoll/theory/ok.cpp": "#include <flint/flint.h>\n",
                     f"plimsoll/{name}": '#include "plimsoll/base/good.h"\n'}
            self.accepts("check_layers", self.tree(files))

    def test_every_module_has_a_line_on_the_page(self):
        self.refuses("check_layers", {"docs/ARCHITECTURE.md": PAGE.replace("- `theory/`", "- theory")},
                     'docs/ARCHITECTURE.md: 0 lines that start with "- `theory/`"')

    def test_a_line_beside_the_product_is_not_a_modules(self):
        self.refuses("check_layers", {"layers.toml": LAYERS.replace("[fences]", "data = []\n[fences]")},
                     'docs/ARCHITECTURE.md: 0 lines that start with "- `data/`"')

    def test_a_line_on_the_page_needs_its_module(self):
        self.refuses("check_layers", {"docs/ARCHITECTURE.md": PAGE.replace("\n## Beside", "- `gone/`: old.\n\n## Beside")},
                     "docs/ARCHITECTURE.md: a line for gone/, which is no module of layers.toml")

    def test_the_page_is_in_the_order_of_the_table(self):
        page = "## plimsoll/: the product\n- `theory/`: the bounds.\n- `base/`: for all.\n"
        self.refuses("check_layers", {"docs/ARCHITECTURE.md": page}, "docs/ARCHITECTURE.md: theory/ stands before base/")

    def test_a_folder_of_many_files_is_named(self):
        files = {f"plimsoll/base/inner/f{at}.h": "" for at in range(46)}
        self.refuses("check_layers", files, "plimsoll/base/inner: 46 files in one folder, 45 allowed")

    def test_a_build_file_does_not_fill_a_folder(self):
        files = {f"plimsoll/base/inner/f{at}.h": "" for at in range(45)}
        self.accepts("check_layers", self.tree({**files, "plimsoll/base/inner/CMakeLists.txt": ""}))

    def test_a_header_of_parts_is_named(self):
        self.refuses("check_layers", {"plimsoll/base/look_parts.h": ""},
                     "plimsoll/base/look_parts.h: name the header after what is in it")

    def test_a_quoted_include_needs_its_module(self):
        self.refuses("check_layers", {"plimsoll/base/bad.h": '#include "good.h"\n'}, "is not of the form")

    def test_using_namespace_at_file_scope_is_refused(self):
        self.refuses("check_layers", {"plimsoll/base/bad.h": "using namespace std;\n"}, "using namespace at file scope")


class Cycles(CheckCase):
    def test_four_units_in_a_cycle_are_named(self):
        self.refuses("check_layers", ring(4), "plimsoll/base: 4 units in a cycle: unit0, unit1, unit2, unit3; 3 allowed")

    def test_three_are_counted(self):
        code, output = run("check_layers", self.tree({**ring(3), **ring(2, "theory")}))
        self.assertEqual(code, 0, output)
        self.assertIn("in order; 2 cycles of 2 or 3 units", output)

    def test_a_chain_is_no_cycle(self):
        code, output = run("check_layers", self.tree({**ring(5), "plimsoll/base/unit4.cpp": ""}))
        self.assertEqual(code, 0, output)
        self.assertIn("in order; 0 cycles", output)

    def test_the_includes_of_a_cycle_are_listed(self):
        code, output = run("check_layers", "--cycles", self.tree(ring(2)))
        self.assertEqual(code, 0, output)
        self.assertIn("  plimsoll/base/unit1.cpp:2 -> plimsoll/base/unit0.h\n1 cycles", output)

    def test_a_source_of_another_header_counts_when_it_is_asked_for(self):
        files = {"plimsoll/base/a.h": "", "plimsoll/base/b.h": '#include "plimsoll/base/a.h"\n',
                 "plimsoll/base/a_json.cpp": '#include <map>\n#include "plimsoll/base/a.h"\n#include "plimsoll/base/b.h"\n'}
        root = self.tree(files)
        self.assertIn("0 cycles", run("check_layers", "--cycles", root)[1])
        self.assertIn("plimsoll/base/a_json.cpp:3 -> plimsoll/base/b.h", run("check_layers", "--link-cycles", root)[1])


class PublicHeaders(CheckCase):
    def test_a_header_is_public_that_another_module_reaches(self):
        files = {"plimsoll/base/good.h": '#include "plimsoll/base/deep.h"\n', "plimsoll/base/deep.h": "",
                 "plimsoll/base/own.h": "", "plimsoll/base/own.cpp": '#include "plimsoll/base/own.h"\n'}
        self.assertEqual(run("public_headers", self.tree(files)), (0, "plimsoll/base/deep.h\nplimsoll/base/good.h\n"))

    def test_only_those_of_the_modules_asked_for(self):
        files = {"plimsoll/extra/more.h": "", "plimsoll/theory/ok.cpp": '#include "plimsoll/extra/more.h"\n'}
        self.assertEqual(run("public_headers", "--modules", "base,theory", self.tree(files)), (0, ""))
        self.assertEqual(run("public_headers", "--modules", "extra", self.tree(files)), (0, "plimsoll/extra/more.h\n"))


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
