"""The statistical aligner: which word stands for which, learned from pairs alone."""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, byref, c_void_p
from typing import Any, Iterable, cast, overload

from ._alignment import Alignment
from ._library import Flag, Owned, Text, call, encode, interruptible, lib, path_bytes
from ._model import Texts, alignments, set_options, work


class Aligner:
    """What Aligner.learn or Aligner.open returns."""

    def __init__(self, pointer: Owned) -> None:
        self._pointer = pointer

    @classmethod
    def learn(cls, pairs: Iterable[tuple[str, str]], *, threads: int = 0) -> Aligner:
        """Learns from pairs of a text and its translation, by all processors or so many threads, with the same result."""
        flag, pointer, listed = Flag(), Owned(lib.regard_aligner_free), list(pairs)
        sources, count, kept = encode(source for source, _ in listed)
        targets, _, kept_too = encode(target for _, target in listed)
        options = set_options(flag, {"threads": threads}, [])
        interruptible(lambda: call(lib.regard_aligner_learn, byref(pointer), sources, targets, count, byref(options)), flag)
        del kept, kept_too
        return cls(pointer)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Aligner:
        """Opens an aligner that was saved, here or by `regard align --save`."""
        pointer = Owned(lib.regard_aligner_free)
        call(lib.regard_aligner_open, byref(pointer), path_bytes(path))
        return cls(pointer)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves it; a file that is there is replaced."""
        call(lib.regard_aligner_save, self._pointer, path_bytes(path))

    @overload
    def align(self, sources: str, targets: str, **options: Any) -> Alignment: ...

    @overload
    def align(self, sources: Texts, targets: Texts, **options: Any) -> list[Alignment]: ...

    def align(self, sources: str | Texts, targets: str | Texts, **options: Any) -> Alignment | list[Alignment]:
        """Aligns a text with its translation, or each of a list; the matrix has the posteriors. Options: alignment=False
        leaves that out; source_units and target_units."""
        if isinstance(sources, str):
            return self.align([sources], [cast(str, targets)], **options)[0]

        def function(pointer: c_void_p, first: Any, second: Any, *rest: Any) -> Any:
            sides = (POINTER(Text) * 2)(ctypes.cast(first, POINTER(Text)), ctypes.cast(second, POINTER(Text)))
            return lib.regard_aligner_align(pointer, sides, *rest)

        return alignments(work(function, self._pointer, [sources, targets], {"alignment": True, **options}))
