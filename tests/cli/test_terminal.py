#!/usr/bin/env -S python3 -X utf8
"""What verbs say and show where their streams are a terminal, and that they do not elsewhere."""

import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, "tests/support")
import unit_tests  # noqa: E402

PROGRAM = str(Path(os.environ.get("REGARD_PROGRAM", "build/release/regard")).resolve())
PROGRESS = re.compile(r"\r\d+ (lines|pairs|sentences)  \d+ %  (?:\d+:)?\d+:\d\d left\x1b\[K")
SECONDS = 20  # to wait for anything


class Terminal:
    """A program whose streams `on` (0, 1, 2) are a terminal; the others are files, 0 is `given`."""

    def __init__(self, *words, on=(0, 1, 2), given=os.devnull):
        self.master, slave = pty.openpty()
        self.elsewhere = tempfile.TemporaryFile()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
        with open(given, "rb") as file:
            streams = [slave if n in on else self.elsewhere if n else file for n in range(3)]
            self.program = subprocess.Popen([PROGRAM, *words], stdin=streams[0], stdout=streams[1], stderr=streams[2], env=environment)
        os.close(slave)
        self.shown = b""

    @property
    def text(self):
        return self.shown.decode()

    def read_until(self, pattern):
        """Reads until the pattern is found behind what was read before; None: until the program ends."""
        deadline, begin = time.monotonic() + SECONDS, len(self.shown)
        while pattern is None or not re.search(pattern, self.shown[begin:].decode(errors="replace")):
            if not select.select([self.master], [], [], max(0, deadline - time.monotonic()))[0]:
                raise AssertionError(f"no {pattern!r} in {self.shown!r}")
            try:
                got = os.read(self.master, 1 << 16)
            except OSError:  # nobody has it open any more
                got = b""
            if not got:
                break
            self.shown += got

    def type(self, text):
        os.write(self.master, text.encode())

    def finish(self):
        """Its status, and what it wrote elsewhere."""
        self.read_until(None)
        os.close(self.master)
        status = self.program.wait(SECONDS)
        with self.elsewhere:
            self.elsewhere.seek(0)
            return status, self.elsewhere.read().decode()


def shown(text):
    """What is left on the screen: a line that is taken away leaves nothing."""
    lines = [""]
    for part in re.split(r"(\r\n|\r)", text.replace("\x1b[K", "")):
        if part == "\r\n":
            lines.append("")
        elif part == "\r":
            lines[-1] = ""
        else:
            lines[-1] += part
    return lines


class Terminals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = Path(cls.folder.name)
        pairs = [f"the {a} cat sees {b} dogs .\tdas {a} kat siht {b} hunde ." for a in range(20) for b in range(20)]
        cls.few, cls.pairs, cls.lines = str(path / "few.tsv"), str(path / "pairs.tsv"), str(path / "lines.txt")
        cls.model = str(path / "m.safetensors")
        cls.gold = str(path / "gold.align")
        Path(cls.gold).write_text("0-0 2-2\n" * 1200)
        Path(cls.few).write_text("\n".join(pairs) + "\n")
        Path(cls.pairs).write_text("\n".join(pairs * 3) + "\n")
        Path(cls.lines).write_text("".join(pair.split("\t")[0] + "\n" for pair in pairs * 3))
        cls.run_program("train", "--train", cls.few, "--model", cls.model, "--max-epochs", "1", "--hidden", "16", "--embedding", "16",
                        "--vocab-size", "330", "--threads", "1")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @staticmethod
    def run_program(*words):
        return subprocess.run([PROGRAM, *words], check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def test_says_what_is_to_be_typed_and_answers_at_once(self):
        pair = "the 1 cat sees 2 dogs .\tdas 1 kat siht 2 hunde .\n"
        for words, what, typed, answer in [
            (["translate"], "a sentence in English", "the 1 cat .\n", r"\r\n.*\S.*\r\n"),
            (["tokenize"], "a sentence", "the cat\n", r"\r\n.*▁cat\r\n|\r\n.*▁c.*\r\n"),
            (["score", "-"], "a pair, the source, a TAB and the target,", pair, r"\r\n-\d+\.\d+\r\n"),
            (["align", "--threshold=0.01", "-"], "a pair, the source, a TAB and the target,", pair, r"\r\n\d+-\d+.*\r\n"),
        ]:
            with self.subTest(words=words):
                terminal = Terminal(*words, self.model)
                said = f"regard {words[0]}: type {what} and press Enter; Ctrl-D ends\r\n"
                terminal.read_until(re.escape(said))
                for _ in range(2):
                    terminal.type(typed)
                    terminal.read_until(answer)
                terminal.type("\x04")
                self.assertEqual(terminal.finish()[0], 0, terminal.text)
                self.assertEqual(terminal.text.count("Ctrl-D"), 1)

    def test_says_nothing_where_nobody_types(self):
        terminal = Terminal("translate", self.model, "--beam", "1", on=(1, 2), given=self.lines)
        self.assertEqual(terminal.finish()[0], 0)
        self.assertNotIn("type", terminal.text)
        self.assertNotIn("type", self.run_program("score", self.model, self.few).stderr)

    def test_progress_of_a_file(self):
        for words in (["translate", self.model, self.lines], ["align", self.model, self.pairs], ["score", self.model, self.pairs],
                      ["align", self.model, "--gold", self.gold, self.pairs],
                      ["evaluate", self.model, "--beam", "1", self.pairs]):
            with self.subTest(words=words[0]):
                terminal = Terminal(*words, on=(0, 2))
                self.assertEqual(terminal.finish()[0], 0)
                self.assertRegex(terminal.text, PROGRESS)
                plain = PROGRESS.sub("", terminal.text).replace("\r\x1b[K", "")
                self.assertTrue(plain == "" or plain.startswith("regard align: "), plain)

    def test_results_on_the_same_terminal_are_whole(self):
        for words in (["translate", self.model, self.lines], ["align", self.model, self.pairs]):
            with self.subTest(words=words[0]):
                terminal = Terminal(*words)
                terminal.finish()
                self.assertRegex(terminal.text, PROGRESS)
                self.assertEqual("\n".join(shown(terminal.text)), self.run_program(*words).stdout)

    def test_no_progress_elsewhere(self):
        for words in (["translate", self.model, self.lines], ["evaluate", self.model, "--beam", "1", self.pairs]):
            self.assertEqual(self.run_program(*words).stderr, "")
            terminal = Terminal(*words, on=(1,))  # standard error is a pipe
            self.assertEqual(terminal.finish(), (0, ""))
            self.assertNotIn("left", terminal.text)

    def test_learning_to_align(self):
        """Without a model, align shows its iterations on a terminal, and nothing elsewhere."""
        with tempfile.NamedTemporaryFile("w", suffix=".tsv") as pairs:
            pairs.write("the house\tla maison\n" * 3)
            pairs.flush()
            terminal = Terminal("align", "--threads", "1", pairs.name, on=(2,))
            status, links = terminal.finish()
            self.assertEqual(status, 0)
            self.assertIn("learning from 3 pairs: iteration 1 of 9", terminal.text)
            elsewhere = Terminal("align", "--threads", "1", pairs.name, on=())
            self.assertEqual(elsewhere.finish(), (0, links))


if __name__ == "__main__":
    unit_tests.run()
