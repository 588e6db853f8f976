"""Finds calls that open a side panel which has no page yet.

Verified in Chromium 156: `sidePanel.open` fails with "No active side panel for tabId: 1" if neither the
manifest nor an earlier call of `sidePanel.setOptions` names a page.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.script_facts import CallSite
from extlint.analysis.facts.values import ObjectValue
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.reachability.closed_world import is_closed_world
from extlint.checks.reachability.occasions import occasions_of
from extlint.extension import Extension, Script
from extlint.project.builds import may_be_completed
from extlint.project.contexts.words import words_of
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.schema.matching.call import CallProblem
from extlint.text.wording import quoted

OPENING = "sidePanel.open"
_SETTING = ("sidePanel", "setOptions")
_KEY = "side_panel"


def panel_problems(extension: Extension, script: Script, call: CallSite) -> Iterator[CallProblem]:
    """Yields a problem if no page is set when a call opens the side panel."""
    if extension.schemas.engine is not Engine.CHROMIUM or extension.manifest.get(_KEY, "default_path"):
        return
    setting = None if may_be_completed(extension, _KEY) else _setting_calls(extension)
    if setting is None or unavailabilities_of(extension, call.path, script.contexts):
        return
    missing = f"the manifest has no {quoted(f'{_KEY}.default_path')}"
    if not setting:
        yield _problem(f"the side panel has no page: {missing}, and no script sets one")
    elif all(_is_later(extension, script, call, *each) for each in setting):
        name = quoted(".".join(_SETTING))
        yield _problem(f"the side panel has no page yet: {missing}, and {name} is called only afterwards")


def _problem(message: str) -> CallProblem:
    help = f"set a page before, with {quoted('.'.join(_SETTING))} or in the manifest"
    return CallProblem("invalid-argument", None, message, "requires a page for the side panel", help)


@query
def _setting_calls(extension: Extension) -> tuple[tuple[Script, CallSite], ...] | None:
    """The calls that may set the page of the side panel, or None if there may be others."""
    if not is_closed_world(extension) or words_of(extension).has_unresolved(_SETTING[1]):
        return None
    found: list[tuple[Script, CallSite]] = []
    for script in extension.scripts:
        named = [each for each in script.facts.references if each.path == _SETTING]
        calls = [each for each in script.facts.calls if each.path == _SETTING]
        several = (each.path for each in script.facts.possible_references)
        if len(named) > len(calls) or _SETTING in several:
            return None
        found += [(script, each) for each in calls if _may_set_page(each)]
    return tuple(found)


def _may_set_page(call: CallSite) -> bool:
    first = call.arguments[0] if call.arguments else None
    return not isinstance(first, ObjectValue) or first.open or "path" in first.fields


def _is_later(extension: Extension, script: Script, call: CallSite, other: Script, setting: CallSite) -> bool:
    """Whether a call is made on the same occasions as an earlier one in the same function, and only then."""
    if other.location != script.location:
        return False
    occasions, opening = occasions_of(extension, script, setting), occasions_of(extension, script, call)
    return (
        bool(occasions)
        and all(each.certain for each in occasions)
        and {each.event for each in occasions} == {each.event for each in opening}
        and extension.searches.is_later(script, call.span, setting.span)
    )
