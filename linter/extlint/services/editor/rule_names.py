"""The names of rules and groups, for completion."""

from __future__ import annotations

from extlint.registry import GROUPS, RULES
from extlint.report.rule_pages import page_url, summary


def rule_detail(name: str) -> str:
    """Returns the severity of a rule, or what a group is about; an empty text for other names."""
    if name in RULES:
        return str(RULES[name].severity)
    return f"rules about {GROUPS[name].about}" if name in GROUPS else ""


def rule_documentation(name: str) -> str:
    """Returns what a rule finds, in Markdown; an empty text for other names."""
    return f"{summary(name)}\n\n[{name}]({page_url(name)})" if name in RULES else ""


def all_names() -> tuple[str, ...]:
    """Returns the names of all rules and groups."""
    return (*RULES, *GROUPS)
