"""Finds Web platform globals that are absent in contexts of an extension, and scripts that name them."""

from __future__ import annotations

from collections.abc import Mapping

from extlint.analysis.facts.context import ContextKind
from extlint.extension import Extension, Script
from extlint.queries.query import query
from extlint.schema.targets.request import FACTS_OF, engine_of
from extlint_schemas import AbsentGlobals, globals_absent_in, words_of_absent_globals

_EQUIVALENT_CONTEXTS: Mapping[ContextKind, ContextKind] = {
    ContextKind.DEVTOOLS_PAGE: ContextKind.EXTENSION_PAGE,
    ContextKind.BACKGROUND: ContextKind.EXTENSION_PAGE,
}
"""Contexts without recorded facts about a browser, and the contexts with the same globals."""

_TOO_COMMON = frozenset(
    """
    blur closed constructor debug external find focus fonts frames isProxy length name origin parent print
    registration scroll serviceWorker status stop toString top valueOf
    """.split()
)
"""Globals whose names more likely belong to variables that are declared elsewhere."""

_NOTHING = AbsentGlobals(frozenset(), frozenset())


@query
def absent_globals(extension: Extension) -> Mapping[tuple[str, int], frozenset[str]]:
    """Returns globals that a script may name but that are absent in one of its contexts, by path and base."""
    found: dict[tuple[str, int], frozenset[str]] = {}
    for script in extension.scripts:
        absent = {
            name for each in script.contexts for name in absent_names(absent_globals_in(extension, each.kind))
        }
        names = named_globals(extension, script, absent)
        if names:
            found[script.path, script.base] = names
    return found


def absent_globals_in(extension: Extension, kind: ContextKind) -> AbsentGlobals:
    """Returns the globals that are absent in a kind of context, in the target of an extension."""
    return absent_globals_for(extension.target.name, kind)


def absent_globals_for(target: str, kind: ContextKind) -> AbsentGlobals:
    """Returns the globals that are absent in a kind of context, in a target.

    Unknown contexts have all globals.
    """
    engine = engine_of(target)
    if engine is None or engine not in FACTS_OF:
        return _NOTHING
    browser = FACTS_OF[engine]
    recorded = globals_absent_in(browser, kind.value)
    return recorded or globals_absent_in(browser, _EQUIVALENT_CONTEXTS.get(kind, kind).value) or _NOTHING


def absent_names(absent: AbsentGlobals) -> frozenset[str]:
    """Returns all globals that a context does not provide."""
    return absent.missing | absent.empty


def named_globals(extension: Extension, script: Script, candidates: set[str]) -> frozenset[str]:
    """Returns the given globals that a script may name; members of a global require both names."""
    if not candidates:
        return frozenset()
    words = {word.decode() for word in _words_in(extension, *script.location)}
    members = {each for each in candidates if "." in each and words.issuperset(each.split("."))}
    named = members | (candidates & words)
    return frozenset(each for each in named if each not in _TOO_COMMON and not each.startswith("on"))


@query(is_kept=True, is_of_package=True)
def _words_in(extension: Extension, path: str, base: int) -> frozenset[bytes]:
    """Returns the words of a script that are parts of a global absent in some context of a browser."""
    script = extension.source_at(path, base)
    return extension.script_searches.unquoted_words(script, words_of_absent_globals())
