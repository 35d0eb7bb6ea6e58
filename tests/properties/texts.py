"""Texts drawn at random, for the properties: sentences with numbers, everyday lines, HTML, CSV."""

import csv
import io
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))

# ⟨list⟩ is 2 to 10 numbers with commas or with a word before the last, # one number.
SENTENCES = {
    "en": ("The values are ⟨list⟩.", "The numbers are ⟨list⟩.", "He wrote down ⟨list⟩.", "Pages ⟨list⟩ are missing.", "The results were ⟨list⟩.",
           "We need rooms ⟨list⟩.", "The winning numbers are ⟨list⟩!", "Can you add ⟨list⟩?", "Please read the lines ⟨list⟩ again.",
           "I have seen the numbers ⟨list⟩ on the wall.", "There are # chairs and # tables.", "On page # there are # pictures.",
           "Line # has # words and line # has # words.", "In room # there are # beds, in room # there are # beds and in room # there are # beds.",
           "She sold # apples, # pears and # plums.", "The train # has # seats.", "He was born in # and died in #.",
           "They have # cows, # sheep, # horses, # dogs and # cats."),
    "fr": ("Les valeurs sont ⟨list⟩.", "Les nombres sont ⟨list⟩.", "Il a écrit ⟨list⟩.", "Il manque les pages ⟨list⟩.",
           "Les résultats étaient ⟨list⟩.", "Il nous faut les chambres ⟨list⟩.", "Les numéros gagnants sont ⟨list⟩ !",
           "Pouvez-vous additionner ⟨list⟩ ?", "Relisez les lignes ⟨list⟩, s'il vous plaît.", "J'ai vu les nombres ⟨list⟩ sur le mur.",
           "Il y a # chaises et # tables.", "À la page #, il y a # images.", "La ligne # a # mots et la ligne # a # mots.",
           "Dans la chambre # il y a # lits, dans la chambre # il y a # lits et dans la chambre # il y a # lits.",
           "Elle a vendu # pommes, # poires et # prunes.", "Le train # a # places.", "Il est né en # et mort en #.",
           "Ils ont # vaches, # moutons, # chevaux, # chiens et # chats."),
    "zh": ("这些值是⟨list⟩。", "这些数字是⟨list⟩。", "他写下了⟨list⟩。", "缺少第⟨list⟩页。", "结果是⟨list⟩。", "我们需要⟨list⟩号房间。",
           "中奖号码是⟨list⟩！", "你能把⟨list⟩加起来吗？", "请再读一遍第⟨list⟩行。", "我在墙上看到了数字⟨list⟩。", "有#把椅子和#张桌子。",
           "在第#页上有#张图片。", "第#行有#个词，第#行有#个词。", "在#号房间有#张床，在#号房间有#张床，在#号房间有#张床。",
           "她卖了#个苹果、#个梨和#个李子。", "#次列车有#个座位。", "他生于#年，死于#年。", "他们有#头牛、#只羊、#匹马、#条狗和#只猫。"),
}
JOINTS = {"en": ((", ", " and "), (", ", ", "), (", ", " or "), ("; ", "; "), (", ", ", and ")), "fr": ((", ", " et "), (", ", ", "), (", ", " ou "), ("; ", "; ")),
          "zh": (("、", "和"), ("，", "，"), ("、", "、"), ("，", "或"))}


def number(draw):
    """As people write them: mostly small."""
    kind = draw.random()
    if kind < 0.6:
        return str(draw.randint(2, 999))
    if kind < 0.9:
        return str(draw.randint(1000, 9999))
    return f"{draw.randint(1, 99)}.{draw.randint(0, 99)}"


