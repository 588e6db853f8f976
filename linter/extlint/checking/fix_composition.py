"""Fixes that are applied together to the files of a package, and the package as they change it.

The edits of one file must be compatible, and the syntax of the changed file must still be valid.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import pairwise
from typing import TypeAlias

from extlint.finding import Edit, Finding, Fix
from extlint.package.files import Package, Reader, UnreadableError, WrappedPackage
from extlint.package.suffixes import SCRIPTS, has_suffix
from extlint.text.json.reader import read_json
from extlint.text.positions import TextIndex, decode, encode_name


class ChangedPackage(WrappedPackage):
    """A package with the same files as another one, but with other bytes at some paths.

    A file that has two names has its new bytes under both.
    """

    def __init__(self, package: Package, contents: Mapping[str, bytes]) -> None:
        super().__init__(package, variants=package.variants)
        self._contents = {resolve_link(package, path): data for path, data in contents.items()}

    def reader(self, path: str) -> Reader | None:
        """Returns the reader of a file, listed or not, or None if the file does not exist."""
        changed = self._contents.get(resolve_link(self, path))
        return self._package.reader(path) if changed is None else partial(bytes, changed)

    def size(self, path: str) -> int:
        """Returns the size of a listed file in bytes."""
        changed = self._contents.get(resolve_link(self, path))
        return self._package.size(path) if changed is None else len(changed)


def resolve_link(package: Package, path: str) -> str:
    """Returns the path of a file by its own name if the path is a link."""
    return package.links.get(path, path)


_UTF_16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}

_Placed: TypeAlias = tuple[int, int, bytes]
"""An edit by its byte offsets, with the new bytes."""


class FileText:
    """The text of a file that fixes change, and the edits that have been accepted for it."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._text = decode(data)
        self._index = TextIndex(self._text)
        self._accepted: list[_Placed] = []

    @property
    def can_be_changed(self) -> bool:
        """Whether all bytes outside of the edits would stay the same; they do not in invalid UTF-16."""
        return self._text is self.data or self._encoded(self._text) == self.data

    def fits(self, edits: Iterable[Edit]) -> bool:
        """Whether edits are compatible with those accepted before, and with one another."""
        requested = sorted({self._placed(each) for each in edits})
        among = all(not _are_in_conflict(one, other) for one, other in pairwise(requested))
        return among and not any(self._conflicts(each) for each in requested)

    def _conflicts(self, edit: _Placed) -> bool:
        at = bisect_left(self._accepted, edit)
        return any(_are_in_conflict(edit, each) for each in self._accepted[max(0, at - 1) : at + 1])

    def accept(self, edits: Iterable[Edit]) -> None:
        """Accepts edits that fit. Duplicate edits are applied once."""
        for each in {self._placed(each) for each in edits}:
            at = bisect_left(self._accepted, each)
            if self._accepted[at : at + 1] != [each]:
                self._accepted.insert(at, each)

    def apply_accepted(self) -> bytes:
        """Returns the bytes of the file with all accepted edits."""
        text = self._text
        for start, end, new in reversed(self._accepted):
            text = text[:start] + new + text[end:]
        return text if self._text is self.data else self._encoded(text)

    def _placed(self, edit: Edit) -> _Placed:
        start, end = (self._index.offset(each) for each in edit.span)
        return start, end, encode_name(edit.text)

    def _encoded(self, text: bytes) -> bytes:
        mark = self.data[:2]
        return mark + text.decode("utf-8", "replace").encode(_UTF_16[mark])


def _are_in_conflict(one: _Placed, other: _Placed) -> bool:
    """Whether two edits conflict. Different insertions at one position do, because of their order."""
    if one == other:
        return False
    first, second = sorted((one, other))
    return first[:2] == second[:2] or second[0] < first[1]


def is_sound(path: str, before: bytes, after: bytes, *, is_json: bool) -> bool:
    """Whether a changed file has no syntax errors that it did not have before.

    Returns True for pages and components: the next check shows whether their scripts still parse.
    """
    if is_json:
        return _is_sound_json(decode(before), decode(after))
    return not has_suffix(path, SCRIPTS) or _errors_in(path, after) <= _errors_in(path, before)


def _is_sound_json(before: bytes, after: bytes) -> bool:
    old, new = read_json(before), read_json(after)
    if new.problem is not None:
        return old.problem is not None and old.problem.span[0] < new.problem.span[0]
    return old.problem is not None or len(new.duplicates) <= len(old.duplicates)


def _errors_in(path: str, text: bytes) -> float:
    """Returns the number of parse errors; infinity if the parser gives up."""
    from extlint.analysis.syntax.parse import grammar_of, parse
    from extlint.analysis.syntax.source import parsable

    tree = parse(parsable(decode(text)), grammar_of(path))
    if tree is None:
        return float("inf")
    found, waiting = 0, [tree.root_node] if tree.root_node.has_error else []
    while waiting:
        node = waiting.pop()
        found += node.is_error or node.is_missing
        waiting += [each for each in node.children if each.has_error or each.is_missing]
    return found


class Composition:
    """Fixes that do not change the same text, and the findings that they fix."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._texts: dict[str, FileText | None] = {}
        self._fixes: set[Fix] = set()
        self.findings: list[Finding] = []

    def add(self, finding: Finding) -> None:
        """Adds the fix of a finding if it is compatible with the previous ones: all of its edits, or none."""
        fix = finding.fix
        if fix is not None and (fix in self._fixes or self._accept(fix)):
            self._fixes.add(fix)
            self.findings.append(finding)

    def _accept(self, fix: Fix) -> bool:
        by_path: defaultdict[str, list[Edit]] = defaultdict(list)
        for edit in fix.edits:
            by_path[resolve_link(self._package, edit.path)].append(edit)
        parts = [(text, edits) for path, edits in by_path.items() if (text := self._text(path)) is not None]
        if len(parts) < len(by_path) or not all(text.fits(edits) for text, edits in parts):
            return False
        for text, edits in parts:
            text.accept(edits)
        return True

    def _text(self, path: str) -> FileText | None:
        """Returns the text of a file, or None if the file does not exist or cannot be changed."""
        if path not in self._texts:
            try:
                text = FileText(self._package.peek(path))
            except (KeyError, UnreadableError):
                self._texts[path] = None
            else:
                self._texts[path] = text if text.can_be_changed else None
        return self._texts[path]

    @property
    def contents(self) -> Mapping[str, bytes]:
        """The new contents of the files that are changed."""
        changes = {
            path: (text.data, text.apply_accepted()) for path, text in self._texts.items() if text is not None
        }
        return {path: after for path, (before, after) in changes.items() if after != before}

    @property
    def is_sound(self) -> bool:
        """Whether the syntax of each file is still valid."""
        return all(
            is_sound(path, self._package.peek(path), after, is_json=self._is_json(path))
            for path, after in self.contents.items()
        )

    def _is_json(self, path: str) -> bool:
        return path == resolve_link(self._package, self._package.manifest_path) or has_suffix(
            path, (".json",)
        )


def compose_fixes(package: Package, findings: Iterable[Finding]) -> Composition:
    """Returns as many compatible fixes as possible, the first ones first, without those that break a file."""
    together = Composition(package)
    for finding in findings:
        together.add(finding)
    if together.is_sound:
        return together
    sound = Composition(package)
    for finding in together.findings:
        trial = Composition(package)
        for each in (*sound.findings, finding):
            trial.add(each)
        if trial.is_sound:
            sound = trial
    return sound
