#!/usr/bin/env -S python3 -X utf8
"""tools/corpora: what each kind of file gives, sentences and their alignment, what is refused, and the whole with a repository made
here."""

import collections
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path[:0] = ["tests/support", "tools"]
import corpora_pairs as pairs  # noqa: E402
import corpora_readers as readers  # noqa: E402
import unit_tests  # noqa: E402


def read(kind, text, language="en"):
    return readers.READERS[kind](text.encode(), language)


class Readers(unittest.TestCase):
    def test_android(self):
        strings = read("android", r"""<resources xmlns:x="urn:x"><string name="a">Don\'t <b>stop</b> <x:g id="n">%s</x:g>\u2026</string>
            <string name="b" translatable="false">x</string><string name="c"><![CDATA[A\nB]]></string>
            <plurals name="d"><item quantity="one">day</item><item quantity="other">days</item></plurals></resources>""")
        self.assertEqual(strings, {"a": "Don't stop %s…", "c": "A\nB", ("d", "one"): "day", ("d", "other"): "days"})

    def test_trees(self):
        self.assertEqual(read("json", '{"en": {"a": {"b": ["One", 2]}, "c": "Two"}}'), {("a", "b", "0"): "One", ("c",): "Two"})
        self.assertEqual(read("resw", '<root><data name="a"><value>Open</value></data></root>'), {"a": "Open"})
        try:
            import yaml  # noqa: F401
        except ImportError:
            return
        self.assertEqual(read("yaml", "fr:\n  a: 'Non'\n  b: |\n    Une\n    phrase.\n\n    Deux.\n"),
                         {("a",): "Non", ("b",): "Une phrase.\n\nDeux.\n"})

    def test_both_languages_in_one_file(self):
        catalogue = ('msgid ""\nmsgstr "Language: fr"\n\nmsgid "A \\"word\\"\\n"\n"more"\nmsgstr "Un mot"\n\n'
                     '#, fuzzy\nmsgid "No"\nmsgstr "Oui"\n\n#~ msgid "Old"\n#~ msgstr "Vieux"\n')
        self.assertEqual(list(read("po", catalogue).values()), ['A "word"\nmore'])
        self.assertEqual(list(read("po", catalogue, "fr").values()), ["Un mot"])
        script = '# e "Hello, {i}you{/i}."\ne "Bonjour."\n\n  old "Start"\n  new "Commencer"\n'
        self.assertEqual(list(read("renpy", script).values()), ["Hello, you.", "Start"])
        self.assertEqual(list(read("renpy", script, "fr").values()), ["Bonjour.", "Commencer"])
        page = '<span data-ttu-id="1-2">Un.</span><span class="sxs-lookup"><span data-stu-id="1-2">One.</span></span>'
        self.assertEqual([*read("sxs", page).values(), *read("sxs", page, "fr").values()], ["One.", "Un."])

    def test_verses(self):
        self.assertEqual(read("verses", 'Book,Chapter,Verse,Text\nRuth,1,2,"So, they went."\n')["Ruth", "1", "2"], "So, they went.")

    def test_cldr(self):
        units = ('{"main": {"%s": {"units": {"long": {"length-meter": {%s}}, "short": {"length-meter": {"displayName": "m"}}},'
                 '"localeDisplayNames": {"territories": {"FR": "France"}}, "x": {"y": "z"}}}}')
        english = read("cldr", units % ("en", '"unitPattern-count-one": "{0} meter", "unitPattern-count-other": "{0} meters"'))
        chinese = read("cldr", units % ("zh", '"unitPattern-count-other": "{0}米"'), "zh")
        self.assertEqual(sorted(english.values()), ["1 meter", "5 meters", "France"])
        self.assertEqual({english[key]: chinese[key] for key in english}, {"1 meter": "1米", "5 meters": "5米", "France": "France"})

    def test_documents_meet_where_sections_are_alike(self):
        english = read("markdown", "---\ntitle: x\n---\n# Title\nA long\nline.\n\n- one\n- two\n\n```\ncode\n```\n## More\n\nText.\n\nRest.\n")
        french = read("markdown", "# Titre\n\nUne ligne.\n\n- un\n- deux\n\n## Plus\n\nTexte.\n", "fr")
        self.assertEqual([(english[key], french[key]) for key in english if key in french],
                         [("Title", "Titre"), ("A long line.", "Une ligne."), ("one", "un"), ("two", "deux")])
        story = read("story", "# A cat\n\n##\nIt sat.\nIt ate.\n\n##\n* License: [CC-BY]\n")
        self.assertEqual(story, {(2, 0): "A cat", (2, 1): "It sat. It ate."})

    def test_docbook(self):
        texts = read("docbook", '<refentry xmlns="http://docbook.org/ns/docbook"><refsect1><para>See &php; and <type>array</type>.'
                     "<itemizedlist><listitem><para>An item</para></listitem></itemizedlist></para>"
                     "<screen>code</screen></refsect1></refentry>")
        self.assertEqual([text for text in texts.values() if text], ["See \ue000 and array.", "An item"])

    def test_laws(self):
        english = read("taiwan", '{"英文法規名稱": "Act", "最新英文異動日期": "20200101", "法規內容": [{"條號": "Article 3", "條文內容": "First.\\r\\n1. Second."}]}')
        chinese = read("taiwan", '{"法規名稱": "法", "最新異動日期": "20190101", "法規內容": [{"條號": "第 3 條", "條文內容": "第\\r\\n一。\\r\\n一、二。"}]}', "zh")
        self.assertEqual([(english[key], chinese[key]) for key in english if key in chinese and key != readers.EDITION],
                         [("Act", "法"), ("First.", "第一。"), ("Second.", "二。")])
        self.assertGreater(english[readers.EDITION], chinese[readers.EDITION])
        law = ("<Statute><Body><Section><Label>2</Label><Text>In this Act<Footnote>x</Footnote>,</Text><Definition><Text><DefinedTerm{0}>{1}</DefinedTerm{0}>"
               " (<DefinedTerm{2}>{3}</DefinedTerm{2}>)</Text></Definition><Paragraph><Label>({4})</Label><Text>{5}</Text></Paragraph></Section></Body></Statute>")
        english = read("canada", law.format("En", "Minister", "Fr", "ministre", "a", "ships; and"))
        french = read("canada", law.format("Fr", "ministre", "En", "Minister", "a)", "les navires;"), "fr")
        found = [(english[key], french[key]) for key in english if key in french]
        self.assertIn(("Minister", "ministre"), found)
        self.assertIn(("ships", "les navires"), found)

    def test_book(self):
        chapters = read("book", "x *** START OF THIS BOOK ***\nCHAPTER I\n\n" + "It rains--again.\n\n" * 100 + "CHAPTER II\n\n" + "Sun.\n\n" * 400
                        + "*** END OF THIS BOOK ***")
        self.assertEqual([chapter[1] for chapter in chapters.values()], ["It rains—again.", "Sun."])


