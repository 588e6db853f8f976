"""Shims: members that another script of the same realm assigns to the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from extlint.checks.portability.added_members import has_prefix_among
from extlint.contexts.realms import page_of
from extlint.extension import Extension, Script, once_per_extension
from extlint.manifest.file_keys import file_references
from extlint.package.references import paths_of
from extlint.script.facts.context import Context, ContextKind
from extlint.script.facts.script_facts import Reference

_Realm: TypeAlias = tuple[ContextKind, str]
"""A kind of context, and the page, the entry of the manifest or the script that loads scripts into it."""

_CONTENT_SCRIPTS = frozenset({ContextKind.CONTENT_SCRIPT, ContextKind.MAIN_WORLD})
_BACKGROUNDS = frozenset({ContextKind.BACKGROUND, ContextKind.SERVICE_WORKER})


def is_shimmed(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether a script that is loaded into the same realm assigns a member, or the object that has it.

    A use that runs when its script is loaded requires one that is loaded before.
    """
    for realm, at in _places(extension).get((script.path, script.base), {}).items():
        for other, other_at in _shims(extension).get(realm, ()):
            is_earlier = other_at < at or (other_at != at and not reference.on_load)
            if is_earlier and has_prefix_among(reference.path, other.facts.added):
                return True
    return False


@once_per_extension
def _shims(extension: Extension) -> Mapping[_Realm, list[tuple[Script, int]]]:
    """Returns the scripts of each realm that assign members, each with its place in the order of loading."""
    found: dict[_Realm, list[tuple[Script, int]]] = {}
    for script in extension.scripts:
        if script.facts.added:
            for realm, at in _places(extension)[script.path, script.base].items():
                found.setdefault(realm, []).append((script, at))
    return found


@once_per_extension
def _places(extension: Extension) -> Mapping[tuple[str, int], Mapping[_Realm, int]]:
    """Returns the realms of each script, with its place in the order of loading."""
    entries = _entries(extension)
    found: dict[tuple[str, int], dict[_Realm, int]] = {}
    for at, script in enumerate(extension.scripts):
        places = found[script.path, script.base] = {}
        for context in script.contexts:
            if context.kind in _CONTENT_SCRIPTS and script.path in entries:
                places.update({(context.kind, entry): index for entry, index in entries[script.path].items()})
            elif (realm := _realm(script, context)) is not None:
                places[realm] = at
    return found


def _realm(script: Script, context: Context) -> _Realm | None:
    if context.kind in _BACKGROUNDS:
        return context.kind, ""
    loader = context.step.path if context.step is not None else None
    loaded_into = loader if context.kind in _CONTENT_SCRIPTS else page_of(script.path, context)
    return None if loaded_into is None else (context.kind, loaded_into)


@once_per_extension
def _entries(extension: Extension) -> Mapping[str, Mapping[str, int]]:
    """Returns the entries of content scripts that list each file, with its place in the list."""
    found: dict[str, dict[str, int]] = {}
    for each in file_references(extension.manifest):
        match each.pointer.split("/"):
            case ["", "content_scripts", entry, "js", at]:
                for path in paths_of(each.name):
                    found.setdefault(path, {})[entry] = int(at)
    return found
