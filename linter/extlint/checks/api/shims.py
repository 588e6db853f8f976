"""Shims: members that scripts of a realm assign to the API for others, and the order of content scripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from extlint.analysis.facts.context import BACKGROUND_CONTEXTS, WEB_PAGE_CONTEXTS, Context, ContextKind
from extlint.analysis.facts.replaced_members import without_replaced
from extlint.analysis.facts.script_facts import ApiPath, Reference, has_prefix_among
from extlint.extension import Extension, Script
from extlint.manifest.file_keys import file_references
from extlint.package.references import paths_of
from extlint.project.contexts.script import page_of
from extlint.queries.query import query
from extlint.text.json.values import JsonValue

Place: TypeAlias = tuple[int, ...]
"""The place of a script in the order of loading, to be compared with those of the same realm."""

_NOT_ABOUT_PAGES = frozenset({"css", "js", "matches", "run_at", "world"})
"""The keys of an entry of content scripts that do not decide in which pages its scripts run."""

_MOMENTS = {"document_start": 0, "document_end": 1, "document_idle": 2}


@query
def entries_of_files(extension: Extension) -> Mapping[str, Mapping[str, Place]]:
    """Returns the entries of content scripts that list each file, with its place in the order of loading."""
    found: dict[str, dict[str, Place]] = {}
    for each in file_references(extension.manifest):
        match each.pointer.split("/"):
            case ["", "content_scripts", entry, "js", at]:
                time = extension.manifest.get("content_scripts", int(entry), "run_at")
                moment = _MOMENTS.get("document_idle" if time is None else str(time.value), len(_MOMENTS))
                for path in paths_of(each.name):
                    found.setdefault(path, {})[entry] = (moment, int(entry), int(at))
    return found


def have_all_pages(pages: JsonValue, others: JsonValue) -> bool:
    """Whether an entry of content scripts certainly has all pages of another one."""
    if not (isinstance(pages, dict) and isinstance(others, dict)):
        return False
    if any(pages.get(key) != others.get(key) for key in pages.keys() - _NOT_ABOUT_PAGES):
        return False
    matches, wanted = pages.get("matches"), others.get("matches")
    return (
        isinstance(matches, list)
        and isinstance(wanted, list)
        and ("<all_urls>" in matches or all(each in matches for each in wanted))
    )


_Realm: TypeAlias = tuple[ContextKind, str]
"""A kind of context, and the page, the entry of the manifest or the script that loads scripts into it."""


def is_shimmed(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether a script that is loaded into the same realm assigns a member, or the object that has it.

    A use that runs when its script is loaded requires one that is loaded before.
    """
    return any(
        (is_earlier or not reference.on_load) and _adds(other, reference)
        for other, is_earlier in _shims_in_realms(extension, script)
    )


@query
def scripts_after_shims(extension: Extension) -> Mapping[tuple[str, int], Script]:
    """Returns the scripts without the calls and results of members that earlier ones in the realm replace.

    They are in the order of the extension's scripts, each with its location.
    """
    return {
        script.location: replace(
            script, facts=without_replaced(script.facts, _replaced_before(extension, script))
        )
        for script in extension.scripts
    }


def _replaced_before(extension: Extension, script: Script) -> frozenset[ApiPath]:
    """Returns the members that earlier scripts replace, in each realm in which a script runs."""
    found = _shims_in_realms(extension, script)
    return frozenset().union(*(other.facts.replaced for other, is_earlier in found if is_earlier))


def _shims_in_realms(extension: Extension, script: Script) -> Iterator[tuple[Script, bool]]:
    """Yields the other scripts of a script's realms that assign members, and whether each runs before it."""
    for realm, at in _places(extension).get((script.path, script.base), {}).items():
        for each in _including(extension).get(realm, (realm,)):
            for other, other_at in _shims(extension).get(each, ()):
                if other_at != at:
                    yield other, other_at < at or _is_loaded_by(other, script)


def _adds(script: Script, reference: Reference) -> bool:
    return has_prefix_among(reference.path, script.facts.added) or has_prefix_among(
        (reference.root, *reference.path), script.facts.assigned_roots
    )


def _is_loaded_by(script: Script, other: Script) -> bool:
    """Whether a script runs before the code of another one, which imports it."""
    return any(each.step is not None and each.step.path == other.path for each in script.contexts)


@query
def _shims(extension: Extension) -> Mapping[_Realm, list[tuple[Script, Place]]]:
    """Returns the scripts of each realm that assign members, each with its place in the order of loading."""
    found: dict[_Realm, list[tuple[Script, Place]]] = {}
    for script in extension.scripts:
        if script.facts.added or script.facts.assigned_roots:
            for realm, at in _places(extension)[script.path, script.base].items():
                found.setdefault(realm, []).append((script, at))
    return found


@query
def _places(extension: Extension) -> Mapping[tuple[str, int], Mapping[_Realm, Place]]:
    """Returns the realms of each script, with its place in the order of loading."""
    entries = entries_of_files(extension)
    found: dict[tuple[str, int], dict[_Realm, Place]] = {}
    for at, script in enumerate(extension.scripts):
        places = found[script.path, script.base] = {}
        for context in script.contexts:
            if context.kind in WEB_PAGE_CONTEXTS and script.path in entries:
                places.update({(context.kind, entry): place for entry, place in entries[script.path].items()})
            elif (realm := _realm(script, context)) is not None:
                places[realm] = (at,)
    return found


def _realm(script: Script, context: Context) -> _Realm | None:
    if context.kind in BACKGROUND_CONTEXTS:
        return context.kind, ""
    loader = context.step.path if context.step is not None else None
    loaded_into = loader if context.kind in WEB_PAGE_CONTEXTS else page_of(script.path, context)
    return None if loaded_into is None else (context.kind, loaded_into)


@query
def _including(extension: Extension) -> Mapping[_Realm, Sequence[_Realm]]:
    """Returns, for each entry of content scripts, those with shims that also run in all of its pages."""
    pages = {
        entry: found.plain
        for entry in sorted({entry for each in entries_of_files(extension).values() for entry in each})
        if (found := extension.manifest.get("content_scripts", int(entry))) is not None
    }
    return {
        (kind, entry): [
            (kind, other)
            for shimmed, other in _shims(extension)
            if shimmed is kind and other in pages and (other == entry or have_all_pages(pages[other], own))
        ]
        for kind in WEB_PAGE_CONTEXTS
        for entry, own in pages.items()
    }