class Sentences(unittest.TestCase):
    def test_split(self):
        self.assertEqual(pairs.sentences("Mr. Fogg left. Why? No one knew… He said: “Go!” Then, e.g. at 3 p.m., he came."),
                         ["Mr. Fogg left.", "Why?", "No one knew…", "He said: “Go!”", "Then, e.g. at 3 p.m., he came."])
        self.assertEqual(pairs.sentences("« Où ? » demanda-t-il. « Ici. » Il vint."), ["« Où ? » demanda-t-il.", "« Ici. »", "Il vint."])
        self.assertEqual(pairs.sentences("他来了。“好吗？”她问。", True), ["他来了。", "“好吗？”", "她问。"])

    def test_alignment(self):
        short, long = "A short one.", "This sentence is a great deal longer than the others are, as it goes on and on."
        moves = pairs.align([short, long, short], [short, long[:40], long[40:], short])
        self.assertEqual([move[:4] for move in moves], [(0, 1, 0, 1), (1, 2, 1, 3), (2, 3, 3, 4)])

    def test_paragraphs(self):
        self.assertEqual(pairs.sentence_pairs("One came. Two left.", "Un vint. Deux partirent.", False),
                         [("One came.", "Un vint."), ("Two left.", "Deux partirent.")])
        self.assertEqual(pairs.sentence_pairs("One. " * 100, "Un.", False), [])

    def test_book_learns_its_dictionary(self):
        lines = [("The cat sleeps here.", "Le chat dort ici."), ("The dog eats there.", "Le chien mange ici."), ("The bird sings now.", "L'oiseau chante là.")]
        english = [lines[i % 3][0] for i in range(60)]
        french = [lines[i % 3][1] for i in range(60) if i != 30]
        found = pairs.book_pairs({0: english}, {0: french})
        self.assertGreater(sum(pair in lines for pair in found), 50)
        self.assertGreater(sum(pair in lines for pair in found) / len(found), 0.95)


