#!/usr/bin/env python3
"""Tortures the program: lets each call for memory or to the system fail in turn, and kills it at each.

    tests/torture/torture.py                 a sample, evenly spread over all calls
    tests/torture/torture.py --all           every call
    tests/torture/torture.py --only quantize --kinds memory --how once --at 812
                                             one try, as the list of faults prints it; its folder is kept

A try is right if its result and files equal those of the undisturbed command and the status is 0, or if the status is
not 0, one line on standard error says why, the results are a beginning of the true ones (a page may be ended), and
every file is whole. A training that failed or was killed must then end with the same bytes by --resume. No try may end
by a signal that the torture did not send, or take more than 20 seconds.

One exception has a column of its own: OpenBLAS and oneDNN do not check all of their allocations, and crash. If memory was
short and the crash is within them, only the files must be whole and --resume must work.

The calls fail by build/release/torture.so (failing_calls.c), which `make torture` builds.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from xml.etree import ElementTree

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TIME_LIMIT = 20
FILE_KINDS = "open,read,write,sync,rename,close,stat,lock,map"

# What is tried: kinds of calls, how they fail, share of the sample.
TORTURES = [
    ("memory", "once", 4),
    ("memory", "always", 2),
    ("map", "once", 1),
    ("map", "always", 1),
    ("open", "once", 1),
    ("open", "always", 1),
    ("read", "once", 1),
    ("read", "short", 1),
    ("write", "once", 1),
    ("write", "always", 1),
    ("write", "short", 1),
    ("sync", "once", 1),
    ("rename", "once", 1),
    ("close", "once", 1),
    ("stat", "once", 1),
    ("lock", "once", 1),
    ("thread", "once", 1),
]
KILLS = [(FILE_KINDS, "kill", 2), (FILE_KINDS, "torn", 2), ("memory", "kill", 2)]
ADDRESS_SPACE = [("address-space", "limit", 1)]
MEMORY_KINDS = ("memory", "map", "address-space")
LEVELS = range(50, 501, 25)  # MB


class Case:
    """A command: its words, standard input, the files it needs and those it makes."""

    def __init__(self, name, words, given=(), stdin=None, made=(), kills=False):
        self.name, self.words, self.stdin = name, words.split(), stdin
        self.given, self.made, self.kills = given, made, kills


TINY = "--vocab-size 320 --embedding 8 --hidden 8 --batch-tokens 200"
WIDE = "--vocab-size 320 --embedding 64 --hidden 64 --batch-tokens 400"
PAIRS = "--train train.tsv --valid valid.tsv --model new.safetensors --disk-wait 0"
TRAINED = ("new.safetensors", "new.safetensors.checkpoint", "new.jsonl")
MODEL = "--model model.safetensors"


def case_list():
    train = ("train.tsv", "valid.tsv")
    tiny = ("model.safetensors",)
    wide = ("wide.safetensors",)
    cases = [
        Case("version", "--version"),
        Case("help", "help train"),
        Case("info", "info --tensors model.safetensors", tiny),
        Case("info-json", "info --tensors --json model.safetensors", tiny),
        Case("models", "models --json", tiny),
        Case("translate-named", "translate model --threads 1", tiny, stdin="input"),
        Case("translate-split", f"translate {MODEL} --json --alignment --threads 1", tiny, stdin="paragraphs"),
        Case("train", f"train {PAIRS} {TINY} --max-epochs 2 --threads 1 --log new.jsonl --watch cat", train, made=TRAINED,
             kills=True),
        Case("train-wide", f"train {PAIRS} {WIDE} --max-epochs 1 --threads 2", train, made=TRAINED[:2]),
        Case("train-guided", f"train {PAIRS} {TINY} --guide train.align --self-attention --max-epochs 1 --threads 1",
             (*train, "train.align"), made=TRAINED[:2]),
        Case("train-cache", f"train {PAIRS} {TINY} --cache . --guide train.align --max-epochs 2 --threads 1",
             (*train, "train.align"), made=TRAINED[:2], kills=True),
        Case("train-auto", f"train {PAIRS} {TINY} --guide auto --max-epochs 1 --threads 1", train, made=TRAINED[:2]),
        Case("train-tmx", f"train --train train.tmx --valid valid.tsv.gz --model new.safetensors {TINY} --max-epochs 1 "
             "--threads 1 --disk-wait 0", ("train.tmx", "valid.tsv.gz"), made=TRAINED[:2]),
        Case("resume", "train --model new.safetensors --resume --max-epochs 3 --log new.jsonl --disk-wait 0",
             (*train, *TRAINED), made=TRAINED, kills=True),
        Case("teach", "train --init model.safetensors --train valid.tsv --mix train.tsv:2 --model new.safetensors "
             "--batch-tokens 200 --max-epochs 1 --threads 1 --disk-wait 0", (*tiny, *train), made=TRAINED[:2], kills=True),
        Case("translate", f"translate {MODEL} --threads 1", tiny, stdin="input"),
        Case("translate-file", "translate model.safetensors input --threads 1", (*tiny, "input")),
        Case("translate-json", f"translate {MODEL} --json --alignment --threads 1", tiny, stdin="input"),
        Case("translate-n-best", f"translate {MODEL} --n-best 3 --alignment --threads 1", tiny, stdin="input"),
        Case("translate-prefix", f"translate {MODEL} --prefix prefixes --threads 1", (*tiny, "prefixes"), stdin="input"),
        Case("translate-glossary", f"translate {MODEL} --glossary glossary --threads 1", (*tiny, "glossary"), stdin="input"),
        Case("translate-sample", f"translate {MODEL} --sample 3 --threads 1", tiny, stdin="input"),
        Case("translate-html", f"translate {MODEL} --alignment=html --threads 1", tiny, stdin="input"),
        Case("translate-page", f"translate {MODEL} --html --threads 1", tiny, stdin="page"),
        Case("translate-wide", "translate --model wide.safetensors --shortlist --threads 2", wide, stdin="input"),
        Case("align", f"align {MODEL} --threads 1 valid.tsv", (*tiny, "valid.tsv")),
        Case("align-soft", f"align {MODEL} --format soft --threads 1 valid.tsv", (*tiny, "valid.tsv")),
        Case("align-heatmap", f"align {MODEL} --format heatmap --threads 1 valid.tsv", (*tiny, "valid.tsv")),
        Case("align-svg", f"align {MODEL} --format svg --threads 1 valid.tsv", (*tiny, "valid.tsv")),
        Case("align-html", f"align {MODEL} --format html --threads 1 valid.tsv", (*tiny, "valid.tsv")),
        Case("align-explain", f"align {MODEL} --explain 1 --threads 1 valid.tsv", (*tiny, "valid.tsv")),
        Case("align-explain-json", f"align {MODEL} --explain 1 --json --threads 1 valid.tsv", (*tiny, "valid.tsv")),
        Case("align-gold", f"align {MODEL} --gold valid.align --json --threads 1 valid.tsv",
             (*tiny, "valid.tsv", "valid.align")),
        Case("align-alone", "align --threads 1 train.tsv", train),
        Case("align-save", "align --threads 1 --prior train.align --save new.aligner --overwrite train.tsv",
             ("train.tsv", "train.align", "new.aligner"), made=("new.aligner",), kills=True),
        Case("align-aligner", "align --threads 1 --aligner new.aligner --probabilities valid.tsv",
             ("new.aligner", "valid.tsv")),
        Case("align-suspicious", "align --threads 1 --suspicious 5 --json train.tsv", ("train.tsv",)),
        Case("align-posteriors-html", "align --threads 1 --format html --aligner new.aligner valid.tsv",
             ("new.aligner", "valid.tsv")),
        Case("score", f"score {MODEL} --threads 1 valid.tsv", (*tiny, "valid.tsv")),
        Case("score-json", f"score {MODEL} --json --threads 1 valid.tsv", (*tiny, "valid.tsv")),
        Case("evaluate", f"evaluate {MODEL} --json --by-length --threads 1 valid.tsv", (*tiny, "valid.tsv")),
        Case("evaluate-output", f"evaluate {MODEL} --output translations --overwrite --threads 1 valid.tsv",
             (*tiny, "valid.tsv", "translations"), made=("translations",), kills=True),
        Case("evaluate-files", "evaluate --hypothesis input --reference input --confidence", ("input",)),
        Case("quantize", "quantize model.safetensors -o small.safetensors --overwrite", (*tiny, "small.safetensors"),
             made=("small.safetensors",), kills=True),
        Case("quantize-bf16", "quantize model.safetensors -o small.safetensors --overwrite --type bf16",
             (*tiny, "small.safetensors"), made=("small.safetensors",)),
        Case("average", "average model.safetensors new.safetensors -o small.safetensors --overwrite --force",
             (*tiny, "new.safetensors", "small.safetensors"), made=("small.safetensors",), kills=True),
        Case("report", "report log.jsonl log.jsonl -o page.html --overwrite", ("log.jsonl",), made=("page.html",), kills=True),
        Case("tokenize", f"tokenize {MODEL}", tiny, stdin="input"),
        Case("tokenize-decode", f"tokenize {MODEL} --decode", tiny, stdin="subwords"),
    ]
    return cases


def environment(**more):
    """Nothing of the caller's changes what is computed, and models go by their names."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("REGARD_", "TORTURE_", "LD_"))}
    return {**kept, "LC_ALL": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1", "REGARD_MODELS": ".", "XDG_DATA_HOME": "/nowhere",
            **more}


