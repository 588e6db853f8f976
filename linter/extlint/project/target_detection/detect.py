"""Detects the targets of an extension if the user names none, and Thunderbird add-ons.

Thunderbird is not a target: it has Firefox's settings and another API.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from extlint.manifest import vendor_keys
from extlint.manifest.manifest import Manifest, has_key
from extlint.package.files import Package, Surroundings, bytes_of
from extlint.package.suffixes import SCRIPTS
from extlint.project.target_detection.build_names import (
    THUNDERBIRD,
    NamedTargets,
    all_siblings_are_for_firefox,
    has_other_manifest,
    targets_in_names,
    targets_of_sibling_manifests,
)
from extlint.project.target_detection.choice import Choice, Origin
from extlint.project.target_detection.markers import (
    SETTINGS,
    browser_in_description,
    browser_in_readme,
    chromium_browser_in_readme,
    has_background_of_firefox,
    has_no_firefox_background,
    markers_in,
    xcode_project_of_safari,
)
from extlint.schema.engine import Engine
from extlint.schema.targets import (
    CHROME,
    FIREFOX,
    LAST_WITH_VERSION_2,
    SAFARI,
    SPECIFICATION,
    Target,
    engine_of,
)
from extlint.text.patterns import each_offset, lazy
from extlint.text.wording import quoted
from extlint_schemas import known_namespaces, thunderbird_names

_ROOT = b"messenger"
_ROOTS = (_ROOT, b"browser")
_USE = lazy(rb"(messenger|browser)\s*\??\.\s*(\w+)\s*\??\.\s*(\w+)")
_PART_OF_NAME = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz$.")
"""The characters that precede a part of a longer name, or a member."""

_OWN_ROOT = lazy(rb"(?<![\w$.])(?:const|let|var|class|function|import)\s[\s{]*messenger\b|\(messenger\b")
_INTERNAL = lazy(rb"chrome://messenger/|\bmail:3pane\b|\bMailServices\.(?:sys\.mjs|jsm)\b")
"""Names in Thunderbird's internal code, which experiments use."""

_INTERNAL_WORDS = (b"chrome://messenger/", b"mail:3pane", b"MailServices.")
"""Each of these names contains one of them: searching for them costs a thirtieth."""

_SITE = lazy(r"[/@.]thunderbird\.net(?![\w.-])")
_ADDRESSES = (
    ("homepage_url",),
    ("browser_specific_settings", "gecko", "id"),
    ("browser_specific_settings", "gecko", "update_url"),
    ("applications", "gecko", "id"),
    ("applications", "gecko", "update_url"),
)
MAX_SCRIPTS = 200
"""The maximum number of scripts searched in a package."""

MAX_SCRIPT_BYTES = 1_000_000
"""The maximum number of bytes searched in a script."""


def marker_in_names(named: NamedTargets | None) -> str | None:
    """Returns the name in a package that indicates Thunderbird, as a clause."""
    return named.reason if named is not None and THUNDERBIRD in named.targets else None


def marker_in_manifest(manifest: Manifest) -> str | None:
    """Returns the manifest value that only Thunderbird reads, as a clause."""
    for steps in vendor_keys.key_paths():
        node = manifest.get(*steps)
        if node is not None and node.value is not None:
            return f"the manifest has {quoted('.'.join(steps))}"
    for steps in _ADDRESSES:
        node = manifest.get(*steps)
        if node is not None and isinstance(node.value, str) and _SITE.search(node.value):
            return f"{quoted('.'.join(steps))} is an address at thunderbird.net"
    requested = vendor_keys.PERMISSIONS.intersection(manifest.permissions)
    return f"the manifest requests {quoted(min(requested))}" if requested else None


def marker_in_scripts(package: Package) -> str | None:
    """Returns the API that a script uses and only Thunderbird has, as a clause."""
    listed = (path for path in package.paths if path.endswith(SCRIPTS) and "node_modules/" not in path)
    for path in islice(listed, MAX_SCRIPTS):
        text = bytes_of(package.peek, path)
        used = None if text is None else _thunderbird_member(text[:MAX_SCRIPT_BYTES])
        if used is not None:
            return f"{quoted(path)} uses {quoted(used)}"
    return None


def _thunderbird_member(text: bytes) -> str | None:
    """Returns a used member that only Thunderbird has, or any known member of its root `messenger`."""
    names = thunderbird_names()
    has_own_root = _ROOT in text and _OWN_ROOT.search(text) is not None
    for found in _uses(text):
        root, namespace, member = (part.decode("ascii", "replace") for part in found.groups())
        is_own = namespace in names.own and namespace not in known_namespaces()
        if root == _ROOT.decode():
            is_used = not has_own_root and (is_own or namespace in known_namespaces(FIREFOX))
        else:
            is_used = is_own and member in names.namespaces.get(namespace, ())
        if is_used:
            return f"{root}.{namespace}.{member}"
    internal = _INTERNAL.search(text) if any(word in text for word in _INTERNAL_WORDS) else None
    return None if internal is None else internal[0].decode()


