"""Alignments: which words of a text stand for which of its translation."""

from __future__ import annotations

import ctypes
from ctypes import byref
from html import escape
from typing import TYPE_CHECKING, Any

from ._library import AlignmentStruct, Text, call, encode, lib, take

if TYPE_CHECKING:
    import numpy


class Alignment:
    """Which units, words or characters, of a source and a target belong together.

    sources, targets    the units' texts
    links               (source, target) pairs of their numbers, from 0
    matrix              a row for each target unit, in it the weight of each source unit, 0 … 1; None if it was not asked for"""

    def __init__(self, sources: tuple[str, ...], targets: tuple[str, ...], links: tuple[tuple[int, int], ...],
                 matrix: list[list[float]] | None) -> None:
        self.sources, self.targets, self.links, self.matrix = sources, targets, links, matrix

    @classmethod
    def _of(cls, struct: AlignmentStruct) -> Alignment:
        width = struct.source_count
        rows = [struct.weights[t * width:(t + 1) * width] for t in range(struct.target_count)] if struct.weights else None
        return cls(tuple(str(struct.sources[s]) for s in range(width)), tuple(str(struct.targets[t]) for t in range(struct.target_count)),
                   tuple((link.source, link.target) for link in struct.links[:struct.link_count]), rows)

    @property
    def tokens(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The units of the source and of the target."""
        return self.sources, self.targets

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The texts of the units that are linked."""
        return [(self.sources[s], self.targets[t]) for s, t in self.links]

    def to_numpy(self) -> numpy.ndarray[Any, numpy.dtype[numpy.float32]]:
        """The matrix as an array (targets, sources) of float32; needs NumPy."""
        if self.matrix is None:
            raise ValueError("the alignment has no matrix; ask for it with alignment=True")
        import numpy

        return numpy.array(self.matrix, dtype=numpy.float32).reshape(len(self.targets), len(self.sources))

    def __str__(self) -> str:
        return " ".join(f"{s}-{t}" for s, t in self.links)

    def __repr__(self) -> str:
        return f"<regard.Alignment {self}>"

    def _repr_svg_(self) -> str | None:
        """The picture that `regard align --format svg` draws, if there is a matrix."""
        if self.matrix is None:
            return None
        sources, source_count, kept = encode(self.sources)
        targets, target_count, kept_too = encode(self.targets)
        weights = (ctypes.c_float * (source_count * target_count))(*[weight for row in self.matrix for weight in row])
        struct, svg = AlignmentStruct(sources, targets, source_count, target_count, weights), Text()
        call(lib.regard_alignment_svg, byref(struct), byref(svg))
        del kept, kept_too
        return take(svg)

    def _weight(self, t: int, s: int) -> float:
        return self.matrix[t][s] if self.matrix is not None else float((s, t) in self.links)

    def _repr_html_(self) -> str:
        """A table, source across and target down, darker for more weight; linked units have a frame."""
        links, head = set(self.links), "".join(f"<th>{escape(unit)}</th>" for unit in self.sources)
        rows = []
        for t, unit in enumerate(self.targets):
            cells = []
            for s in range(len(self.sources)):
                weight = self._weight(t, s)
                frame = ";outline:2px solid #1f5fa8;outline-offset:-2px" if (s, t) in links else ""
                cells.append(f'<td title="{weight:.3f}" style="background:rgba(31,95,168,{weight:.3f}){frame}"></td>')
            rows.append(f"<tr><th>{escape(unit)}</th>{''.join(cells)}</tr>")
        return f'<table class="regard-alignment"><tr><th></th>{head}</tr>{"".join(rows)}</table>'
