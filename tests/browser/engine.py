#!/usr/bin/env -S python3 -X utf8
"""The engine of pages (make wasm) under Node: what it inspects is what the server answers, byte for byte; what it says of what is wrong.
Its translations are those of tests/robustness/one_hash.py. FIGURES=1 measures beside."""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

REGARD = os.path.abspath(os.environ.get("REGARD_PROGRAM", "build/release/regard"))
PACKAGE = os.path.abspath("build/npm")
NODE = ["node", "tests/browser/engine.mjs"]
DIRECTIONS = ("en-fr", "fr-en", "en-zh", "zh-en")


def model_of(direction):
    return os.path.abspath(f"models/{direction}.safetensors")


def column(path, number):
    return [line.split("\t")[number] for line in Path(path).read_bytes().decode().split("\n")[:-1]]


def node(what, model, *more, flags=(), environment=None):
    run = subprocess.run([NODE[0], *flags, NODE[1], what, PACKAGE, model, *more], check=True, capture_output=True, env={**os.environ, **(environment or {})})
    return run.stdout.decode()


def inspections(direction):
    """Bodies: sentences with each step explained, what if, a beginning, and what is refused."""
    source, target = direction.split("-")
    sentences = column("data/en-zh/test.tsv" if "zh" in direction else "data/en-fr/test.tsv", source != "en")[:20]
    bodies = [{"q": line, "step": step % 6} for step, line in enumerate(sentences)]
    text = {"en": "I bought a black car yesterday.", "fr": "J'ai acheté une voiture noire hier.", "zh": "我昨天买了一辆黑色的车。"}[source]
    bodies += [{"q": text, "what_if": what_if, "step": 1} for what_if in (
        {"forbid_source": ["0"]}, {"attend": ["1:2=0.5"]}, {"forbid": ["0:a"], "force": ["2:x"]}, {"attend": ["0:99=1"]}, {"force": ["x"]})]
    bodies += [{"q": text, "prefix": "B"}, {"q": text, "step": 99}, {"q": "a\nb"}, {"q": "123"}]
    return [{"source": source, "target": target, **body} for body in bodies]


def test_inspections(folder):
    """Byte for byte what the server answers."""
    process = subprocess.Popen([REGARD, "serve", "--port", "0", "--precision", "int8", "--threads", "1", "--log", "none",
                                *(word for direction in DIRECTIONS for word in ("--model", model_of(direction)))],
                               stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    try:
        address = re.search(r"http://\S+", process.stderr.readline()).group(0)
        for direction in DIRECTIONS:
            bodies, path = inspections(direction), os.path.join(folder, direction)
            Path(path).write_text("".join(json.dumps(body) + "\n" for body in bodies), encoding="utf-8")
            found = node("inspect", model_of(direction), path).split("\n")[:-1]
            assert len(found) == len(bodies), (len(found), len(bodies))
            for body, answer in zip(bodies, found):
                request = urllib.request.Request(address + "/inspect", json.dumps(body).encode(), {"Content-Type": "application/json"})
                try:
                    with urllib.request.urlopen(request, timeout=60) as response:
                        expected = response.read().decode().rstrip("\n")
                except urllib.error.HTTPError as refusal:
                    expected = json.dumps({"error": json.load(refusal)["error"]}, ensure_ascii=False, separators=(",", ":"))
                assert answer == expected, f"{body}\nserver: {expected[:400]}\nengine: {answer[:400]}"
    finally:
        process.terminate()
        process.communicate(timeout=60)


def says(model, expected, what="open", **more):
    said = node(what, model, **more)
    assert expected in said, said


def changed(folder, name, change):
    data = bytearray(Path(model_of("en-zh")).read_bytes())
    path = os.path.join(folder, name)
    Path(path).write_bytes(change(data))
    return path


def newer(data):
    """The same model of the next format."""
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])
    metadata = header["__metadata__"]
    for key in ("regard.checksum", "regard.checksum.kind"):
        del metadata[key]
    metadata["format_version"] = str(int(metadata["format_version"]) + 1)
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data[8 + length:]


