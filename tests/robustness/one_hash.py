#!/usr/bin/env -S python3 -X utf8
"""One hash (make one-hash): the same lines are translated in int8 on every instruction set that this processor has, on ARM under
qemu and by the engine of pages under Node. All texts, scores and links must have the same bytes; so must products of all shapes
(products.c), or a sample of them where --lines is less than 10,000.

Lines are drawn by a seed from the corpora in data/, the lines of tests/robustness, random bytes, and files of --corpora; each
direction has a fourth of them. ARM under qemu is slow, and translates every --slow-th. What this processor lacks is not measured,
and a line says so."""

import argparse
import gzip
import hashlib
import itertools
import lzma
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAM = os.path.abspath(os.environ.get("REGARD_PROGRAM", "build/release/regard"))
DIRECTIONS = ("en-fr", "fr-en", "en-zh", "zh-en")
NODE_PRODUCTS = """
const { WASI } = require('wasi'), wasi = new WASI({ version: 'preview1' });
const compiled = new WebAssembly.Module(require('fs').readFileSync(process.argv[1]));
const instance = new WebAssembly.Instance(compiled, wasi.getImportObject());
wasi.initialize(instance);
const { hash_products } = instance.exports;
console.log(BigInt.asUintN(64, hash_products(+process.argv[2])).toString(16).padStart(16, '0'));"""


class Runner:
    """What translates: a command of the program, or the engine."""

    def __init__(self, name, isa="", emulator=(), program=PROGRAM):
        self.name, self.emulated = name, bool(emulator)
        self.environment = {**os.environ, "REGARD_ISA": isa} if isa else dict(os.environ)
        self.command = [*emulator, program]

    def run(self, command):
        return subprocess.run(command, env=self.environment, check=True, stdout=subprocess.PIPE).stdout.decode().rstrip("\n")

    def works(self):
        """Whether this processor has its instructions: the program names those it computes with."""
        return re.search(rf"int8 by .*, {self.name}\b", self.run([*self.command, "info"])) is not None

    def translate(self, direction, path):
        return self.run([*self.command, "translate", "--model", f"models/{direction}.safetensors", "--precision", "int8", "--threads",
                         "1", "--json", "--alignment", "--n-best", "3", path])

    def products(self, step):
        return self.run([*self.command[:-1], f"{os.path.dirname(self.command[-1])}/products", str(step)])


class Engine(Runner):
    def works(self):
        return True

    def translate(self, direction, path):
        return self.run(["node", "tests/browser/engine.mjs", "translate", os.path.abspath("build/npm"), f"models/{direction}.safetensors", path])

    def products(self, step):
        return self.run(["node", "--no-warnings", "-e", NODE_PRODUCTS, "build/wasm/products.wasm", str(step)])


def read(path):
    opened = {".gz": gzip.open, ".xz": lzma.open}.get(path.suffix, open)
    with opened(path, "rb") as file:
        return file.read().decode("utf-8", "replace")


def fields(paths):
    return [field for path in paths for line in read(path).split("\n") for field in line.split("\t") if field]


def random_line(draw):
    """Random bytes, read as UTF-8, or random characters."""
    if draw.random() < 0.5:
        return draw.randbytes(draw.randint(0, 60)).decode("utf-8", "replace")
    return "".join(chr(draw.choice((draw.randint(0x20, 0x24F), draw.randint(0x300, 0xD7FF), draw.randint(0xE000, 0x1FFFF))))
                   for _ in range(draw.randint(0, 40)))


def draw_lines(direction, count, draw, more):
    """One half, or two thirds with other corpora, of these, the rest of lines.tsv and at random; no line has an end of line or a NUL byte."""
    side = 0 if direction.startswith("en") else 1
    corpus = "data/en-zh" if "zh" in direction else "data/en-fr"
    sentences = [line.split("\t")[side] for part in sorted(Path(corpus).glob("*.tsv")) for line in read(part).split("\n") if "\t" in line]
    difficult = [line.split("\t")[1] for line in read(Path("tests/robustness/lines.tsv")).split("\n") if "\t" in line]
    sources = [lambda: draw.choice(sentences), lambda: random_line(draw), lambda: draw.choice(difficult)]
    if more:
        sources += [lambda: draw.choice(more)] * 4
    return [re.sub("[\0\r\n]", " ", draw.choice(sources)()) for _ in range(count)]


