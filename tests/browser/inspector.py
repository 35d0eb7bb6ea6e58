"""The inspector of the page of `regard serve` (tests/browser/translating.py runs these): what if, the tree, a step taken apart."""

from suite import equal
from webdriver import Browser

SENTENCE = "The black cat is on the table."
PART = "#inspector [data-part={}]"


def texts(browser, selector):
    return browser.run("return [...document.querySelectorAll(arguments[0])].map(one => one.textContent)", selector)


def inspected(server, **more):
    return server.ask("/inspect", {"q": SENTENCE, "source": "en", "target": "fr", **more})


def translation(browser):
    """What the inspector shows, without what is crossed out."""
    return browser.run("return [...document.querySelector(arguments[0]).childNodes].filter(one => one.nodeName !== 'DEL')"
                       ".map(one => one.textContent).join('')", PART.format("text"))


def changes(browser):
    return [text.removesuffix(" ✕") for text in texts(browser, PART.format("changes") + " button")]


def wait_for_changes(browser, count):
    browser.wait("return document.querySelectorAll(arguments[0]).length === arguments[1] && !document.querySelector('#inspector.old')",
                 PART.format("changes") + " button", count)


def cell(step, source):
    return f"[data-t='{step}'][data-j='{source}']"


def look_inside(browser, server, opened, typed):
    opened(browser, server)
    typed(browser, SENTENCE)
    equal(browser.run("return document.getElementById('inspector').checkVisibility()"), False)
    browser.click("#inspect")
    browser.wait("return document.querySelector('.matrix') && !document.querySelector('#inspector.old')")


def matrix(browser, server):
    found = inspected(server)
    equal(translation(browser), found["translatedText"])
    equal(texts(browser, ".matrix thead th"), found["source"])
    equal(texts(browser, ".matrix tbody th"), found["target"])
    title = f"{found['target'][1]} ← {found['source'][2]}: {found['attention'][1][2]:.4f}"
    equal(browser.run("return document.querySelector(arguments[0]).title", cell(1, 2)), title)


def forbidding_a_source_word(browser, server):
    source = inspected(server)["source"]
    cat = next(i for i in range(len(source)) if "".join(source[i:]).startswith("▁cat▁"))
    browser.click(cell(-1, cat))
    wait_for_changes(browser, 1)
    found = inspected(server, what_if={"forbid_source": browser.run(
        "return [...document.querySelectorAll('.matrix .off')].map(one => one.dataset.j)")})
    equal(changes(browser), ["without “cat”"])
    equal(translation(browser), found["translatedText"])
    assert all(row[cat] == 0 for row in found["attention"]), found["attention"]
    before = inspected(server)["texts"]
    equal(texts(browser, "#inspector del, #inspector ins") != [], before != found["texts"])
    browser.click(cell(-1, cat))  # given back
    wait_for_changes(browser, 0)
    equal([translation(browser), texts(browser, "#inspector del")], ["".join(before), []])


def step(browser, server):
    """A cell leads to the numbers of its step, with their equations."""
    browser.click(cell(2, 1))
    browser.wait("return document.querySelector('.likeliest')")
    explained = inspected(server, step=2)["explanation"]
    levels = texts(browser, PART.format("step") + " summary")
    for equation in (f"h_j = {explained['formulas']['annotation']}", f"s = {explained['formulas']['state']}", f"q_t = {explained['formulas']['query']}",
                     f"e_tj = {explained['formulas']['energy']}", f"c_t = {explained['formulas']['context']}", "r = σ(W_ir x", "z = σ(W_iz x", "r_t = tanh("):
        assert any(equation in level for level in levels), equation
    equal(len(levels), 6 + 2 * len(explained["gates"]))
    numbers = {"Annotation": explained["annotations"][1], "State": explained["state"], "Query": explained["query"], "Context": explained["context"],
               "Readout": explained["readout"]}
    for place, level in enumerate(levels):
        browser.click(f"{PART.format('step')} details:nth-of-type({place + 1}) summary")
        shown = texts(browser, f"{PART.format('step')} details:nth-of-type({place + 1}) .numbers")
        for name, values in numbers.items():
            if level.startswith(name):
                equal([float(value) for value in shown[0].split()], [round(value, 4) for value in values])
    rows = [[float(value) for value in row.split()] for row in browser.run(
        "return [...document.querySelectorAll('.bars tbody tr')].map(row => [...row.cells].slice(1, 3).map(one => one.textContent).join(' '))")]
    head = explained["heads"][0]
    equal(rows, [[round(energy, 4), round(weight, 4)] for energy, weight in zip(head["energies"], head["weights"])])
    likeliest = browser.run("return [...document.querySelectorAll('.likeliest button')].map(one => one.firstChild.textContent)")
    equal(likeliest, [one["token"] for one in explained["likeliest"]])


