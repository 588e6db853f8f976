"""Finds the scripts of an extension whose contexts are unknown, so that they are checked only in part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from posixpath import normpath

from extlint.analysis.facts.script_facts import LoadKind
from extlint.extension import Extension, Script
from extlint.package.suffixes import COMPILED_SOURCES, has_suffix
from extlint.package.surroundings import OUTPUT_FOLDERS
from extlint.project.resolution.bundler_entries import name_of_source
from extlint.project.script_origins import is_generated, is_test_script
from extlint.project.tools import is_tool_script

_MODULE_LOADS = (LoadKind.IMPORT, LoadKind.REQUIRE)


def unconnected_scripts(extension: Extension) -> Iterator[str]:
    """Yields the scripts that use the API, but that nothing is known to load.

    Excluded are tests, tools and generated scripts, copies of scripts that are loaded, and the sources of
    scripts that a build has made, and that are loaded in their place.
    """
    loaded = [each for each in extension.scripts if each.contexts or each.is_for_other_targets]
    texts = {each.index.text for each in loaded}
    around = extension.package.around
    folder = "" if around is None else around.folder
    outputs = [each for each in loaded if _uses_api(each) and _is_output(each, folder)]
    for script in extension.scripts:
        if (
            not (script.contexts or script.is_for_other_targets)
            and _uses_api(script)
            and script.index.text not in texts
            and not is_test_script(script)
            and not is_tool_script(script)
            and not is_generated(script)
            and not _is_source(script, outputs)
        ):
            yield script.path


def _uses_api(script: Script) -> bool:
    return bool(script.facts.references or script.facts.calls)


def _is_output(script: Script, folder: str) -> bool:
    """Whether a build has made a script of the extension in a folder, by its own folder or its text."""
    folders = normpath(f"{folder}{script.path}").lower().split("/")[:-1]
    return not OUTPUT_FOLDERS.isdisjoint(folders) or is_generated(script)


def _is_source(script: Script, outputs: Sequence[Script]) -> bool:
    """Whether some of the outputs of a build may be made from a script."""
    if not outputs:
        return False
    is_module = any(each.kind in _MODULE_LOADS for each in script.facts.loads)
    name = name_of_source(script.path)
    return (
        is_module
        or has_suffix(script.path, COMPILED_SOURCES)
        or any(name_of_source(each.path) == name for each in outputs)
    )
