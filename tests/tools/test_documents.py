#!/usr/bin/env -S python3 -X utf8
"""The documents: their links lead somewhere, the files that they name are there, and they stay short."""

import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, "tests/support")
import unit_tests  # noqa: E402

README_BYTES, ALL_WORDS = 10_000, 20_000
DOCUMENTS = sorted(path for pattern in ("*.md", "docs/**/*.md", "*/README.md") for path in Path().glob(pattern))
SOURCES = [path for folder in ("src", "include", "tools", "tests", "bench", "data", "examples", ".ci")
           for path in Path(folder).rglob("*") if path.is_file() and path.suffix in (".c", ".h", ".cc", ".py", ".sh", "")]
SOURCES += [Path("Makefile"), Path("install.mk")]
OF_OTHERS = {"bind-to", "cpus-per-task", "kill-on-bad-exit", "map-by", "mca", "mpi", "nodes", "ntasks-per-node", "signal",  # MPI, Slurm
             "cflags", "libs", "static"}  # pkg-config
FOLDERS = {path.name for path in Path("src").iterdir() if path.is_dir()}


def without_code(text):
    """The text without indented blocks and backticks, in which nothing is a link."""
    return re.sub(r"`[^`]*`", "", re.sub(r"^    .*$", "", text, flags=re.MULTILINE))


def anchors(path):
    """The anchors that GitHub gives the headings of a document."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line).lower()).replace(" ", "-") for line in headings}


def is_there(name):
    """Whether a name such as text/bpe, model/pass.c, linalg/backend/ or serve/*_route is a file or a folder of the sources."""
    return any(next(top.glob(re.sub("[A-Z]+", "*", name.rstrip("/")) + ending), None) for top in (Path("src"), Path()) for ending in ("", ".h", ".c", ".*"))


class Documents(unittest.TestCase):
    def test_links(self):
        for path in DOCUMENTS:
            for target in re.findall(r"\]\(([^)\s]+)\)", without_code(path.read_text())):
                if re.match(r"https?:", target):
                    continue
                file, _, anchor = target.partition("#")
                linked = path.parent / file if file else path
                with self.subTest(document=str(path), link=target):
                    self.assertTrue(linked.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(linked))

    def test_names(self):
        for path in DOCUMENTS:
            for name in re.findall(r"`((?:[\w.-]+/)+[\w.*-]*)`", path.read_text()):
                top = name.split("/")[0]
                if top in FOLDERS or top in ("src", "tests", "tools", "examples", ".ci", "systemd"):
                    with self.subTest(document=str(path), name=name):
                        self.assertTrue(is_there(name))

    def test_functions(self):
        sources = "".join(path.read_text(errors="replace") for path in SOURCES)
        words = set(re.findall(r"\w+", sources))
        for path in DOCUMENTS:
            for name in set(re.findall(r"`([a-z]{2,}(?:_[a-z0-9]+)+)`", path.read_text())):
                with self.subTest(document=str(path), name=name):
                    self.assertIn(name, words)

    def test_options(self):
        """An option is one of a verb, of a tool, or of another program."""
        verbs = re.findall(r"^  ([a-z]+)  ", self.help_of(), re.MULTILINE)
        known = "".join([self.help_of(verb) for verb in verbs] + [path.read_text(errors="replace") for path in SOURCES
                                                                  if path.parts[0] in ("tools", "data")])
        for path in DOCUMENTS:
            for option in set(re.findall(r"(?<![\w-])--([a-z][a-z0-9-]+)", path.read_text())) - OF_OTHERS:
                with self.subTest(document=str(path), option=option):
                    self.assertRegex(known, f"--{option}(?![a-z0-9-])")

    @staticmethod
    def help_of(*verb):
        return subprocess.run(["build/release/regard", *verb, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout

    def test_named_by_sources(self):
        for path in SOURCES:
            for name in set(re.findall(r"\b(?:docs|bench|data|models)/[\w/]+\.md\b", path.read_text(errors="replace"))):
                with self.subTest(source=str(path), document=name):
                    self.assertTrue(Path(name).exists())

    def test_lengths(self):
        self.assertLessEqual(Path("README.md").stat().st_size, README_BYTES)
        originals = [path for path in DOCUMENTS if not re.search(r"\.(fr|zh)\.md$", path.name)]  # nobody reads a text twice
        self.assertLessEqual(sum(len(path.read_text().split()) for path in originals), ALL_WORDS)


if __name__ == "__main__":
    unit_tests.run()
