"""From mistakes in the JSON files of an extension to findings, each under the rule that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from extlint.extension import Extension, once_per_extension
from extlint.finding import Finding, Related
from extlint.manifest.json_values import Node
from extlint.rule import Rule
from extlint.text import Span
from extlint.validation.manifest import manifest_mistakes
from extlint.validation.mistake import Mistake, Steps
from extlint.values import ByteSpan
from extlint.wording import quoted


class Placed(Struct, frozen=True):
    """A mistake, and where it stands: a file by its path in the package, and a span of it."""

    path: str
    span: Span
    mistake: Mistake
    related: tuple[Related, ...] = ()


def where(root: Node, steps: Steps, *, at_key: bool) -> ByteSpan:
    """The bytes of the value at a path, or of the key by which its object has it."""
    if at_key and steps:
        holder = root.get(*steps[:-1])
        for key, member in () if holder is None else holder.members():
            if key == steps[-1]:
                return member.key
    return (root.get(*steps) or root).span


def _in_manifest(extension: Extension) -> Iterator[Placed]:
    manifest = extension.manifest
    for mistake in manifest_mistakes(extension):
        root = manifest.document.root
        assert root is not None
        related: tuple[Related, ...] = ()
        if mistake.beside is not None:
            other = manifest.span(where(root, mistake.beside, at_key=True))
            related = (Related(manifest.path, other, f"{quoted(str(mistake.beside[-1]))} is here"),)
        yield Placed(
            manifest.path, manifest.span(where(root, mistake.steps, at_key=mistake.at_key)), mistake, related
        )


SOURCES: tuple[Callable[[Extension], Iterable[Placed]], ...] = (_in_manifest,)
"""What finds mistakes, each in one kind of JSON file."""


@once_per_extension
def placed(extension: Extension) -> tuple[Placed, ...]:
    """Every mistake in the JSON files of an extension.

    Where browsers are asked only about the APIs that the target does not describe, there is none.
    """
    if extension.schemas.target != extension.target.name:
        return ()
    return tuple(each for source in SOURCES for each in source(extension))


def told(extension: Extension, rule: Rule) -> Iterator[Finding]:
    """The findings of a rule about JSON files."""
    for each in placed(extension):
        if each.mistake.rule == rule.name:
            yield rule.at(
                each.path, each.span, each.mistake.message, help=each.mistake.help, related=each.related
            )
