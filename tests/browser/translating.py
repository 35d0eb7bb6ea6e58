#!/usr/bin/env python3
"""The page of `regard serve` in a browser: typing, pointing, keys, other translations, swapping, languages, failures, a phone.
`make browser` runs it; with a folder as its argument it leaves screenshots there."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

import inspector
from suite import equal, run_tests
from webdriver import Browser

REGARD = os.environ.get("REGARD_PROGRAM", "build/release/regard")
MOST_CHARACTERS = 400
SENTENCES = "The cat is on the table.\nWhere is the station?"


class Server:
    """`regard serve` with two models that have seen little: what they say does not matter here."""

    def __init__(self, folder):
        models = []
        for source, target, columns, guide in (("en", "fr", "1,2", "none"), ("fr", "en", "2,1", "auto")):
            models += ["--model", os.path.join(folder, f"{source}-{target}.safetensors")]
            subprocess.run([REGARD, "train", "--train", "data/en-fr/everyday.tsv", "--columns", columns, "--source-language",
                            source, "--target-language", target, "--embedding", "32", "--hidden", "32", "--vocab-size", "1000",
                            "--max-epochs", "14", "--warmup", "100", "--batch-tokens", "300", "--dropout", "0.3", "--guide", guide,
                            *models[-2:]], check=True, capture_output=True)
        with open("data/en-fr/everyday.tsv", encoding="utf-8") as pairs, open(os.path.join(folder, "fr-en.everyday.tsv"), "w", encoding="utf-8") as examples:
            examples.writelines("\t".join(reversed(pair.rstrip("\n").split("\t"))) + "\n" for pair in pairs)
        self.corrections = os.path.join(folder, "corrections.tsv")
        self.process = subprocess.Popen([REGARD, "serve", "--port", "0", "--corrections", self.corrections, "--max-characters", str(10 * MOST_CHARACTERS), *models],
                                        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        # "regard serve: listening at http://127.0.0.1:43211"
        self.address = re.search(r"http://\S+", self.process.stderr.readline()).group(0)

    def ask(self, path, body):
        connection = http.client.HTTPConnection(self.address[len("http://"):], timeout=20)
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        return json.load(connection.getresponse())

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def end(self):
        self.process.terminate()
        return self.process.wait(timeout=20)


def opened(browser, server):
    browser.open(server.address + "/")
    browser.run("localStorage.clear()")
    browser.open(server.address + "/")
    browser.wait("return document.querySelectorAll('#target option').length > 0")


def shown(browser):
    return browser.run("return [...document.querySelectorAll('#translation p')].map(one => one.textContent)")


def typed(browser, text):
    """Types, and gives the paragraphs of the translation."""
    browser.type("#text", text)
    wanted = len(text.split("\n"))
    browser.wait("return document.querySelectorAll('#translation p').length === arguments[0] && !document.querySelector('.old') &&"
                 "document.getElementById('mirror').children.length > 0", wanted)
    return shown(browser)


def texts(browser, selector):
    return browser.run("return [...document.querySelectorAll(arguments[0])].map(one => one.textContent)", selector)


def value(browser, selector):
    return browser.run("return document.querySelector(arguments[0]).value", selector)


def status(browser):
    return browser.run("return document.getElementById('status').textContent")


def test_typing(browser, server):
    opened(browser, server)
    expected = server.ask("/translate", {"q": SENTENCES.split("\n"), "source": "en", "target": "fr"})["translatedText"]
    equal(typed(browser, SENTENCES), expected)
    equal(browser.run("return document.getElementById('translation').lang"), "fr")
    equal(browser.run("return performance.getEntriesByType('resource').filter(one => one.initiatorType !== 'fetch').length"), 0)
    browser.click("#clear")
    browser.wait("return document.querySelectorAll('.word').length === 0")
    equal(browser.run("return document.getElementById('copy').hidden"), True)


def test_detecting(browser, server):
    opened(browser, server)
    browser.click("#source option[value=auto]")
    typed(browser, "The children are playing in the garden with their mother.")
    equal(browser.run("return document.getElementById('detected').textContent"), "detected: English")


def test_pointing(browser, server):
    opened(browser, server)
    typed(browser, SENTENCES)
    found = server.ask("/translate", {"q": SENTENCES.split("\n")[0], "source": "en", "target": "fr", "alignment": True})["alignment"]
    target = found["links"][0][1]
    sources = [found["source"][s].strip() for s, t in found["links"] if t == target]
    browser.point(f"#translation p:first-child .word:nth-of-type({target + 1})")
    equal(texts(browser, "#mirror .lit"), sources)
    equal(len(texts(browser, "#translation .chosen")), 1)
    browser.point_away()
    equal(texts(browser, ".lit, .chosen"), [])
    source = found["links"][0][0]  # at the beginning of the text, behind which its words lie
    box = browser.run("const box = document.querySelectorAll('#mirror span')[arguments[0]].getBoundingClientRect();"
                      "return [box.x + box.width / 2, box.y + box.height / 2]", source)
    browser.move(*box)
    equal(texts(browser, "#mirror .chosen"), [found["source"][source].strip()])
    assert found["target"][target].strip() in texts(browser, "#translation .lit")


def test_mirror_lies_behind_text(browser, server):
    """Long lines break at the same places, and the field grows with the text."""
    opened(browser, server)
    typed(browser, "The cat is on the table and the dog is in the garden. " * 6)
    heights = browser.run("return ['text', 'mirror'].map(id => document.getElementById(id)).map(one => [one.clientWidth, one.clientHeight])")
    equal(heights[0], heights[1])
    equal(browser.run("const text = document.getElementById('text'); return text.scrollHeight <= text.clientHeight"), True)


def test_keys(browser, server):
    opened(browser, server)
    words = len(typed(browser, SENTENCES)[0].split())
    assert words > 1
    browser.run("document.querySelector('.word').focus()")
    equal(len(texts(browser, ".word.chosen")), 1)
    browser.keys("Right")
    equal(browser.run("return document.activeElement.place > 0 && document.activeElement.tabIndex"), 0)
    browser.keys("Enter")
    browser.wait("return document.querySelector('#choices button') === document.activeElement")
    browser.keys("Escape")
    equal(browser.run("return [document.getElementById('choices').hidden, document.activeElement.classList.contains('chosen')]"),
          [True, True])


def test_doubts(browser, server):
    opened(browser, server)
    found = server.ask("/translate", {"q": SENTENCES.split("\n"), "source": "en", "target": "fr", "alignment": True})
    typed(browser, SENTENCES)
    doubtful = [word < 0.5 for alignment in found["alignment"] for word in alignment["confidence"]]
    assert any(doubtful)
    equal(browser.run("return [...document.querySelectorAll('.word')].map(one => one.classList.contains('uncertain'))"), doubtful)
    equal(browser.run("return [...document.querySelectorAll('#translation p')].map(one => one.classList.contains('doubtful'))"),
          [text < 0.3 for text in found["confidence"]])


def test_senses(browser, server):
    opened(browser, server)
    browser.run("const source = document.getElementById('source'); source.value = 'fr'; source.dispatchEvent(new Event('change'))")
    typed(browser, "jour")
    wanted = server.ask("/translate", {"q": "jour", "source": "fr", "target": "en", "alignment": True})["senses"]
    assert "day" in [sense["word"] for sense in wanted]
    equal(texts(browser, "#senses div:first-child"), [f"{sense['word']} {int(100 * sense['share'] + 0.5)} %" for sense in wanted])
    examples = [example["source"] + example["target"] for example in (sense.get("example") for sense in wanted) if example]
    assert examples
    equal(texts(browser, "#senses mark"), [parts[i] for parts in examples for i in (1, 4)])
    equal(texts(browser, "#senses span"), ["".join(parts[i:i + 3]) for parts in examples for i in (0, 3)])
    equal(browser.run("return [...document.querySelectorAll('#senses span')].slice(0, 2).map(one => one.lang)"), ["fr", "en"])
    typed(browser, "un jour")
    browser.wait("return document.getElementById('senses').hidden")


def test_choosing(browser, server):
    opened(browser, server)
    before = typed(browser, SENTENCES)
    browser.click("#translation .word")
    browser.wait("return document.querySelectorAll('#choices button').length > 0")
    choice = texts(browser, "#choices button")[0]
    assert choice != before[0]
    browser.click("#choices button")
    browser.wait("return document.querySelector('#translation p').textContent === arguments[0]", choice)
    browser.wait("return document.querySelectorAll('#translation p:first-child .word').length > 0")
    equal(shown(browser)[1], before[1])
    browser.point("#translation .word")
    equal(len(texts(browser, "#translation .chosen")), 1)


def test_choices_differ(browser, server):
    """What the menu of a word offers has another word there."""
    opened(browser, server)
    before, offered = typed(browser, "The cat is on the table.")[0], 0
    words = browser.run("return [...document.querySelectorAll('.word')].map(one => one.begin)")
    for place, begin in enumerate(words[:4]):
        browser.click(f"#translation .word:nth-of-type({place + 1})")
        browser.wait("return document.querySelector('#choices .inside')")
        same = re.match(r".*?\w+\b", before[begin:])
        for text in texts(browser, "#choices button:not(.inside)"):
            offered += 1
            assert not same or not re.match(re.escape(before[:begin] + same.group(0)) + r"\b", text), (before, begin, text)
        browser.keys("Escape")
    assert offered >= 4


def test_inspector(browser, server):
    inspector.check(browser, server, opened, typed)


def test_correcting(browser, server):
    opened(browser, server)
    typed(browser, "A word of thanks.")
    browser.run("document.getElementById('correct').click()")
    browser.run("document.querySelector('#translation textarea').value = 'Coucou !\\nSalut'; document.getElementById('correct').click()")
    browser.wait("return document.getElementById('status').textContent.includes('as many lines')")
    browser.run("const field = document.querySelector('#translation textarea'); field.value = 'Coucou !'; document.getElementById('correct').click()")
    browser.wait("return document.getElementById('translation').innerText.trim() === 'Coucou !'")
    with open(server.corrections, encoding="utf-8") as kept:
        equal(kept.read(), "A word of thanks.\tCoucou !\ten-fr\n")


def test_link(browser, server):
    opened(browser, server)
    typed(browser, "The cat & the dog.")
    browser.wait("return location.hash.startsWith('#q=The+cat+%26+the+dog.')")
    address = browser.run("return location.href")
    browser.open("about:blank")
    browser.open(address)
    browser.wait("return document.getElementById('translation').innerText.trim() !== ''")
    equal(browser.run("return document.getElementById('text').value"), "The cat & the dog.")


def test_wrong_language(browser, server):
    opened(browser, server)
    browser.run("const from = document.getElementById('source'); from.value = 'en'; from.dispatchEvent(new Event('change'))")
    typed(browser, "Où est la gare, s'il vous plaît ?")
    browser.wait("return !document.getElementById('instead').hidden")
    browser.run("document.getElementById('instead').click()")
    browser.wait("return document.getElementById('source').value === 'fr' && document.getElementById('target').value === 'en'")
    browser.wait("return document.getElementById('instead').hidden")


def test_swapping(browser, server):
    opened(browser, server)
    translated = typed(browser, "Where is the station?")[0]
    browser.click("#swap")
    equal([value(browser, "#source"), value(browser, "#target"), value(browser, "#text")], ["fr", "en", translated])
    browser.wait("return document.getElementById('translation').lang === 'en'")
    browser.open(server.address + "/")  # the languages are remembered
    browser.wait("return document.querySelectorAll('#target option').length > 0")
    equal([value(browser, "#source"), value(browser, "#target")], ["fr", "en"])


def test_interface(browser, server):
    opened(browser, server)
    typed(browser, SENTENCES)
    for language, clear, french in (("fr", "Effacer", "français"), ("zh", "清空", "法语"), ("en", "Clear", "French")):
        browser.click(f"#interface option[value={language}]")
        equal(texts(browser, "#clear, #target option:checked"), [clear, french])
        equal(browser.run("return [document.documentElement.lang, document.querySelectorAll('[aria-label=undefined]').length]"),
              [language, 0])
    lengths = browser.run("return Object.values(MESSAGES).map(one => Object.keys(one).join())")
    equal(len(set(lengths)), 1)


def test_escaping(browser, server):
    opened(browser, server)
    typed(browser, "<img src=x onerror=hit=1> & <b>bold</b>")
    equal(browser.run("return [document.querySelectorAll('img, b').length, typeof hit]"), [0, "undefined"])
    equal(texts(browser, "#mirror"), ["<img src=x onerror=hit=1> & <b>bold</b>\n"])


def test_long(browser, server):
    """Lines go to the server in groups that are short enough for alignment; a line that is not comes without."""
    opened(browser, server)
    line = "The cat is on the table. "
    lines = [line * 12, line * 12 + "Why?", line * 20]
    browser.run("const text = document.getElementById('text'); text.value = arguments[0]; text.dispatchEvent(new Event('input'))",
                "\n".join(lines))
    browser.wait("return document.querySelectorAll('#translation p').length === 3")
    words = browser.run("return [...document.querySelectorAll('#translation p')].map(one => [one.querySelector('.word') !== null, one.textContent !== ''])")
    equal(words, [[True, True], [True, True], [False, True]])
    browser.point("#translation p:nth-child(2) .word")
    equal(len(texts(browser, ".chosen")), 1)
    equal(status(browser), f"above {MOST_CHARACTERS} characters words cannot be pointed at")


def test_failures(browser, server):
    opened(browser, server)
    browser.run("const text = document.getElementById('text'); text.value = 'a '.repeat(arguments[0]);"
                "text.dispatchEvent(new Event('input'))", 5 * MOST_CHARACTERS + 1)
    browser.wait("return document.querySelector('#status.wrong, #count.wrong')")
    browser.click("#clear")
    browser.wait("return document.getElementById('status').textContent === ''")
    server.pause()
    browser.type("#text", "Where")
    browser.wait("return document.getElementById('status').textContent === 'translating\\u2026'")
    server.go_on()
    browser.wait("return document.getElementById('status').textContent === '' && document.querySelector('.word')")
    # what the browser says of the refused request
    assert all("status of 4" in one for one in browser.complaints())


def test_phone(_, server):
    with Browser(width=390, height=844, touch=True) as browser:
        opened(browser, server)
        typed(browser, SENTENCES)
        equal(browser.run("return document.documentElement.scrollWidth"), 390)
        equal(texts(browser, "#hint"), ["Tap a word: what it came from lights up, and other translations are shown."])
        browser.tap("#translation .word")
        browser.wait("return document.querySelectorAll('#choices button').length > 0")
        equal(browser.run("return document.documentElement.scrollWidth"), 390)
        equal(browser.complaints(), [])


def test_colours(_, server):
    with Browser(dark=True) as browser:
        opened(browser, server)
        dark = "return getComputedStyle(document.body).backgroundColor"
        equal(browser.run(dark), "rgb(18, 22, 29)")
        browser.click("#theme")
        equal(browser.run(dark), "rgb(255, 255, 255)")


def test_unreachable(browser, server):
    """The last of all: the server is gone afterwards."""
    opened(browser, server)
    equal(server.end(), 0)
    browser.type("#text", "Hello")
    browser.wait("return document.getElementById('status').textContent === 'the server does not answer'")
    browser.complaints()


def take_pictures(folder, server):
    for name, options in (("translating", {}), ("translating-dark", {"dark": True}),
                          ("translating-phone", {"width": 390, "height": 844, "touch": True})):
        with Browser(**options) as browser:
            opened(browser, server)
            typed(browser, SENTENCES)
            browser.click("#translation .word:nth-of-type(2)")
            browser.wait("return document.querySelectorAll('#choices button').length > 0")
            browser.picture(os.path.join(folder, name + ".png"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder)
        try:
            for pictures in sys.argv[1:]:
                take_pictures(pictures, server)
            return run_tests(globals(), server)
        finally:
            server.process.kill()


if __name__ == "__main__":
    sys.exit(main())
