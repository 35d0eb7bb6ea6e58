#!/usr/bin/env -S python3 -X utf8
"""The everyday triples of data/everyday/topics: three columns, nothing twice, typography, parts."""

import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, "tests/support")
import unit_tests  # noqa: E402

FOLDER = pathlib.Path("data/everyday/topics")
HAN = re.compile("[\u4e00-\u9fff]")


def triples():
    for path in sorted(FOLDER.glob("*.tsv")):
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1], 1):
            yield f"{path}:{number}", line


class Everyday(unittest.TestCase):
    def test_columns(self):
        for place, line in triples():
            columns = line.split("\t")
            self.assertEqual(len(columns), 3, place)
            for column in columns:
                self.assertTrue(column, place)
                self.assertEqual(column, " ".join(column.split()), place)

    def test_nothing_twice(self):
        seen = {}
        for place, line in triples():
            self.assertEqual(seen.setdefault(line.split("\t")[0].lower(), place), place)

    def test_typography(self):
        for place, line in triples():
            english, french, chinese = line.split("\t")
            self.assertNotRegex(english, "[’‘“”«»]", place)
            self.assertNotRegex(french, "[’‘“”\u00a0\u202f]", place)
            self.assertRegex(chinese, HAN, place)
            self.assertNotRegex(chinese, r"[\u4e00-\u9fff][,!?;:]|[\u4e00-\u9fff]\.$", place)

    def test_parts(self):
        parts = [subprocess.run(["tools/everyday", part], capture_output=True, check=True).stdout.decode().split("\n")[:-1]
                 for part in ("train", "test")]
        self.assertEqual(sorted(parts[0] + parts[1]), sorted(line for _, line in triples()))
        self.assertLess(abs(len(parts[1]) / len(parts[0] + parts[1]) - 0.1), 0.02)


if __name__ == "__main__":
    unit_tests.run()
