"""What the tests in a browser share: they run in the order written, in one browser, and none may leave a complaint in it."""

import subprocess

from webdriver import Browser


def equal(found, expected):
    assert found == expected, f"found {found!r}, expected {expected!r}"


def run_tests(names, subject, browser_class=Browser):
    """Calls every test_… among `names` with the browser and the subject; whether any failed."""
    tests = [value for name, value in names.items() if name.startswith("test_")]
    failures = 0
    with browser_class() as browser:
        for test in tests:
            try:
                test(browser, subject)
                equal(browser.complaints(), [])
                print("ok", test.__name__)
            except (AssertionError, RuntimeError, subprocess.SubprocessError) as failure:
                failures += 1
                print("FAILED", test.__name__, failure)
    print(f"{100 * (len(tests) - failures) // len(tests)}%: Checks: {len(tests)}, Failures: {failures}, Errors: 0")
    return failures > 0
