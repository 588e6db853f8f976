"""Files that a command of the project renames when it packs an extension with one of several manifests.

    cp manifest_v2.json build/manifest.json
    cp background_v2.js build/background.js

The `background.js` of that manifest is `background_v2.js`, even if a file of the other name exists. There is
one question: does a program mention both files, whose names have the same part, here `v2`?
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from posixpath import basename, dirname

from extlint.package.discovery.variants import variant_name
from extlint.package.files import Package, bytes_of
from extlint.package.suffixes import SHELL_SCRIPTS, has_suffix
from extlint.package.surroundings import PACKAGE_JSON
from extlint.project.resolution.project_files import ProjectFiles, folders_above, joined
from extlint.queries.query import cached_method
from extlint.text.patterns import lazy

MAX_PACKING_PROGRAMS = 50
"""Programs of one project that are searched for renamed files."""

_COMMENT = lazy(r"(?m)^\s*#.*")
_OTHERS = frozenset({"gnumakefile", "justfile", "makefile", PACKAGE_JSON})


@cached_method
def renamed_files(package: Package) -> Mapping[str, str]:
    """Returns the files of a package by the names that a command gives them next to the manifest."""
    return dict(_find_renamed(package))


def _find_renamed(package: Package) -> Iterator[tuple[str, str]]:
    manifest = package.manifest_path
    variant = variant_name(manifest)
    if package.packed or not package.complete or not variant:
        return
    known = package.peek(manifest).lower()
    texts = [each for each in _programs(package) if _mentions(each, basename(manifest), variant)]
    for path in package.paths if texts else ():
        name = basename(path)
        plain = re.sub(rf"(?i)[._-]?{re.escape(variant)}", "", name)
        is_other = plain != name and path != manifest and name.lower().encode() not in known
        if is_other and any(_mentions(each, name, variant) for each in texts):
            yield f"{dirname(path)}/{plain}".lstrip("/"), path


def _mentions(text: str, name: str, variant: str) -> bool:
    """Whether a text contains the name of a file, perhaps with a variable in place of the variant."""
    parts = map(re.escape, name.lower().split(variant))
    pattern = rf"(?:{re.escape(variant)}|\$\{{?\w+\}}?)".join(parts)
    return re.search(rf"(?<![\w.-]){pattern}(?![\w.-])", text) is not None


def _programs(package: Package) -> Iterator[str]:
    """Yields the shell scripts, Makefiles and npm scripts of the project in lower case, without comments."""
    project = ProjectFiles(package)
    folders = folders_above("" if package.around is None else package.around.folder.rstrip("/"))
    outer = (joined(folder, name) for folder in folders[1:] for name in project.names(folder))
    paths = (each for each in (*map(project.full, package.paths), *outer) if each is not None)
    programs = (
        each for each in paths if has_suffix(each, SHELL_SCRIPTS) or basename(each).lower() in _OTHERS
    )
    for path in islice(programs, MAX_PACKING_PROGRAMS):
        yield _COMMENT.sub("", _peek(package, project, path).decode("utf-8", "replace").lower())


def _peek(package: Package, project: ProjectFiles, path: str) -> bytes:
    """Returns the bytes of a file of the project, without counting it as examined."""
    inner = project.inner(path)
    if inner is not None:
        return bytes_of(package.peek, inner) or b""
    return b"" if package.around is None else bytes_of(package.around.read, path) or b""
