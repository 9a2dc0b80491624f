"""Functions and objects that the tests of engines send to other processes."""

import os
from pathlib import Path

from lexgear.errors import ErrorCode, InputError


def squares(numbers: list[int]) -> list[int]:
    return [number * number for number in numbers]


def total(numbers: list[float]) -> float:
    return sum(numbers)


def refuse(number: int) -> int:
    if number == 3:
        raise InputError("three is refused", code=ErrorCode.INVALID_ARGUMENT, remedy="choose another", number=3)
    return number


def die_once(note: str) -> str:
    """End the process, unless it has done so before."""
    path = Path(note)
    if not path.exists():
        path.write_text("died", encoding="utf-8")
        os._exit(1)
    return "survived"


def die(number: int) -> int:
    os._exit(number)


class Counter:
    """Counts from a first number."""

    def __init__(self, first: int) -> None:
        self.number = first

    def next(self, step: int) -> int:
        self.number += step
        return self.number

    def die_once(self, note: str) -> str:
        return die_once(note)


class Unmakeable:
    """Cannot be made."""

    def __init__(self) -> None:
        raise InputError("no such file", code=ErrorCode.FILE_MISSING)
