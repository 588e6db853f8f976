"""The definition of a name in a document, and the links of a document to files of the package."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from extlint.checking.report_of import Settings
from extlint.editor.document import Document
from extlint.editor.messages import json_file
from extlint.editor.named import Target
from extlint.editor.names import file_names, names_at
from extlint.package.files import Package
from extlint.text.positions import Position, Span

_START = Span(Position(1, 1), Position(1, 1))


class Location(Struct, frozen=True):
    """The place that a name leads to.

    `path` is relative to the extension's root. `span` is the start of a file, or the key of an entry in a
    JSON file. `origin` is the name in the document, without its quotes.
    """

    path: str
    span: Span
    origin: Span


class Link(Struct, frozen=True):
    """The name of an existing file in a document, without its quotes. `tooltip` may be empty."""

    span: Span
    path: str
    tooltip: str = ""


def definitions(
    package: Package,
    settings: Settings,  # noqa: ARG001
    path: str,
    text: str,
    position: Position,
) -> tuple[Location, ...]:
    """Returns what the name at a position leads to, the likeliest first.

    A name is that of a file, of a message (`getMessage("name")`, `__MSG_name__`) with its entry in each
    locale, of a placeholder in a message, or of a ruleset.
    """
    document = Document(package, path, text)
    found: dict[Location, None] = {}
    for name in names_at(document, document.index.offset(position)):
        origin = document.index.span(*name.span)
        for target in name.targets:
            found[Location(target.path, _span_of(document, target), origin)] = None
    return tuple(found)


def links(package: Package, settings: Settings, path: str, text: str) -> tuple[Link, ...]:  # noqa: ARG001
    """Returns the names of existing files in a document, in order."""
    document = Document(package, path, text)
    return tuple(sorted({each.span: each for each in _links(document)}.values(), key=lambda each: each.span))


def _links(document: Document) -> Iterator[Link]:
    for name in file_names(document):
        path = name.targets[0].path
        if path in document.package:
            written = document.data[slice(*name.span)].decode("utf-8", "replace")
            is_as_written = path.endswith(written.partition("?")[0].partition("#")[0].lstrip("./"))
            yield Link(document.index.span(*name.span), path, "" if is_as_written else path)


def _span_of(document: Document, target: Target) -> Span:
    if not target.steps:
        return _START
    return json_file(document, target.path).span_at(target.steps, at_key=True)
