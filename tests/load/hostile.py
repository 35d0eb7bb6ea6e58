#!/usr/bin/env -S python3 -X utf8
"""Hostile clients, all at once, while others are to be served (make load).

    tests/load/hostile.py [SECONDS]     REGARD_PROGRAM names another program, such as one with sanitizers

Half-sent and huge bodies, lengths that are wrong, what is not HTTP or not JSON, 2,000 idle connections, answers that are not read,
clients that go, models replaced and damaged under SIGHUP; then kill -9 and a new server on the same port at once. Meanwhile honest
clients must get every answer, the right one, and memory must not grow. The server must end with status 0 and no other message."""

import contextlib
import http.client
import json
import os
import random
import resource
import signal
import socket
import struct
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, "tests/support")
from serving import PROGRAM, SECONDS, TEXTS, Server, trained  # noqa: E402

IDLE = 2000
HONEST = 4
MAX_BODY = 200000
TIMEOUT = 5  # of the server, in seconds
GROWTH = 48 << 20  # bytes that memory may grow in the second half
SANITIZED = any(name in PROGRAM for name in ("asan", "tsan"))  # which keep freed memory
POST = b"POST /translate HTTP/1.1\r\nHost: x\r\n"
JSON = POST + b"Content-Type: application/json\r\n"
WANTED = b'{"q": "The cat sleeps.", "source": "en", "target": "fr"}'


def with_length(body, length=None):
    return JSON + b"Content-Length: %s\r\n\r\n" % (str(len(body) if length is None else length).encode()) + body


