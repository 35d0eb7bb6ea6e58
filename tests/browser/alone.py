#!/usr/bin/env python3
"""`regard page`: a page that translates by itself, from one file and from a folder: typing, pointing, other translations, swapping, what it
says when it cannot, in Chromium and in Firefox. With a folder as its argument it leaves screenshots there."""

import functools
import http.server
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from marionette import Firefox
from suite import equal, run_tests
from webdriver import Browser

REGARD = os.environ.get("REGARD_PROGRAM", "build/release/regard")
MODELS = ["models/en-zh.safetensors", "models/zh-en.safetensors"]
SENTENCE = "Where is the station?"


class Site:
    """The page in one file, and in a folder that a server sends."""

    def __init__(self, folder):
        self.file, self.folder = os.path.join(folder, "translator.html"), os.path.join(folder, "site")
        for where in (["-o", self.file], ["--folder", self.folder]):
            subprocess.run([REGARD, "page", *MODELS, *where], check=True, capture_output=True)
        self.asked = []
        site = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                site.asked.append(self.path)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=self.folder))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/"

    def translation(self, text, model=MODELS[0], options=()):
        return subprocess.run([REGARD, "translate", "--model", model, "--precision", "int8", *options], input=text + "\n", check=True, capture_output=True,
                              text=True, encoding="utf-8").stdout.strip()


def shown(browser):
    browser.wait("return document.querySelectorAll('#translation .word').length > 0 && !document.querySelector('.old') &&"
                 "document.getElementById('mirror').children.length > 0")
    return browser.run("return document.getElementById('translation').textContent")


def test_one_file(browser, site):
    browser.open(site.file)
    browser.type("#text", SENTENCE)
    equal(shown(browser), site.translation(SENTENCE))
    browser.point("#translation .word")
    assert browser.run("return document.querySelectorAll('#mirror .lit').length") > 0
    equal(browser.run("return document.getElementById('detected').textContent"), "detected: English")


def test_inspector(browser, site):
    """The engine answers what the server does: a source word without attention, a step, the tree."""
    browser.click("#inspect")
    browser.wait("return document.querySelector('.matrix') !== null")
    browser.click("[data-t='-1'][data-j='0']")
    browser.wait("return document.querySelector('.matrix .off') !== null && !document.querySelector('#inspector.old')")
    forbidden = browser.run("return [...document.querySelectorAll('.matrix .off')].map(one => one.dataset.j)")
    options = [word for place in forbidden for word in ("--forbid-source", place)]
    equal(browser.run("return [...document.querySelector('[data-part=text]').childNodes].filter(one => one.nodeName !== 'DEL').map(one => one.textContent).join('')"),
          site.translation(SENTENCE, options=options))
    browser.click("[data-t='1'][data-j='1']")
    browser.wait("return document.querySelectorAll('.likeliest button').length === 10")
    browser.click("[data-part=search] summary")
    browser.click(".tree .beaten rect")
    browser.wait("return document.querySelector('[data-part=node] button') !== null")
    browser.click("[data-part=close]")


def test_other_translations(browser, site):
    browser.click("#translation .word")
    browser.wait("return document.querySelectorAll('#choices button').length > 1")
    other = browser.run("return document.querySelector('#choices button').textContent")
    browser.click("#choices button")
    browser.wait("return document.getElementById('translation').textContent === arguments[0]", other)


def test_swapping(browser, site):
    text = browser.run("return document.getElementById('translation').textContent")
    browser.click("#swap")
    browser.wait("return document.getElementById('text').value === arguments[0]", text)
    browser.wait("return /[a-z]/.test(document.getElementById('translation').textContent)")
    equal(shown(browser), site.translation(text, MODELS[1]))


def test_nothing_is_sent(browser, site):
    refused = browser.run("return fetch('http://127.0.0.1:9/').then(() => 'sent', error => error.name)")
    equal(refused, "TypeError")
    assert isinstance(browser, Firefox) or "Content Security Policy" in " ".join(browser.complaints())


def test_new_text_abandons_the_old(browser, site):
    browser.run("localStorage.clear()")  # the languages that were swapped
    browser.open(site.file)
    browser.run("document.getElementById('text').value = 'The cat sleeps on the table by the window.\\n'.repeat(1).concat(...Array.from({length: 99},"
                "(_, i) => `The cat sleeps on table ${i} by the window.\\n`)); document.getElementById('text').dispatchEvent(new Event('input'))")
    browser.wait("return document.getElementById('status').textContent === 'translating…'")
    browser.run("document.getElementById('text').value = ''; document.getElementById('text').dispatchEvent(new Event('input'))")
    browser.type("#text", SENTENCE)
    equal(shown(browser), site.translation(SENTENCE))


