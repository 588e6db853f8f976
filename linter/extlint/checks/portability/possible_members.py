"""Determines whether an unavailable member may exist in another browser, or be defined by the package itself.

An extension for several browsers has its own ways to test for the current browser, and defines missing
members. If this cannot be decided, nothing is reported.
"""

from __future__ import annotations

import re

from extlint.analysis.facts.context import UNKNOWN_CONTEXTS
from extlint.analysis.facts.script_facts import ApiPath, Reference
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.unavailability import Reason, Unavailability
from extlint.checks.portability.added_members import (
    is_added,
    is_member_of_any_browser,
    may_be_added,
    may_be_replaced,
)
from extlint.checks.portability.other_browsers import in_other_browsers
from extlint.checks.portability.source_searches import defines_property
from extlint.extension import Extension, Script
from extlint.package.suffixes import SCRIPTS, has_suffix
from extlint.queries.query import query
from extlint_schemas import browsers_with, thunderbird_names

_FORMER_NAMESPACES = frozenset(
    {"copresence", "experimental", "infobars", "signedInDevices", "systemIndicator"}
)
"""Namespaces that Chrome has removed, or had only before their release."""

_FORMER_MEMBERS = frozenset({("extension", "inPrivateContext")})
"""Members that existed only in Microsoft Edge, before it was based on Chromium."""


def is_misspelled_everywhere(
    extension: Extension, script: Script, reference: Reference, unavailability: Unavailability
) -> bool:
    """Whether a name is a misspelling of one that exists, whichever browser runs the code.

    No guard excuses it: a test for it fails in every browser.
    """
    if unavailability.reason is not Reason.UNKNOWN or _may_be_defined(extension, unavailability.path):
        return False
    if _is_foreign_api(unavailability.path):
        return False
    if is_added(extension, unavailability.path):
        return False
    if not _is_named_in_full(script, reference):
        return False
    if extension.schemas.is_specification:
        is_own = len(unavailability.path) == 2 and browsers_with(*unavailability.path)
        return unavailability.nearest is not None and len(unavailability.path) <= 2 and not is_own
    found = [_unknown_in(other, unavailability.path) for other in in_other_browsers(extension)]
    return None not in found and any(each is not None and each.nearest for each in (unavailability, *found))


def is_former_member(path: ApiPath) -> bool:
    """Whether a discontinued browser had the member."""
    return path in _FORMER_MEMBERS


def exists_in_some_browser(extension: Extension, unavailability: Unavailability) -> bool:
    """Whether some browser has the member, which is rejected only by the target or the manifest."""
    if unavailability.reason is not Reason.UNKNOWN or is_former_member(unavailability.path):
        return True
    if extension.schemas.is_specification:
        return len(unavailability.path) == 2 and bool(browsers_with(*unavailability.path))
    return any(_unknown_in(other, unavailability.path) is None for other in in_other_browsers(extension))


def _unknown_in(extension: Extension, path: ApiPath) -> Unavailability | None:
    """Returns the unavailability of a name unknown to a browser, or None if it is known, usable or not."""
    for length in range(1, len(path) + 1):
        for unavailability in unavailabilities_of(extension, path[:length], UNKNOWN_CONTEXTS):
            if unavailability.reason is Reason.UNKNOWN:
                return unavailability
    return None


def is_uncertain(
    extension: Extension, script: Script, reference: Reference, unavailability: Unavailability
) -> bool:
    """Whether a member may exist after all, in another browser or because the package defines it."""
    if unavailability.reason is Reason.UNKNOWN and (
        is_added(extension, unavailability.path) or may_be_added(extension, unavailability.path)
    ):
        return True
    if extension.schemas.is_specification:
        return False
    if unavailability.reason is Reason.CONTEXT:
        return len(unavailability.path) > 1 and _may_be_defined(extension, unavailability.path)
    if unavailability.reason is not Reason.UNKNOWN:
        return False
    if len(unavailability.path) == 1:
        return not _has_named_member(extension, script, reference)
    if unavailability.nearest is None and (
        _has_missing_scripts(extension) or not _is_named_in_full(script, reference)
    ):
        return True
    return _may_be_defined(extension, unavailability.path)


def _may_be_defined(extension: Extension, path: ApiPath) -> bool:
    """Whether a script may add a member to the API, because some script defines a property with its name.

    For the name of a browser's member, this counts only if a script adds to the object that contains it.
    """
    if not defines_property(extension)(path[-1]):
        return False
    return may_be_replaced(extension, path) or not is_member_of_any_browser(extension, path)


def _is_foreign_api(path: ApiPath) -> bool:
    """Whether a member belongs to Thunderbird, to an older Chrome, or to a browser's own extensions."""
    if path[0] in _FORMER_NAMESPACES or path[0].endswith("Private"):
        return True
    known = thunderbird_names().namespaces
    return path[0] in known if len(path) == 1 else path[-1] in known.get(".".join(path[:-1]), ())


def _has_named_member(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether the reference to a namespace is part of one to a member, which throws if it is missing."""
    if reference.is_delegated:
        return True
    start, end = reference.span
    return _reference_ends(extension).get((script.path, script.base, start), 0) > end


@query
def _reference_ends(extension: Extension) -> dict[tuple[str, int, int], int]:
    """Returns the end of the longest reference that begins at a position, by script and position."""
    found: dict[tuple[str, int, int], int] = {}
    for script in extension.scripts:
        for reference in script.facts.references:
            place = (script.path, script.base, reference.span[0])
            found[place] = max(reference.span[1], found.get(place, 0))
    return found


def _is_named_in_full(script: Script, reference: Reference) -> bool:
    """Whether the source writes the namespace before the member, rather than the name of a variable."""
    if reference.is_delegated:
        return True
    start, end = (at + script.base for at in reference.span)
    words = re.findall(rb"[\w$]+", script.index.text[start:end])
    return (
        min(len(words), len(reference.path)) < 2 or words[-2].decode("utf-8", "replace") == reference.path[-2]
    )


@query(is_kept=True)
def _has_missing_scripts(extension: Extension) -> bool:
    """Whether scripts that the package names are missing; they may do anything."""
    return any(
        has_suffix(named.path, SCRIPTS) and named.path not in extension.package
        for named in extension.named_files
    )
