"""Generates the pages about configuration keys and output formats from their tables."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from extlint.cli.commands.check import check_command
from extlint.linting.configuration.keys import ENTRY_KEYS, KEYS, Key
from extlint.report.reporter import DEFAULT, FORMATS, IN_GITHUB_ACTIONS
from extlint_site.markdown import code, escape, hidden_toctree, table

_EXAMPLE = "examples/read-later"
_LANGUAGES = {
    "json": "json",
    "json-lines": "json",
    "sarif": "json",
    "gitlab": "json",
    "junit": "xml",
    "checkstyle": "xml",
    "markdown": "markdown",
}


def configuration_keys() -> str:
    """Returns a section for each key."""
    entries = "\n".join(
        f"| `{each.name}` | {escape(each.about)} | {escape(each.default)} |" for each in ENTRY_KEYS
    )
    of_entry = f"| key of an entry | | default |\n|---|---|---|\n{entries}\n"
    return "\n".join(
        _key(each) + (f"\n{of_entry}" if each.name == "extension" else "") for each in KEYS.values()
    )


def _key(key: Key) -> str:
    options = {name for each in check_command.params for name in each.opts}
    rows = [("value", escape(key.kind.description)), ("default", escape(key.default))]
    if f"--{key.name}" in options:
        rows.append(("option", f"[`--{key.name}`](commands/check.md)"))
    if key.name != "extension":
        rows.append(("in an `[[extension]]` entry", "yes" if key.in_entries else "no"))
    return f"## {key.name}\n\n{escape(key.about)}\n\n{table(('', ''), rows)}"


def format_pages(run: Callable[[list[str]], str], extra: Path) -> Iterator[tuple[str, str]]:
    """Yields the name and text of each page. `run` returns the output of a command line.

    An HTML output is written into the folder `extra`.
    """
    rows = [(f"[`{each.name}`]({each.name}.md)", escape(each.about)) for each in FORMATS.values()]
    default = f"The default is `{DEFAULT}`, and in GitHub Actions `{IN_GITHUB_ACTIONS}`."
    several = "Several at once are written as `--output-format FORMAT:FILE`."
    listed = table(("format", "what it shows"), rows)
    yield "formats/index", f"# Output formats\n\n{default} {several}\n\n{listed}\n{hidden_toctree(FORMATS)}"
    for name, each in FORMATS.items():
        command = f"extlint check {_EXAMPLE} --output-format {name}"
        output = run(command.split()[1:])
        if output.startswith("<!"):
            (extra / f"{name}-example.html").write_text(output, "utf-8")
            link = f'<a href="../../{name}-example.html">the page that this writes</a>'
            shown = f"{code(f'$ {command}:report.html', 'console')}\n\nSee {link}."
        else:
            shown = f"{code(f'$ {command}', 'console')}\n\n{code(output, _LANGUAGES.get(name, 'text'))}"
        yield f"formats/{name}", f"# {name}\n\n{escape(each.about[0].upper() + each.about[1:])}.\n\n{shown}\n"


def output_at(root: Path, arguments: list[str]) -> str:
    """Returns the output of extlint in a folder."""
    variables = {
        name: text for name, text in os.environ.items() if name not in ("FORCE_COLOR", "EXTLINT_DEBUG")
    }
    command = [sys.executable, "-m", "extlint", *arguments]
    return subprocess.run(
        command, cwd=root, env=variables, check=False, stdout=subprocess.PIPE, encoding="utf-8"
    ).stdout
