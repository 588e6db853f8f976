"""The layout of a package after its scripts have shared their globals, on which it depends in turn."""

from __future__ import annotations

from extlint.checks.api.schema_path import targets_without
from extlint.manifest.manifest import Manifest
from extlint.package.tolerant import TolerantPackage
from extlint.program.script_reader import ScriptReader
from extlint.project.contexts.layout import lay_out
from extlint.project.contexts.script import Layout, page_realms, shared_realms
from extlint.project.resolution.resolver import ModuleResolver

MAX_ROUNDS = 5
"""The maximum number of times that the values of globals are propagated among the scripts of a realm."""


def shared_layout(
    files: TolerantPackage, manifest: Manifest, reader: ScriptReader, resolver: ModuleResolver
) -> Layout:
    """Returns the layout of a package, after its scripts have shared their globals.

    If extlint itself fails in it, the realms of scripts are unknown, and no script is checked.
    """
    with files.failures.contained(manifest.path):
        without = targets_without(manifest.version)

        def expect(known: Layout) -> None:
            reader.set_known_realms(shared_realms(known), page_realms(known))

        layout = lay_out(files, manifest, reader.facts, resolver, without, expect)
        for _ in range(MAX_ROUNDS):
            scripts = [(each.path, each.body) for each in layout.scripts]
            if not reader.share_globals(shared_realms(layout), page_realms(layout), scripts):
                break
            layout = lay_out(files, manifest, reader.facts, resolver, without)
        else:
            for path in reader.scripts_with_changed_api_use():
                files.unchecked.add(path, f"globals are passed on by at most {MAX_ROUNDS} scripts in a row")
        return layout
    return Layout((), ())
