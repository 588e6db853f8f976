"""A document that is open in an editor, and the package that it belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cached_property

from extlint.analysis.facts.context import WEB_PAGE_CONTEXTS
from extlint.checks.locales.folders import FOLDER, MESSAGES
from extlint.manifest.file_keys import file_references
from extlint.manifest.manifest import Manifest, read_manifest
from extlint.package.files import Package, UnreadableError
from extlint.package.references import folder_of, paths_of
from extlint.package.suffixes import SOURCES, STYLES, has_suffix, is_component, is_page, is_script
from extlint.project.contexts.collector import MAX_PAGE_BYTES, LayoutCollector
from extlint.project.contexts.pages import scan_page
from extlint.project.resolution.resolver import ModuleResolver
from extlint.services.editor.documents.loose_json import JsonPlace, LooseDocument, place_at, read_loosely
from extlint.text.json.reader import read_json
from extlint.text.json.values import Document as JsonDocument
from extlint.text.positions import START, TextIndex, decode, encode_name

_RULE_RESOURCES = ("declarative_net_request", "rule_resources")
_MARK = "\ufeff".encode().decode("latin-1")


class Role(Enum):
    """The role of a document in an extension."""

    MANIFEST = "manifest"
    MESSAGES = "messages"
    RULES = "rules"
    PAGE = "page"
    SCRIPT = "script"
    STYLE = "style"
    OTHER = "other"


class Document:
    """A text at a path of a package, which may be unsaved and unparsable."""

    def __init__(self, package: Package, path: str, text: str) -> None:
        self.package = package
        self.path = path
        self.data = text.encode("utf-8", "surrogatepass")
        self.index = TextIndex(self.data)

    @cached_property
    def role(self) -> Role:
        """The role of the document, by its path."""
        path = self.path
        if path == self.package.manifest_path or path in self.package.variants:
            return Role.MANIFEST
        if is_messages(path):
            return Role.MESSAGES
        if is_page(path) or is_component(path):
            return Role.PAGE
        if is_script(path):
            return Role.SCRIPT
        if has_suffix(path, STYLES):
            return Role.STYLE
        return Role.RULES if path.endswith(".json") and self._is_rule_file() else Role.OTHER

    @cached_property
    def manifest(self) -> Manifest:
        """The manifest of the package, which may be the document. It may be empty."""
        is_own = self.path == self.package.manifest_path or self.path in self.package.variants
        path = self.path if is_own else self.package.manifest_path
        return read_manifest(path, self.data if is_own else self.read(path)).for_every_browser

    @cached_property
    def rulesets(self) -> Mapping[str, str]:
        """The ids of the rulesets in the manifest, each with its file."""
        found: dict[str, str] = {}
        listed = self.manifest.get(*_RULE_RESOURCES)
        for each in () if listed is None else listed.items():
            name, file = each.get("id"), each.get("path")
            path = None if file is None or not isinstance(file.value, str) else self.file(file.value)
            if name is not None and isinstance(name.value, str) and path is not None:
                found.setdefault(name.value, path)
        return found

    def _is_rule_file(self) -> bool:
        start = "/" + "/".join(_RULE_RESOURCES)
        named = (each for each in file_references(self.manifest) if each.pointer.startswith(start))
        return any(self.file(each.name) == self.path for each in named)

    @cached_property
    def names_sources(self) -> bool:
        """Whether the manifest names files that a build compiles."""
        text = self.manifest.index.text
        return any(f'{suffix}"'.encode() in text for suffix in SOURCES)

    @cached_property
    def is_content_script(self) -> bool:
        """Whether the manifest names the document as a content script."""
        named = (each for each in file_references(self.manifest) if each.kind in WEB_PAGE_CONTEXTS)
        return any(self.path in paths_of(each.name) for each in named)

    @cached_property
    def resolver(self) -> ModuleResolver:
        """Finds the files that imports resolve to."""
        return ModuleResolver(self.package)

    @cached_property
    def json(self) -> JsonDocument:
        """The document as JSON; without a root in the middle of an edit."""
        return self.manifest.document if self.role is Role.MANIFEST else read_json(self.data)

    @cached_property
    def loose_json(self) -> LooseDocument:
        """The document as far as it resembles JSON. Offsets are bytes, and each byte is one character."""
        return read_loosely(self.data.decode("latin-1").replace(_MARK, " " * len(_MARK), 1))

    def place_in_json(self, at: int) -> JsonPlace | None:
        """Returns the place of a byte offset in the document as JSON, or None if nothing belongs there."""
        return place_at(self.loose_json, at)

    def read(self, path: str) -> bytes:
        """Returns the text of a file as UTF-8; that of the document itself, also if it is not saved."""
        if path == self.path:
            return self.data
        try:
            return decode(self.package.read(path))
        except (KeyError, UnreadableError):
            return b""

    def file(self, name: str, folder: str | None = "") -> str | None:
        """Returns the file of the package that a name in a folder refers to, or None.

        A name may differ from that of the file in letter case, or be that of a file that a build makes.
        """
        collector = self._collector
        found = collector.file_of(name, START, self.path, folder) or collector.source_of(name, folder)
        return found if found is not None and found in self.package else None

    @cached_property
    def _collector(self) -> LayoutCollector:
        return LayoutCollector(self.package, self.manifest, self.resolver)

    @cached_property
    def folders_of_pages(self) -> tuple[str, ...]:
        """The folders of the pages that load the document, if it is a script."""
        if self.role is not Role.SCRIPT:
            return ()
        name = encode_name(self.path.rpartition("/")[2])
        pages = [path for path in self.package.paths if is_page(path)]
        return tuple(
            dict.fromkeys(
                folder
                for page in pages
                if name in (data := self.read(page)) and len(data) <= MAX_PAGE_BYTES
                for folder in self._folders_of_names_in(page, data)
            )
        )

    def _folders_of_names_in(self, page: str, data: bytes) -> Iterator[str]:
        """Yields the folder of a page once for each time that it loads the document."""
        for script in scan_page(data, page).scripts:
            folder = folder_of(page, script.base)
            if folder is not None and self.path in paths_of(script.src or "", folder):
                yield folder


def is_messages(path: str) -> bool:
    """Whether a file contains the messages of a locale."""
    steps = path.split("/")
    return len(steps) == 3 and steps[0] == FOLDER and steps[2] == MESSAGES
