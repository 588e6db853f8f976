"""The pages of rules: where they are on the web, and what they say."""

from __future__ import annotations

from extlint.registry import RULES, load

RULES_URL = "https://extlint.github.io/extlint/rules"
"""Where the site has the pages of rules, each in a folder of its name."""


def page_url(rule: str) -> str:
    """The address of a rule's page."""
    return f"{RULES_URL}/{rule}/"


def documentation(rule: str) -> str:
    """What a rule's page says, in Markdown; empty where Python was told to drop docstrings."""
    return ((load(rule).__doc__ if rule in RULES else None) or "").strip()


def summary(rule: str) -> str:
    """The first sentence of a rule's page."""
    return documentation(rule).partition("\n")[0]
