"""The JSON files of an extension that browsers read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from extlint.extension import Extension
from extlint.manifest.file_keys import file_references
from extlint.package.references import paths_of
from extlint.package.surroundings import CONFIGURATION, COPIED_FOLDERS
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.text.json.reader import read_json, read_value
from extlint.text.json.values import Document, Duplicate, JsonNode, JsonProblem, JsonValue, Leniency, Step
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, Span, TextIndex, decode

if TYPE_CHECKING:
    from extlint.text.json.strict_reader import JsonPlaces, PlainJson

LOCALES = "_locales/"
"""The folder of locales, with a `/` at its end."""

_MESSAGES = lazy(r"[^/]+/messages\.json", needs=("/messages.json",))
_RULES = lazy(r"/declarative_net_request/rule_resources/[0-9]+/path", needs=("/rule_resources/",))
_MANAGED_SCHEMA = "/storage/managed_schema"


MAX_SMALL_BYTES = 4096
"""The size in bytes below which files are parsed with positions: that is cheaper than to import `json`."""


class JsonKind(Enum):
    """The role of a JSON file, which decides what browsers accept beyond strict JSON.

    Verified in Firefox 153 and Chromium 156: the manifest and `messages.json` may contain comments, and in
    Firefox may be UTF-16; a schema of managed storage, which only Chromium reads, may have trailing commas
    too; a file of declarativeNetRequest rules is strict JSON. A byte order mark is accepted everywhere.
    """

    MANIFEST = "manifest"
    MESSAGES = "messages"
    RULES = "rules"
    MANAGED_SCHEMA = "managed schema"


class JsonFile:
    """A JSON file of the package: its path, its value, and its positions, which are computed on demand.

    Its value costs about as much as `json.loads` if the file is strict JSON; one position costs less than
    that, and each further position almost nothing. `problem`, `duplicates` and `node()` parse the entire file
    with positions if there is anything to report, which takes about a second for three megabytes.
    """

    def __init__(
        self,
        path: str,
        data: bytes,
        kind: JsonKind,
        document: Document | None = None,
        *,
        is_utf_16: bool = False,
    ) -> None:
        """`document` is the content if it was parsed before; `is_utf_16` is true if the file is in UTF-16."""
        self.path = path
        self.is_utf_16 = is_utf_16
        self.kind = kind
        self.index = TextIndex(data)
        if document is not None:
            self._document = document

    @cached_property
    def value(self) -> JsonValue:
        """The value of the file, as `json.loads` would return it, or None if there is a `problem`."""
        if self._plain is not None:
            return self._plain.value
        root = self._document.root
        return None if root is None else root.plain

    @property
    def problem(self) -> JsonProblem | None:
        """The reason why no browser accepts the file as JSON, or None if one does."""
        return None if self._plain is not None else self._document.problem

    def is_read(self) -> bool:
        """Whether some browser accepts the file as JSON. Parses the file immediately, not on later access."""
        return self.problem is None

    @property
    def leniencies(self) -> Sequence[Leniency]:
        """Deviations from strict JSON that some browsers accept and others reject."""
        return () if self._plain is not None else self._document.leniencies

    @property
    def duplicates(self) -> Sequence[Duplicate]:
        """The duplicate keys in the file's objects."""
        return () if self._plain is not None and not self._plain.has_duplicates else self._document.duplicates

    def node(self, *steps: Step) -> JsonNode | None:
        """Returns the value at a path of keys and indexes, with its positions, or None."""
        if self._places is None:
            return None if self._document.root is None else self._document.root.get(*steps)
        found = self._places.value(steps)
        return None if found is None else read_value(self.index.text, found[0])

    def span_at(self, steps: Sequence[Step], *, at_key: bool = False) -> Span:
        """Returns the span of the value at a path of keys and indexes, or of the key that the path ends with.

        If it does not exist, the span is that of the innermost value on the path; in a file that is not JSON,
        that of the problem.
        """
        return self.span(self._found(steps, at_key))

    def place(self, where: ByteSpan) -> tuple[str, Span]:
        """Returns the path of the file, and the span in it for a byte range."""
        return self.path, self.span(where)

    def span(self, where: ByteSpan) -> Span:
        """Returns the span for a byte range of the file's text."""
        return self.index.span(*where)

    def _found(self, steps: Sequence[Step], at_key: bool) -> ByteSpan:
        if self.problem is not None:
            return self.problem.span
        if at_key and steps and (key := self._key(steps)) is not None:
            return key
        for length in range(len(steps), -1, -1):
            found = self._value(steps[:length])
            if found is not None:
                return found
        return 0, 0

    def _key(self, steps: Sequence[Step]) -> ByteSpan | None:
        if self._places is not None:
            return self._places.key(steps)
        *outer, last = steps
        around = self.node(*outer)
        if around is None or not isinstance(around.value, Mapping) or last not in around.value:
            return None
        return around.value[str(last)].key

    def _value(self, steps: Sequence[Step]) -> ByteSpan | None:
        if self._places is not None:
            return self._places.value(steps)
        found = self.node(*steps)
        return None if found is None else found.span

    @cached_property
    def _plain(self) -> PlainJson | None:
        """The value from the fast parser, or None if the file is not strict JSON, small or already parsed."""
        if "_document" in self.__dict__ or len(self.index.text) < MAX_SMALL_BYTES:
            return None
        from extlint.text.json.strict_reader import plain_json

        return plain_json(self.index.text)

    @cached_property
    def _places(self) -> JsonPlaces | None:
        if self._plain is None:
            return None
        from extlint.text.json.strict_reader import JsonPlaces

        return JsonPlaces(self.index.text)

    @cached_property
    def _document(self) -> Document:
        return read_json(
            self.index.text,
            trailing_commas=self.kind is JsonKind.MANAGED_SCHEMA,
            strict=self.kind is JsonKind.RULES,
        )


