#!/usr/bin/env -S python3 -X utf8
"""How long short requests wait while hostile ones of 20 kB are worked on, and how long without them (make load).

    tests/load/fairness.py [SECONDS [MODEL]]     REGARD_PROGRAM names another program

16 clients ask for sentences, one after another, each part of a second; every other part a hostile client keeps the server busy with
20 kB requests, which it leaves after a second or waits for. Fails if the 99th percentile with them is above twice that without."""

import http.client
import json
import socket
import sys
import threading
import time

sys.path.insert(0, "tests/support")
from serving import SECONDS, Server  # noqa: E402

CLIENTS, PARTS, MOST = 16, 10, 2.0
HOSTILE = ["a&zzz;" * 3300, "The cat sleeps and " * 1050, "See https://example.org/a/b \U0001f600 and " * 500, "word " * 4000]


class Fairness:
    def __init__(self, seconds, model):
        self.server = Server(model, threads=2)
        with open("data/en-fr/everyday.tsv", encoding="utf-8") as corpus:
            self.sentences = [line.split("\t")[0] for line in corpus][:2000]
        self.part = seconds / PARTS
        self.hostile, self.ended = threading.Event(), threading.Event()
        self.times, self.attacks, self.faults = {True: [], False: []}, 0, []

    def ask(self, number):
        """A client: the seconds of its requests, apart where the hostile one was there from beginning to end."""
        connection = http.client.HTTPConnection(self.server.host, self.server.port, timeout=SECONDS)
        at = number * 100
        while not self.ended.is_set():
            body = json.dumps({"q": self.sentences[at % len(self.sentences)], "source": "en", "target": "fr"})
            at, before, begin = at + 1, self.hostile.is_set(), time.monotonic()
            connection.request("POST", "/translate", body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                self.faults.append(answer.status)
            if self.hostile.is_set() == before:
                self.times[before].append(time.monotonic() - begin)

    def attack(self, number):
        while not self.ended.is_set():
            if not self.hostile.wait(0.1):
                continue
            body = json.dumps({"q": HOSTILE[(number + self.attacks) % len(HOSTILE)], "source": "en", "target": "fr"}).encode()
            self.attacks += 1
            request = b"POST /translate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body
            with self.server.open(request) as connection:
                connection.settimeout(1)
                try:
                    connection.recv(1 << 16)
                except socket.timeout:
                    pass

    def run(self):
        threads = [threading.Thread(target=self.ask, args=(i,)) for i in range(CLIENTS)]
        threads += [threading.Thread(target=self.attack, args=(i,)) for i in range(2)]
        for thread in threads:
            thread.start()
        for part in range(PARTS):
            (self.hostile.set if part % 2 else self.hostile.clear)()
            time.sleep(self.part)
        self.ended.set()
        for thread in threads:
            thread.join()
        status, _ = self.server.end()
        p99 = {}
        for hostile, times in self.times.items():
            times.sort()
            p99[hostile] = times[len(times) * 99 // 100]
            middle = times[len(times) // 2]
            print(f"{'with' if hostile else 'without'} hostile requests: {len(times)} short ones, half within {1e3 * middle:.1f} ms, "
                  f"99 % within {1e3 * p99[hostile]:.1f} ms")
        print(f"ratio of the 99th percentiles {p99[True] / p99[False]:.2f}, {self.attacks} hostile requests")
        return status != 0 or bool(self.faults) or p99[True] > MOST * p99[False]


if __name__ == "__main__":
    sys.exit(Fairness(float(sys.argv[1]) if len(sys.argv) > 1 else 40, sys.argv[2] if len(sys.argv) > 2 else "models/en-fr.safetensors").run())
