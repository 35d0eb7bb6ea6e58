#!/usr/bin/env -S python3 -X utf8
"""regard serve as its clients see it: each path of the API, bad requests, limits, signals, many clients at once."""

import concurrent.futures
import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, "tests/support")
from serving import PROGRAM, SECONDS, TEXTS, Server, main, received, trained  # noqa: E402


class ServerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.model = os.path.join(cls.folder.name, "model.safetensors")
        Path(cls.model).write_bytes(trained(1))
        cls.server = Server("--model", cls.model, "--beam", "3")
        cls.impatient = Server("--model", cls.model, "--timeout", "1")
        cls.silent = cls.impatient.open(b"POST /translate HTTP/1.1\r\nHost: x\r\nContent-Length: 30\r\n\r\nq=half")

    @classmethod
    def tearDownClass(cls):
        ends = [server.end() for server in (cls.server, cls.impatient)]
        cls.folder.cleanup()
        if ends != [(0, "")] * 2:
            raise AssertionError(ends)

    def ask_json(self, path, **values):
        status, headers, body = self.server.ask(path, json.dumps(values).encode(), "application/json")
        return status, json.loads(body)

    def test_paths(self):
        status, headers, body = self.server.ask("/languages")
        self.assertEqual((status, headers["Content-Type"], headers["Access-Control-Allow-Origin"]), (200, "application/json", "*"))
        self.assertEqual(json.loads(body), [{"code": "en", "name": "English", "targets": ["en", "fr"]},
                                            {"code": "fr", "name": "French", "targets": ["fr"]}])
        for path in ("/health", "/frontend/settings", "/spec", "/metrics"):
            self.assertEqual(self.server.ask(path)[0], 200, path)
        self.assertEqual(self.server.ask("/nothing")[0], 404)
        status, headers, _ = self.server.ask("/translate")
        self.assertEqual((status, headers["Allow"]), (405, "POST, OPTIONS"))
        status, headers, body = self.server.ask("/translate", method="OPTIONS", Origin="http://example.org")
        self.assertEqual((status, headers["Access-Control-Allow-Headers"], body), (204, "Authorization, Content-Type", b""))
        status, headers, body = self.server.ask("/health", method="HEAD")
        self.assertEqual((status, headers["Content-Length"], body), (200, "16", b""))

    def test_same_as_translate(self):
        words = [PROGRAM, "translate", self.model, "--threads", "1", "--beam", "3"]
        lines = subprocess.run(words, input="\n".join(TEXTS), capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertEqual([self.server.translate(text) for text in TEXTS], lines)
        self.assertEqual(self.server.translate("\n".join(TEXTS)).splitlines(), lines)
        status, answer = self.ask_json("/translate", q=TEXTS, source="auto", target="FR", alternatives=1, alignment=True)
        self.assertEqual((status, answer["translatedText"]), (200, lines))
        for member in ("alternatives", "detectedLanguage", "alignment"):
            self.assertEqual(len(answer[member]), len(TEXTS), member)
        status, answer = self.ask_json("/align", q=TEXTS[0], translation=lines[0], source="en", target="fr")
        self.assertEqual((status, answer["alignment"]["source"]), (200, ["The", "cat", "sleeps."]))
        self.assertEqual(self.ask_json("/detect", q="Where is the station?")[1][0]["language"], "en")

    def test_others_change_nothing(self):
        """Whoever else asks, and whatever they ask for, an answer is the same bytes."""
        def answers(n):
            more = [{}, {"alternatives": 2}, {"alignment": "true"}][n % 3]
            return n % len(TEXTS), n % 3, self.server.translate(TEXTS[n % len(TEXTS)], **more)
        alone = [self.server.translate(text) for text in TEXTS]
        with concurrent.futures.ThreadPoolExecutor(16) as clients:
            for text, _, answer in clients.map(answers, range(120)):
                self.assertEqual(answer, alone[text])

    def test_bad_requests(self):
        kind = "application/json"
        for body, message in ((b"", "is not JSON"), (b'{"q": "a', "is not JSON"), (b"[" * 20000, "maximum parsing depth"),
                              (b'{"q": "\xff"}', "is not JSON"), (b"[]", "not a JSON object"), (b"{}", "missing q parameter")):
            status, _, answer = self.server.ask("/translate", body, kind)
            self.assertEqual(status, 400)
            self.assertIn(message, json.loads(answer)["error"])
        self.assertEqual(self.server.ask("/translate", b"q=%ff&source=en&target=fr")[0], 400)
        for sent in (b"nonsense\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\0\xff\r\n\r\n", b"POST /translate HTTP/1.1\r\nHost: x\r\n"
                     b"Content-Length: -1\r\n\r\n", b"GET /" + b"x" * 40000 + b" HTTP/1.1\r\n\r\n"):
            try:
                self.assertNotIn(b"200 OK", received(self.impatient.open(sent)))
            except ConnectionResetError:
                pass
        connection = self.server.open(b"GET /\xff\x1b[31m HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        self.assertIn(b"404", received(connection))
        self.server.wait_for_line(lambda line: line["path"] == "/??[31m")
        self.server.translate("still there")

    def test_large_bodies(self):
        began = time.monotonic()
        connection = self.server.open(b"POST /translate HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n")
        self.assertIn(b"413", received(connection))  # at once, without the body
        self.assertLess(time.monotonic() - began, 1)
        chunked = http.client.HTTPConnection(self.server.host, self.server.port, timeout=SECONDS)
        chunked.request("POST", "/translate", body=(b"x" * 65536 for _ in range(64)), encode_chunked=True,
                        headers={"Transfer-Encoding": "chunked"})
        self.assertEqual(chunked.getresponse().status, 413)
        chunked.close()
        self.assertEqual(self.server.ask("/translate", {"q": "x" * 20001, "source": "en", "target": "fr"})[0], 400)

    def test_many_fields(self):
        """A query of many fields, for which libmicrohttpd would have no room."""
        query = urllib.parse.urlencode({"q": "The cat sleeps.", "source": "en", "target": "fr"})
        for more in ("&a=1?" * 3000, "&a" * 3000, "&a=" * 3000):
            status, _, answer = self.server.ask("/translate?" + query + more, b"")
            self.assertEqual((status, json.loads(answer)["translatedText"]), (200, self.server.translate("The cat sleeps.")))

    def test_parts(self):
        """As curl -F and FormData send it."""
        form = "".join(f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
                       for name, value in (("q", "The cat sleeps."), ("source", "en"), ("target", "fr"))) + "--x--\r\n"
        status, _, answer = self.server.ask("/translate", form.encode(), "multipart/form-data; boundary=x")
        self.assertEqual((status, json.loads(answer)["translatedText"]), (200, self.server.translate("The cat sleeps.")))

    def test_silent_clients(self):
        """A connection that sends no more is closed; others are answered before and after."""
        self.impatient.translate("before")
        self.assertNotIn(b"200 OK", received(self.silent))
        self.impatient.translate("after")

    def test_log(self):
        self.server.ask("/translate?api_key=secret", {"q": "the secret", "source": "en", "target": "fr"})
        self.server.wait_for_line(lambda line: line.get("characters") == 10)
        self.server.log.seek(0)
        self.assertNotIn("secret", self.server.log.read())


class SignalTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.model = os.path.join(self.folder.name, "model.safetensors")
        Path(self.model).write_bytes(trained(1))

    def test_reload(self):
        server = Server(self.model, "--log", "none")
        before = [server.translate(text) for text in TEXTS]
        Path(self.model).write_bytes(trained(2))
        self.assertEqual([server.translate(text) for text in TEXTS], before)
        server.program.send_signal(signal.SIGHUP)
        self.assertIn("loaded again", server.program.stderr.readline())
        after = [server.translate(text) for text in TEXTS]
        self.assertNotEqual(after, before)
        Path(self.model).write_bytes(b"no model")
        server.program.send_signal(signal.SIGHUP)
        self.assertIn("what was loaded before stays", server.program.stderr.readline())
        self.assertEqual([server.translate(text) for text in TEXTS], after)
        self.assertEqual(server.lines(), [])
        self.assertEqual(server.end(signal.SIGINT), (0, ""))

    def test_end_answers_what_has_come(self):
        server = Server(self.model, "--log", "texts")
        slow = "\n".join(TEXTS * 6)
        body = urllib.parse.urlencode({"q": slow, "source": "en", "target": "fr"})
        clients = [http.client.HTTPConnection(server.host, server.port, timeout=SECONDS) for _ in range(8)]
        for client in clients:  # so that the server has the connections
            client.request("GET", "/health")
            client.getresponse().read()
        for client in clients:
            client.request("POST", "/translate", body)
        answers = [clients[0].getresponse()]
        server.program.send_signal(signal.SIGTERM)
        answers += [client.getresponse() for client in clients[1:]]
        whole = [json.loads(answer.read())["translatedText"] for answer in answers if answer.status == 200]
        self.assertLessEqual({answer.status for answer in answers}, {200, 503})
        self.assertEqual({len(text.splitlines()) for text in whole}, {len(TEXTS) * 6})
        self.assertEqual(len(set(whole)), 1)
        for client in clients:
            client.close()
        self.assertEqual(server.program.wait(SECONDS), 0)
        self.assertEqual([line["q"] for line in server.lines() if line["status"] == 200 and "q" in line], [[slow]] * len(whole))
        server.end()

    def test_limits(self):
        server = Server(self.model, "--max-queue", "1", "--requests-per-minute", "30", "--behind-proxy", "--max-characters", "100000")
        slow = {"q": "\n".join(TEXTS * 10), "source": "en", "target": "fr"}
        with concurrent.futures.ThreadPoolExecutor(12) as clients:
            answers = list(clients.map(lambda n: server.ask("/translate", slow, X_Forwarded_For=f"1.1.1.1, 10.0.0.{n}"), range(12)))
        statuses = {status for status, _, _ in answers}
        self.assertEqual(statuses, {200, 429})
        self.assertEqual({headers["Retry-After"] for status, headers, _ in answers if status == 429}, {"1"})
        server.wait_for_line(lambda line: line["client"] == "10.0.0.7")
        server.ask("/health", X_Forwarded_For="1.1.1.1,\t10.0.1.1\t")
        server.wait_for_line(lambda line: line["client"] == "10.0.1.1")
        statuses = [server.ask("/detect", {"q": "a"}, X_Forwarded_For="10.9.9.9")[0] for _ in range(31)]
        self.assertEqual(statuses, [200] * 30 + [429])
        self.assertEqual(server.end()[0], 0)

    def test_shares(self):
        """A client that sends bodies without end has a share of the room for them, and others have the rest."""
        server = Server(self.model, "--behind-proxy", "--max-characters", "1000")
        body = 50000  # the greatest that is taken
        begun = (f"POST /translate HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: 10.0.0.1\r\nContent-Length: {body}\r\n\r\n"
                 + "x" * (body - 1)).encode()
        held = [server.open(begun) for _ in range(64)]
        statuses = []
        for client in range(2, 5):
            answers = [server.ask("/translate", {"q": "a", "source": "en", "target": "fr", "x": "y" * 40000},
                                  X_Forwarded_For=f"10.0.0.{client}") for _ in range(2)]
            statuses += [status for status, _, _ in answers]
        self.assertEqual(statuses, [200] * 6)
        for connection in held:
            connection.sendall(b"x")
        statuses = sorted(received(connection).split(b" ", 2)[1] for connection in held)
        self.assertEqual(statuses, [b"400"] * 16 + [b"429"] * 48)  # a quarter were taken, and have no texts
        self.assertEqual(server.end()[0], 0)

    def test_connections(self):
        """Those above --max-connections wait until others end, and no longer."""
        server = Server(self.model, "--max-connections", "2")
        held = [server.open(b""), server.open(b"")]
        waiting = [server.open(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") for _ in range(20)]
        time.sleep(0.1)
        began = time.monotonic()
        for connection in held:
            connection.close()
        for connection in waiting:
            self.assertIn(b'{"status":"ok"}', received(connection))
        self.assertLess(time.monotonic() - began, 5)  # not a --timeout
        self.assertEqual(server.end(), (0, ""))

    def test_ipv6(self):
        server = Server(self.model, "--host", "::1")
        if not server.address:
            self.skipTest(server.said)  # a machine without
        self.assertEqual(server.host, "[::1]")
        self.assertEqual(server.ask("/health")[0], 200)
        server.wait_for_line(lambda line: line["client"] == "::1")
        self.assertEqual(server.end(), (0, ""))

    def test_wrong_usage(self):
        first = Server(self.model)
        for words, message in (([self.model, "--port", str(first.port)], "in use; choose another --port"), ([self.model, "--host", "192.0.2.1"],
                               "host 192.0.2.1, port 5000: "), ([self.model, "--api-keys", "absent"], "absent"), ([], "--model")):
            run = subprocess.run([PROGRAM, "serve", *words], capture_output=True, text=True, timeout=SECONDS)
            self.assertIn(run.returncode, (1, 2))
            self.assertIn(message, run.stderr)
        first.end()


class ShortTextTest(unittest.TestCase):
    def test_detection(self):
        """Two words say little: the models' own subwords tell their language."""
        server = Server("--model", "models/en-fr.safetensors", "--model", "models/fr-en.safetensors", "--model",
                        "models/zh-en.safetensors")
        for text, language in (("Bonne nuit", "fr"), ("fromage", "fr"), ("cheese", "en"), ("晚安", "zh-Hans"), ("12", "en")):
            found = json.loads(server.ask("/detect", {"q": text})[2])
            self.assertEqual(found[0]["language"], language, text)
        self.assertEqual(server.end(), (0, ""))


if __name__ == "__main__":
    main()
