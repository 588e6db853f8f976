"""Finds the sources of an extension whose folder a build copies, in the folder next to it.

Vite, Angular and similar tools copy `public` unchanged, and bundle scripts from `src` under the names in the
manifest.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from posixpath import basename, dirname, join, normpath, relpath

from extlint.package import limits
from extlint.package.discovery.manifest_folders import code_named_in
from extlint.package.disk import below, with_parents
from extlint.package.files import MANIFEST, Reader, Surroundings, UnreadableError
from extlint.package.sniff import names_manifest_version
from extlint.package.suffixes import CODE, DECLARATIONS, PAGES, has_suffix
from extlint.package.surroundings import COPIED_FOLDERS, GITIGNORE, OUTPUT_FOLDERS, PACKAGE_JSON
from extlint.text.patterns import lazy

_SOURCE_FOLDERS = ("src", "source", "app")
_SCRIPT = lazy(rb"""<script[^>]*?\ssrc=["']?((?:\./)?[\w/-]+(?:\.[\w-]+)*\.js)["'\s>]""")
_COMMENT = lazy(rb"<!--[\s\S]*?-->", needs=(b"<!--",))
_TEMPLATE = lazy(rb"%[A-Z_]{3,}%|<%", needs=(b"%",))
_INJECTING = lazy(rb'"(?:@craco/craco|@vue/cli-service|customize-cra|react-app-rewired|react-scripts)"')
_NOT_WALKED = lazy(r"\..*|node_modules|__\w+__|tests?|e2e|cypress|CVS|_darcs")


def outer_sources(around: Surroundings, manifest: Reader, own: Mapping[str, Reader]) -> Mapping[str, Reader]:
    """Returns the sources outside of an extension's folder, by paths that begin with `../`.

    Empty unless the manifest names scripts or pages that are not among its `own` files, or in a folder that
    builds copy, pages to which a build adds scripts. Empty if the folder is a project of its
    own, or is build output, unless Git ignores only the missing scripts in it. Empty if another extension
    owns the sources, or if there are too many. Folders with manifests for several browsers share them.
    """
    folder = around.folder.rstrip("/")
    if not folder or _has_project(around, folder):
        return {}
    project = dirname(folder)
    if not any(_has_project(around, each) for each in with_parents(project)):
        return {}
    siblings = [join(project, name) for name in around.folders(project) if name not in OUTPUT_FOLDERS]
    if _has_extension(around, project) or any(_may_own(around, each) for each in siblings if each != folder):
        return {}
    try:
        named = [*code_named_in(manifest())]
        pages = {path: own[path]() for path in named if path in own and has_suffix(path, PAGES)}
        missing = [path for path in (*named, *_scripts_of(pages)) if path not in own]
        is_copied = basename(folder) in COPIED_FOLDERS
        is_whole = not missing and not (
            is_copied and any(gets_scripts(around, *page) for page in pages.items())
        )
        is_output = not OUTPUT_FOLDERS.isdisjoint(folder.split("/"))
        is_whole = is_whole or (is_output and not _is_partly_built(around, folder, missing))
    except UnreadableError:
        return {}
    if is_whole:
        return {}
    found: dict[str, Reader] = {}
    for path in _sources(around, project, folder, missing):
        is_manifest = basename(path) == MANIFEST
        if len(found) >= limits.MAX_FILES or (is_manifest and names_manifest_version(_text(around, path))):
            return {}
        if not is_manifest:
            found[relpath(path, folder)] = partial(around.read, path)
    return found


def outer_locales(around: Surroundings) -> Mapping[str, Reader]:
    """Returns the files of messages in the folder next to an extension's that its build copies.

    Empty if the extension's folder is a project of its own, or the other one has an extension.
    """
    folder = around.folder.rstrip("/")
    project = dirname(folder)
    if _has_project(around, folder) or not _has_project(around, project):
        return {}
    found: dict[str, Reader] = {}
    for copied in (join(project, name) for name in sorted(COPIED_FOLDERS)):
        top = join(copied, "_locales")
        for name in () if copied == folder or _has_extension(around, copied) else around.folders(top):
            path = join(top, name, "messages.json")
            if around.has(path):
                found[relpath(path, folder)] = partial(around.read, path)
    return found


def gets_scripts(around: Surroundings, path: str, page: bytes) -> bool:
    """Whether a build may add scripts to a page of an extension whose folder it copies.

    It may if the page has none, or is a template. Tools such as Create React App do so with `index.html`.
    """
    text = _COMMENT.sub(b"", page)
    if b"<script" not in text or _TEMPLATE.search(text) is not None:
        return True
    project = dirname(around.folder.rstrip("/"))
    return path == "index.html" and _INJECTING.search(_text(around, join(project, PACKAGE_JSON))) is not None


def _scripts_of(pages: Mapping[str, bytes]) -> Iterator[str]:
    """Yields the paths of the scripts that pages load by plain names."""
    for path, page in pages.items():
        for found in _SCRIPT.findall(page):
            yield normpath(join(dirname(path), found.decode()))


def _is_partly_built(around: Surroundings, folder: str, missing: Collection[str]) -> bool:
    """Whether a build adds files to a folder: Git ignores those that are missing, but not the manifest."""
    text = _text(around, GITIGNORE) if around.has(GITIGNORE) else b""
    if not missing or not text:
        return False
    from extlint.package.git_ignore import parse_patterns

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


def _sources(around: Surroundings, project: str, copied: str, missing: Collection[str]) -> Iterator[str]:
    """Yields the paths of the sources, and of manifests among them."""
    outer = (normpath(join(copied, path)) for path in missing if path.startswith("../"))
    yield from (path for path in outer if around.has(path))
    named = (normpath(join(project, path)) for path in missing if has_suffix(path, PAGES))
    yield from (path for path in named if around.has(path))
    stems = {_stem(path) for path in missing}
    top = [join(project, name) for name in around.files(project) if _may_be_source(name, stems)]
    yield from (path for path in top if around.has(path))
    inner = (join(project, name) for name in around.folders(project) if name in _SOURCE_FOLDERS)
    folders = [each for each in inner if each != copied]
    if not folders and basename(project) in _SOURCE_FOLDERS:
        folders = [project]
    while folders:
        folder = folders.pop()
        for name in around.files(folder):
            is_source = has_suffix(name, CODE) and not has_suffix(name, DECLARATIONS)
            path = join(folder, name)
            if (is_source or name == MANIFEST) and around.has(path):
                yield path
        inner = (join(folder, name) for name in around.folders(folder) if not _NOT_WALKED.fullmatch(name))
        folders += [each for each in inner if each != copied]


def _may_be_source(name: str, missing_stems: Collection[str]) -> bool:
    """Whether a file at the top of a project is a page, or has the name of a missing script."""
    is_script = has_suffix(name, CODE) and not has_suffix(name, DECLARATIONS)
    return has_suffix(name, PAGES) or (is_script and _stem(name) in missing_stems)


def _stem(path: str) -> str:
    return basename(path).partition(".")[0]


def _has_project(around: Surroundings, folder: str) -> bool:
    return around.has(join(folder, PACKAGE_JSON))


def _may_own(around: Surroundings, folder: str) -> bool:
    """Whether the extension in a folder, if any, may own sources next to it: it is not built from them."""
    if not _has_extension(around, folder):
        return False
    named = code_named_in(_text(around, join(folder, MANIFEST)))
    return basename(folder) in _SOURCE_FOLDERS or all(
        not each.startswith("../") and around.has(join(folder, each)) for each in named
    )


def _has_extension(around: Surroundings, folder: str) -> bool:
    path = join(folder, MANIFEST)
    return around.has(path) and names_manifest_version(_text(around, path))


def _text(around: Surroundings, path: str) -> bytes:
    try:
        return around.read(path)
    except UnreadableError:
        return b""
