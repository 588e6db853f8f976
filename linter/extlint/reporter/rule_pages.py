"""The pages of rules: where they are on the web, and what they say."""

from __future__ import annotations

from extlint.registry import RULES, load, module_name

RULES_URL = "https://github.com/extlint/extlint/blob/main/rules/extlint_rules"
"""Where the rules are on the web; each file begins with the rule's documentation."""


def page_url(rule: str) -> str:
    """The address of a rule's page."""
    return f"{RULES_URL}/{module_name(rule)}.py"


def documentation(rule: str) -> str:
    """What a rule's page says, in Markdown; empty where Python was told to drop docstrings."""
    return ((load(rule).__doc__ if rule in RULES else None) or "").strip()


def summary(rule: str) -> str:
    """The first sentence of a rule's page."""
    return documentation(rule).partition("\n")[0]
