"""Evaluates a script's tests of its environment: of its manifest, the user agent, and its own address.

Chromium 156 returns the manifest as it is written, with messages filled in. Firefox 153 normalizes it: it
omits unknown keys and permissions, and adds values for some keys that are not written. Verified with
`extlint_judge seen-manifest`.

The texts are those of Firefox 153 and Chromium 156 (verified with `extlint_judge user-agent`); the user
agents of their editions add to them. Other texts are unknown: they may be versions or names of systems.

A worker, and the background page, have one address: `location.pathname === "/popup.html"`. A program may
add a query and a fragment to the address of another page, so that a test of the whole address is only
evaluated if it certainly has one outcome.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from extlint.analysis.facts.context import EXTENSION_PAGES, Context, ContextKind
from extlint.analysis.facts.script_facts import (
    FILE,
    FOLDED,
    HAS_ANY,
    HREF,
    INCLUDES,
    SCHEME,
    TRUE,
    ApiPath,
    Guards,
)
from extlint.extension import Extension, Script
from extlint.package.references import paths_of
from extlint.project.contexts.script import page_of
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.text.javascript_regex import is_match

_KEYS_WITHOUT_DEFAULTS = frozenset(
    {("background", "page"), ("background", "scripts"), ("background", "service_worker")}
)
"""Nested keys that are undefined in Firefox unless they are written."""

_DEFAULTED_KEYS = frozenset(
    """
    applications granted_host_permissions hidden host_permissions incognito optional_host_permissions
    optional_permissions permissions
    """.split()
)
"""Keys that have a value in Firefox even if they are not written."""

_ORDER = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_MESSAGE = "__MSG_"


_ORIGINS = {
    Engine.CHROMIUM: "chrome-extension://abcdefghijklmnopponmlkjihgfedcba",
    Engine.GECKO: "moz-extension://01234567-89ab-4cde-8f01-23456789abcd",
}
"""An origin with all characters that one of a browser may have."""

_GENERATED_PAGE = "_generated_background_page.html"
_REPLACING = (b"pushState", b"replaceState")
"""The functions of `history` that replace the address of a page."""


class _UnknownError(Exception):
    """The value that a script sees is unknown."""


def contradicts_manifest(extension: Extension, guards: Guards) -> bool:
    """Whether guards assume something about the manifest that is false."""
    return any(_is_false_of_manifest(extension, fact) for fact in guards.manifest)


def _is_false_of_manifest(extension: Extension, fact: ApiPath) -> bool:
    test, value, *keys = fact
    try:
        is_so = _is_test_true(extension, keys, test.removeprefix("!"), json.loads(value))
    except _UnknownError:
        return False
    return is_so is test.startswith("!")


def _visible_value(extension: Extension, keys: list[str], test: str, value: object) -> object:
    """Returns the value that a script sees in the manifest, or None without one. Raises _UnknownError."""
    manifest = extension.manifest
    if not manifest.is_object:
        raise _UnknownError
    if keys == ["manifest_version"]:
        return float(manifest.version)
    if test == INCLUDES and value not in [name for name, _ in manifest.strings(*keys)]:
        return []
    node = manifest.get(*keys)
    if extension.schemas.engine is not Engine.CHROMIUM and (node is not None or _has_default(keys)):
        raise _UnknownError
    found = None if node is None else node.plain
    if isinstance(found, str) and _MESSAGE in found:
        raise _UnknownError
    return float(found) if isinstance(found, int) and not isinstance(found, bool) else found


def _has_default(keys: list[str]) -> bool:
    return keys[0] in _DEFAULTED_KEYS if len(keys) == 1 else tuple(keys) not in _KEYS_WITHOUT_DEFAULTS


def _is_test_true(extension: Extension, keys: list[str], test: str, value: object) -> bool:
    """Whether a test of the manifest is true. Raises _UnknownError."""
    visible = _visible_value(extension, keys, test, value)
    if test == TRUE:
        return isinstance(visible, list | dict) or bool(visible)
    if test == INCLUDES:
        return isinstance(visible, list) and value in visible
    if test == "==" and type(visible) is type(value):
        return visible == value
    if test in _ORDER and isinstance(visible, float) and isinstance(value, float):
        return bool(_ORDER[test](visible, value))
    raise _UnknownError


class UserAgent(Struct, frozen=True):
    """Texts that every user agent of a browser contains, and texts that none of them contains."""

    always_has: frozenset[str]
    never_has: frozenset[str]


def _product_texts(*names: str) -> frozenset[str]:
    """Returns the names of products, also with the slash before a version."""
    return frozenset(form for name in names for form in (name, f"{name}/"))


_INTERNET_EXPLORER = {"MSIE", "MSIE ", *_product_texts("Trident")}

USER_AGENTS: Mapping[Engine, UserAgent] = {
    Engine.GECKO: UserAgent(
        _product_texts("Firefox", "Gecko") | {"Mozilla", "Mozilla/", "Mozilla/5.0", "rv:"},
        _product_texts(
            "AppleWebKit", "Chrome", "Chromium", "Edg", "Edge", "Opera", "OPR", "Safari", "Vivaldi"
        )
        | {"KHTML", "WebKit", "like Gecko", *_INTERNET_EXPLORER},
    ),
    Engine.CHROMIUM: UserAgent(
        _product_texts("AppleWebKit", "Chrome", "Safari")
        | {"Gecko", "KHTML", "Mozilla", "Mozilla/", "Mozilla/5.0", "WebKit", "like Gecko"},
        _product_texts("Firefox", "FxiOS", "Seamonkey", "SeaMonkey") | {"Gecko/", *_INTERNET_EXPLORER},
    ),
}
"""The texts that are certain in the user agents of browsers, by target."""


def contradicts_user_agent(extension: Extension, guards: Guards) -> bool:
    """Whether guards assume something about the user agent that is false for the target."""
    engine = extension.target.engine
    agent = None if engine is None else USER_AGENTS.get(engine)
    return agent is not None and any(_is_false_of_agent(agent, fact) for fact in guards.user_agent)


def _is_false_of_agent(agent: UserAgent, fact: ApiPath) -> bool:
    test, letters, *texts = fact
    if test == HAS_ANY:
        return all(_is_among(each, agent.never_has, letters) for each in texts)
    return any(_is_among(each, agent.always_has, letters) for each in texts)


def _is_among(text: str, listed: Iterable[str], letters: str) -> bool:
    return text in (map(str.lower, listed) if letters == FOLDED else listed)


def contradicts_address(extension: Extension, script: Script, guards: Guards) -> bool:
    """Whether guards assume something about the own address that is false wherever the script runs."""
    return bool(script.contexts) and all(
        _contradicts(extension, script, context, guards) for context in script.contexts
    )


def selects_own_page(extension: Extension, script: Script, guards: Guards) -> bool:
    """Whether guards name the address of a page of the extension in which a script may run."""
    names_page = any(each[0] == HAS_ANY and each[1] != SCHEME for each in guards.address)
    return names_page and any(
        each.kind in EXTENSION_PAGES and not _contradicts(extension, script, each, guards)
        for each in script.contexts
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
    text = address if part in (HREF, SCHEME) else path.rpartition("/")[2] if part == FILE else path
    is_open = part == HREF and not is_fixed
    if quantifier == HAS_ANY:
        return all(is_match(each, text) is False and not (is_open and "." not in each) for each in patterns)
    return any(all(is_match(each, one) for one in _possible(text, is_open=is_open)) for each in patterns)


def _possible(address: str, *, is_open: bool) -> Iterator[str]:
    """Yields an address, and if a program may add something to it, one with a query and a fragment."""
    yield address
    if is_open:
        yield f"{address}?a=1#a"
