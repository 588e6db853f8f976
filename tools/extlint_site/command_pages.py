"""Generates a page for each command from its click definition, and one about exit statuses."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise

import click

from extlint.cli import process
from extlint.cli.program import COMMANDS, extlint
from extlint_site.markdown import code, escape, hidden_toctree, table

_OTHER = "Other options"


def command_pages() -> Iterator[tuple[str, str]]:
    """Yields the name and text of each page."""
    commands = {
        name: getattr(import_module(f"extlint.cli.commands.{name}"), each) for name, each in COMMANDS.items()
    }
    rows = [
        (f"[`extlint {name}`]({name}.md)", escape(each.get_short_help_str(200)))
        for name, each in commands.items()
    ]
    yield (
        "commands/index",
        f"# Commands\n\n{table(('command', ''), rows)}\n{_statuses()}\n{hidden_toctree(commands)}",
    )
    for name, command in commands.items():
        yield f"commands/{name}", _page(name, command)


def _page(name: str, command: click.Command) -> str:
    program = click.Context(extlint, info_name="extlint", **extlint.context_settings)
    context = click.Context(command, info_name=name, parent=program)
    usage = command.get_usage(context).removeprefix("Usage: ")
    about = escape(inspect.cleandoc(command.help or "").replace("\b\n", ""))
    titles = getattr(command.callback, "titles_of_options", {})
    sections: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and isinstance(parameter, click.Option):
            option = record[0].replace("|", r"\|")
            title = titles.get(parameter.name, _OTHER if titles else "Options")
            sections.setdefault(title, []).append((f"`{option}`", escape(record[1])))
    sections = dict(sorted(sections.items(), key=lambda each: each[0] == _OTHER))
    options = "\n".join(f"## {title}\n\n{table(('option', ''), rows)}" for title, rows in sections.items())
    return f"# extlint {name}\n\n{code(usage, 'text')}\n\n{about}\n\n{options}"


def _statuses() -> str:
    """Returns the exit statuses: each constant with its docstring."""
    body = ast.parse(inspect.getsource(process)).body
    rows = [
        (str(getattr(process, target.id)), escape(str(text.value)))
        for assigned, docstring in pairwise(body)
        if isinstance(assigned, ast.Assign) and isinstance(docstring, ast.Expr)
        for target, text in [(assigned.targets[0], docstring.value)]
        if isinstance(target, ast.Name) and isinstance(text, ast.Constant)
    ]
    return f"## Exit statuses\n\n{table(('status', ''), rows)}"
