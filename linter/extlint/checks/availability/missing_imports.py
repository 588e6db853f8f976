"""Finds names of modules in `import` and `export … from` that are not files of the package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extlint.analysis.facts.page_code import any_has_import_map
from extlint.analysis.facts.script_facts import Load, LoadKind
from extlint.checks.reachability.unreachable_code import checked_scripts
from extlint.extension import Extension, NamedFile, Script
from extlint.package.references import folder_of, paths_of
from extlint.package.suffixes import COMPILED_SOURCES, JAVASCRIPT, has_suffix
from extlint.project.builds import is_build_source
from extlint.text.patterns import lazy
from extlint.text.placeholders import is_placeholder

RELATIVE = lazy(r"\.{0,2}/(?!/)")
"""An address of a file of the package."""


def missing_imports(extension: Extension) -> Iterator[NamedFile]:
    """Yields the missing modules that modules import by their addresses.

    Browsers resolve an address as it is: they add no suffix, and do not look for an `index.js` in a folder. A
    module does not run if one of its imports is missing, in Chromium 156 and Firefox 153 (`extlint_judge
    imports`). Imports in the source of a build are left to the build.
    """
    for script, load, paths in imports_by_address(extension):
        if not any(path in extension.package for path in paths):
            yield NamedFile(load.name, paths[0], script.path, script.span(load.span))


def imports_by_address(extension: Extension) -> Iterator[tuple[Script, Load, Sequence[str]]]:
    """Yields imports of modules that browsers load as they are, with the possible paths of the address."""
    if is_build_source(extension) or any_has_import_map(extension.pages) or _has_sources(extension):
        return
    for script in checked_scripts(extension):
        if script.base or not has_suffix(script.path, JAVASCRIPT):
            continue
        if not any(each.is_module and each.certain for each in script.contexts):
            continue
        for load in script.facts.loads:
            if load.kind is not LoadKind.IMPORT or not RELATIVE.match(load.name) or is_placeholder(load.name):
                continue
            paths = paths_of(load.name, folder_of(script.path))
            if paths:
                yield script, load, paths


def _has_sources(extension: Extension) -> bool:
    """Whether the package has scripts that browsers cannot run, so a build compiles them with the others."""
    return any(has_suffix(path, COMPILED_SOURCES) for path in extension.package.paths)
