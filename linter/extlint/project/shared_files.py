"""Files that several extensions of a project share, which a build copies from the folder above into each."""

from __future__ import annotations

from itertools import islice, product
from posixpath import dirname

from extlint.extension import Extension

MANIFEST = "manifest.json"
MAX_MISSING_FILES = 20
MAX_FOLDERS = 50


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
    sibling_folders = [f"{prefix}{name}/" for name in islice(around.folders(above), MAX_FOLDERS)]
    extensions = {folder for folder in sibling_folders if around.has(folder + MANIFEST)} | {around.folder}
    if len(extensions) == 1:
        return False
    places = (prefix, *(folder for folder in sibling_folders if folder not in extensions))
    return any(around.has(place + path) for place, path in product(places, sorted(lost)[:MAX_MISSING_FILES]))
