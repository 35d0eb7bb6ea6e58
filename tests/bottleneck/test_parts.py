#!/usr/bin/env -S python3 -X utf8
"""The parts of tools/bottleneck: joining, the picture of given figures, what is too little to compare."""

import argparse
import gzip
import random
import runpy
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench/bottleneck"))
import joining  # noqa: E402
import picture  # noqa: E402

sys.path.insert(0, "tests/support")
import unit_tests  # noqa: E402

bottleneck = argparse.Namespace(**runpy.run_path("tools/bottleneck"))

NUMBERED = [(f"a{i} x", f"A{i} x") for i in range(1000)]


class Joining(unittest.TestCase):
    def test_bins(self):
        for length, name in [(1, "1–10"), (10, "1–10"), (11, "11–20"), (60, "51–60"), (61, "61+"), (500, "61+")]:
            self.assertEqual(joining.BINS[joining.bin_of(length)], name)

    def test_separators(self):
        for texts, segmented, joined in [
            (["One.", "Two?", "three"], True, "One. Two? three"), (["one", "2", "three"], True, "one. 2. three"),
            (["é", "»", "b"], True, "é. » b"), (["好", "吗？", "好"], False, "好。吗？好"), (["alone"], True, "alone"),
        ]:
            self.assertEqual(joining.join(texts, segmented), joined)

    def test_every_pass_has_every_pair(self):
        joined = joining.Joiner(NUMBERED).passes(NUMBERED, 3, 1)
        sizes, seen = [0] * (joining.MAX_JOINED + 1), {}
        for source, target in joined:
            self.assertEqual(source.upper().replace("X", "x"), target)
            words = [word for word in source.split() if word.startswith("a")]
            sizes[len(words)] += 1
            for word in words:
                seen[word] = seen.get(word, 0) + 1
        self.assertEqual((len(seen), set(seen.values())), (1000, {3}))
        for k in range(1, joining.MAX_JOINED + 1):  # the same share of 3000 sentences for each size
            self.assertTrue(225 <= k * sizes[k] <= 600, sizes)

    def test_seed_decides(self):
        joiner = joining.Joiner(NUMBERED)
        self.assertEqual(joiner.passes(NUMBERED, 2, 7), joiner.passes(NUMBERED, 2, 7))
        self.assertNotEqual(joiner.passes(NUMBERED, 2, 7), joiner.passes(NUMBERED, 2, 8))
        self.assertEqual(joiner.evenly(NUMBERED, 3, 5), joiner.evenly(NUMBERED, 3, 5))

    def test_evenly(self):
        generator = random.Random(1)
        pairs = [(" ".join(f"w{i}.{j}" for j in range(generator.randint(2, 16))), f"t{i}") for i in range(400)]
        joined = joining.Joiner(pairs).evenly(pairs, 7, 1)
        self.assertEqual(len({source for source, _ in joined}), len(joined))
        counts = [0] * len(joining.BINS)
        for source, _ in joined:
            counts[joining.bin_of(len(source.split()))] += 1
        self.assertEqual(counts, [7] * len(counts))

    def test_bins_that_stay_empty(self):
        pairs = [("one", "un"), ("two", "deux")]  # one; two; one. two; two. one
        self.assertEqual(len(joining.Joiner(pairs).evenly(pairs, 5, 1)), 4)

    def test_characters(self):
        self.assertEqual(joining.Joiner([("我们好。", "we a")]).segmented, [False, True])
        self.assertEqual(joining.length_of("我 们好", False), 3)

    def test_without(self):
        pairs = [("a", "A"), ("b", "B"), ("c", "C"), ("d", "A"), ("a", "D")]
        self.assertEqual(joining.without(pairs, [("a", "C")]), [("b", "B"), ("d", "A")])

    def test_split(self):
        rest, held_out = joining.split(NUMBERED)
        self.assertEqual((len(rest), len(held_out), len(joining.split(NUMBERED[:3])[1])), (980, 20, 1))
        self.assertEqual(sorted(rest + held_out), sorted(NUMBERED))

    def test_reading(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder)
            (path / "a.tsv").write_text("\ufeffa\tA\textra\n\tempty\nb \tB\r\n")
            (path / "a.en").write_text("a\nb\n")
            with gzip.open(path / "a.fr.gz", "wt") as file:
                file.write("A\nB\n")
            (path / "a.tmx").write_text("<tmx><body><tu><tuv><seg>a</seg></tuv><tuv><seg>A</seg></tuv></tu></body></tmx>")
            self.assertEqual(joining.read_pairs(f"{folder}/a.tsv"), [("a", "A"), ("b", "B")])
            self.assertEqual(joining.read_pairs(f"{folder}/a.en,{folder}/a.fr.gz"), [("a", "A"), ("b", "B")])
            self.assertEqual(joining.read_pairs(f"{folder}/a.tmx"), [("a", "A")])
            (path / "b.tsv").write_text("a\tA\nno tab\n")
            with self.assertRaisesRegex(ValueError, "b.tsv, line 2"):
                joining.read_pairs(f"{folder}/b.tsv")
            (path / "a.fr").write_text("A\n")
            with self.assertRaisesRegex(ValueError, "2 and 1 lines"):
                joining.read_pairs(f"{folder}/a.en,{folder}/a.fr")


