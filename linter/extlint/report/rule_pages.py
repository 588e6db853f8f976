"""The documentation pages of rules: their addresses and their text."""

from __future__ import annotations

from extlint.registry import RULES, load

RULES_URL = "https://extlint.github.io/extlint/rules"
"""The address of the pages of rules, each in a folder of its name."""


def page_url(rule: str) -> str:
    """Returns the address of a rule's page."""
    return f"{RULES_URL}/{rule}/"


def documentation(rule: str) -> str:
    """Returns a rule's page in Markdown, or an empty string if Python runs without docstrings."""
    return ((load(rule).__doc__ if rule in RULES else None) or "").strip()


def summary(rule: str) -> str:
    """Returns the first sentence of a rule's page."""
    return documentation(rule).partition("\n")[0]
