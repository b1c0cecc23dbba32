"""tools/check_markdown passes on this repository, names what is wrong in a small tree, and wraps without changing words."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LONG = "word " * 30 + "end."  # 154 characters
URL = "https://example.org/" + "x" * 120


def run(root, *flags):
    command = [sys.executable, ROOT / "tools" / "check_markdown", *flags, root]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


class Markdown(unittest.TestCase):
    def tree(self, text, **files):
        """A temporary folder with page.md and `files`, name to text."""
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        root = pathlib.Path(holder.name)
        for name, content in {"page.md": text, **files}.items():
            (root / name).write_text(content)
        return root

    def refuses(self, text, words):
        code, output = run(self.tree(text))
        self.assertEqual(code, 1, output)
        self.assertIn(words, output)

    def accepts(self, text):
        code, output = run(self.tree(text))
        self.assertEqual(code, 0, output)

    def fixed(self, text):
        """`text` after --fix: within the limit, the same after a second --fix, and with the same words."""
        root = self.tree(text)
        code, output = run(root, "--fix")
        self.assertEqual(code, 0, output)
        once = (root / "page.md").read_text()
        run(root, "--fix")
        self.assertEqual((root / "page.md").read_text(), once)
        self.assertEqual(once.replace("> ", "").split(), text.replace("> ", "").split())
        return once

    def leaves(self, text):
        """--fix changes nothing, long lines that cannot be wrapped included."""
        root = self.tree(text)
        run(root, "--fix")
        self.assertEqual((root / "page.md").read_text(), text)

    def test_this_repository_is_in_order(self):
        code, output = run(ROOT)
        self.assertEqual(code, 0, output)

    def test_a_long_line_is_named(self):
        self.refuses(f"# Title\n\n{LONG}\n", "page.md:3: 154 characters, 120 allowed")

    def test_characters_count_not_bytes(self):
        self.accepts("é é " * 30 + "\n")

    def test_a_long_line_of_a_list_a_quote_or_a_heading_is_named(self):
        for mark in ("- ", "  12. ", "> ", "## "):
            self.refuses(f"{mark}{LONG}\n", f"page.md:1: {len(mark) + 154} characters")

    def test_tables_fences_and_single_words_are_exempt(self):
        self.accepts(f"| {LONG} |\n| --- |\n\n```sh\n{LONG}\n```\n\n{URL}\n\n- {URL}\n")

    def test_a_fence_ends(self):
        self.refuses(f"````\n```\n````\n{LONG}\n", "page.md:4")

    def test_a_link_must_exist(self):
        self.refuses("[here](other.md)\n", "page.md:1: link to other.md, which does not exist")
        self.refuses("one\n\n[a\nb](gone/#part)\n", "page.md:4: link to gone/#part")
        self.refuses("[name]: gone.md\n", "link to gone.md")

    def test_links_that_exist_or_lead_outside_are_fine(self):
        self.accepts("[a](page.md#x) [b](#x) [c](https://example.org) [d](.) `[e](gone.md)`\n\n```\n[f](gone.md)\n```\n")

    def test_fix_wraps_a_paragraph(self):
        lines = self.fixed(f"{LONG}\nshort\n").splitlines()
        self.assertEqual(lines, [("word " * 24).strip(), "word " * 6 + "end. short"])

    def test_fix_keeps_the_indent_of_lists_and_the_marks_of_quotes(self):
        self.assertIn("\n   word", self.fixed(f"1. {LONG}\n"))
        self.assertIn("\n    word", self.fixed(f"- a\n  - {LONG}\n"))
        self.assertIn("\n> word", self.fixed(f"> {LONG}\n"))

    def test_fix_begins_no_line_with_what_would_be_a_block(self):
        for word in ("-", "12.", "#", ">", "+"):
            lines = self.fixed("word " * 24 + f"{word} " + "word " * 5 + "\n").splitlines()
            self.assertEqual(lines[1].split()[0], "word")

    def test_fix_keeps_code_spans_and_hard_breaks(self):
        self.assertIn("`a  b c`", self.fixed("word " * 23 + "`a  b c` " + "word " * 5 + "\n"))
        self.assertEqual(self.fixed(f"one  \n{LONG}\n").splitlines()[0], "one  ")

    def test_fix_touches_only_what_is_too_long(self):
        kept = "a\nb\n\n- c\n  d\n"
        self.assertTrue(self.fixed(f"{kept}\n{LONG}\n").startswith(kept))

    def test_fix_leaves_the_rest_alone(self):
        self.leaves(f"---\ntitle: {LONG}\n---\n\n# {LONG}\n\n    {LONG}\n\n<!-- {LONG}\n{LONG} -->\n\n{LONG}\n===\n")


if __name__ == "__main__":
    unittest.main()