@query
def manifest_file(extension: Extension) -> JsonFile:
    """Returns the manifest."""
    manifest = extension.manifest
    text = manifest.index.text
    data = extension.package.read(manifest.path)
    return JsonFile(
        manifest.path, text, JsonKind.MANIFEST, manifest.document, is_utf_16=decode(data) is not data
    )


@query
def json_files(extension: Extension) -> tuple[JsonFile, ...]:
    """Returns the manifest and the other JSON files that the target's browser reads, each once.

    Skips files that cannot be read from the package.
    """
    found = {extension.manifest.path: manifest_file(extension)}
    for path, kind in _other_paths(extension):
        if path not in found and (file := json_file(extension, path, kind)) is not None:
            found[path] = file
    return tuple(found.values())


@query(is_kept=True)
def locales_folder(extension: Extension) -> str:
    """Returns the folder of locales in a package, or the one in a folder from which its build copies it."""
    package = extension.package
    outer = [f"../{each}/{LOCALES}" for each in sorted(COPIED_FOLDERS)]
    inner = [each.removeprefix("../") for each in outer]
    is_built = bool(package.made) or any(map(CONFIGURATION.fullmatch, package.paths))
    folders = (LOCALES, *outer, *(inner if is_built else ()))
    return next((top for top in folders if any(each.startswith(top) for each in package.paths)), LOCALES)


@query(is_kept=True)
def has_locales(extension: Extension) -> bool:
    """Whether the package has files in `_locales`, or its manifest states a default locale."""
    folder = locales_folder(extension)
    return extension.manifest.get("default_locale") is not None or any(
        path.startswith(folder) for path in extension.package.paths
    )


@query(is_of_package=True)
def json_file(extension: Extension, path: str, kind: JsonKind) -> JsonFile | None:
    """Returns a file of the package in the role in which a browser reads it, or None if that fails.

    The file may be unreadable, or extlint itself may fail on it. It is read once for all targets.
    """
    package = extension.package
    data = package.read(path)
    if path in package.failed:
        return None
    with package.failures.contained(path):
        text = decode(data) if kind in (JsonKind.MANIFEST, JsonKind.MESSAGES) else data
        file = JsonFile(path, text, kind, is_utf_16=text is not data)
        file.is_read()
        return file
    return None


def _other_paths(extension: Extension) -> Iterator[tuple[str, JsonKind]]:
    folder = locales_folder(extension)
    for path in extension.package.paths:
        if path.startswith(folder) and _MESSAGES.fullmatch(path, len(folder)):
            yield path, JsonKind.MESSAGES
    for name in file_references(extension.manifest):
        for path in [each for each in paths_of(name.name) if each in extension.package][:1]:
            if _RULES.fullmatch(name.pointer):
                yield path, JsonKind.RULES
            elif name.pointer == _MANAGED_SCHEMA and extension.schemas.engine is not Engine.GECKO:
                yield path, JsonKind.MANAGED_SCHEMA
