"""libregard.so: where it is found, its structs, which regard.h explains, and how its functions are called."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char, c_char_p, c_double, c_float, c_int, c_size_t, c_uint32,
                    c_uint64, c_void_p)
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterable, TypeVar

if TYPE_CHECKING:
    TextArray = ctypes.Array["Text"]

SONAME = "libregard.so.0"
T = TypeVar("T")


class ErrorStruct(Structure):
    _fields_ = [("status", c_int), ("text", c_char * 1024)]


class Text(Structure):
    _fields_ = [("bytes", c_void_p), ("length", c_size_t)]

    def __str__(self) -> str:
        return ctypes.string_at(self.bytes, self.length).decode("utf-8", "replace") if self.bytes else ""


class Term(Structure):
    _fields_ = [("term", Text), ("translation", Text)]


class Options(Structure):
    _fields_ = [("size", c_size_t), ("beam", c_size_t), ("n_best", c_size_t), ("batch", c_size_t), ("threads", c_size_t),
                ("alignment", c_bool), ("source_units", c_int), ("target_units", c_int), ("length_normalization", c_double),
                ("precision", c_size_t), ("shortlist", c_size_t), ("prefixes", POINTER(Text)), ("samples", c_size_t),
                ("temperature", c_double), ("seed", c_uint64), ("cancelled", c_void_p), ("context", c_void_p), ("split", c_size_t),
                ("glossary", POINTER(Term)), ("glossary_count", c_size_t)]


class Link(Structure):
    _fields_ = [("source", c_uint32), ("target", c_uint32)]


class AlignmentStruct(Structure):
    _fields_ = [("sources", POINTER(Text)), ("targets", POINTER(Text)), ("source_count", c_size_t), ("target_count", c_size_t),
                ("weights", POINTER(c_float)), ("links", POINTER(Link)), ("link_count", c_size_t)]


class TranslationStruct(Structure):
    _fields_ = [("text", Text), ("log_probability", c_double), ("score", c_double), ("alignment", POINTER(AlignmentStruct))]


class SenseStruct(Structure):
    _fields_ = [("word", Text), ("share", c_double), ("example", (Text * 3) * 2)]


class SourceStruct(Structure):
    _fields_ = [("text", Text), ("translation_count", c_size_t), ("invalid", c_size_t), ("cut", c_bool),
                ("senses", POINTER(SenseStruct)), ("sense_count", c_size_t)]


class Scores(Structure):
    _fields_ = [("bleu", c_double), ("chrf", c_double), ("exact", c_double)]


class Scoring(Structure):
    _fields_ = [("references", c_size_t), ("tokenizer", c_size_t), ("lowercase", c_bool)]


class ProgressStruct(Structure):
    _fields_ = [("epoch", c_size_t), ("max_epochs", c_size_t), ("batch", c_size_t), ("batches", c_size_t), ("step", c_size_t),
                ("loss", c_double), ("learning_rate", c_double), ("target_tokens", c_double), ("seconds", c_double),
                ("validated", c_bool), ("best", c_bool), ("validation_loss", c_double), ("validation_bleu", c_double),
                ("watched", POINTER(TranslationStruct))]


ProgressFunction = CFUNCTYPE(c_bool, c_void_p, POINTER(ProgressStruct))


class Training(Structure):
    _fields_ = [("size", c_size_t), ("valid_sources", POINTER(Text)), ("valid_targets", POINTER(Text)), ("valid_count", c_size_t),
                ("options", c_char_p), ("source_language", c_char_p), ("target_language", c_char_p), ("watch", Text),
                ("progress", ProgressFunction), ("cancelled", c_void_p), ("context", c_void_p)]


class Error(Exception):
    """What the library refuses; its message is the library's sentence."""


class ArgumentError(Error, ValueError):
    """An invalid value."""


class OutOfMemory(Error, MemoryError):
    """Out of memory or threads."""


class FileError(Error, OSError):
    """A file that cannot be read or written, or a model that is not there."""


class FormatError(Error, ValueError):
    """A file that is not a model, or a damaged or newer one."""


class Cancelled(Error):
    """A call that was ended early."""


for _kind in (Error, ArgumentError, OutOfMemory, FileError, FormatError, Cancelled):
    _kind.__module__ = "regard"
EXCEPTIONS: dict[int, type[Error]] = {1: ArgumentError, 2: OutOfMemory, 3: FileError, 4: FormatError, 5: Cancelled}


def _load() -> ctypes.CDLL:
    given = os.environ.get("REGARD_LIBRARY")
    beside = [str(place) for place in (Path(__file__).parent / SONAME, Path(sys.prefix, "lib", SONAME), Path("/usr/local/lib", SONAME))
              if place.exists()]
    problem: OSError | None = None
    for place in [given] if given else [*beside[:1], SONAME, *beside]:
        try:
            return ctypes.CDLL(place)
        except OSError as refused:
            problem = problem or refused
    raise ImportError(f"{problem}; install Regard (make install), or set REGARD_LIBRARY to the path of {SONAME}")


