#!/usr/bin/env python3
"""What holds for any input, tried with drawn ones: the same answer in another way, or what must be in the answer.

    make properties                           every property, with seeds from 1
    make properties ONLY=tags,csv CASES=50    these, with 50 seeds each
    make properties ONLY=tags SEED=17         one failure again

Each function below is a property. It gets numbers at random, which follow from its name and the seed alone, and a folder, and
raises what it finds wrong. REGARD_PROGRAM is the program, build/release/regard if not set.
"""

import collections
import csv
import html.parser
import inspect
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = os.path.dirname(os.path.abspath(__file__))
os.chdir(os.path.join(HERE, "../.."))
sys.path.insert(0, "tests/support")

import facts
import serving
import texts

MODELS = ("en-fr", "fr-en", "en-zh", "zh-en")
LINES = 10 # of a case
MOST_CASES = {"facts": 1, "bleu": 1} # which try all that there is


class Wrong(Exception):
    pass


def expect(true, *what):
    if not true:
        raise Wrong("\n    ".join(map(str, what)))


def regard(*words, given="", **environment):
    result = subprocess.run([serving.PROGRAM, *words], input=given.encode(), capture_output=True, env={**os.environ, **environment},
                            timeout=300, check=False)
    expect(result.returncode == 0, f"regard {' '.join(words)} ended with {result.returncode}", result.stderr.decode())
    return result.stdout.decode()


def translate(model, lines, *words, **environment):
    return regard("translate", f"models/{model}.safetensors", "--precision", "int8", *words,
                  given="".join(line + "\n" for line in lines), **environment).split("\n")[:-1]


def same(found, expected, lines):
    expect(len(found) == len(expected), f"{len(found)} lines for {len(expected)}")
    for got, want, line in zip(found, expected, lines):
        expect(got == want, line, got, want)


def drawn_lines(draw):
    model = draw.choice(MODELS)
    return model, [texts.line(draw, model[:2]) for _ in range(LINES)]


def order(draw, folder):
    """Lines in another order, each has the same translation."""
    model, lines = drawn_lines(draw)
    said = dict(zip(lines, translate(model, lines)))
    shuffled = draw.sample(lines, len(lines))
    same(translate(model, shuffled), [said[line] for line in shuffled], shuffled)


def batch_and_threads(draw, folder):
    """Whatever is translated together, by however many threads."""
    model, lines = drawn_lines(draw)
    one = translate(model, lines, "--json", "--batch", "1", "--threads", "1")
    several = translate(model, lines, "--json", "--batch", str(draw.randint(2, 20)), "--threads", str(draw.randint(1, 4)))
    same(several, one, lines)


