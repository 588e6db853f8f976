"""Findings about keys of a manifest that a build makes, at the places where the project writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from extlint.extension import Extension
from extlint.finding import Finding, Related
from extlint.registry import RULES
from extlint.text.positions import Span

_ABOUT_KEYS = frozenset({"manifest", "uses"})
"""The groups of rules about keys; others are about files, which are elsewhere before a build."""


def at_written_places(extension: Extension, found: Sequence[Finding]) -> Iterator[Finding]:
    """Yields findings with the places of written keys for those in the made manifest.

    A finding without such a place, about a key that the build adds, is dropped. No fix edits the manifest, as
    it does not exist.
    """
    made = extension.package.made
    for each in found:
        place = _place(extension, each.path, each.span)
        if place is None or (each.path in made and RULES[each.rule].group.name not in _ABOUT_KEYS):
            continue
        is_edit = each.fix is not None and any(edit.path in made for edit in each.fix.edits)
        yield replace(
            each,
            path=place[0],
            span=place[1],
            related=tuple(_related(extension, each.related)),
            fix=None if is_edit else each.fix,
        )


def _related(extension: Extension, found: Sequence[Related]) -> Iterator[Related]:
    for each in found:
        place = _place(extension, each.path, each.span)
        if place is not None:
            yield replace(each, path=place[0], span=place[1])


def _place(extension: Extension, path: str, span: Span) -> tuple[str, Span] | None:
    """Returns the place where a text is written, or None if a build makes it."""
    package, index = extension.package, extension.manifest.index
    if path not in package.made:
        return path, span
    if path != extension.manifest.path:
        return None
    return package.written_place((index.offset(span.start), index.offset(span.end)))
