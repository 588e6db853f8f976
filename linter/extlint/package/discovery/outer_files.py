"""Finds the files outside of an extension's folder that belong to it: sources, imports and messages.

Vite, Angular and similar tools copy `public` unchanged, and bundle scripts from `src` under the names in the
manifest, with what these import: `import "../../core/start"`. Browsers load nothing from another folder, so
only a project with a `package.json` may have such files.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from posixpath import basename, dirname, join, normpath, relpath

from extlint.package import limits
from extlint.package.discovery.manifest_folders import code_named_in
from extlint.package.disk import below, with_parents
from extlint.package.files import MANIFEST, Reader, Surroundings, UnreadableError, bytes_of
from extlint.package.git_ignore import parse_patterns
from extlint.package.sniff import names_version
from extlint.package.suffixes import (
    CODE,
    CONTENT_SCRIPTS,
    DECLARATIONS,
    IMPLIED,
    PAGES,
    RESOLVED_TO,
    SCRIPTS,
    has_suffix,
    is_script,
)
from extlint.package.surroundings import (
    COPIED_FOLDERS,
    GITIGNORE,
    OUTPUT_FOLDERS,
    PACKAGE_JSON,
    is_named_by_build,
)
from extlint.text.patterns import lazy

_SOURCE_FOLDERS = ("src", "source", "app")
_SCRIPT = lazy(rb"""<script[^>]*?\ssrc=["']?((?:\./)?[\w/-]+(?:\.[\w-]+)*\.js)["'\s>]""")
_COMMENT = lazy(rb"<!--[\s\S]*?-->", needs=(b"<!--",))
_TEMPLATE = lazy(rb"%[A-Z_]{3,}%|<%", needs=(b"%",))
_INJECTING = lazy(rb'"(?:@craco/craco|@vue/cli-service|customize-cra|react-app-rewired|react-scripts)"')
_NOT_WALKED = lazy(r"\..*|node_modules|__\w+__|tests?|e2e|cypress|CVS|_darcs")
_IMPORT = lazy(
    rb"""\b(?:from|import|require)\b\s*\(?\s*["'](\.{1,2}/[^"'\n]+)["']""",
    needs=(b'"./', b'"../', b"'./", b"'../"),
)
_COMMENTS = (b"//", b"*", b"/*")
_NOT_FOLLOWED = lazy(r"(?:^|/)(?:node_modules|tests?|__\w+__|e2e)/|[.-](?:test|spec|config)\.\w+\Z")


def outer_files(
    around: Surroundings, projects: Sequence[str], manifest: Reader, own: Mapping[str, Reader]
) -> dict[str, Reader]:
    """Returns the files outside of an extension's folder that belong to it, by paths that begin with `../`.

    `projects` are the folders with a `package.json`, from its own to the root. A folder that is a project of
    its own has only imports. Sources and messages are in the folders next to any other.
    """
    folder, found = around.folder.rstrip("/"), dict[str, Reader]()
    is_project = projects[0] == folder
    with suppress(UnreadableError):
        named = [*code_named_in(manifest())]
        with suppress(UnreadableError):
            paths = () if is_project else _sources(around, named, own)
            found = {relpath(path, folder): partial(around.read, path) for path in paths}
        found |= _imports(around, named, {**own, **found})
    has_locales = any(path.startswith("_locales/") for path in own)
    if dirname(folder) in projects and not is_project and not has_locales:
        found |= {relpath(path, folder): partial(around.read, path) for path in _messages(around, folder)}
    return found


def _sources(around: Surroundings, named: Sequence[str], own: Mapping[str, Reader]) -> Sequence[str]:
    """Returns the sources next to an extension's folder.

    Empty unless a build writes to the folder and the manifest names scripts or pages that are not among its
    `own` files, or in a folder that builds copy, pages to which a build adds scripts. Empty if the folder is
    build output, unless Git ignores only the missing scripts in it. Empty if another extension owns the
    sources, or if there are too many. Folders with manifests for several browsers share them.
    """
    folder = around.folder.rstrip("/")
    project, is_copied = dirname(folder), basename(folder) in COPIED_FOLDERS
    may_have_sources = is_copied or basename(folder) in OUTPUT_FOLDERS or not any(map(is_script, own))
    if not (may_have_sources or is_named_by_build(around)):
        return ()
    siblings = [join(project, name) for name in around.folders(project) if name not in OUTPUT_FOLDERS]
    if _has_extension(around, project) or any(_may_own(around, each) for each in siblings if each != folder):
        return ()
    pages = {path: own[path]() for path in named if path in own and has_suffix(path, PAGES)}
    missing = [path for path in (*named, *_scripts_of(pages)) if path not in own]
    is_whole = not missing and not (is_copied and any(gets_scripts(around, *page) for page in pages.items()))
    is_output = not OUTPUT_FOLDERS.isdisjoint(folder.split("/"))
    if is_whole or (is_output and not _is_partly_built(around, folder, missing)):
        return ()
    found: list[str] = []
    for path in _sources_of(around, project, folder, missing):
        is_manifest = basename(path) == MANIFEST
        if len(found) >= limits.MAX_FILES or (is_manifest and names_version(around, path)):
            return ()
        if not is_manifest:
            found.append(path)
    return found


def _messages(around: Surroundings, folder: str) -> Iterator[str]:
    """Yields the files of messages in the folders next to an extension's that its build copies.

    One with an extension does not count.
    """
    for name in sorted(COPIED_FOLDERS.intersection(around.folders(dirname(folder)))):
        copied = join(dirname(folder), name)
        top = join(copied, "_locales")
        for each in () if copied == folder or _has_extension(around, copied) else around.folders(top):
            path = join(top, each, "messages.json")
            if around.has(path):
                yield path


def gets_scripts(around: Surroundings, path: str, page: bytes) -> bool:
    """Whether a build may add scripts to a page of an extension whose folder it copies.

    It may if the page has none, or is a template. Tools such as Create React App do so with `index.html`.
    """
    text = _COMMENT.sub(b"", page)
    if b"<script" not in text or _TEMPLATE.search(text) is not None:
        return True
    project = dirname(around.folder.rstrip("/"))
    config = bytes_of(around.read, join(project, PACKAGE_JSON)) if path == "index.html" else None
    return config is not None and _INJECTING.search(config) is not None


def _scripts_of(pages: Mapping[str, bytes]) -> Iterator[str]:
    """Yields the paths of the scripts that pages load by plain names."""
    for path, page in pages.items():
        for found in _SCRIPT.findall(page):
            yield normpath(join(dirname(path), found.decode()))


def _is_partly_built(around: Surroundings, folder: str, missing: Collection[str]) -> bool:
    """Whether a build adds files to a folder: Git ignores those that are missing, but not the manifest."""
    text = bytes_of(around.read, GITIGNORE)
    if not missing or not text:
        return False

    spec = parse_patterns(text)
    return not spec.match_file(join(folder, MANIFEST)) and all(
        spec.match_file(join(folder, each)) for each in missing
    )


def copied_folders(file: str) -> Iterator[str]:
    """Yields the folders on disk that projects around a file copy, and for which it may be a source."""
    for project in with_parents(os.path.dirname(file)):
        first, _, rest = below(file, project).partition("/")
        if (first in _SOURCE_FOLDERS) if rest else has_suffix(first, (*PAGES, *CODE)):
            yield from (os.path.join(project, name) for name in sorted(COPIED_FOLDERS))


def _sources_of(around: Surroundings, project: str, copied: str, missing: Collection[str]) -> Iterator[str]:
    """Yields the paths of the sources of missing files, and of manifests among them."""
    outer = (normpath(join(copied, path)) for path in missing if path.startswith("../"))
    named = (normpath(join(project, path)) for path in missing if has_suffix(path, PAGES))
    stems = {_stem(path) for path in missing}
    top = (join(project, name) for name in around.files(project) if _may_be_source(name, stems))
    yield from (path for path in (*outer, *named, *top) if around.has(path))
    inner = (join(project, name) for name in around.folders(project) if name in _SOURCE_FOLDERS)
    folders = [each for each in inner if each != copied]
    if not folders and basename(project) in _SOURCE_FOLDERS:
        folders = [project]
    while folders:
        folder = folders.pop()
        for name in around.files(folder):
            path = join(folder, name)
            if (_is_source(name) or name == MANIFEST) and around.has(path):
                yield path
        inner = (join(folder, name) for name in around.folders(folder) if not _NOT_WALKED.fullmatch(name))
        folders += [each for each in inner if each != copied]


def _may_be_source(name: str, missing_stems: Collection[str]) -> bool:
    """Whether a file at the top of a project is a page, or has the name of a missing script."""
    return has_suffix(name, PAGES) or (_is_source(name) and _stem(name) in missing_stems)


def _is_source(name: str) -> bool:
    return has_suffix(name, CODE) and not has_suffix(name, DECLARATIONS)


def _stem(path: str) -> str:
    return basename(path).partition(".")[0]


def _may_own(around: Surroundings, folder: str) -> bool:
    """Whether the extension in a folder, if any, may own sources next to it: it is not built from them."""
    if not _has_extension(around, folder):
        return False
    named = code_named_in(bytes_of(around.read, join(folder, MANIFEST)) or b"")
    return basename(folder) in _SOURCE_FOLDERS or all(
        not each.startswith("../") and around.has(join(folder, each)) for each in named
    )


def _has_extension(around: Surroundings, folder: str) -> bool:
    return names_version(around, join(folder, MANIFEST))


def _imports(around: Surroundings, named: Sequence[str], own: Mapping[str, Reader]) -> dict[str, Reader]:
    """Returns the scripts outside of an extension's folder that its `own` ones import, directly or not.

    Empty unless a build makes a script or page that the manifest names: it is missing, or is in another
    language.
    """
    folder, found = around.folder.rstrip("/"), dict[str, Reader]()
    if all(each in own and has_suffix(each, (*PAGES, *CONTENT_SCRIPTS)) for each in named):
        return found
    waiting = [
        (normpath(join(folder, path)), read)
        for path, read in own.items()
        if has_suffix(path, SCRIPTS) and not _NOT_FOLLOWED.search(path)
    ]
    for importer, read in waiting:
        for path in _imported(around, importer, read()):
            name = relpath(path, folder)
            is_new = name.startswith("../") and name not in own and name not in found
            if is_new and len(found) < limits.MAX_FILES:
                found[name] = partial(around.read, path)
                waiting.append((path, found[name]))
    return found


def _imported(around: Surroundings, importer: str, text: bytes) -> Iterator[str]:
    """Yields the paths in the project of the scripts that a script imports by relative names."""
    for each in _IMPORT.finditer(text):
        if text[text.rfind(b"\n", 0, each.start()) + 1 : each.start()].lstrip().startswith(_COMMENTS):
            continue
        path = normpath(join(dirname(importer), each[1].decode("utf-8", "replace")))
        stem, dot, suffix = path.rpartition(".")
        built = (stem + each for each in RESOLVED_TO.get(dot + suffix, ()))
        implied = (f"{path}{inner}{each}" for inner in ("", "/index") for each in IMPLIED)
        exact = (path,) if has_suffix(path, IMPLIED) else ()
        found = next((each for each in (*exact, *built, *implied) if around.has(each)), None)
        if found is not None and not has_suffix(found, DECLARATIONS) and not _NOT_FOLLOWED.search(found):
            yield found
