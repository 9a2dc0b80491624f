"""Notes on a judgment: the reasons why a text is not judged, or for a reservation about its charges."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class NoteCode(StrEnum):
    """Reasons for a note on a judgment. Callers test and translate the code, never the text."""

    TOO_SHORT = "too_short"
    NOT_CRIMINAL = "not_criminal"
    """The text is about another matter, such as a debt or a divorce."""
    NOT_A_CASE = "not_a_case"
    """The text does not read like the facts of a case."""
    NO_PROBABLE_CHARGE = "no_probable_charge"
    """No charge reaches the threshold."""
    NO_CHARGES_IN_LAW = "no_charges_in_law"
    """The law has articles but no charges."""
    NOT_IN_FORCE = "not_in_force"
    """The probable charges were not in force on the date of the act."""
    BELOW_THRESHOLD = "below_threshold"
    """The facts state a number that does not reach the threshold of the most probable charge."""
    BEFORE_THE_CODE = "before_the_code"
    """The act is older than the code."""
    LAW_CHANGED = "law_changed"
    """The law on a charge that applies changed after the act."""


@dataclass(frozen=True, slots=True)
class Note:
    """Remark on a judgment: a code for programs and an English sentence for people."""

    code: NoteCode
    text: str
    matter: str = ""
    """Kind of matter of a text that is no criminal matter, such as `debt`."""


TOO_SHORT = Note(NoteCode.TOO_SHORT, "too little text to judge: describe what happened")
NOT_A_CASE = Note(NoteCode.NOT_A_CASE, "this does not read like the facts of a case")
NO_PROBABLE_CHARGE = Note(
    NoteCode.NO_PROBABLE_CHARGE, "no charge is probable enough to be named; the most probable ones are listed"
)
NO_CHARGES_IN_LAW = Note(
    NoteCode.NO_CHARGES_IN_LAW, "this law has no charges; the most probable places in it are listed"
)
NOT_IN_FORCE = Note(
    NoteCode.NOT_IN_FORCE,
    "the probable charges were not in force on the date of the act: the law of that time applies, unless it also made "
    "the act a crime and the new law is more lenient (从旧兼从轻)",
)
BELOW_THRESHOLD = Note(
    NoteCode.BELOW_THRESHOLD,
    "the facts state a number below the threshold of the charge that they resemble: it may be no more than an "
    "administrative offence",
)
BEFORE_THE_CODE = Note(
    NoteCode.BEFORE_THE_CODE,
    "the act is older than the code of 1997: the law of that time applies, unless the new law is more lenient "
    "(从旧兼从轻)",
)
LAW_CHANGED = Note(
    NoteCode.LAW_CHANGED,
    "the law changed after the act: the law of that time applies, unless the new law is more lenient (从旧兼从轻)",
)
