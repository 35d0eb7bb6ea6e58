"""Runs the tests of a program in Python as the others are run (tests/run)."""

import sys
import unittest


def run():
    """All test cases of the program; its last line is as Check's."""
    result = unittest.main(exit=False, verbosity=0).result
    count, failures, errors = result.testsRun, len(result.failures), len(result.errors)
    print(f"{100 * (count - failures - errors) // max(count, 1)}%: Checks: {count}, Failures: {failures}, Errors: {errors}")
    sys.exit(not result.wasSuccessful())
