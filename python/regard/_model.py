"""Models: translating, scoring and aligning."""

from __future__ import annotations

import ctypes
import os
from ctypes import byref, c_void_p, sizeof
from operator import index
from typing import Any, Iterable, List, Mapping, NamedTuple, SupportsIndex, Tuple, Union, cast, overload

from ._alignment import Alignment
from ._library import ArgumentError, Flag, Options, Owned, Term, Text, call, encode, interruptible, lib, path_bytes, take

Texts = Union[List[str], Tuple[str, ...]]
UNITS = {"model": 0, "words": 1, "characters": 2}
PRECISIONS = {"float32": 0, "bf16": 1, "auto": 2, "int8": 3}


class Sense(NamedTuple):
    """What a word stands for elsewhere.

    example    a sentence and its translation, each as what stands before the word, that, and what stands behind it; or None"""

    word: str
    share: float
    example: tuple[tuple[str, ...], ...] | None


class Translation(str):
    """A translation: a string that also knows how it came about.

    source             the text in normal form
    log_probability    natural logarithm of its probability
    score              by which translations are ranked
    alignment          with the source, if it was asked for; else None
    n_best             all translations of the text that were asked for, the best first
    cut                whether only the beginning of the source was read, as it was too long
    senses             of a source of one word or a short text: what it stands for elsewhere:
                       of the whole text first, then the commonest"""

    source: str
    log_probability: float
    score: float
    alignment: Alignment | None
    n_best: tuple[Translation, ...]
    cut: bool
    senses: tuple[Sense, ...]


def choose(kind: str, value: str, choices: Mapping[str, int]) -> int:
    if value not in choices:
        raise ArgumentError(f"{kind} is {value!r}; it must be {', '.join(map(repr, choices))}")
    return choices[value]


