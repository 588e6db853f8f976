"""One report for an extension with several manifests: shared findings are included once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import chain

from msgspec.structs import replace

from extlint.analysis.cache.store import MemoryStore, Store
from extlint.checking.report_of import Settings, apply_settings, report_of
from extlint.finding import Finding
from extlint.linting.common_findings import without_reported
from extlint.linting.configuration.entries import entry_of
from extlint.linting.merge import across_targets, mark_unsafe_fixes
from extlint.linting.suppression.comment import Comment
from extlint.linting.unchecked_code import Cause, UncheckedCode
from extlint.manifest.manifest import Manifest, read_manifest
from extlint.package.discovery.variants import each_variant
from extlint.package.files import Package
from extlint.project.target_detection.build_names import name_of_manifest, targets_of_manifest
from extlint.project.target_detection.choice import Choice, Origin
from extlint.project.target_detection.detect import detect_targets
from extlint.project.target_detection.markers import (
    has_background_of_firefox,
    has_no_firefox_background,
    markers_in,
)
from extlint.queries.database import Database
from extlint.report.report import Report
from extlint.schema.targets import CHROME, EDGE, FIREFOX, FIREFOX_ANDROID
from extlint.text.patterns import lazy
from extlint.text.wording import listed, quoted

_BASES = {"firefox_android": "firefox", "edge": "chrome"}
"""Targets that use the manifest of another target."""


_NO_TARGETS = Choice((), Origin.DEFAULT, ("no browser loads it",))
_VERSION_2 = lazy(rb'"manifest_version"\s*:\s*2')
_VERSION_3 = lazy(rb'"manifest_version"\s*:\s*3')


def report_of_variants(
    package: Package, settings_of: Callable[[Package], Settings], store: Store | None, jobs: int = 1
) -> Report:
    """Returns the report of a package with variants, which are each checked for their own targets.

    A configuration is applied to all findings at once, unless it differs between variants.
    """
    variants = settings_of_variants(package, settings_of)
    if len(variants) > 1 and not isinstance(store, Database):
        store = MemoryStore(backing=store)
    raw = [(settings, report_of(each, settings, store, jobs)) for each, settings in variants]
    first = raw[0][0]
    if all(_has_same_effect(settings, first) for settings, _ in raw):
        return apply_settings(first, _merge_reports([report for _, report in raw]))
    return _merge_reports([apply_settings(settings, report) for settings, report in raw])


def settings_of_variants(
    package: Package, settings_of: Callable[[Package], Settings]
) -> list[tuple[Package, Settings]]:
    """Returns the variants of a package that count, each with its settings.

    Targets of a user belong to the manifest that is named for them, or else to the manifests that are named
    for no target. With a variant for Manifest V3, one for Manifest V2 is for browsers other than Chrome,
    which no longer loads it. With a variant that has a background for Firefox, one with only a service
    worker is for browsers other than Firefox.
    """
    variants = list(each_variant(package))
    chosen = [(each, settings_of(each)) for each in variants]
    for replaces, is_replaced, browsers in _REPLACEMENTS:
        if any(map(replaces, variants)):
            chosen = [
                (each, _without(settings, each, browsers) if is_replaced(each) else settings)
                for each, settings in chosen
            ]
    chosen = [(each, settings) for each, settings in chosen if settings.choice != _NO_TARGETS] or chosen
    claimed = {name for each in variants for name in targets_of_manifest(each)}
    narrowed = [(each, _with_variant_targets(settings, each, claimed)) for each, settings in chosen]
    return [(each, settings) for each, settings in narrowed if settings is not None] or chosen


def _is_v2(variant: Package) -> bool:
    return _VERSION_2.search(variant.read(variant.manifest_path)) is not None


def _is_v3(variant: Package) -> bool:
    return _VERSION_3.search(variant.read(variant.manifest_path)) is not None


def _runs_in_firefox(variant: Package) -> bool:
    """Whether a variant has settings for Firefox, and a background that it runs."""
    manifest = _manifest_of(variant)
    return has_background_of_firefox(manifest) and FIREFOX in markers_in(manifest)


def _is_not_of_firefox(variant: Package) -> bool:
    return has_no_firefox_background(_manifest_of(variant))


def _manifest_of(variant: Package) -> Manifest:
    return read_manifest(variant.manifest_path, variant.read(variant.manifest_path))


def _without(settings: Settings, variant: Package, browsers: Collection[str]) -> Settings:
    """Returns a variant's settings without browsers that do not load it."""
    choice = settings.choice or detect_targets(variant, _manifest_of(variant))
    targets = tuple(each for each in choice.targets if each.name not in browsers)
    return replace(settings, choice=replace(choice, targets=targets) if targets else _NO_TARGETS)


_REPLACEMENTS = (
    (_is_v3, _is_v2, frozenset({CHROME, EDGE})),
    (_runs_in_firefox, _is_not_of_firefox, frozenset({FIREFOX, FIREFOX_ANDROID})),
)
"""Variants that browsers load instead of others: tests for both, and the browsers."""


