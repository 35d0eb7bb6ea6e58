#!/usr/bin/env -S python3 -X utf8
"""Trains the same by several splits of the same workers, ranks × threads, alone and resumed in the middle with another split: every
model and checkpoint must have the same bytes. Prints a line for each kind of training.

    tests/train/splits.py
"""

import subprocess
import tempfile
from pathlib import Path

from mpirun import ENVIRONMENT, PROGRAM, can_start_ranks, launcher, saved, take_corpus

SPLITS = {4: [(4, 1), (2, 2), (1, 4)], 6: [(3, 2), (2, 3)]}  # 6: a rank's workers are no whole branch of the tree of sums
SMALL = "--vocab-size 300 --embedding 16 --hidden 16 --batch-tokens 300 --dropout 0.2 --precision float32"
WIDE = "--vocab-size 300 --embedding 64 --hidden 64 --batch-tokens 300 --dropout 0.2"  # so that weights are packed
KINDS = {
    "float32": SMALL,
    "guide": f"{SMALL} --guide auto",
    "R-Drop": f"{SMALL} --r-drop 1",
    "packed float32": f"{WIDE} --precision float32",
    "bf16": f"{WIDE} --precision bf16",
}


def train(folder, ranks, words):
    done = subprocess.run([*launcher(ranks), str(PROGRAM), "train", *words.split()], cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)
    return done.returncode, done.stderr


def main():
    if not can_start_ranks():
        print("no mpirun, or built without MPI: nothing is compared")
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        take_corpus(folder, 120, 20)
        for kind, options in KINDS.items():
            for workers, splits in SPLITS.items():
                begin = f"--train train.tsv --valid valid.tsv --overwrite {options} --max-epochs"
                status, said = train(folder, 0, f"{begin} 4 --model ./alone --threads {workers}")
                if status and kind == "bf16":
                    print(f"{kind}: skipped: {said.splitlines()[-1]}")
                    break
                assert status == 0, said
                for ranks, threads in splits:
                    status, said = train(folder, ranks, f"{begin} 2 --model ./split --threads {threads}")
                    assert status == 0, said
                    # the second half by ranks of one thread, or alone
                    rest = workers if threads > 1 else 0
                    status, said = train(folder, rest, f"--model ./split --resume --max-epochs 4 --threads {workers // max(rest, 1)}")
                    assert status == 0, said
                    assert saved(folder, "split") == saved(folder, "alone"), f"{kind}: {ranks} x {threads} differs"
                    print(f"{kind}: {ranks} ranks of {threads} threads, then {rest or 1} of {workers // max(rest, 1)}: "
                          f"the bytes of {workers} threads alone", flush=True)


if __name__ == "__main__":
    main()
