"""Finds the scripts outside of an extension's folder that those in it import: `import "../../src/start"`.

A bundler includes them. Browsers cannot load them, so only projects with a `package.json` may have them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from posixpath import dirname, join, normpath, relpath

from extlint.package import limits
from extlint.package.discovery.manifest_folders import code_named_in
from extlint.package.files import Reader, Surroundings, UnreadableError
from extlint.package.suffixes import (
    CONTENT_SCRIPTS,
    DECLARATIONS,
    IMPLIED,
    RESOLVED_TO,
    SCRIPTS,
    has_suffix,
    is_page,
)
from extlint.text.patterns import lazy

_IMPORT = lazy(
    rb"""\b(?:from|import|require)\b\s*\(?\s*["'](\.{1,2}/[^"'\n]+)["']""",
    needs=(b'"./', b'"../', b"'./", b"'../"),
)
_COMMENT = (b"//", b"*", b"/*")
_NOT_FOLLOWED = lazy(r"(?:^|/)(?:node_modules|tests?|__\w+__|e2e)/|[.-](?:test|spec|config)\.\w+\Z")


def outer_imports(around: Surroundings, manifest: Reader, own: Mapping[str, Reader]) -> Mapping[str, Reader]:
    """Returns the scripts outside of an extension's folder that its `own` ones import, directly or not.

    Their paths begin with `../`. Empty unless a build makes a script or page that the manifest names: it is
    missing, or is in another language.
    """
    folder = around.folder.rstrip("/")
    try:
        named = [*code_named_in(manifest())]
        is_built = any(
            each not in own or not (is_page(each) or has_suffix(each, CONTENT_SCRIPTS)) for each in named
        )
        if not is_built:
            return {}
        found: dict[str, Reader] = {}
        waiting = [
            (normpath(join(folder, path)), read)
            for path, read in own.items()
            if has_suffix(path, SCRIPTS) and not _NOT_FOLLOWED.search(path)
        ]
        for importer, read in waiting:
            for path in _imported(around, importer, read()):
                name = relpath(path, folder)
                if (
                    name.startswith("../")
                    and name not in own
                    and name not in found
                    and len(found) < limits.MAX_FILES
                ):
                    found[name] = partial(around.read, path)
                    waiting.append((path, found[name]))
    except UnreadableError:
        return {}
    return found


def _imported(around: Surroundings, importer: str, text: bytes) -> Iterator[str]:
    """Yields the paths in the project of the scripts that a script imports by relative names."""
    for each in _IMPORT.finditer(text):
        if text[text.rfind(b"\n", 0, each.start()) + 1 : each.start()].lstrip().startswith(_COMMENT):
            continue
        path = normpath(join(dirname(importer), each[1].decode("utf-8", "replace")))
        stem, dot, suffix = path.rpartition(".")
        built = (stem + each for each in RESOLVED_TO.get(dot + suffix, ()))
        implied = (f"{path}{inner}{each}" for inner in ("", "/index") for each in IMPLIED)
        exact = (path,) if has_suffix(path, IMPLIED) else ()
        found = next((each for each in (*exact, *built, *implied) if around.has(each)), None)
        if found is not None and not has_suffix(found, DECLARATIONS) and not _NOT_FOLLOWED.search(found):
            yield found
