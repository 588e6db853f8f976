"""Which scripts an extension has, where each of them runs, and which files are named."""

from __future__ import annotations

import re
from collections.abc import Iterator

from extlint.contexts.builder import COMPONENTS, PAGES, Layout, LayoutBuilder
from extlint.contexts.graph import FactsOf, follow_loads
from extlint.contexts.manifest_names import ManifestName, Use, manifest_names
from extlint.contexts.model import Context, ContextKind
from extlint.contexts.names import fits
from extlint.manifest.manifest import Manifest
from extlint.package.files import Package

MAX_SANDBOX_PATTERNS = 50
"""How many patterns of `sandbox.pages` are followed."""

MAX_STARS = 10
"""A pattern with more `*` is not followed."""

_SCRIPT = re.compile(r".*(?:\.[cm]?js|\.[jt]sx|(?<!\.d)\.[cm]?ts)", re.IGNORECASE | re.DOTALL)
_JAVASCRIPT = (".js", ".mjs", ".cjs")


def lay_out(package: Package, manifest: Manifest, facts_of: FactsOf | None = None) -> Layout:
    """Follows a manifest to its scripts, and to its pages and their scripts.

    With `facts_of`, which tells what a script does, it goes on to the scripts and pages that those
    load in turn.

    A name that differs from a file in letter case alone is as good as right here. Never raises,
    whatever the manifest and the pages hold; files that cannot be read are taken as empty.
    """
    builder = LayoutBuilder(package, manifest)
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
    builder.sandboxed = frozenset(path for path, kinds in pages.items() if ContextKind.SANDBOX in kinds)
    for path, kinds in pages.items():
        builder.look_into(path, [Context(kind, path) for kind in kinds])
    if facts_of is not None:
        follow_loads(builder, facts_of)
    for path in package.paths:
        if path.lower().endswith((*PAGES, *COMPONENTS)) and path not in pages:
            builder.look_into(path, [])
        elif _SCRIPT.fullmatch(path):
            builder.place((path, None), [], _is_module_by_suffix(path))
    return builder.layout()


def _sandboxed_by_pattern(package: Package, manifest: Manifest) -> Iterator[str]:
    """The pages that a pattern of `sandbox.pages` covers: Chromium allows `*` in them."""
    names = [name.lstrip("/") for name, _ in manifest.strings("sandbox", "pages")]
    patterns = [name for name in names if 1 <= name.count("*") <= MAX_STARS][:MAX_SANDBOX_PATTERNS]
    for path in package.paths if patterns else ():
        if path.lower().endswith(PAGES) and any(fits(path, pattern) for pattern in patterns):
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