lib = _load()
pointer, texts, options = c_void_p, POINTER(Text), POINTER(Options)
SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "regard_version": (c_char_p, []),
    "regard_text_free": (None, [texts]),
    "regard_model_language": (c_char_p, [pointer, c_int]),
    "regard_list_models": (c_int, [texts]),
    "regard_tokenize": (c_int, [pointer, c_int, texts, texts]),
    "regard_detect_language": (c_int, [POINTER(c_char_p), texts, c_size_t]),
    "regard_translate_html": (c_int, [pointer, texts, options, texts]),
    "regard_alignment_svg": (c_int, [POINTER(AlignmentStruct), texts]),
    "regard_aligner_learn": (c_int, [POINTER(pointer), texts, texts, c_size_t, options]),
    "regard_aligner_open": (c_int, [POINTER(pointer), c_char_p]),
    "regard_aligner_save": (c_int, [pointer, c_char_p]),
    "regard_aligner_align": (c_int, [pointer, POINTER(texts), c_size_t, options, POINTER(pointer)]),
    "regard_aligner_free": (None, [pointer]),
    "regard_train": (c_int, [c_char_p, texts, texts, c_size_t, POINTER(Training)]),
    "regard_evaluate": (c_int, [POINTER(Scores), texts, texts, c_size_t, POINTER(Scoring)]),
    "regard_flag_is_set": (c_bool, [pointer]),
    "regard_open": (c_int, [POINTER(pointer), c_char_p]),
    "regard_close": (None, [pointer]),
    "regard_options_default": (None, [options, c_size_t]),
    "regard_translate": (c_int, [pointer, texts, c_size_t, options, POINTER(pointer)]),
    "regard_score": (c_int, [pointer, texts, texts, c_size_t, options, POINTER(pointer)]),
    "regard_align": (c_int, [pointer, texts, texts, c_size_t, options, POINTER(pointer)]),
    "regard_result_count": (c_size_t, [pointer]),
    "regard_result_source": (POINTER(SourceStruct), [pointer, c_size_t]),
    "regard_result_translation": (POINTER(TranslationStruct), [pointer, c_size_t, c_size_t]),
    "regard_result_free": (None, [pointer]),
}
for _name, (_result, _arguments) in SIGNATURES.items():
    _function = getattr(lib, _name)
    _function.restype = _result
    # those that can fail take an error last
    _function.argtypes = _arguments + [POINTER(ErrorStruct)] if _result is c_int else _arguments


class Owned(c_void_p):
    """A pointer to what the library has made, which is freed with the last object that has the pointer."""

    def __init__(self, free: Any) -> None:
        super().__init__()
        self.free = free

    def __del__(self) -> None:
        self.free(self)


def call(function: Any, *arguments: Any) -> None:
    """Calls a function that can fail; ctypes releases the GIL meanwhile."""
    error = ErrorStruct()
    status = function(*arguments, byref(error))
    if status:
        raise EXCEPTIONS.get(status, Error)(error.text.decode("utf-8", "replace"))


class Flag:
    """What a call asks whether it is to end: a C function that reads an int, so that asking does not take the GIL."""

    def __init__(self) -> None:
        self.value = c_int(0)
        self.function = ctypes.cast(lib.regard_flag_is_set, c_void_p)
        self.context = ctypes.cast(ctypes.pointer(self.value), c_void_p)

    def raise_(self) -> None:
        self.value.value = 1


def interruptible(work: Callable[[], T], flag: Flag) -> T:
    """Does the work in a thread of its own, if this is the main thread: signal handlers of Python run in the main thread, and
    not within a C function. Ctrl-C, or whatever else such a handler raises, raises the flag and is raised when the work has
    ended."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    outcome: list[T] = []
    problem: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as raised:  # raised again below
            problem.append(raised)
        finally:
            done.set()

    thread = threading.Thread(target=run, name="regard")
    thread.start()
    interruption: BaseException | None = None
    while not done.is_set():
        try:
            done.wait()
        except BaseException as raised:
            flag.raise_()
            interruption = interruption or raised
    thread.join()
    if interruption:
        raise interruption
    if problem:
        raise problem[0]
    return outcome[0]


def encode(strings: Iterable[str]) -> tuple[TextArray, int, list[bytes]]:
    """The texts as an array, how many there are, and what keeps their bytes."""
    if isinstance(strings, str):
        raise TypeError("there is one text where a list of them is to be")
    if isinstance(strings, bytes) or not isinstance(strings, Iterable):
        raise TypeError(f"there is {strings!r}, of the type {type(strings).__name__}, where a str or a list of them is to be")
    kept = []
    for string in strings:
        if not isinstance(string, str):
            raise TypeError(f"a text is of the type {type(string).__name__}, not str")
        kept.append(string.encode("utf-8", "surrogatepass"))
    array = (Text * len(kept))()
    for item, data in zip(array, kept):
        item.bytes, item.length = ctypes.cast(c_char_p(data), c_void_p), len(data)
    return array, len(kept), kept


def take(text: Text) -> str:
    """A text that a function has made, which is freed."""
    string = str(text)
    lib.regard_text_free(byref(text))
    return string


def path_bytes(path: str | os.PathLike[str]) -> bytes:
    """A path for a function that takes a NUL-terminated one."""
    data = os.fsencode(path)
    if b"\0" in data:
        raise ArgumentError("the path has a NUL byte")
    return data
