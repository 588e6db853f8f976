"""Uses of one of several members, of which a condition that is not known tells which it is."""

from __future__ import annotations

from extlint.checks.availability.reasons import unavailabilities_of
from extlint.extension import Extension, Script, once_per_extension
from extlint.script.facts.script_facts import AmbiguousReference, ApiPath, CallSite, Reference


def available_references(
    extension: Extension, script: Script, choice: AmbiguousReference
) -> list[tuple[Reference, CallSite | None]]:
    """The members of a choice, with their calls, less those of what the script certainly lacks.

    `chrome.action ?? chrome.browserAction` can only be what there is in the manifest's version.
    """
    calls = choice.calls or (None,) * len(choice.references)
    pairs = zip(choice.references, calls, strict=True)
    return [each for each in pairs if _has_owner(extension, script, each[0])]


def _has_owner(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether what a member is to be a member of may be there."""
    lacks = unavailabilities_of(extension, reference.path, script.contexts, reference.on_load)
    return all(len(each.path) >= len(reference.path) for each in lacks)


def tested_members(extension: Extension, script: Script) -> frozenset[ApiPath]:
    """The members that a script only tests where one of several is named, so that it knows what may lack."""
    known = _tested(extension)
    key = (script.path, script.base)
    if key not in known:
        references = (
            reference for choice in script.facts.ambiguous_references for reference in choice.references
        )
        known[key] = frozenset(each.path for each in references if each.only_tested)
    return known[key]


@once_per_extension
def _tested(_extension: Extension) -> dict[tuple[str, int], frozenset[ApiPath]]:
    """What was found, by the script."""
    return {}
