"""Files that several extensions of a project share, which a build copies into each.

They are in the folder above, or in another extension over which the files of this one are put.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice, product
from posixpath import basename, dirname

from extlint.extension import Extension
from extlint.package.files import Surroundings
from extlint.project.resolution.project_files import folders_above, joined

MANIFEST = "manifest.json"
MAX_MISSING_FILES = 20
MAX_FOLDERS = 50
MAX_LAID_FILES = 200


def misses_shared_files(extension: Extension) -> bool:
    """Whether a file that the manifest names is not in the extension's folder, but next to or above it.

    The file is in the folder above, or in another subfolder of that, and there is a sibling extension that
    also has or shares it. If an extension has no sibling, its author may mistakenly have expected names to
    lead out of its folder. For the messages of the default locale, no sibling is required.
    """
    around = extension.package.around
    if around is None or not around.folder:
        return False
    lost = {
        each.path
        for each in extension.named_files
        if each.source == extension.manifest.path
        and ".." not in each.name.split("/")
        and each.path not in extension.package
    }
    above = dirname(around.folder.rstrip("/"))
    prefix = f"{above}/" if above else ""
    locale = extension.manifest.get("default_locale")
    if locale is not None:
        messages = f"_locales/{locale.value}/messages.json"
        if messages not in extension.package and around.has(prefix + messages):
            return True
    if not lost:
        return False
    if _is_laid_over_another(extension, around, lost):
        return True
    sibling_folders = [f"{prefix}{name}/" for name in islice(around.folders(above), MAX_FOLDERS)]
    extensions = {folder for folder in sibling_folders if around.has(folder + MANIFEST)} | {around.folder}
    if len(extensions) == 1:
        return False
    places = (prefix, *(folder for folder in sibling_folders if folder not in extensions))
    return any(around.has(place + path) for place, path in product(places, sorted(lost)[:MAX_MISSING_FILES]))


def _is_laid_over_another(extension: Extension, around: Surroundings, lost: Iterable[str]) -> bool:
    """Whether a program puts the extension's files over those of another one, which has the missing files.

    The other extension has a file in place of each one here, and the program names both folders.
    """
    paths = extension.package.paths
    if len(paths) > MAX_LAID_FILES:
        return False
    own, required = around.folder.rstrip("/"), (*paths, *lost)
    for above in folders_above(own)[1:]:
        for folder in islice(around.folders(above), MAX_FOLDERS):
            place = joined(above, folder) or folder
            is_other = not f"{own}/".startswith(f"{place}/")
            if is_other and all(around.has(f"{place}/{path}") for path in required):
                return _are_named_together(extension, basename(own), folder)
    return False


def _are_named_together(extension: Extension, *folders: str) -> bool:
    """Whether a program of the project names each of these folders."""
    from extlint.project.tools import project_programs

    names = [re.compile(rb"(?<![\w-])" + re.escape(each.encode()) + rb"(?![\w-])") for each in folders]
    return any(all(name.search(tool.text) for name in names) for tool in project_programs(extension))
