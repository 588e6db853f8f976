"""Files that a project copies, writes or merges into its extensions: shared ones, and those of its commands.

Shared files are in the folder above, or in another extension over which the files of this one are put.

About commands, there is one question: does a command write this file? It does if it copies, downloads or
redirects something to the file or its folder, and not the file itself to another one. A program in another
language writes it if it writes files, and has both its name, perhaps with unknown parts, and its folder. The
values of variables are not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise, product
from posixpath import basename, dirname, normpath, splitext
from typing import TYPE_CHECKING

from extlint.extension import Extension
from extlint.package.discovery.variants import is_in_manifest_folder
from extlint.package.files import Package, Surroundings, bytes_of
from extlint.package.sniff import has_manifest_version, is_named_like_a_manifest
from extlint.package.suffixes import NAMED_FOR, PROGRAMS, PROGRAMS_WITH_OBJECTS
from extlint.project.resolution.project_files import ProjectFiles, folders_above, joined
from extlint.queries.query import query
from extlint.text.json.reader import read_json
from extlint.text.patterns import lazy
from extlint.text.positions import decode

if TYPE_CHECKING:
    from extlint.project.tools import Tool


_KEYS = (
    *("action", "background", "browser_action", "browser_specific_settings", "content_scripts"),
    *("host_permissions", "minimum_chrome_version", "optional_permissions", "permissions"),
)
"""Keys that identify a file with a manifest-like name as a part of a manifest."""


@query(is_kept=True)
def keys_in_parts(extension: Extension) -> frozenset[str]:
    """Returns the keys in parts of the manifest next to it: `manifest_chrome.json`, without a version.

    They may be missing from the manifest itself, for all browsers or for one.
    """
    package = extension.package
    if package.packed:
        return frozenset()
    folder = dirname(package.manifest_path)
    return frozenset().union(
        *(
            _keys_of_part(package, path)
            for path in package.paths
            if path != package.manifest_path and path.endswith(".json") and _is_near_manifest(path, folder)
        )
    )


def _is_near_manifest(path: str, folder: str) -> bool:
    """Whether a file is named like a manifest and is in a folder, or in a folder of manifests in it."""
    if is_in_manifest_folder(path) and folder in (dirname(path), dirname(dirname(path))):
        return True
    return is_named_like_a_manifest(basename(path)) and dirname(path) == folder


def _keys_of_part(package: Package, path: str) -> frozenset[str]:
    """Returns the keys in a file, if it is a part of a manifest."""
    data = bytes_of(package.peek, path)
    root = None if data is None or has_manifest_version(data) else read_json(decode(data)).root
    keys = frozenset[str]() if root is None else frozenset(key for key, _ in root.members())
    return frozenset() if keys.isdisjoint(_KEYS) else keys


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


MAX_COMMANDS = 2_000
"""Commands of one project that are considered."""

_COPYING = (
    r"(?i:clone|(?:robo|x)?copy|copy-item|copyfiles|cp[xy]?|install|ln|move(?:-item)?|mv|[ns]cp|rsync|tee)"
)
_FETCHING = r"(?i:bsdtar|clone|curl|tar|unzip|wget)|--out.*"
_COPIES = lazy(_COPYING)
_FETCHES = lazy(_FETCHING)
_WRITING = lazy(f"{_COPYING}|{_FETCHING}")
_FILE_OPTION = lazy(r"-(?:[a-zA-Z]*[oO]|-?out\S*|OutFile)|1?>[>|]?")
_FOLDER_OPTION = lazy(r"-(?:[CPdt]|-target-directory|-directory\S*)")
_PRINTED = lazy(r"-\w*O-")
_OPTION = lazy(r"-.*|/[A-Za-z]")
_WRITES = lazy(
    rb"\b(?:writeFile(?:Sync)?|writeTextFile(?:Sync)?|output(?:File|Json)(?:Sync)?|toFile|write_(?:bytes|text)"
    rb"|Bun\.write|json\.dump)\s*\(|\.save\(|\bopen\([^\n]{0,200}[\"'][wx]b?[\"']"
)
_START = lazy(r"(?:(?:\*|\.{0,2})/)*")


def is_written(extension: Extension, path: str) -> bool:
    """Whether a command of the project may write a missing file, or files that match a pattern."""
    stem, suffix = splitext(path)
    return any(
        _is_written(extension, each) for each in (path, *(stem + each for each in NAMED_FOR.get(suffix, ())))
    )


def _is_written(extension: Extension, path: str) -> bool:
    project = ProjectFiles(extension.package)
    full = project.full(path)
    own = (full,) if full != path and project.has(path) else (path, full)
    return any(_writes(command, path, full, own) for command in _commands(extension)) or any(
        _has_name(texts, full, program) for program, texts in _writing_programs(extension)
    )


@query
def _writing_programs(extension: Extension) -> tuple[tuple[str, frozenset[str]], ...]:
    """Returns the paths and texts of the programs that write files, with a wildcard for each unknown part."""
    from extlint.project.tools import project_programs

    programs = (
        each
        for each in project_programs(extension)
        if each.path.endswith((*PROGRAMS, *PROGRAMS_WITH_OBJECTS)) and _WRITES.search(each.text)
    )
    return tuple((each.path, _texts(extension, each)) for each in programs)


def _texts(extension: Extension, program: Tool) -> frozenset[str]:
    from extlint.project.entry_points import texts_of, with_wildcards

    return frozenset(map(with_wildcards, texts_of(extension, program)))


def _has_name(texts: frozenset[str], path: str, program: str) -> bool:
    """Whether a program has the name of a file and that of its folder, or is in this folder."""
    from fnmatch import fnmatchcase

    folder, name = dirname(path), basename(path)
    patterns = (basename(each) for each in texts)
    is_named = any(fnmatchcase(name, each) and each.partition(".")[0].strip("*") for each in patterns)
    return is_named and (
        folder == dirname(program) or any(basename(folder) in each.split("/") for each in texts)
    )


@query
def _commands(extension: Extension) -> tuple[Sequence[str], ...]:
    """Returns the words of the commands in shell scripts and similar programs that may write files."""
    from extlint.project.tools import code_of, project_programs

    texts = (
        code_of(extension, each)
        for each in project_programs(extension)
        if not each.path.endswith((*PROGRAMS, *PROGRAMS_WITH_OBJECTS))
    )
    return tuple(islice((command for text in texts for command in writing_commands(text)), MAX_COMMANDS))


def writing_commands(text: str) -> Iterator[Sequence[str]]:
    """Yields the words of each command in a text that may write files, with a wildcard for each variable."""
    from extlint.project.resolution.bundler_entries import commands_in

    for words in commands_in(text):
        if any(_FILE_OPTION.fullmatch(each) or _WRITING.fullmatch(basename(each)) for each in words):
            yield words


def _writes(words: Sequence[str], path: str, full: str, own: Sequence[str]) -> bool:
    """Whether a command writes a file, given by its path in the extension and in the project.

    A command that copies one of its `own` paths writes another file. Both paths are its own, unless another
    file of the project has its path in the extension.
    """
    from fnmatch import fnmatchcase

    end = next((at for at, each in enumerate(words) if each[-1:] in {"<", ">"}), len(words))
    plain = [each for each in words[:end] if not _OPTION.fullmatch(each)]
    is_copy = any(_COPIES.fullmatch(basename(each)) for each in plain)
    is_fetch = any(_FETCHES.fullmatch(basename(each)) or _FETCHES.fullmatch(each) for each in words)
    sources = [_relative(each) for each in plain[1:]] if is_copy or is_fetch else []
    targets = [
        _relative(after)
        for each, after in pairwise(words)
        if _FILE_OPTION.fullmatch(each) or (sources and _FOLDER_OPTION.fullmatch(each))
    ]
    targets += [_relative(each.partition("=")[2]) for each in words if each.startswith("--out")]
    from_options = {*targets}
    targets += [sources.pop()] if is_copy and sources else []
    if any(fnmatchcase(f"/{full}", f"*/{each}") or _matches(path, each) for each in targets if each):
        return True
    copied = {each for each in sources if any(f"{one}/".startswith(f"{each}/") for one in own)}
    if copied - from_options:
        return False
    name, names = basename(path), [basename(each) for each in sources]
    if any(fnmatchcase(f"/{full}", f"*/{each}/*") for each in targets if each):
        return is_fetch or any("." not in each or _matches(name, each) for each in names)
    if name not in names and any(basename(each) == name for each in targets):
        return bool(names)
    return name in names and (is_fetch or not any(targets)) and not any(map(_PRINTED.fullmatch, words))


def _matches(path: str, pattern: str) -> bool:
    """Whether a path or pattern matches another one."""
    from fnmatch import fnmatchcase

    return fnmatchcase(path, pattern) or ("*" in path and fnmatchcase(pattern, path))


def _relative(path: str) -> str:
    """Returns a path without unknown folders and folders above at its start, or nothing if it is unknown."""
    known = _START.sub("", normpath(path), 1)
    return known if known.strip("*.") else ""
