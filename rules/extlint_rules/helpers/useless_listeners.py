"""Determines why a listener never runs, or runs in vain, and whether all code is known that decides it."""

from __future__ import annotations

from extlint.analysis.facts.events import MENU_NAMESPACES, Origin
from extlint.analysis.facts.script_facts import ApiPath, CallSite, Reference
from extlint.checks.availability.dead_events import (
    BEHAVIOR,
    BUTTON_KEYS,
    CLICK,
    PANEL_OPENS,
    SUSPENSION,
    opens_side_panel,
    why_never_comes,
)
from extlint.checks.reachability.closed_world import has_all_own_code
from extlint.checks.reachability.occasions import occasions_of
from extlint.extension import Extension, Script
from extlint.project.builds import may_be_completed
from extlint.project.contexts.words import words_of
from extlint.project.rewritten_keys import may_rewrite
from extlint.schema.engine import Engine
from extlint_rules.helpers.unbuilt_sources import is_unused_in_sources


def is_decided(extension: Extension, event: ApiPath) -> bool:
    """Whether everything is known that decides whether an event comes, perhaps in the sources of a build."""
    if event in SUSPENSION:
        keys = ("background", "persistent", "scripts")
        return not (may_be_completed(extension, *keys) or may_rewrite(extension, *keys))
    if has_all_own_code(extension):
        return True
    key = BUTTON_KEYS.get(event[0])
    creating = MENU_NAMESPACES if event[0] in MENU_NAMESPACES else {event[0]}
    calls = {(each, "create") for each in creating} if key is None else {(event[0], "setPopup"), BEHAVIOR}
    return is_unused_in_sources(extension, "", frozenset(calls), (), () if key is None else (key,))


def why_useless(extension: Extension, event: ApiPath, engine: Engine | None) -> str | None:
    """Returns why a listener is of no use in a browser with an engine, or None if it may be."""
    reason = why_never_comes(extension, event, engine)
    if reason is not None:
        return f"never runs: {reason}"
    if (
        event == CLICK
        and engine is Engine.CHROMIUM
        and opens_side_panel(extension, _is_at_click)
        and not _may_open_panel(extension)
    ):
        return f"only runs for the first click, which opens nothing: from then on, {PANEL_OPENS}"
    return None


def _is_at_click(extension: Extension, script: Script, _reference: Reference, call: CallSite) -> bool | None:
    """Whether a call is made at each click on the button, or None if it may also be made otherwise."""
    occasions = occasions_of(extension, script, call)
    is_only_then = all(each.origin is Origin.EVENT and each.event == CLICK for each in occasions)
    return any(each.certain for each in occasions) if is_only_then else None


def _may_open_panel(extension: Extension) -> bool:
    """Whether a script may open the side panel."""
    if words_of(extension).has_unresolved(BEHAVIOR[0]):
        return True
    named = (each.path for script in extension.scripts for each in script.facts.references)
    return any(path[:2] == (BEHAVIOR[0], "open") for path in named)
