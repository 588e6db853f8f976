"""Whether code that cannot work in one browser may be there for another, or be helped by the package itself.

An extension for several browsers asks in its own ways which one it runs in, and fills in what one
lacks. What cannot be decided so is not told; all of this is about browsers alone, for the reference
target is one API and not a choice among several.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from extlint.checks.availability.added_members import is_added, may_be_added
from extlint.checks.availability.reasons import Reason, Unavailability, unavailabilities_of
from extlint.extension import Extension, Script, once_per_extension
from extlint.package.suffixes import SCRIPTS, has_suffix
from extlint.project.test_files import is_of_tests
from extlint.script.facts.context import SOMEWHERE
from extlint.script.facts.script_facts import ApiPath, Guards, Reference
from extlint.targets.request import BROWSERS, NARROWED, engine_of
from extlint.targets.target import schema_set
from extlint.text.patterns import lazy
from extlint_schemas import browsers_with, schema_files, thunderbird_names

_BROWSER_TEST = lazy(
    rb"(?<![a-z])is_?(?:firefox|ff|gecko|chrom(?:e|ium)\w*|safari|edge|opera|thunderbird|mv[23])\b"
    rb"|(?<![a-z])user_?agent|getBrowserInfo|moz-extension"
    rb"|__(?:firefox|chrome|chromium|thunderbird|safari|mv[23])\w*__|\bbrowser_?(?:name|type)\b"
    rb"|(?:process|import\.meta)\.env\.(?:\w*_)?(?:browser|firefox|chrome|chromium|manifest|mv[23]?)(?![a-z])"
    rb"|webpackmode|navigator\.vendor",
    re.IGNORECASE,
)

_FORMER_NAMESPACES = frozenset(
    {"copresence", "experimental", "infobars", "signedInDevices", "systemIndicator"}
)
"""Namespaces that Chrome once had, or had before its release."""

_DECIDED_BY_BROWSER = frozenset({Reason.UNKNOWN, Reason.MANIFEST_VERSION, Reason.UNSUPPORTED})


def checked_scripts(extension: Extension) -> Iterator[Script]:
    """The scripts that may run in the target, and are not of the tests, which stand in for the API."""
    for script in extension.scripts:
        if not script.is_closed and (extension.schemas.is_specification or not is_of_tests(script)):
            yield script


@once_per_extension
def in_other_browsers(extension: Extension) -> tuple[Extension, ...]:
    """The same extension as the other browsers see it; for the reference target none."""
    if extension.schemas.is_specification:
        return ()
    return tuple(
        replace(extension, schemas=schema_set(name, extension.schemas.given), derived={})
        for name in BROWSERS
        if extension.schemas.is_narrowed or engine_of(name) is not extension.schemas.engine
    )


@once_per_extension
def in_other_targets(extension: Extension) -> tuple[Extension, ...]:
    """The same extension as the other browsers see it, those too that only have types of their own."""
    if extension.schemas.is_specification:
        return ()
    own = (name for name in NARROWED if schema_files(name) and name != extension.schemas.target)
    return (
        *in_other_browsers(extension),
        *(replace(extension, schemas=schema_set(name, extension.schemas.given), derived={}) for name in own),
    )


@once_per_extension
def in_other_manifest_version(extension: Extension) -> tuple[Extension, ...]:
    """The same extension in the other manifest version, in every browser; for the reference target none."""
    if extension.schemas.is_specification:
        return ()
    manifest = extension.manifest.as_version(2 if extension.manifest.version == 3 else 3)
    return tuple(
        replace(each, manifest=manifest, derived={}) for each in (extension, *in_other_browsers(extension))
    )


def is_browser_specific(extension: Extension, guards: Guards) -> bool:
    """Whether a place may be there for another browser, which a condition around it knows.

    A constant that nothing in the package gives a value gets one when the extension is built for a browser.
    """
    if extension.schemas.is_specification:
        return False
    return guards.browser_tested or not all(map(_assigns_global(extension), guards.constants))


def is_for_another_build(extension: Extension, guards: Guards, is_right: Callable[[Extension], bool]) -> bool:
    """Whether a condition around a place names a browser or a build, for one of which something is right.

    That is another browser, or any browser with another manifest that a build puts there.
    """
    return is_browser_specific(extension, guards) and any(
        is_right(other) for other in (*in_other_browsers(extension), *in_other_manifest_version(extension))
    )


def is_misspelled_everywhere(
    extension: Extension, script: Script, reference: Reference, lack: Unavailability
) -> bool:
    """Whether a name is a misspelling of one that exists, in whatever browser the place is reached.

    No test excuses it, for there is nothing that could be found.
    """
    if lack.reason is not Reason.UNKNOWN or _defines_property(extension)(lack.path[-1]):
        return False
    if _is_foreign_api(lack.path):
        return False
    if is_added(extension, lack.path):
        return False
    if not _is_named_in_full(script, reference):
        return False
    if extension.schemas.is_specification:
        is_own = len(lack.path) == 2 and browsers_with(*lack.path)
        return lack.nearest is not None and len(lack.path) <= 2 and not is_own
    found = [_unknown_in(other, lack.path) for other in in_other_browsers(extension)]
    return None not in found and any(each is not None and each.nearest for each in (lack, *found))


def exists_in_some_browser(extension: Extension, lack: Unavailability) -> bool:
    """Whether some browser has what is missing, so that the target or the manifest alone lacks it."""
    if lack.reason is not Reason.UNKNOWN:
        return True
    if extension.schemas.is_specification:
        return len(lack.path) == 2 and bool(browsers_with(*lack.path))
    return any(_unknown_in(other, lack.path) is None for other in in_other_browsers(extension))


def _unknown_in(extension: Extension, path: ApiPath) -> Unavailability | None:
    """That a browser has nothing of this name; None if it has, whatever else keeps a script from it."""
    for length in range(1, len(path) + 1):
        for lack in unavailabilities_of(extension, path[:length], SOMEWHERE):
            if lack.reason is Reason.UNKNOWN:
                return lack
    return None


def is_uncertain(extension: Extension, script: Script, reference: Reference, lack: Unavailability) -> bool:
    """Whether a lack is not certain: for another browser, or because the package makes what is missing."""
    if lack.reason is Reason.UNKNOWN and (
        is_added(extension, lack.path) or may_be_added(extension, lack.path)
    ):
        return True
    if extension.schemas.is_specification:
        return False
    if lack.reason is Reason.CONTEXT:
        return len(lack.path) > 1 and _defines_property(extension)(lack.path[-1])
    if lack.reason not in _DECIDED_BY_BROWSER:
        return False
    if (
        not reference.on_load
        and tests_for_browser(extension)
        and _may_be_of_another(extension, script, reference, lack)
    ):
        return True
    if lack.reason is not Reason.UNKNOWN:
        return False
    if len(lack.path) == 1:
        return not _has_named_member(extension, script, reference)
    if lack.nearest is None and (_misses_scripts(extension) or not _is_named_in_full(script, reference)):
        return True
    return _defines_property(extension)(lack.path[-1])


def is_right_in_another_browser(extension: Extension, judge: Callable[[Extension], bool]) -> bool:
    """Whether something is right in another browser."""
    return any(judge(other) for other in in_other_browsers(extension))


def _may_be_of_another(
    extension: Extension, script: Script, reference: Reference, lack: Unavailability
) -> bool:
    """Whether another browser has what is missing, or it is a namespace of some program that is not known.

    Some condition must stand before that, for in the known ones it always fails.
    """
    is_foreign = lack.reason is Reason.UNKNOWN and len(lack.path) == 1
    if is_foreign and (reference.guards.conditional or not script.contexts or _is_foreign_api(lack.path)):
        return True
    return any(
        not unavailabilities_of(other, lack.path, script.as_in(other.schemas.target).contexts)
        for other in in_other_browsers(extension)
    )


def _is_foreign_api(path: ApiPath) -> bool:
    """Whether something is of Thunderbird, of Chrome's past, or private to a browser's own extensions."""
    if path[0] in _FORMER_NAMESPACES or path[0].endswith("Private"):
        return True
    known = thunderbird_names().namespaces
    return path[0] in known if len(path) == 1 else path[-1] in known.get(".".join(path[:-1]), ())


def _has_named_member(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether a member of the namespace is named there, so that its absence is felt."""
    start, end = reference.span
    return _ends(extension).get((script.path, script.base, start), 0) > end


