"""Formats the result of looking up a name or a manifest key as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from extlint.schema.model import MANIFEST_KEY_PREFIX
from extlint.schema.targets import Target, browser_name
from extlint.services.api_lookup.entry import Entry, Part
from extlint.services.api_lookup.manifest_keys import ManifestKey
from extlint.text.wording import available_in, listed

_CONTEXTS = {
    "background page": "background pages",
    "service worker": "service workers",
    "extension page": "extension pages",
    "content script": "content scripts",
    "developer tools page": "developer tools pages",
    "offscreen document": "offscreen documents",
    "user script": "user scripts",
}
_BACKGROUND = frozenset({"background page", "service worker"})

_HOST = {"host": "the host permission", "activeTab": "the host permission or activeTab"}

_INSTALL = {"policy": "by policy only", "unpacked": "unpacked only"}

NAME_HINT = "`extlint schema NAME` shows one of them, a member, a key of the manifest, or a permission"

_RESULT_BY = {
    "callback": "passed to the callback, or returned as a promise",
    "promise": "returned as a promise",
    "return": "returned",
}


def overview(by_target: Mapping[str, Iterable[str]]) -> str:
    """Returns some targets' namespaces, one per line; with several targets, also the targets of each."""
    names = sorted({name for each in by_target.values() for name in each})
    having = {
        name: [browser_name(target) for target, each in by_target.items() if name in each] for name in names
    }
    several = len(by_target) > 1
    rows = [(name, listed(having[name], "and") if several else "") for name in names]
    return "\n".join([*table("Namespaces", rows), "", NAME_HINT]) + "\n"


def page(entry: Entry) -> str:
    """Returns a page with everything known about one name."""
    lines = [entry.signature]
    if entry.description:
        lines += ["", entry.description]
    return "\n".join([*lines, "", *_facts(entry)]) + "\n"


def _facts(entry: Entry) -> Iterator[str]:
    if not Target(entry.target).is_specification:
        yield fact("Target", browser_name(entry.target))
    yield from (fact(*each) for each in availability_facts(entry))
    if entry.type is not None and not entry.properties:
        yield fact("Type", entry.type)
    if entry.kind in ("function", "event"):
        yield from _parameters(entry)
    if entry.kind == "function":
        yield fact("Result", result_text(entry))
    yield from table("Properties", _rows(entry.properties))
    yield from table("Values", [(each.name, each.description) for each in entry.values])
    prefix = f"{entry.name}."
    yield from table(
        "Members", [(each.signature.removeprefix(prefix), each.kind, _note(each)) for each in entry.members]
    )
    if entry.documentation is not None:
        yield fact("Read more", entry.documentation)


