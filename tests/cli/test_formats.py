#!/usr/bin/env -S python3 -X utf8
"""docs/formats.md against the program: every field that its lists name occurs in real output, with each of its types, and
no other field does."""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, "tests/support")
import unit_tests  # noqa: E402

TOP = Path(__file__).resolve().parents[2]
PROGRAM = TOP / "build/release/regard"
FIELD = re.compile(r"- (`[^`]+`(?:, `[^`]+`)*) \(((?:[^()]|\([^()]*\))*)\)(?:: |$)")


def slug(heading):
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def read_fields(text):
    """The lists of fields, "- `name`, `name` (type, condition): meaning", by the anchor of their heading:
    {anchor: {field: (type, whether it is always there)}}."""
    lists, anchor = {}, None
    for line in text.splitlines():
        heading, fields = re.match(r"#+ (.*)", line), FIELD.match(line)
        if heading:
            anchor = slug(heading.group(1))
            assert anchor not in lists, f"two lists under {anchor}"
        elif fields:
            kind, _, condition = fields.group(2).partition(", ")
            for field in re.findall(r"`([^`]+)`", fields.group(1)):
                lists.setdefault(anchor, {})[field] = (kind, not condition)
    return lists


class Checker:
    """Compares values with the lists of fields, and remembers what has occurred."""

    def __init__(self, lists):
        self.lists, self.faults, self.seen = lists, set(), set()

    def matches(self, value, kind):
        """Whether a value is of a type as the lists word it; objects are looked into."""
        link = re.fullmatch(r"\[[^]]*\]\(#([^)]*)\)", kind)
        if link:
            return isinstance(value, dict) and self.check(link.group(1), value)
        if kind.startswith("JSON of "):
            return isinstance(value, str) and self.matches(json.loads(value), kind[len("JSON of "):])
        if kind.startswith("list of "):
            return isinstance(value, list) and all([self.matches(item, kind[len("list of "):]) for item in value])
        return {"string": isinstance(value, str), "boolean": isinstance(value, bool), "null": value is None,
                "integer": isinstance(value, int) and not isinstance(value, bool),
                "number": isinstance(value, (int, float)) and not isinstance(value, bool)}[kind]

    def check(self, anchor, value):
        """Compares an object with a list. True, so that a fault is told once, where it is."""
        fields = self.lists[anchor]
        self.seen.add(anchor)
        for field in set(value) - set(fields):
            self.faults.add(f"{anchor}: {field} is not documented")
        for field, (kinds, always) in fields.items():
            if field in value:
                kind = next((kind for kind in kinds.split(" or ") if self.matches(value[field], kind)), None)
                self.seen.add((anchor, field, kind))
                if kind is None:
                    self.faults.add(f"{anchor}: {field} is {json.dumps(value[field])[:60]}, not {kinds}")
            elif always:
                self.faults.add(f"{anchor}: {field} is missing")
        return True

    def all_faults(self):
        """With what did not occur at all."""
        for anchor, fields in self.lists.items():
            for field, (kinds, _) in fields.items():
                for kind in kinds.split(" or "):
                    if anchor in self.seen and (anchor, field, kind) not in self.seen:
                        self.faults.add(f"{anchor}: {field} does not occur as {kind}")
            if anchor not in self.seen:
                self.faults.add(f"{anchor}: does not occur")
        return sorted(self.faults)


