"""The browsers that an answer is about: the targets of the extension, and its manifest version."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cached_property

from extlint.checking.report_of import Settings
from extlint.extension import Extension
from extlint.manifest.manifest import Manifest, read_manifest
from extlint.package.files import Package, UnreadableError
from extlint.project.target_detection.choice import Choice
from extlint.project.target_detection.detect import detect_targets
from extlint.queries.query import cached_method
from extlint.schema.model import SchemaSet, UserSchemas
from extlint.schema.targets import (
    BROWSERS,
    Target,
    browser_name,
    schema_set,
    schema_set_of_thunderbird,
)
from extlint.services.editor.documents.loose_json import read_loosely
from extlint.text.json.values import JsonNode
from extlint.text.positions import decode
from extlint.text.wording import listed

NEWEST = 3
"""The manifest version of an extension that states none."""


class Audience:
    """The targets of an extension, with the schemas of each.

    The specification stands for the browsers that have facts of their own.
    """

    def __init__(
        self, package: Package, manifest: Manifest, choice: Choice, user_schemas: UserSchemas
    ) -> None:
        self.package = package
        self.manifest = manifest
        self.user_schemas = user_schemas
        self.version = manifest.version if manifest.is_object else NEWEST
        self.is_for_thunderbird = choice.is_of_thunderbird
        targets = {each.name: each for each in choice.targets if not each.is_specification}
        if len(targets) < len(choice.targets) and not self.is_for_thunderbird:
            targets = {**{name: Target(name) for name in BROWSERS}, **targets}
        self.targets = tuple(targets.values())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the targets."""
        return tuple(each.name for each in self.targets)

    @cached_property
    def extensions(self) -> tuple[Extension, ...]:
        """The extension without its scripts, as each target sees it."""
        targets = self.targets or (Target("reference"),)
        return tuple(
            Extension(self.package, self.manifest.for_target(each), (), schemas, target=each)
            for each, schemas in zip(targets, self.schema_sets, strict=True)
        )

    @cached_property
    def schema_sets(self) -> tuple[SchemaSet, ...]:
        """The API of each target; for Thunderbird, only its own."""
        added = self.user_schemas
        if self.is_for_thunderbird:
            return (schema_set_of_thunderbird("reference", added),)
        return tuple(schema_set(each, added) for each in self.names)

    def is_content_script(self, path: str) -> bool:
        """Whether the manifest names a script as a content script, and not also as the background."""
        entries = _items(self.manifest.get("content_scripts"))
        in_pages = {each for entry in entries for each in _texts(entry.get("js"))}
        background = self.manifest.get("background")
        keys = () if background is None else ("service_worker", "scripts")
        own = {each for key in keys for each in _texts(self.manifest.get("background", key))}
        return path in in_pages and path not in own

    def only_in(self, names: frozenset[str] | set[str]) -> str:
        """Returns a note for something that only some of the targets have: `only Firefox`; else nothing."""
        having = [browser_name(each) for each in self.names if each in names]
        return "" if not having or len(having) == len(self.targets) else f"only {listed(having, 'and')}"


def _items(node: JsonNode | None) -> Sequence[JsonNode]:
    return () if node is None else node.items()


def _texts(node: JsonNode | None) -> Iterator[str]:
    """Yields the paths in a value that is a path, or a list of them."""
    for each in () if node is None else (node, *node.items()):
        if isinstance(each.value, str):
            yield each.value.removeprefix("./").lstrip("/")


def audience_of(package: Package, settings: Settings) -> Audience:
    """Returns the targets of the user, or else those that the extension indicates."""
    try:
        data = package.read(package.manifest_path)
    except (KeyError, UnreadableError):
        data = b""
    return _audience_by(package, data, settings.choice, settings.user_schemas)


@cached_method
def _audience_by(package: Package, data: bytes, chosen: Choice | None, user_schemas: UserSchemas) -> Audience:
    manifest = read_manifest(package.manifest_path, decode(data))
    if not manifest.is_object:
        manifest = _unfinished_manifest(package.manifest_path, data)
    return Audience(package, manifest, chosen or detect_targets(package, manifest), user_schemas)


def _unfinished_manifest(path: str, data: bytes) -> Manifest:
    """Returns what can be read of a manifest in the middle of an edit."""
    root = read_loosely(decode(data).decode("utf-8", "replace")).root
    plain = None if root is None else root.plain
    return read_manifest(path, json.dumps(plain if isinstance(plain, dict) else {}).encode())
