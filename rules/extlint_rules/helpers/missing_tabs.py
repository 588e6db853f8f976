"""Finds reads of a tab that is missing: in a background or a popup, or for requests of no tab.

It gives only the tab that the calling page is in: nothing in a service worker and in a popup of Chromium 156.
A popup that may also be opened in a tab is left out.

Verified in Chromium 156 and Firefox 153 (`extlint_judge refused-calls`).
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.context import BACKGROUND_CONTEXTS, Context, ContextKind
from extlint.analysis.facts.script_facts import ApiPath, CallSite, FailureHandling, FieldRead
from extlint.analysis.facts.values import ApiResult, ArrayValue, Delivery, Literal, ObjectValue
from extlint.checks.availability.unguarded_references import unguarded_calls_in
from extlint.extension import Extension, Script
from extlint.package.references import paths_of
from extlint.project.contexts.script import page_of
from extlint.queries.query import query
from extlint.text.positions import encode_name

_PATH = ("tabs", "getCurrent")


def reads_of_absent_tab(extension: Extension, script: Script) -> Iterator[FieldRead]:
    """Yields the reads in a script of a field of a tab that is certainly not there."""
    for read in script.facts.field_reads:
        of = read.of
        if of.path != _PATH or of.steps or of.delivery is Delivery.RETURN:
            continue
        is_handled = read.guards.failure >= FailureHandling.REPORTED or read.guards.unknown
        if is_handled or read.tested or read.of_tested or read.replaced:
            continue
        contexts = script.all_contexts or script.contexts
        if contexts and all(_is_in_no_tab(extension, script, each) for each in contexts):
            yield read


def _is_in_no_tab(extension: Extension, script: Script, context: Context) -> bool:
    if context.kind in BACKGROUND_CONTEXTS:
        return True
    page = page_of(script.path, context) if context.kind is ContextKind.EXTENSION_PAGE else None
    return page is not None and page == _page_of_popup(extension)


@query(is_of_package=True)
def _page_of_popup(extension: Extension) -> str | None:
    """Returns the page of the popup if nothing else names it, so that it never opens in a tab."""
    for key in ("action", "browser_action"):
        popup = extension.manifest.get(key, "default_popup")
        if popup is None or not isinstance(popup.value, str):
            continue
        page = next((each for each in paths_of(popup.value) if each in extension.package), None)
        if page is None:
            return None
        name = encode_name(page.rpartition("/")[2])
        texts = [script.index.text for script in extension.scripts if not script.base]
        is_named = any(name in text for text in texts)
        return None if is_named or extension.manifest.index.text.count(name) > 1 else page
    return None


_TAB = "tabId"
_OF_TABS = frozenset({"action", "browserAction", "pageAction", "scripting", "sidePanel", "tabs"})
_FRAMES = frozenset({"main_frame", "sub_frame"})
"""The types of requests that belong to a tab."""


def calls_without_tab(extension: Extension, script: Script) -> Iterator[tuple[CallSite, ApiResult]]:
    """Yields the calls in a script for such a tab, each with the id."""
    for reference, call in unguarded_calls_in(extension, script):
        if call.path[0] in _OF_TABS and not reference.guards.conditional and not call.is_caught:
            for value in _tab_ids(call):
                if value.span is not None and _may_have_no_tab(script, value.path):
                    yield call, value


def _tab_ids(call: CallSite) -> Iterator[ApiResult]:
    """Yields the ids of the tabs of requests that a call gets."""
    for argument in call.arguments[:1]:
        fields = argument.fields if isinstance(argument, ObjectValue) else {}
        target = fields["target"].value if "target" in fields else None
        if isinstance(target, ObjectValue):
            fields = target.fields
        values = (fields[_TAB].value,) if _TAB in fields else (argument,)
        for value in values:
            if isinstance(value, ApiResult) and value.path[0] == "webRequest" and value.steps == (_TAB,):
                yield value


def _may_have_no_tab(script: Script, event: ApiPath) -> bool:
    """Whether all listeners that a script adds to an event get requests without a tab."""
    adding = [call for call in script.facts.calls if call.path == (*event, "addListener")]
    return bool(adding) and all(map(_gets_requests_without_tab, adding))


def _gets_requests_without_tab(call: CallSite) -> bool:
    if call.open or len(call.arguments) < 2:
        return False
    wanted = call.arguments[1]
    if not isinstance(wanted, ObjectValue) or wanted.open or not {_TAB, "windowId"}.isdisjoint(wanted.fields):
        return False
    if "types" not in wanted.fields:
        return True
    types = wanted.fields["types"].value
    return (
        isinstance(types, ArrayValue)
        and not types.open
        and any(isinstance(each, Literal) and each.value not in _FRAMES for each in types.items)
    )
