#!/usr/bin/env -S python3 -X utf8
"""The description of the API (specification.json) says what docs/server.md and the program say."""

import json
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, "tests/support")
from serving import main  # noqa: E402

NO_OPERATION = {404, 405}  # of paths and methods that are not there
UNSEEN = {499}  # only the log and the metrics show it
SPECIFICATION = json.loads(Path("src/serve/api/specification.json").read_text())
MANUAL = Path("docs/server.md").read_text()


def rows(title):
    """The cells of the table whose first column has this title."""
    table = re.search(rf"^\| {title} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", MANUAL, re.MULTILINE)[1]
    return [[cell.strip() for cell in line.strip("|\n").split("|")] for line in table.splitlines()]


def operations():
    return {(path, method.upper()): operation for path, methods in SPECIFICATION["paths"].items() for method, operation in methods.items()}


def statuses(operation):
    return {int(status) for status in operation["responses"]}


def resolve(schema):
    while "$ref" in schema:
        schema = SPECIFICATION["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


class SpecificationTest(unittest.TestCase):
    def test_statuses(self):
        documented = {int(status) for row in rows("status") for status in re.findall(r"\d{3}", row[0])}
        for (path, method), operation in operations().items():
            expected = documented - NO_OPERATION if method == "POST" else {503}
            self.assertEqual(statuses(operation), expected | {200}, path)
        given = {int(status) for status in re.findall(r"HTTP_\w+\s*=\s*(\d+)", Path("src/serve/api/response.h").read_text())}
        self.assertEqual(given, documented | UNSEEN | {200, 204})
        counted = re.search(r"statuses\[\w*\] = \{([^}]*)\}", Path("src/serve/service/metrics.c").read_text())[1]
        self.assertEqual({int(status) for status in counted.split(",")}, given)

    def test_paths_and_parameters(self):
        table = {(path.strip("`"), method): set(re.findall(r"\w+", parameters)) for path, method, parameters, _ in rows("path")}
        self.assertEqual(set(table), set(operations()))
        for key, operation in operations().items():
            schemas = [resolve(kind["schema"]) for kind in operation.get("requestBody", {"content": {}})["content"].values()]
            for schema in schemas:
                self.assertEqual(set(schema["properties"]) - {"api_key"}, table[key], key)
                self.assertLessEqual(set(schema["required"]), table[key], key)
            self.assertEqual(len(schemas), 2 if key[1] == "POST" else 0, key)

    def test_references(self):
        for name in re.findall(r'"\$ref": "#/components/([^"]+)"', json.dumps(SPECIFICATION)):
            kind, item = name.split("/")
            self.assertIn(item, SPECIFICATION["components"][kind])


if __name__ == "__main__":
    main(needs_server=False)
