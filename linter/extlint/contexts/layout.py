"""Which scripts an extension has, where each of them runs, and which files are named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct

from extlint.contexts.manifest_names import ManifestName, Use, manifest_names
from extlint.contexts.model import Context, ContextKind, NamedFile
from extlint.contexts.names import fits, folder_of, is_placeholder, paths_of
from extlint.contexts.pages import scan_page
from extlint.manifest.manifest import Manifest
from extlint.package.files import Package, UnreadableError
from extlint.text import Span, TextIndex, decode
from extlint.values import ByteSpan

MAX_PAGES = 2000
"""How many pages are looked into."""

MAX_PAGE_BYTES = 4 * 1024 * 1024
"""A larger page is not looked into."""

MAX_SANDBOX_PATTERNS = 50
"""How many patterns of `sandbox.pages` are followed."""

MAX_STARS = 10
"""A pattern with more `*` is not followed."""

_SCRIPT = re.compile(r".*(?:\.[cm]?js|\.[jt]sx|(?<!\.d)\.[cm]?ts)", re.IGNORECASE | re.DOTALL)
_JAVASCRIPT = (".js", ".mjs", ".cjs")
_PAGE = (".html", ".htm", ".xhtml", ".xht")
_XHTML = (".xhtml", ".xht")
_LOCALE = re.compile(r"[A-Za-z0-9]+(?:[_@-][A-Za-z0-9]+)*")

_Place: TypeAlias = tuple[str, ByteSpan | None]


class LaidOutScript(Struct, frozen=True):
    """A script file, or the inline script of a page that has the byte range `body`.

    In a page in UTF-16 the range is that of its text as UTF-8. `contexts` is empty for a script that
    nothing is known to load. `is_module` is None where that is not known.
    """

    path: str
    body: ByteSpan | None
    contexts: tuple[Context, ...]
    is_module: bool | None


class Layout(Struct, frozen=True):
    """All scripts of an extension, and every name of a file.

    Scripts come in the order in which they load, then those that nothing loads by path.
    """

    scripts: tuple[LaidOutScript, ...]
    named_files: tuple[NamedFile, ...]


def lay_out(package: Package, manifest: Manifest) -> Layout:
    """Follows a manifest to its scripts, and to its pages and their scripts.

    A name that differs from a file in letter case alone is as good as right here. Never raises,
    whatever the manifest and the pages hold; files that cannot be read are taken as empty.
    """
    builder = _Builder(package, manifest)
    pages: dict[str, dict[ContextKind, None]] = {}
    for name in manifest_names(manifest):
        path = builder.file_of(name.name, manifest.span(name.node.span), manifest.path, "")
        if path is None or name.kind is None:
            continue
        if name.use is Use.SCRIPT:
            via = f"{manifest.path}#{name.pointer}"
            builder.place((path, None), [Context(name.kind, via)], _is_module(manifest, name, path))
        elif not _SCRIPT.fullmatch(path):
            pages.setdefault(path, {})[name.kind] = None
    for path in _sandboxed_by_pattern(package, manifest):
        pages.setdefault(path, {})[ContextKind.SANDBOX] = None
    builder.name_locale()
    for path, kinds in pages.items():
        page_kinds = [ContextKind.SANDBOX] if ContextKind.SANDBOX in kinds else kinds
        builder.look_into(path, [Context(kind, path) for kind in page_kinds])
    for path in package.paths:
        if path.lower().endswith(_PAGE) and path not in pages:
            builder.look_into(path, [])
        elif _SCRIPT.fullmatch(path):
            builder.place((path, None), [], _is_module_by_suffix(path))
    return builder.layout()


class _Builder:
    def __init__(self, package: Package, manifest: Manifest) -> None:
        self.package = package
        self.manifest = manifest
        self.contexts: dict[_Place, dict[Context, None]] = {}
        self.modules: dict[_Place, bool | None] = {}
        self.named: list[NamedFile] = []
        self.pages_left = MAX_PAGES

    def layout(self) -> Layout:
        reached = [place for place, contexts in self.contexts.items() if contexts]
        unreached = [place for place, contexts in self.contexts.items() if not contexts]
        unreached.sort(key=lambda place: (place[0], place[1] or ()))
        scripts = (
            LaidOutScript(*place, tuple(self.contexts[place]), self.modules[place])
            for place in (*reached, *unreached)
        )
        return Layout(tuple(scripts), tuple(self.named))

    def place(self, place: _Place, contexts: Iterable[Context], is_module: bool | None) -> None:
        """Notes that a script runs in these contexts. What it is, the first who loads it says."""
        known = place in self.contexts
        self.contexts.setdefault(place, {}).update(dict.fromkeys(contexts))
        if not known:
            self.modules[place] = is_module
        elif contexts and self.modules[place] != is_module:
            self.modules[place] = None

    def file_of(self, name: str, span: Span, source: str, folder: str | None) -> str | None:
        """The file that a name means, if the package has it. The name is noted if it is a file's."""
        paths = paths_of(name, folder)
        found = next((path for path in paths if path in self.package), None)
        if not paths or (found is None and is_placeholder(name)):
            return None
        self.named.append(NamedFile(name, found or paths[0], source, span))
        return found or self.package.other_case(paths[0])

    def name_locale(self) -> None:
        """Notes the messages that `default_locale` names; Firefox takes `-` and `_` as one."""
        found = self.manifest.get("default_locale")
        if found is None or not isinstance(found.value, str) or not _LOCALE.fullmatch(found.value):
            return
        locales = (found.value, found.value.replace("-", "_"), found.value.replace("_", "-"))
        paths = [f"_locales/{locale}/messages.json" for locale in locales]
        path = next((path for path in paths if path in self.package), paths[0])
        self.named.append(NamedFile(found.value, path, self.manifest.path, self.manifest.span(found.span)))

    def look_into(self, path: str, contexts: list[Context]) -> None:
        """Places the scripts of a page, which runs in these contexts; none if nothing loads it."""
        data = self.read_page(path)
        index = TextIndex(data)
        for script in scan_page(data, xml=path.lower().endswith(_XHTML)):
            if script.kind == "other":
                continue
            is_module = script.kind == "module"
            if script.body and data[slice(*script.body)].strip():
                self.place((path, script.body), contexts, is_module)
            elif contexts and script.src is not None and script.src_span is not None:
                folder = folder_of(path, script.base)
                file = self.file_of(script.src, index.span(*script.src_span), path, folder)
                if file is not None:
                    self.place((file, None), contexts, is_module)

    def read_page(self, path: str) -> bytes:
        if self.pages_left <= 0:
            return b""
        self.pages_left -= 1
        try:
            data = self.package.read(path)
        except UnreadableError:
            return b""
        return decode(data) if len(data) <= MAX_PAGE_BYTES else b""


def _sandboxed_by_pattern(package: Package, manifest: Manifest) -> Iterator[str]:
    """The pages that a pattern of `sandbox.pages` covers: Chromium allows `*` in them."""
    names = [name.lstrip("/") for name, _ in manifest.strings("sandbox", "pages")]
    patterns = [name for name in names if 1 <= name.count("*") <= MAX_STARS][:MAX_SANDBOX_PATTERNS]
    for path in package.paths if patterns else ():
        if path.lower().endswith(_PAGE) and any(fits(path, pattern) for pattern in patterns):
            yield path


def _is_module(manifest: Manifest, name: ManifestName, path: str) -> bool | None:
    if not path.lower().endswith(_JAVASCRIPT):
        return None
    kind = manifest.get("background", "type")
    return name.pointer.startswith("/background/") and kind is not None and kind.value == "module"


def _is_module_by_suffix(path: str) -> bool | None:
    lowered = path.lower()
    if lowered.endswith((".mjs", ".mts")):
        return True
    return False if lowered.endswith((".cjs", ".cts")) else None
