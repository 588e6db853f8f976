"""References to one of several members, selected by an unknown condition."""

from __future__ import annotations

from extlint.analysis.facts.script_facts import AmbiguousReference, ApiPath, CallSite, Reference
from extlint.checks.api.reasons import unavailabilities_of
from extlint.extension import Extension, Script
from extlint.queries.query import query


def available_references(
    extension: Extension, script: Script, choice: AmbiguousReference
) -> list[tuple[Reference, CallSite | None]]:
    """Returns an ambiguous reference's options whose namespace may exist in the script, with their calls.

    `chrome.action ?? chrome.browserAction` can only be the one in the manifest version.
    """
    calls = choice.calls or (None,) * len(choice.references)
    pairs = zip(choice.references, calls, strict=True)
    return [each for each in pairs if _has_owner(extension, script, each[0])]


def _has_owner(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether the namespace or object of a member may be available."""
    reasons = unavailabilities_of(extension, reference.path, script.contexts, reference.on_load)
    return all(len(each.path) >= len(reference.path) for each in reasons)


@query(is_kept=True)
def tested_members(extension: Extension, path: str, base: int) -> frozenset[ApiPath]:
    """Returns the members only tested by a script's ambiguous references, which it expects to be missing."""
    references = extension.facts_at(path, base).possible_references
    return frozenset(each.path for each in references if each.only_tested)
