"""Decides whether a comment certainly suppresses nothing, in any run on the same files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from extlint.checks.reachability.unreachable_code import is_unreachable
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.linting.apply_rules import findings_for_target, rules_that_run
from extlint.linting.suppression.comment import Comment, Directive, Scope
from extlint.registry import GROUPS, RULES, UNUSED_SUPPRESSION
from extlint.rule import When
from extlint.schema.targets import Target


class Run(Struct, frozen=True):
    """The scope of a run: the extension for each of its targets, and the rules.

    `other_targets` are the targets that may be checked in another run, those with a version only by rules
    about versions, and `extension_for` returns the extension for one of them. `incomplete` are the paths of
    the files that were not analyzed completely.
    """

    extensions: Sequence[Extension]
    other_targets: Sequence[Target]
    extension_for: Callable[[Target], Extension]
    rules: Sequence[str]
    incomplete: Collection[str]


def mark_useless_scopes(
    comments: Sequence[Comment], findings: Iterable[Finding], run: Run
) -> tuple[Comment, ...]:
    """Returns the comments, with the scopes marked that certainly suppress nothing.

    The result is never certain for `unused-suppression` itself, for rules that did not run, for code that is
    skipped in the targets of the run or was not analyzed, or if a finding for another target or with another
    manifest would be suppressed: a project may check these one after another.
    """
    left = {
        (path, scope) for path, scope in _useless_scopes(comments, findings) if _is_checked(path, scope, run)
    }
    if left:
        scope_rules = {rule for _, scope in left for rule in scope.rules}
        rules = [rule for rule in run.rules if rule in scope_rules]
        for extension, applied in _other_configurations(run, rules, {path for path, _ in left}):
            for each in findings_for_target(extension, applied) if left and applied else ():
                left -= {(path, scope) for path, scope in left if _covers(path, scope, each)}
    return tuple(
        replace(
            comment,
            scopes=tuple(
                replace(scope, is_decided=(comment.path, scope) in left) for scope in comment.scopes
            ),
        )
        for comment in comments
    )


def _other_configurations(
    run: Run, rules: Sequence[str], paths: Collection[str]
) -> Iterator[tuple[Extension, Sequence[str]]]:
    """Yields the extension as another run may check it, with the rules that may then report something else.

    This covers other targets, and the other manifests with which a build packs the scripts in these files.
    """
    about_versions = [rule for rule in rules if RULES[rule].requires(When.OLDEST)]
    for target in run.other_targets:
        yield run.extension_for(target), rules if target.minimum is None else about_versions
    for extension in run.extensions:
        for script in extension.scripts:
            if script.path in paths:
                for sibling, sibling_script in extension.searches.siblings(extension, script):
                    scripts = tuple(sibling_script if each is script else each for each in extension.scripts)
                    yield extension.with_sibling(sibling, scripts), rules


def _useless_scopes(comments: Sequence[Comment], findings: Iterable[Finding]) -> Iterator[tuple[str, Scope]]:
    """Yields the scopes that suppress none of these findings, each with its file."""
    by_path: dict[str, list[Finding]] = {}
    for each in findings:
        by_path.setdefault(each.path, []).append(each)
    for comment in comments:
        if comment.directive is Directive.ENABLE:
            continue
        own = by_path.get(comment.path, [])
        for scope in comment.scopes:
            if scope.rules and not any(_covers(comment.path, scope, each) for each in own):
                yield comment.path, scope


def _covers(path: str, scope: Scope, finding: Finding) -> bool:
    return finding.path == path and scope.covers(finding.rule, finding.span.start)


def _is_checked(path: str, scope: Scope, run: Run) -> bool:
    """Whether the rules of a scope ran, and on everything that it covers."""
    if path in run.incomplete or not _rules_ran(scope, run):
        return False
    scripts = [each for each in run.extensions[0].scripts if each.path == path]
    if not scripts:
        return True
    analyzed = [
        (extension, script)
        for extension in run.extensions
        for script in extension.scripts
        if script.path == path and script.contexts
    ]
    return bool(analyzed) and any(not _is_skipped(*each, scope) for each in analyzed)


def _rules_ran(scope: Scope, run: Run) -> bool:
    if scope.rules == (UNUSED_SUPPRESSION,):
        return False
    ran = {name for each in run.extensions for name in rules_that_run(each, run.rules)}
    if scope.name is not None and scope.name not in GROUPS:
        return scope.name in ran
    is_packed = any(each.package.packed for each in run.extensions)
    meant = {name for name in scope.rules if is_packed or not RULES[name].group.only_packed}
    return meant <= {*run.rules} and not meant.isdisjoint(ran)


def _is_skipped(extension: Extension, script: Script, scope: Scope) -> bool:
    """Whether code that a scope covers does not run in the target."""
    return any(
        is_unreachable(extension, script, each.guards)
        for each in script.facts.references
        if scope.start <= script.span(each.span).start < scope.end
    )