class Cleaning(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(pairs.plain("It’s\u00a0<b>so</b>&nbsp;far"), "It's so far")
        self.assertEqual(pairs.plain("中 文「好」 a", True), "中文“好” a")
        self.assertEqual(pairs.without_markup("See :ref:`this <that>`, **bold** and [a link](x.md)."), "See this, bold and a link.")

    def test_faults(self):
        for english, other, chinese, wrong in (
                ("The cat sleeps.", "Le chat dort.", False, None), ("The cat sleeps.", "猫在睡觉。", True, None),
                ("Yes", "Yes", False, "equal or empty"), ("Press %s now", "Appuyez sur %s", False, "markup or code"),
                (pairs.plain("Welcome to <Name/>"), "Bienvenue", False, "markup or code"), ("word " * 50, "mot " * 50, False, "length"),
                ("1234567 ab", "1234567 ba", False, "few letters"), ("The cat sleeps.", "The cat sleeps 。", True, "script"),
                ("The cat sleeps on the mat.", "Oui.", False, "ratio of lengths"),
                ("Open the File Manager now", "Open the File Manager là", False, "not translated"),
                ("It has 350 pages.", "Il a 250 pages.", False, "numbers"), ("The book has 1,350 pages.", "Le livre a 1 350 pages.", False, None),
                ("It (once was a house of many rooms.", "C'était une maison de plusieurs pièces.", False, "cut off")):
            self.assertEqual(pairs.fault(english, other, chinese), wrong, english)

    def test_repetitions(self):
        why = collections.Counter()
        made = list(pairs.cleaned([("Yes.", "Oui."), ("yes", "oui !"), ("Yes.", "Si."), ("Yes.", "Ouais.")], False, why))
        self.assertEqual(made, [("Yes.", "Oui."), ("Yes.", "Si.")])
        self.assertEqual(why, {"kept": 2, "repeated": 2})

    def test_most_like(self):
        everyday = [f"I like my {word} very much." for word in ("dog", "house", "friend", "car")] * 9
        some = [("The appellant shall file the notice.", "a"), ("I like my friend.", "b"), ("The notice shall lapse.", "c")] * 9
        self.assertEqual({other for _, other in pairs.most_like(some, everyday, 9)}, {"b"})


TABLE = """[tiny]
licence = CC0
by = nobody
pairs = 2 -
kind = json
files = {}/(.*)\\.json
tags = en=en fr=fr
repositories = somebody/tiny@COMMIT
without = secret
most = fr=2
"""


class Whole(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        top = pathlib.Path(self.folder.name)
        home = top / "home"
        for path, text in (("en/a.json", '{"a": "The cat sleeps.", "b": "A test sentence to hold out.", "c": "It rains."}'),
                           ("fr/a.json", '{"a": "Le chat dort.", "b": "Une phrase à garder.", "c": "Il pleut."}'),
                           ("en/b.json", '{"a": "A secret word."}'), ("fr/b.json", '{"a": "Un mot caché."}')):
            (home / path).parent.mkdir(parents=True, exist_ok=True)
            (home / path).write_text(text, encoding="utf-8")
        (top / "config").write_text(f'[url "file://{home}"]\n\tinsteadOf = https://github.com/somebody/tiny\n'
                                    "[uploadpack]\n\tallowFilter = true\n\tallowAnySHA1InWant = true\n[user]\n\tname = a\n\temail = a@b\n")
        self.environment = {**os.environ, "GIT_CONFIG_GLOBAL": str(top / "config"), "GIT_CONFIG_NOSYSTEM": "1"}
        for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "x"]):
            subprocess.run(["git", "-C", home, *command], check=True, env=self.environment)
        commit = subprocess.run(["git", "-C", home, "rev-parse", "HEAD"], check=True, env=self.environment, capture_output=True, text=True).stdout
        (top / "table.ini").write_text(TABLE.replace("COMMIT", commit.strip()))
        self.top = top

    def corpora(self, *arguments):
        return subprocess.run(["tools/corpora", "--table", self.top / "table.ini", "-o", self.top / "out", *arguments],
                              env=self.environment, capture_output=True, text=True, check=False)

    def test_from_a_repository_to_the_mix(self):
        self.assertIn("tiny", self.corpora().stdout)
        for _ in range(2): # the second time nothing need be fetched
            done = self.corpora("all")
            self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.top / "out/tiny.en-fr.tsv").read_text(encoding="utf-8")
        self.assertEqual(text, "The cat sleeps.\tLe chat dort.\nA test sentence to hold out.\tUne phrase à garder.\nIt rains.\tIl pleut.\n")
        (self.top / "test.tsv").write_text("a test sentence to hold out\tx\n")
        done = self.corpora("--without", str(self.top / "test.tsv"), "all", "mix")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("hold out", (self.top / "out/mix.en-fr.tsv").read_text(encoding="utf-8"))
        wrong = self.corpora("unknown")
        self.assertEqual((wrong.returncode, "there is no source unknown" in wrong.stderr), (1, True))

    def test_shipped_table(self):
        listed = subprocess.run(["tools/corpora"], capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertGreater(len(listed), 30)


if __name__ == "__main__":
    unit_tests.run()