Run = collections.namedtuple("Run", "status out err seconds")


def run(words, folder, stdin=None, **env):
    """Runs the program in `folder`; status is None after the time limit."""
    began = time.monotonic()
    with open(os.path.join(folder, stdin) if stdin else os.devnull, "rb") as given:
        process = subprocess.Popen(words, cwd=folder, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=environment(**env), start_new_session=True)
        try:
            out, err = process.communicate(timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            return Run(None, out, err, TIME_LIMIT)
    return Run(process.returncode, out, err, time.monotonic() - began)


def content(path):
    """What equal runs have in common: all but the seconds of a log. None if there is no such file."""
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        data = file.read()
    if path.endswith(".jsonl"):
        data = re.sub(rb'"(seconds|target_tokens_per_second)":[-+.e0-9]+', rb'"\1":0', data)
    return hashlib.sha256(data).hexdigest()


class Undisturbed:
    """What a case does when nothing fails, and how many calls of each kind it makes."""

    def __init__(self, torture, case):
        self.case = case
        folder = torture.new_folder(case)
        kept = os.path.join(folder, "kept")
        os.mkdir(kept)
        env = {"LD_PRELOAD": torture.library, "TORTURE_KEEP": kept}
        # what is there beforehand may be what remains
        self.versions = {content(os.path.join(folder, name)) for name in case.made}
        self.run = run([torture.program, *case.words], folder, case.stdin, **env)
        if self.run.status != 0:
            sys.exit(f"torture: {case.name} fails undisturbed: {self.run.err.decode(errors='replace')}")
        self.files = {name: content(os.path.join(folder, name)) for name in case.made}
        self.versions |= {content(os.path.join(kept, name)) for name in os.listdir(kept)}
        self.versions |= set(self.files.values())
        shutil.rmtree(folder)
        self.counts = {}

    def count(self, torture, kinds):
        if kinds not in self.counts:
            folder = torture.new_folder(self.case)
            counted = os.path.join(folder, "count")
            run([torture.program, *self.case.words], folder, self.case.stdin, LD_PRELOAD=torture.library,
                TORTURE_FROM=torture.begin, TORTURE_KINDS=kinds, TORTURE_COUNT=counted)
            with open(counted) as file:
                self.counts[kinds] = int(file.read())
            shutil.rmtree(folder)
        return self.counts[kinds]


Try = collections.namedtuple("Try", "case kinds how at")
Result = collections.namedtuple("Result", "verdict message folder")

LIBRARIES = re.compile(r"lib(dnnl|openblas|gomp|gfortran)[^/]*\.so")
# what the C library, or Fortran's as OpenBLAS is loaded, says
ELSEWHERE = re.compile(r"error while loading shared libraries|^(Allocating cleared m|M)emory( allocation)? failed")
ENOUGH = re.compile(r"^regard( [a-z]+)?: \S.*$")


class Torture:
    def __init__(self, args, scratch, keep):
        self.program, self.library = os.path.abspath(args.program), os.path.abspath(args.library)
        self.begin = "load" if args.from_load else "main"
        self.scratch, self.keep = scratch, keep
        self.given = os.path.join(scratch, "given")
        self.undisturbed = {}

    def prepare(self):
        """Makes the files that cases start from."""
        os.mkdir(self.given)

        def head(source, target, lines, column=None):
            with open(os.path.join(TOP, "data", source), encoding="utf-8") as file, \
                    open(os.path.join(self.given, target), "w", encoding="utf-8") as out:
                for _, line in zip(range(lines), file):
                    out.write(line if column is None else line.rstrip("\n").split("\t")[column] + "\n")

        def regard(*words, **more):
            done = run([self.program, *words], self.given, **more)
            if done.status != 0:
                sys.exit(f"torture: {shlex.join(words)}: {done.err.decode(errors='replace')}")
            return done.out

        head("en-fr/train.tsv", "train.tsv", 60)
        head("en-fr/train.align", "train.align", 60)
        head("en-fr/valid.tsv", "valid.tsv", 5)
        head("en-fr/valid.tsv", "input", 5, column=0)
        head("en-fr/valid.tsv", "prefixes", 5, column=1)
        with open(os.path.join(self.given, "glossary"), "w", encoding="utf-8") as glossary:
            glossary.write("a\tun\nthe\tle\n")
        with open(os.path.join(self.given, "input"), encoding="utf-8") as lines, \
                open(os.path.join(self.given, "paragraphs"), "w", encoding="utf-8") as paragraphs:
            paragraphs.write(" ".join(line.strip() for line in lines) + "\n")
        with open(os.path.join(self.given, "page"), "w", encoding="utf-8") as page:
            page.write("<p>The <b>cat</b> <img src=a> sees <i id=x></i>a dog.<p>A &lt; B <code>c</code>\n")
            page.write("<p>The cat <kbd>{}</kbd> sleeps\n".format("^~#|" * 50))  # too long to be demanded
        subprocess.run(["gzip", "-kn", os.path.join(self.given, "valid.tsv")], check=True)
        with open(os.path.join(self.given, "train.tsv"), encoding="utf-8") as pairs, \
                open(os.path.join(self.given, "train.tmx"), "w", encoding="utf-8") as tmx:
            tmx.write('<tmx version="1.4"><header srclang="en"/><body>\n')
            for line in pairs:
                sides = [side.replace("&", "&amp;").replace("<", "&lt;") for side in line.rstrip("\n").split("\t")[:2]]
                tmx.write('<tu><tuv xml:lang="en"><seg>{}</seg></tuv><tuv xml:lang="fr"><seg>{}</seg></tuv></tu>\n'
                          .format(*sides))
            tmx.write("</body></tmx>\n")
        for model, size in (("model", TINY), ("wide", WIDE), ("new", TINY)):
            regard("train", "--train", "train.tsv", "--valid", "valid.tsv", "--model", f"{model}.safetensors",
                   "--max-epochs", "2", "--threads", "1", "--log", f"{model}.jsonl", *size.split())
        with open(os.path.join(self.given, "valid.align"), "wb") as gold:
            gold.write(regard("align", "--model", "model.safetensors", "valid.tsv"))
        with open(os.path.join(self.given, "subwords"), "wb") as subwords:
            subwords.write(regard("tokenize", "--model", "model.safetensors", stdin="input"))
        regard("align", "--save", "new.aligner", "valid.tsv")
        regard("train", "--train", "train.tsv", "--model", "./logged", "--max-epochs", "1", "--threads", "1", *TINY.split(),
               "--log", "log.jsonl", "--watch", "cat")
        # the files that quantize and evaluate replace are other ones
        regard("quantize", "wide.safetensors", "-o", "small.safetensors")
        head("en-fr/valid.tsv", "translations", 5, column=1)

    def new_folder(self, case):
        folder = tempfile.mkdtemp(prefix=case.name + "-", dir=self.scratch)
        for name in (*case.given, *([case.stdin] if case.stdin else [])):
            # a copy of what may be written, a link to what is only read
            link = shutil.copyfile if name in case.made else os.link
            link(os.path.join(self.given, name), os.path.join(folder, name))
        return folder

    def attempt(self, one):
        case = one.case
        folder = self.new_folder(case)
        words = [self.program, *case.words]
        if one.kinds == "address-space":
            done = run(["sh", "-c", f'ulimit -v {one.at * 1000}; LD_PRELOAD=$TORTURE_LIBRARY TORTURE_AT=1 exec "$@"', "sh", *words], folder, case.stdin,
                       TORTURE_LIBRARY=self.library)
        else:
            done = run(words, folder, case.stdin, LD_PRELOAD=self.library, TORTURE_FROM=self.begin,
                       TORTURE_KINDS=one.kinds, TORTURE_HOW=one.how, TORTURE_AT=str(one.at))
        verdict, message = self.judge(one, done, folder)
        if verdict == "fault" and self.keep:
            return Result(verdict, message, folder)
        shutil.rmtree(folder)
        return Result(verdict, message, None)

    def judge(self, one, done, folder):
        """The verdict, equal, refused, killed or fault, and what to say."""
        truth = self.undisturbed[one.case.name]
        said = done.err.decode(errors="replace")
        if done.status is None:
            return "fault", f"not done after {TIME_LIMIT} s"
        if one.how in ("kill", "torn"):
            if done.status == 0:
                return "equal", ""  # it was done before the call
            if done.status != -signal.SIGKILL:
                return "fault", f"ended with status {done.status} instead of being killed"
            fault = self.judge_files(one, folder) or self.judge_again(one, folder)
            return ("fault", fault) if fault else ("killed", "")
        if done.status < 0:
            crashed = crashed_object(said)
            if one.kinds in MEMORY_KINDS and LIBRARIES.match(crashed):
                fault = self.judge_files(one, folder) or self.judge_again(one, folder)
                return ("fault", f"crashed in {crashed}, {fault}") if fault else ("library", crashed)
            return "fault", f"ended by {signal.Signals(-done.status).name} in {crashed or 'an unknown place'}"
        if done.status == 0:
            if result_of(one, done.out) != result_of(one, truth.run.out):
                return "fault", f"status 0, but the output differs{and_invalid(one.case, done.out)}"
            for name, expected in truth.files.items():
                if content(os.path.join(folder, name)) != expected:
                    return "fault", f"status 0, but {name} {self.look_at(folder, name)}"
            fault = self.judge_litter(folder)
            return ("fault", fault) if fault else ("equal", "")
        # a library that ends the program leaves the lock, which the next run takes over
        elsewhere = one.kinds in MEMORY_KINDS and ELSEWHERE.search(last_line(said))
        fault = (self.judge_message(one, done, said) or self.judge_output(truth, done) or self.judge_files(one, folder)
                 or (None if elsewhere else self.judge_litter(folder)) or self.judge_again(one, folder))
        said = last_line(said)
        return ("fault", f'status {done.status}, "{said}", {fault}') if fault else ("refused", said)

    def judge_message(self, one, done, said):
        last = last_line(said)
        if one.kinds in MEMORY_KINDS and ELSEWHERE.search(last):
            return None
        if not ENOUGH.match(last):
            return "which is no clear message"
        if one.kinds == "memory" and not re.search("memory|cannot allocate", last, re.IGNORECASE):
            return "though memory was short"
        return None

    @staticmethod
    def judge_output(truth, done):
        if truth.run.out.startswith(done.out) or is_document_of_first_pairs(done.out, truth.run.out):
            return None
        return "and what it printed is no beginning of the true output"

    def judge_files(self, one, folder):
        """A file is whole if it is one that the undisturbed run made or met, or a model that at least can be opened; a
        log may be a beginning."""
        for name in one.case.made:
            found = content(os.path.join(folder, name))
            if found is None or found in self.undisturbed[one.case.name].versions:
                continue
            if name.endswith(".safetensors"):
                done = run([self.program, "info", name], folder)
                if done.status != 0:
                    return f"{name} is broken: {last_line(done.err.decode(errors='replace'))}"
            elif not name.endswith(".jsonl"):
                return f"{name} is neither what was there nor what should be"
        return None

    @staticmethod
    def judge_litter(folder):
        litter = [name for name in os.listdir(folder) if re.search(r"\.tmp|\.lock$", name)]
        return f"left behind {', '.join(sorted(litter))}" if litter else None

    def judge_again(self, one, folder):
        """After a failure or kill, the command is given again, for a training with --resume if there is a checkpoint:
        it ends as if nothing had happened, and what a killed run left behind is removed."""
        case, truth = one.case, self.undisturbed[one.case.name]
        if not case.made or (case.words[0] in ("quantize", "average") and one.how not in ("kill", "torn")):
            return None
        words = list(case.words)
        if words[0] == "train" and "--resume" not in words:
            begun = os.path.exists(os.path.join(folder, TRAINED[1]))
            words = ["train", "--model", TRAINED[0], "--resume"] if begun else [*words, "--overwrite"]
        done = run([self.program, *words], folder, case.stdin)
        if done.status != 0:
            return f"and again: {last_line(done.err.decode(errors='replace'))}"
        for name, expected in truth.files.items():
            if content(os.path.join(folder, name)) != expected:
                return f"and again, {name} {self.look_at(folder, name)}"
        fault = self.judge_litter(folder)
        return f"and again, it {fault}" if fault else None

    def look_at(self, folder, name):
        if not os.path.exists(os.path.join(folder, name)):
            return "is missing"
        if name.endswith(".safetensors"):
            done = run([self.program, "info", name], folder)
            if done.status != 0:
                return f"is broken: {last_line(done.err.decode(errors='replace'))}"
        return "differs"


def crashed_object(said):
    """The program or library in which a crash was, as fate.c names them, innermost first."""
    found = re.search(r"^torture: SIG[A-Z]+ in (.*)$", said, re.MULTILINE)
    for name in found.group(1).split() if found else []:
        if not re.match(r"(libc|libstdc\+\+|libgcc_s|libm|ld-linux[^.]*|torture)\.so", name):
            return name
    return ""


def last_line(text):
    lines = [line for line in re.split(r"[\r\n]+", text) if line.strip() and "warning:" not in line]
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", lines[-1]).strip() if lines else ""


def result_of(one, out):
    """The output without what `info` says of OpenBLAS, which cannot be loaded where memory is short."""
    if one.case.words[0] == "info" and one.kinds in MEMORY_KINDS:
        return re.sub(rb'^(products|guarantee) .*\n|"products": "[^"]*"|"rows_exact": [a-z]*', b"", out, flags=re.MULTILINE)
    return out


def and_invalid(case, out):
    if not set(case.words) & {"--json", "soft"}:
        return ""
    try:
        for line in out.decode().splitlines():
            json.loads(line)
    except ValueError:
        return " and is not JSON"
    return ""


def is_document_of_first_pairs(out, true):
    """A page or drawing is ended also after a failure, with the pairs until then."""
    try:
        if true.lstrip().startswith(b"<svg"):
            ElementTree.fromstring(out)
            return True
        data = re.compile(rb'(<script id="data"[^>]*>)(.*?)(</script>)', re.DOTALL)
        pairs = [json.loads(data.search(page).group(2))["pairs"] for page in (out, true)]
        return data.sub(b"", out) == data.sub(b"", true) and pairs[0] == pairs[1][:len(pairs[0])]
    except (AttributeError, ElementTree.ParseError, ValueError):
        return False


def spread(total, wanted, rng):
    """`wanted` of 1 … total, one from each of as many equal parts."""
    if wanted >= total:
        return list(range(1, total + 1))
    return sorted({total * i // wanted + 1 + rng.randrange(max(1, total // wanted)) for i in range(wanted)})


def plan(torture, cases, args):
    tries = []
    for case in cases:
        truth = torture.undisturbed[case.name]
        for kinds, how, weight in TORTURES + (KILLS if case.kills else []) + ADDRESS_SPACE:
            if kinds == args.skip or (args.kinds and kinds != args.kinds) or (args.how and how != args.how):
                continue
            if args.at:
                numbers = [args.at]
            elif kinds == "address-space":
                numbers = LEVELS if args.all else spread_levels(args)
            else:
                total = truth.count(torture, kinds)
                rng = random.Random(f"{args.seed} {case.name} {kinds} {how}")
                numbers = spread(total, total if args.all else args.sample * weight, rng)
            tries += [Try(case, kinds, how, at) for at in numbers]
    return tries


def spread_levels(args):
    return LEVELS[args.seed % 4::4]


def command_of(one):
    return f"tests/torture/torture.py --only {one.case.name} --kinds {one.kinds} --how {one.how} --at {one.at}"


def table(results):
    rows = collections.OrderedDict()
    for one, result in results:
        row = rows.setdefault(one.case.name, collections.Counter())
        row["tries"] += 1
        row[result.verdict] += 1
    columns = ("tries", "equal", "refused", "killed", "library", "fault")
    print(f"{'':18}" + "".join(f"{column:>9}" for column in columns))
    total = collections.Counter()
    for name, row in rows.items():
        total += row
        print(f"{name:18}" + "".join(f"{row[column]:9}" for column in columns))
    print(f"{'all':18}" + "".join(f"{total[column]:9}" for column in columns))
    return total


def list_faults(results, limit):
    """Each kind of fault once, with how often and a command that shows it."""
    groups = collections.OrderedDict()
    for one, result in results:
        if result.verdict == "fault":
            text = re.sub(r"\b\d{3,}\b|(?<=\.)\d+(?=\.tmp)", "N", result.message)
            groups.setdefault((one.case.name, one.kinds, one.how, text), []).append((one, result))
    for (name, kinds, how, _), members in list(groups.items())[:limit]:
        one, result = members[0]
        print(f"FAULT {name}, {kinds} {how}, {len(members)} times: {result.message}\n    {command_of(one)}")
        if result.folder:
            print(f"    {result.folder}")
    if len(groups) > limit:
        print(f"... and {len(groups) - limit} more kinds of fault; --faults N shows N")


def list_messages(results):
    seen = collections.Counter(re.sub(r"\d+", "N", result.message) for _, result in results if result.verdict == "refused")
    for message, count in seen.most_common():
        print(f"{count:6} {message}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="every call instead of a sample")
    parser.add_argument("--sample", type=int, default=3, metavar="N", help="about N tries of each kind and case [3]")
    parser.add_argument("--seed", type=int, default=1, help="which calls a sample has [1]")
    parser.add_argument("--only", metavar="CASES", help="these cases, separated by commas")
    parser.add_argument("--kinds", help="calls of these kinds")
    parser.add_argument("--skip", metavar="KINDS", help="no calls of these kinds")
    parser.add_argument("--how", help="this kind of failure")
    parser.add_argument("--at", type=int, help="the number of the call, or megabytes of address space")
    parser.add_argument("--from-load", action="store_true",
                        help="count calls before main too: those of libraries that start up, which no program can answer")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tries at a time [all processors]")
    parser.add_argument("--faults", type=int, default=40, help="kinds of fault to list [40]")
    parser.add_argument("--messages", action="store_true", help="list what was said when a command was refused")
    parser.add_argument("--keep", action="store_true", help="keep the folders of faults")
    parser.add_argument("--program", default=os.path.join(TOP, "regard"))
    parser.add_argument("--library", default=os.path.join(TOP, "build/release/torture.so"))
    return parser.parse_args()


def main():
    args = arguments()
    began = time.monotonic()
    for file in (args.program, args.library):
        if not os.path.exists(file):
            sys.exit(f"torture: there is no {file}; run make torture")
    cases = case_list()
    if args.only:
        wanted = args.only.split(",")
        unknown = set(wanted) - {case.name for case in cases}
        if unknown:
            sys.exit(f"torture: there is no {', '.join(sorted(unknown))} among {', '.join(case.name for case in cases)}")
        cases = [case for case in cases if case.name in wanted]
    keep = args.keep or args.at is not None
    scratch = tempfile.mkdtemp(prefix="regard-torture-")
    try:
        torture = Torture(args, scratch, keep)
        torture.prepare()
        torture.undisturbed = {case.name: Undisturbed(torture, case) for case in cases}
        tries = plan(torture, cases, args)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            results = list(zip(tries, pool.map(torture.attempt, tries)))
    finally:
        if not keep:
            shutil.rmtree(scratch)
    total = table(results)
    if args.messages:
        list_messages(results)
    list_faults(results, args.faults)
    print(f"{total['tries']} tries, {total['fault']} faults, {time.monotonic() - began:.0f} s, seed {args.seed}")
    sys.exit(1 if total["fault"] else 0)


if __name__ == "__main__":
    main()
