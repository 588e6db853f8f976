"""Determines whether a use is right in an extension built from the same script with another manifest."""

from __future__ import annotations

from collections.abc import Callable

from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.unavailability import Unavailability
from extlint.extension import Extension, Script
from extlint.script.facts.context import Context
from extlint.script.facts.script_facts import Reference


def is_for_sibling_manifest(
    extension: Extension, script: Script, reference: Reference, is_right: Callable[[Extension, Script], bool]
) -> bool:
    """Whether a use is right in an extension to which the same script belongs by another manifest.

    Code that certainly runs when the script loads fails with this manifest, regardless of others. Check this
    last: it searches for other manifests and reads them. If this fails, nothing is certain: true.
    """
    if reference.on_load and any(each.certain for each in script.contexts):
        return False
    with extension.package.failures.contained(script.path):
        return any(is_right(other, there) for other, there in extension.searches.siblings(extension, script))
    return True


def resolves_unavailability(
    extension: Extension, reference: Reference, contexts: tuple[Context, ...], unavailability: Unavailability
) -> Callable[[Extension, Script], bool]:
    """Returns a predicate of siblings: whether this unavailability does not exist there, nor a new one."""
    here = {each.reason for each in unavailabilities_of(extension, reference.path, contexts)} - {
        unavailability.reason
    }
    return lambda other, script: here.issuperset(
        each.reason for each in unavailabilities_of(other, reference.path, script.contexts)
    )
