"""The definition of a name in a document, and the links of a document to files of the package.

A name may lead to a file, or to an entry of a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from extlint.checking.report_of import Settings
from extlint.checks.style_sheets import OWN_ADDRESS, urls_in
from extlint.manifest.file_keys import accessible_resources, file_references
from extlint.package.files import Package
from extlint.package.references import folder_of, matches_pattern
from extlint.project.contexts.pages import scan_page
from extlint.services.editor.documents.document import Document, Role
from extlint.services.editor.documents.text_cursor import Name, Target
from extlint.services.editor.markup_names import message_at
from extlint.services.editor.messages import default_messages, json_file, names_in_messages, reference_at
from extlint.services.editor.script_names import names_in_scripts, script_name_at
from extlint.text.json.values import JsonNode
from extlint.text.patterns import lazy
from extlint.text.positions import START, ByteSpan, Position, Span

MAX_MATCHES = 50
"""The maximum number of files that one pattern leads to."""

_STYLE = lazy(rb"<style\b[^>]*+>(.*?)</style", re.IGNORECASE | re.DOTALL)
_REDIRECT = ("action", "redirect", "extensionPath")


def names_at(document: Document, at: int) -> Iterator[Name]:
    """Yields the names around a byte offset of a document: of files, messages, placeholders and rulesets."""
    yield from (each for each in _files_by_role(document) if each.contains(at))
    if document.role in (Role.SCRIPT, Role.PAGE):
        yield from script_name_at(document, at)
    if document.role is Role.PAGE:
        yield from message_at(document, at)
    if document.role is Role.MESSAGES:
        yield from names_in_messages(document, at)
    if document.role is not Role.SCRIPT:
        yield from reference_at(document, at)


def file_names(document: Document) -> Iterator[Name]:
    """Yields the names in a document that lead to files."""
    yield from _files_by_role(document)
    if document.role in (Role.SCRIPT, Role.PAGE):
        yield from names_in_scripts(document)


def _files_by_role(document: Document) -> Iterator[Name]:
    finder = _FINDERS.get(document.role)
    for span, targets in () if finder is None else finder(document):
        if targets and span[0] < span[1]:
            yield Name(span, tuple(map(Target, targets)))


_Found = tuple[ByteSpan, tuple[str, ...]]


def _in_manifest(document: Document) -> Iterator[_Found]:
    manifest = document.manifest
    for each in file_references(manifest):
        yield _inner(each.node), _one(document.file(each.name))
    for name, node in accessible_resources(manifest):
        if "*" not in name:
            yield _inner(node), _one(document.file(name))
        elif name.strip("/*"):
            paths = (path for path in document.package.paths if matches_pattern(path, name.lstrip("/")))
            yield _inner(node), tuple(path for path, _ in zip(paths, range(MAX_MATCHES), strict=False))
    listed = manifest.get("declarative_net_request", "rule_resources")
    for rules in () if listed is None else listed.items():
        own = rules.get("id")
        if own is not None and isinstance(own.value, str):
            yield _inner(own), _one(document.rulesets.get(own.value))
    locale = manifest.get("default_locale")
    if locale is not None and isinstance(locale.value, str):
        yield _inner(locale), _one(default_messages(document))


def _in_rules(document: Document) -> Iterator[_Found]:
    root = document.json.root
    for rule in () if root is None else root.items():
        node = rule.get(*_REDIRECT)
        if node is not None and isinstance(node.value, str):
            yield _inner(node), _one(document.file(node.value))


def _in_page(document: Document) -> Iterator[_Found]:
    data, path = document.data, document.path
    page = scan_page(data, path)
    scripts = ((each.src, each.src_span, each.base) for each in page.scripts)
    pages = ((each.name, each.span, each.base) for each in page.links)
    assets = ((each.name, each.span, each.base) for each in page.assets)
    for name, span, base in (*scripts, *pages, *assets):
        if name is not None and span is not None:
            yield span, _one(document.file(name, folder_of(path, base)))
    for style in _STYLE.finditer(data) if b"<style" in data.lower() else ():
        yield from _urls(document, style[1], style.start(1))


def _in_style_sheet(document: Document) -> Iterator[_Found]:
    return _urls(document, document.data, 0)


def _urls(document: Document, data: bytes, start: int) -> Iterator[_Found]:
    for each in urls_in(data):
        name = OWN_ADDRESS.sub("", each.name, count=1)
        span = each.span[0] + start, each.span[1] + start
        yield span, _one(document.file(name, folder_of(document.path)))


def _one(path: str | None) -> tuple[str, ...]:
    return () if path is None else (path,)


def _inner(node: JsonNode) -> ByteSpan:
    """Returns the byte range of a string without its quotes."""
    return node.span[0] + 1, node.span[1] - 1


_FINDERS: dict[Role, Callable[[Document], Iterator[_Found]]] = {
    Role.MANIFEST: _in_manifest,
    Role.RULES: _in_rules,
    Role.PAGE: _in_page,
    Role.STYLE: _in_style_sheet,
}


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
        return START
    return json_file(document, target.path).span_at(target.steps, at_key=True)
