"""From the text of a script to its facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint.bundles.chunks import is_chunk, modules_required
from extlint.script.facts.imports import ImportResolver, no_modules
from extlint.script.facts.script_facts import NO_FACTS, ScriptFacts, SyntaxProblem
from extlint.script.facts.shared_globals import NOTHING_SHARED, RealmGlobals
from extlint.script.facts.values import Value
from extlint.script.syntax.prefilter import candidates, may_load, mentions, names_polyfill
from extlint.script.syntax.source import is_text, parsable


def analyse(
    text: bytes, path: str, imported: ImportResolver = no_modules, shared: RealmGlobals = NOTHING_SHARED
) -> ScriptFacts:
    """What a script does with the extension APIs.

    `text` is UTF-8 (see `extlint.text.positions.decode`); the suffix of `path` decides the language.
    `imported` returns the exports of other modules, by the name in an import; `shared` is what other scripts
    of the same realm assign to globals. A script that can neither name the API nor load another script is
    not parsed.
    """
    if not is_text(text):
        return ScriptFacts(
            problem=SyntaxProblem("this is not text, so no browser runs it", (0, min(len(text), 1)))
        )
    places = [*candidates(text), *mentions(text, shared.values), *_required(text, imported)]
    if not (places or shared.wanted or shared.parameters or names_polyfill(text) or may_load(text)):
        return NO_FACTS
    from extlint.script.follow import follow

    return follow(parsable(text), path, places, imported, shared)


def _required(text: bytes, imported: ImportResolver) -> Iterator[int]:
    """Where a chunk requires a module of another chunk that has to do with the API."""
    known: dict[str, bool] = {}
    for at, name in modules_required(text):
        if name not in known:
            known[name] = bool(imported(name, of_api=True))
        if known[name]:
            yield at


def exports_of_script(
    text: bytes, path: str, imported: ImportResolver = no_modules, shared: RealmGlobals = NOTHING_SHARED
) -> Mapping[str, Value]:
    """What a script exports, whether or not it names the API."""
    if not (b"export" in text or is_chunk(text)) or not is_text(text):
        return {}
    from extlint.script.follow import exports_alone

    return exports_alone(text, path, imported, shared)
