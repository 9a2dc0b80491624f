"""Normalisation of uploaded texts: line ends, control characters, lone surrogates, empty lines and Kangxi radicals."""

from __future__ import annotations

import re

from lexgear.serve.uploads.kangxi_radicals import replace_radicals

_BREAK = re.compile("\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff]")
_HALF = re.compile("[\ud800-\udfff]")
_EMPTY_LINES = re.compile(r"\n[ \t\u3000]*(?:\n[ \t\u3000]*)+\n")


def normalize(text: str) -> str:
    r"""Return the text in the form that the search form can hold.

    >>> normalize("一\r\n\r\n\r\n\r\n二\x00三 ")
    '一\n\n二 三'
    """
    text = _CONTROL.sub(" ", _BREAK.sub("\n", text))
    text = replace_radicals(text)
    text = _HALF.sub("\N{REPLACEMENT CHARACTER}", text)
    return _EMPTY_LINES.sub("\n\n", text).strip()
