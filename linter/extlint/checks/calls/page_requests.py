"""Finds the requests that the background and the pages of an extension make to hosts with known names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.platform_globals import REQUESTS
from extlint.analysis.facts.script_facts import FailureHandling, GlobalUse
from extlint.analysis.facts.values import Kind, Literal, Typed, Value, options_of
from extlint.checks.api.watched_globals import watched_globals
from extlint.checks.availability.missing_globals import fails_on
from extlint.extension import Extension, Script
from extlint.schema.engine import Engine
from extlint.text.patterns import lazy
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

_STRING = lazy(rb"[\"'`]([^\"'`$\\]*/)")
"""Matches the start of an expression that begins with a string, up to a slash."""

_LOOPBACK = lazy(r"(?i)127(?:\.\d+){3}|\[::1\]|(?:.+\.)?localhost")


class PageRequest(Struct, frozen=True):
    """A request: the position of its address, and the origin, as `https://example.com`."""

    span: ByteSpan
    origin: str


def requests_in(extension: Extension, script: Script, schemes: Sequence[bytes]) -> Iterator[PageRequest]:
    """Yields the requests that a script certainly makes, except those to the own computer.

    A script without any of the `schemes` is not searched. Requests count even if the program handles their
    failure.
    """
    for use in _uses(extension, script) if _may_request(extension, script, schemes) else ():
        span = use.arguments[0].span
        origin = None if span is None else _origin(script, use.arguments[0])
        if span is None or origin is None:
            continue
        if any(
            fails_on(
                extension, script, each, frozenset(), is_everywhere=True, least=FailureHandling.INSPECTED
            )
            for each in use.paths
        ):
            yield PageRequest(span, origin)


def prefetch_requests(extension: Extension, script: Script, schemes: Sequence[bytes]) -> None:
    """Queries the requests of a script."""
    if _may_request(extension, script, schemes):
        _uses(extension, script)


def _may_request(extension: Extension, script: Script, schemes: Sequence[bytes]) -> bool:
    """Whether a script runs only in contexts of the extension, and may make such a request."""
    engine, text = extension.target.engine, script.index.text
    own, never = _OWN_KINDS.get(engine, (_PAGES, frozenset())) if engine else (_PAGES, frozenset())
    kinds = {each.kind for each in script.contexts} - never
    return bool(kinds) and kinds <= own and any(each in text for each in schemes)


def _uses(extension: Extension, script: Script) -> Sequence[GlobalUse]:
    return extension.searches.global_uses(script, REQUESTS, watched_globals(extension), _takes_text)


def _takes_text(_name: str, arguments: tuple[Value, ...]) -> bool:
    """Whether the first argument of a call is certainly a string."""
    options = options_of(arguments[0]) if arguments else ()
    return bool(options) and all(
        isinstance(each, Literal | Typed) and each.kind is Kind.STRING for each in options
    )


def _origin(script: Script, address: Value) -> str | None:
    """Returns the origin of an address, or None if it is the own computer or not certain.

    It is the start of the string, if that is known, or that of an expression that begins with a string.
    """
    if isinstance(address, Literal):
        text = str(address.value).encode()
    else:
        start, end = address.span or (0, 0)
        begun = _STRING.match(script.index.text, start + script.base, end + script.base)
        text = b"" if begun is None else begun[1]
    found = _ADDRESS.match(text)
    if found is None or _LOOPBACK.fullmatch(found[2].decode()) is not None:
        return None
    return b"".join(found.groups()).decode().lower()
