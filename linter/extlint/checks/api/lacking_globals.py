"""The globals of the Web platform that the contexts of an extension lack, and scripts that name some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from extlint.extension import Extension, Script, once, once_per_extension, once_per_package
from extlint.script.facts.context import ContextKind
from extlint.targets.request import FACTS_OF, engine_of
from extlint_schemas import LackingGlobals, web_globals

_FACTS_FOR: Mapping[ContextKind, ContextKind] = {
    ContextKind.DEVTOOLS_PAGE: ContextKind.EXTENSION_PAGE,
    ContextKind.BACKGROUND: ContextKind.EXTENSION_PAGE,
}
"""Contexts of which nothing is recorded in a browser, and those with the same globals."""

_TOO_COMMON = frozenset(
    """
    blur closed constructor debug external find focus fonts frames isProxy length name origin parent print
    registration scroll serviceWorker status stop toString top valueOf
    """.split()
)
"""Globals whose names are more likely those of variables that something else declares."""

_NOTHING = LackingGlobals(frozenset(), frozenset())


@once_per_extension
def lacking_globals(extension: Extension) -> Mapping[tuple[str, int], frozenset[str]]:
    """For scripts, by path and base, the globals that they may name and that one of their contexts lacks."""
    found: dict[tuple[str, int], frozenset[str]] = {}
    for script in extension.scripts:
        lacking = {name for each in script.contexts for name in all_of(lacking_in(extension, each.kind))}
        names = names_in(extension, script, lacking)
        if names:
            found[script.path, script.base] = names
    return found


def lacking_in(extension: Extension, kind: ContextKind) -> LackingGlobals:
    """What a kind of context lacks in the target of an extension."""
    return lacking_for(extension.target.name, kind)


def lacking_for(target: str, kind: ContextKind) -> LackingGlobals:
    """What a kind of context lacks in a target; nothing where that is not known."""
    engine = engine_of(target)
    if engine is None or engine not in FACTS_OF:
        return _NOTHING
    facts = web_globals(FACTS_OF[engine])
    return facts.get(kind.value) or facts.get(_FACTS_FOR.get(kind, kind).value) or _NOTHING


def all_of(lacking: LackingGlobals) -> frozenset[str]:
    """All that a context lacks."""
    return lacking.missing | lacking.empty


def names_in(extension: Extension, script: Script, lacking: set[str]) -> frozenset[str]:
    """Those of some globals that a script may name; members of a global by both names."""
    if not lacking:
        return frozenset()
    words = _words_in(extension, script)
    named = (each for word in words for each in _by_first_part().get(word, ()))
    return frozenset(
        each for each in named if each in lacking and all(part.encode() in words for part in each.split("."))
    )


def _words_in(extension: Extension, script: Script) -> frozenset[bytes]:
    """The words of a script that are parts of a global which some context of a browser lacks."""
    return once(
        _known_words(extension),
        (script.path, script.base),
        lambda: extension.searches.unquoted_words(script, _parts()),
    )


@once_per_package
def _known_words(extension: Extension) -> dict[object, frozenset[bytes]]:  # noqa: ARG001
    """The words of the scripts that were looked at, by path and base. All targets have the same."""
    return {}


@cache
def _parts() -> frozenset[bytes]:
    return frozenset(" ".join(_all_lacking()).replace(".", " ").encode().split())


@cache
def _by_first_part() -> Mapping[bytes, Sequence[str]]:
    """The globals that are searched for, by the words that they begin with."""
    found: dict[bytes, list[str]] = {}
    for name in _all_lacking():
        if name not in _TOO_COMMON and not name.startswith("on"):
            found.setdefault(name.partition(".")[0].encode(), []).append(name)
    return found


@cache
def _all_lacking() -> frozenset[str]:
    """What any context of a browser lacks."""
    facts = (each for name in FACTS_OF.values() for each in web_globals(name).values())
    return frozenset().union(*map(all_of, facts))
