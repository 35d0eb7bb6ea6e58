#!/usr/bin/env python3
"""Pages that are read: docs/attention.html, whose example can be moved, and the report of a training, whose pictures have a slider.
With a folder as its argument it leaves screenshots there."""

import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from suite import equal, run_tests

REGARD = os.environ.get("REGARD_PROGRAM", "build/release/regard")
LOG = """{"model": "m", "options": {"seed": 1}}
{"step": 50, "loss": 3, "seconds": 1, "watched": {"source": ["a", "b"], "target": ["c"], "weights": [[0.5, 0.5]]}}
{"step": 90, "loss": 2, "seconds": 1, "watched": {"source": ["a", "b"], "target": ["d"], "weights": [[0, 1]]}}
"""
MOVED = "return document.querySelectorAll('output.moved').length"


class Pages:
    def __init__(self, folder):
        self.lesson, self.report = (Path(folder, name) for name in ("attention.html", "report.html"))
        self.lesson.write_bytes(subprocess.run(["tools/lesson", "docs/attention.md"], check=True, capture_output=True).stdout)
        self.own, translator = Path(folder, "own.html"), Path(folder, "translator.html")
        subprocess.run([REGARD, "page", "models/en-fr.safetensors", "-o", str(translator)], check=True, capture_output=True)
        self.own.write_bytes(subprocess.run(["tools/lesson", "docs/attention.fr.md", str(translator)], check=True, capture_output=True).stdout)
        Path(folder, "log").write_text(LOG)
        subprocess.run([REGARD, "report", str(Path(folder, "log")), "-o", str(self.report)], check=True)


def number(browser, name):
    text = browser.run("return [...document.querySelectorAll(`#try output[data-name='${arguments[0]}']`)].at(-1).textContent", name)
    return float(text.replace("−", "-"))


def context(v, s, h):
    """Section 2's equations with section 3's matrices, by themselves."""
    q = (0.5 * s[0] + 0.2 * s[1] + 0.1, 0.3 * s[0] + 0.4 * s[1] + 0.2)
    energies = [sum(v[i] * math.tanh(q[i] + row[0] * x + row[1] * y) for i, row in enumerate(((0.1, 0.6), (0.5, 0.3)))) for x, y in h]
    whole = sum(map(math.exp, energies))
    return [sum(math.exp(e) / whole * place[i] for e, place in zip(energies, h)) for i in range(2)]


def test_own_numbers(browser, pages):
    """What the script computes at the beginning is what stands in the text."""
    browser.open(str(pages.lesson))
    assert browser.run("return document.querySelectorAll('output').length") > 100
    equal(browser.run(MOVED), 0)
    section = Path("docs/attention.md").read_text().split("## 3. ")[1].split("## 4. ")[0]
    blocks = "\n".join(line[4:] for line in section.splitlines() if line.startswith("    "))
    shown = browser.run("return [...document.querySelectorAll('pre')].map(pre => pre.textContent).join('\\n')")
    for line in blocks.splitlines():
        assert line in shown, line
    equal([number(browser, "c0"), number(browser, "c1")], [0.4523, 0.466])


def test_sliders(browser, pages):
    for name, keys in (("h10", ["Right"] * 4), ("s1", ["End"]), ("v0", ["Home"])):
        browser.run("document.querySelector(`input[data-name='${arguments[0]}']`).focus()", name)
        browser.keys(*keys)
    assert browser.run(MOVED) > 40
    expected = context((-2, 0.5), (0.6, 2), ((0.2, 0.3), (0.7, 0.8), (0.7, 0.1), (0.4, 0.6)))
    for i in range(2):
        assert abs(number(browser, f"c{i}") - expected[i]) < 6e-5
    assert abs(browser.run("return [...document.querySelectorAll('meter')].reduce((sum, meter) => sum + meter.value, 0)") - 1) < 1e-9
    if len(sys.argv) > 1:
        browser.picture(f"{sys.argv[1]}/lesson.png")


def test_reset(browser, pages):
    browser.click("#try button")
    browser.wait(MOVED + " === 0")
    equal(number(browser, "c0"), 0.4523)


def test_links(browser, pages):
    dead = browser.run("return [...document.querySelectorAll('a[href^=\"#\"]')].filter(a => !document.getElementById(a.hash.slice(1))).length")
    equal(dead, 0)


EQUATIONS = "return document.querySelector('#own .equations').textContent"


def energies(browser):
    """The rows of the table: energy, exponential and weight of each position."""
    return browser.run("return [...document.querySelectorAll('#own tr')].slice(1).map(row => [2, 3, 4].map("
                       "i => Number(row.cells[i].textContent.replace('−', '-'))))")


def test_own_sentence(browser, pages):
    """The engine in the page answers with the equations' numbers, and they are what the equations say."""
    browser.open(str(pages.own))
    browser.wait("return document.querySelectorAll('#own .words button').length > 4")
    browser.clear("#own input")
    browser.type("#own input", "I have a black car.")
    browser.keys("Enter")
    browser.wait("return document.querySelector('#own .words').textContent.startsWith('J')")
    browser.run("[...document.querySelectorAll('#own .words button')].find(one => one.textContent === 'voiture').click()")
    browser.wait("return document.querySelector('#own [aria-pressed=true]')?.textContent === 'voiture'")
    rows = energies(browser)
    most = max(rows)[0]
    for energy, share, weight in rows:
        assert abs(share - math.exp(energy - most)) < 2e-3 and abs(weight - share / sum(row[1] for row in rows)) < 1e-3, rows
    equal(browser.run("return document.querySelector('#own tr.chosen').cells[1].textContent"), "▁car")
    assert "= W_a s" not in browser.run(EQUATIONS) and f"{most:.4f}" in browser.run(EQUATIONS)
    before = browser.run(EQUATIONS)
    browser.click("#own tr:nth-child(2) button")
    assert "e_30 = " in browser.run(EQUATIONS) and browser.run(EQUATIONS) != before, browser.run(EQUATIONS)
    equal(browser.run("return document.documentElement.lang"), "fr")
    equal(browser.run("return document.querySelectorAll('#try output').length > 10"), True)
    if len(sys.argv) > 1:
        browser.picture(f"{sys.argv[1]}/own.png")


def test_film(browser, pages):
    browser.open(str(pages.report))
    shown = "return [...document.querySelectorAll('figure')].filter(one => one.offsetParent).map(one => one.firstChild.textContent).join()"
    equal(browser.run(shown), "Step 90")
    browser.run("document.querySelector('.film input').focus()")
    browser.keys("Left")
    equal(browser.run(shown), "Step 50")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(run_tests(globals(), Pages(scratch)))
