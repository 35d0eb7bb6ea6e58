#!/usr/bin/python3
"""The Python package over the library that has been built: every function, with what it refuses."""

import copy
import gc
import json
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = ["tests/support", "python"]
os.environ["REGARD_LIBRARY"] = str(Path("build/release/lib/libregard.so.0").resolve())
os.environ["REGARD_MODELS"] = str(Path("models").resolve())
import regard  # noqa: E402
import unit_tests  # noqa: E402
from serving import Server  # noqa: E402

MODEL = regard.load("en-fr")
TEXTS = ["The black cat sleeps.", "", "Where is the station?"]
PAIRS = [("the cat", "le chat"), ("the dog", "le chien"), ("a cat", "un chat")] * 20


class Translating(unittest.TestCase):
    def test_text(self):
        found = MODEL.translate(TEXTS[0])
        self.assertIsInstance(found, str)
        self.assertEqual(found, "Le chat noir dort.")
        self.assertEqual(found.source, TEXTS[0])
        self.assertIsNone(found.alignment)
        self.assertEqual(found.n_best, (found,))
        self.assertLess(found.log_probability, found.score)
        self.assertFalse(found.cut)

    def test_list(self):
        """As the program, line by line, and whatever the number of threads."""
        program = os.environ.get("REGARD_PROGRAM", "build/release/regard")
        lines = subprocess.run([program, "translate", "en-fr"], input="\n".join(TEXTS) + "\n", capture_output=True, text=True,
                               check=True).stdout.splitlines()
        for threads in (0, 1, 2):
            found = MODEL.translate(TEXTS, threads=threads)
            self.assertEqual(found, lines)
            self.assertEqual((found[1].n_best, found[1].score), ((), 0))
        self.assertEqual(MODEL.translate([]), [])
        self.assertEqual(MODEL.translate(text for text in TEXTS), lines)

    def test_copies(self):
        """A copy of a model or an aligner is the same one, which stays as long as one of them does."""
        for thing in (regard.load("en-fr"), regard.Aligner.learn(PAIRS)):
            copied = copy.copy(thing)
            del thing
            gc.collect()
            self.assertEqual(len(copied.align("the cat", "le chat").sources), 2)
        again = pickle.loads(pickle.dumps(MODEL.translate(TEXTS[0], alignment=True)))
        self.assertEqual((again, str(again.alignment)), ("Le chat noir dort.", "0-0 1-2 2-1 3-3"))

    def test_options(self):
        found = MODEL.translate(TEXTS[0], n_best=7)
        self.assertEqual(len(found.n_best), 7)
        self.assertEqual(sorted(found.n_best, key=lambda one: -one.score), list(found.n_best))
        own, given = (MODEL.translate(TEXTS[0], length_normalization=value).score for value in (-1, 2))
        self.assertEqual(own, MODEL.translate(TEXTS[0]).score)
        self.assertGreater(given, own)
        self.assertTrue(MODEL.translate(TEXTS[0], prefixes="Un").startswith("Un"))
        self.assertIn("minet", MODEL.translate(TEXTS[0], glossary={"cat": "minet"}))
        samples = MODEL.translate(TEXTS[0], samples=3, seed=5).n_best
        self.assertEqual(samples, MODEL.translate([TEXTS[0]], samples=3, seed=5)[0].n_best)
        exact = MODEL.score(TEXTS[0], found, precision="float32")
        self.assertNotEqual(exact, MODEL.score(TEXTS[0], found, precision="int8"))

    def test_senses(self):
        """As the program and the server show them."""
        program = os.environ.get("REGARD_PROGRAM", "build/release/regard")
        line = subprocess.run([program, "translate", "en-fr", "--json"], input="Time\n", capture_output=True, text=True, check=True).stdout
        shown = json.loads(line)["senses"]
        self.assertEqual((shown[0]["word"], shown[0]["example"]["target"][1].lower()), ("heure", "heure"))
        found = MODEL.translate("Time").senses
        self.assertEqual([(one.word, round(one.share, 3), one.example) for one in found],
                         [(one["word"], one["share"], tuple(map(tuple, one["example"].values()))) for one in shown])
        server = Server("--model", "models/en-fr.safetensors")
        status, _, body = server.ask("/translate", {"q": "Time", "source": "en", "target": "fr", "alignment": "true"})
        self.assertEqual((status, json.loads(body)["senses"], server.end()), (200, shown, (0, "")))
        with tempfile.TemporaryDirectory() as folder:  # without the file of examples
            model = regard.load(shutil.copy("models/en-fr.safetensors", folder))
        self.assertEqual(model.translate("Time").senses, tuple(one._replace(example=None) for one in found))
        self.assertEqual(MODEL.translate(TEXTS[0]).senses, ())

    def test_any_text(self):
        for text in ("\0", "\ud800", "a\0b", "😀", "中文 " * 50):
            self.assertIsInstance(MODEL.translate(text), str)

    def test_alignment(self):
        alignment = MODEL.translate(TEXTS[0], alignment=True).alignment
        self.assertEqual(str(alignment), "0-0 1-2 2-1 3-3")
        self.assertEqual(alignment.pairs[1], ("black", "noir"))
        self.assertEqual(alignment.tokens[1], ("Le", "chat", "noir", "dort."))
        self.assertTrue(all(abs(sum(row) - 1) < 1e-4 for row in alignment.matrix))
        self.assertEqual(alignment._repr_html_().count("<tr>"), 5)
        self.assertEqual(alignment._repr_html_().count("outline:"), 4)
        self.assertTrue(alignment._repr_svg_().startswith("<svg"))
        bare = MODEL.align("<b> &", "\"x\"", alignment=False)
        self.assertIsNone(bare.matrix)
        self.assertIsNone(bare._repr_svg_())
        self.assertIn("&lt;b&gt;", bare._repr_html_())
        with self.assertRaises(ValueError):
            bare.to_numpy()
        self.assertEqual(len(MODEL.align(["a b"] * 3, ["c"] * 3)), 3)
        self.assertEqual(len(MODEL.align("ab", "c", source_units="characters").sources), 2)
        empty = MODEL.translate("", alignment=True).alignment
        self.assertEqual((empty.links, empty.matrix, empty._repr_svg_()[:4]), ((), [], "<svg"))

    def test_numpy(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("NumPy is not there")
        matrix = MODEL.align("the black cat", "le chat").to_numpy()
        self.assertEqual((matrix.shape, matrix.dtype), ((2, 3), numpy.float32))

    def test_html(self):
        self.assertEqual(MODEL.translate_html("<p>The <b>black</b> cat sleeps.</p>"), "<p>Le chat <b>noir</b> dort.</p>")
        self.assertEqual(MODEL.translate_html(""), "")
        self.assertEqual(MODEL.translate_html("<hr>"), "<hr>")
        self.assertIn("minet", MODEL.translate_html("<p>The cat sleeps.</p>", glossary={"cat": "minet"}))

    def test_about(self):
        self.assertEqual(MODEL.languages, ("en", "fr"))
        self.assertEqual(MODEL.tokenize("Where is it?"), ["▁Where", "▁is", "▁it", "?"])
        self.assertEqual("".join(MODEL.tokenize("Où ?", target=True)), "▁Où▁?")
        self.assertLessEqual({path.stem for path in Path("models").glob("*.safetensors")}, set(regard.models()))
        self.assertEqual(regard.detect_language("Où est la gare ?"), "fr")
        self.assertEqual(regard.detect_language(["你好", "再见"]), "zh")
        self.assertIsNone(regard.detect_language(""))


class Learning(unittest.TestCase):
    def test_aligner(self):
        aligner = regard.Aligner.learn(PAIRS)
        alignment = aligner.align("the dog", "le chien")
        self.assertEqual(alignment.links, ((0, 0), (1, 1)))
        self.assertGreater(alignment.matrix[1][1], 0.9)
        self.assertIsNone(aligner.align("a", "b", alignment=False).matrix)
        self.assertEqual(aligner.align("", "").links, ())
        with tempfile.TemporaryDirectory() as folder:
            aligner.save(f"{folder}/a")
            again = regard.Aligner.open(f"{folder}/a")
            self.assertEqual(again.align("the dog", "le chien").matrix, alignment.matrix)
        self.assertEqual(len(aligner.align("我们", "the cat").sources), 2)

    def test_scores(self):
        self.assertEqual(regard.bleu(["a b c d e"], ["a b c d e"]), 100)
        self.assertEqual(regard.chrf(["abc"], [["abd"], ["abc"]]), 100)
        self.assertEqual(regard.bleu(["A B C D"], ["a b c d"]), 0)
        self.assertAlmostEqual(regard.bleu(["A B C D"], ["a b c d"], lowercase=True), 100)
        self.assertAlmostEqual(regard.bleu(["我们是学生"], ["我们是学生"], tokenize="zh"), 100)
        self.assertEqual(regard.bleu([], []), 0)


class Training(unittest.TestCase):
    SMALL = {"hidden": 16, "embedding": 16, "vocab_size": 300, "threads": 1, "max_epochs": 2, "precision": "float32"}

    @staticmethod
    def corpus(count):
        return [tuple(line.split("\t")) for line in Path("data/en-fr/train.tsv").read_text(encoding="utf-8").splitlines()[:count]]

    def test_as_program(self):
        """The same pairs and options give the model that `regard train` gives, and the progress tells of each step."""
        shown, pairs, held = [], self.corpus(200), self.corpus(220)[200:]
        with tempfile.TemporaryDirectory() as folder:
            model = regard.train(pairs, f"{folder}/own", valid=held, on_progress=shown.append, watch=pairs[0][0], **self.SMALL)
            for name, some in (("train", pairs), ("valid", held)):
                Path(folder, f"{name}.tsv").write_text("".join(f"{source}\t{target}\n" for source, target in some), encoding="utf-8")
            words = [f"--{name.replace('_', '-')}={value}" for name, value in self.SMALL.items()]
            subprocess.run([os.environ.get("REGARD_PROGRAM", "build/release/regard"), "train", "--train", f"{folder}/train.tsv", "--valid",
                            f"{folder}/valid.tsv", "--model", f"{folder}/program", *words], check=True, capture_output=True)
            self.assertEqual(os.listdir(folder).count("own.checkpoint"), 0)
            program = regard.load(f"{folder}/program")
            self.assertEqual(*[one.score(pairs[0][0], pairs[0][1], precision="float32") for one in (model, program)])
        steps, validations = [one for one in shown if one.bleu is None], [one for one in shown if one.bleu is not None]
        self.assertEqual([one.step for one in steps], list(range(1, len(steps) + 1)))
        self.assertEqual([(one.epoch, one.max_epochs) for one in validations], [(1, 2), (2, 2)])
        self.assertTrue(validations[0].best)
        self.assertGreater(steps[0].loss, validations[1].loss)
        last = validations[-1]
        if last.alignment:
            self.assertEqual(len(last.alignment.sources), len(pairs[0][0].split()))
        self.assertEqual(model.languages, ("en", "fr"))

    def test_ending(self):
        """A function that says False ends the training with a model; one that raises, and Ctrl-C, without."""
        pairs = self.corpus(100)
        model = regard.train(pairs, on_progress=lambda progress: progress.step < 3, **self.SMALL)
        self.assertIsInstance(model.translate(TEXTS[0]), str)

        def fail(progress):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            regard.train(pairs, on_progress=fail, **self.SMALL)
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        timer = threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            regard.train(self.corpus(5000), **{**self.SMALL, "max_epochs": 500})

    def test_refused(self):
        for options, message in (({"hiden": 3}, '"hiden" is not known'), ({"hidden": 0}, "whole number from 1 to"),
                                 ({"seed": None}, '"seed" must be'), ({"guide": "some"}, '"none" or'),
                                 ({"preset": "big"}, "no such value"),
                                 ({"seed": {1}}, "written as JSON")):
            with self.assertRaisesRegex(regard.ArgumentError, message):
                regard.train(PAIRS, **options)
        with self.assertRaisesRegex(regard.ArgumentError, "no pairs"):
            regard.train([("", "a")])
        with self.assertRaisesRegex(regard.FileError, "/nowhere/m"):
            regard.train(self.corpus(50), "/nowhere/m", **self.SMALL)


class Refusing(unittest.TestCase):
    def check(self, kind, message, function, *arguments, **options):
        with self.assertRaisesRegex(kind, message) as caught:
            function(*arguments, **options)
        self.assertIsInstance(caught.exception, regard.Error)

    def test_sentences(self):
        self.check(OSError, "did you mean en-fr", regard.load, "en-fe")
        self.check(OSError, "nowhere: cannot be opened", regard.load, Path("/nowhere"))
        self.check(regard.FormatError, "Makefile", regard.load, "./Makefile")
        self.check(ValueError, "NUL", regard.load, "a\0b")
        self.check(ValueError, "options.beam is 0; it must be 1 to 1000", MODEL.translate, "a", beam=0)
        for count in (-1, 1 << 64):
            self.check(ValueError, f"n_best is {count}; it must be 0 or more", MODEL.translate, "a", n_best=count)
        self.check(ValueError, "precision is 'int4'", MODEL.translate, "a", precision="int4")
        self.check(ValueError, "2 sources and 1 targets", MODEL.score, ["a", "b"], ["c"])
        self.check(ValueError, "1 texts and 2 prefixes", MODEL.translate, ["a"], prefixes=["b", "c"])
        self.check(ValueError, "as many references", regard.bleu, ["a"], ["b", "c"])
        self.check(ValueError, "tokenize is 'x'", regard.bleu, ["a"], ["b"], tokenize="x")
        self.check(OSError, "cannot be opened", regard.Aligner.open, "/nowhere")
        self.check(ValueError, "glossary", MODEL.translate, "a", glossary={"": "b"})
        with self.assertRaisesRegex(TypeError, "unknown option 'thread'; there are alignment, .*, threads"):
            MODEL.translate("a", thread=1)

    def test_types(self):
        """A text where a list is to be, and a list where a text is, are not taken for each other."""
        for message, function, *arguments in (("b'a', of the type bytes", MODEL.translate, b"a"), ("type int", MODEL.translate, 5),
                                              ("NoneType", MODEL.translate, ["a", None]),
                                              ("type list", MODEL.score, "a", ["b"]), ("one text", MODEL.score, ["a"], "b"),
                                              ("type list", regard.Aligner.learn(PAIRS).align, "a", ["b"]),
                                              ("type int", MODEL.tokenize, 3)):
            with self.assertRaisesRegex(TypeError, message):
                function(*arguments)
        for option, value in (("beam", "x"), ("n_best", 1.5), ("glossary", 5)):
            with self.assertRaisesRegex(TypeError, f"{option} is {value!r}; it must be a"):
                MODEL.translate("a", **{option: value})


class Together(unittest.TestCase):
    def test_interrupt(self):
        """Ctrl-C ends a long call, whatever its threads, and the model goes on."""
        # a shell that starts this in the background has it ignore Ctrl-C
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        for threads in (1, 2):
            timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                MODEL.translate([f"The black cat number {i} sleeps all day." for i in range(200000)], threads=threads)
            self.assertEqual(MODEL.translate(TEXTS[0]), "Le chat noir dort.")

    def test_other_threads(self):
        """The GIL is free: another thread counts while this one waits for the library."""
        counted, done = [0], threading.Event()

        def count():
            while not done.is_set():
                counted[0] += 1
                time.sleep(0.0001)

        thread = threading.Thread(target=count)
        thread.start()
        found = []
        workers = [threading.Thread(target=lambda: found.append(MODEL.translate(TEXTS * 20))) for _ in range(2)]
        before = counted[0]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        done.set()
        thread.join()
        self.assertGreater(counted[0], before + 5)
        self.assertEqual(found[0], found[1])


class Packages(unittest.TestCase):
    def test_version(self):
        version = re.search(r'VERSION "(.*)"', Path("src/base/version.h").read_text())[1]
        self.assertEqual(regard.__version__, version)
        self.assertIn(f'version = "{version}"', Path("python/pyproject.toml").read_text())

    def test_structs(self):
        """Every function that the package declares is in the header, and every one there is declared."""
        header = set(re.findall(r"\bregard_[a-z_]+(?=\()", Path("include/regard.h").read_text()))
        self.assertEqual(header - set(regard._library.SIGNATURES), {"regard_status_text"})

    def test_readme(self):
        """The example in the README says what is written there."""
        lines = re.search(r"^    import regard\n(?:    .*\n)+", Path("README.md").read_text(), re.MULTILINE)[0]
        found = subprocess.run([sys.executable, "-c", re.sub("^    ", "", lines, flags=re.MULTILINE)], capture_output=True, text=True,
                               env={**os.environ, "PYTHONPATH": "python", "PYTHONDONTWRITEBYTECODE": "1"})
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertIn(re.search(r"print\(.*# (.*)", lines)[1], found.stdout)
        self.assertIn("0-0 1-1", found.stdout)

    def test_types(self):
        if not shutil.which("mypy"):
            self.skipTest("mypy is not there")
        with tempfile.TemporaryDirectory() as cache:
            found = subprocess.run(["mypy", "--cache-dir", cache], cwd="python", capture_output=True, text=True)
        self.assertEqual(found.returncode, 0, found.stdout + found.stderr)

    def test_install(self):
        """pip installs the package without a network, alone and as a wheel that carries the library."""
        if subprocess.run([sys.executable, "-c", "import ensurepip"], capture_output=True).returncode:
            self.skipTest("python3-venv is not there")
        source = Path("python").resolve()
        library, model = os.environ["REGARD_LIBRARY"], Path("models/en-fr.safetensors").resolve()
        with tempfile.TemporaryDirectory() as folder:
            def run(*words, **environment):
                kept = {name: value for name, value in os.environ.items() if not name.startswith(("REGARD_", "PYTHON"))}
                found = subprocess.run(words, cwd=folder, env={**kept, **environment}, capture_output=True, text=True)
                self.assertEqual(found.returncode, 0, found.stdout + found.stderr)
                return found.stdout

            run(sys.executable, "-m", "venv", "here")
            say = ("here/bin/python", "-c", "import regard; print(regard.load('en-fr').translate('The black cat sleeps.'))")
            run("here/bin/pip", "install", "--no-index", str(source))
            self.assertEqual(run(*say, REGARD_LIBRARY=library, REGARD_MODELS=str(model.parent)), "Le chat noir dort.\n")
            wheels = [run(sys.executable, str(source / "build_backend.py"), f"wheel{i}", library, str(model)).strip() for i in range(2)]
            self.assertEqual(*[Path(folder, wheel).read_bytes() for wheel in wheels])
            run("here/bin/pip", "install", "--no-index", "--force-reinstall", wheels[0])
            self.assertEqual(run(*say), "Le chat noir dort.\n")
        self.assertFalse(list(source.glob("build")) + list(source.glob("*.egg-info")))


if __name__ == "__main__":
    unit_tests.run()