def test_damaged_models(folder):
    says(changed(folder, "cut", lambda data: data[:len(data) // 2]), "400 the model: ")
    says(changed(folder, "short", lambda data: data[:5]), "400 the model: it has only 5 bytes")
    says(changed(folder, "empty", lambda data: b""), "400 the model: ")
    says(changed(folder, "newer", newer), "use a newer Regard")

    def flip(data):
        data[-100] ^= 1
        return data
    says(changed(folder, "flipped", flip), "its checksum should be")


def tensors(path):
    data = Path(path).read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])
    del header["__metadata__"]
    return {name: (one["dtype"], one["shape"], data[8 + length:][slice(*one["data_offsets"])]) for name, one in header.items()}


def test_learning(folder):
    """The model that the engine trains is that of the program with plain kernels and the engine's product, bit for bit."""
    pairs = os.path.join(folder, "pairs.tsv")
    lines = [line for line in Path("data/en-fr/train.tsv").read_text(encoding="utf-8").splitlines() if "bought" in line]
    Path(pairs).write_text("".join(line + "\n" for line in lines[:150]), encoding="utf-8")
    shared = {"hidden": 64, "embedding": 64, "vocab_size": 400, "batch_tokens": 300, "dropout": 0.1, "warmup": 20, "precision": "float32",
              "threads": 1, "max_epochs": 3}
    for guide in ("none", "auto"):
        for seed in (1, 2):
            options = {**shared, "guide": guide, "seed": seed}
            learned, expected = (os.path.join(folder, f"{who}-{guide}-{seed}") for who in ("engine", "program"))
            said = node("learn", learned, pairs, environment={"OPTIONS": json.dumps(options)}).splitlines()
            assert said == ["no training has begun", "line 3 has no tab between a text and its translation",
                            'option "hidden" must be a whole number from 1 to 16384', said[3],
                            "3 false source target weights text true", "en>en,fr fr>fr"], said
            assert said[3].startswith("the corpus is too small"), said[3]
            flags = [word for name, value in options.items() for word in ("--" + name.replace("_", "-"), str(value))]
            subprocess.run([REGARD + "-loops", "train", "--train", pairs, "--model", expected, "--source-language", "en", "--target-language", "fr", *flags],
                           env={**os.environ, "REGARD_ISA": "plain", "REGARD_GEMM": "openblas"}, check=True, capture_output=True)
            assert tensors(learned) == tensors(expected), (guide, seed)
    assert tensors(learned) != tensors(os.path.join(folder, "engine-auto-1"))


def test_too_little_memory(folder):
    says(model_of("en-fr"), "500 out of memory", flags=["--wasm-max-mem-pages=300"])
    says(model_of("en-fr"), "500 ", flags=["--wasm-max-mem-pages=100"])


def test_memory(folder):
    """The file of 17 MB, the packed weights, little else; WebAssembly's memory never shrinks."""
    for direction in DIRECTIONS:
        sentences = column("data/en-zh/test.tsv" if "zh" in direction else "data/en-fr/test.tsv", not direction.startswith("en"))
        path = os.path.join(folder, direction)
        Path(path).write_text("\n".join([*sentences[:50], " ".join(sentences[50:90]), ""]), encoding="utf-8")
        megabytes = int(node("memory", model_of(direction), path)) / 1e6
        assert megabytes < 41, f"{direction}: {megabytes:.1f} MB"


def test_old_browser(folder):
    says(model_of("en-zh"), "400 this browser is too old", what="old")


def test_cancelling(folder):
    lines = node("cancel", model_of("en-zh")).splitlines()
    assert lines == ["503 cancelled on request", "1", "400 nBest must be a whole number from 1 to 5",
                     "400 unknown option nbest; there are alignment, nBest and beam", "400 the translator was closed"], lines


def test_package(folder):
    """The packed file, in a project with nothing else; its README's example."""
    packed = subprocess.run(["npm", "pack", "--silent", "--pack-destination", folder, PACKAGE], check=True, capture_output=True, text=True)
    project = Path(folder) / "project"
    project.mkdir()
    (project / "package.json").write_text('{"private": true, "type": "module"}')
    subprocess.run(["npm", "install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", os.path.join(folder, packed.stdout.strip())],
                   cwd=project, check=True, capture_output=True)
    example = [line[4:] for line in Path("npm/README.md").read_text(encoding="utf-8").splitlines() if line.startswith("    ")]
    (project / "example.js").write_text("\n".join(example), encoding="utf-8")
    shutil.copy(model_of("en-fr"), project)
    said = subprocess.run(["node", "example.js"], cwd=project, check=True, capture_output=True, text=True).stdout
    assert "The → Le" in said and "cat → chat" in said, said


def measure(folder):
    """Milliseconds of a sentence of ten words, by the program on one thread too."""
    sentences = [line for line in column("data/en-fr/train.tsv", 0) if len(line.split()) == 10][:100]
    path = os.path.join(folder, "sentences")
    for direction in ("en-fr", "en-zh"):
        figures = {}
        for isa in ("plain", "avx2"):
            Path(path).write_text("".join(line + "\n" for line in sentences), encoding="utf-8")
            command = [REGARD, "translate", "--model", model_of(direction), "--precision", "int8", "--threads", "1", "--batch", "1"]
            times = []
            for repeats in (1, 3):
                Path(path).write_text("".join(line + "\n" for line in sentences * repeats), encoding="utf-8")
                began = time.monotonic()
                subprocess.run([*command, path], env={**os.environ, "REGARD_ISA": isa}, check=True, capture_output=True)
                times.append(time.monotonic() - began)
            figures[isa] = 1000 * (times[1] - times[0]) / (2 * len(sentences))
        Path(path).write_text("".join(line + "\n" for line in sentences), encoding="utf-8")
        found = json.loads(node("measure", model_of(direction), path))
        print(f"{direction}: opened in {found['opened']:.0f} ms, a sentence {found['each']:.1f} ms (program: plain {figures['plain']:.1f}, "
              f"AVX2 {figures['avx2']:.1f}), {found['megabytes']:.0f} MB")
    size = os.path.getsize("build/wasm/engine.wasm")
    print(f"engine: {size} bytes")


if __name__ == "__main__":
    tests = [value for name, value in list(globals().items()) if name.startswith("test_")]
    failures = 0
    for test in tests:
        with tempfile.TemporaryDirectory() as scratch:
            try:
                test(scratch)
                print("ok", test.__name__)
            except (AssertionError, subprocess.SubprocessError) as failure:
                failures += 1
                print("FAILED", test.__name__, failure, getattr(failure, "stderr", "") or "")
    if os.environ.get("FIGURES"):
        with tempfile.TemporaryDirectory() as scratch:
            measure(scratch)
    print(f"{100 * (len(tests) - failures) // len(tests)}%: Checks: {len(tests)}, Failures: {failures}, Errors: 0")
    sys.exit(failures > 0)
