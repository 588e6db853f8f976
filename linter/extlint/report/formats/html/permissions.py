"""The table of permissions: a manifest's requests, their lines, and the findings about them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from extlint.finding import Finding
from extlint.manifest.manifest import HOST_PERMISSIONS, PERMISSIONS, read_manifest
from extlint.package.files import Package, UnreadableError
from extlint.report.formats.html.markup import element, message, text
from extlint.text.positions import Position

_ABOUT_MISSING = ("missing-permission", "missing-host-permission")
"""The rules about permissions that a manifest should request, but does not."""


def permissions(package: Package, findings: Sequence[Finding]) -> str:
    """Returns the table, folded, or an empty string if no permission is requested or missing."""
    requested = list(_requested(package, findings))
    missing = list(_missing(findings))
    if not requested and not missing:
        return ""
    head = "".join(element("th", each, scope="col") for each in ("Permission", "Requested in", "Findings"))
    rows = "".join(element("tr", each) for each in requested + missing)
    table = element("table", element("thead", element("tr", head)) + element("tbody", rows))
    count = f"{len(requested)} requested" + (f", {len(missing)} missing" if missing else "")
    return element("details", element("summary", f"Permissions: {count}") + table, class_="permissions")


def _requested(package: Package, findings: Sequence[Finding]) -> Iterator[str]:
    """Yields a row for each permission and each host pattern in the manifest."""
    path = package.manifest_path
    try:
        manifest = read_manifest(path, package.read(path))
    except (KeyError, UnreadableError):
        return
    at: defaultdict[Position, list[Finding]] = defaultdict(list)
    for each in findings:
        if each.path == path:
            at[each.span.start].append(each)
    for key in (*PERMISSIONS, *HOST_PERMISSIONS):
        for name, node in manifest.strings(key):
            place = manifest.span(node.span).start
            messages = "<br>".join(message(each.message) for each in at[place])
            where = element("code", text(key)) + element("small", f" line {place.line}")
            yield _row(element("code", text(name)), where, messages)


def _missing(findings: Sequence[Finding]) -> Iterator[str]:
    """Yields a row for each message about a missing permission, with the number of locations."""
    counts: defaultdict[str, int] = defaultdict(int)
    for each in findings:
        if each.rule in _ABOUT_MISSING:
            counts[each.message] += 1
    for sentence, count in counts.items():
        places = f" ({count} places)" if count > 1 else ""
        yield _row(element("em", "missing"), "", message(sentence) + places)


def _row(*cells: str) -> str:
    return "".join(element("td", each) for each in cells)
