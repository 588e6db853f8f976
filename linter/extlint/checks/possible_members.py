"""Determines whether an unavailable member may exist in another browser, or be defined by the package.

An extension for several browsers has its own ways to test for the current browser, and defines missing
members. If this cannot be decided, nothing is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from extlint.analysis.facts.context import UNKNOWN_CONTEXTS
from extlint.analysis.facts.script_facts import ApiPath, Reference, has_prefix_among
from extlint.analysis.facts.values import EVENT_METHODS
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.schema_path import find_schema_path
from extlint.checks.api.unavailability import Reason, Unavailability
from extlint.checks.other_browsers import defines_property, in_other_browsers
from extlint.extension import Extension, Script
from extlint.queries.query import query
from extlint.schema.model import Event, SchemaSet
from extlint.schema.targets import BROWSERS, schema_set
from extlint.text.nearest import nearest
from extlint.text.positions import encode_name
from extlint_schemas import browsers_with, thunderbird_names

MAX_MEMBER_LENGTH = 100
"""The maximum length of a member's name in any browser."""

_QUOTES = (b'"', b"'", b"`")


def is_added(extension: Extension, path: ApiPath) -> bool:
    """Whether a script adds a member to the API, under its own name or one derived from another member's.

    An object that no browser has may get members in ways that are not known.
    """
    created = (each for each in _created_objects(extension) if path[: len(each)] == each)
    return (
        has_prefix_among(path, _added_members(extension))
        or any(each == path or not is_member_of_any_browser(extension, each) for each in created)
        or _is_derived(extension, path)
    )


@query
def _added_members(extension: Extension) -> frozenset[ApiPath]:
    return frozenset().union(*(script.facts.added for script in extension.scripts))


@query
def _created_objects(extension: Extension) -> frozenset[ApiPath]:
    return frozenset().union(*(script.facts.created for script in extension.scripts))


@query
def _exposed_members(extension: Extension) -> frozenset[ApiPath]:
    return frozenset().union(*(script.facts.exposed for script in extension.scripts))


def may_be_replaced(extension: Extension, path: ApiPath) -> bool:
    """Whether a script assigns to a member that browsers have, or passes its object to unknown code."""
    return has_prefix_among(path, _added_members(extension)) or has_prefix_among(
        path, _exposed_members(extension)
    )


def _is_derived(extension: Extension, path: ApiPath) -> bool:
    """Whether a name is that of a member with a prefix or suffix that some script adds to names.

    `queryAsync` is derived if a script has the string `"Async"`, or a template that ends with it.
    """
    name, owner = path[-1], path[:-1]
    for at in range(1, min(len(name), MAX_MEMBER_LENGTH + 1)):
        first, last = name[:at], name[at:]
        if (
            not last[0].islower()
            and is_member_of_any_browser(extension, (*owner, first))
            and _has_affix(extension)("", last)
        ):
            return True
    for at in range(max(1, len(name) - MAX_MEMBER_LENGTH), len(name)):
        first, last = name[:at], name[at:]
        rest = {last, last[0].lower() + last[1:]}
        if any(is_member_of_any_browser(extension, (*owner, each)) for each in rest) and _has_affix(
            extension
        )(first, ""):
            return True
    return False


def may_be_added(extension: Extension, path: ApiPath) -> bool:
    """Whether unknown code, or code with computed names, may have added a member.

    A name that a browser has, or a similar one, is not treated as an added member.
    """
    is_exposed = has_prefix_among(path, _exposed_members(extension))
    return is_exposed and not any(
        _is_near_known_member(schemas, extension, path) for schemas in _browser_schemas(extension)
    )


def _browser_schemas(extension: Extension) -> Iterator[SchemaSet]:
    for target in BROWSERS:
        yield schema_set(target, extension.schemas.user_schemas)


def is_member_of_any_browser(extension: Extension, path: ApiPath) -> bool:
    """Whether some browser has a member in the manifest version of the extension."""
    found = (
        find_schema_path(schemas, path, extension.manifest_version) for schemas in _browser_schemas(extension)
    )
    return any(each is not None and not each.rest for each in found)


def _is_near_known_member(schemas: SchemaSet, extension: Extension, path: ApiPath) -> bool:
    found = find_schema_path(schemas, path, extension.manifest_version)
    if found is None:
        return nearest(path[0], schemas.names) is not None
    if isinstance(found.member, Event):
        return not found.rest or nearest(found.rest[0], EVENT_METHODS) is not None
    return (
        not found.rest or found.known_names is None or nearest(found.rest[0], found.known_names) is not None
    )


@query
def _has_affix(extension: Extension) -> Callable[[str, str], bool]:
    """Returns a predicate of a prefix or suffix: whether some script has it as a string or in a template."""
    texts = tuple({script.path: script.index.text for script in extension.scripts}.values())

    @cache
    def is_found(before: str, after: str) -> bool:
        return any(_is_affix(text, encode_name(before or after), is_prefix=bool(before)) for text in texts)

    return is_found


def _is_affix(text: bytes, word: bytes, *, is_prefix: bool) -> bool:
    """Whether a text has a word as a string, or at the end of a template that it begins or ends."""
    at = text.find(word)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(word) : at + len(word) + 2]
        if before in _QUOTES and before == after[:1]:
            return True
        if (before == b"`" and after == b"${") if is_prefix else (before == b"}" and after[:1] == b"`"):
            return True
        at = text.find(word, at + 1)
    return False


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
    if unavailability.nearest is None and not _is_named_in_full(script, reference):
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
