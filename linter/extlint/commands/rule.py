"""`extlint rule`."""

from __future__ import annotations

from collections.abc import Iterable

import click

from extlint.commands.names import format_option, unknown
from extlint.commands.streams import write
from extlint.registry import RULES, load


@click.command("rule", short_help="List the rules, or explain one.")
@click.argument("name", required=False, metavar="[NAME]")
@format_option(("text", "json"))
def rule_command(name: str | None, output_format: str) -> int:
    """List the rules, or explain one: what it finds, why that is bad, and what to do instead."""
    if name is not None and name not in RULES:
        raise click.UsageError(unknown("rule", name, RULES))
    names = RULES if name is None else (name,)
    if output_format == "json":
        write(_as_json(names))
    elif name is None:
        width = max(map(len, RULES))
        write("".join(f"{each:{width}}  {_severity(each):7}  {_summary(each)}\n" for each in names))
    else:
        write(f"{name} ({_severity(name)})\n\n{_documentation(name)}\n")
    return 0


def _as_json(names: Iterable[str]) -> str:
    import json

    rules = [
        {
            "name": each,
            "severity": _severity(each),
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
