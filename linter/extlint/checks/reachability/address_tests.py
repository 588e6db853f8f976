"""Evaluates a script's tests of its own address: `location.pathname === "/popup.html"`.

A worker, and the background page, have one address. A program may add a query and a fragment to the address
of another page, so that a test of the whole address is only evaluated if it certainly has one outcome.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.context import EXTENSION_PAGES, Context, ContextKind
from extlint.analysis.facts.script_facts import FILE, HAS_ANY, HREF, ApiPath, Guards
from extlint.extension import Extension, Script
from extlint.package.references import paths_of
from extlint.project.contexts.script import page_of
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.text.javascript_regex import is_match

_ORIGINS = {
    Engine.CHROMIUM: "chrome-extension://abcdefghijklmnopponmlkjihgfedcba",
    Engine.GECKO: "moz-extension://01234567-89ab-4cde-8f01-23456789abcd",
}
"""An origin with all characters that one of a browser may have."""

_GENERATED_PAGE = "_generated_background_page.html"
_REPLACING = (b"pushState", b"replaceState")
"""The functions of `history` that replace the address of a page."""


def contradicts_address(extension: Extension, script: Script, guards: Guards) -> bool:
    """Whether guards assume something about the own address that is false wherever the script runs."""
    return bool(script.contexts) and all(
        _contradicts(extension, script, context, guards) for context in script.contexts
    )


def _contradicts(extension: Extension, script: Script, context: Context, guards: Guards) -> bool:
    origin = _ORIGINS.get(extension.target.engine) if extension.target.engine else None
    path = None if origin is None else _path_in(extension, script, context)
    if path is None:
        return False
    is_fixed = context.kind in (ContextKind.BACKGROUND, ContextKind.SERVICE_WORKER)
    return any(_is_false(fact, f"{origin}/{path}", is_fixed=is_fixed) for fact in guards.address)


def _path_in(extension: Extension, script: Script, context: Context) -> str | None:
    """Returns the path of the page or worker in which a script runs, or None if it is unknown."""
    background = {key: _background_path(extension, key) for key in ("page", "service_worker")}
    if context.kind is ContextKind.SERVICE_WORKER:
        return background["service_worker"]
    if context.kind is ContextKind.BACKGROUND:
        return background["page"] or _GENERATED_PAGE
    step = context.step
    is_page = context.kind in EXTENSION_PAGES and context.path_count == 1 and step is not None
    if step is None or not is_page or (step.first or step).may_read or _any_replaces_address(extension):
        return None
    return page_of(script.path, context)


def _background_path(extension: Extension, key: str) -> str | None:
    found = extension.manifest.get("background", key)
    return paths_of(found.value)[0] if found is not None and isinstance(found.value, str) else None


@query(is_of_package=True)
def _any_replaces_address(extension: Extension) -> bool:
    return any(name in script.index.text for script in extension.scripts for name in _REPLACING)


def _is_false(fact: ApiPath, address: str, *, is_fixed: bool) -> bool:
    quantifier, part, *patterns = fact
    path = "/" + address.split("/", 3)[3]
    text = address if part == HREF else path.rpartition("/")[2] if part == FILE else path
    is_open = part == HREF and not is_fixed
    if quantifier == HAS_ANY:
        return all(is_match(each, text) is False and not (is_open and "." not in each) for each in patterns)
    return any(all(is_match(each, one) for one in _possible(text, is_open=is_open)) for each in patterns)


def _possible(address: str, *, is_open: bool) -> Iterator[str]:
    """Yields an address, and if a program may add something to it, one with a query and a fragment."""
    yield address
    if is_open:
        yield f"{address}?a=1#a"
