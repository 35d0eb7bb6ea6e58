#!/usr/bin/env -S python3 -X utf8
"""Clients that take too long, take nothing, or go away, and a log that nobody reads: others are answered, and the server ends in time."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, "tests/support")
from serving import PROGRAM, SECONDS, TEXTS, Server, main, received, trained  # noqa: E402

HEADERS = b"POST /translate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
TIMEOUT = 1  # of the servers, in seconds
LONG = 6000000  # characters, more than the system keeps of an answer that is not read


def request(**values):
    body = json.dumps({"source": "en", "target": "fr", **values}).encode()
    return HEADERS + b"Content-Length: %d\r\n\r\n" % len(body) + body


class Trickle(threading.Thread):
    """A client that sends a byte now and then for as long as it can."""

    def __init__(self, server, begun):
        super().__init__()
        self.connection = server.open(begun)
        self.seconds = None  # until it was closed
        self.start()

    def run(self):
        began = time.monotonic()
        with self.connection:
            try:
                while not self.seconds and time.monotonic() < began + SECONDS:
                    time.sleep(0.02)
                    self.connection.sendall(b"x")
            except OSError:
                self.seconds = time.monotonic() - began


class SlowClientTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.model = os.path.join(self.folder.name, "model.safetensors")
        Path(self.model).write_bytes(trained(1))
        self.words = [self.model, "--timeout", str(TIMEOUT), "--max-characters", "100000000"]

    def unread(self, server):
        """A connection whose answer is not read."""
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect((server.host, server.port))
        connection.sendall(request(q="x" * LONG, target="en"))
        return connection

    def test_too_slow(self):
        """Headers, a body and an answer may take --timeout each, however they are divided; so may the time between requests."""
        server = Server(*self.words)
        idle = http.client.HTTPConnection(server.host, server.port, timeout=SECONDS)
        idle.request("GET", "/health")
        idle.getresponse().read()
        unread = self.unread(server)
        trickles = [Trickle(server, HEADERS + b"X-Slow: "), Trickle(server, HEADERS + b"Content-Length: 1000\r\n\r\n")]
        server.translate("meanwhile")
        self.assertEqual(received(idle.sock), b"")
        for trickle in trickles:
            trickle.join()
            self.assertGreater(trickle.seconds, 0.5 * TIMEOUT)
            self.assertLess(trickle.seconds, 2 * TIMEOUT)
        server.wait_for_line(lambda line: line.get("characters") == LONG)
        self.assertLess(len(received(unread)), LONG)
        server.translate("afterwards")
        self.assertEqual(server.end(), (0, ""))

    def test_gone(self):
        """Texts of clients that have gone are not translated, and long ones hold up no short one."""
        server = Server(self.model, "--log", "texts", "--max-characters", "1000000")
        first = server.open(request(q="\n".join(TEXTS * 40)))
        time.sleep(0.05)  # it is being translated by now
        gone = [server.open(request(q=[f"gone {i}", *TEXTS * 40])) for i in range(8)]
        for connection in gone:
            connection.close()
        server.translate("stays")
        statuses = {line["q"][0]: line["status"] for line in self.wait_for_lines(server, 10)}
        first.close()
        self.assertEqual([statuses[f"gone {i}"] for i in range(8)], [499] * 8)
        self.assertEqual(statuses["stays"], 200)
        self.assertIn(b'regard_requests_total{path="/translate",status="499"} 8', server.ask("/metrics")[2])
        self.assertIn(b"regard_batch_requests_total 2\n", server.ask("/metrics")[2])
        self.assertEqual(server.end(), (0, ""))

    def wait_for_lines(self, server, count):
        found = []
        deadline = time.monotonic() + SECONDS
        while len(found) < count and time.monotonic() < deadline:
            found = [line for line in server.lines() if "q" in line]
            time.sleep(0.005)
        return found

    def fill_log(self, server):
        """Eight requests whose log is longer than what is kept of it; none waits for it."""
        for _ in range(8):
            with server.open(request(q="x" * 400000, target="en")) as connection:
                self.assertEqual(connection.recv(12), b"HTTP/1.1 200")

    def test_end_in_time(self):
        """Nobody holds up the end: not who has sent half a request, nor who has closed half a connection, nor who does not read an
        answer or the log, of which is counted and said what it lacks."""
        server = Server(*self.words, "--log", "texts", log=subprocess.PIPE)
        others = [server.open(sent) for sent in (b"", b"GET /hea", HEADERS + b"Content-Length: 1000\r\n\r\n{")]
        half_closed = server.open(request(q="\n".join(TEXTS * 3)))
        half_closed.shutdown(socket.SHUT_WR)
        self.fill_log(server)
        metrics = server.ask("/metrics")[2].decode()
        self.assertGreater(int(metrics.split("\nregard_log_lines_dropped_total ")[1].split("\n")[0]), 0)
        unread = self.unread(server)
        began = time.monotonic()
        server.program.send_signal(signal.SIGTERM)
        self.assertEqual(server.program.wait(SECONDS), 0)
        self.assertLess(time.monotonic() - began, 2 * TIMEOUT)
        self.assertIn("the access log lacks its last lines", server.program.communicate()[1])
        for connection in [unread, half_closed, *others]:
            connection.close()

    def test_log_that_is_read_late(self):
        server = Server(*self.words, "--log", "texts", log=subprocess.PIPE)
        self.fill_log(server)
        server.program.send_signal(signal.SIGTERM)
        written, said = server.program.communicate(timeout=SECONDS)
        lines = [json.loads(line) for line in written.splitlines()]
        self.assertRegex(said, r"the access log lacks \d+ lines: it is read too slowly")
        self.assertEqual(len(lines) + int(said.split("lacks ")[1].split(" ")[0]), 8)


if __name__ == "__main__":
    main()
