"""Finds injected files whose result is lost, or that fail when they are injected again.

Verified in Firefox 153 and Chromium 156 (`extlint_judge injected-files`): a second injection of a file with a
`const`, `let` or `class` outside of functions and blocks throws "Identifier 'a' has already been declared",
or "redeclaration of const a" in Firefox.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.context import WEB_PAGE_CONTEXTS, ContextKind
from extlint.analysis.facts.events import Occasion, Origin
from extlint.analysis.facts.script_facts import ApiPath, CallSite, PromiseUse, TopLevel
from extlint.analysis.facts.values import (
    ApiResult,
    FunctionValue,
    ObjectValue,
    Value,
    options_of,
)
from extlint.checks.calls.types import matching_environment
from extlint.checks.reachability.occasions import occasions_of
from extlint.extension import Extension, Script
from extlint.package.references import paths_of
from extlint.project.contexts.called_files import InjectedFile, certain_files_injected_by
from extlint.schema.engine import Engine
from extlint.schema.matching.call import CallProblem
from extlint.schema.matching.serialization import Copy, copy_problems
from extlint.text.wording import quoted

INJECTING = frozenset({"scripting.executeScript", "tabs.executeScript"})
"""The functions that inject files."""

_REPEATED: frozenset[ApiPath] = frozenset(
    {
        ("action", "onClicked"),
        ("browserAction", "onClicked"),
        ("commands", "onCommand"),
        ("contextMenus", "onClicked"),
        ("menus", "onClicked"),
        ("pageAction", "onClicked"),
        ("tabs", "onActivated"),
        ("tabs", "onUpdated"),
    }
)
"""The events that occur again while a tab shows the same page."""

_ENDING: frozenset[ApiPath] = frozenset(
    {
        *((space, name) for space in ("action", "browserAction") for name in ("disable", "setPopup")),
        *((space, name) for space in ("contextMenus", "menus") for name in ("remove", "removeAll")),
        *(("tabs", name) for name in ("goBack", "goForward", "reload", "remove", "update")),
        ("pageAction", "hide"),
        ("runtime", "reload"),
    }
)
"""The functions that load another page, or after which an event does not come again for a tab."""

_FOUND_TABS: frozenset[ApiPath] = _REPEATED | {("tabs", "query"), ("tabs", "get"), ("tabs", "getCurrent")}
"""The functions and events that give tabs which may be there already."""

_ADDING: frozenset[ApiPath] = frozenset(
    {
        ("runtime", "onConnect", "addListener"),
        ("runtime", "onMessage", "addListener"),
        ("storage", "onChanged", "addListener"),
    }
)
"""The listeners that a page may have several times."""

_WAITING = frozenset({PromiseUse.AWAITED, PromiseUse.CHAINED, PromiseUse.RETURNED, PromiseUse.WAITED})


def injected_file_problems(extension: Extension, script: Script, call: CallSite) -> Iterator[CallProblem]:
    """Yields the problems of the files that a call injects."""
    files = [each for each in certain_files_injected_by(call) if each.kind in WEB_PAGE_CONTEXTS]
    for at, file in enumerate(files):
        injected = _script_of(extension, file)
        if injected is None:
            continue
        found = extension.searches.top_level(injected)
        if at == len(files) - 1 and found.result is not None and _is_result_used(extension, call):
            yield from _lost_result(extension, file, found.result)
        why = _failure_of_repetition(file, injected, found)
        if why is not None and _is_repeated(extension, script, call):
            yield CallProblem("invalid-argument", file.span, *why, is_ignored=True)


def _failure_of_repetition(
    file: InjectedFile, injected: Script, found: TopLevel
) -> tuple[str, str, str] | None:
    """Returns what happens if a file is injected again, what the call does then, and the advice."""
    name = quoted(file.name)
    declared = next((each.name for each in found.declarations if each.is_unique), None)
    if declared is not None:
        return (
            f"{name} fails when it is injected into the same page again: "
            f"{quoted(declared)} is declared already",
            "injects a file again that declares a variable",
            "put its code into a block or a function",
        )
    if any(map(_adds_at_load, injected.facts.calls)) and not any(
        each.path[-1] == "removeListener" for each in injected.facts.references
    ):
        return (
            f"{name} adds another listener each time it is injected into the same page",
            "injects a file again that adds a listener",
            "add the listener only once: set a global variable then, and test it first",
        )
    return None


def _adds_at_load(call: CallSite) -> bool:
    is_at_load = any(each.origin is Origin.LOAD and each.certain for each in call.occasions)
    return call.path in _ADDING and is_at_load


def _script_of(extension: Extension, file: InjectedFile) -> Script | None:
    """Returns the script in the package that a call injects, if it is the only one of that name."""
    paths = {path.lstrip("/") for path in paths_of(file.name)}
    found = [each for each in extension.scripts if each.path in paths and not each.base]
    return found[0] if len(found) == 1 else None


def _lost_result(extension: Extension, file: InjectedFile, last: Value) -> Iterator[CallProblem]:
    """Yields the reason why a browser refuses the value of the last statement of a file."""
    for problem in copy_problems(Copy.FILE_RESULT, last, matching_environment(extension)):
        if not problem.is_ignored:
            yield CallProblem(
                problem.rule,
                file.span,
                f"{problem.message}: it is the value of the last statement of {quoted(file.name)}",
                problem.refusal,
                "end the file with `undefined;`",
                is_of_copy=True,
            )
            return


def _is_result_used(extension: Extension, call: CallSite) -> bool:
    """Whether the code at a call waits for the result, and does not handle a failure."""
    if extension.schemas.engine is not Engine.GECKO or call.is_caught:
        return False
    callback = call.arguments[-1] if call.arguments else None
    if isinstance(callback, FunctionValue):
        return bool(callback.parameters)
    return call.promise_use in _WAITING


def _is_repeated(extension: Extension, script: Script, call: CallSite) -> bool:
    """Whether a call certainly injects a file again into a page that shows it already."""
    written = next((each for each in script.facts.calls if each.span == call.span), call)
    if not _may_be_known_tab(written) or _may_be_last(script, call):
        return False
    return any(each.certain and _may_repeat(script, each) for each in occasions_of(extension, script, call))


def _may_be_last(script: Script, call: CallSite) -> bool:
    """Whether the listener around a call may also load another page, or end its own event for a tab.

    Without a listener around it, the whole script counts.
    """
    calls = script.facts.calls
    added = (each.arguments_span for each in calls if each.path[-1] == "addListener")
    around = [each for each in added if each[0] < call.span[0] < each[1]] or [(0, len(script.index.text))]
    return any(
        each.path in _ENDING and start <= each.span[0] < end for start, end in around for each in calls
    )


def _may_repeat(script: Script, occasion: Occasion) -> bool:
    """Whether an occasion comes again while a tab shows the same page."""
    if occasion.origin is Origin.EVENT:
        return occasion.event in _REPEATED
    kinds = {each.kind for each in script.contexts}
    return occasion.origin is Origin.LOAD and kinds == {ContextKind.EXTENSION_PAGE}


def _may_be_known_tab(call: CallSite) -> bool:
    """Whether a call injects into a tab that may have been there before."""
    first = call.arguments[0] if call.arguments else None
    if call.path[0] == "tabs":
        return isinstance(first, ObjectValue) or (first is not None and _is_found_tab(first))
    target = first.fields.get("target") if isinstance(first, ObjectValue) else None
    tab = target.value.fields.get("tabId") if target and isinstance(target.value, ObjectValue) else None
    return tab is not None and _is_found_tab(tab.value)


def _is_found_tab(value: Value) -> bool:
    options = options_of(value)
    return bool(options) and all(isinstance(each, ApiResult) and each.path in _FOUND_TABS for each in options)
