"""The output folders of builds, and files that Git ignores until something generates them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from posixpath import basename, dirname, join, normpath
from typing import TYPE_CHECKING

from extlint.extension import Extension
from extlint.package.files import MANIFEST, Package
from extlint.package.git_index import tracked_files
from extlint.package.sniff import names_manifest_version
from extlint.package.suffixes import PROGRAMS, SCRIPTS, SOURCES, has_suffix
from extlint.package.surroundings import GITIGNORE, OUTPUT_FOLDERS
from extlint.project.build_tools import WEBPACK_CONFIGS
from extlint.project.resolution.project_files import ProjectFiles, folders_above, joined
from extlint.queries.query import cached_method, query
from extlint.text.patterns import lazy
from extlint.text.positions import decode

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


MAX_SIBLING_FOLDERS = 50
"""Siblings of an output folder that are searched for its source."""


@query(is_kept=True)
def is_output_folder(extension: Extension) -> bool:
    """Whether the folder has the name of build output, and a build fills it.

    A build certainly does so if Git does not track the folder, if its source is known, or if Git tracks
    the folder with all of its scripts. For a folder with another name, a configuration copies the manifest.
    """
    around = extension.package.around
    if extension.package.packed or around is None:
        return False
    if OUTPUT_FOLDERS.isdisjoint(around.folder.split("/")):
        return any(_is_copied(extension, each, around.folder) for each in _sources(extension, around.folder))
    return (
        not ignored_files(extension).tracks_own_folder
        or _has_extension_above(extension, around.folder)
        or any(True for _ in _sources(extension, around.folder))
        or _has_all_scripts(extension)
    )


def _is_copied(extension: Extension, source: str, folder: str) -> bool:
    """Whether a configuration of a bundler writes to a folder, and names the manifest of another one."""
    project = ProjectFiles(extension.package)
    for above in folders_above(folder.rstrip("/"))[1:]:
        manifest = f"{source}/{MANIFEST}".removeprefix(f"{above}/")
        for config in OUTPUT_CONFIGS:
            data = project.read(joined(above, config) or config)
            text = "" if data is None else decode(data).decode("utf-8", "replace")
            written = _WRITTEN.finditer(text) if manifest in text else ()
            if any(f"{joined(above, each['folder'])}/".startswith(folder) for each in written):
                return True
    return False


def _has_all_scripts(extension: Extension) -> bool:
    """Whether the manifest and the pages name scripts, and all of these exist."""
    named = {each.path for each in extension.named_files if has_suffix(each.path, SCRIPTS)}
    return bool(named) and all(path in extension.package for path in named)


def _has_extension_above(extension: Extension, folder: str) -> bool:
    """Whether a folder of the project above the extension's own is also an extension's folder."""
    project = ProjectFiles(extension.package)
    _, *above = folders_above(folder.rstrip("/"))
    found = (project.read(joined(each, MANIFEST) or "") for each in above)
    return any(data is not None and names_manifest_version(data) for data in found)


def _sources(extension: Extension, folder: str) -> Iterator[str]:
    """Yields the siblings of an output folder that are folders of an extension with the same name."""
    own = extension.manifest.get("name")
    project, parts = ProjectFiles(extension.package), folder.rstrip("/").split("/")
    end = next((at for at, part in enumerate(parts) if part in OUTPUT_FOLDERS), len(parts) - 1)
    above = "/".join(parts[:end])
    for each in islice(project.folders(above), MAX_SIBLING_FOLDERS):
        path = joined(above, f"{each}/{MANIFEST}") or ""
        data = None if each in OUTPUT_FOLDERS or each == parts[end] else project.read(path)
        root = project.json(path) if data is not None and names_manifest_version(data) else None
        name = None if root is None else root.get("name")
        if name is not None and own is not None and isinstance(own.value, str) and name.value == own.value:
            yield joined(above, each) or each


_IS_CALL = r"(?:path\.)?(?:resolve|join)\(\s*(?:__dirname|import\.meta\.dirname|process\.cwd\(\))\s*,"
_VALUE = rf"""\s*:\s*(?:(?P<call>{_IS_CALL})\s*)?["'`](?P<folder>[\w./-]+)["'`]\s*(?P<end>[,)\n\}}])"""
_VITE_ROOT = lazy(r"""\broot\s*:\s*["'`]([\w./-]+)["'`]""")
_SETTING = lazy(r"\boutDir\s*(?:,|:\s*(?![\"'\s]))")
_WRITTEN = lazy(rf"(?i)\b(?:dest|dir|file|outdir|outfile|path|to){_VALUE}")
"""A key for a folder or file that a build writes."""

_OF_TOOLS = {
    "wxt": lazy(rf"\boutDir{_VALUE}"),
    "vite": lazy(rf"\bbuild\s*:\s*\{{[^{{}}]*?\boutDir{_VALUE}"),
    "webpack": lazy(rf"\boutput\s*:\s*\{{[^{{}}]*?\bpath{_VALUE}"),
    "rollup": lazy(rf"\b(?:dir|file){_VALUE}"),
    "tsup": lazy(rf"\boutDir{_VALUE}"),
    "esbuild": lazy(rf"\b(?:outdir|outfile){_VALUE}"),
    "build": lazy(rf"\b(?:outdir|outfile){_VALUE}"),
    "gulpfile": lazy(r"""\bdest(?P<call>\b)\(\s*["'`](?:\./)?(?P<folder>[\w./-]+)["'`]\s*(?P<end>\))"""),
    "angular": lazy(r'"outputPath"\s*:\s*(?P<call>)"(?P<folder>[\w./-]+)"(?P<end>)'),
}
"""The patterns of the folder, or of a file in it, by the start of the name of the configuration."""

_KEYS = {
    **dict.fromkeys(("wxt", "vite", "tsup"), "outDir"),
    **dict.fromkeys(("webpack", "rspack"), "path"),
    "rollup": "dir|file",
    **dict.fromkeys(("esbuild", "build"), "outdir|outfile"),
}
"""The keys whose value is the folder, or a file in it, by the start of the name of the configuration."""

_BY_CONSTANT = r"\b(?:%s)\s*:\s*(?:(?:path\.)?(?:resolve|join)\(\s*)?(?:`\$\{)?([A-Za-z_]\w*)\s*[,)}\n]"
_CONSTANT = (
    r"\b(?:const|let|var|)\s*\b(?:%s)\s*=\s*"
    rf"(?:{_IS_CALL.replace('__dirname', '(?:__)?dirname|[Rr][Oo][Oo][Tt]')}|__dirname\s*\+)?\s*"
    r"[\"'`](?P<up>(?:\.{1,2}|\$\{__dirname\})?/?(?:\.\./)*)(?P<folder>[\w.-]+)"
)
_OF_PROGRAM = lazy(
    _CONSTANT % r"(?i:(?:dist|out|output|build|dest)(?:_?(?:dir|directory|folder|path|root))?)"
)

_ROOT = lazy(
    r"\b(?i:root)\s*=\s*(?:path\.)?(?:resolve|join)\(\s*(?:__dirname|import\.meta\.dirname)\s*,"
    r"\s*[\"'`]([./]+)[\"'`]\s*\)"
)
_ANCHOR = lazy(r"\b(?:__)?dirname\b|\b(?i:root)\s*,")
_OWN_FOLDER = lazy(r"\b(?:__)?dirname\b")

_FROM_OWN_FOLDER = lazy(
    r"\b(?:dir|file|outdir|outfile|path)\s*:\s*(?:`\$\{__dirname\}|__dirname\s*\+\s*[\"'`])/([\w./-]+)[\"'`]"
)
_OPTION = lazy(
    r"(?:^|\s)--(?:out-?dir|dist-dir|output-path|outfile)[= ]\s*(['\"]?)([\w./-]+)\1", re.IGNORECASE
)
_OPTION_OF_PARCEL = lazy(r"\bparcel build\b[^&|;]*\s-d[= ]\s*(['\"]?)([\w./-]+)\1")
"""The option of Parcel 1 for the folder of scripts, which may be one in the extension's folder."""

_MANIFEST = lazy(
    r"['\"`](?:\.{0,2}/|\$\{[^}]*\}/)*((?:[\w.-]+/)*[\w.-]+)(?:/|['\"`]\s*,\s*['\"`])manifest\.json['\"`]"
    r"|>\s*\"?((?:[\w.-]+/)*[\w.-]+)/manifest\.json"
)

_USUAL = (
    (lazy(r"\b(?:craco|react-app-rewired|react-scripts) build\b"), "build"),
    (lazy(r"\b(?:parcel|vue-cli-service) build\b"), "dist"),
)
"""The output folders of commands without an option for it."""

OUTPUT_CONFIGS = (
    *WEBPACK_CONFIGS,
    *(
        f"{name}{suffix}"
        for name in ("rspack.config", "rollup.config", "tsup.config", "esbuild.config")
        for suffix in PROGRAMS
    ),
    *(
        f"{folder}{name}{suffix}"
        for folder in ("", "scripts/")
        for name in ("build", "esbuild")
        for suffix in PROGRAMS
    ),
    *(f"gulpfile{suffix}" for suffix in PROGRAMS),
    "angular.json",
)
"""Files that may name the output folder of a build whose tool is unknown, the likeliest first."""


def output_folder(text: str, path: str) -> str | None:
    """Returns the output folder that a configuration names, literally or by a constant, or None."""
    name = basename(path)
    pattern = next((each for tool, each in _OF_TOOLS.items() if name.startswith(tool)), None)
    found = None if pattern is None else pattern.search(text)
    if found is None:
        written = _FROM_OWN_FOLDER.search(text) if pattern is not None else None
        folder = None if written is None else folder_of_output(join(dirname(path), written[1]))
        return _usual(folder) or _folder_of_constant(text, path)
    is_relative = bool(found["call"]) and found["end"] in (")", ",")
    if (found["call"] is not None) == (found["end"] not in (")", "")) and not is_relative:
        return None
    root = _VITE_ROOT.search(text) if name.startswith("vite") else None
    start = dirname(path) if is_relative else root[1] if root is not None else ""
    folder = folder_of_output(join(start, found["folder"]))
    is_partial = bool(found["call"]) and found["end"] == ","
    return _usual(folder) if is_partial or name.startswith("gulpfile") else folder


def computes_output(text: str, path: str) -> bool:
    """Whether a configuration sets its output folder, which may be computed: `` `dist-${target}` ``.

    In a program outside of the project's folder, this is any variable with a folder for output.
    """
    is_set = path.startswith("../") and _OF_PROGRAM.search(text) is not None
    return is_set or _SETTING.search(text) is not None


def folder_of_program(text: str, path: str) -> str | None:
    """Returns the output folder that a program which builds writes to, or None if unknown.

    A program outside of the project's folder may name one in its own folder, or in a root that it computes.
    """
    found = _OF_PROGRAM.search(text)
    folder = None if found is None else _usual(found["folder"])
    if not path.startswith("../") or found is None or _ANCHOR.search(found[0]) is None:
        return written_folder(text) or folder
    root = _ROOT.search(text)
    up = "" if _OWN_FOLDER.search(found[0]) is not None else None if root is None else root[1]
    if folder is None or up is None:
        return None
    return normpath(join(dirname(path), up, found["up"].removeprefix("${__dirname}/"), folder))


def _folder_of_constant(text: str, path: str) -> str | None:
    """Returns the output folder in the constant that is the value of a key in a configuration, or None."""
    key = next((each for tool, each in _KEYS.items() if basename(path).startswith(tool)), None)
    for used in () if key is None else re.finditer(_BY_CONSTANT % key, text):
        found = re.search(_CONSTANT % re.escape(used[1]), text)
        if found is not None and (not dirname(path) or ".." in found["up"]) and _usual(found["folder"]):
            return found["folder"]
    return None


def _usual(folder: str | None) -> str | None:
    """Returns a folder if it has a usual name for output, else None."""
    return folder if folder is not None and folder.split("/")[0] in OUTPUT_FOLDERS else None


def output_of_command(command: str) -> str | None:
    """Returns the output folder that an option of a command names (`--outdir=dist`), or the usual one.

    Returns None if that is unknown.
    """
    found = _OPTION.search(command)
    if found is not None:
        return folder_of_output(found[2])
    found = _OPTION_OF_PARCEL.search(command)
    if found is not None:
        return _usual(folder_of_output(found[2]))
    return next((folder for pattern, folder in _USUAL if pattern.search(command)), None)


def written_folder(text: str) -> str | None:
    """Returns the output folder to which a program writes a `manifest.json`, or None if unknown."""
    names = (folder_of_output(found[1] or found[2]) for found in _MANIFEST.finditer(text))
    return next((each for each in names if each and each.split("/")[0] in OUTPUT_FOLDERS), None)


def folder_of_output(path: str) -> str | None:
    """Returns the output folder that contains a path: `dist` for `dist/js/a.js`, or None outside of all."""
    normal = normpath(path)
    parts = (dirname(normal) if normal.endswith(PROGRAMS) else normal).split("/")
    last = next((at for at, part in enumerate(parts) if part in OUTPUT_FOLDERS), len(parts) - 1)
    found = "/".join(parts[: last + 1])
    return None if ".." in parts or found in ("", ".") else found


class IgnoredFiles:
    """The files of an extension that `.gitignore` files match, in its folder and in those above it.

    If the extension's own folder is ignored, none of its files counts as ignored, as all of them are
    generated, unless Git tracks the manifest all the same: then the others may be missing from a checkout.
    """

    def __init__(self, package: Package) -> None:
        self._package = package
        self._project = ProjectFiles(package)

    def has(self, path: str) -> bool:
        """Whether Git ignores a file at a path in the extension. The file may be missing.

        A folder that a build makes contains none of the sources.
        """
        full = self._project.full(path)
        if self._is_own_folder_ignored:
            is_partial = self._manifest in self._tracked and full not in self._tracked
            return is_partial and not has_suffix(path, SOURCES)
        return self._is_ignored(full)

    @property
    def _manifest(self) -> str:
        return self._project.full(self._package.manifest_path)

    @cached_property
    def _tracked(self) -> frozenset[str]:
        return tracked_files(self._package)

    @cached_property
    def tracks_own_folder(self) -> bool:
        """Whether Git tracks the extension's folder: `.gitignore` files exist, and do not match it."""
        around = self._package.around
        if around is None or self._is_own_folder_ignored:
            return False
        return any(self._spec(folder) is not None for folder in folders_above(around.folder.rstrip("/")))

    @cached_property
    def _is_own_folder_ignored(self) -> bool:
        around = self._package.around
        if self._package.packed or around is None:
            return True
        return around.folder != "" and self._is_ignored(around.folder)

    def _is_ignored(self, path: str) -> bool:
        """Whether the last pattern that matches a path ignores it. Patterns of deeper folders come later."""
        ignored = False
        for folder in reversed(folders_above(path.rstrip("/").rpartition("/")[0])):
            spec = self._spec(folder)
            found = None if spec is None else spec.check_file(path[len(folder) :].lstrip("/")).include
            ignored = ignored if found is None else found
        return ignored

    @cached_method
    def _spec(self, folder: str) -> GitIgnoreSpec | None:
        path = joined(folder, GITIGNORE)
        data = None if path is None else self._project.read(path)
        return None if data is None else _patterns_in(data)


@query
def ignored_files(extension: Extension) -> IgnoredFiles:
    """Returns the files of an extension that Git ignores."""
    return IgnoredFiles(extension.package)


def _patterns_in(data: bytes) -> GitIgnoreSpec:
    from extlint.package.git_ignore import parse_patterns

    return parse_patterns(data)
