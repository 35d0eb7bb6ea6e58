"""Training a model on pairs in memory."""

from __future__ import annotations

import ctypes
import json
import os
import tempfile
from ctypes import byref, c_void_p, cast, sizeof
from pathlib import Path
from typing import Any, Callable, Iterable, NamedTuple

from ._alignment import Alignment
from ._library import (ArgumentError, Flag, ProgressFunction, ProgressStruct, Text, Training, call, encode, interruptible, lib,
                       path_bytes)
from ._model import Model


class Progress(NamedTuple):
    """What a training has come to: after a step, or after a validation, which follows each epoch."""

    epoch: int  # counted from 1
    max_epochs: int
    batch: int  # done of this epoch
    batches: int
    step: int  # batches done in all
    seconds: float  # since the beginning
    loss: float  # of the batch, per target token; after a validation, of the validation pairs
    learning_rate: float  # of the batch
    target_tokens: int  # of the batch
    bleu: float | None  # of the validation; None after a step
    best: bool  # so far: saved
    watched: str | None  # the translation of the sentence `watch` at a validation
    alignment: Alignment | None  # of it


def _progress(struct: ProgressStruct) -> Progress:
    watched = struct.watched[0] if struct.watched else None
    return Progress(struct.epoch, struct.max_epochs, struct.batch, struct.batches, struct.step, struct.seconds,
                    struct.validation_loss if struct.validated else struct.loss, struct.learning_rate, int(struct.target_tokens),
                    struct.validation_bleu if struct.validated else None, struct.best, str(watched.text) if watched else None,
                    Alignment._of(watched.alignment[0]) if watched and watched.alignment else None)


def train(pairs: Iterable[tuple[str, str]], path: str | os.PathLike[str] | None = None, *,
          valid: Iterable[tuple[str, str]] | None = None, on_progress: Callable[[Progress], Any] | None = None, watch: str = "",
          languages: tuple[str | None, str | None] = (None, None), **options: Any) -> Model:
    """Trains a model on pairs of a text and its translation, as `regard train` does, and opens it. Its file is `path`, which is
    replaced whenever the model is the best so far; None: the model is in memory alone.

    valid          pairs for validation; None: some of the others are set aside
    on_progress    called with a Progress after each step and each validation; if it returns False, training ends there
    watch          a sentence whose translation and alignment a Progress has
    languages      tags such as ("en", "fr")

    The options are those of `regard train`, with _ for -: max_epochs=10, hidden=128, guide="none", seed=2. Ctrl-C ends the
    training; what has been saved stays."""
    flag, listed, held = Flag(), list(pairs), list(valid or [])
    problem: list[BaseException] = []

    def show(context: Any, struct: Any) -> bool:
        try:
            return on_progress is None or on_progress(_progress(struct[0])) is not False
        except BaseException as raised:  # raised again below
            problem.append(raised)
            flag.raise_()
            return False

    training, kept = Training(size=sizeof(Training)), []  # type: Training, list[Any]
    sides = []
    for some in (listed, held):
        for side in (0, 1):
            array, _, bytes_ = encode(pair[side] for pair in some)
            sides.append(array)
            kept += [array, bytes_]
    watched, _, bytes_ = encode([watch])
    function = ProgressFunction(show)
    kept += [watched, bytes_, function]
    if held:
        training.valid_sources, training.valid_targets, training.valid_count = cast(sides[2], ctypes.POINTER(Text)), \
            cast(sides[3], ctypes.POINTER(Text)), len(held)
    try:
        training.options = json.dumps(options).encode()
    except TypeError as refused:
        raise ArgumentError(f"the options cannot be written as JSON: {refused}") from None
    training.source_language, training.target_language = (tag.encode() if tag else None for tag in languages)
    training.watch, training.progress = watched[0], function
    training.cancelled, training.context = flag.function, flag.context
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "model.safetensors") if path is None else Path(path)
        try:
            interruptible(lambda: call(lib.regard_train, path_bytes(file), sides[0], sides[1], len(listed), byref(training)), flag)
        except Exception:
            if problem:
                raise problem[0] from None
            raise
        finally:
            del kept
        if problem:
            raise problem[0]
        return Model(file)
