"""Determines when the background of an extension runs, and the occasions on which a call in it is made.

A background page that is not persistent, and a service worker, end when they are idle, and start again with
the next event. Verified in Chromium 156 and Firefox 153 (`extlint_judge background-runs`), including the
state that is preserved.
"""

from __future__ import annotations

import re

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.events import Occasion, Origin
from extlint.analysis.facts.script_facts import CallSite
from extlint.checks.reachability.possible_loads import may_run
from extlint.extension import Extension, Script
from extlint.manifest.manifest import Manifest
from extlint.project.contexts.script import object_realms, share_objects
from extlint.project.contexts.words import words_of
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.text.patterns import isolated_word
from extlint.text.positions import ByteSpan, encode_name

BACKGROUNDS = {
    Engine.CHROMIUM: frozenset({ContextKind.BACKGROUND, ContextKind.SERVICE_WORKER}),
    Engine.GECKO: frozenset({ContextKind.BACKGROUND}),
}
"""The kinds of background of each browser whose running times are known."""

_BACKGROUNDS_OF_OTHERS = {
    Engine.CHROMIUM: ContextKind.BACKGROUND,
    Engine.GECKO: ContextKind.SERVICE_WORKER,
}
"""The kind of background that a browser never runs in Manifest V3."""


def background_ended_when_idle(manifest: Manifest, engine: Engine | None) -> str | None:
    """Returns the common name of a background that ends when idle, or None for another, none or unknown."""
    if engine not in BACKGROUNDS:
        return None
    if manifest.version == 2:
        persistent = manifest.get("background", "persistent")
        return "event page" if persistent is not None and persistent.value is False else None
    if engine is Engine.CHROMIUM:
        return None if manifest.get("background", "service_worker") is None else "service worker"
    has_page = any(manifest.get("background", key) is not None for key in ("page", "scripts"))
    return "event page" if has_page else None


def runs_in_background(script: Script, engine: Engine | None) -> bool:
    """Whether a script is certainly loaded each time the background starts."""
    kinds = frozenset[ContextKind]() if engine is None else BACKGROUNDS.get(engine, frozenset())
    return any(each.certain and each.kind in kinds for each in script.contexts)


def runs_in_engine(script: Script, manifest: Manifest, engine: Engine | None) -> bool:
    """Whether a script may run in a browser: in Manifest V3, each runs another kind of background only."""
    if manifest.version != 3 or engine not in _BACKGROUNDS_OF_OTHERS:
        return True
    return {each.kind for each in script.contexts} != {_BACKGROUNDS_OF_OTHERS[engine]}


def occasions_of(
    extension: Extension, script: Script, call: CallSite, *, through_modules: bool = False
) -> frozenset[Occasion]:
    """Returns the occasions of a call, except those by shared names that occur in no other script.

    With `through_modules`, those of the modules that import the function of the call are in place of its
    exported names.
    """
    found = call.occasions
    if through_modules and any(each.is_export for each in found):
        found = extension.searches.occasions(script, call.span) or found
    return _without_own_names(extension, script, found)


def occasions_at(extension: Extension, script: Script, span: ByteSpan) -> frozenset[Occasion]:
    """Returns the same for a place in a script, also through modules. Empty if the search failed."""
    return _without_own_names(extension, script, extension.searches.occasions(script, span))


def _without_own_names(
    extension: Extension, script: Script, found: frozenset[Occasion]
) -> frozenset[Occasion]:
    return frozenset(
        each
        for each in found
        if each.origin is not Origin.SHARED or _occurs_in_other_script(extension, script, each.name)
    )


def _occurs_in_other_script(extension: Extension, script: Script, name: str) -> bool:
    """Whether a name occurs in another file whose code may hold objects of a script."""
    realms = object_realms(script)
    return name == "default" or any(
        path != script.path and any(share_objects(realms, each) for each in _realms_of(extension, path))
        for path in _scripts_with(extension, name)
    )


@query
def _realms_of(extension: Extension, path: str) -> tuple[frozenset[ContextKind] | None, ...]:
    """Returns where scripts in a file may hold objects, if they may run; anywhere if it is not a script."""
    scripts = extension.scripts_in(path)
    return tuple(object_realms(each) for each in scripts if may_run(extension, each)) if scripts else (None,)


@query
def _scripts_with(extension: Extension, name: str) -> tuple[str, ...]:
    """The paths of the scripts in which a name occurs as a word."""
    encoded = encode_name(name)
    pattern = re.compile(isolated_word(encoded))
    texts = words_of(extension).texts
    return tuple(
        path for path, (text, _) in texts.items() if encoded in text and pattern.search(text) is not None
    )
