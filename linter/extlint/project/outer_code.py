"""Reads the code of a project outside of an extension's package, which a build may include."""

from __future__ import annotations

from msgspec import Struct

from extlint.analysis.syntax.prefilter import may_name_api
from extlint.extension import Extension
from extlint.package.files import MANIFEST, Surroundings, UnreadableError
from extlint.package.sniff import names_manifest_version
from extlint.package.suffixes import CODE, DECLARATIONS, OTHER_LANGUAGES, has_suffix
from extlint.project.contexts.words import Words
from extlint.project.resolution.project_files import ProjectFiles, folders_above, joined
from extlint.project.script_origins import is_test_path
from extlint.project.tools import is_tool
from extlint.queries.query import query
from extlint.text.patterns import lazy
from extlint.text.positions import decode

MAX_OUTER_FILES = 3_000
"""Files with code outside of the package, beyond which they are not read."""

_NOT_WALKED = lazy(r"\..*|node_modules|bower_components|CVS|_darcs")


class OuterCode(Struct, frozen=True):
    """The code of a project outside of a package.

    `paths` are those of all its files with code, and `texts` the texts of these files, except tests and
    programs of the build. `words` are those of the texts that may use the API. It is not `known` if there is
    too much of it, or code in languages that are not read.
    """

    known: bool
    paths: frozenset[str] = frozenset()
    texts: tuple[bytes, ...] = ()
    words: Words = Words({})

    @property
    def may_use_api(self) -> bool:
        """Whether any of it may use the API."""
        return bool(self.words.texts)


@query(is_of_package=True)
def outer_code(extension: Extension) -> OuterCode:
    """Returns the code around the package of an extension."""
    around = extension.package.around
    paths = frozenset[str]() if around is None else _paths(around)
    if around is None or paths is None:
        return OuterCode(known=around is None)
    outer = paths - {ProjectFiles(extension.package).full(path) for path in extension.package.paths}
    texts: dict[str, bytes] = {}
    for path in sorted(outer):
        if is_test_path(path) or path.rpartition("/")[2].startswith(".") or has_suffix(path, DECLARATIONS):
            continue
        if has_suffix(path, OTHER_LANGUAGES):
            return OuterCode(known=False)
        try:
            text = decode(around.read(path))
        except UnreadableError:
            return OuterCode(known=False)
        if not is_tool(path.rpartition("/")[2], text):
            texts[path] = text
    using = {path: (text, ()) for path, text in texts.items() if may_name_api(text)}
    return OuterCode(known=True, paths=outer, texts=(*texts.values(),), words=Words(using))


def _paths(around: Surroundings) -> frozenset[str] | None:
    """Returns the paths of all files with code in a project, or None if there are too many.

    Folders of other extensions do not count, except those above the package or in its folder.
    """
    above = folders_above(around.folder.rstrip("/"))
    found: set[str] = set()
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        names = around.files(folder)
        is_near = folder in above or f"{folder}/".startswith(around.folder)
        if MANIFEST in names and not is_near and _is_extension(around, f"{folder}/{MANIFEST}"):
            continue
        found.update(
            joined(folder, name) or name for name in names if has_suffix(name, (*CODE, *OTHER_LANGUAGES))
        )
        if len(found) > MAX_OUTER_FILES:
            return None
        waiting += [
            joined(folder, name) or name for name in around.folders(folder) if not _NOT_WALKED.fullmatch(name)
        ]
    return frozenset(found)


def _is_extension(around: Surroundings, manifest: str) -> bool:
    try:
        return names_manifest_version(around.read(manifest))
    except UnreadableError:
        return False