class Fields(unittest.TestCase):
    """The reading and the comparison, on planted faults."""

    TEXT = ("# A --json\n\n- `a`, `b` (integer): x (y)\n- `c` (list of [part](#part), with `--c`)\n\n- `x`: no field\n"
            "## Part\n\n- `d` (null or list of number): of what\n")
    GOOD = [{"a": 1, "b": 2}, {"a": 1, "b": 2, "c": [{"d": None}, {"d": [1, 0.5]}]}]

    def faults(self, *values):
        checker = Checker(read_fields(self.TEXT))
        for value in values:
            checker.check("a---json", value)
        return checker.all_faults()

    def test_fields(self):
        self.assertEqual(read_fields(self.TEXT), {
            "a---json": {"a": ("integer", True), "b": ("integer", True), "c": ("list of [part](#part)", False)},
            "part": {"d": ("null or list of number", True)}})

    def test_faults(self):
        self.assertEqual(self.faults(*self.GOOD), [])
        for value, fault in [
            ({"a": 1}, "a---json: b is missing"),
            ({"a": 1, "b": 2, "z": 3}, "a---json: z is not documented"),
            ({"a": 1, "b": 2.5}, "a---json: b is 2.5, not integer"),
            ({"a": 1, "b": True}, "a---json: b is true, not integer"),
            ({"a": 1, "b": 2, "c": [{}]}, "part: d is missing"),
            ({"a": 1, "b": 2, "c": [{"d": [None]}]}, "part: d is [null], not null or list of number"),
        ]:
            self.assertEqual(self.faults(*self.GOOD, value), [fault])
        self.assertEqual(self.faults(self.GOOD[0]), ["a---json: c does not occur as list of [part](#part)",
                                                     "part: does not occur"])


def metadata(path):
    """The strings in a safetensors file."""
    data = path.read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    return json.loads(data[8:8 + length])["__metadata__"]


def change(path, edit):
    """Has edit(header, tensors) change a file. Without a checksum it is a file of another program, which is read."""
    data = path.read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])
    header["__metadata__"] = {key: value for key, value in header["__metadata__"].items() if "checksum" not in key}
    tensors = bytearray(data[8 + length:])
    edit(header, tensors)
    text = json.dumps(header).encode()
    text += b" " * (-(8 + len(text)) % 64)
    path.write_bytes(struct.pack("<Q", len(text)) + text + tensors)


