"""Finds the requests that the background and the pages of an extension make to hosts with known names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.platform_globals import REQUESTS
from extlint.analysis.facts.script_facts import ArgumentTest, FailureHandling, GlobalUse
from extlint.analysis.facts.values import Kind, Literal, Typed, Value, options_of
from extlint.checks.api.absent_globals import watched_globals
from extlint.checks.availability.missing_globals import fails_on
from extlint.extension import Extension, Script
from extlint.schema.engine import Engine
from extlint.text.patterns import each_offset, lazy
from extlint.text.positions import ByteSpan

_PAGES = frozenset({ContextKind.BACKGROUND, ContextKind.DEVTOOLS_PAGE, ContextKind.EXTENSION_PAGE})
_OWN_KINDS = {
    Engine.GECKO: (_PAGES, frozenset({ContextKind.SERVICE_WORKER})),
    Engine.CHROMIUM: (
        _PAGES | {ContextKind.OFFSCREEN, ContextKind.SERVICE_WORKER},
        frozenset({ContextKind.BACKGROUND}),
    ),
}
"""The contexts to which the policy of the manifest applies in each browser, and those that it never runs."""

_ADDRESS = lazy(rb"(?i)((?:https?|wss?)://)(\[[\da-f:.]+\]|[\w.-]+)((?::\d+)?)(?=[/?#]|\Z)")
"""Matches the start of an address up to its port."""

_HOST = lazy(rb"(?i)(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d+)?")
"""Matches what follows the scheme of an address."""

_FIELD = lazy(rb"[(\s]*(?:`\$\{[(\s]*)?this\s*\.\s*#?([\w$]+)")
"""Matches the start of an expression that begins with a field of `this`."""

_MORE = b"\0"
"""Stands for the part of a text that is not known. It is not a part of an address."""

_LOOPBACK = lazy(r"(?i)127(?:\.\d+){3}|\[::1\]|(?:.+\.)?localhost")


OriginTest: TypeAlias = Callable[[str], bool]
"""A test of whether requests to an origin matter. The same tests are the same object."""


class PageRequest(Struct, frozen=True):
    """A request: the position of its address, and the origin, as `https://example.com`."""

    span: ByteSpan
    origin: str


def requests_in(
    extension: Extension, script: Script, schemes: Sequence[bytes], matters: OriginTest
) -> Iterator[PageRequest]:
    """Yields the requests to such origins that a script certainly makes, except those to the own computer.

    A script without an address of one of the `schemes` that may matter is not searched. Requests count even
    if the program handles their failure.
    """
    for use in _uses(extension, script, matters) if _may_request(extension, script, schemes, matters) else ():
        span, origins = use.arguments[0].span, {*map(_origin, options_of(use.arguments[0]))}
        origin = origins.pop() if len(origins) == 1 else None
        if (
            span is None
            or origin is None
            or not matters(origin)
            or _is_set_elsewhere(extension, script, span)
        ):
            continue
        if any(
            fails_on(
                extension, script, each, frozenset(), is_everywhere=True, least=FailureHandling.INSPECTED
            )
            for each in use.paths
        ):
            yield PageRequest(span, origin)


def _is_set_elsewhere(extension: Extension, script: Script, address: ByteSpan) -> bool:
    """Whether another script may set a field of `this` with which an address begins."""
    start, end = (each + script.base for each in address)
    field = _FIELD.match(script.index.text, start, end)
    if field is None:
        return False
    name = re.escape(field[1])
    setting = re.compile(rb"\b%b\s*=(?!=)|[\"'`]%b[\"'`]" % (name, name))
    return any(each is not script and setting.search(each.index.text) for each in extension.scripts)


def prefetch_requests(
    extension: Extension, script: Script, schemes: Sequence[bytes], matters: OriginTest
) -> None:
    """Queries the requests of a script to such origins."""
    if _may_request(extension, script, schemes, matters):
        _uses(extension, script, matters)


def _may_request(extension: Extension, script: Script, schemes: Sequence[bytes], matters: OriginTest) -> bool:
    """Whether a script runs only in contexts of the extension, and has an address that may matter."""
    engine, text = extension.target.engine, script.index.text
    own, never = _OWN_KINDS.get(engine, (_PAGES, frozenset())) if engine else (_PAGES, frozenset())
    kinds = {each.kind for each in script.contexts} - never
    return bool(kinds) and kinds <= own and any(_may_matter(text, each, matters) for each in schemes)


def _may_matter(text: bytes, scheme: bytes, matters: OriginTest) -> bool:
    """Whether a text has such an address, or the start of one whose host is not known."""
    matches = (_HOST.match(text, at + len(scheme)) for at in each_offset(scheme, text))
    origins = {scheme + (found[0] if found else b"") for found in matches}
    return scheme in origins or any(matters(each.decode().lower()) for each in origins)


def _uses(extension: Extension, script: Script, matters: OriginTest) -> Sequence[GlobalUse]:
    return extension.searches.global_uses(
        script, REQUESTS, watched_globals(extension), _takes_origin(matters)
    )


@lru_cache
def _takes_origin(matters: OriginTest) -> ArgumentTest:
    """Returns a test of whether a call certainly gets a string, which may begin with such an origin."""

    def takes_origin(_name: str, arguments: tuple[Value, ...]) -> bool:
        texts = [*map(_start_of, options_of(arguments[0]))] if arguments else []
        origins = [None if each is None else _origin_in(each.encode()) for each in texts]
        return None not in texts and any(each is not None and matters(each) for each in origins)

    return takes_origin


def _start_of(value: Value) -> str | None:
    """Returns the known start of a string, or None if a value may be something else."""
    if not isinstance(value, Literal | Typed) or value.kind is not Kind.STRING:
        return None
    return str(value.value) if isinstance(value, Literal) else value.prefix


def _origin(address: Value) -> str | None:
    """Returns the origin of an address, or None if it is the own computer or not certain.

    Of a text whose end is not known, the start must go beyond the origin.
    """
    start = _start_of(address)
    is_whole = isinstance(address, Literal)
    return None if start is None else _origin_in(start.encode() + (b"" if is_whole else _MORE))


def _origin_in(text: bytes) -> str | None:
    found = _ADDRESS.match(text)
    if found is None or _LOOPBACK.fullmatch(found[2].decode()) is not None:
        return None
    return b"".join(found.groups()).decode().lower()
