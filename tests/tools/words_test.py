"""tools/check_words passes on this repository and names each expression of its list, and only in prose and in messages."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def run(root, *flags):
    command = [sys.executable, ROOT / "tools" / "check_words", *flags, root]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


class Words(unittest.TestCase):
    def tree(self, files):
        """A temporary folder with `files`, name to text."""
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        for name, text in files.items():
            place = pathlib.Path(holder.name, name)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        return holder.name

    def refuses(self, name, text, words):
        code, output = run(self.tree({name: text}))
        self.assertEqual(code, 1, output)
        self.assertEqual(output.splitlines()[0], words, output)

    def accepts(self, name, text):
        code, output = run(self.tree({name: text}))
        self.assertEqual(code, 0, output)

    def test_this_repository_is_in_order(self):
        code, output = run(ROOT)
        self.assertEqual(code, 0, output)

    def test_each_expression_is_named_with_its_remedy(self):
        remedies = {"the run goes on": "'goes on': write resume, continue",
                    "it hangs on the rate": "'hangs on': write depends on",
                    "so many tasks at a time": "'so many': write a number of, at most N",
                    "Whoever has it": "'Whoever': write a user, another process, the process that",
                    "the dearest network": "'dearest': write most expensive",
                    "it is told who has it": "'is told': write gets, is given",
                    "it is made anew": "'anew': write again, from the start",
                    "trained from nothing": "'from nothing': write from scratch"}
        for text, remedy in remedies.items():
            self.refuses("page.md", f"# Title\n\n{text}.\n", f"page.md:3: {remedy}")

    def test_an_expression_may_be_broken_over_two_lines(self):
        self.refuses("page.md", "one\nthe same command goes\non\n", "page.md:2: 'goes on': write resume, continue")

    def test_a_part_of_a_longer_word_is_another_word(self):
        self.accepts("page.md", "The cargoes only, a changeover, a go-on button, is toldable, canewas.\n")

    def test_code_and_quotations_are_exempt(self):
        self.accepts("page.md", "`goes on`\n\n```sh\necho goes on\n```\n\n- ```sh\n  goes on\n  ```\n\n> Predicted: it goes on.\n")

    def test_prose_after_code_is_not(self):
        self.refuses("page.md", "```sh\nx\n```\nIt goes on.\n", "page.md:4: 'goes on': write resume, continue")

    def test_decisions_stay_as_they_were_written(self):
        self.accepts("docs/decisions/0001.md", "It goes on.\n")

    def test_messages_of_the_program_are_prose(self):
        self.refuses("plimsoll/base/a.cpp", 'int x = 1;\nauto text = "the same command goes on\\n";\n',
                     "plimsoll/base/a.cpp:2: 'goes on': write resume, continue")
        self.refuses("plimsoll/base/a.cpp", 'auto text = "the same command goes "\n            "on";\n',
                     "plimsoll/base/a.cpp:1: 'goes on': write resume, continue")
        self.refuses("plimsoll/base/a.cpp", 'auto text = R"(first\nit goes on)";\n',
                     "plimsoll/base/a.cpp:2: 'goes on': write resume, continue")

    def test_names_comments_and_separate_literals_are_not(self):
        self.accepts("plimsoll/base/a.cpp", "// goes on\n/* goes\n on */\nint anew = 1'000'000;\nchar c = '\"';\n"
                     'f("goes", "on");\nf("goes"\n  + on, "on");\n')

    def test_other_folders_are_not_the_product(self):
        self.accepts("tests/a.cpp", 'auto text = "goes on";\n')

    def test_arguments(self):
        code, _ = run(ROOT, "--fix")
        self.assertEqual(code, 2)


if __name__ == "__main__":
    unittest.main()
