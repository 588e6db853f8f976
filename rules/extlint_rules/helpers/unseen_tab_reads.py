"""Finds ways in which code may get tabs that no analysis follows: the API itself, `eval`, and windows."""

from __future__ import annotations

from collections.abc import Sequence

from extlint.analysis.facts.script_facts import HIDDEN_FIELDS, ApiPath
from extlint.analysis.syntax.prefilter import candidates
from extlint.checks.api.schema_path import schema_path_of
from extlint.checks.blocked_code import policy_of_pages
from extlint.checks.reachability.closed_world import may_be_named
from extlint.extension import Extension
from extlint.package.suffixes import is_component
from extlint.project.contexts.words import Words, is_inside, words_of
from extlint.schema.engine import Engine
from extlint.schema.model import Constant
from extlint.text.formats.csp_policy import allows_eval
from extlint.text.patterns import lazy

_UNSEEN_WAYS = ("getBackgroundPage", "getViews")
"""Words of code that may read variables of other code, in addition to `eval` and `opener`."""

DELIVERING = (
    *(
        ("tabs", each)
        for each in ("create", "get", "getCurrent", "onCreated", "onUpdated", "query", "update")
    ),
    *((each, "onClicked") for each in ("action", "browserAction", "contextMenus", "menus", "pageAction")),
    *(("commands", "onCommand"), ("runtime", "onConnect"), ("runtime", "onMessage")),
    *(("windows", each) for each in ("create", "get", "getAll", "getCurrent", "getLastFocused", "onCreated")),
)
"""Members that give tabs to code."""

_TESTED_BEFORE = lazy(rb"(?:!\s*(?:[\w$]+\s*\.\s*)?|&&\s*[\w$]+\s*\.\s*)\Z")
_BYTES_BEFORE = 50
_TESTED_AFTER = lazy(rb"opener\s*(?:\)|\|\||&&|$)")


def may_read_tabs_unseen(extension: Extension, in_browsers: Sequence[Extension]) -> bool:
    """Whether code may read a hidden field of tabs that it gets through the API itself, `eval` or windows."""
    words = words_of(extension)
    if not any(map(words.has, HIDDEN_FIELDS)):
        return False
    exposed = frozenset[ApiPath]().union(*(script.facts.exposed for script in extension.scripts))
    return (
        any(map(words.has, _UNSEEN_WAYS))
        or (words.has("eval") and _may_run_strings(extension))
        or _may_read_opener(words)
        or _is_used_in_markup(words)
        or any(_may_give_tabs(each, path) for each in in_browsers for path in exposed)
        or any(may_be_named(extension, path) for path in DELIVERING)
    )


def _may_run_strings(extension: Extension) -> bool:
    """Whether `eval` runs where code gets tabs: in pages, if their policy allows it, unlike the default."""
    manifest = extension.manifest
    engines = (Engine.CHROMIUM, Engine.GECKO)
    return not manifest.is_clear or any(allows_eval(policy_of_pages(manifest, each)) for each in engines)


def _may_read_opener(words: Words) -> bool:
    """Whether code does more with the window that opened another one than to test whether there is one."""
    for path, (text, _) in words.texts.items():
        for at in words.places_in(path, "opener"):
            is_tested = _TESTED_BEFORE.search(text, max(at - _BYTES_BEFORE, 0), at)
            if not is_tested or not _TESTED_AFTER.match(text, at):
                return True
    return False


def _may_give_tabs(extension: Extension, path: ApiPath) -> bool:
    """Whether unknown code may get tabs from an object of the API: from any but values like `lastError`."""
    found = schema_path_of(extension, path)
    return found is None or not isinstance(found.member, Constant)


def _is_used_in_markup(words: Words) -> bool:
    """Whether the markup of a component may use the API: `{#await chrome.tabs.query({}) then tabs}`."""
    return any(
        not is_inside(at, known)
        for path, (text, known) in words.texts.items()
        if is_component(path)
        for at in candidates(text)
    )
