"""Finds the program of a project that generates its manifest, among the files of a folder."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from posixpath import basename

from msgspec import Struct

from extlint.package.discovery.folder import FolderTree
from extlint.package.files import UnreadableError
from extlint.package.suffixes import (
    DATA,
    DECLARATIONS,
    PROGRAMS,
    PROGRAMS_WITH_OBJECTS,
    SHELL_SCRIPTS,
    has_suffix,
)
from extlint.project.build_tools import FOLDERS, is_build_file, is_configuration
from extlint.project.script_origins import is_test_path
from extlint.text.patterns import lazy
from extlint.text.positions import decode

MAX_PROGRAMS = 300
"""Programs of one project that are searched for a manifest."""

MAX_PROGRAM_BYTES = 300_000
"""Bytes of a program. Longer programs are not read."""

_NAMED = lazy(r"manifest(?:\.config)?\.[cm]?[jt]s")
_KEY = rb"[\"']?\bmanifest_version\b[\"']?\]?"
_STATES_VERSION = lazy(rb"(?<![\w.])" + _KEY + rb"\s*(?::|=>|=(?!=))\s*(?!number\b|string\b)\S")
_SETS_VERSION = lazy(rb"[.\[]" + _KEY + rb"\s*=(?![=>])")
_OF_MANIFESTS = lazy(rb"\b(?:ManifestV[23]|content_scripts|defineManifest|manifest_version|service_worker)\b")
_WRITES_MANIFEST = lazy(
    rb"(?is)\b(?:write\w*|outputJson\w*|emit(?:File|Asset)|open|save\w*|dump)\s*\([^;\n]{0,300}?manifest[\w-]*\.json\b"
    rb"|>\s*[\"']?[^\s;&|]*manifest\.json\b|\bmanifest\.json[\"'`]\s*[\]\)]?\s*(?:=|:|,)[^=]"
)
_CHECKS = lazy(r"(?:^|[/._-])(?:check|clean|lint|publish|release|test|upload|validate|verify)(?![a-z])")


class ManifestGenerator(Struct, frozen=True):
    """A program that generates a manifest: its path and text, and whether it `contains` or `writes` it."""

    path: str
    text: str
    contains: bool
    writes: bool


def manifest_generator(tree: FolderTree, paths: Iterable[str]) -> ManifestGenerator | None:
    """Returns the program among the files of a project that generates its manifest, or None.

    A program that contains a manifest is the likeliest. One that only writes a `manifest.json` counts if
    another file of the project has the key that every manifest has, since other products have manifests too.
    """
    all_paths = sorted(each for each in paths if "node_modules" not in each.split("/"))
    own = [path for path in all_paths if _is_program(path)]
    own.sort(key=lambda path: (_rank(path), path.count("/"), path))
    texts = {path: _text(tree, path) for path in own[:MAX_PROGRAMS]}
    all_programs = [
        ManifestGenerator(
            path,
            text.decode("utf-8", "replace"),
            _contains_manifest(path, text),
            _WRITES_MANIFEST.search(text) is not None,
        )
        for path, text in texts.items()
    ]
    containing = next((each for each in all_programs if each.contains), None)
    if containing is not None:
        return containing
    writing = next((each for each in all_programs if each.writes), None)
    return writing if writing is not None and _has_part(tree, all_paths) else None


def _is_program(path: str) -> bool:
    """Whether a file is a program that may generate a manifest, by its name and folder."""
    name = basename(path)
    is_one = has_suffix(path, (*PROGRAMS, *PROGRAMS_WITH_OBJECTS, *SHELL_SCRIPTS)) or is_build_file(name)
    return (
        is_one
        and _rank(path) < 3
        and not has_suffix(path, (*DECLARATIONS, ".json"))
        and not is_test_path(path)
        and _CHECKS.search(path.lower()) is None
    )


def _rank(path: str) -> int:
    """Returns how unlikely a program generates a manifest, by its name and folder: 0 to 3."""
    *folders, name = path.lower().split("/")
    if "manifest" in name:
        return 0 if _NAMED.fullmatch(name) else 1
    return 2 if is_build_file(name) or is_configuration(name) or not set(FOLDERS).isdisjoint(folders) else 3


def _contains_manifest(path: str, text: bytes) -> bool:
    """Whether a program contains a manifest, by the key that every manifest has."""
    is_named = _NAMED.fullmatch(basename(path)) is not None and _OF_MANIFESTS.search(text) is not None
    return is_named or any(each.search(text) is not None for each in (_STATES_VERSION, _SETS_VERSION))


def _has_part(tree: FolderTree, paths: Iterable[str]) -> bool:
    """Whether a data file of the project has the key that every manifest has."""
    likely = (path for path in paths if path.endswith(DATA) and "manifest" in path.lower())
    return any(b"manifest_version" in _text(tree, path) for path in islice(likely, MAX_PROGRAMS))


def _text(tree: FolderTree, path: str) -> bytes:
    if tree.size(path) > MAX_PROGRAM_BYTES:
        return b""
    try:
        return decode(tree.read(path))
    except UnreadableError:
        return b""
