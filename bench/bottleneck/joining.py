"""Long inputs made of short pairs: 1 to MAX_JOINED pairs, side by side after a shuffle, become one. The sentences of an input
are unrelated, so its length alone makes it harder."""

import gzip
import hashlib
import itertools
import random
import re
from xml.etree import ElementTree

MAX_JOINED = 8
MAX_PASSES = 200  # a bin that these have not filled stays as it is
BINS = ["1–10", "11–20", "21–30", "31–40", "41–50", "51–60", "61+"]  # Bahdanau et al. (2014), figure 2


def bin_of(length):
    return min((length - 1) // 10, len(BINS) - 1)


def open_file(path):
    return gzip.open(path) if path.endswith(".gz") else open(path, "rb")


def read_lines(path):
    with open_file(path) as file:
        return [line.decode(errors="replace").rstrip("\r\n").lstrip("\ufeff") for line in file]


def read_tmx(path):
    with open_file(path) as file:
        for _, element in ElementTree.iterparse(file):
            if element.tag == "tu":
                yield [" ".join("".join(segment.itertext()).split()) for segment in element.iter("seg")][:2]
                element.clear()


def read_pairs(spec):
    """A.tsv, A.en,A.fr or A.tmx, plain or gzipped: a list of (source, target) without pairs that have an empty side."""
    if spec.removesuffix(".gz").endswith(".tmx"):
        rows = [row for row in read_tmx(spec) if len(row) == 2]
    elif "," in spec:
        sides = [read_lines(path) for path in spec.split(",", 1)]
        if len(sides[0]) != len(sides[1]):
            raise ValueError(f"{spec}: {len(sides[0])} and {len(sides[1])} lines; each needs its counterpart")
        rows = zip(*sides)
    else:
        rows = [line.split("\t") for line in read_lines(spec)]
        for number, row in enumerate(rows, 1):
            if len(row) < 2:
                raise ValueError(f"{spec}, line {number}: no TAB between source and target")
    return [(row[0].strip(), row[1].strip()) for row in rows if row[0].strip() and row[1].strip()]


def is_segmented(texts):
    """Whether words have blanks between them: not where most letters are Han."""
    text = "".join(texts)
    return 2 * len(re.findall("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]", text)) <= sum(map(str.isalpha, text))


def length_of(text, segmented):
    return len(text.split()) if segmented else len("".join(text.split()))


def join(sentences, segmented):
    """A sentence that ends in a letter or number, as captions do, gets a full stop before the next."""
    stop, space = (".", " ") if segmented else ("。", "")
    ended = [text + stop if text[-1].isalnum() else text for text in sentences[:-1]]
    return space.join(ended + [sentences[-1]])


class Joiner:
    """Joins pairs; `segmented` says of source and target whether words have blanks between them."""

    def __init__(self, pairs):
        self.segmented = [is_segmented(side) for side in zip(*pairs)]

    def one_pass(self, pairs, generator):
        """The pairs in random order, cut into groups of k with probability proportional to 1/k, so that every k has the same
        share of the sentences."""
        order = list(pairs)
        generator.shuffle(order)
        sizes, begin = range(1, MAX_JOINED + 1), 0
        while begin < len(order):
            group = order[begin : begin + generator.choices(sizes, [1 / k for k in sizes])[0]]
            begin += len(group)
            yield tuple(join(side, segmented) for side, segmented in zip(zip(*group), self.segmented))

    def passes(self, pairs, count, seed):
        """Every pair `count` times, joined differently each time."""
        generator = random.Random(seed)
        return [pair for _ in range(count) for pair in self.one_pass(pairs, generator)]

    def evenly(self, pairs, each, seed):
        """`each` inputs for every bin of source lengths, no two alike, as far as the pairs allow."""
        generator, counts, seen, joined = random.Random(seed), [0] * len(BINS), set(), []
        for pair in itertools.chain.from_iterable(self.one_pass(pairs, generator) for _ in range(MAX_PASSES)):
            place = bin_of(length_of(pair[0], self.segmented[0]))
            if counts[place] < each and pair[0] not in seen:
                seen.add(pair[0])
                counts[place] += 1
                joined.append(pair)
                if sum(counts) == each * len(BINS):
                    break
        return joined


def split(pairs):
    """Sets aside 2 % of the pairs, at most 1000, by a hash of the source: (the rest, those)."""
    count = min(1000, -(-len(pairs) // 50))
    sources = sorted({source for source, _ in pairs}, key=lambda text: hashlib.sha256(text.encode()).digest())
    chosen = set(sources[:count])
    return [pair for pair in pairs if pair[0] not in chosen], [pair for pair in pairs if pair[0] in chosen]


def without(pairs, held_out):
    """The pairs that share neither side with one held out."""
    sources, targets = {source for source, _ in held_out}, {target for _, target in held_out}
    return [pair for pair in pairs if pair[0] not in sources and pair[1] not in targets]
