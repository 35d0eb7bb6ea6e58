"""`regard serve` for the tests of it: a small model, a running server, requests, and how a test program ends."""

import functools
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import unit_tests

PROGRAM = str(Path(os.environ.get("REGARD_PROGRAM", "build/release/regard")).resolve())
SECONDS = 60  # to wait for anything
TEXTS = ["The cat sleeps.", "Where is the station?", "I do not know what that means.", "a", "one two three four five", "Stop! It is late. Go home."]


@functools.lru_cache
def trained(seed):
    """The bytes of a model of one epoch: what it says is nonsense, but another for each seed."""
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as pairs, tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.safetensors")
        with open("data/en-fr/everyday.tsv", encoding="utf-8") as corpus:
            pairs.writelines(itertools.islice(corpus, 40))
        pairs.flush()
        subprocess.run([PROGRAM, "train", "--train", pairs.name, "--model", path, "--seed", str(seed), "--vocab-size", "300", "--hidden", "8",
                        "--embedding", "8", "--max-epochs", "1", "--threads", "1", "--overwrite", "--source-language", "en",
                        "--target-language", "fr"], check=True, capture_output=True)
        return Path(path).read_bytes()


class Server:
    """A running `regard serve` on a port of its own."""

    def __init__(self, *words, port=0, log=None, threads=1):
        self.log = log or tempfile.TemporaryFile("a+")  # the server and lines() share the place in it
        self.program = subprocess.Popen([PROGRAM, "serve", "--port", str(port), "--threads", str(threads), *words], stdout=self.log,
                                        stderr=subprocess.PIPE, text=True)
        self.said = self.program.stderr.readline()
        self.address = re.search(r"listening at http://(\S+):(\d+)", self.said)
        if self.address:
            self.host, self.port = self.address[1], int(self.address[2])
            self.url = f"http://{self.host}:{self.port}"

    def ask(self, path, data=None, kind=None, method=None, **headers):
        """(status, headers, body); `data` of a form, or bytes with their `kind`."""
        if isinstance(data, dict):
            data = urllib.parse.urlencode(data).encode()
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.url + path, data=data, headers=headers, method=method)
        if kind:
            request.add_header("Content-Type", kind)
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as response:
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read()

    def translate(self, text, **more):
        status, _, body = self.ask("/translate", {"q": text, "source": "en", "target": "fr", **more})
        if status != 200:
            raise AssertionError(f"{status}: {body}")
        return json.loads(body)["translatedText"]

    def open(self, sent):
        connection = socket.create_connection((self.host, self.port), SECONDS)
        connection.sendall(sent)
        return connection

    def lines(self):
        """The access log, without a last line that is still being written."""
        self.log.seek(0)
        return [json.loads(line) for line in self.log.read().split("\n")[:-1]]

    def wait_for_line(self, found):
        deadline = time.monotonic() + SECONDS
        while not any(found(line) for line in self.lines()):
            if time.monotonic() > deadline:
                raise AssertionError(self.lines())
            time.sleep(0.005)

    def end(self, by=signal.SIGTERM):
        """Its status, and what it said since it began."""
        self.program.send_signal(by)
        said = self.program.communicate(timeout=SECONDS)[1]
        self.log.close()
        return self.program.returncode, said


def received(connection):
    """All that comes until the other end closes."""
    whole = b""
    with connection:
        while part := connection.recv(1 << 16):
            whole += part
    return whole


def is_built():
    """Whether the program has a server at all."""
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "model.safetensors")
        Path(model).write_bytes(trained(1))
        server = Server(model)
        if server.address:
            server.end()
        else:
            server.program.communicate()
        return "built without libmicrohttpd" not in server.said


def main(needs_server=True):
    """Runs the tests of the program; its last line is as Check's (tests/run)."""
    if needs_server and not is_built():
        print("100%: Checks: 0, Failures: 0, Errors: 0")
        sys.exit(0)
    unit_tests.run()
