"""What was probably meant by a value that is refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from extlint.matching.verdict import Problem
from extlint.script.facts.values import Literal, Value, options_of


def nearest_of(value: Value, strings: Sequence[str]) -> str | None:
    """The string that was probably meant by a literal one."""
    from extlint.text.nearest import meant

    texts = [each.value for each in options_of(value) if isinstance(each, Literal)]
    found = {near for text in texts if isinstance(text, str) and (near := meant(text, strings))}
    return found.pop() if len(found) == 1 else None


def agreed_suggestion(problems: Iterable[Problem]) -> str | None:
    """What was probably meant, if the problems that know it agree."""
    found = {problem.suggestion for problem in problems if problem.suggestion is not None}
    return found.pop() if len(found) == 1 else None
