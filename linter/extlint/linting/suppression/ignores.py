"""Removes the findings that comments suppress, or that `per-file-ignores` of a configuration cover."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache

from extlint.finding import Finding
from extlint.linting.configuration.configuration import PerFileIgnore
from extlint.linting.configuration.names import expand_rule_names
from extlint.linting.suppression.comment import Comment, Scope
from extlint.package.files import Package
from extlint.text.json.reader import read_json
from extlint.text.json.values import JsonNode
from extlint.text.positions import ByteSpan, Span, TextIndex, decode


def without_suppressed(findings: Iterable[Finding], comments: Sequence[Comment]) -> tuple[Finding, ...]:
    """Returns the findings that no comment suppresses."""
    scopes: dict[str, list[Scope]] = {}
    for comment in comments:
        scopes.setdefault(comment.path, []).extend(comment.scopes)

    def is_suppressed(finding: Finding) -> bool:
        own = scopes.get(finding.path, ())
        return any(each.covers(finding.rule, finding.span.start) for each in own)

    return tuple(each for each in findings if not is_suppressed(each))


def without_ignored(
    findings: Iterable[Finding], package: Package, ignores: Sequence[PerFileIgnore]
) -> tuple[Finding, ...]:
    """Returns the findings of a package that are not ignored."""
    tests = [_ignore_predicate(each, package) for each in ignores]
    return tuple(each for each in findings if not any(ignores(each) for ignores in tests))


def _ignore_predicate(ignore: PerFileIgnore, package: Package) -> Callable[[Finding], bool]:
    """Returns a predicate: whether an entry ignores a finding."""
    from pathspec import GitIgnoreSpec

    rules = frozenset(expand_rule_names(ignore.rules))
    glob = GitIgnoreSpec.from_lines([ignore.glob])

    @cache
    def span_in(path: str) -> Span | None:
        return value_span(package, path, ignore.steps or ())

    def ignores(finding: Finding) -> bool:
        if finding.rule not in rules or not glob.match_file(finding.path):
            return False
        if not ignore.steps:
            return True
        span = span_in(finding.path)
        return span is not None and span.start <= finding.span.start < span.end

    return ignores


def value_span(package: Package, path: str, steps: Sequence[str]) -> Span | None:
    """Returns the span of a JSON file's key and its value, or of an array item, or None if missing."""
    if path not in package:
        return None
    data = decode(package.read(path))
    root = read_json(data, trailing_commas=True).root
    place = None if root is None else _byte_span(root, steps)
    return None if place is None else TextIndex(data).span(*place)


def _byte_span(node: JsonNode, steps: Sequence[str]) -> ByteSpan | None:
    start, end = node.span
    for step in steps:
        if isinstance(node.value, dict) and step in node.value:
            member = node.value[step]
            node = member.node
            start, end = member.key[0], node.span[1]
        elif step.isascii() and step.isdecimal() and len(step) < 9 and int(step) < len(node.items()):
            node = node.items()[int(step)]
            start, end = node.span
        else:
            return None
    return start, end
