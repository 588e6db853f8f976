"""The files of a package that an editor offers where a name of a file belongs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from posixpath import relpath

from extlint.package.references import folder_of
from extlint.package.suffixes import (
    COMPILED_MODULES,
    COMPONENTS,
    FONTS,
    JAVASCRIPT,
    MEDIA,
    SHOWN_IMAGES,
    STYLES,
    TYPED,
    has_suffix,
    is_component,
    is_page,
    is_script,
    suffix_of,
)
from extlint.project.build_tools import is_test_path
from extlint.project.output_folders import IgnoredFiles
from extlint.services.editor.documents.document import Document, is_messages
from extlint.services.editor.documents.text_cursor import Completion
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

MAX_FILES = 300
"""The maximum number of files that are offered with their paths; of more, one folder at a time."""

_OF_TOOLS = lazy(
    r"(?:^|/)(?:\.[^/]*|node_modules|[^/]*\.config\.\w+|package(?:-lock)?\.json|tsconfig[^/]*\.json"
    r"|[^/]*\.(?:lock|map|md|d\.ts))(?:/|\Z)"
)
_PARENTS = lazy(r"(?:\.{0,2}/)*")
_OF_OTHERS = lazy(r"[A-Za-z][A-Za-z0-9+.-]*:|//|#")


class FileKind(Enum):
    """The kind of file that belongs somewhere. Its value is the word for it."""

    SCRIPT = "script"
    MODULE = "module"
    STYLE = "style sheet"
    IMAGE = "image"
    ICON = "icon"
    ASSET = "asset"
    MEDIA = "media"
    PAGE = "page"
    JSON = "JSON"
    DICTIONARY = "dictionary"
    ANY = "file"


_FITS: dict[FileKind, Callable[[str], bool]] = {
    FileKind.SCRIPT: lambda path: suffix_of(path) in JAVASCRIPT,
    FileKind.MODULE: lambda path: is_script(path) or suffix_of(path) in COMPONENTS,
    FileKind.STYLE: lambda path: suffix_of(path) == ".css",
    FileKind.IMAGE: lambda path: suffix_of(path) in SHOWN_IMAGES,
    FileKind.ICON: lambda path: suffix_of(path) in SHOWN_IMAGES,
    FileKind.ASSET: lambda path: suffix_of(path) in {*SHOWN_IMAGES, *FONTS},
    FileKind.MEDIA: lambda path: suffix_of(path) in MEDIA,
    FileKind.PAGE: is_page,
    FileKind.JSON: lambda path: suffix_of(path) == ".json",
    FileKind.DICTIONARY: lambda path: suffix_of(path) == ".dic",
    FileKind.ANY: lambda _: True,
}
_SOURCES: dict[FileKind, Callable[[str], bool]] = {
    FileKind.SCRIPT: lambda path: is_script(path) or is_component(path),
    FileKind.STYLE: lambda path: suffix_of(path) in STYLES,
}
"""The same where a build compiles the named files."""


class Place(Enum):
    """The notation of the paths at some place."""

    ROOT = "from the root of the package"
    SLASH = "from the root of the package, with a slash"
    FOLDER = "from a folder"
    MODULE = "from a folder, and starting with a dot"


def file_items(
    document: Document,
    span: ByteSpan,
    kind: FileKind,
    place: Place = Place.ROOT,
    *,
    folder: str | None = None,
    quote: Callable[[str], str] = str,
    without: frozenset[str] = frozenset(),
    is_without_svg: bool = False,
) -> Iterator[Completion]:
    """Yields the files of a kind that may replace a byte range of the document.

    `folder` is the one that paths are relative to, the document's own by default. `quote` writes a path as
    it is written there. Files whose names are among `without` are left out.
    """
    start, end = document.index.span(*span)
    typed = document.data[slice(*span)].decode("utf-8", "replace").strip("\"'")
    if start.line != end.line or _OF_OTHERS.match(typed):
        return
    own = (folder_of(document.path) or "") if folder is None else folder
    is_absolute = place is Place.SLASH or (typed.startswith("/") and place is not Place.MODULE)
    found: dict[str, str] = {}
    for path in _fitting(document, kind):
        name = path if place in (Place.ROOT, Place.SLASH) else relpath(path, own or ".")
        if place is Place.MODULE:
            name = _module_name(name, document.path)
        if is_absolute:
            name = f"/{path}"
        elif typed.startswith("./") and not name.startswith("."):
            name = f"./{name}"
        if name not in without and not (is_without_svg and suffix_of(path) == ".svg"):
            found.setdefault(name, path)
    if len(found) > MAX_FILES:
        found = _in_folder(found, typed)
    for name, path in found.items():
        is_folder = name.endswith("/")
        label = name if typed.startswith("/") else name.removeprefix("/")
        yield Completion(
            label,
            "folder" if is_folder else "file",
            "" if label == path or is_folder else path,
            "",
            start,
            end,
            quote(name),
            sort=_order(name, is_folder=is_folder),
        )


def _order(name: str, *, is_folder: bool) -> str:
    """Returns the key by which names are sorted: those in outer folders come later, folders last."""
    return f"{'2' if is_folder else '1' if name.startswith('../') else '0'}{name}"


def _in_folder(names: dict[str, str], typed: str) -> dict[str, str]:
    """Returns the names in the folder that is typed, and the folders in it, which end in a slash."""
    folder = typed[: typed.rfind("/") + 1]
    found: dict[str, str] = {}
    for name, path in names.items():
        steps = _PARENTS.match(name, len(folder)) if name.startswith(folder) else None
        if steps is not None:
            first, slash, _ = name[steps.end() :].partition("/")
            found.setdefault(f"{name[: steps.end()]}{first}{slash}", path)
    return found


def _module_name(name: str, importer: str) -> str:
    """Returns the name in an import of a module with a relative path."""
    if has_suffix(importer, TYPED) or is_component(importer):
        for suffix in COMPILED_MODULES:
            name = name.removesuffix(suffix)
    return name if name.startswith("../") else f"./{name}"


def _fitting(document: Document, kind: FileKind) -> Iterator[str]:
    """Yields the files of a kind, without those of tools and tests, and those that Git ignores."""
    package = document.package
    fits = _FITS[kind]
    if kind in _SOURCES and document.names_sources:
        fits = _SOURCES[kind]
    ignored = IgnoredFiles(package)
    hidden = {package.manifest_path, *package.variants, document.path}
    for path in package.paths:
        if not fits(path) or path in hidden or path.startswith("../") or is_messages(path):
            continue
        if not _OF_TOOLS.search(path) and not is_test_path(path) and not ignored.has(path):
            yield path
