"""Renders the table of permissions as text, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from extlint.package.files import MANIFEST, path_below
from extlint.report.formats.json_output import span_as_json
from extlint.report.terminal import Style
from extlint.report.visible import visible
from extlint.schema.engine import Engine
from extlint.services.permissions.comparison import Comparison, consequence
from extlint.services.permissions.prompts import Kind, Request
from extlint.services.permissions.table import PermissionTable, Row, Use
from extlint.text.wording import counted, listed

MAX_PLACES = 3
"""Locations of uses that are listed. The rest are counted."""

TITLES = {"chrome": "Chrome", "edge": "Edge", "firefox": "Firefox", "firefox_android": "Firefox for Android"}
"""The display names of the browsers with prompts."""


def render_table(
    table: PermissionTable, comparison: Comparison | None, style: Style, *, quiet: bool = False
) -> str:
    """Returns the lines about one extension; if `quiet`, without its requests."""
    is_named = table.manifest_path == MANIFEST
    name = style("bold", visible(table.name if is_named else path_below(table.name, table.manifest_path)))
    lines = [f"{name}: {_request_count(table)} ({_choice(table)})", *([] if quiet else _rows(table, style))]
    for browser, prompts in table.prompts.items():
        lines += ["", *_prompt_lines(TITLES[browser], prompts)]
    if comparison is not None:
        lines += ["", *_comparison_lines(comparison, table.engines, style)]
    return "".join(f"{line}\n" for line in lines)


def _request_count(table: PermissionTable) -> str:
    return counted(len(table.rows), "request") if table.rows else "requests no permissions"


def _choice(table: PermissionTable) -> str:
    return f"for {listed(list(table.choice.names), 'and')}: {table.choice.reason}"


def _rows(table: PermissionTable, style: Style) -> Iterator[str]:
    names = [visible(_name(row.request)) for row in table.rows]
    width = max(map(len, names), default=0)
    for name, row in zip(names, table.rows, strict=True):
        line = f"  {name:{width}}  {_use(row)}".rstrip()
        yield style("yellow", line) if row.is_unused else line


def _name(request: Request) -> str:
    how = {Kind.OPTIONAL: " (optional)", Kind.CONTENT_SCRIPT: " (content script)", Kind.KEY: " (key)"}
    return f"{request.name}{how.get(request.kind, '')}"


def _use(row: Row) -> str:
    if row.is_unused:
        return "not used anywhere in the package: it could go"
    if row.uses:
        places = [visible(_place(use)) for use in row.uses[:MAX_PLACES]]
        more = len(row.uses) - len(places)
        return f"{', '.join(places)}{f' and {more} more' if more else ''}"
    return ""


def _place(use: Use) -> str:
    return f"{use.path}:{use.line}:{use.column} {use.api}"


def _prompt_lines(browser: str, prompts: Sequence[str]) -> Iterator[str]:
    yield f"{browser} asks the user to let it:" if prompts else f"{browser} asks the user nothing"
    yield from (f"  - {visible(prompt)}" for prompt in prompts)


def _comparison_lines(comparison: Comparison, engines: Mapping[str, Engine], style: Style) -> Iterator[str]:
    against = visible(comparison.against)
    if not comparison.added and not comparison.removed:
        yield f"against {against}: nothing new, and nothing is gone"
        return
    for what, requests in (("new", comparison.added), ("gone", comparison.removed)):
        if requests:
            yield f"{what} against {against}: {', '.join(visible(_name(each)) for each in requests)}"
    if not comparison.prompts:
        yield "no browser asks the user about this update"
    for browser, prompts in comparison.prompts.items():
        sentence = consequence(TITLES[browser], engines[browser])
        yield style("red", f"{sentence}:")
        yield from (f"  - {visible(prompt)}" for prompt in prompts)


VERSION = 1
"""Version of the format, incremented when programs that read the output have to change. New keys do not
count.
"""


def permissions_as_json(found: Sequence[tuple[PermissionTable, Comparison | None]]) -> dict[str, Any]:
    """Returns the whole output as JSON values."""
    return {"version": VERSION, "extensions": [_extension(table, change) for table, change in found]}


def _extension(table: PermissionTable, comparison: Comparison | None) -> dict[str, Any]:
    return {
        "path": table.name,
        "manifest": table.manifest_path,
        "targets": list(table.choice.names),
        "targets_from": table.choice.origin.value,
        "permissions": [_row(table, row) for row in table.rows],
        "prompts": table.prompts,
        "against": None if comparison is None else _comparison(comparison),
    }


def _row(table: PermissionTable, row: Row) -> dict[str, Any]:
    return {
        **_request(row.request),
        "path": table.manifest_path,
        **span_as_json(row.request.span),
        "unused": row.is_unused,
        "uses": [{"api": use.api, "path": use.path, **span_as_json(use.span)} for use in row.uses],
        "prompts": row.prompts,
    }


def _comparison(comparison: Comparison) -> dict[str, Any]:
    return {
        "name": comparison.against,
        "added": [_request(each) for each in comparison.added],
        "removed": [_request(each) for each in comparison.removed],
        "prompts": comparison.prompts,
    }


def _request(request: Request) -> dict[str, str]:
    return {"name": request.name, "kind": request.kind.value}
