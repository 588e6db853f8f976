"""Suggestions for rejected values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from extlint.analysis.facts.values import Literal, Value, options_of
from extlint.schema.matching.verdict import Problem


def nearest_of(value: Value, strings: Sequence[str]) -> str | None:
    """Returns the string that a literal one probably stands for, or None."""
    from extlint.text.nearest import suggest_name

    texts = [each.value for each in options_of(value) if isinstance(each, Literal)]
    found = {near for text in texts if isinstance(text, str) and (near := suggest_name(text, strings))}
    return found.pop() if len(found) == 1 else None


def agreed_suggestion(problems: Iterable[Problem]) -> str | None:
    """Returns the suggestion on which all problems with one agree, or None."""
    found = {problem.suggestion for problem in problems if problem.suggestion is not None}
    return found.pop() if len(found) == 1 else None