def figures_of(series, counts=(1,) * 7):
    figures = picture.Figures("words", list(counts), [6 + 10 * place for place in range(7)])
    for i in range(series):
        figures.series[f"s&{i}"] = (50.0, [(80 - 10 * place, 75 - 10 * place, 85 - 10 * place) for place in range(7)])
    return figures


def starting(svg, name):
    return [element for element in ElementTree.fromstring(svg).iter() if element.get("class", "").startswith(name)]


class Picture(unittest.TestCase):
    def test_drawing(self):
        for wide in (True, False):
            for lines in (1, 2, len(picture.LOOKS)):
                svg = picture.svg(figures_of(lines), "A & B", wide)
                found = [len(starting(svg, name)) for name in ("point", "line ", "interval")]
                self.assertEqual(found, [8 * lines, 2 * lines, 7 * lines])
                texts = [element.text for element in ElementTree.fromstring(svg).iter()]
                for text in ("A & B", "BLEU", "words in the source", "s&0"):
                    self.assertEqual(texts.count(text), 1)

    def test_coordinates(self):
        self.assertIn('d="M99.0 176.0L190.7 206.0L', picture.svg(figures_of(1), "x"))

    def test_empty_bins(self):
        figures = figures_of(1, (0, 1, 1, 0, 1, 1, 1))
        svg, table = picture.svg(figures), picture.table(figures)
        self.assertEqual(len(starting(svg, "point")), 6)
        self.assertEqual(starting(svg, "line ")[1].get("d").count("M"), 2)
        self.assertNotIn("1–10 ", table)
        self.assertIn("41–50", table)

    def test_nothing_at_all(self):
        figures = picture.Figures("words", [0] * 7, [0.0] * 7)
        figures.series["none"] = (0.0, [None] * 7)
        self.assertEqual(len(starting(picture.svg(figures), "point")), 1)

    def test_table(self):
        lines = picture.table(figures_of(2)).split("\n")
        self.assertEqual(lines[2], "length  sources   s&0                     s&1")
        self.assertEqual(lines[3], "1–10          1    80.0 [75.0, 85.0]       80.0 [75.0, 85.0]")
        self.assertEqual(lines[10], "all           7    50.0                    50.0")

    def test_page(self):
        page = picture.page(figures_of(2), "A & B", [("Corpus", "x < y")])
        ElementTree.fromstring(page.replace("<!DOCTYPE html>", "").replace("&#160;", " "))
        for part in ("<dt>Corpus</dt><dd>x &lt; y</dd>", "<th>s&amp;1</th>", "<td>80.0 <small>75.0–85.0</small></td>"):
            self.assertIn(part, page)


class Comparison(unittest.TestCase):
    def test_too_little(self):
        options = argparse.Namespace(least=85, epochs=3)
        with self.assertRaisesRegex(bottleneck.Failure, "s&0 has 80.0 BLEU on inputs of 1–10 words, less than 85"):
            bottleneck.refuse_short(options, figures_of(1))
        figures = picture.Figures("words", [0] * 7, [0.0] * 7)
        figures.series["none"] = (0.0, [None] * 7)
        with self.assertRaisesRegex(bottleneck.Failure, "no test inputs"):
            bottleneck.refuse_short(options, figures)


if __name__ == "__main__":
    unit_tests.run()
