"""Detects the targets of an extension if the user names none."""

from __future__ import annotations

from collections.abc import Iterable

from extlint.manifest.manifest import Manifest
from extlint.package.files import Package, Surroundings
from extlint.project.target_detection.build_names import (
    NamedTargets,
    all_siblings_are_for_firefox,
    has_other_manifest,
    targets_in_names,
    targets_of_sibling_manifests,
)
from extlint.project.target_detection.choice import Choice, Origin
from extlint.project.target_detection.markers import (
    browser_in_readme,
    chromium_browser_in_readme,
    has_no_firefox_background,
    markers_in,
    xcode_project_of_safari,
)
from extlint.project.target_detection.thunderbird import (
    marker_in_manifest,
    marker_in_names,
    marker_in_scripts,
)
from extlint.schema.engine import Engine
from extlint.schema.targets.request import (
    FIREFOX,
    LAST_WITH_VERSION_2,
    SAFARI,
    SPECIFICATION,
    Target,
    engine_of,
)


def detect_targets(package: Package, manifest: Manifest) -> Choice:
    """Returns the targets for which an extension is written, if it indicates any, or the reference target.

    The output of a build for one browser is for that browser only, whatever its manifest has for others; so
    is a folder next to one for another browser. Any other name counts only if the manifest indicates no
    target. An add-on of Thunderbird, which has Firefox's settings and formats, is for none of the targets.
    Settings for Firefox do not count if it never runs the background and a sibling manifest is named for it.
    An Xcode project adds Safari. The README decides only if nothing else does, and for the only manifest, or
    for one next to those that are named for Firefox.
    """
    named = targets_in_names(package)
    is_output = named is not None and named.is_build_output
    around = None if package.packed or is_output else package.around
    for_safari = None if around is None else xcode_project_of_safari(around)
    for_thunderbird = marker_in_names(named)
    if for_thunderbird is None and (not is_output or (named is not None and named.is_archive_format)):
        for_thunderbird = marker_in_manifest(manifest)
    markers = markers_in(manifest, is_for_safari=for_safari is not None)
    if (
        FIREFOX in markers
        and has_no_firefox_background(manifest)
        and FIREFOX in targets_of_sibling_manifests(package)
    ):
        markers = {each: why for each, why in markers.items() if engine_of(each) is not Engine.GECKO}
    if (
        for_thunderbird is None
        and markers
        and all(engine_of(each) is Engine.GECKO for each in markers)
        and not is_output
    ):
        for_thunderbird = marker_in_scripts(package)
    if for_thunderbird is not None:
        reason = f"Thunderbird is not a target, and {for_thunderbird}"
        return Choice((Target(SPECIFICATION),), Origin.DEFAULT, (reason,), is_of_thunderbird=True)
    if named is not None and is_output:
        return _by_name(named)
    origin = Origin.MANIFEST if markers else Origin.PROJECT
    if for_safari is not None:
        markers[SAFARI] = for_safari
    if markers:
        return Choice(_targets(markers), origin, tuple(markers.values()))
    if named is not None:
        return _by_name(named)
    documented = None if around is None else _documented(package, around)
    if documented is not None:
        browser, reason = documented
        return Choice((Target(browser),), Origin.PROJECT, (reason,))
    reason = "nothing names a browser"
    if manifest.version == 2 and manifest.is_clear:
        reason += f"; Chrome {LAST_WITH_VERSION_2[0] + 1} and newer do not load Manifest V2"
    return Choice((Target(SPECIFICATION),), Origin.DEFAULT, (reason,))


def _documented(package: Package, around: Surroundings) -> tuple[str, str] | None:
    """Returns the browser in whose pages a README says to install the extension, and the reason, or None."""
    if not has_other_manifest(package):
        return browser_in_readme(around)
    return chromium_browser_in_readme(around) if all_siblings_are_for_firefox(package) else None


def _by_name(named: NamedTargets) -> Choice:
    return Choice(_targets(named.targets), Origin.NAME, (named.reason,))


def _targets(names: Iterable[str]) -> tuple[Target, ...]:
    return tuple(map(Target, names))
