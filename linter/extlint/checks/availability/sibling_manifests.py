"""Whether a use is meant for another manifest, with which a build puts the same scripts together."""

from __future__ import annotations

from collections.abc import Callable

from extlint.checks.availability.reasons import unavailabilities_of
from extlint.checks.availability.unavailability import Unavailability
from extlint.extension import Extension, Script
from extlint.script.facts.context import Context
from extlint.script.facts.script_facts import Reference


def is_for_sibling_manifest(
    extension: Extension, script: Script, reference: Reference, is_right: Callable[[Extension, Script], bool]
) -> bool:
    """Whether a use is right in an extension that the same script is part of by another manifest.

    What certainly runs when the script loads fails by this manifest, whatever others say. Asked last, for
    other manifests are searched for and read.
    """
    if reference.on_load and any(each.certain for each in script.contexts):
        return False
    return any(is_right(other, there) for other, there in extension.siblings(extension, script))


def resolves(
    extension: Extension, reference: Reference, contexts: tuple[Context, ...], unavailability: Unavailability
) -> Callable[[Extension, Script], bool]:
    """Tells whether a reference in a script lacks there only what it lacks here too.

    The given lack must not be among that.
    """
    here = {each.reason for each in unavailabilities_of(extension, reference.path, contexts)} - {
        unavailability.reason
    }
    return lambda other, script: here.issuperset(
        each.reason for each in unavailabilities_of(other, reference.path, script.contexts)
    )
