"""Finds Web platform globals that are absent in contexts of an extension, and scripts that name them.

Some are absent only at first: a script may run before the document has all of its parts. The globals that
rules query are watched all at once, so that a script is evaluated once for all rules and targets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec.structs import replace

from extlint.analysis.facts.context import EXTENSION_PAGES, WEB_PAGE_CONTEXTS, Context, ContextKind, LoadStep
from extlint.analysis.facts.platform_globals import ALWAYS_WATCHED
from extlint.extension import Extension, Script
from extlint.manifest.file_keys import content_scripts
from extlint.package.suffixes import is_page
from extlint.queries.query import query
from extlint.schema.targets import FACTS_OF, engine_of
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, decode
from extlint_schemas import AbsentGlobals, absent_members, globals_absent_in, words_of_absent_globals

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

AT_START = "at `document_start`"
"""The moment of content scripts, after the name of their context."""

_DOCUMENTS = EXTENSION_PAGES | {ContextKind.SANDBOX}
IN_PAGE = f"{ContextKind.EXTENSION_PAGE.value} before its `<body>`"
"""The moment of scripts in the head of a page."""

_IN_HEAD = lazy(
    rb"(?:\xef\xbb\xbf)?(?:[\t\n\f\r ]++|<!--.*?-->|<(?:!doctype|/?(?:html|head)|meta|link|base)\b[^>]*+>"
    rb"|<(title|style|script|noscript)\b[^>]*+>.*?</\1[\t\n\f\r ]*+>)*+<script\b([^>]*+)\Z",
    re.DOTALL | re.IGNORECASE,
)
"""A page up to the name of a script in its head, with the attributes before it."""

_IS_LATER = lazy(rb"(?i)\b(?:async|defer|module)\b")

_NOTHING = AbsentGlobals(frozenset(), frozenset())


@query
def absent_globals(extension: Extension) -> Mapping[tuple[str, int], frozenset[str]]:
    """Returns globals that a script may name but that are absent in one of its contexts, by path and base."""
    found: dict[tuple[str, int], frozenset[str]] = {}
    for script in extension.scripts:
        absent = set().union(*(absent_names(absent_globals_at(extension, each)) for each in script.contexts))
        names = named_globals(extension, script, absent)
        if names:
            found[script.path, script.base] = names
    return found


def absent_globals_at(extension: Extension, context: Context) -> AbsentGlobals:
    """Returns the globals that are absent when a script is loaded in a context.

    They include the parts of a document that does not have them yet.
    """
    absent, engine = absent_globals_in(extension, context.kind), extension.target.engine
    if engine is None or engine not in FACTS_OF:
        return absent
    moment = moment_of(extension, context)
    early = None if moment is None else globals_absent_in(FACTS_OF[engine], moment)
    return absent if early is None else replace(absent, empty=absent.empty | early.empty)


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
    return absent.missing | absent.empty | absent.failing


def named_globals(extension: Extension, script: Script, candidates: set[str]) -> frozenset[str]:
    """Returns the given globals that a script may name; members of a global require both names."""
    if not candidates:
        return frozenset()
    words = {word.decode() for word in _words_in(extension, *script.location)}
    members = {each for each in candidates & absent_members() if words.issuperset(each.split("."))}
    named = members | (candidates & words)
    return frozenset(each for each in named if each not in _TOO_COMMON and not each.startswith("on"))


@query(is_kept=True, is_of_package=True)
def _words_in(extension: Extension, path: str, base: int) -> frozenset[bytes]:
    """Returns the words of a script that are parts of a global absent in some context of a browser."""
    script = extension.source_at(path, base)
    return extension.script_searches.unquoted_words(script, words_of_absent_globals())


def moment_of(extension: Extension, context: Context) -> str | None:
    """Returns the moment at which a script runs in a context, if parts of the document are missing then.

    It is named as in the facts about globals.
    """
    step = context.step
    if step is None or not context.certain:
        return None
    if context.kind in WEB_PAGE_CONTEXTS:
        first = step.first or step
        is_early = (first.path, first.span) in _names_at_start(extension)
        return f"{context.kind.value} {AT_START}" if is_early else None
    if context.kind not in _DOCUMENTS or context.is_module or not is_page(step.path):
        return None
    return IN_PAGE if _is_in_head(extension, step) else None


@query
def _names_at_start(extension: Extension) -> frozenset[tuple[str, ByteSpan]]:
    """Returns the names of the scripts that run at `document_start`, as paths and spans in the manifest."""
    manifest = extension.manifest
    found: set[tuple[str, ByteSpan]] = set()
    for entry, each in content_scripts(manifest):
        time = manifest.get("content_scripts", entry, "run_at")
        if time is not None and time.value == "document_start":
            found.add((manifest.path, each.node.span))
    return frozenset(found)


def _is_in_head(extension: Extension, step: LoadStep) -> bool:
    """Whether a page runs a script that it names before it has a body."""
    data = decode(extension.package.read(step.path))
    start, end = step.span
    before = _IN_HEAD.match(data, 0, start)
    return before is not None and not _IS_LATER.search(before[2] + b" " + data[end : data.find(b">", end)])


@query(is_kept=True, is_of_package=True)
def watched_globals(extension: Extension) -> frozenset[str]:
    """Returns the globals that rules query for any target of the run, and those that distinguish contexts."""
    watched = ALWAYS_WATCHED
    for script in extension.scripts:
        kinds = {each.kind for each in script.all_contexts or script.contexts}
        absent = set().union(
            *(
                absent_names(absent_globals_for(target, kind))
                for target in extension.checked_targets
                for kind in kinds
            )
        )
        watched |= {name.partition(".")[0] for name in named_globals(extension, script, absent)}
    return watched
