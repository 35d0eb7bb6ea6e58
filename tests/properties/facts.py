#!/usr/bin/env python3
"""How many lines of tests/robustness/facts.tsv a model translates with what they must have: numbers, months, titles, currencies.

    tests/properties/facts.py MODEL SOURCE TARGET [odd|even]

SOURCE and TARGET are en, fr or zh; odd lines are for tuning, even ones for testing alone. A row of the file has the facts and the
same sentence in three languages. A fact is a number, 12+ one that stands before a word (500 chairs: not "des chaises de 500"), a time of
day such as 15:30, or a name of the table below. Each line that lacks one is printed.
"""

import os
import re
import subprocess
import sys

PROGRAM = os.environ.get("REGARD_PROGRAM", "./regard")
LANGUAGES = ("en", "fr", "zh")
MONTHS = ("january janvier", "february février", "march mars", "april avril", "may mai", "june juin", "july juillet", "august août",
          "september septembre", "october octobre", "november novembre", "december décembre")
CHINESE = "一 二 三 四 五 六 七 八 九 十 十一 十二".split()
SIGNS = {"$": "美元", "€": "欧元", "£": "英镑"}
NAMED = { # patterns of what says it in each language, whatever the case
    "mr": (r"\bmr\b|\bsir\b", r"\bm\.|\bmonsieur\b|\bmr\b", "先生"),
    "mrs": (r"\bmrs\b|\bms\b|\bmadam\b|\bmadame\b", r"\bmme\b|\bmadame\b", "太太|夫人|女士"),
    "miss": (r"\bmiss\b|\bms\b", r"\bmlle\b|\bmademoiselle\b", "小姐|女士"),
    "dr": (r"\bdr\b|\bdoctor\b", r"\bdr\b|\bdocteur\b|\bmédecin\b", "医生|大夫|博士"),
    "prof": (r"\bprof(essor)?\b|\bteacher\b", r"\bprof(esseure?)?\b", "教授|老师"),
    "euro": (r"\beuros?\b|€", r"\beuros?\b|€", "欧元|€"),
    "dollar": (r"\bdollars?\b|\$|\bbucks\b", r"\bdollars?\b|\$", r"美元|美金|\$|元"),
    "pound": (r"\bpounds?\b|£", r"\blivres?\b|£", "英镑|镑|£"),
    "yuan": (r"\byuan\b|¥", r"\byuans?\b|¥", "元|块|¥"),
    "km": (r"\bkm\b|\bkilomet(er|re)s?\b", r"\bkm\b|\bkilomètres?\b", "km|公里|千米"),
    "kg": (r"\bkg\b|\bkilo", r"\bkg\b|\bkilo", "kg|公斤|千克"),
    "hour": (r"o.clock|\b[ap]\.?m\b|:00|\bat \d", r"\bheures?\b|\d ?h\b|:00", "点|时|:00"),
}
for month, (names, han) in enumerate(zip(MONTHS, CHINESE), 1):
    english, french = names.split()
    NAMED[english] = (rf"\b{english}\b", rf"\b{french}\b", rf"(?<!\d){month} ?月|(?<!十){han}月")


def rows(half=None):
    path = os.path.join(os.path.dirname(__file__), "../robustness/facts.tsv")
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    return lines if half is None else lines[half == "even"::2]


def time_pattern(time, language):
    """What says a time of day that is written as 15:30."""
    hour, minute = (int(part) for part in time.split(":"))
    twelve, half = (hour + 11) % 12 + 1, "a" if hour < 12 else "p"
    return {"en": rf"(?<!\d){twelve}{f'[:.]{minute:02}' if minute else '(:00)?'} ?{half}\.?m\b",
            "fr": rf"(?<!\d){hour} ?(h|heures)\b{f' ?{minute:02}' if minute else ''}",
            "zh": rf"{'[上早]' if hour < 12 else '[下晚中]'}[午上]{twelve}({'点半|' if minute == 30 else ''}"
                  rf"{f'[点:]{minute:02}' if minute else '点'})"}[language]


def lacks(facts, text, language):
    """The facts that a text of that language has not."""
    missing = []
    for fact in facts.split():
        if fact in NAMED:
            found = re.search(NAMED[fact][LANGUAGES.index(language)], text, re.IGNORECASE)
        elif ":" in fact:
            found = re.search(rf"(?<!\d){fact}(?!\d)|{time_pattern(fact, language)}", text)
        else:
            number = fact.rstrip("+")
            if language == "fr":
                number = re.sub(r"^([$€£¥])(.*)", r"\2 \1", number.replace(".", ","))
            number = re.escape(number)
            if language == "zh":
                number = re.sub(r"^\\?([$€£])(.*)", lambda sign: rf"(?:{sign[0]}|{sign[2]}{SIGNS[sign[1]]})", number)
            behind = r" ?[^\W\d_]" if fact.endswith("+") else r"(?!\d)"
            found = re.search(rf"(?<!\d){number.replace('%', ' ?%')}{behind}", text)
        if not found:
            missing.append(fact)
    return missing


def translate(model, texts):
    result = subprocess.run([PROGRAM, "translate", model], input="".join(text + "\n" for text in texts), text=True, check=True,
                            stdout=subprocess.PIPE)
    return result.stdout.splitlines()


def score(model, source, target, half=None):
    """(source, translation, missing facts) of each line."""
    lines = rows(half)
    texts = [line[1 + LANGUAGES.index(source)] for line in lines]
    return [(text, said, lacks(line[0], said, target)) for line, text, said in zip(lines, texts, translate(model, texts))]


def main():
    if len(sys.argv) not in (4, 5) or not set(sys.argv[2:4]) <= set(LANGUAGES) or not set(sys.argv[4:]) <= {"odd", "even"}:
        sys.exit(__doc__)
    scored = score(*sys.argv[1:])
    for text, said, missing in scored:
        if missing:
            print(f"{' '.join(missing)}\t{text}\t{said}")
    good = sum(not missing for _, _, missing in scored)
    print(f"{good} of {len(scored)} lines have all: {100 * good / len(scored):.1f} %")


if __name__ == "__main__":
    main()
