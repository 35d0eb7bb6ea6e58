#!/usr/bin/python3
"""regard.pytorch gives the log-probabilities that the program gives, whatever parts a model has and in whatever form it is kept."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path[:0] = ["tests/support", "python/regard"]  # the file alone, as programs without Regard have it
import unit_tests  # noqa: E402

try:
    import pytorch
    import torch
    torch.set_num_threads(1)
except ImportError:
    pytorch = None

REGARD = os.environ.get("REGARD_PROGRAM", "build/release/regard")
TINY = "--max-epochs 1 --embedding 6 --hidden 8 --vocab-size 320 --batch-tokens 200 --threads 1 --guide none --precision float32".split()
PARTS = {"default": [],
         "published": ["--preset", "bahdanau2014"],
         "multi-head": ["--attention", "multi-head", "--self-attention", "--heads", "2", "--joint-vocab"],
         "mean": ["--attention", "none", "--separate-vocab", "--decoder-hidden", "5"]}


def regard(*words, text=""):
    return subprocess.run([REGARD, *words], input=text, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8",
                          check=True).stdout.splitlines()


@unittest.skipUnless(pytorch, "PyTorch is not there")
class Pytorch(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        lines = Path("data/en-fr/train.tsv").read_text(encoding="utf-8").splitlines()[:90]
        self.corpus, self.pairs = Path(self.folder.name, "corpus.tsv"), lines[:12]
        self.corpus.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def tearDown(self):
        self.folder.cleanup()

    def train(self, *words):
        model = f"{self.folder.name}/model"
        regard("train", "--train", str(self.corpus), "--model", model, "--overwrite", *TINY, *words)
        return model

    def ids(self, model, side, *words):
        lines = regard("tokenize", "--model", model, "--ids", *words, text="".join(pair.split("\t")[side] + "\n" for pair in self.pairs))
        return [[int(word) for word in line.split()] for line in lines]

    def assert_scores(self, network, model):
        scores = regard("score", "--model", model, "-", text="\n".join(self.pairs) + "\n")
        ids = zip(self.ids(model, 0), self.ids(model, 1, "--target"))
        for score, (source, target) in zip(scores, ids):
            self.assertAlmostEqual(network.log_probability(source, target) / float(score), 1, delta=1e-5)

    def test_parts(self):
        for name, words in PARTS.items():
            with self.subTest(model=name):
                model = self.train(*words)
                self.assert_scores(pytorch.load_model(model), model)

    def test_quantised(self):
        model = self.train("--separate-vocab")
        for kind in ("bf16", "int8", "int4"):
            with self.subTest(kind=kind):
                small = f"{self.folder.name}/{kind}"
                regard("quantize", model, "-o", small, "--type", kind)
                self.assert_scores(pytorch.load_model(small), small)

    def test_export(self):
        model, output = self.train("--separate-vocab"), f"{self.folder.name}/model.pt"
        pytorch.main(model, output)
        saved = torch.load(output)
        self.assert_scores(pytorch.Network(saved["tensors"], saved["attention"], saved["heads"]), model)
        self.assertEqual([list(one) for one in saved["vocabularies"]], [["alphabet", "merges"]] * 2)
        with self.assertRaisesRegex(ValueError, "is not a model of Regard"):
            pytorch.load_model(f"{model}.checkpoint")

    def test_gradient(self):
        """The module learns: what it would be for otherwise."""
        network = pytorch.load_model(self.train()).float()
        source, target = torch.tensor([[301, 3]]), torch.tensor([[302, 303, 3]])
        before = network.log_probabilities(source, torch.tensor([2]), target)
        (-before.sum()).backward()
        torch.optim.SGD(network.parameters(), lr=0.01).step()
        self.assertGreater(network.log_probabilities(source, torch.tensor([2]), target).item(), before.item())


if __name__ == "__main__":
    unit_tests.run()
