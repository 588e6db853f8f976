"""Finds the names in a document that lead to files, and those at one place that lead to entries of files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from extlint.contexts.pages import scan_page
from extlint.contexts.style_sheets import urls_in
from extlint.editor.document import Document, Role
from extlint.editor.markup_names import message_at
from extlint.editor.messages import default_messages, names_in_messages, reference_at
from extlint.editor.named import Name, Target
from extlint.editor.scripts_of import names_in_scripts, script_name_at
from extlint.json_text.values import JsonNode
from extlint.manifest.file_keys import accessible_resources, file_references
from extlint.package.references import folder_of, matches_pattern
from extlint.package.suffixes import is_xhtml
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

MAX_MATCHES = 50
"""The maximum number of files that one pattern leads to."""

_STYLE = lazy(rb"<style\b[^>]*+>(.*?)</style", re.IGNORECASE | re.DOTALL)
_OWN_ADDRESS = lazy(r"(?:chrome|moz)-extension://__MSG_@@extension_id__(?=/)")
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
    page = scan_page(data, xml=is_xhtml(path))
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
        name = _OWN_ADDRESS.sub("", each.name, count=1)
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
