"""BLEU and chrF as sacreBLEU computes them."""

from __future__ import annotations

from ctypes import byref
from typing import Dict, Sequence, Union, cast

from ._library import ArgumentError, Scores, Scoring, call, encode, lib
from ._model import choose

# one reference for each hypothesis, or several lists of these
References = Union[Sequence[str], Sequence[Sequence[str]]]
TOKENIZERS: Dict[str, int] = {"13a": 0, "zh": 1, "none": 2}


def evaluate(hypotheses: Sequence[str], references: References, tokenize: str, lowercase: bool) -> Scores:
    sets = [references] if not references or isinstance(references[0], str) else references
    lists = cast("Sequence[Sequence[str]]", sets)
    if isinstance(hypotheses, str) or any(len(one) != len(hypotheses) for one in lists):
        raise ArgumentError("give a list of translations, and as many references, or several lists of so many")
    scores, scoring = Scores(), Scoring(len(lists), choose("tokenize", tokenize, TOKENIZERS), lowercase)
    texts, count, kept = encode(hypotheses)
    others, _, kept_too = encode(text for one in lists for text in one)
    call(lib.regard_evaluate, byref(scores), texts, others, count, byref(scoring))
    del kept, kept_too
    return scores


def bleu(hypotheses: Sequence[str], references: References, *, tokenize: str = "13a", lowercase: bool = False) -> float:
    """BLEU of a corpus, 0 … 100; `tokenize` is "13a", "zh" or "none"."""
    return float(evaluate(hypotheses, references, tokenize, lowercase).bleu)


def chrf(hypotheses: Sequence[str], references: References, *, lowercase: bool = False) -> float:
    """chrF2 of a corpus, 0 … 100."""
    return float(evaluate(hypotheses, references, "13a", lowercase).chrf)