@once_per_extension
def _ends(extension: Extension) -> dict[tuple[str, int, int], int]:
    """Where the longest reference ends of those that begin at a place of a script."""
    found: dict[tuple[str, int, int], int] = {}
    for script in extension.scripts:
        for reference in script.facts.references:
            place = (script.path, script.base, reference.span[0])
            found[place] = max(reference.span[1], found.get(place, 0))
    return found


def _is_named_in_full(script: Script, reference: Reference) -> bool:
    """Whether the name before the member's is that of what it is a member of, and no other variable's."""
    start, end = (at + script.base for at in reference.span)
    words = re.findall(rb"[\w$]+", script.index.text[start:end])
    return (
        min(len(words), len(reference.path)) < 2 or words[-2].decode("utf-8", "replace") == reference.path[-2]
    )


@once_per_extension
def tests_for_browser(extension: Extension) -> bool:
    """Whether a script of the package seems to ask in its own way which browser it runs in."""
    return any(map(_BROWSER_TEST.search, _texts(extension)))


@once_per_extension
def _assigns_global(extension: Extension) -> Callable[[str], bool]:
    """Tells of a global whether some script of the package gives it a value."""
    return _search_for_names(
        _texts(extension),
        rb"(?<![\w$])(?:var|let|const|function|class)\s+%(name)b(?![\w$])|(?<![\w$])%(name)b\s*=(?!=)",
    )


@once_per_extension
def _texts(extension: Extension) -> tuple[bytes, ...]:
    """The files that scripts stand in, each once: a page may have many."""
    return tuple({script.path: script.index.text for script in extension.scripts}.values())


@once_per_extension
def _misses_scripts(extension: Extension) -> bool:
    """Whether the package names scripts that it lacks, which may do anything."""
    return any(
        has_suffix(named.path, SCRIPTS) and named.path not in extension.package
        for named in extension.named_files
    )


@once_per_extension
def _defines_property(extension: Extension) -> Callable[[str], bool]:
    """Tells of a name whether some script of the package sets, defines or lists a property of that name."""
    return _search_for_names(
        _texts(extension),
        rb"\.%(name)b\s*=(?!=)|(?<![\w$.])%(name)b\s*:"
        rb"|(?<![\w$.])%(name)b\s*\([^()]*\)\s*\{|[\"'`]%(name)b[\"'`]",
    )


def _search_for_names(texts: Sequence[bytes], pattern: bytes) -> Callable[[str], bool]:
    """Tells of a name whether a pattern with that name in it fits in one of the texts; each is asked once."""
    known: dict[str, bool] = {}

    def seen(name: str) -> bool:
        if name not in known:
            word = name.encode()
            expression = re.compile(pattern % {b"name": re.escape(word)})
            known[name] = any(word in text and expression.search(text) for text in texts)
        return known[name]

    return seen
