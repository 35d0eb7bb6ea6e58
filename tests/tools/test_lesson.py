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


def make(text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "text.md")
        path.write_text(text)
        return subprocess.run(["tools/lesson", str(path)], capture_output=True, text=True)


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

    def test_refused(self):
        for changed, message in ((TEXT.replace("    e_t1    = .5·.5915", "    e_t1    = .5·.5915·1.0"), "has 6 numbers where"),
                                 (TEXT.replace("    tanh    =", "    tanh z  ="), ""), (TEXT.replace("| 4 | .7162", "| four | .7162"), "has no m40"),
                                 (TEXT.replace("## 3. ", "## 30. "), "has no")):
            made = make(changed)
            self.assertEqual((made.returncode, made.stdout) if message else made.returncode, (1, "") if message else 0)
            self.assertIn(message, made.stderr)
        self.assertEqual(subprocess.run(["tools/lesson"], capture_output=True).returncode, 2)
        self.assertEqual(subprocess.run(["tools/lesson", "/nowhere"], capture_output=True).returncode, 1)


if __name__ == "__main__":
    unit_tests.run()
