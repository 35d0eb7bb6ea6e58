"""A browser to be driven by a test: just enough of WebDriver (https://www.w3.org/TR/webdriver2/) over plain HTTP, with the
standard library alone, for Debian's chromium and chromium-driver."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

# WebDriver's names of keys, section 17.4.2
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Shift": "\ue008", "Escape": "\ue00c", "Space": "\ue00d", "End": "\ue010",
        "Home": "\ue011", "Left": "\ue012", "Up": "\ue013", "Right": "\ue014", "Down": "\ue015"}

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """Chromium without a window; `with Browser() as browser`."""

    def __init__(self, width=1200, height=900, dark=False, touch=False):
        self.folder = tempfile.mkdtemp()
        self.downloads = os.path.join(self.folder, "downloads")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       text=True)
        self.address = "http://127.0.0.1:" + self._port()
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--user-data-dir=" + self.folder, f"--window-size={width},{height}"]
        if dark:
            # a user who prefers dark colours
            arguments.append("--blink-settings=preferredColorScheme=0")
        options = {"args": arguments, "binary": shutil.which("chromium"), "prefs": {"download.default_directory": self.downloads}}
        if touch:
            options["mobileEmulation"] = {"deviceMetrics": {"width": width, "height": height, "pixelRatio": 2,
                                                            "touch": True}}
        capabilities = {"alwaysMatch": {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}
        self.session = ""
        self.session = "/session/" + self._call("POST", "/session", {"capabilities": capabilities})["sessionId"]

    def _port(self):
        # "ChromeDriver was started successfully on port 39455."
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                return line.rsplit(" ", 1)[1].strip(".\n")
        raise RuntimeError("chromedriver did not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.driver.stdout.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    def _call(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.address + self.session + path, data, {"Content-Type": "application/json"},
                                         method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as failure:
            raise RuntimeError(json.load(failure)["value"]["message"]) from None

    def open(self, path):
        """Opens a file, or what http:// answers, and waits until it is loaded."""
        self._call("POST", "/url", {"url": path if path.startswith("http://") else "file://" + os.path.abspath(path)})

    def run(self, script, *arguments):
        """The value that a function body of JavaScript returns; it finds `arguments` there."""
        return self._call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, *arguments, seconds=20):
        """Waits until the script returns something true, and gives that."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.run(script, *arguments)
            if value:
                return value
            time.sleep(0.05)
        raise AssertionError("never became true: " + script)

    def find(self, selector):
        return self._call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self._call("POST", f"/element/{self.find(selector)}/click", {})

    def type(self, selector, text):
        self._call("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def clear(self, selector):
        self._call("POST", f"/element/{self.find(selector)}/clear", {})

    def keys(self, *names):
        """Presses keys one after the other, wherever the focus is; "Shift+Tab" is one of them."""
        actions = []
        for name in names:
            pressed = [KEYS.get(key, key) for key in name.split("+")]
            actions += [{"type": "keyDown", "value": key} for key in pressed]
            actions += [{"type": "keyUp", "value": key} for key in reversed(pressed)]
        self._act({"type": "key", "id": "keyboard", "actions": actions})

    def point(self, selector):
        """Moves the mouse over the middle of an element."""
        place = {ELEMENT: self.find(selector)}
        self._act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
            {"type": "pointerMove", "duration": 0, "origin": place, "x": 0, "y": 0}]})

    def move(self, x, y):
        """Moves the mouse to a place in the window."""
        self._act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
            {"type": "pointerMove", "duration": 0, "origin": "viewport", "x": round(x), "y": round(y)}]})

    def point_away(self):
        """Moves the mouse to the corner of the window."""
        self.move(1, 1)

    def tap(self, selector):
        place = {ELEMENT: self.find(selector)}
        self._act({"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": [
            {"type": "pointerMove", "duration": 0, "origin": place, "x": 0, "y": 0},
            {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]})

    def _act(self, source):
        self._call("POST", "/actions", {"actions": [source]})

    def complaints(self):
        """What the page wrote to the console since it was last asked: errors, refused requests."""
        return [entry["message"] for entry in self._call("POST", "/se/log", {"type": "browser"})]

    def picture(self, path):
        """A screenshot, for people."""
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._call("GET", "/screenshot")))
