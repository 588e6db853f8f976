"""Files that a command of the project renames when it packs an extension with one of several manifests.

    cp manifest_v2.json build/manifest.json
    cp background_v2.js build/background.js

The `background.js` of that manifest is `background_v2.js`, even if a file of the other name exists.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from posixpath import basename, normpath
from typing import TYPE_CHECKING

from extlint.package.discovery.variants import variant_name
from extlint.package.files import MANIFEST, Package, UnreadableError
from extlint.package.suffixes import SHELL_SCRIPTS
from extlint.package.surroundings import PACKAGE_JSON
from extlint.project.resolution.project_files import ProjectFiles, folders_above, joined
from extlint.text.json.reader import read_json
from extlint.text.positions import decode

if TYPE_CHECKING:
    from extlint.project.resolution.shell_writes import FileWrite

MAX_PACKING_PROGRAMS = 50
"""Programs of one project that are searched for renamed files."""

_MAKEFILES = frozenset({"gnumakefile", "justfile", "makefile"})
_MANIFEST_WORD = b"manifest"
_UNKNOWN = "*"


def renamed_files(package: Package) -> Mapping[str, str]:
    """Returns the files of a package by the names that a command gives them next to the manifest."""
    return package.derive(_find_all_renamed)


def _find_all_renamed(package: Package) -> Mapping[str, str]:
    return dict(_find_renamed(package))


def _find_renamed(package: Package) -> Iterator[tuple[str, str]]:
    if package.packed or not package.complete:
        return
    for text in _programs(package):
        from extlint.project.resolution.shell_writes import file_writes

        yield from _renamed_by(package, [*file_writes(text)])


def _renamed_by(package: Package, writes: Sequence[FileWrite]) -> Iterator[tuple[str, str]]:
    """Yields the renamed files of one program, which copies the manifest into the same folder."""
    manifest, prefix = package.manifest_path, ProjectFiles(package).full("")
    copies = [
        (folder, name, source, chosen)
        for each in writes
        if len(each.sources) == 1 and not each.is_recursive
        for source, chosen in _own(package, prefix, _path(each, each.sources[0]), manifest)
        for folder, name in [_split(_path(each, each.target), each.target)]
    ]
    folders = {
        (folder, chosen) for folder, name, source, chosen in copies if name == MANIFEST and source == manifest
    }
    found = defaultdict[str, set[str]](set)
    for folder, name, source, chosen in copies:
        if name and {(folder, chosen), (folder, None)} & folders:
            found[name].add(source)
    for name, sources in found.items():
        own = sources if len(sources) == 1 else {each for each in sources if _is_of(each, manifest)}
        if len(own) == 1 and name not in own and name != MANIFEST:
            yield name, own.pop()


def _own(package: Package, prefix: str, source: str, manifest: str) -> Iterator[tuple[str, str | None]]:
    """Yields the file of the package that is copied, with the text that is in place of an unknown part."""
    inner = source.removeprefix(prefix)
    text = variant_name(manifest) if _UNKNOWN in inner else None
    path = inner if text is None else inner.replace(_UNKNOWN, text)
    if path in package:
        yield path, text


def _is_of(source: str, manifest: str) -> bool:
    """Whether the name of a file has the part that distinguishes the manifest from others."""
    name = variant_name(manifest)
    return name != "" and name in basename(source).lower()


def _path(write: FileWrite, path: str) -> str:
    return normpath(f"{write.within}/{path.replace(chr(92), '/')}".lstrip("/"))


def _split(target: str, written: str) -> tuple[str, str]:
    """Returns the folder and the name of a target, without a name for a folder."""
    if written.endswith(("/", ".")):
        return target, ""
    folder, _, name = target.rpartition("/")
    return folder, name


def _programs(package: Package) -> Iterator[str]:
    """Yields the shell scripts and npm scripts of the project that mention a manifest."""
    project = ProjectFiles(package)
    own = [project.full(each) for each in package.paths if _is_program(each)]
    folders = folders_above("" if package.around is None else package.around.folder.rstrip("/"))
    outer = (joined(folder, name) for folder in folders[1:] for name in project.names(folder))
    others = [each for each in outer if each is not None and _is_program(each)]
    for path in (*own, *others)[:MAX_PACKING_PROGRAMS]:
        data = _peek(package, project, path)
        if _MANIFEST_WORD in data:
            yield data.decode("utf-8", "replace")
    for folder in folders:
        path = joined(folder, PACKAGE_JSON) or PACKAGE_JSON
        data = _peek(package, project, path) if project.has(path) else b""
        config = read_json(decode(data)).root if _MANIFEST_WORD in data else None
        scripts = None if config is None else config.get("scripts")
        for _, member in () if scripts is None else scripts.members():
            if isinstance(member.node.value, str):
                yield member.node.value


def _is_program(path: str) -> bool:
    lowered = path.lower()
    return lowered.endswith(SHELL_SCRIPTS) or basename(lowered) in _MAKEFILES


def _peek(package: Package, project: ProjectFiles, path: str) -> bytes:
    """Returns the bytes of a file of the project, without counting it as examined."""
    inner = project.inner(path)
    try:
        if inner is not None:
            return package.peek(inner)
        return b"" if package.around is None else package.around.read(path)
    except UnreadableError:
        return b""
