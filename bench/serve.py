#!/usr/bin/env -S python3 -X utf8
"""How much `regard serve` translates when clients send it a sentence at a time, compared with `regard translate` on the same text.

    bench/serve.py MODEL [--text FILE] [--seconds 10] [--connections 1,8,64] [-- OPTIONS of both]

The clients are wrk's (Debian: apt install wrk), on the same machine, each of which sends the next sentence when it has the answer to
its last. The model must say its languages. Run it on an idle machine."""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

PROGRAM = os.environ.get("REGARD_PROGRAM", "build/release/regard")
SCRIPT = Path(__file__).with_suffix(".lua")


def parse():
    parser = argparse.ArgumentParser(usage="bench/serve.py MODEL [--text FILE] [--seconds N] [--connections A,B,…] [-- OPTIONS]")
    parser.add_argument("model")
    parser.add_argument("--text", help="a sentence in each line; default: the 400 English ones of data/en-fr/everyday.tsv")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--connections", default="1,8,64", type=lambda text: [int(word) for word in text.split(",")])
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:end])
    arguments.options = words[end + 1:]
    return arguments


def read_sentences(text):
    if text:
        return Path(text).read_text(encoding="utf-8").splitlines()
    lines = Path("data/en-fr/everyday.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t")[0] for line in lines] * 5


def languages_of(model):
    """As the server names them."""
    said = subprocess.run([PROGRAM, "info", model], capture_output=True, text=True, check=True).stdout
    found = re.search(r"^languages .*\((\S+) → (\S+)\)", said, re.MULTILINE)
    if not found:
        sys.exit(f"{model}: does not say its languages")
    return found[1], found[2]


def seconds_of_translate(model, lines, options):
    began = time.monotonic()
    subprocess.run([PROGRAM, "translate", model, "--split", "sentences", *options], input="\n".join(lines) + "\n", text=True, check=True,
                   stdout=subprocess.DEVNULL)
    return time.monotonic() - began


def translate_rate(model, sentences, options):
    """Sentences a second, without the time to start and read the model."""
    return len(sentences) / (seconds_of_translate(model, sentences, options) - seconds_of_translate(model, sentences[:1], options))


class Server:
    def __init__(self, model, options):
        self.program = subprocess.Popen([PROGRAM, "serve", "--model", model, "--port", "0", *options], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True)
        said = self.program.stderr.readline()
        found = re.search(r"http://\S+", said)
        if not found:
            sys.exit(said)
        self.url = found[0]

    def memory(self):
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.program.pid}/status").read_text())[1]) / 1024

    def count(self, name):
        with urllib.request.urlopen(self.url + "/metrics") as metrics:
            return float(re.search(rf"^regard_{name} (\S+)", metrics.read().decode(), re.MULTILINE)[1])

    def end(self):
        self.program.send_signal(signal.SIGTERM)
        if self.program.wait() != 0:
            sys.exit(f"the server ended with {self.program.returncode}: {self.program.stderr.read()}")


def load(server, connections, seconds, environment):
    """(requests, seconds, p50, p99), the last two in milliseconds."""
    words = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "-s", str(SCRIPT), server.url]
    said = subprocess.run(words, capture_output=True, text=True, check=True, env=environment).stdout
    requests, duration, p50, p99, errors = (int(word) for word in re.search(r"^RESULT (.*)", said, re.MULTILINE)[1].split())
    if errors:
        sys.exit(f"{errors} requests failed")
    return requests, duration / 1e6, p50 / 1e3, p99 / 1e3


def main():
    arguments = parse()
    sentences = read_sentences(arguments.text)
    source, target = languages_of(arguments.model)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as text:
        text.write("\n".join(sentences) + "\n")
        text.flush()
        environment = {**os.environ, "SENTENCES": text.name, "SOURCE": source, "TARGET": target}
        before = translate_rate(arguments.model, sentences, arguments.options)
        server = Server(arguments.model, arguments.options)
        load(server, 1, 1, environment)  # primitives are compiled, pages touched
        print(f"regard translate: {before:.1f} sentences/s; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
        print(f"regard serve: {server.memory():.0f} MB at the beginning\n")
        print("connections  sentences/s  of translate  p50 ms  p99 ms  sentences/batch  MB")
        for connections in arguments.connections:
            batches, jobs = server.count("batches_total"), server.count("batch_requests_total")
            requests, seconds, p50, p99 = load(server, connections, arguments.seconds, environment)
            batches, jobs = server.count("batches_total") - batches, server.count("batch_requests_total") - jobs
            rate = requests / seconds
            print(f"{connections:11} {rate:12.1f} {100 * rate / before:12.0f}% {p50:7.1f} {p99:7.1f} {jobs / batches:16.1f} {server.memory():3.0f}")
        server.end()
    after = translate_rate(arguments.model, sentences, arguments.options)
    print(f"\nregard translate again: {after:.1f} sentences/s")


if __name__ == "__main__":
    main()
