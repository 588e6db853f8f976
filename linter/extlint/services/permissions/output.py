"""Renders the table of permissions, and compares it with that of an older version."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from extlint.manifest.manifest import Manifest, read_manifest
from extlint.package.discovery.find import find_packages
from extlint.package.files import MANIFEST, Package, UnreadableError, path_below
from extlint.report.formats.json_output import span_as_json
from extlint.report.terminal import Style
from extlint.report.visible import visible
from extlint.schema.engine import Engine
from extlint.services.permissions.prompts import Kind, Request, prompts_at_update, requests_of
from extlint.services.permissions.table import PermissionTable, Row, Use
from extlint.text.wording import counted, listed


class Comparison(Struct, frozen=True):
    """The added and removed requests, and the prompts that users see before the update.

    `against` names the older version. `prompts` has only the browsers that show a prompt.
    """

    against: str
    added: tuple[Request, ...]
    removed: tuple[Request, ...]
    prompts: Mapping[str, tuple[str, ...]]


def compare_with(table: PermissionTable, before: Manifest, against: str) -> Comparison:
    """Returns the change from an older manifest to an extension."""
    old, new = tuple(requests_of(before)), table.requests
    prompts_by_target = {
        name: prompts_at_update(engine, table.version, old, new) for name, engine in table.engines.items()
    }
    return Comparison(
        against,
        _without(new, old),
        _without(old, new),
        {name: prompts for name, prompts in prompts_by_target.items() if prompts},
    )


def _without(requests: tuple[Request, ...], excluded: tuple[Request, ...]) -> tuple[Request, ...]:
    known = {(each.name, each.kind) for each in excluded}
    return tuple(each for each in requests if (each.name, each.kind) not in known)


def consequence(browser: str, engine: Engine) -> str:
    """Returns the effect of an update that prompts the user, as both browsers document it."""
    if engine is Engine.GECKO:
        return f"{browser} keeps the old version until the user lets the new one"
    return f"{browser} turns the extension off until the user lets it"


TIMEOUT = 30
"""Seconds that Git may take to show one file."""

MAX_MANIFEST_BYTES = 10_000_000
"""Bytes of a manifest that Git may show."""


def older_manifest(package: Package, against: str) -> Manifest:
    """Returns the manifest that a path or a Git revision names, of the same extension as `package`.

    A path with several extensions means the one of the same name. Raises UnreadableError, with a sentence
    that gives the reason, if that does not exist.
    """
    if Path(against).exists():
        return _at_path(package, against)
    return _in_git(package, against)


def _at_path(package: Package, against: str) -> Manifest:
    found: list[Package] = []
    for each in find_packages([against]):
        if isinstance(each, UnreadableError):
            raise each
        found.append(each)
    return manifest_among(found, package, against)


def manifest_among(found: Sequence[Package], package: Package, against: str) -> Manifest:
    """Returns the manifest of the same extension as `package` among the extensions in `against`.

    Raises UnreadableError if it is not clear which one that is.
    """
    last = Path(package.name).name
    chosen = found if len(found) == 1 else [each for each in found if Path(each.name).name == last]
    if len(chosen) != 1:
        raise UnreadableError(
            f"{against} has {len(found)} extensions; name the one to compare {package.name} with"
        )
    (old,) = chosen
    path = package.manifest_path if package.manifest_path in old.variants else old.manifest_path
    return _read(path, old.read(path), against)


def _in_git(package: Package, revision: str) -> Manifest:
    folder = Path(package.name)
    if package.packed or not folder.is_dir() or revision.startswith("-"):
        raise UnreadableError(f"no such file or folder: {revision}")
    # `cat-file` runs no filter, pager or hook of the repository.
    command = ["git", "--no-optional-locks", "cat-file", "blob", f"{revision}:./{package.manifest_path}"]
    try:
        shown = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT, check=False
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        raise UnreadableError(
            f"{revision} does not exist, and Git cannot be asked for a revision of that name"
        ) from None
    if shown.returncode != 0:
        raise UnreadableError(
            f"{revision} is not a file or folder, and not a revision that has the "
            f"{package.manifest_path} of {package.name} in Git"
        )
    if len(shown.stdout) > MAX_MANIFEST_BYTES:
        raise UnreadableError(f"{package.manifest_path} of {revision} is too large")
    return _read(package.manifest_path, shown.stdout, revision)


def _read(path: str, data: bytes, against: str) -> Manifest:
    manifest = read_manifest(path, data)
    if not manifest.is_object:
        raise UnreadableError(f"{path} of {against} is not a manifest that can be read")
    return manifest.for_every_browser


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
