"""Findings about keys of a manifest that a build makes, at the places where the project writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from extlint.extension import Extension
from extlint.finding import Finding, Related
from extlint.package.files import KeyPlaces
from extlint.registry import RULES
from extlint.text.positions import Span, TextIndex, decode

_ABOUT_KEYS = frozenset({"manifest", "uses"})
"""The groups of rules about keys; others are about files, which are elsewhere before a build."""


def is_about_made_manifest(extension: Extension, finding: Finding) -> bool:
    """Whether a finding is in the manifest that a build makes."""
    return finding.path == extension.manifest.path and finding.path in extension.package.made


def at_written_places(extension: Extension, found: Sequence[Finding]) -> Iterator[Finding]:
    """Yields findings with the places of written keys for those in the made manifest.

    A finding without such a place, about a key that the build adds, is dropped. No fix edits the manifest, as
    it does not exist.
    """
    package = extension.package
    places = package.key_places
    place_of = None if places is None else _place_of(extension, places)
    for each in found:
        path, span = each.path, each.span
        if is_about_made_manifest(extension, each):
            where = None if place_of is None else place_of(span)
            if places is None or where is None or RULES[each.rule].group.name not in _ABOUT_KEYS:
                continue
            path, span = places.path, where
        related = tuple(_related(extension, each.related, place_of))
        is_edit = each.fix is not None and any(edit.path in package.made for edit in each.fix.edits)
        yield replace(each, path=path, span=span, related=related, fix=None if is_edit else each.fix)


def _related(
    extension: Extension, found: Sequence[Related], place_of: Callable[[Span], Span | None] | None
) -> Iterator[Related]:
    for each in found:
        if each.path not in extension.package.made:
            yield each
        elif each.path == extension.manifest.path and place_of is not None:
            where, places = place_of(each.span), extension.package.key_places
            if where is not None and places is not None:
                yield replace(each, path=places.path, span=where)


def _place_of(extension: Extension, places: KeyPlaces) -> Callable[[Span], Span | None]:
    """Returns a function from spans of the manifest to those of the file with its keys."""
    index = TextIndex(decode(extension.package.peek(places.path)))
    made = extension.manifest.index

    def place_of(span: Span) -> Span | None:
        where = places.spans.get((made.offset(span.start), made.offset(span.end)))
        return None if where is None else index.span(*where)

    return place_of
