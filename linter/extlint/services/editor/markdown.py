"""Writes what is known about a name as Markdown, with the differences between the targets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from extlint.schema.targets import browser_name
from extlint.services.api_lookup.entry import Entry, Part
from extlint.services.api_lookup.manifest_keys import ManifestKey
from extlint.services.api_lookup.page import (
    availability_facts,
    facts_by_value,
    key_facts,
    result_text,
    shown_versions,
)
from extlint.services.editor.audience import Audience
from extlint.services.permissions.prompts import KnownPermission, permission_facts
from extlint.text.wording import listed

MAX_PARTS = 40
"""The maximum number of properties or values that are listed."""

MAX_GIVEN = 12
"""The maximum number of members that are listed for a permission."""

_SPECIAL = str.maketrans({each: f"\\{each}" for each in "\\`*<[~&"})
_SUPPORTED = "supported"
_CHROME_SITE = "https://developer.chrome.com/"


def text(plain: str) -> str:
    """Returns a text with its special characters escaped."""
    return plain.translate(_SPECIAL)


def code(name: str) -> str:
    """Returns a name as code."""
    return f"`` {name} ``" if "`" in name else f"`{name}`"


def code_block(line: str, language: str = "js") -> str:
    """Returns a line as a block of code."""
    return f"```{language}\n{line}\n```"


def entries_markdown(audience: Audience, entries: Sequence[Entry]) -> str:
    """Returns what is known about a name of the API, whose entries are those of several targets."""
    first = entries[0]
    blocks = [code_block(first.signature)]
    blocks += [text(each.description) for each in entries if each.description][:1]
    lines = [*_status(audience, entries), *_conditions(audience, entries)]
    if first.type not in (None, "any value") and not first.properties:
        lines.append(fact("Type", code(first.type)))
    if first.kind == "function":
        lines.append(fact("Result", text(result_text(first))))
    blocks.append("\n".join(lines))
    label = "Listener" if first.kind == "event" else "Parameters"
    blocks += _part_list(label, _merged([(each.target, each.parameters) for each in entries]))
    blocks += _part_list("Properties", _merged([(each.target, each.properties) for each in entries]))
    blocks += _part_list("Values", _merged([(each.target, each.values) for each in entries]))
    blocks.append(_links(each.documentation for each in entries))
    return "\n\n".join(filter(None, blocks))


def key_markdown(audience: Audience, key: ManifestKey) -> str:
    """Returns what is known about a key of the manifest."""
    return _page(audience, f'"{key.name}"', key_facts(key), key.versions, [key.documentation])


def permission_markdown(audience: Audience, permission: KnownPermission) -> str:
    """Returns what is known about a permission."""
    given = permission.members
    facts = [
        (label, words if label != "Gives" or len(given) <= MAX_GIVEN else _counted(given))
        for label, words in permission_facts(permission)
    ]
    return _page(audience, f'"{permission.name}"', facts, {}, [])


def pattern_markdown(audience: Audience, pattern: str, prompts: Mapping[str, str]) -> str:
    """Returns what is known about a host pattern. `prompts` has the prompts of targets."""
    return _page(audience, f'"{pattern}"', facts_by_value("Asks users", prompts), {}, [])


def part_markdown(part: Part, owner: str, note: str) -> str:
    """Returns what is known about a property of an object, or a value; `owner` is what has it."""
    mark = "?" * part.optional
    lines = [code_block(f"{part.name}{mark}: {part.type}"), text(part.description)]
    lines.append(f"In {code(owner)}" + (f", {note}" if note else ""))
    return "\n\n".join(filter(None, lines))


def fact(label: str, words: str) -> str:
    """Returns a fact as an item of a list."""
    return f"- **{label}:** {words}"


def _page(
    audience: Audience,
    title: str,
    facts: Iterable[tuple[str, str]],
    versions: Mapping[str, list[str] | bool],
    links: Iterable[str | None],
) -> str:
    lines: list[str] = []
    for label, words in facts:
        if label == "Versions":
            words = ", ".join(shown_versions(_targets_first(audience, versions)))
        if label:
            lines.append(fact(label, text(words)))
        else:
            lines[-1] += f"; {text(words)}"
    return "\n\n".join(filter(None, [code_block(title, "json"), "\n".join(lines), _links(links)]))


def _status(audience: Audience, entries: Sequence[Entry]) -> Iterator[str]:
    if not audience.targets:
        return
    having = {each.target for each in entries if each.status != "unsupported"}
    missing = [browser_name(each) for each in audience.names if each not in having]
    if missing:
        yield fact("Not in", listed(missing, "and"))
    versions = {each.target: each.manifest_versions for each in entries}
    if all(audience.version not in each for each in versions.values()):
        yield fact("Not in", f"Manifest V{audience.version}")


def _conditions(audience: Audience, entries: Sequence[Entry]) -> Iterator[str]:
    facts: dict[str, dict[str, str]] = {}
    for each in entries:
        for label, words in availability_facts(each):
            if label == "Versions":
                words = ", ".join(shown_versions(_targets_first(audience, each.versions)))
            if label == "Status" and words == _SUPPORTED:
                continue
            facts.setdefault(label, {})[each.target] = words
    count = len({each.target for each in entries})
    for label, by_target in facts.items():
        yield fact(label, _by_target(by_target, count))


def _by_target(words: Mapping[str, str], count: int) -> str:
    """Returns one text if all targets share it, or each text with its targets."""
    targets: dict[str, list[str]] = {}
    for target, each in words.items():
        targets.setdefault(each, []).append(browser_name(target))
    if len(targets) == 1 and len(words) == count:
        return text(next(iter(targets)))
    return "; ".join(f"{text(each)} (in {listed(names, 'and')})" for each, names in targets.items())


def _targets_first(
    audience: Audience, versions: Mapping[str, list[str] | bool]
) -> dict[str, list[str] | bool]:
    first = {name: versions[name] for name in audience.names if name in versions}
    return {**first, **versions}


class _MergedPart:
    def __init__(self, part: Part) -> None:
        self.part = part
        self.targets: list[str] = []
        self.inner: dict[str, _MergedPart] = {}


def _merged(parts_of: Sequence[tuple[str, Sequence[Part]]]) -> list[tuple[Part, str, str]]:
    """Returns the parts of all targets, each with a note about its targets, and its own parts as a text."""
    found: dict[str, _MergedPart] = {}
    for target, parts in parts_of:
        _merge(found, target, parts)
    everywhere = {target for target, parts in parts_of if parts}
    shown: list[tuple[Part, str, str]] = []
    for each in found.values():
        inner = [
            code(part.part.name + "?" * part.part.optional) + _note(part, set(each.targets))
            for part in each.inner.values()
        ]
        shown.append((each.part, _note(each, everywhere), ", ".join(inner[:MAX_PARTS])))
    return shown


def _merge(found: dict[str, _MergedPart], target: str, parts: Sequence[Part]) -> None:
    for part in parts:
        merged = found.setdefault(part.name, _MergedPart(part))
        merged.targets.append(target)
        _merge(merged.inner, target, part.parts)


def _note(part: _MergedPart, everywhere: set[str]) -> str:
    missing = everywhere - set(part.targets)
    return f" ({listed([browser_name(each) for each in part.targets], 'and')})" if missing else ""


def _part_list(label: str, parts: Sequence[tuple[Part, str, str]]) -> list[str]:
    if not parts:
        return []
    lines = [f"{label}:"]
    for part, note, inner in parts[:MAX_PARTS]:
        kind = f": {text(part.type)}" if part.type and label != "Values" else ""
        described = f" – {text(part.description)}" if part.description else ""
        inside = f" with {inner}" if inner else ""
        lines.append(f"- {code(part.name + '?' * part.optional)}{kind}{inside}{note}{described}")
    if len(parts) > MAX_PARTS:
        lines.append(f"- and {len(parts) - MAX_PARTS} more")
    return [lines[0] + "\n\n" + "\n".join(lines[1:])]


def _counted(names: Sequence[str]) -> str:
    return listed([*names[:MAX_GIVEN], f"{len(names) - MAX_GIVEN} more"], "and")


def _links(addresses: Iterable[str | None]) -> str:
    found = dict.fromkeys(each for each in addresses if each is not None)
    return " · ".join(
        f"[{'Chrome documentation' if each.startswith(_CHROME_SITE) else 'MDN'}]({each})" for each in found
    )
