"""The targets of an extension for which nobody says them."""

from __future__ import annotations

from collections.abc import Iterable

from extlint.choice.build_names import Named, named_for
from extlint.choice.marks import marks
from extlint.choice.model import Choice, Origin
from extlint.manifest.manifest import Manifest
from extlint.package.files import Package
from extlint.target import Target


def choose(package: Package, manifest: Manifest) -> Choice:
    """The targets that an extension is written for, as far as it says so, else the reference.

    What a build makes for one browser is for that one, whatever its manifest keeps of others. Any other name
    counts only where the manifest says nothing.
    """
    named = named_for(package)
    if named is not None and named.by_build:
        return _by_name(named)
    said = marks(manifest)
    if said:
        return Choice(_targets(said), Origin.MANIFEST, ", and ".join(dict.fromkeys(said.values())))
    if named is not None:
        return _by_name(named)
    return Choice((Target("reference"),), Origin.DEFAULT, "nothing names a browser")


def _by_name(named: Named) -> Choice:
    return Choice(_targets(named.targets), Origin.NAME, named.reason)


def _targets(names: Iterable[str]) -> tuple[Target, ...]:
    return tuple(map(Target, names))
