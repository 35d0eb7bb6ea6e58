#!/usr/bin/env -S python3 -X utf8
"""Clients from the npm registry, in pinned versions, ask `regard serve` (make clients). Without npm or a network it says so and passes;
a package that is not what the lock file says, and a wrong answer, fail."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, "tests/support")
from serving import Server, trained  # noqa: E402

FOLDER = Path("build/clients")
KEY = "a-key"
TEXT = "The cat sleeps."
INSTALL = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=10000"]
NO_NETWORK = re.compile(r"\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|E?TIMEDOUT|ERR_SOCKET_TIMEOUT)\b")


def skip(reason):
    print(f"clients: not tested: {reason}")
    sys.exit(0)


def install():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json", "clients.mjs"):
        shutil.copy(f"tests/clients/{name}", FOLDER)
    if not shutil.which("npm") or not shutil.which("node"):
        skip("npm is not installed")
    run = subprocess.run(INSTALL, cwd=FOLDER, capture_output=True, text=True)
    if run.returncode and NO_NETWORK.search(run.stderr):
        skip("the npm registry cannot be reached")
    if run.returncode:
        sys.exit(f"clients: npm failed\n{run.stderr}")


def ask(folder):
    model, keys = os.path.join(folder, "model.safetensors"), os.path.join(folder, "keys")
    Path(model).write_bytes(trained(1))
    Path(keys).write_text(KEY + "\n")
    servers = [Server(model), Server(model, "--api-keys", keys)]
    wanted = {"url": servers[0].url, "keyed": servers[1].url, "key": KEY, "text": TEXT, "expected": servers[0].translate(TEXT)}
    status = subprocess.run(["node", "clients.mjs", json.dumps(wanted)], cwd=FOLDER).returncode
    if [server.end() for server in servers] != [(0, "")] * 2:
        sys.exit("clients: a server ended badly")
    return status


if __name__ == "__main__":
    install()
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(ask(scratch))
