"""The first configuration of a project, derived from its contents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from glob import escape
from posixpath import dirname, join
from typing import Any

from msgspec import Struct

from extlint.cli.survey import FoundExtension, Survey
from extlint.linting.configuration.entries import matches
from extlint.linting.configuration.keys import KEYS
from extlint.linting.configuration.toml import toml_value
from extlint.report.visible import visible
from extlint.text.patterns import lazy

MAX_ENTRIES = 30
"""The maximum number of `[[extension]]` entries; if more are required, none are written."""

_EXAMPLES = {
    "ignore": 'ignore = ["unused-permission"]',
    "severity": 'severity = {deprecated-api = "error"}',
    "fail-level": 'fail-level = "warning"',
}
"""Keys that are written as comments, each with an example."""

_SPECIAL = lazy(r"[\\*?\[]")
_ESCAPED = r"\\\g<0>"
"""The characters with a meaning in a .gitignore pattern, and their escaped form."""

_ANY_TARGET = 'target = ["chrome", "firefox"]'


class Entry(Struct, frozen=True):
    """An `[[extension]]` entry: the key that selects its extensions and its value, the targets, and why.

    `root` is the folder that paths in a manifest are relative to, if that is not its own. `maker` names the
    tool that generates the extensions; they state their browsers themselves.
    """

    key: str
    glob: str
    targets: tuple[str, ...]
    reason: str
    maker: str = ""
    root: str | None = None

    @property
    def values(self) -> dict[str, Any]:
        """The keys and their values."""
        root = {} if self.root is None else {"root": self.root}
        return {self.key: self.glob, **root, **_target(self.targets)}

    @property
    def lines(self) -> Iterator[str]:
        """The lines of the entry in TOML."""
        about = f"{self.key} = {toml_value(self.glob)}"
        if self.maker:
            yield f"{about}  # {visible(self.maker)}"
        else:
            yield about
            if self.root is not None:
                yield f"root = {toml_value(self.root)}"
            yield _target_line(self.targets, self.reason)


class FirstConfiguration(Struct, frozen=True):
    """The content of a first configuration. `reason` explains the targets, or their absence.

    `configured` are the folders of extensions that have a configuration already.
    """

    targets: tuple[str, ...]
    reason: str
    exclude: tuple[str, ...]
    entries: tuple[Entry, ...]
    configured: tuple[str, ...] = ()

    @property
    def values(self) -> dict[str, Any]:
        """The keys and their values."""
        entries = [each.values for each in self.entries]
        return {
            **_target(self.targets),
            **({"exclude": list(self.exclude)} if self.exclude else {}),
            **({"extension": entries} if entries else {}),
        }

    def toml(self, table: str = "") -> str:
        """Returns the configuration with comments, as the table with this name."""
        return "\n".join(self._lines(table)) + "\n"

    def _lines(self, table: str) -> Iterator[str]:
        if table:
            yield f"[{table}]"
        yield '# How extlint checks this project; "extlint config" shows what is in force, and why.'
        if not self.entries:
            yield from ("", f"# {KEYS['target'].about}")
            yield _target_line(self.targets, self.reason)
        if self.exclude:
            yield from ("", "# The output of builds that copy what is checked in its source.")
            yield f"exclude = {toml_value(self.exclude)}"
        for name, example in _EXAMPLES.items():
            yield from ("", f"# {KEYS[name].about}", f"# {example}")
        if self.entries:
            yield from ("", f"# {KEYS['extension'].about} For each extension the first entry counts.")
            if self.configured:
                yield f"# With a configuration of their own: {visible(', '.join(self.configured))}."
        prefix = f"{table}." if table else ""
        for index, each in enumerate(self.entries):
            yield from ([""] if index else [])
            yield f"[[{prefix}extension]]"
            yield from each.lines


def _target(targets: Sequence[str]) -> dict[str, Any]:
    return {"target": list(targets)} if targets else {}


def _target_line(targets: Sequence[str], reason: str) -> str:
    if targets:
        return f"target = {toml_value(targets)}  # {visible(reason)}"
    return f"# {_ANY_TARGET}  # {visible(reason)}"


def first_configuration(found: Survey) -> FirstConfiguration:
    """Returns the configuration that changes nothing except to exclude copies."""
    if found.made:
        generated_entries = (
            Entry("path", each.glob, (), "", f"made by {each.maker}: {each.command}") for each in found.made
        )
        return FirstConfiguration((), "", (), tuple(generated_entries))
    copies = found.copied_folders
    unconfigured = [each for each in found.tracked if not each.is_configured]
    extensions = [each for each in unconfigured if each.output_folder not in copies]
    exclude = tuple(f"/{_SPECIAL.sub(_ESCAPED, each)}/" for each in copies)
    choices = {(each.targets, each.choice.reason) for each in extensions}
    if len(found.extensions) == len(extensions) == 1 and extensions[0].has_own_manifest:
        return FirstConfiguration(extensions[0].targets, extensions[0].choice.reason, (), ())
    entries = _sorted(_entries(extensions, found.extensions))
    if len(entries) > MAX_ENTRIES:
        entries = _sorted(_tree_entries(extensions, found.extensions))
    if len(entries) > MAX_ENTRIES or not choices:
        return FirstConfiguration((), "by default, the browsers that each extension is made for", exclude, ())
    configured = tuple(each.folder for each in found.tracked if each.is_configured)
    return FirstConfiguration((), "", exclude, entries, configured)


def _sorted(entries: Iterator[Entry]) -> tuple[Entry, ...]:
    """Returns the entries, those of manifests first, because one with a path covers all manifests in it."""
    return tuple(sorted(entries, key=lambda each: each.key == "path"))


def _manifest_entry(each: FoundExtension) -> Entry:
    own = dirname(each.manifest_path) or "."
    root = None if own == each.folder else each.folder
    return Entry("manifest", escape(each.manifest_path), each.targets, each.choice.reason, root=root)


def _tree_entries(
    extensions: Sequence[FoundExtension], all_of_them: Sequence[FoundExtension], top: str = "."
) -> Iterator[Entry]:
    """Yields an entry for each folder whose extensions, at any depth, are made for the same browsers."""
    inside = [each for each in extensions if _is_in(each.folder, top)]
    is_whole = inside == [each for each in all_of_them if _is_in(each.folder, top)]
    alike = len({each.targets for each in inside}) == 1 and all(each.has_own_manifest for each in inside)
    if top != "." and is_whole and alike and len(inside) > 1:
        yield Entry("path", join(escape(top), "**"), inside[0].targets, _shared_reason(inside[0]))
        return
    here = [each for each in inside if each.folder == top]
    yield from _entries(here, here)
    depth = 0 if top == "." else top.count("/") + 1
    deeper = ("/".join(each.folder.split("/")[: depth + 1]) for each in inside if each.folder != top)
    for folder in dict.fromkeys(deeper):
        yield from _tree_entries(inside, all_of_them, folder)


def _shared_reason(one: FoundExtension) -> str:
    """Returns why extensions are made for the same browsers as `one` of them, if their reasons differ."""
    return "each of them says so" if one.targets else "none of them names a browser"


def _is_in(folder: str, top: str) -> bool:
    return top in (".", folder) or folder.startswith(f"{top}/")


def _entries(extensions: Sequence[FoundExtension], all_of_them: Sequence[FoundExtension]) -> Iterator[Entry]:
    """Yields an entry for each extension, or one for similar extensions whose folders differ in one name.

    An entry with a path covers all manifests in it, so those of single manifests have to come first.
    """
    done: set[str] = set()
    for each in extensions:
        if each.manifest_path in done:
            continue
        if not each.has_own_manifest:
            yield _manifest_entry(each)
            continue
        for glob in _globs(each.folder):
            alike = [other for other in all_of_them if matches(glob, other.folder) and other.has_own_manifest]
            if len(alike) > 2 and {(other.targets, other in extensions) for other in alike} == {
                (each.targets, True)
            }:
                done.update(other.manifest_path for other in alike)
                reasons = {other.choice.reason for other in alike}
                reason = each.choice.reason if len(reasons) == 1 else _shared_reason(each)
                yield Entry("path", glob, each.targets, reason)
                break
        else:
            yield Entry("path", escape(each.folder), each.targets, each.choice.reason)


def _globs(folder: str) -> Iterator[str]:
    """Yields globs that replace one part of a folder with any name, from the last part to the first."""
    parts = [] if folder == "." else folder.split("/")
    for at in reversed(range(len(parts))):
        yield "/".join("*" if index == at else escape(part) for index, part in enumerate(parts))
