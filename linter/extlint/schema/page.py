"""What the schemas say of a name, as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from extlint.schema.lookup import Entry, Part
from extlint.wording import listed

_CONTEXTS = {
    "content": "content scripts",
    "content_only": "content scripts",
    "devtools": "developer tools pages",
    "devtools_only": "developer tools pages",
}
_OTHERWISE = "background scripts and extension pages"

_RESULT_BY = {
    "callback": "passed to the callback, or promised without one",
    "promise": "promised",
    "return": "returned",
}


def overview(namespaces: Iterable[Entry]) -> str:
    """The namespaces with their members, a line for each."""
    return "\n".join(map(page, namespaces))


def page(entry: Entry) -> str:
    """All that is known of one name."""
    lines = [entry.signature]
    if entry.description:
        lines += ["", entry.description]
    return "\n".join([*lines, "", *_facts(entry)]) + "\n"


def _facts(entry: Entry) -> Iterator[str]:
    if entry.kind == "namespace":
        yield from _namespace(entry)
    elif entry.kind != "type":
        elsewhere = f"; it exists in today's {entry.browsers}" if entry.browsers else ""
        yield _fact("Status", entry.status + elsewhere)
        yield _fact("Permission", _permission(entry) or "none")
        yield from _worlds(entry)
    if entry.type is not None and not entry.properties:
        yield _fact("Type", entry.type)
    if entry.kind in ("function", "event"):
        yield from _parameters(entry)
    if entry.kind == "function":
        yield _fact("Result", _result(entry))
    yield from _table("Properties", _rows(entry.properties))
    yield from _table("Values", [(each.name, each.description) for each in entry.values])


def _namespace(entry: Entry) -> Iterator[str]:
    if entry.permissions:
        yield _fact("Permission", _permission(entry))
    if any(each.kind != "type" for each in entry.members):
        yield from _worlds(entry)
    prefix = f"{entry.name}."
    yield from _table(
        "Members", [(each.signature.removeprefix(prefix), each.kind, _note(each)) for each in entry.members]
    )


def _note(entry: Entry) -> str:
    status = "" if entry.status == "supported" else f"{entry.status.capitalize()}. "
    permission = f"Needs the permission {_permission(entry)}. " if entry.permissions else ""
    return (status + permission + entry.description).strip()


def _fact(label: str, text: str) -> str:
    return f"{label:<12}{text}"


def _permission(entry: Entry) -> str:
    return ", and ".join(listed(group, "or") for group in entry.permissions)


def _worlds(entry: Entry) -> Iterator[str]:
    worlds = dict.fromkeys(_CONTEXTS.get(each, each) for each in entry.contexts)
    yield _fact("Contexts", listed(tuple(worlds), "and") if worlds else _OTHERWISE)
    if len(entry.manifest_versions) == 1:
        yield _fact("Manifest", f"version {entry.manifest_versions[0]} only")


def _parameters(entry: Entry) -> Iterator[str]:
    label = "Parameters" if entry.kind == "function" else "Listener"
    if not entry.parameters:
        yield _fact(label, "no parameters")
    elif entry.parameters_judged:
        yield from _table(label, _rows(entry.parameters))
    else:
        yield from _table(f"{label} (neither number nor types are judged)", _rows(entry.parameters))


def _result(entry: Entry) -> str:
    if entry.result_by is None:
        return "none declared"
    if entry.result is None:
        return "a promise"
    what = ", ".join(each.type for each in entry.result) or "nothing"
    return f"{what}; {_RESULT_BY[entry.result_by]}"


def _rows(parts: Iterable[Part], indent: str = "") -> Iterator[Sequence[str]]:
    for part in parts:
        yield indent + part.name, part.type + ", optional" * part.optional, part.description
        yield from _rows(part.parts, indent + "  ")


def _table(label: str, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A label and a line for each row, in columns; nothing without rows."""
    lines = list(rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    if lines:
        yield label
    for row in lines:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
