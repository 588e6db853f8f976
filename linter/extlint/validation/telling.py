"""From mistakes in the JSON files of an extension to findings, each under the rule that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from extlint.extension import Extension, once_per_extension
from extlint.finding import Finding, Related
from extlint.json_files import JsonFile, JsonKind, json_files
from extlint.rule import Rule
from extlint.text import Span
from extlint.validation.manifest import manifest_mistakes
from extlint.validation.mistake import Mistake
from extlint.wording import quoted


class Placed(Struct, frozen=True):
    """A mistake, and where it stands: a file by its path in the package, and a span of it."""

    path: str
    span: Span
    mistake: Mistake
    related: tuple[Related, ...] = ()


def _in_manifest(extension: Extension) -> Iterator[Placed]:
    manifest, *_ = json_files(extension)
    for mistake in manifest_mistakes(extension):
        yield _placed(manifest, mistake)


def _in_rule_files(extension: Extension) -> Iterator[Placed]:
    for file in json_files(extension):
        if file.kind is JsonKind.RULES and file.problem is None:
            from extlint.request_rules.check import mistakes_in

            for mistake in mistakes_in(file.value, extension.target.name):
                yield _placed(file, mistake)


def _placed(file: JsonFile, mistake: Mistake) -> Placed:
    related: tuple[Related, ...] = ()
    if mistake.beside is not None:
        message = f"{quoted(str(mistake.beside[-1]))} is here"
        related = (Related(file.path, file.place(mistake.beside, at_key=True), message),)
    return Placed(file.path, file.place(mistake.steps, at_key=mistake.at_key), mistake, related)


SOURCES: tuple[Callable[[Extension], Iterable[Placed]], ...] = (_in_manifest, _in_rule_files)
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
