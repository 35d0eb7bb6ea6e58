#!/usr/bin/env -S python3 -X utf8
"""Training by several ranks under mpirun: the same bytes as alone, and one message when one of them fails."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from mpirun import ENVIRONMENT, PROGRAM, can_start_ranks, launcher, saved, take_corpus

SIZES = "--vocab-size 300 --embedding 8 --hidden 8 --batch-tokens 200 --precision float32"
EPOCHS = "--max-epochs 2"
HARDER = "--guide auto --dropout 0.2 --r-drop 0.5"


class Together(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        take_corpus(self.folder, 90, 20)

    def words(self, threads, options, model, train="train.tsv"):
        files = f"--train {train} --valid valid.tsv --model ./{model}"
        return [str(PROGRAM), "train", *f"{files} --threads {threads} {options}".split()]

    def run_words(self, words, environment=ENVIRONMENT):
        done = subprocess.run(words, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stderr

    def train(self, ranks, threads, options, model):
        status, said = self.run_words([*launcher(ranks), *self.words(threads, options, model)])
        self.assertEqual(status, 0, said)
        return said

    def assert_same(self, model, other):
        self.assertEqual(saved(self.folder, model), saved(self.folder, other))

    @unittest.skipUnless(can_start_ranks(), "no mpirun, or built without MPI")
    def test_ranks_and_threads_give_the_same_bytes(self):
        options = f"{SIZES} {EPOCHS} {HARDER}"
        self.train(0, 2, options, "alone")
        said = self.train(2, 1, options, "two")
        self.assertIn("2 ranks of 1 thread", said)
        self.assertEqual(said.count("for validation"), 1, said)
        self.assert_same("two", "alone")

    @unittest.skipUnless(can_start_ranks(), "no mpirun, or built without MPI")
    def test_each_rank_keeps_the_corpus_in_files_of_its_own(self):
        cache = self.folder / "cache"
        cache.mkdir()
        options = f"{SIZES} --max-epochs 1 --guide none"
        self.train(0, 2, options, "alone")
        self.train(2, 1, f"{options} --cache cache", "two")
        self.assertEqual(saved(self.folder, "two")[0], saved(self.folder, "alone")[0])  # a checkpoint has its command
        self.assertFalse(list(cache.iterdir()))

    @unittest.skipUnless(can_start_ranks(), "no mpirun, or built without MPI")
    def test_a_run_goes_on_with_another_split(self):
        self.train(0, 2, f"{SIZES} --max-epochs 3 --log run.jsonl", "whole")
        self.train(0, 2, f"{SIZES} {EPOCHS} --log run.jsonl --overwrite", "cut")
        resume = [str(PROGRAM), "train", "--model", "cut", "--resume", "--max-epochs", "3"]
        status, said = self.run_words([*launcher(2), *resume])
        self.assertEqual(status, 0, said)
        self.assertNotIn("bit for bit", said)
        self.assertEqual((self.folder / "run.jsonl").read_text().count('"validation_bleu"'), 3)
        self.assert_same("cut", "whole")

    @unittest.skipUnless(can_start_ranks(), "no mpirun, or built without MPI")
    def test_a_failure_names_the_rank(self):
        other = [*launcher(1), *self.words(1, SIZES, "m"), ":", "-n", "1"]
        (self.folder / "other.tsv").write_text("A dog.\tUn chien.\n" * 9)
        for train, message in (("other.tsv", "what it reads is not what rank 0 reads"), ("none.tsv", "none.tsv: cannot be opened")):
            status, said = self.run_words([*other, *self.words(1, SIZES, "m", train)])
            self.assertIn(status, (1, 2), said)
            self.assertEqual(said.count("regard train:"), 1, said)
            self.assertRegex(said, rf"regard train: rank 1 \(.*\): {message}")
            self.assertFalse(list(self.folder.glob("m*")))

    def test_ranks_without_mpi_are_told_once(self):
        shutil.copy(PROGRAM, self.folder / "regard")
        words = [str(self.folder / "regard"), *self.words(1, SIZES, "m")[1:]]
        for rank, expected in ("0", 2), ("1", 0):
            status, said = self.run_words(words, {**os.environ, "PMI_SIZE": "2", "PMI_RANK": rank})
            self.assertEqual(status, expected)
            self.assertEqual("2 processes were started to train together, but MPI cannot be used" in said, rank == "0", said)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    bad, count = len(result.failures) + len(result.errors), result.testsRun
    print(f"{100 * (count - bad) // count}%: Checks: {count}, Failures: {len(result.failures)}, Errors: {len(result.errors)}")
    sys.exit(bad > 0)