def make_huge(header, tensors):
    """Makes a checkpoint's parameters so large that losses are not finite."""
    for name in ("embedding.weight", "average.embedding.weight"):
        begin, end = header[name]["data_offsets"]
        tensors[begin:end] = struct.pack("<f", 3e38) * ((end - begin) // 4)


def normalise(header, _):
    """Gives a model a length normalisation of its own."""
    training = {**json.loads(header["__metadata__"]["training"]), "length_normalization": 1.4}
    header["__metadata__"]["training"] = json.dumps(training)


class Output(unittest.TestCase):
    """What the program writes."""

    TINY = "--vocab-size 320 --embedding 4 --hidden 4 --batch-tokens 60 --threads 1 --max-epochs 1".split()

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="regard-test-formats-"))
        lines = [f"the {colour} {noun} sees the dog .\tle {noun} {colour} voit le chien .\n"
                 for colour in ("red", "blue", "old", "new") for noun in ("cat", "house", "tree", "boat", "car")]
        (self.folder / "train.tsv").write_text("".join(lines))
        (self.folder / "valid.tsv").write_text(lines[0] + "a " * 60 + "\tun\n")
        (self.folder / "links").write_text("0-0 1-2 2?1\n" * len(lines))
        (self.folder / "gold").write_text("0-0 1-2 2?1\n0-0\n")
        (self.folder / "other").write_text("le chat\nun\n")
        self.checker = Checker(read_fields((TOP / "docs/formats.md").read_text()))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def run_program(self, *words, stdin=""):
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, input=stdin, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def check_output(self, anchor, *words, stdin=""):
        for line in self.run_program(*words, stdin=stdin).splitlines():
            self.checker.check(anchor, json.loads(line))

    def train(self, model, *words):
        self.run_program("train", "--train", "train.tsv", "--model", f"./{model}", *words, "--log", f"{model}.jsonl")
        header, *rows = (json.loads(line) for line in (self.folder / f"{model}.jsonl").read_text().splitlines())
        self.checker.check("log-header", header)
        for row in rows:
            self.checker.check("log-row", row)
        for file in (model, f"{model}.checkpoint"):
            self.checker.check("metadata", metadata(self.folder / file))

    def check_training(self):
        valid = ["--valid", "valid.tsv", "--valid", "train.tsv"]
        self.train("heads", *self.TINY, *valid, "--guide", "links", "--attention", "multi-head",
                   "--heads", "2", "--r-drop", "1", "--watch", "the red cat")
        self.train("auto", *self.TINY, "--guide", "auto", "--valid", "valid.tsv")
        self.train("none", *self.TINY, "--attention", "none", "--separate-vocab")
        self.train("taught", "--init", "none", "--mix", "valid.tsv:0.1", "--threads", "1", "--max-epochs", "1")
        shutil.copy(self.folder / "heads", self.folder / "huge")
        shutil.copy(self.folder / "heads.checkpoint", self.folder / "huge.checkpoint")
        change(self.folder / "huge.checkpoint", make_huge)
        self.train("huge", *valid, "--guide", "links", "--resume", "--max-epochs", "2")

    def check_mean(self):
        shutil.copy(self.folder / "heads", self.folder / "twin")
        self.run_program("average", "heads", "twin", "--output", "./mean")
        self.checker.check("metadata", metadata(self.folder / "mean"))

    def check_calibration(self, pairs):
        """Of pairs that the model does not know, and of most of its own translations."""
        sources = [line.split("\t")[0] for line in (self.folder / "valid.tsv").read_text().splitlines()] * 10
        said = self.run_program("translate", "--model", "heads", stdin="\n".join(sources)).splitlines()
        (self.folder / "said.tsv").write_text("".join(f"{source}\t{one if i % 20 else 'zz'}\n" for i, (source, one) in enumerate(zip(sources, said))))
        for words in (("heads", *pairs, "--check"), ("twin", "--threads", "1", "said.tsv")):
            self.checker.check("calibrate---json", json.loads(self.run_program("calibrate", "--model", *words, "--json")))

    def check_normalisation(self):
        """A model's own length normalisation is that of searches without the flag."""
        shutil.copy(self.folder / "heads", self.folder / "normal")
        change(self.folder / "normal", normalise)
        self.check_output("info---json", "info", "--json", "--tensors", "normal")
        said = [self.run_program("translate", "--model", model, "--n-best", "5", *words, stdin="the red cat\n")
                for model, *words in (["normal"], ["heads", "--length-normalization", "1.4"], ["heads"],
                                      ["normal", "--length-normalization", "1"])]
        self.assertEqual(said[0], said[1])
        self.assertEqual(said[2], said[3])
        self.assertNotEqual(said[0], said[2])

    def test_all(self):
        self.check_training()
        self.check_mean()
        self.check_normalisation()
        pairs = ("--threads", "1", "valid.tsv")
        self.check_output("translate---json", "translate", "--model", "heads", "--json", "--alignment", "--n-best", "2",
                          stdin="the red cat\n\nthe red cat . the old dog .\n")
        shutil.copy(self.folder / "train.tsv", self.folder / "auto.everyday.tsv")
        self.check_output("translate---json", "translate", "--model", "auto", "--json", stdin="cat\n")
        (self.folder / "memory.tsv").write_text("the red cat .\tle minou .\n")
        self.check_output("translate---json", "translate", "--model", "heads", "--memory", "memory.tsv", "--json",
                          stdin="the red cat .\nthe red cat . the old dog .\n")
        self.check_calibration(pairs)
        shutil.copy(self.folder / "heads", self.folder / "named.safetensors")
        (self.folder / "damaged.safetensors").write_text("no model")
        os.environ["REGARD_MODELS"] = str(self.folder)
        self.check_output("models---json", "models", "--json")
        self.check_output("score---json", "score", "--model", "heads", "--json", *pairs)
        self.check_output("evaluate---json", "evaluate", "--model", "heads", "--json", "--by-length", "--confidence",
                          "--against", "other", *pairs)
        self.check_output("align---gold---json", "align", "--model", "heads", "--gold", "gold", "--json", *pairs)
        self.check_output("align---format-soft", "align", "--model", "heads", "--format", "soft", *pairs)
        self.check_output("align---format-soft", "align", "--model", "auto", "--format", "soft", *pairs)
        for model in ("heads", "none"):
            self.check_output("align---explain-n---json", "align", "--model", model, "--explain", "0", "--json", *pairs)
            self.check_output("translate---beam-tree-json", "translate", "--model", model, "--beam-tree", "json", "valid.tsv")
            self.check_output("info---json", "info", "--json", "--tensors", model)
        self.assertEqual(self.checker.all_faults(), [])


if __name__ == "__main__":
    unit_tests.run()