LENGTHS = [with_length(WANTED, length) for length in (0, 1, 20, 1000, -1, "x", "", 1 << 64, "1e3")] + [
    JSON + b"Content-Length: 5\r\nContent-Length: 60\r\n\r\n" + WANTED,
    JSON + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    JSON + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    JSON + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
    JSON + b"Transfer-Encoding: chunked\r\n\r\n3\r\nab",
]
NOT_HTTP = [b"\r\n" * 50, b"\0" * 1000, b"GET\r\n\r\n", b"GET / HTTP/1.1\r\n: x\r\n\r\n", b"GET / HTTP/1.1\r\n x\r\n\r\n", b"A" * 100000,
            b"GET /" + b"%zz%" * 3000 + b" HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 20000 + b"\r\n",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"OPTIONS * HTTP/1.1\r\n\r\n",
            b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n" * 50]
NOT_JSON = [b"", b"{", b"[]", b"null", b'{"q": 1}', b'{"q": {"q": "a"}, "source": [], "target": 7}', b'{"q": "\xff"}', b'{"q": "\\ud800"}', b"[" * 50000,
            b'{"a":' * 20000, b'{"q": "a", "source": "en", "target": "fr", "alternatives": 1e999}', b'{"q": "\\u0000", "source": "en", "target": "fr"}',
            b'{"q": [' + b'"a",' * 5000 + b'"a"], "source": "en", "target": "fr"}', b'{"alternatives": -9999999999999999999999}']


class Load:
    def __init__(self, folder, seconds):
        self.folder, self.seconds, self.end = folder, seconds, 0
        self.model = os.path.join(folder, "model.safetensors")
        Path(self.model).write_bytes(trained(1))
        self.words = [self.model, "--timeout", str(TIMEOUT), "--max-characters", str(MAX_BODY // 50), "--max-connections", "6000"]
        self.server = Server(*self.words)
        self.faults, self.counts, self.memory = [], {}, []
        self.said = []
        self.right = {text: {self.server.translate(text)} for text in TEXTS}

    def going_on(self):
        return time.monotonic() < self.end and not self.faults

    def count(self, name):
        self.counts[name] = self.counts.get(name, 0) + 1

    def send(self, sent, name, wait=0.2):
        """Sends as much as the server takes, and reads some of its answer."""
        with contextlib.suppress(OSError), socket.create_connection((self.server.host, self.server.port), SECONDS) as connection:
            connection.settimeout(wait)
            connection.sendall(sent)
            connection.recv(1000)
        self.count(name)

    # what attackers do, again and again

    def half_bodies(self):
        held = [self.server.open(with_length(WANTED, 100000)) for _ in range(50)]
        time.sleep(0.3)
        for connection in held:
            connection.close()
        self.count("half bodies")

    def huge_bodies(self):
        self.send(with_length(b"", 100000000), "huge bodies")
        chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
        self.send(JSON + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 1600, "huge bodies", SECONDS)

    def wrong_lengths(self):
        self.send(random.choice(LENGTHS), "wrong lengths")

    def not_http(self):
        self.send(random.choice(NOT_HTTP) if random.random() < 0.5 else random.randbytes(500) + b"\r\n\r\n", "not HTTP")

    def not_json(self):
        self.send(with_length(random.choice(NOT_JSON)), "not JSON")

    def not_read(self):
        """Asks for answers of some size by a narrow connection, one after another, and reads a byte of them now and then."""
        long = with_length(json.dumps({"q": "x" * 19000, "source": "fr", "target": "fr"}).encode())
        with contextlib.suppress(OSError), socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            connection.settimeout(0.5)
            connection.connect((self.server.host, self.server.port))
            connection.sendall(long * 20)
            for _ in range(10):
                connection.recv(1)
                time.sleep(0.05)
        self.count("answers not read")

    def gone(self):
        """Asks and goes, by a reset every other time."""
        body = json.dumps({"q": TEXTS, "source": "en", "target": "fr", "alignment": True}).encode()
        with contextlib.suppress(OSError), self.server.open(with_length(body)) as connection:
            if random.random() < 0.5:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.count("clients gone")
        time.sleep(0.01)

    def reload(self):
        """A new model, the first one again, or one that is damaged."""
        whole = trained(random.choice((1, 2)))
        damaged = whole[:random.randrange(len(whole))] if random.random() < 0.5 else random.randbytes(5000)
        new = self.model + ".new"
        Path(new).write_bytes(random.choice((whole, damaged)))
        os.rename(new, self.model)
        self.server.program.send_signal(signal.SIGHUP)
        self.count("reloads")
        time.sleep(0.2)

    # those who are to be served

    def honest(self):
        connection = http.client.HTTPConnection(self.server.host, self.server.port, timeout=SECONDS)
        for number, text in enumerate(random.sample(TEXTS, 3)):
            request = json.dumps({"q": text, "source": "en", "target": "fr"})
            try:
                connection.request("POST", "/translate", request, {"Content-Type": "application/json"})
                answer = connection.getresponse()
            except (BrokenPipeError, ConnectionResetError):
                if number == 0:
                    raise
                break  # where the machine is busy, the pause since the last request may be longer than --timeout
            body = answer.read()
            if answer.status != 200 or json.loads(body)["translatedText"] not in self.right[text]:
                self.faults.append(f"{text!r} was answered {answer.status} {body!r}")
            self.count("honest requests")
        connection.close()

    def measure(self):
        pages = int(Path(f"/proc/{self.server.program.pid}/statm").read_text().split()[1])
        self.memory.append(pages * resource.getpagesize())
        time.sleep(0.1)

    def repeat(self, action):
        try:
            while self.going_on():
                action()
        except Exception as fault:  # such as an honest client's connection that was refused
            self.faults.append(f"{action.__name__}: {fault!r}")

    def listen(self):
        for line in self.server.program.stderr:
            self.said.append(line)

    def run(self):
        second = os.path.join(self.folder, "second.safetensors")
        Path(second).write_bytes(trained(2))
        other = Server(second)
        for text in TEXTS:
            self.right[text].add(other.translate(text))
        other.end()
        self.measure()
        idle = [self.server.open(random.choice((b"", b"GET /health HT"))) for _ in range(IDLE)]
        self.end = time.monotonic() + self.seconds
        actions = [self.half_bodies, self.huge_bodies, self.wrong_lengths, self.not_http, self.not_json, self.not_read, self.gone, self.reload,
                   self.measure] + [self.honest] * HONEST
        threads = [threading.Thread(target=self.repeat, args=(action,)) for action in actions]
        listener = threading.Thread(target=self.listen)
        for thread in [listener, *threads]:
            thread.start()
        for thread in threads:
            thread.join()
        for connection in idle:
            connection.close()
        self.finish(listener)

    def finish(self, listener):
        """SIGTERM, and what was said."""
        began = time.monotonic()
        self.server.program.send_signal(signal.SIGTERM)
        status = self.server.program.wait(SECONDS)
        listener.join()
        unknown = [line for line in self.said if "loaded again" not in line and "what was loaded before stays" not in line]
        if status != 0 or unknown:
            self.faults.append(f"the server ended with {status} and said {''.join(unknown)}")
        if time.monotonic() - began > TIMEOUT + 2 and not SANITIZED:
            self.faults.append("the server did not end within --timeout")
        half = self.memory[len(self.memory) // 2:]
        if max(half) - half[0] > GROWTH and not SANITIZED:
            self.faults.append(f"memory grew from {half[0] >> 20} to {max(half) >> 20} MB")

    def kill_and_restart(self):
        """The port can be had again at once, though there are connections to the server that was killed."""
        Path(self.model).write_bytes(trained(1))
        server = Server(*self.words)
        for _ in range(5):
            held = [server.open(with_length(WANTED)) for _ in range(20)]
            server.translate(TEXTS[0])
            server.program.kill()
            server.program.communicate()
            server.log.close()
            server = Server(*self.words, port=server.port)
            if not server.address or server.translate(TEXTS[0]) not in self.right[TEXTS[0]]:
                self.faults.append(f"after kill -9: {server.said}")
                return
            for connection in held:
                connection.close()
        server.end()


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    random.seed(1)
    with tempfile.TemporaryDirectory() as folder:
        load = Load(folder, seconds)
        load.run()
        load.kill_and_restart()
    print(", ".join(f"{name} {count}" for name, count in sorted(load.counts.items())))
    print(f"memory {load.memory[0] >> 20} MB, {load.memory[len(load.memory) // 2] >> 20} MB half-way, {load.memory[-1] >> 20} MB at the end, "
          f"{max(load.memory) >> 20} MB at most")
    for fault in load.faults[:10]:
        print("FAULT", fault)
    sys.exit(bool(load.faults))


if __name__ == "__main__":
    main()
