#!/usr/bin/env -S python3 -X utf8
"""tools/lesson: the page has all of the text, and numbers that it does not know are refused."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, "tests/support")
import unit_tests  # noqa: E402

TEXT = Path("docs/attention.md").read_text()


def make(text, name="text.md", translator=None):
    with tempfile.TemporaryDirectory() as folder:
        path, page = Path(folder, name), Path(folder, "translator.html")
        path.write_text(text)
        page.write_text(translator or "")
        return subprocess.run(["tools/lesson", str(path), *([str(page)] if translator else [])], capture_output=True, text=True)


class Lesson(unittest.TestCase):
    def test_page(self):
        page = make(TEXT).stdout
        body = page[page.index("<body>"):page.index("<script>")] + "</body>"
        tree = ElementTree.fromstring(re.sub(r"<(input[^>]*|meter[^>]*)>(</meter>)?", r"<\1/>", body))
        words = "".join(tree.itertext()).split()
        for line in TEXT.splitlines():
            for word in re.findall(r"(?<![\w`(*])[A-Za-z]{4,}(?=[ ,;])", re.sub(r"\(http.*?\)|`.*?`", "", line)):
                self.assertTrue(any(word in shown for shown in words), word)
        self.assertEqual(len(tree.findall(".//h2")), len(re.findall("^## ", TEXT, re.MULTILINE)))
        self.assertIn("W_a s_{t-1} + b_a = (.48, .54)", "".join(tree.itertext()))

    def test_translations(self):
        """The first three sections in other languages have the same equations, numbers and live places."""
        first = TEXT.split("## 4. ")[0]
        exact = lambda text: [re.sub(r"  +.*[?:].*$|   [a-z].*$|  +[^ =\d]*$", "", line) for line in text.splitlines() if re.match(r"    .*=.*\d", line)]
        for language, title in (("fr", "L'attention, à la main"), ("zh", "亲手计算注意力")):
            text = Path(f"docs/attention.{language}.md").read_text()
            self.assertEqual(re.findall(r"\.\d{4}", text), re.findall(r"\.\d{4}", first))
            self.assertEqual([line for line in exact(text) if "." in line], [line for line in exact(first) if "." in line])
            page = make(text, f"text.{language}.md").stdout
            self.assertIn(f'<html lang="{language}">', page)
            self.assertIn(f"<title>{title}</title>", page)
            live = lambda page: re.findall(r'<output data-name="(\w+)"', page.split("<h2 id=\"4-")[0])
            self.assertEqual(live(page), live(make(TEXT).stdout))
            self.assertIn('<a href="attention.html#12-the-word-itself">', page)

    def test_own_sentence(self):
        """Engine and models of a page of `regard page` come with the equations that show their numbers; without them neither."""
        page = ('<script type="application/json" id="contents">[]</script>\n<script type="text/plain" id="worker">\nwork\n</script>\n'
                "<script>\nrest\n</script>\n")
        made = make(TEXT, translator=page).stdout
        for part in ('id="contents">[]<', 'id="worker">\nwork\n', '<form id="own">', "const local", "wasm-unsafe-eval"):
            self.assertIn(part, made)
            self.assertNotIn(part, make(TEXT).stdout)
        self.assertFalse("rest" in made[made.index("id=\"contents"):made.index("<script>")])

    def test_refused(self):
        for changed, message in ((TEXT.replace("    e_t0     = .5·.5915", "    e_t0     = .5·.5915·1.0"), "has 6 numbers where"),
                                 (TEXT.replace("    tanh z_0 =", "    tanh(z) ="), ""), (TEXT.replace("| 3 | .7162", "| three | .7162"), "has no m30"),
                                 (TEXT.replace("## 3. ", "## 30. "), "has no")):
            made = make(changed)
            self.assertEqual((made.returncode, made.stdout) if message else made.returncode, (1, "") if message else 0)
            self.assertIn(message, made.stderr)
        self.assertIn("no page of regard page", make(TEXT, translator="<html></html>").stderr)
        self.assertEqual(subprocess.run(["tools/lesson"], capture_output=True).returncode, 2)
        self.assertEqual(subprocess.run(["tools/lesson", "/nowhere"], capture_output=True).returncode, 1)


if __name__ == "__main__":
    unit_tests.run()
