#!/usr/bin/env python3
"""Regard from Python, by ctypes: translates standard input and shows which source word each target word looked at.

    python3 regard.py model.safetensors <text

prints what `regard translate --alignment` prints. The structs are those of regard.h, which explains them; libregard.so.0
is looked for where the system looks, so set LD_LIBRARY_PATH if it was installed elsewhere."""
import os
import sys
from ctypes import (CDLL, CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char, c_char_p, c_double, c_float, c_int, c_size_t,
                    c_uint32, c_uint64, c_void_p, cast, sizeof, string_at)


def struct(name, **fields):
    return type(name, (Structure,), {"_fields_": list(fields.items())})


Error = struct("Error", status=c_int, text=c_char * 1024)
Text = struct("Text", bytes=c_void_p, length=c_size_t)
Term = struct("Term", term=Text, translation=Text)
Options = struct("Options", size=c_size_t, beam=c_size_t, n_best=c_size_t, batch=c_size_t, threads=c_size_t, alignment=c_bool,
                 source_units=c_int, target_units=c_int, length_normalization=c_double, precision=c_size_t, shortlist=c_size_t,
                 prefixes=POINTER(Text), samples=c_size_t, temperature=c_double, seed=c_uint64,
                 cancelled=CFUNCTYPE(c_bool, c_void_p), context=c_void_p, split=c_size_t,
                 glossary=POINTER(Term), glossary_count=c_size_t)
Link = struct("Link", source=c_uint32, target=c_uint32)
Alignment = struct("Alignment", sources=POINTER(Text), targets=POINTER(Text), source_count=c_size_t, target_count=c_size_t,
                   weights=POINTER(c_float), links=POINTER(Link), link_count=c_size_t)
Translation = struct("Translation", text=Text, log_probability=c_double, score=c_double, alignment=POINTER(Alignment))

regard = CDLL("libregard.so.0")
regard.regard_open.argtypes = [POINTER(c_void_p), c_char_p, POINTER(Error)]
regard.regard_close.argtypes = regard.regard_result_free.argtypes = [c_void_p]
regard.regard_options_default.argtypes = [POINTER(Options), c_size_t]
regard.regard_translate.argtypes = [c_void_p, POINTER(Text), c_size_t, POINTER(Options), POINTER(c_void_p), POINTER(Error)]
regard.regard_result_translation.argtypes = [c_void_p, c_size_t, c_size_t]
regard.regard_result_translation.restype = POINTER(Translation)


def call(function, *arguments):
    error = Error()
    if function(*arguments, byref(error)):
        raise RuntimeError(error.text.decode())


class Model:
    def __init__(self, path):
        self.pointer = c_void_p()
        call(regard.regard_open, byref(self.pointer), os.fsencode(path))

    def __del__(self):
        regard.regard_close(self.pointer)

    def translate(self, texts, **members):
        """For each text, bytes, a list of its translations, best first: (text, score, links)."""
        options, result = Options(), c_void_p()
        regard.regard_options_default(byref(options), sizeof(options))
        for name, value in members.items():
            setattr(options, name, value)
        sources = (Text * len(texts))(*[Text(cast(c_char_p(text), c_void_p), len(text)) for text in texts])
        call(regard.regard_translate, self.pointer, sources, len(texts), byref(options), byref(result))
        translations = [[] for _ in texts]
        for i, found in enumerate(translations):
            while one := regard.regard_result_translation(result, i, len(found)):
                text, alignment = one[0].text, one[0].alignment
                links = [(link.source, link.target) for link in alignment[0].links[:alignment[0].link_count]] if alignment else []
                found.append((string_at(text.bytes, text.length), one[0].score, links))
        regard.regard_result_free(result)
        return translations


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: regard.py MODEL <TEXT, as in python3 regard.py model.safetensors <input.txt")
    model = Model(sys.argv[1])
    for line in sys.stdin.buffer:
        for text, _, links in model.translate([line.rstrip(b"\n")], alignment=True)[0]:
            sys.stdout.buffer.write(text + b" ||| " + " ".join(f"{s}-{t}" for s, t in links).encode())
        sys.stdout.buffer.write(b"\n")
