"""usage: check_split.py FOLDER: whether its train.tsv, valid.tsv and test.tsv are split as data/download promises.

The rule once more, from its description: a sentence's letters and digits in lower case; their UTF-8 bytes c give
h = 257 h + c modulo the prime 2^31 - 1, from 7; then three times h = 48271 h + 11. A tenth of the sentences, those
of the lowest h, are for validation, those of the highest for the test.
"""

import sys

PRIME = 2**31 - 1


def fold(sentence):
    return "".join(c for c in sentence.lower() if c.isalnum())


def hash_of(folded):
    h = 7
    for byte in folded.encode():
        h = (257 * h + byte) % PRIME
    for _ in range(3):
        h = (48271 * h + 11) % PRIME
    return h


def sentences(part):
    with open(f"{sys.argv[1]}/{part}.tsv", encoding="utf-8") as lines:
        return {fold(line.split("\t")[0]) for line in lines}


train, valid, test = (sentences(part) for part in ("train", "valid", "test"))
ordered = sorted(train | valid | test, key=hash_of)
held_out = len(ordered) // 10
assert held_out > 0
assert valid == set(ordered[:held_out])
assert test == set(ordered[-held_out:])
assert train == set(ordered[held_out:-held_out])
