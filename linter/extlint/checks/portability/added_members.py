"""Members that a package itself may add to the API, such as `queryAsync` by `promisifyAll(chrome.tabs)`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from extlint.analysis.facts.script_facts import ApiPath, has_prefix_among
from extlint.checks.api.members import EVENT_METHODS
from extlint.checks.api.schema_path import find_schema_path
from extlint.extension import Extension
from extlint.queries.query import query
from extlint.schema.model import Event, SchemaSet
from extlint.schema.targets.request import BROWSERS
from extlint.schema.targets.target import schema_set
from extlint.text.nearest import nearest
from extlint.text.positions import encode_name

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