def sentence_of_numbers(draw, language):
    """A sentence, its 2 to 10 numbers, all different and in order, and whether they are a list."""
    form = draw.choice(SENTENCES[language])
    count = form.count("#") or draw.randint(2, 10)
    numbers = []
    while len(numbers) < count:
        new = number(draw)
        if new not in numbers:
            numbers.append(new)
    middle, last = draw.choice(JOINTS[language])
    is_list = "⟨list⟩" in form
    form = form.replace("⟨list⟩", middle.join("#" * (count - 1)) + last + "#")
    parts = form.split("#")
    return "".join(part + found for part, found in zip(parts, [*numbers, ""])), numbers, is_list


def numbers_of(text):
    """The numbers in a text, in order; 3,5 as French writes it is 3.5."""
    return [number.replace(",", ".") for number in re.findall(r"\d+(?:[.,]\d+)?", text, re.ASCII)]


def rows(name):
    with open(os.path.join(HERE, "../robustness", name), encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


LANGUAGES = ("en", "fr", "zh")
FACTS = rows("facts.tsv")
ENGLISH = [row[1] for row in rows("lines.tsv")]


def line(draw, language):
    """A line as people write it; sometimes two sentences, odd spaces, or capitals."""
    kind = draw.random()
    if kind < 0.2:
        return sentence_of_numbers(draw, language)[0]
    if language == "en" and kind < 0.6:
        return draw.choice(ENGLISH)
    text = draw.choice(FACTS)[1 + LANGUAGES.index(language)]
    if kind < 0.7:
        return text + ("" if language == "zh" else " ") + draw.choice(FACTS)[1 + LANGUAGES.index(language)]
    if kind < 0.75:
        return text.upper()
    if kind < 0.8:
        return text.replace(" ", "  ", 1) + draw.choice(("", " 😀", " https://example.org/a", "…"))
    return text


INLINE = ("a", "b", "i", "em", "strong", "span", "u", "small")
VOID = ("br", "img", "hr")


def inline_html(draw, words, joint):
    """Words, some of them in inline elements, which may have others in them."""
    out, at = [], 0
    while at < len(words):
        take = draw.randint(1, 4)
        part = words[at:at + take]
        at += take
        if draw.random() < 0.35:
            tag = draw.choice(INLINE)
            attributes = f' href="/p{draw.randint(1, 999)}"' if tag == "a" else f' class="c{draw.randint(1, 999)}"'
            inner = inline_html(draw, part, joint) if draw.random() < 0.3 and tag != "a" else joint.join(part)
            out.append(f"<{tag}{attributes}>{inner}</{tag}>" if "<a" not in inner or tag != "a" else inner)
        else:
            out.append(joint.join(part))
        if draw.random() < 0.05:
            out.append(f'<img src="{draw.randint(1, 999)}.png">')
    return joint.join(out)


def html_document(draw, language):
    joint = "" if language == "zh" else " "
    blocks = []
    for number in range(draw.randint(1, 4)):
        text = line(draw, language).replace("&", "and").replace("<", "").replace(">", "")
        words = list(text.replace(" ", "")) if language == "zh" else text.split()
        inner = inline_html(draw, words, joint)
        tag = draw.choice(("p", "h1", "li", "div", "td"))
        form = {"li": '<ul><li id="x{}">{}</li></ul>', "td": '<table><tr><td id="x{}">{}</td></tr></table>'}
        blocks.append(form.get(tag, f'<{tag} id="x{{}}">{{}}</{tag}>').format(number, inner))
    return draw.choice(("", "\n", "<hr>")).join(blocks)


CELLS = ("a", "b c", "le chat", "hello", 'he said "no"', '"', '""', "a, b", "a; b", "a\tb", "x\ny", "1,5", "'", "c'est", "你好", "été", "q:r",
         "one two three four")


def csv_table(draw):
    """Pairs, none of them empty, as one line each is read, and the file that Python writes of them."""
    rows_ = [[draw.choice(CELLS) for _ in range(2)] for _ in range(draw.randint(4, 12))]
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=draw.choice(",;\t"), lineterminator=draw.choice(("\n", "\r\n")),
               quoting=draw.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))).writerows(rows_)
    return [tuple(" ".join(cell.split()) for cell in row) for row in rows_], out.getvalue()
