"""The tape that notebook 16 builds, in one file: the right answers, and what others are tried on.

One idea: sixty lines of Python are enough for derivatives of every order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Rule = Callable[[Any], Any]


class Number:
    """A number that is somebody: two threes are two Numbers."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"Number({self.value:.6g})"

    def __add__(self, other: Number) -> Number:
        return add(self, other)

    def __mul__(self, other: Number) -> Number:
        return multiply(self, other)

    def __truediv__(self, other: Number) -> Number:
        return divide(self, other)


class Tape:
    """A list of what was done to what is watched, inside a ``with`` block."""

    recording: list[Tape] = []  # the tapes whose block we are in

    def __init__(self) -> None:
        self.records: list[tuple[Number, list[tuple[Number, Rule]]]] = []
        self.watched: set[Number] = set()

    def __enter__(self) -> Tape:
        Tape.recording.append(self)
        return self

    def __exit__(self, *error: object) -> None:
        Tape.recording.remove(self)

    def watch(self, number: Number) -> None:
        """Write down from now on what is done to this number."""
        self.watched.add(number)

    def gradient(self, target: Number, source: Number) -> Number | None:
        """How fast the target changes with the source; None if there is no way between them."""
        return gradient(self, target, source)


def record(result: Number, inputs: list[tuple[Number, Rule]]) -> Number:
    """Give each tape that is recording a line, if it follows one of the inputs."""
    for tape in Tape.recording:
        followed = [(number, rule) for number, rule in inputs if number in tape.watched]
        if followed:
            tape.watch(result)
            tape.records.append((result, followed))
    return result


def add(a: Number, b: Number) -> Number:
    """A sum passes on what arrives."""
    return record(Number(a.value + b.value), [(a, lambda dy: dy), (b, lambda dy: dy)])


def multiply(a: Number, b: Number) -> Number:
    """The slope of one factor is the other."""
    return record(Number(a.value * b.value), [(a, lambda dy: dy * b), (b, lambda dy: dy * a)])


def divide(a: Number, b: Number) -> Number:
    """The slopes of a / b are 1 / b and -a / b²."""
    minus = Number(-1.0)
    rules: list[tuple[Number, Rule]] = [
        (a, lambda dy: dy / b),
        (b, lambda dy: minus * dy * a / (b * b)),
    ]
    return record(Number(a.value / b.value), rules)


def gradient(tape: Tape, target: Number, source: Number) -> Number | None:
    """Read the records from the end, and add what meets at a number."""
    arrived = {target: Number(1.0)}
    for result, inputs in reversed(tape.records):
        for number, rule in inputs:
            if result in arrived:
                dx = rule(arrived[result])
                arrived[number] = arrived[number] + dx if number in arrived else dx
    return arrived.get(source)
