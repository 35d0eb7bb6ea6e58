"""Firefox, driven like the Browser of webdriver.py, by its own protocol, Marionette
(https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html), so that Debian's firefox-esr is all that is needed."""

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time

from webdriver import Browser

# the commands of WebDriver's paths
COMMANDS = {"/url": "Navigate", "/execute/sync": "ExecuteScript", "/element": "FindElement", "/actions": "PerformActions",
            "/screenshot": "TakeScreenshot", "/element/click": "ElementClick", "/element/value": "ElementSendKeys",
            "/element/clear": "ElementClear"}


class Firefox(Browser):
    """Firefox without a window; `with Firefox() as browser`. What it complains of is not heard."""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        self.downloads = os.path.join(self.folder, "downloads")
        with open(os.path.join(self.folder, "user.js"), "w", encoding="utf-8") as preferences:
            preferences.write('user_pref("marionette.port", 0);\nuser_pref("browser.download.folderList", 2);\n'
                              f'user_pref("browser.download.dir", "{self.downloads}");\n')
        self.driver = subprocess.Popen(["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", self.folder],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.stream = socket.create_connection(("127.0.0.1", self._port()), timeout=60).makefile("rwb")
        self.count = 0
        self._receive()  # its greeting
        self._command("WebDriver:NewSession", {})

    def _port(self):
        path = os.path.join(self.folder, "MarionetteActivePort")
        for _ in range(600):
            if os.path.exists(path) and os.path.getsize(path) > 0:
                with open(path, encoding="utf-8") as file:
                    return int(file.read())
            time.sleep(0.1)
        raise RuntimeError("firefox-esr did not start")

    def __exit__(self, *_):
        try:
            self._command("Marionette:Quit", {"flags": ["eForceQuit"]})
        finally:
            self.stream.close()
            self.driver.wait(timeout=60)
            shutil.rmtree(self.folder, ignore_errors=True)

    def _receive(self):
        """A message: its length, a colon, JSON."""
        length = b""
        while not length.endswith(b":"):
            length += self.stream.read(1)
        return json.loads(self.stream.read(int(length[:-1])))

    def _command(self, name, parameters):
        self.count += 1
        message = json.dumps([0, self.count, name, parameters]).encode()
        self.stream.write(b"%d:%s" % (len(message), message))
        self.stream.flush()
        _, _, failure, result = self._receive()
        if failure:
            raise RuntimeError(failure["message"])
        return result

    def _call(self, method, path, body=None):
        parameters = dict(body or {})
        element = re.fullmatch(r"/element/([^/]+)(/\w+)", path)
        if element:
            parameters["id"], path = element.group(1), "/element" + element.group(2)
        result = self._command("WebDriver:" + COMMANDS[path], parameters)
        return result.get("value") if isinstance(result, dict) else result

    def complaints(self):
        return []
