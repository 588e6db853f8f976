"""Corrects content security policies that browsers reject or misread."""

from __future__ import annotations

from extlint.formats.csp_policy import DIRECTIVES, QUOTES, Directive, directives_of, meant_keyword
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy

MAX_POLICY_LENGTH = 2_000
"""The maximum number of code points in a policy that is corrected."""

_JOINED = lazy(r"([A-Za-z-]++)[:=]++([\s\S]*+)")
_COMMA = lazy(r"\s*+,\s*+(?=([A-Za-z-]*+))")
_STRAIGHT = dict.fromkeys(map(ord, QUOTES), "'")


def corrected_policy(text: str) -> str | None:
    """Returns the policy with corrected directives and keywords, or None if the intent is unclear.

    Browsers may still reject the result.
    """
    if len(text) > MAX_POLICY_LENGTH:
        return None
    plain = _COMMA.sub(
        lambda comma: "; " if comma[1].lower() in DIRECTIVES else " ", text.translate(_STRAIGHT)
    )
    parts = []
    for directive in directives_of(plain):
        name, values = _name_and_values(directive)
        if name is None:
            return None
        if directive.has_sources or name != directive.name:
            values = tuple(meant_keyword(each) or each for each in values)
        parts.append(" ".join([name, *values]))
    return "; ".join(parts)


def _name_and_values(directive: Directive) -> tuple[str | None, tuple[str, ...]]:
    if directive.name in DIRECTIVES:
        return directive.written, directive.values
    joined = _JOINED.fullmatch(directive.written)
    name, first = (joined[1], joined[2]) if joined else (directive.written, "")
    values = (first, *directive.values) if first else directive.values
    return name if name.lower() in DIRECTIVES else nearest(name.lower(), DIRECTIVES), values
