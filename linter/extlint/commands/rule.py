"""`extlint rule`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from extlint.commands.names import format_option, unknown
from extlint.commands.streams import write
from extlint.registry import GROUPS, GROUPS_RUN, RULES, load


@click.command("rule", short_help="List the rules, or explain one.")
@click.argument("name", required=False, metavar="[NAME]")
@format_option(("text", "json"))
def rule_command(name: str | None, output_format: str) -> int:
    """List the rules, or explain one: what it finds, why that is bad, and what to do instead.

    With the name of a group, such as stores, list the rules in it.
    """
    if name is not None and name not in RULES and name not in GROUPS:
        raise click.UsageError(unknown("rule", name, (*RULES, *GROUPS)))
    names = tuple(RULES) if name is None else GROUPS.get(name, (name,))
    if output_format == "json":
        write(_as_json(names))
    elif name in RULES:
        write(f"{name} ({_severity(name)})\n\n{_documentation(name)}\n{_about_group(name)}")
    else:
        write(_as_list(names))
    return 0


def _as_list(names: Sequence[str]) -> str:
    """One line for each rule, those of each group together."""
    parts = {group: [each for each in names if _group(each) == group] for group in (None, *GROUPS)}
    width = max(map(len, names))
    return "\n".join(
        ("" if group is None else f"The group {group}, which runs {GROUPS_RUN[group]}:\n\n")
        + "".join(f"{each:{width}}  {_severity(each):7}  {_summary(each)}\n" for each in part)
        for group, part in parts.items()
        if part
    )


def _about_group(name: str) -> str:
    group = _group(name)
    return "" if group is None else f"\nThis rule is in the group {group}, which runs {GROUPS_RUN[group]}.\n"


def _group(name: str) -> str | None:
    return next((group for group, rules in GROUPS.items() if name in rules), None)


def _as_json(names: Iterable[str]) -> str:
    import json

    rules = [
        {
            "name": each,
            "severity": _severity(each),
            "group": _group(each),
            "summary": _summary(each),
            "documentation": _documentation(each),
        }
        for each in names
    ]
    return json.dumps({"version": 1, "rules": rules}, indent=2) + "\n"


def _severity(name: str) -> str:
    return str(load(name).RULE.severity)


def _documentation(name: str) -> str:
    """The docstring of the rule's module; empty where Python was told to drop docstrings."""
    return (load(name).__doc__ or "").strip()


def _summary(name: str) -> str:
    return _documentation(name).partition("\n")[0]