def weight(browser, server):
    browser.click(cell(1, 0))
    browser.wait("return document.querySelector('.matrix .at')?.dataset.t === '1' && !document.querySelector('#inspector.old')")
    browser.run("document.querySelector('.controls input[type=range]').focus()")
    browser.keys("End")
    wait_for_changes(browser, 1)
    found = inspected(server, what_if={"attend": ["1:0=1"]})
    equal(changes(browser), [f"{found['source'][0]} gets 100 % at step 1"])
    equal([translation(browser), texts(browser, cell(1, 0))], [found["translatedText"], ["1"]])
    equal(texts(browser, ".hand"), [f"Set by hand, whatever e is: {found['source'][0]} = 1.00. The others share the rest by their e."])


def words(browser, server):
    """A word that is not said at a step, and one that is; each change is taken back alone."""
    word = inspected(server, what_if={"attend": ["1:0=1"]})
    browser.click(cell(0, -1))
    browser.wait("return document.querySelector('.matrix .at')?.dataset.t === '0' && !document.querySelector('#inspector.old')")
    browser.click(".controls button")
    wait_for_changes(browser, 3)  # two, and a button that takes back all
    said = changes(browser)[1].split("“")[1].split("”")[0]
    assert word["translatedText"].startswith(said), (word["translatedText"], said)
    asked = {"attend": ["1:0=1"], "forbid": [f"0:{said}"]}
    equal(translation(browser), inspected(server, what_if=asked)["translatedText"])
    browser.type(".controls input:not([type=range])", "Il")
    browser.keys("Enter")  # in the place of what is not said there
    browser.wait("return document.querySelector(arguments[0])?.textContent.includes('Il')", PART.format("changes"))
    browser.wait("return !document.querySelector('#inspector.old')")
    equal(translation(browser), inspected(server, what_if={"attend": ["1:0=1"], "force": ["0:Il"]})["translatedText"])
    browser.click(PART.format("changes") + " button")
    wait_for_changes(browser, 1)
    equal(changes(browser), ["“Il” at step 0"])
    browser.click(PART.format("changes") + " button")
    wait_for_changes(browser, 0)
    equal(translation(browser), inspected(server)["translatedText"])


