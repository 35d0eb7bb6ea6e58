#!/usr/bin/env python3
"""The page of `regard align --format html` in a browser: pointing, tapping, keys, search, views, heads, colours, a phone, and
how long 200 pairs take to open. `make browser` runs it; with a folder as its argument it leaves screenshots there."""

import json
import os
import re
import subprocess
import sys
import tempfile

from suite import equal, run_tests
from webdriver import Browser

REGARD = os.environ.get("REGARD_PROGRAM", "build/release/regard")
PAIRS, MOST_BYTES, MOST_MILLISECONDS, TRIES = 200, 2_000_000, 1000, 5
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

# (target, source) in thousandths: the heads' mean, then each
MEAN = [[900, 50, 50], [0, 150, 850], [10, 740, 250]]
FIRST = [[1000, 0, 0], [0, 100, 900], [0, 980, 20]]
SECOND = [[800, 100, 100], [0, 200, 800], [20, 500, 480]]


def encode(matrix):
    """The rule of src/render/html.h; zeros one at a time."""
    return "".join(DIGITS[n // 64] + DIGITS[n % 64] if n else "Q" for row in matrix for n in row)


def view(source, target, *matrices):
    return {"source": source, "target": target, "weights": [encode(matrix) for matrix in matrices]}


def filler(source, target):
    return {name: view([source], [target], [[1000]], [[1000]], [[1000]]) for name in ("words", "subwords")}


def sample(heads):
    """Pairs whose numbers are known: one with heads, one in Chinese, one that tries to break out, an empty one, many more."""
    cat = view(["the", " red", " cat"], ["le", " chat", " rouge"], MEAN, FIRST, SECOND)
    subwords = view(["\u2581the", "\u2581red", "\u2581c", "at", "</s>"], ["\u2581le", "</s>"],
                  *[[[600, 100, 100, 100, 100], [0, 0, 0, 0, 1000]]] * 3)
    nasty = "</script><img src=x onerror=hit=1>"
    chinese = view(["\u6211", "\u7231", "\u732b"], ["I", " love", " cats"], *[[[1000, 0, 0], [0, 1000, 0], [0, 0, 1000]]] * 3)
    pairs = [{"words": cat, "subwords": subwords}, {"words": chinese, "subwords": chinese}, filler(nasty, "&lt;b&gt;\"'"),
             {name: view([], [], [], [], []) for name in ("words", "subwords")}]
    pairs += [filler(f"filler{i}", f"remplissage{i}") for i in range(60)]
    if heads == 1:
        for pair in pairs:
            for one in pair.values():
                del one["weights"][1:]
    return {"model": "m<i>.safetensors", "attention": "multi-head", "units": ["words", "characters"], "heads": heads,
            "pairs": pairs}


def run(*words, text=None):
    return subprocess.run([REGARD, *words], input=text, check=True, capture_output=True, text=True).stdout


class Pages:
    """Files to open, made once."""

    def __init__(self, folder):
        self.folder = folder
        with open("data/en-fr/test.tsv", encoding="utf-8") as file:
            self.text = "".join(file.readlines()[:PAIRS])
        self.real = self.train("real.html")
        with open(self.real, encoding="utf-8") as file:
            self.template = file.read()
        self.single = self.synthetic(1)
        self.heads = self.synthetic(2)
        self.compared = self.synthetic(1, ["0-0", "1-0"])

    def train(self, name, *options):
        """200 pairs of the embedded corpus by a model that has seen little."""
        model = os.path.join(self.folder, name + ".safetensors")
        run("train", "--train", "data/en-fr/everyday.tsv", "--model", model, "--embedding", "32", "--hidden", "32",
            "--vocab-size", "1000", "--max-epochs", "3", *options)
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(run("align", "--model", model, "--format", "html", "-", text=self.text))
        return path

    def data(self):
        return re.search(r'<script id="data" type="application/json">(.*?)</script>', self.template, re.S).group(1)

    def synthetic(self, heads, differ=None):
        """With `differ`, the first pair's links that only the attention, only the aligner has."""
        page = sample(heads)
        if differ:
            page["pairs"][0]["differ"] = differ
        data = json.dumps(page).replace("<", "\\u003c")
        path = os.path.join(self.folder, f"heads{heads}{'differ' if differ else ''}.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.template.replace(self.data(), data))
        return path


def token(side, place, pair=1):
    return f"#pair-{pair} .{side} .token:nth-child({place})"


def opened(browser, path):
    browser.open(path)
    browser.wait("return document.querySelector('.token') !== null")


def weights(browser, side, pair=1):
    """What stands below the words of a side, as shown."""
    return browser.run("return [...document.querySelectorAll(arguments[0])].map(one => one.dataset.weight || '')",
                       f"#pair-{pair} .{side} .token")


def told(browser, pair=1):
    return browser.run("return document.querySelector(arguments[0]).textContent", f"#pair-{pair} .told").replace("\u00a0", " ")


def focused(browser):
    return browser.run("return document.activeElement.textContent || document.activeElement.id")


def colour(browser, selector, name="backgroundColor"):
    return browser.run("return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]", selector, name)


def colours(browser, paper, *weights):
    """Those of weights, "rgb(1, 2, 3)", on light or dark paper."""
    found = browser.run("return arguments[0].map(colourOf)", weights)
    return [re.findall(r"rgb[^)]*\)", one)[paper == "dark"].replace(",", ", ") for one in found]


def lightness(colour):
    """CIE 1976 lightness of an sRGB colour (IEC 61966-2-1)."""
    shares = [int(share) / 255 for share in re.findall(r"\d+", colour)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    luminance = sum(weight * share for weight, share in zip((0.2126, 0.7152, 0.0722), linear))
    return 116 * luminance ** (1 / 3) - 16 if luminance > 0.008856 else 903.3 * luminance


def brightness(browser):
    return sum(map(int, re.findall(r"\d+", colour(browser, "body"))[:3]))


# ---- what is tested; each begins with a page of its own


def test_about(browser, pages):
    opened(browser, pages.single)
    equal(browser.run("return document.title"), "Alignments by m<i>.safetensors")
    equal(browser.run("return document.getElementById('about').textContent"),
          "m<i>.safetensors, multi-head attention, 64 pairs")
    equal(browser.run("return [...document.querySelectorAll('#views span')].map(one => one.textContent)"),
          ["words / characters", "subwords"])
    equal(browser.run("return [document.querySelectorAll('img').length, typeof hit]"), [0, "undefined"])
    equal(browser.run("return performance.getEntriesByType('resource').length"), 0)


def test_pointing(browser, pages):
    opened(browser, pages.single)
    browser.point(token("source", 3))
    equal(weights(browser, "target"), ["0.05", "0.85", "0.25"])
    equal(weights(browser, "source"), ["", "", ""])
    equal(told(browser), "cat \u2192 chat 0.85, rouge 0.25, le 0.05")
    equal(colour(browser, token("target", 2)), colours(browser, "light", 0.85)[0])
    browser.point(token("target", 3))
    equal(weights(browser, "source"), ["0.01", "0.74", "0.25"])
    equal(weights(browser, "target"), ["", "", ""])
    equal(told(browser), "rouge \u2190 red 0.74, cat 0.25, the 0.01")
    browser.point_away()
    equal(weights(browser, "source"), ["", "", ""])
    equal(told(browser), "")


def test_differences(browser, pages):
    opened(browser, pages.compared)
    legend = "return document.getElementById('differ').hidden"
    equal(browser.run(legend), False)
    equal(browser.run("return [...document.querySelectorAll('#pair-1 .token')].map(one => one.className)"),
          ["token only-attention", "token only-aligner", "token", "token only-attention only-aligner", "token", "token"])
    lines = [colour(browser, token("source", n), "borderBottomStyle") for n in (1, 2)]
    equal(lines, ["solid", "dashed"])  # not by colour alone
    assert colour(browser, token("source", 1), "borderBottomColor") != colour(browser, token("source", 2), "borderBottomColor")
    browser.point(token("target", 1))
    equal(told(browser), "le \u2190 the 0.90, red 0.05, cat 0.05; only the attention: the; only the aligner: red")
    browser.click("#pair-1 .open")
    equal(browser.run("return [...document.querySelectorAll('#pair-1 td[title]')].map(one => [one.textContent, one.title])"),
          [[".90", "only the attention"], [".05", "only the aligner"]])
    browser.run("document.querySelector('#views input[value=subwords]').click()")
    equal(browser.run("return document.querySelectorAll('.token.only-aligner, .token.only-attention').length"), 0)
    opened(browser, pages.single)
    equal(browser.run(legend), True)


LINES = """return [...document.querySelectorAll('#pair-1 .links line')].map(one => one.getAttribute('class'))"""


def test_lines(browser, pages):
    """Between the rows from the beginning, from word to word, also after the window has changed."""
    opened(browser, pages.single)
    equal(browser.run(LINES), ["both"] * 4)  # .90, .85, .74 and .25
    ends = """const box = selector => document.querySelector('#pair-1 ' + selector).getBoundingClientRect();
        const line = box('.links line'), source = box('.source .token'), target = box('.target .token');
        return [line.top - source.bottom, line.bottom - target.top].map(Math.round)"""
    equal(browser.run(ends), [0, 0])
    browser.run("document.querySelector('#views input[value=subwords]').click()")
    assert browser.run("return document.querySelectorAll('#pair-1 .links').length") == 1
    opened(browser, pages.compared)
    equal(browser.run(LINES)[-2:], ["only-attention", "only-aligner"])


def test_copied(browser, pages):
    """What is copied has the blanks between words."""
    opened(browser, pages.single)
    equal(browser.run("return document.querySelector('#pair-1 .source').textContent"), "the red cat")
    browser.run("getSelection().selectAllChildren(document.querySelector('#pair-1 .source'))")
    equal(browser.run("return getSelection().toString().trim()"), "the red cat")


def test_clicking_stays(browser, pages):
    opened(browser, pages.single)
    browser.click(token("source", 1))
    browser.point_away()
    equal(weights(browser, "target"), ["0.90", "", "0.01"])
    browser.click("h1")
    equal(weights(browser, "target"), ["", "", ""])


def test_keys(browser, pages):
    opened(browser, pages.single)
    browser.click("#search")
    names = []
    for _ in range(6):  # views, theme, then the first pair's matrix and lines; no heads
        browser.keys("Tab")
        names.append(focused(browser))
    equal(names[1:5], ["Dark", "Matrix", "the", "le"])
    browser.keys("Shift+Tab", "Shift+Tab")
    equal(focused(browser), "the")
    browser.keys("Right", "Right", "Right")
    equal(focused(browser), "cat")  # the last; there it stays
    equal(told(browser), "cat \u2192 chat 0.85, rouge 0.25, le 0.05")
    assert browser.run("return document.activeElement.matches(':focus-visible')")
    browser.keys("Down")
    equal(focused(browser), "chat")  # where its greatest weight is
    browser.keys("Left", "Up")
    equal(focused(browser), "the")
    browser.keys("End", "Home")
    equal(focused(browser), "the")
    browser.keys("Escape")
    equal(told(browser), "")
    browser.keys("Down", "Down")
    equal(focused(browser), "\u6211")  # the next pair
    browser.keys("Up")
    equal(focused(browser), "le")
    browser.keys("Tab")
    equal(focused(browser), "Matrix")  # Tab leaves a line at once
    browser.keys("Tab", "Tab", "Tab", "Tab", "Tab", "Tab")
    equal(browser.run("return document.activeElement.closest('.pair').id"), "pair-4")
    browser.keys("Shift+Tab")
    equal(browser.run("return document.activeElement.closest('.pair').id"), "pair-3")


def test_colours_are_even(browser, pages):
    opened(browser, pages.single)
    for paper, ends in (("light", ["rgb(255, 255, 255)", "rgb(28, 50, 110)"]), ("dark", ["rgb(18, 22, 29)", "rgb(250, 226, 70)"])):
        found = colours(browser, paper, *[i / 20 for i in range(21)])
        equal([found[0], found[-1]], ends)
        steps = [lightness(found[i + 1]) - lightness(found[i]) for i in range(20)]
        mean = sum(steps) / 20
        assert abs(mean) > 3.5 and all(0.7 < step / mean < 1.4 for step in steps), (paper, steps)


def test_matrix(browser, pages):
    opened(browser, pages.single)
    browser.click("#pair-1 .open")
    equal(browser.run("return document.querySelector('#pair-1 .open').getAttribute('aria-expanded')"), "true")
    equal(browser.run("return [...document.querySelectorAll('#pair-1 tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))"),
          [["le", ".90", ".05", ".05"], ["chat", "", ".15", ".85"], ["rouge", ".01", ".74", ".25"]])
    equal(colour(browser, "#pair-1 tbody tr:nth-child(2) td:nth-child(4)"), colours(browser, "light", 0.85)[0])
    browser.point("#pair-1 tbody tr:nth-child(3) td:nth-child(2)")
    equal(told(browser), "rouge \u2190 red 0.74, cat 0.25, the 0.01")
    equal(browser.run("return document.querySelector('#pair-1 th.lit').textContent"), "rouge")
    browser.click("#pair-1 .open")
    equal(browser.run("return document.querySelectorAll('table').length"), 0)
    browser.click("#pair-4 .open")  # nothing to show is shown
    equal(browser.run("return document.querySelectorAll('#pair-4 td[style]').length"), 0)


def test_search(browser, pages):
    opened(browser, pages.single)
    shown = "return [...document.querySelectorAll('.pair')].filter(one => one.checkVisibility()).map(one => one.id)"
    browser.type("#search", "CHAT")
    equal(browser.run(shown), ["pair-1"])
    equal(browser.run("return document.getElementById('count').textContent"), "1 of 64 pairs")
    browser.clear("#search")
    browser.type("#search", "\u7231")
    equal(browser.run(shown), ["pair-2"])
    browser.clear("#search")
    browser.type("#search", "nowhere")
    equal(browser.run(shown), [])
    browser.clear("#search")
    browser.type("#search", " ")
    equal(len(browser.run(shown)), 64)


def test_views(browser, pages):
    opened(browser, pages.single)
    browser.click("#pair-1 .open")
    browser.click("#views label:nth-of-type(2)")
    browser.wait("return document.querySelector('#pair-1 .token')")
    equal(browser.run("return [...document.querySelectorAll('#pair-1 .source .token')].map(one => one.textContent)"),
          ["\u2581the", "\u2581red", "\u2581c", "at", "</s>"])
    browser.point(token("target", 1))
    equal(weights(browser, "source"), ["0.60", "0.10", "0.10", "0.10", "0.10"])
    equal(browser.run("return document.querySelectorAll('#pair-1 tbody td').length"), 10)  # the table went along
    browser.keys("Tab")
    browser.click("#views label:nth-of-type(1)")
    browser.wait("return document.querySelectorAll('#pair-1 .source .token').length === 3")


def test_heads(browser, pages):
    opened(browser, pages.single)
    equal(browser.run("return document.getElementById('heads').checkVisibility()"), False)
    opened(browser, pages.heads)
    equal(browser.run("return [...document.getElementById('heads').options].map(one => one.text)"),
          ["mean of 2 heads", "head 1", "head 2"])
    for head, expected in ((2, ["0.02", "0.50", "0.48"]), (1, ["", "0.98", "0.02"]), (0, ["0.01", "0.74", "0.25"])):
        browser.click(f"#heads option:nth-child({head + 1})")
        browser.wait("return document.querySelector('#pair-1 .token')")
        browser.point(token("target", 3))
        equal(weights(browser, "source"), expected)


def test_lazily(browser, pages):
    opened(browser, pages.single)
    drawn = "return document.querySelector('#pair-64 .token') !== null"
    equal(browser.run(drawn), False)
    equal(browser.run("return document.querySelector('#pair-64 .source').textContent"), "filler59")
    browser.run("document.getElementById('pair-64').scrollIntoView()")
    browser.wait(drawn)


def test_colours(browser, pages):
    opened(browser, pages.single)
    assert brightness(browser) > 600
    browser.click("#theme")
    assert brightness(browser) < 150
    equal(browser.run("return document.getElementById('theme').getAttribute('aria-pressed')"), "true")
    browser.click("#theme")
    assert brightness(browser) > 600
    with Browser(dark=True) as other:
        opened(other, pages.single)
        assert brightness(other) < 150
        equal(other.run("return document.getElementById('theme').getAttribute('aria-pressed')"), "true")
        other.click("#theme")
        assert brightness(other) > 600


def test_phone(browser, pages):
    with Browser(390, 844, touch=True) as phone:
        for path in (pages.heads, pages.real):
            opened(phone, path)
            assert phone.run("return document.documentElement.scrollWidth <= innerWidth"), "wider than the phone"
        opened(phone, pages.single)
        phone.tap(token("source", 3))
        equal(weights(phone, "target"), ["0.05", "0.85", "0.25"])
        phone.tap(token("target", 1))
        equal(weights(phone, "source"), ["0.90", "0.05", "0.05"])
        phone.tap("h1")
        equal(weights(phone, "source"), ["", "", ""])
        small = phone.run("return [...document.querySelectorAll('.token, button')].filter(one => one.checkVisibility() && "
                          "one.getBoundingClientRect().height < 30).map(one => one.textContent)")
        equal(small, [])  # for fingers


def test_names(browser, pages):
    opened(browser, pages.heads)
    equal(browser.run("return [...document.querySelectorAll('button, input, select, a, [role]')].filter(one => "
                      "!(one.getAttribute('aria-label') || one.textContent.trim() || (one.labels && one.labels.length) || "
                      "one.matches('[role=status]'))).map(one => one.outerHTML)"), [])
    equal(browser.run("return document.documentElement.lang"), "en")


def test_real(browser, pages):
    """200 pairs: small, and open at once."""
    size = os.path.getsize(pages.real)
    assert size < MOST_BYTES, f"{size} bytes"
    times = []
    for _ in range(TRIES):
        opened(browser, pages.real)
        times.append(browser.run("return performance.getEntriesByType('navigation')[0].loadEventEnd"))
    print(f"    {PAIRS} pairs: {size} bytes, open in {min(times):.0f} to {max(times):.0f} ms")
    assert min(times) < MOST_MILLISECONDS
    equal(browser.run("return document.querySelectorAll('.pair').length"), PAIRS)
    browser.point(token("target", 1))
    total = sum(float(one or 0) for one in weights(browser, "source"))
    assert 0.9 < total < 1.1, total


def test_real_heads(browser, pages):
    """A model with heads, by the program itself."""
    opened(browser, pages.train("multi.html", "--attention", "multi-head", "--heads", "4"))
    equal(browser.run("return document.getElementById('heads').options.length"), 5)
    assert "multi-head attention with 4 heads" in browser.run("return document.getElementById('about').textContent")
    for view_number in (1, 2):
        browser.click(f"#views label:nth-of-type({view_number})")
        sums = []
        for head in range(5):
            browser.click(f"#heads option:nth-child({head + 1})")
            browser.wait("return document.querySelector('#pair-1 .token')")
            browser.point(token("target", 1))
            sums.append(sum(float(one or 0) for one in weights(browser, "source")))
        assert all(0.9 < total < 1.1 for total in sums), sums
    assert os.path.getsize(os.path.join(pages.folder, "multi.html")) < MOST_BYTES


def take_pictures(folder, pages):
    for name, browser_options, path in (("desktop", {}, pages.real), ("dark", {"dark": True}, pages.heads),
                                        ("differ", {}, pages.compared), ("differ-dark", {"dark": True}, pages.compared),
                                        ("phone", {"width": 390, "height": 844, "touch": True}, pages.heads)):
        with Browser(**browser_options) as browser:
            opened(browser, path)
            browser.click("#pair-1 .open")
            browser.click(token("target", 2))
            browser.picture(os.path.join(folder, name + ".png"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        pages = Pages(folder)
        failed = run_tests(globals(), pages)
        for pictures in sys.argv[1:]:
            take_pictures(pictures, pages)
    return failed


if __name__ == "__main__":
    sys.exit(main())
