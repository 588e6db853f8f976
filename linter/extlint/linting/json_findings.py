"""Converts the mistakes in the JSON files of an extension to findings of the rules that they name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from extlint.checks.manifest_values.check import manifest_mistakes
from extlint.extension import Extension
from extlint.finding import Finding, Fix, Related, Severity
from extlint.project.contexts.json_files import JsonFile, JsonKind, has_locales, json_files, manifest_file
from extlint.queries.query import query
from extlint.rule import Rule
from extlint.schema.engine import Engine
from extlint.schema.validation.mistake import Mistake, Reaction
from extlint.text.positions import Span
from extlint.text.wording import quoted


class LocatedMistake(Struct, frozen=True):
    """A mistake and its location: the path of a file in the package, and a span in it."""

    path: str
    span: Span
    mistake: Mistake
    related: tuple[Related, ...] = ()
    fix: Fix | None = None


_SEVERITIES = {
    Reaction.SKIPS: Severity.INFO,
    Reaction.IGNORES: Severity.WARNING,
    Reaction.REJECTS: Severity.ERROR,
}
"""The severity of a finding by the reaction of the browser; if that is unknown, the rule decides."""


def json_findings(extension: Extension, rule: Rule) -> Iterator[Finding]:
    """Yields the findings of a rule in the JSON files of an extension."""
    for each in _mistakes_of(extension, rule):
        finding = rule.at(
            each.path,
            each.span,
            each.mistake.sentence,
            help=each.mistake.advice,
            related=each.related,
            general=each.mistake.general or _general(each.mistake),
            reason=each.mistake.own_reason,
            fix=each.fix,
        )
        yield with_reaction(finding, each.mistake.reaction)


def has_mistakes(extension: Extension, rule: Rule) -> bool:
    """Whether a rule has findings in the JSON files of an extension."""
    return any(True for _ in _mistakes_of(extension, rule))


def _mistakes_of(extension: Extension, rule: Rule) -> Iterator[LocatedMistake]:
    found = _in_manifest(extension)
    if JsonKind.RULES in rule.reads:
        found += _in_rule_files(extension)
    if JsonKind.MESSAGES in rule.reads:
        found += _in_locales(extension)
    if JsonKind.MANAGED_SCHEMA in rule.reads:
        found += _in_managed_schema(extension)
    return (each for each in found if each.mistake.rule == rule.name)


def with_reaction(finding: Finding, reaction: Reaction | None) -> Finding:
    """Returns a finding with the severity of the browser's reaction, if that is known."""
    return finding if reaction is None else replace(finding, severity=_SEVERITIES[reaction])


def _general(mistake: Mistake) -> str | None:
    """Returns the mistake in wording that holds for every browser, or None if its own wording does."""
    from extlint.schema.words.values import location_text

    where = location_text(mistake.steps) if mistake.steps else "the manifest"
    last = quoted(str(mistake.steps[-1])) if mistake.steps else where
    match mistake.rule:
        case "missing-key" if mistake.missing:
            return f"{where} is missing a required key"
        case "invalid-value":
            return f"{last} is not allowed here" if mistake.at_key else f"{where} has an invalid value"
        case "unknown-key":
            return f"unknown key {last}"
    return None


@query
def _in_manifest(extension: Extension) -> tuple[LocatedMistake, ...]:
    file, found = manifest_file(extension), dict[object, LocatedMistake]()
    for each in manifest_mistakes(extension):
        located, is_item = (
            _located(extension, file, each),
            bool(each.steps) and isinstance(each.steps[-1], int),
        )
        item = extension.manifest.get(*each.steps) if is_item else None
        is_text = item is not None and isinstance(item.value, str)
        place = (each.rule, each.steps[:-1], each.sentence) if is_text else (len(found),)
        first = found.setdefault(place, located)
        if first is not located:
            again = Related(located.path, located.span, "it is listed again here")
            found[place] = replace(first, related=(*first.related, again))
    return tuple(found.values())


@query
def _in_rule_files(extension: Extension) -> tuple[LocatedMistake, ...]:
    files = [each for each in json_files(extension) if each.kind is JsonKind.RULES and each.problem is None]
    if not files:
        return ()
    from extlint.checks.request_rules import mistakes_in

    target = extension.target.name

    def unchecked_reporter(file: JsonFile) -> Callable[[str], None]:
        return partial(extension.package.unchecked.add, file.path)

    def mistakes(file: JsonFile) -> Iterable[Mistake]:
        leave_out = unchecked_reporter(file)
        found = [*mistakes_in(file.value, target, leave_out)]
        if found and _may_be_without_rules(extension):
            return mistakes_in(file.value, target, leave_out, of_all_browsers=True)
        return found

    return tuple(_mistakes_in_files(extension, files, mistakes))


def _may_be_without_rules(extension: Extension) -> bool:
    """Whether a tool removes the rule files from the manifest, perhaps for the browser of the target."""
    from extlint.project.rewritten_keys import may_remove

    return may_remove(extension, "declarative_net_request")


@query
def _in_locales(extension: Extension) -> tuple[LocatedMistake, ...]:
    if not has_locales(extension):
        return ()
    from extlint.checks.locales.mistakes import locale_mistakes

    files = json_files(extension)
    return tuple(_mistakes_in_files(extension, files, lambda file: locale_mistakes(extension, file)))


@query
def _in_managed_schema(extension: Extension) -> tuple[LocatedMistake, ...]:
    if extension.manifest.get("storage") is None or extension.target.engine is not Engine.CHROMIUM:
        return ()
    found = [
        each for each in json_files(extension) if each.kind is JsonKind.MANAGED_SCHEMA and not each.problem
    ]
    if not found:
        return ()
    from extlint.checks.managed_schema import managed_schema_mistakes

    return tuple(_mistakes_in_files(extension, found, lambda file: managed_schema_mistakes(file.value)))


def _mistakes_in_files(
    extension: Extension, files: Iterable[JsonFile], mistakes_in: Callable[[JsonFile], Iterable[Mistake]]
) -> Iterator[LocatedMistake]:
    """Yields the mistakes in files, in each file until extlint itself fails."""
    for file in files:
        with extension.package.failures.contained(file.path):
            yield from (_located(extension, file, mistake) for mistake in mistakes_in(file))


def _located(extension: Extension, file: JsonFile, mistake: Mistake) -> LocatedMistake:
    related: tuple[Related, ...] = ()
    if mistake.related_steps is not None:
        message = f"{quoted(str(mistake.related_steps[-1]))} is here"
        related = (Related(file.path, file.span_at(mistake.related_steps, at_key=True), message),)
    place = file.span_at(mistake.steps, at_key=mistake.at_key)
    fix = None
    if mistake.suggestion is not None or mistake.replacement is not None:
        from extlint.linting.fixes import fix_for_mistake

        fix = fix_for_mistake(extension, file, mistake)
    return LocatedMistake(file.path, place, mistake, related, fix)
