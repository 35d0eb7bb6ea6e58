"""Regard: a neural translator that shows where it looked.

    import regard
    model = regard.load("en-fr")
    print(model.translate("Where is the station?"))
    alignment = model.translate("The black cat sleeps.", alignment=True).alignment
    print(alignment.pairs)

Calls release the GIL, and Ctrl-C ends them. What the library refuses is a regard.Error with its sentence."""

from ._aligner import Aligner
from ._alignment import Alignment
from ._library import ArgumentError, Cancelled, Error, FileError, FormatError, OutOfMemory, lib
from ._model import Model, Sense, Translation, detect_language, load, models
from ._scores import bleu, chrf
from ._train import Progress, train

__version__: str = lib.regard_version().decode()
__all__ = ["Aligner", "Alignment", "ArgumentError", "Cancelled", "Error", "FileError", "FormatError", "Model", "OutOfMemory",
           "Progress", "Sense", "Translation", "bleu", "chrf", "detect_language", "load", "models", "train"]
