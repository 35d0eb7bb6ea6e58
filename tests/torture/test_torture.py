#!/usr/bin/env python3
"""The torture itself: the preloaded library lets exactly the calls fail that it should, and each planted fault is found."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import types
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True
import torture  # pylint: disable=wrong-import-position

sys.path.insert(0, os.path.join(torture.TOP, "tests/support"))
import unit_tests  # pylint: disable=wrong-import-position

PROGRAM = os.path.join(torture.TOP, "build/release/regard")
LIBRARY = os.path.join(torture.TOP, "build/release/torture.so")


class Scratch(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="regard-test-torture-")

    def tearDown(self):
        shutil.rmtree(self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)


class Library(Scratch):
    """Upon `regard --version`, which writes once."""

    def version(self, kinds, how, at, words=("--version",), **more):
        return torture.run([PROGRAM, *words], self.folder, LD_PRELOAD=LIBRARY, TORTURE_KINDS=kinds, TORTURE_HOW=how,
                           TORTURE_AT=str(at), **more)

    def test_counts(self):
        count = self.path("count")
        self.assertEqual(self.version("write", "once", 0, TORTURE_COUNT=count).status, 0)
        with open(count, encoding="ascii") as file:
            self.assertEqual(file.read(), "1\n")

    def test_write_fails(self):
        done = self.version("write", "once", 1)
        self.assertEqual((done.status, done.out), (1, b""))
        self.assertIn(b"No space left on device", done.err)

    def test_later_call_is_not_reached(self):
        self.assertEqual(self.version("write", "once", 2).status, 0)

    def test_other_kind_does_not_count(self):
        self.assertEqual(self.version("sync", "once", 1).status, 0)

    def test_memory_fails(self):
        done = self.version("memory", "always", 1)
        self.assertEqual(done.status, 1)
        self.assertIn(b"out of memory", done.err)

    def test_short_writes_are_continued(self):
        done = self.version("write", "short", 1)
        self.assertEqual((done.status, done.out[:7]), (0, b"regard "))

    def test_killed_before(self):
        done = self.version("write", "kill", 1)
        self.assertEqual((done.status, done.out), (-signal.SIGKILL, b""))

    def test_killed_amid(self):
        done = self.version("write", "torn", 1)
        self.assertEqual((done.status, done.out), (-signal.SIGKILL, b"regard "))

    def test_crashed_program_is_named(self):
        done = subprocess.run(["sh", "-c", "kill -ABRT $$"], capture_output=True, check=False,
                              env={**os.environ, "LD_PRELOAD": LIBRARY, "TORTURE_AT": "1"})
        self.assertIn(b"torture: SIGABRT in", done.stderr)


class Judge(Scratch):
    """Of what was done, and the files it left, upon a quantize that makes small.safetensors."""

    def setUp(self):
        super().setUp()
        args = types.SimpleNamespace(program=PROGRAM, library=LIBRARY, from_load=False)
        self.torture = torture.Torture(args, self.folder, keep=False)
        self.case = torture.Case("quantize", "quantize model.safetensors -o small.safetensors", made=("small.safetensors",))
        self.write("small.safetensors", b"the true one")
        true = torture.content(self.path("small.safetensors"))
        self.torture.undisturbed["quantize"] = types.SimpleNamespace(
            run=torture.Run(0, b"one\ntwo\n", b"", 0), files={"small.safetensors": true}, versions={true, None})

    def judge(self, status, out=b"one\ntwo\n", err=b"", kinds="write", how="once"):
        one = torture.Try(self.case, kinds, how, 1)
        return self.torture.judge(one, torture.Run(status, out, err, 0), self.folder)

    def fault(self, text, *args, **more):
        verdict, message = self.judge(*args, **more)
        self.assertEqual(verdict, "fault")
        self.assertIn(text, message)

    def test_equal(self):
        self.assertEqual(self.judge(0)[0], "equal")

    def test_refused(self):
        self.assertEqual(self.judge(1, b"one\n", b"progress\rregard quantize: no space left\n"),
                         ("refused", "regard quantize: no space left"))

    def test_hung(self):
        self.fault("not done after 20 s", None)

    def test_crashed(self):
        self.fault("SIGSEGV in regard", -11, err=b"\ntorture: SIGSEGV in libc.so.6 regard\n", kinds="memory")

    def test_crashed_in_a_library(self):
        self.torture.judge_again = lambda one, folder: None
        crash = b"\ntorture: SIGABRT in libc.so.6 libstdc++.so.6 libdnnl.so.2 regard\n"
        self.assertEqual(self.judge(-6, err=crash, kinds="memory"), ("library", "libdnnl.so.2"))
        self.fault("SIGABRT in libdnnl.so.2", -6, err=crash, kinds="write")

    def test_other_output(self):
        self.fault("status 0, but the output differs", 0, out=b"one\n")

    def test_other_file(self):
        self.write("small.safetensors", b"another")
        self.fault("small.safetensors is broken", 0)

    def test_lost_file(self):
        os.remove(self.path("small.safetensors"))
        self.fault("small.safetensors is missing", 0)

    def test_broken_file_after_a_failure(self):
        self.write("small.safetensors", b"the true o")
        self.fault("small.safetensors is broken", 1, err=b"regard quantize: no space left\n")

    def test_broken_text_after_a_failure(self):
        self.case.made = ("translations",)
        self.write("translations", b"the true o")
        self.fault("translations is neither what was there", 1, err=b"regard evaluate: no space left\n")

    def test_silence(self):
        self.fault("no clear message", 1)

    def test_wrong_reason(self):
        self.fault("though memory was short", 1, err=b"regard quantize: the file is damaged\n", kinds="memory")

    def test_no_beginning(self):
        self.fault("no beginning of the true output", 1, b"two\n", b"regard quantize: no space left\n")

    def test_litter(self):
        self.write("small.safetensors.1234.tmp", b"")
        self.fault("left behind small.safetensors.1234.tmp", 0)


class Sample(unittest.TestCase):
    def test_spread(self):
        rng = torture.random.Random(1)
        sample = torture.spread(1000, 10, rng)
        self.assertEqual([(n - 1) // 100 for n in sample], list(range(10)))
        self.assertEqual(torture.spread(3, 10, rng), [1, 2, 3])

    def test_pages(self):
        page = '<p>Pairs</p><script id="data" type="application/json">{"pairs": [%s]}</script></html>'
        true = (page % '{"a": 1}, {"a": 2}').encode()
        self.assertTrue(torture.is_document_of_first_pairs((page % '{"a": 1}').encode(), true))
        self.assertFalse(torture.is_document_of_first_pairs((page % '{"a": 2}').encode(), true))
        self.assertFalse(torture.is_document_of_first_pairs((page % '{"a": 1').encode(), true))
        self.assertFalse(torture.is_document_of_first_pairs(b"}]}</script></html>", true))
        self.assertTrue(torture.is_document_of_first_pairs(b"<svg><g/></svg>", b"<svg><g/><g/></svg>"))
        self.assertFalse(torture.is_document_of_first_pairs(b"<svg><g/>", b"<svg><g/><g/></svg>"))


def main():
    if not os.path.exists(LIBRARY):
        sys.exit("there is no build/release/torture.so; run make programs")
    unit_tests.run()


if __name__ == "__main__":
    main()