def tree(browser, server):
    browser.click(PART.format("search") + " summary")
    nodes = inspected(server)["tree"]
    equal(browser.run("return document.querySelectorAll('.tree g').length"), len(nodes))
    scores = [f"{node['rank']}: {node['score']:.2f}" if node["rank"] else f"{node['sum']:.2f}" for node in nodes]
    equal(browser.run("return [...document.querySelectorAll('.tree g')].sort((a, b) => a.dataset.node - b.dataset.node)"
                      ".map(one => one.querySelector('.score').textContent)"), [score.replace("-", "−") for score in scores])
    equal(texts(browser, ".legend span"), ["found", "given up", "beaten"])
    beaten = next(i for i, node in enumerate(nodes) if node["beaten_by"] is not None and node["step"] == 1 and node["token"] != "</s>"
                  and not node["token"].startswith("<"))
    opacity = browser.run("return Number(getComputedStyle(document.querySelector(arguments[0])).opacity)", f"[data-node='{beaten}']")
    assert opacity < 0.5, (beaten, opacity)
    browser.click(f"[data-node='{beaten}'] rect")
    browser.wait("return document.querySelector(arguments[0])", PART.format("node") + " button")
    path, at = [], beaten
    while at is not None:
        path.insert(0, nodes[at]["token"])
        at = nodes[at]["before"]
    prefix = "".join(path).replace("▁", " ").strip()
    ended = inspected(server, prefix=prefix)["translatedText"]
    told = texts(browser, PART.format("node"))[0]
    assert f"would have ended: {ended}" in told and "beaten by" in told, told
    browser.click(PART.format("node") + " button")
    wait_for_changes(browser, 1)
    equal([changes(browser), translation(browser)], [[f"begins “{prefix}”"], ended])


def keys(browser, _):
    browser.run("document.querySelector('.matrix [data-t=\"1\"][data-j=\"0\"]').focus()")
    browser.keys("Right", "Down")
    equal(browser.run("return [document.activeElement.dataset.t, document.activeElement.dataset.j]"), ["2", "1"])
    browser.keys("Enter")
    browser.wait("return document.querySelector('.matrix .at') === document.activeElement && document.activeElement.dataset.t === '2'")
    browser.run("document.querySelector('.tree g[tabindex=\"0\"]').focus()")
    browser.keys("Right")
    equal(browser.run("return document.activeElement.closest('.tree') !== null && document.activeElement.tabIndex"), -1)
    browser.click(PART.format("close"))
    equal(browser.run("return document.getElementById('inspector').checkVisibility()"), False)


def refusals(browser, server, opened, typed):
    """What the server says against a change, which then is none."""
    look_inside(browser, server, opened, typed)
    browser.click(cell(0, -1))
    browser.wait("return document.querySelector('.controls')")
    browser.type(".controls input:not([type=range])", "supercalifragilisticexpialidocious " * 3)
    browser.keys("Enter")
    browser.wait("return document.querySelector(arguments[0]).textContent !== ''", PART.format("fault"))
    equal(changes(browser), [])
    said = browser.complaints()
    assert any("status of 400" in one for one in said), said


def from_a_word(browser, server, opened, typed):
    """The menu of a word leads to its step; a new text takes the inspector along."""
    opened(browser, server)
    typed(browser, SENTENCE)
    browser.click("#translation .word:nth-of-type(2)")
    browser.wait("return document.querySelector('#choices .inside')")
    browser.click("#choices .inside")
    browser.wait("return document.querySelector('.matrix .at')?.dataset.t > 0")
    browser.clear("#text")
    typed(browser, "Where is the dog? The dog sleeps.")
    browser.wait("return document.querySelectorAll(arguments[0]).length === 2", PART.format("sentences") + " option")
    browser.wait("return [...document.querySelectorAll('.matrix thead th')].some(one => one.textContent.endsWith('Where'))")
    browser.click(PART.format("sentences") + " option:nth-of-type(2)")
    browser.wait("return [...document.querySelectorAll('.matrix thead th')].some(one => /sleep/.test(one.textContent) || one.textContent === 's')")


def on_a_phone(server, opened, typed):
    with Browser(width=375, height=812, touch=True) as browser:
        look_inside(browser, server, opened, typed)
        browser.tap(cell(1, 0))
        browser.wait("return document.querySelector('.likeliest')")
        equal(browser.run("return document.documentElement.scrollWidth"), 375)
        equal(browser.complaints(), [])


def check(browser, server, opened, typed):
    look_inside(browser, server, opened, typed)
    for test in (matrix, forbidding_a_source_word, step, weight, words, tree, keys):
        test(browser, server)
    from_a_word(browser, server, opened, typed)
    refusals(browser, server, opened, typed)
    on_a_phone(server, opened, typed)
