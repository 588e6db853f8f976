"""Fixes that are applied together to the files of a package."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from extlint.finding import Edit, Finding, Fix
from extlint.fixes.changed_package import resolve_link
from extlint.fixes.soundness import is_sound
from extlint.fixes.texts import FileText
from extlint.package.files import Package, UnreadableError
from extlint.package.suffixes import has_suffix


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
