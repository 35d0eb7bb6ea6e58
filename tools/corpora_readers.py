"""Readers of the kinds of files that tools/corpora takes text from. Each gives the texts of one language under keys, such that
a text and its translation have the same key. Files of several languages are read once for each."""

import csv
import importlib
import itertools
import json
import re
import sys
from xml.etree import ElementTree

EDITION = "edition" # where the English value of this key is less than the other, the texts differ


def module(name, package):
    """A module of Python that its standard library lacks."""
    try:
        return importlib.import_module(name)
    except ImportError:
        sys.exit(f"tools/corpora: Python's module {name} is not installed; on Debian: apt install {package}")


def decoded(data):
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace").replace("\r\n", "\n")


def leaves(node, path=()):
    """The strings in a tree of dictionaries and lists, under the keys that lead there."""
    if isinstance(node, str):
        yield path, node
    for key, child in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield from leaves(child, (*path, str(key)))


def without_root(node):
    """What is below keys that stand alone at the top, which name the language."""
    while isinstance(node, dict) and len(node) == 1:
        node = next(iter(node.values()))
    return node


def json_strings(data, language):
    return dict(leaves(without_root(json.loads(decoded(data)))))


def yaml_strings(data, language):
    """YAML, as programs in Ruby have it. A single line break is no more than a space."""
    yaml = module("yaml", "python3-yaml")
    tree = yaml.load(decoded(data), Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    return {path: re.sub(r"(?<!\n)\n(?!\n|$)", " ", text) for path, text in leaves(without_root(tree))}


def android_text(element):
    text = " ".join("".join(element.itertext()).split())
    text = re.sub(r"(?<!\\)\"", "", text)
    escapes = {"n": "\n", "t": " "}
    return re.sub(r"\\(?:u([0-9a-fA-F]{4})|(.))",
                  lambda found: chr(int(found[1], 16)) if found[1] else escapes.get(found[2], found[2]), text)


def android_strings(data, language):
    """Android's strings.xml."""
    strings = {}
    for element in ElementTree.fromstring(data):
        name = element.get("name")
        if element.get("translatable") == "false":
            continue
        if element.tag == "string":
            strings[name] = android_text(element)
        elif element.tag in ("plurals", "string-array"):
            for number, item in enumerate(element.findall("item")):
                strings[name, item.get("quantity", number)] = android_text(item)
    return strings


def resw_strings(data, language):
    """The resources of Windows programs."""
    return {element.get("name"): element.findtext("value") or "" for element in ElementTree.fromstring(data).iter("data")}


def po_strings(data, language):
    """gettext's .po: both languages in one file."""
    strings = {}
    for number, entry in enumerate(re.split(r"\n\s*\n", decoded(data))):
        if "#~" in entry or re.search(r"^#,.*\bfuzzy\b", entry, re.MULTILINE):
            continue
        found = re.search(rf'^{"msgid" if language == "en" else "msgstr"} ((?:".*"\s*)+)', entry, re.MULTILINE)
        if found and number > 0:
            strings[number] = re.sub(r"\\(.)", lambda escape: {"n": "\n", "t": " "}.get(escape[1], escape[1]),
                                     "".join(re.findall(r'^"(.*)"', found[1], re.MULTILINE)))
    return strings


def renpy_strings(data, language):
    """Ren'Py's translations: both languages in one file, `old "…"` and `new "…"`, or a comment and a line that speaks."""
    said = re.compile(r'^\s*(?P<old>#\s|old\s)?\s*(?:new\s+)?(?:[\w.]+\s+)*"((?:[^"\\]|\\.)*)"', re.MULTILINE)
    strings, english = {}, ""
    for found in said.finditer(decoded(data)):
        text = re.sub(r"\\(.)", r"\1", re.sub(r"\{[^}]*\}", "", found[2].replace("\\n", "\n")))
        if found["old"]:
            english = text
        elif english:
            strings[len(strings)] = english if language == "en" else text
            english = ""
    return strings


def side_by_side(data, language):
    """Microsoft's `sxs` pages: each sentence is followed by its original, with the same identifier."""
    span = re.compile(r'<span data-ttu-id="([^"]+)">(.*?)</span><span class="sxs-lookup"><span data-stu-id="\1">(.*?)</span></span>',
                      re.DOTALL)
    return {number: found[3 if language == "en" else 2] for number, found in enumerate(span.finditer(decoded(data)))}


def spreadsheet(data, language):
    """The third column of Excel's rows is English, the fourth Chinese: so has it the one spreadsheet there is. Its X and Y stand for
    names that were left out."""
    sheet = module("xlrd", "python3-xlrd").open_workbook(file_contents=data).sheet_by_index(0)
    rows = {row: str(sheet.cell_value(row, 2 if language == "en" else 3)) for row in range(sheet.nrows)}
    return {row: text for row, text in rows.items() if not re.search("[XY]", text)}


def verses(data, language):
    """Lines of book, chapter, verse and text."""
    return {tuple(row[:3]): row[3] for row in csv.reader(decoded(data).splitlines()) if len(row) == 4}


CLDR_PATH = re.compile("(territories|languages|scripts|timeZoneNames|fields)/|displayName|annotations.*/tts/|"
                       "(months|days|dayPeriods|quarters)/.*/wide/")


def cldr_strings(data, language):
    """Names, and units with a number, from Unicode's CLDR as JSON."""
    strings = {}
    for path, text in leaves(json.loads(decoded(data))):
        joined = "/".join(path[2:] if path[0] == "main" else path)
        unit, _, count = joined.partition("/unitPattern-count-")
        if count and "/long/" in unit:
            for plural, number in (("one", "1"), ("other", "5")):
                if count == plural or count == "other" and f"{unit}/{plural}" not in strings:
                    strings[f"{unit}/{plural}"] = text.replace("{0}", number)
        elif CLDR_PATH.search(joined) and ("/units/" not in "/" + joined or "/long/" in joined):
            strings[joined] = text
    return strings


def keyed_by_section(blocks):
    """Gives blocks of a document keys, so that those of two documents meet where a section has the same kinds of blocks in both."""
    sections = [[]]
    for kind, text in blocks:
        if kind.startswith("#") and sections[-1]:
            sections.append([])
        sections[-1].append((kind, text))
    texts = {}
    for number, section in enumerate(sections):
        shape = " ".join(kind for kind, _ in section)
        texts.update({(len(sections), number, shape, place): text for place, (_, text) in enumerate(section)})
    return texts


MARKDOWN_SKIPPED = re.compile(r"\A---\n.*?\n---\n|```.*?```|~~~.*?~~~|<!--.*?-->|\{\{[<%].*?[%>]\}\}|"
                              r"<(script|style|svg|Sandpack|pre)\b.*?</\1>", re.DOTALL)
MARKDOWN_LINE = re.compile(r"\s*(#{1,6}(?=\s|$)|[-*+](?=\s)|\d+[.)](?=\s)|>|\|)?\s*(.*)")


def markdown(data, language):
    blocks = []
    for paragraph in re.split(r"\n\s*\n", MARKDOWN_SKIPPED.sub("\n\n", decoded(data))):
        begins = True
        for line in paragraph.split("\n"):
            kind, text = MARKDOWN_LINE.match(line).groups()
            if not kind and not text:
                continue
            if kind or begins:
                blocks.append((re.sub(r"\d+", "1", kind or "text"), text))
            else:
                blocks[-1] = blocks[-1][0], blocks[-1][1] + " " + text
            begins = bool(kind) and kind.startswith("#") # the paragraph below a heading
    return keyed_by_section(blocks)


def story(data, language):
    """Pages that begin with an empty heading, as African Storybook has them. The last is about the story."""
    pages = re.split("^##?", decoded(data), flags=re.MULTILINE)[1:-1]
    return {(len(pages), number): " ".join(page.split()) for number, page in enumerate(pages)}


DOCBOOK_TEXTS = {"para", "simpara", "title", "refpurpose", "entry", "member", "term"}
DOCBOOK_SKIPPED = {"programlisting", "screen", "methodsynopsis", "synopsis", "classsynopsis"}


def docbook(data, language):
    """DocBook. What an entity stands for is not known: texts with one get a mark that is refused later."""
    text = re.sub(r"&(?!lt;|gt;|amp;|quot;|apos;|#)[\w.-]+;", "\ue000", decoded(data))
    blocks = []

    def collect(element):
        """The running text of an element; blocks inside are told apart."""
        inside, tag = element.text or "", element.tag.split("}")[-1]
        place = len(blocks)
        if re.match("refsect|sect|chapter", tag):
            blocks.append(("#" + tag, ""))
        for child in element:
            below = "" if child.tag.split("}")[-1] in DOCBOOK_SKIPPED else collect(child)
            inside += below + (child.tail or "")
        if tag in DOCBOOK_TEXTS:
            blocks.insert(place, (tag, inside))
            return ""
        return inside

    collect(ElementTree.fromstring(text))
    return keyed_by_section(blocks)


def article_lines(text, english):
    """The paragraphs of an article. Chinese is broken at a fixed width: what does not end in a stop goes on."""
    lines = re.sub(r"[ \u3000]*\n[ \u3000]*", "\n", text.replace("\r", "")).strip()
    return lines.split("\n") if english else [line.replace("\n", "").replace(" ", "") for line in re.split(r"(?<=[。；：:])\n", lines)]


ITEM_NUMBER = re.compile(r"^(?:\(?\d{1,2}[.)、]|[（(][一二三四五六七八九十\d]+[)）]|[一二三四五六七八九十]+、|[A-Z][.)])\s*")


def taiwan_law(data, language):
    """A law of Taiwan as JSON: its paragraphs by the number of their article, where an article has as many in both languages."""
    law = json.loads(decoded(data))
    english = language == "en"
    texts = {"name": law.get("英文法規名稱" if english else "法規名稱", "")}
    texts[EDITION] = law.get("最新英文異動日期" if english else "最新異動日期", "")
    for article in law["法規內容"]:
        number = re.search(r"\d+(?:\s*[-–]\s*\d+)?", article.get("條號") or "")
        if number:
            lines = article_lines(article["條文內容"], english)
            key = re.sub(r"\s", "", number[0])
            texts.update({(key, len(lines), place): ITEM_NUMBER.sub("", line) for place, line in enumerate(lines)})
    return texts


CANADA_LEVELS = {"Section", "Subsection", "Paragraph", "Subparagraph", "Clause", "Subclause", "Subsubclause"}
CANADA_FOLDERS = {"Body", "Provision", "ContinuedSectionSubsection", "ContinuedParagraph", "ContinuedSubparagraph",
                  "ContinuedDefinition"} # not lists, which may be in alphabetical order
CANADA_ENDS = re.compile(r"^(?:either|or|soit encore|soit|d'une part,?|d'autre part,?)\s+|\s*\([^()]{2,60}\)$|[;,]\s*(?:and|or|et|ou)?$")


def canada_text(element):
    for note in list(element.iter("Footnote")):
        note.clear()
    text = " ".join("".join(element.itertext()).split())
    return CANADA_ENDS.sub("", CANADA_ENDS.sub("", text))


def canada_law(data, language):
    """An act or regulation of Canada as XML: its texts by the labels of sections and paragraphs, definitions by their terms."""
    texts = {}

    def definition(element, path):
        terms = [element.find(f".//DefinedTerm{name}") for name in ("En", "Fr")]
        if any(term is None for term in terms):
            return
        english, french = (" ".join("".join(term.itertext()).split()) for term in terms)
        texts["term", english.lower(), french.lower()] = english if language == "en" else french
        inner = ("definition", path[:1], english.lower(), french.lower())
        if element.find("Text") is not None:
            texts[inner] = canada_text(element.find("Text"))
        walk(element, inner)

    def walk(element, path):
        seen = {}
        for child in element:
            number = seen[child.tag] = seen.get(child.tag, -1) + 1
            if child.tag in CANADA_LEVELS:
                walk(child, (*path, child.tag, re.sub(r"[^\w.]", "", child.findtext("Label") or "").lower()))
            elif child.tag == "Definition":
                definition(child, path)
            elif child.tag == "Text" and element.tag != "Definition":
                key = (*path, child.tag, number)
                texts[key] = "" if key in texts else canada_text(child) # a label twice: nobody knows which
            elif child.tag in CANADA_FOLDERS:
                walk(child, (*path, child.tag, number))

    walk(ElementTree.fromstring(data), ())
    return texts


CHAPTER = re.compile(r"^[ _*]*(?i:chapter|chapitre)\s+(?:[IVXLC]+|\d+|[A-Z][A-Za-z-]*|premier)\b.*$|^[ _*]*[IVXLC]{1,7}\.?[ _]*$|"
                     r"^[IVXLC]{1,7}\. [A-ZÉ].*$|^\d{1,2} .*[A-Z]{3}.*$", re.MULTILINE)


def book(data, language):
    """A book of Project Gutenberg: the paragraphs of its chapters."""
    text = re.sub(r"\A.*?\*\*\* ?START OF.*?\*\*\*\n", "", decoded(data), flags=re.DOTALL)
    text = re.split(r"\*\*\* ?END OF|\nEnd of (?:the )?Project Gutenberg|\nFIN\s*$", text)[0]
    begins = [found.start() for found in CHAPTER.finditer(text)] or [0]
    chapters = {}
    for begin, end in itertools.zip_longest(begins, begins[1:], fillvalue=len(text)):
        if end - begin > 1500: # others are lines of the table of contents
            paragraphs = (re.sub(r"\[\d+\]|\[(?:Note|Illustration).*?\]|_", "", " ".join(part.split())).replace("--", "—")
                          for part in re.split(r"\n\s*\n", text[begin:end]))
            chapters[len(chapters)] = [part for part in paragraphs if part and not part.isupper()]
    return chapters


READERS = {"android": android_strings, "book": book, "canada": canada_law, "cldr": cldr_strings, "docbook": docbook,
           "json": json_strings, "markdown": markdown, "po": po_strings, "renpy": renpy_strings, "resw": resw_strings,
           "story": story, "sxs": side_by_side, "taiwan": taiwan_law, "verses": verses, "xls": spreadsheet, "yaml": yaml_strings}
BILINGUAL = {"po", "renpy", "sxs", "xls"} # one file has both languages
DOCUMENTS = {"docbook", "markdown", "po", "story"} # texts are paragraphs, whose sentences are paired
MARKED_UP = {"markdown", "po", "sxs"} # texts are Markdown or reStructuredText
