"""Numbers and ranges of numbers."""

from __future__ import annotations

from math import isinf, isnan


def number_text(number: float) -> str:
    """Returns a number approximately as JavaScript writes it."""
    if isnan(number):
        return "NaN"
    if isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if float(number).is_integer() and abs(number) < 1e21:
        return str(int(number))
    return repr(float(number))


def limits_text(least: float, most: float) -> str:
    """Returns a number with two limits as text: `2 or 3`, `from 1 to 10`."""
    return f"{least} or {most}" if most - least == 1 else f"from {least} to {most}"


def range_text(noun: str, least: float | None, most: float | None) -> str:
    """Returns a `noun` with optional limits: `an integer from 1 to 10`, `a number of at least 1`."""
    if least is not None and most is not None:
        return f"{noun} from {number_text(least)} to {number_text(most)}"
    if least is not None:
        return f"{noun} of at least {number_text(least)}"
    return noun if most is None else f"{noun} of at most {number_text(most)}"


def count_text(number: int, noun: str) -> str:
    """Returns a number of things as text: `1 item`, `2 items`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
