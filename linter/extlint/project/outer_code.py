"""Reads the code of a project outside of an extension's package, which a build may include."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from posixpath import basename, dirname

from msgspec import Struct

from extlint.analysis.syntax.prefilter import may_name_api
from extlint.extension import Extension
from extlint.package.files import MANIFEST, Surroundings, bytes_of
from extlint.package.sniff import names_version
from extlint.package.suffixes import CODE, DECLARATIONS, OTHER_LANGUAGES, has_suffix
from extlint.package.surroundings import PACKAGE_JSON
from extlint.project.build_tools import is_test_path
from extlint.project.builds import DEPENDENCIES
from extlint.project.contexts.words import Words, words_of
from extlint.project.resolution.project_files import ProjectFiles, folders_above, joined
from extlint.project.tools import imported_by_programs, is_tool, project_programs
from extlint.queries.query import query
from extlint.text.json.reader import read_json
from extlint.text.patterns import lazy
from extlint.text.positions import decode, encode_name

MAX_OUTER_FILES = 3_000
"""Files with code outside of the package, beyond which they are not read."""

_NOT_WALKED = lazy(r"\..*|node_modules|bower_components|CVS|_darcs")


class OuterCode(Struct, frozen=True):
    """The code of a project outside of a package.

    `paths` are those of all its files with code, and `words` those of these files, except tests and programs
    of the build. `words_of_api` are those of the files that may use the API. It is not `known` if there is
    too much of it, or code in languages that are not read.
    """

    known: bool
    paths: frozenset[str] = frozenset()
    words: Words = Words({})
    words_of_api: Words = Words({})

    @property
    def texts(self) -> Iterator[bytes]:
        """The texts of its files."""
        return (text for text, _ in self.words.texts.values())


@query(is_of_package=True)
def outer_code(extension: Extension) -> OuterCode:
    """Returns the code around the package of an extension."""
    around = extension.package.around
    full = ProjectFiles(extension.package).full
    paths = frozenset[str]() if around is None else _paths(around, dirname(full(extension.manifest.path)))
    if around is None or paths is None:
        return OuterCode(known=around is None)
    outer = paths - {full(path) for path in extension.package.paths}
    outer -= _separate_paths(extension, around, outer)
    texts: dict[str, bytes] = {}
    for path in sorted(outer):
        if is_test_path(path) or path.rpartition("/")[2].startswith(".") or has_suffix(path, DECLARATIONS):
            continue
        if has_suffix(path, OTHER_LANGUAGES):
            return OuterCode(known=False)
        data = bytes_of(around.read, path)
        if data is None:
            return OuterCode(known=False)
        texts[path] = decode(data)
    programs = {path for path, text in texts.items() if is_tool(path.rpartition("/")[2], text)}
    programs |= imported_by_programs(ProjectFiles(extension.package), programs)
    words = Words({path: (text, ()) for path, text in texts.items() if path not in programs})
    of_api = words.within({path for path, (text, _) in words.texts.items() if may_name_api(text)})
    return OuterCode(known=True, paths=outer, words=words, words_of_api=of_api)


def _separate_paths(extension: Extension, around: Surroundings, outer: Set[str]) -> frozenset[str]:
    """Returns the outer paths in separate projects: those with a `package.json` to which nothing connects.

    The extension, its own projects, and those that are connected with them, have neither the name of such a
    project in quotes nor its folder in a path. Commands may have its name: they also build what they do not
    include.
    """
    near = folders_above(around.folder.rstrip("/"))
    projects: dict[str, set[str]] = {}
    for path in outer:
        owners = (each for each in folders_above(dirname(path)) if around.has(_config(each)))
        projects.setdefault(next(owners, ""), set()).add(path)
    separate = {
        each for each in projects if each not in near and not f"{each}/".startswith(around.folder or "/")
    }
    texts = [text for text, _ in words_of(extension).texts.values()]
    texts += [each.text for each in project_programs(extension)]
    waiting = [*near, *(each for each in projects if each not in separate)]
    for project in waiting:
        texts += [
            _dependencies(around, project),
            *(_text(around, each) for each in projects.get(project, ())),
        ]
    while True:
        connected = [each for each in separate if _is_named(around, each, texts)]
        if not connected:
            return frozenset(path for each in separate for path in projects[each])
        separate.difference_update(connected)
        for project in connected:
            texts += [_dependencies(around, project), *(_text(around, each) for each in projects[project])]


def _is_named(around: Surroundings, project: str, texts: Iterable[bytes]) -> bool:
    """Whether a text has the name of a project in quotes, or its folder in a path."""
    config = read_json(_text(around, _config(project))).root
    stated = None if config is None else config.get("name")
    name = stated.value if stated is not None and isinstance(stated.value, str) else ""
    folder, scope, own = map(re.escape, map(encode_name, (basename(project), dirname(name), name)))
    pattern = rb"(?<![\w.-])" + folder + rb"/|" + (rb"(?<!" + scope + rb")" if scope else b"")
    pattern += rb"/" + folder + rb"(?![\w.-])" + (rb"|[\"'`]" + own + rb"[\"'`/]" if own else b"")
    return any(re.search(pattern, each) for each in texts)


def _dependencies(around: Surroundings, project: str) -> bytes:
    """Returns the names and versions of the packages that a project names, in quotes."""
    config = read_json(_text(around, _config(project))).root
    tables = (None if config is None else config.get(key) for key in DEPENDENCIES)
    members = (each for table in tables if table is not None for each in table.members())
    return encode_name("\n".join(f'"{name}" "{member.node.value}"' for name, member in members))


def _config(folder: str) -> str:
    return joined(folder, PACKAGE_JSON) or PACKAGE_JSON


def _text(around: Surroundings, path: str) -> bytes:
    return decode(bytes_of(around.read, path) or b"")


def _paths(around: Surroundings, own: str) -> frozenset[str] | None:
    """Returns the paths of all files with code in a project, or None if there are too many.

    Folders of other extensions do not count, except those above the package or in its folder. `own` is the
    folder of the extension's manifest, which may be elsewhere.
    """
    near = {own, *folders_above(around.folder.rstrip("/"))}
    found: set[str] = set()
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        names = around.files(folder)
        is_near = folder in near or f"{folder}/".startswith(around.folder)
        if MANIFEST in names and not is_near and names_version(around, f"{folder}/{MANIFEST}"):
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
