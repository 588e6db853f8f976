"""A baseline: the earlier findings of a project, which are not reported while they stay the same."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, TypeAlias

from msgspec import DecodeError, Meta, Struct, ValidationError, json
from msgspec.structs import replace

from extlint import __version__
from extlint.finding import Finding
from extlint.package.disk import read_file
from extlint.package.files import MANIFEST, Package, UnreadableError
from extlint.text.positions import Span, TextIndex, decode

MAX_LINE_LENGTH = 120
"""The maximum number of code points of a line that identify a finding in it; of a longer line, only those
around the finding do.
"""

_AROUND = 40

Identity: TypeAlias = tuple[str, str, str, str]
"""The rule, the file, the member (or the message without a member), and the text of the line."""


class Entry(Struct, frozen=True, omit_defaults=True):
    """The facts that a baseline stores about a finding, or about several similar ones.

    It never stores their position in the file.

    `line` is the text of the line, with insignificant white space removed. In JSON, where a line may have
    many values, it is the text of the value. It is empty for a finding about a whole file. `message` and
    `targets` are those of the run that wrote the baseline.
    """

    rule: str
    path: str
    message: str
    line: str = ""
    api: str | None = None
    targets: tuple[str, ...] = ()
    count: Annotated[int, Meta(ge=1)] = 1

    @property
    def identity(self) -> Identity:
        """The facts that stay the same for the same mistake, wherever it moves."""
        return self.rule, self.path, self.api or self.message, self.line


def entries_of(findings: Iterable[Finding], package: Package) -> list[Entry]:
    """Returns an entry for each finding of a package, merging similar ones."""
    entries: dict[Identity, Entry] = {}
    for each in _make_entries(findings, package):
        known = entries.setdefault(each.identity, each)
        if known is not each:
            entries[each.identity] = replace(known, count=known.count + 1)
    return sorted_entries(entries.values())


def sorted_entries(entries: Iterable[Entry]) -> list[Entry]:
    """Returns entries in the order of a baseline file."""
    return sorted(entries, key=lambda each: (each.path, each.rule, each.line, each.message, each.targets))


def without_baselined(
    findings: Sequence[Finding], package: Package, entries: Sequence[Entry], *, reworded: bool
) -> tuple[tuple[Finding, ...], list[Entry]]:
    """Returns the findings of a package that no entry matches, and the entries without a matching finding.

    If the messages may be `reworded`, because another version of extlint wrote them, the other facts suffice.
    """
    finding_entries = list(_make_entries(findings, package))
    known = [False] * len(finding_entries)
    left = list(entries)
    for key in (_identity, _location) if reworded else (_identity,):
        left = _match_entries(finding_entries, known, left, key)
    return tuple(each for each, is_known in zip(findings, known, strict=True) if not is_known), left


def _identity(entry: Entry) -> tuple[str, ...]:
    return entry.identity


def _location(entry: Entry) -> tuple[str, ...]:
    return entry.rule, entry.path, entry.line


def _match_entries(
    finding_entries: Sequence[Entry],
    known: list[bool],
    entries: Iterable[Entry],
    key: Callable[[Entry], tuple[str, ...]],
) -> list[Entry]:
    """Marks the findings that match entries by a key, and returns the remaining entries."""
    waiting: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for at, each in enumerate(finding_entries):
        if not known[at]:
            waiting[key(each)].append(at)
    left: list[Entry] = []
    for entry in entries:
        same = waiting[key(entry)]
        taken, waiting[key(entry)] = same[: entry.count], same[entry.count :]
        for at in taken:
            known[at] = True
        if len(taken) < entry.count:
            left.append(replace(entry, count=entry.count - len(taken)))
    return left


def _make_entries(findings: Iterable[Finding], package: Package) -> Iterable[Entry]:
    @cache
    def index(path: str) -> TextIndex:
        return TextIndex(decode(package.read(path)) if path in package else b"")

    for each in findings:
        yield Entry(
            each.rule,
            _without_surrogates(each.path),
            _without_surrogates(each.message),
            _without_surrogates(_text(index(each.path), each.span, is_json=each.path.endswith(".json"))),
            each.api,
            each.targets,
        )


def _text(index: TextIndex, span: Span, *, is_json: bool) -> str:
    """Returns the line that a span starts in, or a part of it, or an empty text for an empty span.

    In JSON, returns the text of the span.
    """
    if span.start == span.end:
        return ""
    line = index.line(span.start.line)
    if is_json:
        is_whole = span.start.line == span.end.line
        line = line[span.start.column - 1 : span.end.column - 1 if is_whole else None][:MAX_LINE_LENGTH]
    elif len(line) > MAX_LINE_LENGTH:
        at = span.start.column - 1
        line = line[max(0, at - _AROUND) : at + MAX_LINE_LENGTH - _AROUND]
    return " ".join(line.split())


def _without_surrogates(text: str) -> str:
    """Returns a text with lone surrogates replaced, so that every JSON parser accepts it."""
    return text.encode("utf-8", "replace").decode()


def count_findings(entries: Iterable[Entry]) -> int:
    """Returns the number of findings that entries describe."""
    return sum(each.count for each in entries)


VERSION = 1
"""The format version; it increases when older versions of extlint cannot read a file."""


class Baseline(Struct, frozen=True):
    """A baseline file's content: each extension's entries, and the version of extlint that wrote them."""

    version: int
    extlint: str
    extensions: Mapping[str, tuple[Entry, ...]]


NO_BASELINE = Baseline(VERSION, __version__, {})


class _Head(Struct):
    version: int


def read_baseline(path: str, name: str) -> Baseline:
    """Reads a file that messages call `name`.

    Raises UnreadableError if it cannot be read or is not a baseline.
    """
    data = read_file(path, name).removeprefix(b"\xef\xbb\xbf")
    try:
        version = json.decode(data, type=_Head).version
        if version == VERSION:
            return json.decode(data, type=Baseline)
    except ValidationError as error:
        why = f"{str(error)[:1].lower()}{str(error)[1:]}"
    except (DecodeError, RecursionError, UnicodeDecodeError) as error:
        why = str(error)
    else:
        why = f"it has version {version}, and this extlint reads version {VERSION}"
    raise UnreadableError(f"{name} is not a baseline: {why}")


def format_baseline(extensions: Mapping[str, tuple[Entry, ...]]) -> str:
    """Returns the text of a baseline file."""
    parts = [
        f"  {_dump(name)}: [\n" + ",\n".join(f"   {_dump(each)}" for each in entries) + "\n  ]"
        for name, entries in sorted(extensions.items())
        if entries
    ]
    listed = "{\n" + ",\n".join(parts) + "\n }" if parts else "{}"
    return f'{{\n "version": {VERSION},\n "extlint": {_dump(__version__)},\n "extensions": {listed}\n}}\n'


def _dump(value: object) -> str:
    return json.encode(value).decode()


def extension_name(path: str, package: Package) -> str:
    """Returns an extension's name in the baseline at an absolute path: relative to the file's folder."""
    place = os.path.abspath(package.name)
    if package.manifest_path != MANIFEST:
        place = os.path.join(place, package.manifest_path)
    try:
        found = os.path.relpath(place, Path(path).parent)
    except ValueError:  # on another drive
        found = place
    return Path(found).as_posix().encode("utf-8", "replace").decode()
