#!/usr/bin/env -S python3 -X utf8
"""What other programs send: the requests of libretranslatepy, LibreTranslate's client for Python (2.1.4), byte by byte as urllib sends
them, and those of curl for each path of the API that docs/server.md lists."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

sys.path.insert(0, "tests/support")
from serving import SECONDS, Server, main, trained  # noqa: E402

KEY = "a-key"
TEXT = "Où est le chat ? 100% & more + 猫"
CURL = {
    "/translate": ["-d", "source=en", "-d", "target=fr", "--data-urlencode", f"q={TEXT}"],
    "/align": ["-H", "Content-Type: application/json", "-d", '{"q": "the cat", "translation": "le chat", "source": "en", "target": "fr"}'],
    "/inspect": ["-d", "source=en", "-d", "target=fr", "-d", "q=the cat"],
    "/suggest": ["-d", "source=en", "-d", "target=fr", "-d", "q=the cat", "-d", "s=le chat"],
    "/detect": ["-d", "q=where is it?"],
}


def ask(url, parameters, method=None):
    """As libretranslatepy does: a form in the body, of GET too, and the answer's JSON whatever its type."""
    request = urllib.request.Request(url, data=urllib.parse.urlencode(parameters).encode(), method=method)
    with urllib.request.urlopen(request, timeout=SECONDS) as response:
        return json.loads(response.read().decode())


class RequestTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        model, keys, corrections = (os.path.join(cls.folder.name, name) for name in ("model.safetensors", "keys", "corrections"))
        Path(model).write_bytes(trained(1))
        Path(keys).write_text(KEY + "\n")
        cls.server, cls.keyed = Server(model), Server(model, "--api-keys", keys)
        cls.correctable = Server(model, "--corrections", corrections)

    @classmethod
    def tearDownClass(cls):
        ends = [server.end() for server in (cls.server, cls.keyed, cls.correctable)]
        cls.folder.cleanup()
        if ends != [(0, "")] * 3:
            raise AssertionError(ends)

    def test_libretranslatepy(self):
        for server, key in ((self.server, {}), (self.keyed, {"api_key": KEY})):
            url = server.url + "/"
            answer = ask(url + "translate", {"q": TEXT, "source": "en", "target": "fr", **key})
            self.assertEqual(answer, {"translatedText": self.server.translate(TEXT)})
            detected = ask(url + "detect", {"q": "where is the station?", **key})
            self.assertEqual(detected[0]["language"], "en")
            self.assertIsInstance(detected[0]["confidence"], float)
            languages = ask(url + "languages", key, method="GET")
            self.assertEqual([(language["code"], language["name"]) for language in languages], [("en", "English"), ("fr", "French")])

    def test_libretranslatepy_errors(self):
        wanted = {"q": TEXT, "source": "en", "target": "fr"}
        for url, parameters, status in ((self.server.url, {**wanted, "target": "es"}, 400), (self.keyed.url, wanted, 400),
                                        (self.keyed.url, {**wanted, "api_key": "guessed"}, 403)):
            with self.assertRaises(urllib.error.HTTPError) as caught:
                ask(url + "/translate", parameters)
            with caught.exception as error:
                self.assertEqual((error.code, set(json.loads(error.read()))), (status, {"error"}))

    def curl(self, path, *words):
        run = subprocess.run(["curl", "-sS", "--max-time", str(SECONDS), "-w", "\n%{http_code} %{content_type}", *words, self.correctable.url + path],
                             capture_output=True, text=True)
        body, _, end = run.stdout.rpartition("\n")
        return body, *end.split(" ", 1), run.stderr

    @unittest.skipUnless(shutil.which("curl"), "curl is not installed")
    def test_curl(self):
        table = re.findall(r"^\| `(/\S*)` \| (GET|POST) \|", Path("docs/server.md").read_text(), re.MULTILINE)
        self.assertGreaterEqual(len(table), 9)
        answers = {}
        for path, method in table:
            body, status, kind, said = self.curl(path, *CURL.get(path, []))
            self.assertEqual((status, said), ("200", ""), (path, body))
            self.assertEqual(method, "POST" if path in CURL else "GET")
            answers[path] = json.loads(body) if kind == "application/json" else body
        self.assertEqual(answers["/translate"], {"translatedText": self.server.translate(TEXT), "memory": None})
        self.assertEqual(answers["/inspect"]["translatedText"], self.server.translate("the cat"))
        self.assertEqual(answers["/suggest"], {"success": True})
        self.assertEqual(answers["/align"]["alignment"]["source"], ["the", "cat"])
        self.assertEqual(answers["/detect"][0]["language"], "en")
        self.assertEqual(answers["/health"], {"status": "ok"})
        self.assertEqual(answers["/frontend/settings"]["keyRequired"], False)
        self.assertEqual(set(answers["/spec"]["paths"]), {path for path, _ in table})
        self.assertIn("regard_requests_total", answers["/metrics"])
        self.assertIn("<!DOCTYPE html>", answers["/"])


if __name__ == "__main__":
    main()
