"""The targets of an extension for which nobody says them."""

from __future__ import annotations

from collections.abc import Iterable

from extlint.manifest.manifest import Manifest
from extlint.package.files import Package
from extlint.schema.engine import Engine
from extlint.target_detection.build_names import NamedTargets, named_for
from extlint.target_detection.choice import Choice, Origin
from extlint.target_detection.manifest_markers import marks
from extlint.target_detection.thunderbird import mark_in_manifest, mark_in_names, mark_in_scripts
from extlint.targets.request import SPECIFICATION, Target, engine_of

_FIREFOX = frozenset({"firefox", "firefox_android"})


def choose(package: Package, manifest: Manifest) -> Choice:
    """The targets that an extension is written for, as far as it says so, else the reference.

    What a build makes for one browser is for that one, whatever its manifest keeps of others, and so is what
    lies beside a folder for another browser. Any other name counts only where the manifest says nothing. An
    add-on of Thunderbird, which has Firefox's settings and formats, is for no target.
    """
    named = named_for(package)
    is_built = named is not None and named.by_build
    for_thunderbird = mark_in_names(named)
    if for_thunderbird is None and (not is_built or (named is not None and named.by_format)):
        for_thunderbird = mark_in_manifest(manifest)
    said = marks(manifest)
    if (
        for_thunderbird is None
        and said
        and all(engine_of(each) is Engine.GECKO for each in said)
        and not is_built
    ):
        for_thunderbird = mark_in_scripts(package)
    if for_thunderbird is not None:
        reason = f"Thunderbird is not a target, and {for_thunderbird}"
        return Choice((Target(SPECIFICATION),), Origin.DEFAULT, reason, is_of_thunderbird=True)
    if named is not None and is_built:
        return _by_name(named)
    if said:
        return Choice(_targets(said), Origin.MANIFEST, ", and ".join(dict.fromkeys(said.values())))
    if named is not None:
        return _by_name(named)
    return Choice((Target(SPECIFICATION),), Origin.DEFAULT, "nothing names a browser")


def _by_name(named: NamedTargets) -> Choice:
    return Choice(_targets(named.targets), Origin.NAME, named.reason)


def _targets(names: Iterable[str]) -> tuple[Target, ...]:
    return tuple(map(Target, names))
