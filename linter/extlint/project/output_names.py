"""Finds the output folder that the configuration of a build names, by its text."""

from __future__ import annotations

import re
from posixpath import basename, dirname, join, normpath

from extlint.package.suffixes import PROGRAMS
from extlint.project.build_files import OUTPUT_FOLDERS
from extlint.project.build_tools import WEBPACK_CONFIGS
from extlint.text.patterns import lazy

_IS_CALL = r"(?:path\.)?(?:resolve|join)\(\s*(?:__dirname|import\.meta\.dirname|process\.cwd\(\))\s*,"
_VALUE = rf"""\s*:\s*(?:(?P<call>{_IS_CALL})\s*)?["'`](?P<folder>[\w./-]+)["'`]\s*(?P<end>[,)\n\}}])"""
_VITE_ROOT = lazy(r"""\broot\s*:\s*["'`]([\w./-]+)["'`]""")
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

_FROM_OWN_FOLDER = lazy(
    r"\b(?:dir|file|outdir|outfile|path)\s*:\s*(?:`\$\{__dirname\}|__dirname\s*\+\s*[\"'`])/([\w./-]+)[\"'`]"
)
_OPTION = lazy(
    r"(?:^|\s)--(?:out-?dir|dist-dir|output-path|outfile)[= ]\s*(['\"]?)([\w./-]+)\1", re.IGNORECASE
)
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
        for name in ("rollup.config", "tsup.config", "esbuild.config")
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
    """Returns the output folder that a configuration names, or None unless it names one literally."""
    name = basename(path)
    pattern = next((each for tool, each in _OF_TOOLS.items() if name.startswith(tool)), None)
    found = None if pattern is None else pattern.search(text)
    if found is None:
        written = _FROM_OWN_FOLDER.search(text) if pattern is not None else None
        folder = None if written is None else folder_of_output(join(dirname(path), written[1]))
        return folder if folder is not None and folder.split("/")[0] in OUTPUT_FOLDERS else None
    if (found["call"] is not None) == (found["end"] not in (")", "")):
        return None
    root = _VITE_ROOT.search(text) if name.startswith("vite") else None
    is_relative = bool(found["call"]) and found["end"] == ")"
    start = dirname(path) if is_relative else root[1] if root is not None else ""
    folder = folder_of_output(join(start, found["folder"]))
    is_usual = folder is not None and folder.split("/")[0] in OUTPUT_FOLDERS
    return folder if is_usual or not name.startswith("gulpfile") else None


def output_of_command(command: str) -> str | None:
    """Returns the output folder that an option of a command names (`--outdir=dist`), or the usual one.

    Returns None if that is unknown.
    """
    found = _OPTION.search(command)
    if found is not None:
        return folder_of_output(found[2])
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
