"""Gradients of themes: the text between the parentheses of `linear-gradient()` and similar functions."""

from __future__ import annotations

from extlint.text.formats.color import color
from extlint.text.formats.problem import Problem
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy
from extlint.text.wording import did_you_mean, not_valid, quoted

_SIDES = ("left", "right", "top", "bottom")
_BEGINNINGS = frozenset(
    "to in at from circle ellipse closest-side closest-corner farthest-side farthest-corner".split()
)
_PLAIN_WORD = lazy(r"#?+[A-Za-z0-9-]*+")
_COMMENT = lazy(r"/\*[\s\S]*?(?:\*/|\Z)")
_NO_WORD = lazy(r"[^()]*[./:?=&@!;][^()]*")
"""Matches words with characters that do not occur in color names."""

_NUMBER = lazy(r"[-+.]?+[0-9]")


def gradient(text: str) -> Problem | None:
    """Checks colors separated by commas, with an optional direction or shape before them.

    The valid options depend on the gradient's function, which is unknown here.
    """
    if "\\" in text:
        return None
    text = _COMMENT.sub(" ", text)
    parts = _parts(text)
    if parts is None:
        return Problem("there is one `)` too many")
    if not text.strip():
        return Problem("it is empty")
    if not all(parts):
        return Problem("a color is missing next to a comma")
    first, *stops = (each.split() for each in parts)
    begins = first[0].lower() in _BEGINNINGS
    if (begins and not stops) or all(_NUMBER.match(word) for word in text.replace(",", " ").split()):
        return Problem("it contains no color")
    reason = _wrong_direction(first) if begins else _wrong_stop(first)
    reason = reason or next(filter(None, map(_wrong_stop, stops)), None)
    return None if reason is None else Problem(reason)


def _parts(text: str) -> list[str] | None:
    """Returns the parts between the commas outside of parentheses, or None if a `)` has no match."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return None
        if letter == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


def _wrong_direction(words: list[str]) -> str | None:
    if words[0].lower() != "to":
        return None
    for word in words[1:]:
        if word.lower() == "in":
            return None
        if word.lower() not in _SIDES:
            meant = nearest(word, _SIDES)
            return f"{quoted(word)} is not a side or corner{did_you_mean(meant)}"
    return None


def _wrong_stop(words: list[str]) -> str | None:
    """Returns the problem of a color and its positions, or None."""
    first = words[0]
    if not _NUMBER.match(first) and _NO_WORD.fullmatch(first):
        return not_valid(first, "color")
    if _NUMBER.match(first) or not _PLAIN_WORD.fullmatch(first):
        return None
    problem = color(first)
    if problem is not None:
        return f"{not_valid(first, 'color')} ({problem.message})"
    if len(words) > 1 and not _NUMBER.match(words[1]) and _PLAIN_WORD.fullmatch(words[1]):
        return f"a comma is missing before {quoted(words[1])}"
    return None