def availability_facts(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yields the conditions under which a member can be used, each with a label."""
    is_used = entry.kind not in ("namespace", "type")
    if is_used:
        elsewhere = "; " + available_in("today's " + entry.browsers) if entry.browsers else ""
        yield "Status", entry.status + elsewhere
    if entry.successor is not None:
        yield "Instead", entry.successor
    if is_used or (entry.permissions and entry.kind == "namespace"):
        yield "Permission", _permission(entry) or "none"
    if keys := _alternatives(_keys(entry)):
        yield "Key", f"{keys} in the manifest"
    if entry.user_gesture:
        yield "Gesture", "requires a user action, such as a click or a key press"
    if entry.install is not None:
        yield "Installed", _INSTALL.get(entry.install, entry.install)
    if is_used or (entry.contexts and any(each.kind != "type" for each in entry.members)):
        yield "Contexts", _context_names(entry)
    if len(entry.manifest_versions) == 1:
        yield "Manifest", f"V{entry.manifest_versions[0]} only"
    if entry.platforms:
        yield "Systems", listed(entry.platforms, "and")
    if entry.channel not in (None, "stable"):
        yield "Channel", f"{entry.channel} releases only"
    if entry.versions:
        yield "Versions", ", ".join(shown_versions(entry.versions))


def shown_versions(known: Mapping[str, list[str] | bool]) -> Iterator[str]:
    """Yields the versions of each browser that have something: `Chrome 88`, `not in Safari`."""
    for browser, found in known.items():
        name = browser_name(browser)
        if isinstance(found, bool):
            yield f"not in {name}"
            continue
        added, *removed = (f"{each[2:]} or earlier" if each.startswith("<=") else each for each in found)
        yield f"{name} {added}" + "".join(f" until {each}" for each in removed)


def _keys(entry: Entry) -> list[tuple[str, ...]]:
    return [
        tuple(each.removeprefix(MANIFEST_KEY_PREFIX) for each in group)
        for group in entry.permissions
        if all(each.startswith(MANIFEST_KEY_PREFIX) for each in group)
    ]


def _alternatives(groups: Sequence[Sequence[str]]) -> str:
    return ", and ".join(listed(group, "or") for group in groups)


def _note(entry: Entry) -> str:
    status = "" if entry.status == "supported" else f"{entry.status.capitalize()}. "
    permission = _permission(entry)
    noun = "" if permission.startswith("the ") else "the permission "
    required = f"Requires {noun}{permission}. " if permission else ""
    return (status + required + entry.description).strip()


def fact(label: str, text: str) -> str:
    """Returns a line of a page."""
    return f"{label:<12}{text}"


def _is_manifest_key(permission: str) -> bool:
    return permission.startswith(MANIFEST_KEY_PREFIX)


def _permission(entry: Entry) -> str:
    """Returns the permissions as text; those that are required only for calls come last."""
    there = [group for group in entry.permissions if not all(map(_is_manifest_key, group))]
    calls = [f"{_alternatives(entry.call_permissions)} to call it"] if entry.call_permissions else []
    host = [_HOST.get(entry.host, entry.host)] if entry.host is not None else []
    return ", and ".join([*([_alternatives(there)] if there else []), *calls, *host])


def _context_names(entry: Entry) -> str:
    names = dict.fromkeys(
        "background scripts"
        if set(entry.contexts) >= _BACKGROUND and each in _BACKGROUND
        else _CONTEXTS[each]
        for each in entry.contexts
    )
    return listed(tuple(names), "and") if names else "none"


def _parameters(entry: Entry) -> Iterator[str]:
    label = "Parameters" if entry.kind == "function" else "Listener"
    if not entry.parameters:
        yield fact(label, "no parameters")
    elif entry.parameters_judged:
        yield from table(label, _rows(entry.parameters))
    else:
        yield from table(f"{label} (number and types are not checked)", _rows(entry.parameters))
    yield from table("After the listener", _rows(entry.extra))


def result_text(entry: Entry) -> str:
    """Returns the result of a function, and how it is passed."""
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


def table(label: str, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yields a label and a line for each row, in columns, or nothing without rows."""
    lines = list(rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    if lines:
        yield label
    for row in lines:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def key_page(key: ManifestKey) -> str:
    """Returns a page with everything known about one key."""
    return "\n".join([f"{key.name} in the manifest", "", *_facts_of_key(key)]) + "\n"


def _facts_of_key(key: ManifestKey) -> Iterator[str]:
    yield from (fact(*each) for each in key_facts(key))
    if key.documentation is not None:
        yield fact("Read more", key.documentation)


def key_facts(key: ManifestKey) -> Iterator[tuple[str, str]]:
    """Yields everything known about a key, each fact with a label, except where to read more."""
    yield "Targets", ", ".join(_targets_with_versions(key))
    yield from facts_by_value("Type", key.types)
    if key.deprecated:
        yield "Deprecated", f"in {listed([browser_name(each) for each in key.deprecated], 'and')}"
    if key.keys:
        yield "Keys", ", ".join(key.keys)
    if key.versions:
        yield "Versions", ", ".join(shown_versions(key.versions))


def _targets_with_versions(key: ManifestKey) -> Iterator[str]:
    for target, versions in key.manifest_versions.items():
        only = f" (V{versions[0]} only)" if len(versions) == 1 else ""
        yield f"{browser_name(target)}{only}"


def facts_by_value(label: str, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yields one fact if all targets share a value, or a fact for each value with its targets.

    Only the first of them has the label.
    """
    targets: dict[str, list[str]] = {}
    for target, value in values.items():
        targets.setdefault(value, []).append(browser_name(target))
    for number, (value, names) in enumerate(targets.items()):
        suffix = f" in {listed(names, 'and')}" if len(targets) > 1 else ""
        yield "" if number else label, f"{value}{suffix}"