def _with_variant_targets(settings: Settings, variant: Package, claimed: set[str]) -> Settings | None:
    """Returns the settings with only the chosen targets of a variant, or None without any of them."""
    if settings.choice is None or _has_own_targets(settings, variant):
        return settings
    own = targets_of_manifest(variant)

    def is_own(name: str) -> bool:
        base = name if name in claimed else _BASES.get(name, name)
        return base in own if own else base not in claimed

    targets = tuple(each for each in settings.choice.targets if is_own(each.name))
    return replace(settings, choice=replace(settings.choice, targets=targets)) if targets else None


def _has_own_targets(settings: Settings, variant: Package) -> bool:
    """Whether a configuration assigns targets to this manifest only, whatever its name is."""
    if settings.choice is None or settings.choice.origin is not Origin.CONFIGURATION:
        return False
    entry = entry_of(settings.configuration, variant.name, variant.manifest_path)
    return entry is not None and entry.manifest is not None and bool(entry.configuration.target)


def _has_same_effect(one: Settings, other: Settings) -> bool:
    """Whether two settings have the same effect on findings."""
    same = replace(one.configuration, target=(), schemas=None, file="")
    return one.rules == other.rules and same == replace(other.configuration, target=(), schemas=None, file="")


def _merge_reports(reports: Sequence[Report]) -> Report:
    """Returns a single report for all variants, in which each shared finding occurs once."""
    first = reports[0]
    for each in reports[1:]:
        first.package.failures.update(each.package.failures)
    targets = tuple(dict.fromkeys(target for each in reports for target in each.choice.targets))
    manifests = {each.package.manifest_path for each in reports}
    merged = across_targets(chain.from_iterable(each.findings for each in reports))
    own = [each for each in merged if each.path in manifests]
    shared = mark_unsafe_fixes(
        (each for each in merged if each.path not in manifests), [each.name for each in targets]
    )
    return replace(
        first,
        findings=tuple(sorted((*own, *shared), key=Finding.sort_key)),
        files=max(each.files for each in reports) + len(reports) - 1,
        choice=replace(first.choice, targets=targets, origin=_origin(reports), reasons=_reasons(reports)),
        unreadable=tuple(dict.fromkeys(why for each in reports for why in each.unreadable)),
        incomplete=max(each.incomplete for each in reports),
        fail_level=min(each.fail_level for each in reports),
        comments=_comments(reports),
        suppressed=max(each.suppressed for each in reports),
        unchecked_code=_unchecked_code(reports),
        only_in=_only_in(reports, merged),
        newer=tuple(browser for each in reports for browser in each.newer),
        unclear_manifests=tuple(path for each in reports for path in each.unclear_manifests),
    )


def _only_in(reports: Sequence[Report], reported: Sequence[Finding]) -> tuple[Finding, ...]:
    """Returns the findings that only one browser has and that are not reported for any manifest."""
    found = dict.fromkeys(chain.from_iterable(each.only_in for each in reports))
    return without_reported(found, reported)


def _origin(reports: Sequence[Report]) -> Origin:
    origins = {each.choice.origin for each in reports}
    order = (
        Origin.OPTION,
        Origin.CONFIGURATION,
        Origin.NAME,
        Origin.MANIFEST,
        Origin.PROJECT,
        Origin.SCRIPTS,
        Origin.DEFAULT,
    )
    return next(each for each in order if each in origins)


def _reasons(reports: Sequence[Report]) -> tuple[str, ...]:
    choices: Sequence[Choice] = [each.choice for each in reports]
    if all(each.origin is Origin.NAME for each in choices) and len(choices) > 1:
        names = [quoted(name_of_manifest(each.package.manifest_path)) for each in reports]
        return (f"the manifests are named {listed(names, 'and')}",)
    return tuple(chain.from_iterable(each.reasons for each in choices))


def _unchecked_code(reports: Sequence[Report]) -> tuple[UncheckedCode, ...]:
    """Returns the code that was not checked with any of the manifests, with one item for each reason."""
    found: dict[Cause, list[UncheckedCode]] = {}
    unconnected = frozenset[str].intersection(*map(_unconnected_names, reports))
    for each in chain.from_iterable(report.unchecked_code for report in reports):
        if each.cause is Cause.UNCONNECTED:
            each = replace(each, names=tuple(name for name in each.names if name in unconnected))
        if each.names or each.cause is not Cause.UNCONNECTED:
            found.setdefault(each.cause, []).append(each)
    return tuple(
        replace(
            items[0],
            names=tuple(sorted({name for each in items for name in each.names})),
            sources={name: source for each in items for name, source in each.sources.items()},
        )
        for items in found.values()
    )


def _unconnected_names(report: Report) -> frozenset[str]:
    """Returns the scripts that nothing is known to load with one of the manifests."""
    items = (each.names for each in report.unchecked_code if each.cause is Cause.UNCONNECTED)
    return frozenset(chain.from_iterable(items))


def _comments(reports: Sequence[Report]) -> tuple[Comment, ...]:
    """Returns the comments of all variants; one is unused only if this is certain in each of them."""
    found: dict[object, list[Comment]] = {}
    for comment in chain.from_iterable(each.comments for each in reports):
        found.setdefault((comment.path, comment.span), []).append(comment)
    return tuple(_comment(each) for each in found.values())


def _comment(same: Sequence[Comment]) -> Comment:
    scopes = (
        replace(own[0], is_decided=all(each.is_decided for each in own))
        for own in zip(*(each.scopes for each in same), strict=False)
    )
    return replace(same[0], scopes=tuple(scopes))