def test_damaged_page(browser, site):
    text = Path(site.file).read_text(encoding="utf-8")
    at = text.index('id="zh-en.safetensors">')
    broken = site.file.replace("translator", "broken")
    Path(broken).write_text(text[:at + 100000] + "A" * 400 + text[at + 100400:], encoding="utf-8")
    browser.open(broken)
    browser.wait("return document.getElementById('status').textContent.startsWith('zh-en.safetensors: ')")


def test_folder(browser, site):
    for _ in range(2):
        browser.open(site.address)
        browser.type("#text", SENTENCE)
        equal(shown(browser), site.translation(SENTENCE))
    # models are fetched once and kept
    equal([sum(name in path for path in site.asked) for name in ("engine.wasm.gz", "en-zh", "zh-en")], [1, 1, 1])


WATCHED = "My brother bought a black car yesterday."
DIAGONAL = {"Mon": "My", "frère": "brother", "acheté": "bought", "voiture": "car", "noire": "black", "hier.": "yesterday."}


def test_learning(browser, site):
    """The page's own pairs: the diagonal comes, and "black car" crosses. Meanwhile the page translates. What was learned translates, too."""
    browser.open(site.file)
    browser.click("#learn summary")
    browser.click("#start")
    began = time.monotonic()
    browser.type("#text", SENTENCE)
    equal(shown(browser), site.translation(SENTENCE))
    target = browser.run("return document.getElementById('target').value")
    browser.wait("""
        const weight = cell => Number(cell.title.split(': ').pop()), source = cell => cell.title.split(' ← ')[1].split(':')[0];
        const rows = [...document.querySelectorAll('#learned-matrix tbody tr')].map(row => [...row.cells]);
        const found = Object.fromEntries(rows.map(([head, ...cells]) => [head.textContent, source(cells.reduce((a, b) => (weight(b) > weight(a) ? b : a)))]));
        return Object.entries(arguments[0]).every(([target, source]) => found[target] === source)""", DIAGONAL, seconds=600)
    told = browser.run("return document.getElementById('learning').textContent")
    print(f"the diagonal is there after {time.monotonic() - began:.0f} s: {told}")
    assert int(told.split("update ")[1].split(",")[0]) < 1500, told
    browser.click("#stop")
    browser.wait("return document.getElementById('keep').checkVisibility()", seconds=120)
    assert browser.run("return document.getElementById('learning').textContent").startswith("learned: epoch ")
    browser.click("#keep")
    saved = Path(browser.downloads) / "model.safetensors"
    while not (saved.exists() and saved.stat().st_size > 100000 and not list(saved.parent.glob("*.*part*"))):
        assert time.monotonic() - began < 900, "nothing was saved"
        time.sleep(0.1)
    browser.click("#use")
    browser.wait("return document.getElementById('target').value === 'fr'")
    browser.clear("#text")
    browser.type("#text", WATCHED)
    equal(shown(browser), site.translation(WATCHED, str(saved)))
    browser.click("#inspect")
    browser.wait("return document.querySelector('#inspector .matrix') !== null")
    browser.click("[data-part=close]")
    browser.click("#leave")
    browser.wait("return document.getElementById('target').value === arguments[0]", target)
    equal(shown(browser), site.translation(WATCHED))


def test_learning_from_what_are_no_pairs(browser, site):
    browser.run("document.getElementById('pairs').value = 'a\\tb\\nno pair'")
    browser.click("#start")
    browser.wait("return document.querySelector('#learning.wrong')?.textContent === 'line 2 has no tab between a text and its translation'")
    browser.run("document.getElementById('pairs').value = 'a\\tb\\n'.repeat(9)")
    browser.click("#start")
    browser.wait("return document.querySelector('#learning.wrong')?.textContent.startsWith('the corpus is too small')")


def pictures(site, folder):
    for width in (1280, 375):
        for dark in (False, True):
            with Browser(width, 800, dark=dark) as browser:
                browser.open(site.file)
                browser.type("#text", "Where is the station?\nI would like a cup of tea, please.")
                shown(browser)
                browser.point("#translation .word")
                browser.picture(os.path.join(folder, f"alone-{width}-{'dark' if dark else 'light'}.png"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        made = Site(scratch)
        if len(sys.argv) > 1:
            pictures(made, sys.argv[1])
        failed = run_tests(globals(), made)
        made.asked.clear()
        sys.exit(run_tests(globals(), made, Firefox) or failed)