def instruction_sets(draw, folder):
    """In int8, to the bit."""
    model, lines = drawn_lines(draw)
    lines = lines[:LINES // 2] # plain is slow
    plain = translate(model, lines, "--json", REGARD_ISA="plain")
    for name in ("avx2", "avx512"):
        same(translate(model, lines, "--json", REGARD_ISA=name), plain, lines)


def server(draw, folder):
    """The server answers what the program prints; it keeps the blanks around a text, which a line of output has not."""
    model, lines = drawn_lines(draw)
    running = serving.Server(f"models/{model}.safetensors", "--precision", "int8")
    try:
        body = json.dumps({"q": lines, "source": model[:2], "target": model[3:]}).encode()
        status, _, answer = running.ask("/translate", body, "application/json")
        expect(status == 200, answer)
        same([text.strip() for text in json.loads(answer)["translatedText"]], translate(model, lines), lines)
    finally:
        running.end()


def prefix(draw, folder):
    """A translation begins as it must, with any beginning of what would be said or of something else."""
    model, lines = drawn_lines(draw)
    lines = [line for line in lines if line.strip()] # of nothing there is no translation
    said = translate(model, lines)
    begun = [text[:draw.randint(0, len(text))] for text in (said if draw.random() < 0.7 else draw.sample(said, len(said)))]
    path = os.path.join(folder, "begun")
    Path(path).write_text("".join(text + "\n" for text in begun))
    for line, text, found in zip(lines, begun, translate(model, lines, "--prefix", path)):
        expect(found.startswith(text.strip()), line, text, found)


def glossary(draw, folder):
    """Where a line has a term, its translation has the term's."""
    model, lines = drawn_lines(draw)
    lines = [line for line in lines if not re.search(r"[@/_]|\w\.\w", line)] # addresses stay
    said = translate(model, lines)
    terms = {}
    for line in lines:
        words = re.findall(r"\b[a-zà-ÿ]{4,}\b", line) if model[:2] != "zh" else re.findall(r"[一-鿿]{2}", line)
        other = re.findall(r"\b[a-zà-ÿ]{3,}\b", draw.choice(said)) if model[3:] != "zh" else re.findall(r"[一-鿿]{2}", draw.choice(said))
        if words and other:
            terms[draw.choice(words)] = draw.choice(other)
    path = os.path.join(folder, "terms")
    Path(path).write_text("".join(f"{term}\t{translation}\n" for term, translation in terms.items()))
    for line, found in zip(lines, translate(model, lines, "--glossary", path)):
        for term, translation in terms.items():
            if model[:2] != "zh" and re.search(rf"(?<![\w'’-]){term}(?![\w'’-])", line):
                expect(translation.lower() in found.lower(), line, f"{term}: {translation}", found)


class Tags(html.parser.HTMLParser):
    """The tags of a document, whether they are well nested, and where elements have no words."""

    def __init__(self, document):
        super().__init__()
        self.open, self.tags, self.wrong, self.words = [], collections.Counter(), [], []
        self.feed(document)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags[self.get_starttag_text()] += 1
        if tag not in texts.VOID:
            self.open.append((tag, len(self.words)))

    def handle_endtag(self, tag):
        begun, words = self.open.pop() if self.open else ("none", 0)
        if begun != tag:
            self.wrong.append(f"</{tag}> ends <{begun}>")
        elif words == len(self.words):
            self.wrong.append(f"<{tag}> is empty")

    def handle_data(self, data):
        self.words += data.split()


def tags(draw, folder):
    """Tags of blocks and void elements come out as they went in, no others, all well nested, none around nothing."""
    model = draw.choice(MODELS)
    document = texts.html_document(draw, model[:2])
    said = "\n".join(translate(model, [document], "--html"))
    before, after = Tags(document), Tags(said)
    expect(not before.wrong, document, before.wrong)
    expect(not after.wrong and not after.open, document, said, after.wrong, after.open)
    for tag in before.tags | after.tags:
        inline = tag[1:].split()[0] in texts.INLINE # words that move apart get one each
        expect(before.tags[tag] > 0 if inline else after.tags[tag] == before.tags[tag], document, said, tag)


def numbers(draw, folder):
    """Each number of a sentence is in the translation once, no other is, and those of a list are in its order."""
    model = draw.choice(MODELS)
    cases = [texts.sentence_of_numbers(draw, model[:2]) for _ in range(LINES)]
    for (line, given, is_list), found in zip(cases, translate(model, [case[0] for case in cases])):
        said = texts.numbers_of(found)
        expect(sorted(said) == sorted(given), line, found)
        expect(said == given or not is_list, line, found)


def csv_files(draw, folder):
    """Tables that Python writes are read as it reads them."""
    rows, written = texts.csv_table(draw)
    path = os.path.join(folder, "pairs.csv")
    Path(path).write_bytes(written.encode())
    model = os.path.join(folder, "model.safetensors")
    Path(model).write_bytes(serving.trained(1))
    found = [json.loads(line) for line in regard("score", "--model", model, "--json", path).splitlines()]
    found = [(pair["source"], pair["target"]) for pair in found]
    for got, want in zip(found, rows):
        expect(got == want, written, got, want)
    expect(len(found) == len(rows), written, found)


def resume(draw, folder):
    """A training that is interrupted, at any time and often, ends with the same bytes as one that is not."""
    pairs = os.path.join(folder, "pairs.tsv")
    with open("data/en-fr/everyday.tsv", encoding="utf-8") as corpus:
        Path(pairs).write_text("".join(draw.sample(corpus.readlines(), 60)))
    words = ["--train", pairs, "--vocab-size", "300", "--hidden", "8", "--embedding", "8", "--max-epochs", "4", "--threads", "1",
             "--seed", str(draw.randint(1, 99)), "--batch-tokens", "60"]
    whole, model = os.path.join(folder, "whole.safetensors"), os.path.join(folder, "model.safetensors")
    began = time.monotonic()
    regard("train", *words, "--model", whole)
    seconds = time.monotonic() - began
    words += ["--model", model, "--overwrite"]
    interrupted = True
    while interrupted:
        with subprocess.Popen([serving.PROGRAM, "train", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as training:
            try:
                interrupted = False
                training.wait(seconds * draw.uniform(0, 2))
            except subprocess.TimeoutExpired:
                interrupted = True
                training.send_signal(draw.choice((signal.SIGINT, signal.SIGTERM, signal.SIGKILL)))
            said = training.communicate()[1].decode()
        expect(interrupted or training.returncode == 0, said)
        if os.path.exists(model + ".checkpoint"):
            words = ["--resume", "--model", model]
    expect(Path(model).read_bytes() == Path(whole).read_bytes(), "the models differ")


def bleu(draw, folder):
    """BLEU and chrF are the stored figures of sacreBLEU."""
    with open("tests/fixtures/sacrebleu.json", encoding="utf-8") as file:
        cases = next(value for value in json.load(file).values() if isinstance(value, list))
    for case in cases:
        sides = [case["hypotheses"], *case["references"]]
        words = ["evaluate", "--json", "--tokenize", case["tokenize"], *(["--lowercase"] if case["lowercase"] else [])]
        for number, side in enumerate(sides):
            path = os.path.join(folder, str(number))
            Path(path).write_text("".join(line + "\n" for line in side))
            words += ["--reference" if number else "--hypothesis", path]
        answer = json.loads(regard(*words))
        for name in ("bleu", "chrf2"):
            expect(abs(answer[name]["score"] - case[name]) < 1e-4, case["name"], name, answer[name], case[name])


# Lines of 105 that have all their numbers, times, months, titles and currencies, of the half that is not for tuning. A model that
# falls behind has lost something; raise them with better models.
FACTS = {"en-fr": 103, "fr-en": 103, "en-zh": 103, "zh-en": 100}


def fact_lines(draw, folder):
    """Numbers, months, titles and currencies are kept, in as many lines as before (tests/properties/facts.py)."""
    for model, least in FACTS.items():
        scored = facts.score(f"models/{model}.safetensors", *model.split("-"), "even")
        good = sum(not missing for _, _, missing in scored)
        print(f"    {model}: {good} of {len(scored)} lines")
        expect(good >= least, f"{model}: {good} lines of {len(scored)}, not {least}")


PROPERTIES = {"order": order, "batch": batch_and_threads, "sets": instruction_sets, "server": server, "prefix": prefix,
              "glossary": glossary, "tags": tags, "numbers": numbers, "csv": csv_files, "resume": resume, "bleu": bleu,
              "facts": fact_lines}


def try_once(name, seed):
    """Whether a property held, and what was wrong."""
    folder = tempfile.mkdtemp(prefix="regard-properties-")
    try:
        PROPERTIES[name](random.Random(f"{name} {seed}"), folder)
        return None
    except (Wrong, subprocess.TimeoutExpired, ValueError, KeyError) as wrong:
        return f"{type(wrong).__name__}: {wrong}" if not isinstance(wrong, Wrong) else str(wrong)
    finally:
        shutil.rmtree(folder)


def main():
    names = [name for name in os.environ.get("ONLY", "").split(",") if name] or list(PROPERTIES)
    unknown = sorted(set(names) - set(PROPERTIES))
    if unknown:
        sys.exit(f"{sys.argv[0]}: there is no property {', '.join(unknown)}, but {', '.join(PROPERTIES)}")
    seed, cases = os.environ.get("SEED", ""), int(os.environ.get("CASES") or 20)
    failed = 0
    for name in names:
        began = time.monotonic()
        seeds = [int(seed)] if seed else range(1, min(cases, MOST_CASES.get(name, cases)) + 1)
        for number in seeds:
            wrong = try_once(name, number)
            if wrong is not None:
                failed += 1
                print(f"{name} does not hold; again: make properties ONLY={name} SEED={number}\n    {wrong}", flush=True)
        print(f"{name:<10} {len(seeds):>4} cases {time.monotonic() - began:6.1f} s   {inspect.getdoc(PROPERTIES[name])}", flush=True)
    sys.exit(f"{failed} cases failed" if failed else 0)


if __name__ == "__main__":
    main()