def set_options(flag: Flag, given: Mapping[str, Any], keep: list[Any]) -> Options:
    """Options with those that are given; `keep` holds what they point to."""
    options = Options()
    lib.regard_options_default(byref(options), sizeof(options))
    options.threads = 0
    options.cancelled, options.context = flag.function, flag.context
    known = {name for name, _ in Options._fields_} - {"size", "cancelled", "context", "glossary_count"}
    for name, value in given.items():
        if name not in known:
            raise TypeError(f"unknown option {name!r}; there are {', '.join(sorted(known))}")
        if name in ("source_units", "target_units"):
            value = choose(name, value, UNITS)
        elif name == "precision":
            value = choose(name, value, PRECISIONS)
        elif name == "prefixes":
            value, _, kept = encode(value)
            keep += [value, kept]
        elif name == "glossary":
            if not isinstance(value, Mapping):
                raise TypeError(f"glossary is {value!r}; it must be a dictionary of terms and their translations")
            terms, count, kept = encode(side for pair in value.items() for side in pair)
            value = (Term * (count // 2))(*[Term(terms[2 * i], terms[2 * i + 1]) for i in range(count // 2)])
            keep += [terms, kept, value]
            options.glossary_count = count // 2
        elif name not in ("alignment", "length_normalization", "temperature"):
            if not isinstance(value, SupportsIndex):
                raise TypeError(f"{name} is {value!r}; it must be a whole number")
            if not 0 <= index(value) < 1 << 64:
                raise ArgumentError(f"{name} is {value}; it must be 0 or more, in 64 bits")
        setattr(options, name, value)
    if "beam" not in given:
        options.beam = max(options.beam, options.n_best)
    return options


def read_sense(struct: Any) -> Sense:
    example = tuple(tuple(map(str, parts)) for parts in struct.example)
    return Sense(str(struct.word), struct.share, example if example[0][1] else None)


def read_result(result: c_void_p, alignment: bool) -> list[Translation]:
    """The best translation of each source; the empty string, of no translation, for an empty source."""
    answers = []
    for i in range(lib.regard_result_count(result)):
        source = lib.regard_result_source(result, i)[0]
        found = []
        for rank in range(source.translation_count):
            struct = lib.regard_result_translation(result, i, rank)[0]
            one = Translation(str(struct.text))
            one.log_probability, one.score = struct.log_probability, struct.score
            one.alignment = Alignment._of(struct.alignment[0]) if struct.alignment else None
            found.append(one)
        if not found:
            empty = Translation()
            empty.log_probability, empty.score, empty.n_best = 0.0, 0.0, ()
            empty.alignment = Alignment((), (), (), []) if alignment else None
        senses = tuple(read_sense(source.senses[k]) for k in range(source.sense_count))
        for one in found or [empty]:
            one.source, one.cut, one.n_best, one.senses = str(source.text), source.cut, tuple(found), senses
        answers.append((found or [empty])[0])
    return answers


def work(function: Any, thing: c_void_p, sides: list[Iterable[str]], given: Mapping[str, Any]) -> list[Translation]:
    """Calls a function that makes a result of texts, or of pairs of them."""
    flag, keep = Flag(), []  # type: Flag, list[Any]
    options = set_options(flag, given, keep)
    encoded = [encode(side) for side in sides]
    counts = [count for _, count, _ in encoded]
    if len(set(counts)) > 1:
        raise ArgumentError(f"there are {counts[0]} sources and {counts[1]} targets; each source must have its target")
    if options.prefixes and len(given["prefixes"]) != counts[0]:
        raise ArgumentError(f"there are {counts[0]} texts and {len(given['prefixes'])} prefixes; give one for each")
    result = Owned(lib.regard_result_free)
    arrays = [array for array, _, _ in encoded]

    def run() -> None:
        call(function, thing, *arrays, counts[0], byref(options), byref(result))

    interruptible(run, flag)
    return read_result(result, options.alignment)


def alignments(found: list[Translation]) -> list[Alignment]:
    return [one.alignment for one in found if one.alignment is not None]


class Model:
    """An open model. Any number of threads may use one at the same time. Its methods take the options of translate; those of
    the search have no effect on score and align."""

    def __init__(self, name: str | os.PathLike[str]) -> None:
        self._pointer = Owned(lib.regard_close)
        call(lib.regard_open, byref(self._pointer), path_bytes(name))
        self.name = os.fspath(name)

    def __repr__(self) -> str:
        return f"<regard.Model {self.name}>"

    @overload
    def translate(self, texts: str, *, n_best: int = ..., alignment: bool = ..., threads: int = ..., **options: Any) -> Translation: ...

    @overload
    def translate(self, texts: Texts, *, n_best: int = ..., alignment: bool = ..., threads: int = ...,
                  **options: Any) -> list[Translation]: ...

    def translate(self, texts: str | Texts, **options: Any) -> Translation | list[Translation]:
        """Translates a text, or each of a list. Options, with their defaults:

        alignment              False; True: translations have one, with the matrix of the attention
        source_units, target_units    of alignments: "model", its own; "words"; "characters"
        beam                   5, or n_best if that is more: hypotheses that the search keeps
        n_best                 1: so many translations are in the translation's n_best
        length_normalization   -1, the model's; 0 to 10: by which power of the length log-probabilities are divided
        prefixes               what the translations begin with, a list with one for each text
        glossary               a dictionary of terms and their translations
        samples                0; so many translations are drawn at random instead of searched for, by `seed` (0) and
                               `temperature` (1)
        split                  True: by sentences; False: a text is translated as a whole
        shortlist              False; True: faster, with the words that were likely in training alone
        precision              "auto", the fastest; "float32", "bf16", "int8"
        threads                0, one per processor; at most one per text
        batch                  64 texts are translated together"""
        if isinstance(texts, str):
            if isinstance(options.get("prefixes"), str):
                options["prefixes"] = [options["prefixes"]]
            return work(lib.regard_translate, self._pointer, [[texts]], options)[0]
        return work(lib.regard_translate, self._pointer, [texts], options)

    @overload
    def score(self, sources: str, targets: str, **options: Any) -> float: ...

    @overload
    def score(self, sources: Texts, targets: Texts, **options: Any) -> list[float]: ...

    def score(self, sources: str | Texts, targets: str | Texts, **options: Any) -> float | list[float]:
        """The natural logarithm of the probability that the model gives to a translation, or to each of a list."""
        if isinstance(sources, str):
            return self.score([sources], [cast(str, targets)], **options)[0]
        return [one.log_probability for one in work(lib.regard_score, self._pointer, [sources, targets], options)]

    @overload
    def align(self, sources: str, targets: str, **options: Any) -> Alignment: ...

    @overload
    def align(self, sources: Texts, targets: Texts, **options: Any) -> list[Alignment]: ...

    def align(self, sources: str | Texts, targets: str | Texts, **options: Any) -> Alignment | list[Alignment]:
        """Aligns a text with its translation, or each of a list, with the matrix unless alignment=False."""
        if isinstance(sources, str):
            return self.align([sources], [cast(str, targets)], **options)[0]
        return alignments(work(lib.regard_align, self._pointer, [sources, targets], {"alignment": True, **options}))

    @property
    def languages(self) -> tuple[str | None, str | None]:
        """The tags of the languages that it translates from and into, None where they are not known."""
        source, target = (lib.regard_model_language(self._pointer, side) for side in (0, 1))
        return source and source.decode(), target and target.decode()

    def tokenize(self, text: str, *, target: bool = False) -> list[str]:
        """The subwords that the model reads, or with `target` writes; a space within one is U+2581."""
        array, _, kept = encode([text])
        line = Text()
        call(lib.regard_tokenize, self._pointer, int(target), array, byref(line))
        del kept
        return take(line).split()

    def translate_html(self, html: str, **options: Any) -> str:
        """Translates an HTML document or a part of one; tags stay around the words that they belong to."""
        flag, keep = Flag(), []  # type: Flag, list[Any]
        chosen = set_options(flag, options, keep)
        array, _, kept = encode([html])
        keep.append(kept)
        translation = Text()
        interruptible(lambda: call(lib.regard_translate_html, self._pointer, array, byref(chosen), byref(translation)), flag)
        return take(translation)


def models() -> dict[str, str]:
    """The models that load finds by name, and their files."""
    lines = Text()
    call(lib.regard_list_models, byref(lines))
    return {name: path for name, _, path in (line.partition("\t") for line in take(lines).splitlines())}


def detect_language(texts: str | Texts) -> str | None:
    """The code of the language that a text, or several together, are in: "fr"; None if they do not show it."""
    code = ctypes.c_char_p()
    array, count, kept = encode([texts] if isinstance(texts, str) else texts)
    call(lib.regard_detect_language, byref(code), array, count)
    del kept
    return code.value.decode() if code.value else None


def load(name: str | os.PathLike[str]) -> Model:
    """Opens a model: a name, such as "en-fr", or the path of a file."""
    return Model(name)
