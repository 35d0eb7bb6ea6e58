#!/usr/bin/env python3
"""tools/augment on the corpus in data/ and on a few pairs of its own: what kinds of pairs come out, and that none is damaged."""

import collections
import os
import re
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PLACEHOLDERS = "\ue000\ue001\ue002\ue003"
TITLED = "Tom John Jim Bob Jack Mike Daniel Paul Peter Pierre Marc David Kevin Mary Sophie Alice Emma Anna Julie Claire Laura Lucy".split()
TITLED += "Ahmed Sarah Marie Helen Hannah Yuki Camille Louise".split()
checks = 0


def check(what, right):
    global checks
    checks += 1
    if not right:
        raise SystemExit(f"test_augment: {what}")


def augment(pairs, *seed):
    done = subprocess.run([os.path.join(TOP, "tools/augment"), *seed], input=pairs.encode(), stdout=subprocess.PIPE, check=True)
    return done.stdout.decode()


def rows(text):
    return [tuple(line.split("\t")) for line in text.splitlines()]


def corpus(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def marks(text):
    return sorted(character for character in text if character in PLACEHOLDERS)


def is_titled(source, sources):
    """Whether a text is that of a pair but for a title or a surname."""
    for match in re.finditer(r"\b(?=((Mr\.|Ms\.|Mrs\.|Miss|[A-Z]\w+) [A-Z]\w+))", source):
        for name in [match[2], *TITLED]:
            if source[:match.start()] + name + source[match.end(1):] in sources:
                return True
    return False


def kind_of(source, target, sources):
    """What has been done to a pair; the sources of the corpus tell a joined pair."""
    if marks(source) or marks(target):
        return "placeholders"
    if source == target:
        return "copied"
    if source in sources:
        return "same"
    if any(source.startswith(known + " ") for known in sources & {source[:end + 1] for end in range(len(source))}):
        return "joined"
    if re.search("[’“]", source):
        return "quotes"
    if is_titled(source, sources):
        return "titled"
    if not re.search("[.!?]$", source):
        return "small letters" if source.lower() == source else "no full stop"
    return "other"


def check_usage():
    wrong = subprocess.run([os.path.join(TOP, "tools/augment")], input=b"a\tb\nno target\n", capture_output=True)
    check("a line without a target", wrong.returncode == 1 and wrong.stderr.startswith(b"tools/augment: line 2 has no tabulator"))
    check("a wrong seed", subprocess.run([os.path.join(TOP, "tools/augment"), "x"], capture_output=True).returncode == 1)
    check("help", b"SEED" in subprocess.run([os.path.join(TOP, "tools/augment"), "-h"], capture_output=True, check=True).stdout)


def check_french():
    pairs = corpus("data/en-fr/train.tsv")
    made = augment(pairs)
    check("the same twice", made == augment(pairs, "1"))
    check("another seed", made != augment(pairs, "2"))
    sources = {source for source, _ in rows(pairs)}
    kinds = collections.Counter(kind_of(source, target, sources) for source, target in rows(made))
    check("placeholders, more with names", 0.08 < kinds["placeholders"] / len(sources) < 0.3)
    expected = {"small letters": 0.05, "no full stop": 0.03, "joined": 0.03, "copied": 0.01}
    for kind, share in expected.items():
        check(f"{kinds[kind]} of {kind}", 0.75 * share < kinds[kind] / len(sources) < 1.25 * share)
    check("no pair stays as it is", kinds["same"] == 0 and kinds["other"] == 0)


def check_placeholders():
    pairs = "I know Tom and Mary in Boston.\tJe connais Tom et Mary à Boston.\n" * 400
    made = [row for row in rows(augment(pairs)) if marks("".join(row))]
    check("as many in both sides", all(marks(source) == marks(target) for source, target in made))
    named = [row for row in made if row[0].startswith("I know \ue000 and \ue001 in \ue002.")]
    check("names in the order of the source",
          named and all(target == "Je connais \ue000 et \ue001 à \ue002." for _, target in named))
    chinese = rows(augment("Tom came at 12.\t汤姆12点来的。\n" * 400))
    check("names in Chinese, and numbers", ("\ue000 came at \ue001.", "\ue000\ue001点来的。") in chinese)
    check("names of other forms", ("\ue000 came.", "\ue000 est venu.") in rows(augment("London came.\tLondres est venu.\n" * 400)))
    renamed = {row for row in chinese if re.fullmatch(r"[\w' -]+ came at 12\.", row[0]) and row[0] != "Tom came at 12."}
    check("other names in both languages", len(renamed) > 20 and all(target != "汤姆12点来的。" for _, target in renamed))
    check("the same into English", any(source.endswith("来了。") and target.endswith(" came.") and target != "Tom came."
                                       for source, target in rows(augment("湯姆来了。\tTom came.\n" * 40))))
    signs = rows(augment("It costs $3.50, or 5% of 1,200.\tCela coûte 3,50 $, soit 5 % de 1 200.\n" * 400))
    check("numbers as each language writes them",
          ("It costs \ue000, or \ue001 of \ue002.", "Cela coûte \ue000, soit \ue001 de \ue002.") in signs)
    called = {*rows(augment("Tom lost his key.\tTom a perdu sa clé.\n" * 400 + "玛丽不在。\tMary is not here.\n" * 400))}
    for wanted in (r"Mr\. (\w+) lost his key\.\tM\. \1 a perdu sa clé\.", r"Tom (\w+) lost his key\.\tTom \1 a perdu sa clé\.",
                   r"[\u4e00-\u9fff]+女士不在。\tMs\. \w+ is not here\.", r"玛丽·[\u4e00-\u9fff]+不在。\tMary \w+ is not here\.",
                   "\ue000(女士|太太|小姐)不在。\tM(s\\.|rs\\.|iss) \ue000 is not here\\."):
        check(wanted, any(re.fullmatch(wanted, "\t".join(row)) for row in called))
    check("no title of whom is addressed", all("Mr." not in source for source, _ in rows(augment("Tom, come!\t汤姆，来！\n" * 400))))
    typed = rows(augment("I don't know.\tJe ne sais pas.\n" * 400))
    check("small letters without apostrophes, and with", {("i dont know", "je ne sais pas"), ("i don't know", "je ne sais pas")} <= {*typed})
    check("capitals without accents", ("Eté à Evreux.", "Summer in Évreux.") in rows(augment("Été à Évreux.\tSummer in Évreux.\n" * 40)))
    parts = rows(augment("Room 12 in 2012, 6th.\t2012年的12号。\n" * 400))
    check("whole numbers", any(row[0].startswith("Room \ue000 in \ue001, 6th.") and row[1] == "\ue001年的\ue000号。" for row in parts))


def check_chinese():
    made = rows(augment("".join(f"{target}\t{source}\n" for source, target in rows(corpus("data/en-zh/train.tsv")))))
    check("Chinese sentences joined without a space",
          any(re.search("[。！？].*[。！？]", source) and " " not in source for source, _ in made))


check_usage()
check_french()
check_placeholders()
check_chinese()
print(f"100%: Checks: {checks}, Failures: 0, Errors: 0")
