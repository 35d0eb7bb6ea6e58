#!/usr/bin/env -S python3 -X utf8
"""Kills a random rank at a random moment: all ranks must end within seconds, every file must be whole, and the run must go on bit
for bit, with the same or another split of its workers.

    tests/train/kill_ranks.py [KILLS] [KILL|TERM] [SEED]    default: 10 KILL 1
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mpirun import ENVIRONMENT, PROGRAM, can_start_ranks, launcher, saved, take_corpus

RANKS = 2
LIMIT = 30  # seconds that ranks may take to end, and mpirun after them
SIZES = "--vocab-size 300 --embedding 8 --hidden 8 --batch-tokens 200 --max-epochs 12 --patience 12 --precision float32 --dropout 0.1"


class Run:
    """A training in a folder of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.new = [str(PROGRAM), "train", *f"--train ../train.tsv --valid ../valid.tsv --model ./m --overwrite {SIZES}".split()]
        self.resumed = [str(PROGRAM), "train", "--model", "./m", "--resume"]

    def words(self, ranks):
        resumes = (self.folder / "m.checkpoint").exists()
        threads = ["--threads", "1" if ranks else "2"]
        return [*launcher(ranks), *(self.resumed if resumes else self.new), *threads]

    def start(self, ranks):
        self.said = tempfile.TemporaryFile("w+")
        return subprocess.Popen(self.words(ranks), cwd=self.folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=self.said, stderr=self.said)

    def text(self):
        self.said.seek(0)
        return self.said.read()

    def finish(self, ranks):
        status = self.start(ranks).wait()
        assert status == 0, f"status {status}: {self.text()}"
        return saved(self.folder, "m")


def ranks_of(process):
    """The ranks that an mpirun has started so far; MPICH's has a proxy between."""
    found, parents = [], [process.pid]
    while parents:
        try:
            parent = parents.pop()
            children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
            parents += [int(child) for child in children]
            if Path(f"/proc/{parent}/exe").resolve() == PROGRAM:
                found.append(parent)
        except OSError:  # it has ended
            continue
    return found


def wait_for_end(process, run):
    """Waits until all ranks have ended. An mpirun that then does not end is killed: Open MPI's can wait forever for a rank that died
    while it was being started."""
    try:
        process.wait(LIMIT)
    except subprocess.TimeoutExpired:
        left = ranks_of(process)
        process.kill()
        process.wait()
        if left:
            raise SystemExit(f"still running {LIMIT} s after the signal: {run.text()}") from None
        print(f"all ranks had ended, but not mpirun: {run.text()}")


def strike(run, moment, number, draw):
    """Starts the ranks and sends one a signal after so many seconds. Returns how long all then took to end, None if they had ended."""
    process = run.start(RANKS)
    time.sleep(moment)
    victims = ranks_of(process)
    if not victims or process.poll() is not None:
        process.wait()
        return None
    struck = time.monotonic()
    try:
        os.kill(draw.choice(victims), number)
    except ProcessLookupError:  # it has just ended
        pass
    wait_for_end(process, run)
    assert not ranks_of(process), "a rank is left"
    return time.monotonic() - struck


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    number = signal.Signals["SIG" + (sys.argv[2] if len(sys.argv) > 2 else "KILL")]
    draw = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    if not can_start_ranks():
        print("no mpirun, or built without MPI: nothing is killed")
        return
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        take_corpus(scratch, 60, 10)
        (scratch / "whole").mkdir()
        began = time.monotonic()
        whole = Run(scratch / "whole")
        expected = whole.finish(RANKS)
        seconds = latest = time.monotonic() - began
        longest, struck, resumed, number_of_runs = 0, 0, 0, 0
        while struck < kills:
            number_of_runs += 1
            folder = scratch / f"run{number_of_runs}"
            folder.mkdir()
            run = Run(folder)
            taken = strike(run, draw.uniform(0, 1.1 * latest), number, draw)
            if taken is None:  # the first run may have been slower
                latest = max(0.9 * latest, 0.2 * seconds)
                continue
            struck += 1
            longest = max(longest, taken)
            resumed += (folder / "m.checkpoint").exists()
            if (folder / "m").exists():
                subprocess.run([str(PROGRAM), "info", "m"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
            assert run.finish(draw.choice([0, RANKS])) == expected, f"run {number_of_runs} differs"
        print(f"{struck} ranks struck by {number.name}, {resumed} runs resumed from a checkpoint, {struck - resumed} begun again; all ended "
              f"with the bytes of an undisturbed run; the slowest to end took {longest:.1f} s (an undisturbed run: {seconds:.1f} s)")


if __name__ == "__main__":
    main()
