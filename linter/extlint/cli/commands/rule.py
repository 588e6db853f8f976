"""`extlint rule`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from io import StringIO
from shutil import get_terminal_size

import click

from extlint.cli.click_options import declare_option, shell_completion
from extlint.cli.option import format_option, name_completion
from extlint.cli.process import SUCCESS
from extlint.cli.streams import use_color, write
from extlint.linting.configuration.usage_error import UsageError, unknown_name_message
from extlint.registry import GROUPS, RULES, rules_in
from extlint.report.reporter import documentation, page_url, summary
from extlint.rule import Fixable, Group

MAX_WIDTH = 110
"""The maximum number of columns; longer lines are hard to read."""

_FILE_OF_CODE = re.compile(r"^```(\w+) (\S+)$", re.MULTILINE)
_HEADING = re.compile(r"\A(.*)\n")


def render_markdown(page: str, columns: int) -> str:
    """Renders a page of Markdown with escape sequences, for a terminal with this many columns.

    Its first line is a title.

    The names of files in the first lines of code blocks are shown before the blocks.
    """
    from rich.console import Console
    from rich.markdown import Markdown

    text = _HEADING.sub(r"# \1\n", _FILE_OF_CODE.sub(r"`\2`\n\n```\1", page), count=1)
    out = StringIO()
    console = Console(file=out, force_terminal=True, color_system="standard", width=min(columns, MAX_WIDTH))
    console.print(Markdown(text, code_theme="ansi_dark"))
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


_SILENCE = """\
To silence one finding, write the comment `// extlint-disable-next-line {name} -- reason` before its
line, also in a manifest (`<!-- ... -->` in HTML, `/* ... */` in CSS). `--ignore {name}` silences all,
and `per-file-ignores` in the configuration those in some files.
"""

_FIXES = {
    Fixable.NO: "`--fix` does not fix findings of this rule.",
    Fixable.UNSAFELY: "Some findings of this rule can be fixed with `--fix --unsafe-fixes`.",
    Fixable.SAFELY: "Some findings of this rule can be fixed with `--fix`, and some others with "
    "`--fix --unsafe-fixes`.",
}


@click.command("rule", short_help="List the rules, or explain one.")
@click.argument(
    "name", required=False, metavar="[NAME]", shell_complete=shell_completion(name_completion("rule"))
)
@declare_option(format_option({"text": "for people", "json": "for programs"}))
def rule_command(name: str | None, output_format: str) -> int:
    """List the rules, or explain one: what it finds, why that is bad, and what to do instead.

    With the name of a group, such as manifest, list the rules in it.
    """
    if name is None:
        groups = tuple(GROUPS.values())
    elif name in GROUPS:
        groups = (GROUPS[name],)
    elif name in RULES:
        groups = ()
    else:
        raise UsageError(unknown_name_message("rule", name, (*RULES, *GROUPS)))
    names = [each for group in groups for each in rules_in(group.name)] if name not in RULES else [name]
    if output_format == "json":
        write(_as_json(names))
    elif name in RULES:
        _show(_page(name))
    else:
        write(_as_list(groups))
    return SUCCESS


def _show(page: str) -> None:
    """Writes a page: as it is, or rendered for a terminal with colors."""
    if use_color("auto", sys.stdout):
        page = render_markdown(page, get_terminal_size().columns)
    write(page)


def _as_list(groups: Sequence[Group]) -> str:
    """Returns one line for each rule, grouped."""
    width = max(len(name) for group in groups for name in rules_in(group.name))
    return "\n".join(
        f"The group {group.name}: {group.about}{_run_condition(group)}\n\n"
        + "".join(
            f"{each:{width}}  {RULES[each].severity!s:7}  {summary(each)}\n" for each in rules_in(group.name)
        )
        for group in groups
    )


def _run_condition(group: Group) -> str:
    return "" if group.runs is None else f"; runs {group.runs}"


def _page(name: str) -> str:
    rule = RULES[name]
    where = "" if rule.group.runs is None else f", which runs {rule.group.runs}"
    group = f"This rule is in the group {rule.group.name}{where}.\n"
    page = f"On the web: {page_url(name)}\n"
    facts = f"{group}{how_to_fix(name)}\n"
    return f"{name} ({rule.severity})\n\n{documentation(name)}\n\n{facts}\n{how_to_silence(name)}\n{page}"


def how_to_fix(name: str) -> str:
    """Describes in Markdown whether a rule's findings can be fixed, and with which options."""
    return _FIXES[RULES[name].fixable]


def how_to_silence(name: str) -> str:
    """Returns the way to suppress a rule's findings, in Markdown."""
    return _SILENCE.format(name=name)


def _as_json(names: Iterable[str]) -> str:
    import json

    rules = [
        {
            "name": each,
            "severity": str(RULES[each].severity),
            "group": RULES[each].group.name,
            "fixable": RULES[each].fixable.value,
            "summary": summary(each),
            "url": page_url(each),
            "documentation": documentation(each),
        }
        for each in names
    ]
    return json.dumps({"version": 1, "rules": rules}, indent=2) + "\n"