def _uses(text: bytes) -> Iterator[re.Match[bytes]]:
    """Yields the matches for a member of a member of a root, in order."""
    end = 0
    for at in sorted(at for root in _ROOTS for at in each_offset(root, text)):
        if at >= end and not (at and text[at - 1] in _PART_OF_NAME):
            found = _USE.match(text, at)
            if found is not None:
                yield found
                end = found.end()


def detect_targets(package: Package, manifest: Manifest) -> Choice:
    """Returns the targets for which an extension is written, if it indicates any, or the reference target.

    The output of a build for one browser is for that browser only, whatever its manifest has for others; so
    is a folder next to one for another browser. Any other name counts only if the manifest indicates no
    target. An add-on of Thunderbird, which has Firefox's settings and formats, is for none of the targets.
    Settings for Firefox do not count if it never runs the background and a sibling manifest is named for it.
    An Xcode project adds Safari. The README decides only if nothing else does, and for the only manifest, or
    for one next to those that are named for Firefox. In Manifest V2, the name of Opera, Brave or Vivaldi
    means the versions of Chrome that load it, since it is unknown when those browsers remove it. Frameworks
    that make the manifest from the names of files build for Chrome by default, unless all builds are for
    Firefox. With commands for both, each has a manifest of its own, and otherwise WXT builds the same one
    for Firefox if it has a background and settings for that.
    """
    if manifest.path in package.made:
        from extlint.package.discovery.frameworks import FIREFOX_MANIFEST, firefox_build, framework_of

        framework = framework_of(package.paths, package.peek)
        build = firefox_build(package.paths, package.peek)
        if build is not None and (build.is_only or manifest.path == FIREFOX_MANIFEST):
            browser = "it" if build.is_only else "Firefox"
            reason = f"the scripts in package.json build for {browser} with {framework}"
            return Choice((Target(FIREFOX),), Origin.PROJECT, (reason,))
        if framework is not None:
            reason = f"{framework} builds for {'it' if build is None else 'Chrome'} by default"
            if not has_background_of_firefox(manifest) or not has_key(manifest, SETTINGS, "gecko"):
                return Choice((Target(CHROME),), Origin.PROJECT, (reason,))
            reason = "WXT builds for Chrome by default, and the manifest has settings for Firefox"
            return Choice((Target(CHROME), Target(FIREFOX)), Origin.PROJECT, (reason,))
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
        return Choice(_targets(named.targets, named, manifest), Origin.NAME, (named.reason,))
    origin = Origin.MANIFEST if markers else Origin.PROJECT
    if for_safari is not None:
        markers[SAFARI] = for_safari
    if markers:
        return Choice(_targets(markers, named, manifest), origin, tuple(markers.values()))
    if named is not None:
        return Choice(_targets(named.targets, named, manifest), Origin.NAME, (named.reason,))
    described = None if has_other_manifest(package) else browser_in_description(manifest, around)
    if described is not None:
        return Choice((Target(described[0]),), Origin.MANIFEST, (described[1],))
    documented = None if around is None else _documented(package, around)
    if documented is not None:
        browser, reason = documented
        return Choice((Target(browser),), Origin.PROJECT, (reason,))
    reason = "nothing names a browser"
    if manifest.version == 2 and manifest.is_clear:
        reason += f"; Chrome {LAST_WITH_VERSION_2[0] + 1} and newer do not load Manifest V2"
    return Choice((Target(SPECIFICATION),), Origin.DEFAULT, (reason,))


def targets_of_builds(package: Package) -> tuple[str, ...]:
    """Returns the targets of the manifests that a framework makes of the same keys, or an empty tuple."""
    if not package.made:
        return ()
    from extlint.package.discovery.frameworks import FIREFOX_MANIFEST

    return (CHROME, FIREFOX) if FIREFOX_MANIFEST in package.made else ()


def _documented(package: Package, around: Surroundings) -> tuple[str, str] | None:
    """Returns the browser in whose pages a README says to install the extension, and the reason, or None."""
    if not has_other_manifest(package):
        return browser_in_readme(around)
    return chromium_browser_in_readme(around) if all_siblings_are_for_firefox(package) else None


def _targets(names: Iterable[str], named: NamedTargets | None, manifest: Manifest) -> tuple[Target, ...]:
    is_limited = named is not None and named.is_relative and manifest.version == 2
    maximum = LAST_WITH_VERSION_2 if is_limited else None
    return tuple(Target(each, maximum=maximum if each == CHROME else None) for each in names)