def hash_of(lines):
    return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()[:16]


class Result:
    """What a runner made of every `step`th line, and its products; nothing if this processor cannot."""

    def __init__(self, runner, drawn, shapes, step):
        self.runner, self.step, self.lines, began = runner, step, [], time.monotonic()
        self.measured = runner.works()
        if not self.measured:
            return
        with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
            for direction, lines in drawn.items():
                file.seek(0)
                file.truncate()
                file.write("".join(line + "\n" for line in lines[::step]))
                file.flush()
                # without the line's number, and without the examples of senses: the page's engine has no file of them beside a model
                said = re.sub(r'(?m)^(\{"line":)\d+', r"\1", runner.translate(direction, file.name))
                said = re.sub(r',"example":\{"source":\[[^]]*?"\],"target":\[[^]]*?"\]\}', "", said).split("\n")
                assert len(said) == len(lines[::step]), (runner.name, direction, len(said))
                self.lines += said
        self.products = runner.products(shapes)
        self.seconds = time.monotonic() - began

    def compare(self, lines, products):
        """Prints a line, and the first lines that differ from these; returns how many of two comparisons failed."""
        different = [(one, other) for one, other in zip(self.lines, lines) if one != other]
        wrong = bool(different) + (self.products != products)
        print(f"{self.runner.name:12} {len(self.lines):6} lines {hash_of(self.lines)}, products {self.products}, {self.seconds:.0f} s{' DIFFERENT' * wrong}")
        for one, other in different[:3]:
            print(f"  {one}\n  expected {other}")
        return wrong


def compare(runners, drawn, shapes, slow):
    """Compares each with the first; returns how many comparisons there were, and how many failed."""
    few = min(shapes * slow, 100)  # so many shapes are skipped by the slow ones
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda runner: Result(runner, drawn, few if runner.emulated else shapes, slow if runner.emulated else 1), runners))
    first, ends = results[0], list(itertools.accumulate(map(len, drawn.values()), initial=0))
    sample = [line for begin, end in zip(ends, ends[1:]) for line in first.lines[begin:end:slow]]
    few_products, failures = runners[0].products(few), 0
    for result in results:
        if not result.measured:
            print(f"{result.runner.name:12} not measured: this processor has no such instructions")
        elif result.runner.emulated:
            failures += result.compare(sample, few_products)
        else:
            failures += result.compare(first.lines, first.products)
    return 2 * sum(result.measured for result in results), failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=10000)
    parser.add_argument("--slow", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpora", help="a folder, with .tsv, .en, .fr, .zh, also compressed by gzip or xz")
    asked = parser.parse_args()
    paths = [path for path in sorted(Path(asked.corpora).rglob("*")) if re.search(r"\.(tsv|en|fr|zh)(\.gz|\.xz)?$", path.name)] if asked.corpora else []
    draw, more = random.Random(asked.seed), fields(paths)
    drawn = {direction: draw_lines(direction, asked.lines // len(DIRECTIONS), draw, more) for direction in DIRECTIONS}
    qemu, arm = "qemu-aarch64-static", os.path.abspath("build/arm/regard")
    runners = [*(Runner(isa, isa) for isa in ("plain", "avx2", "avxvnni", "avx512vnni")), Engine("engine"),
               *(Runner(isa, isa, [qemu], arm) for isa in ("i8mm", "dotprod", "neon"))]
    checks, failures = compare(runners, drawn, min(max(1, 10000 // asked.lines), 100), asked.slow)
    print(f"{100 * (checks - failures) // checks}%: Checks: {checks}, Failures: {failures}, Errors: 0")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
