"""Imports that a framework adds to scripts: WXT imports what the modules in some folders export, by its name.

These folders are `components`, `composables`, `hooks` and `utils`, next to `entrypoints`. A script may also
import the same names from `#imports`. https://wxt.dev/guide/essentials/config/auto-imports.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from posixpath import basename, dirname, relpath, splitext

from msgspec import Struct

from extlint.analysis.syntax.lexer import code_of
from extlint.analysis.syntax.prefilter import may_name_global, word_spans
from extlint.package.discovery.framework_entries import folders_of_wxt
from extlint.package.discovery.frameworks import CONFIGURATIONS, WXT, framework_of
from extlint.package.discovery.made_manifest import text_of, without_comments
from extlint.package.files import Package
from extlint.package.suffixes import SCRIPTS
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name

_COPIED = "public"
"""The folder whose files are copied unchanged."""

_FOLDERS = ("components", "composables", "hooks", "utils")
_OFF = lazy(r"\bimports\s*:\s*false\b")
_EXPORT = lazy(
    r"^export\s+(?:(?:async\s+)?function\b\s*\*?|(?:abstract\s+)?class|const|let|var|enum)\s+([\w$]+)"
    r"|^export\s*\{([^{}]*)\}|^export\s+(default)\b",
    re.MULTILINE,
)
_NAMED = lazy(r"(?:[\w$]+\s+as\s+)?([\w$]+)\s*")
_SEPARATOR = lazy(r"[-_.]+(.?)")
_FROM_IMPORTS = lazy(rb"\bimport\s*\{([^{}]*)\}\s*from\s*[\"']#imports[\"']", needs=(b"#imports",))
_DECLARATIONS = (
    rb"\b(?:function\b\s*\*?|class|const|let|var|enum|interface|namespace|type)\s+%b(?![\w$])"
    rb"|\b(?:const|let|var)\s*[\[{][^=;]*?(?<![\w$.])%b(?![\w$])[^=;]*?[\]}]\s*="
    rb"|\bimport\b[^;\"'()]*?(?<![\w$.])%b(?![\w$])[^;\"'()]*?\bfrom\b"
)


class AutoImports(Struct, frozen=True):
    """The modules that export names, each with the exported name.

    `is_implicit` is true if scripts may use them without an import.
    """

    modules: Mapping[str, tuple[str, str]]
    is_implicit: bool = True

    def added_to(self, text: bytes, path: str) -> bytes:
        """Returns a script's text, followed by the imports of the names that it uses and does not declare.

        What it imports from `#imports` becomes blanks, and is imported at the end, too.
        """
        if _COPIED in path.split("/"):
            return text
        added: list[bytes] = []
        for found in reversed([*_FROM_IMPORTS.finditer(text)]):
            start, end = found.span()
            names = [each.strip() for each in found[1].decode("utf-8", "replace").split(",") if each.strip()]
            added += (self._import_of(*_both_names(each), path) for each in names)
            text = b"%b%b%b" % (text[:start], _blank(text[start:end]), text[end:])
        if self.is_implicit:
            added += (self._import_of(name, name, path) for name in self._used_in(text, path))
        return b"%b\n%b" % (text, b" ".join(added)) if added else text

    def _used_in(self, text: bytes, path: str) -> Iterator[str]:
        named = {encode_name(name): name for name, (module, _) in self.modules.items() if module != path}
        spans = [*word_spans(text, named)]
        code = code_of(text) if spans else None
        plain = text if code is None else code
        used = {plain[slice(*each)] for each in spans if may_name_global(plain, each[0])}
        for word in sorted(used & named.keys()):
            quoted = re.escape(word)
            if re.search(_DECLARATIONS % (quoted, quoted, quoted), text) is None:
                yield named[word]

    def _import_of(self, name: str, local: str, path: str) -> bytes:
        module, exported = self.modules.get(name, ("#imports", name))
        source = module if module == "#imports" else f"./{relpath(module, dirname(path) or '.')}"
        return f'import {{ {exported} as {local} }} from "{source}";'.encode()


def auto_imports_of(package: Package) -> AutoImports | None:
    """Returns the imports that a framework adds to the scripts of a package, or None without any."""
    if not package.made:
        return None
    paths = frozenset(package.paths) - package.made
    if framework_of(paths, package.peek) != WXT:
        return None
    config = next((each for each in CONFIGURATIONS if each in paths), None)
    text = "" if config is None else without_comments(text_of(package.peek, config))
    source = folders_of_wxt(text).get("srcDir", "")
    modules: dict[str, dict[str, str]] = {}
    for path in (each for each in sorted(paths) if _is_scanned(each, source)):
        for name, exported in _exports(path, text_of(package.peek, path)):
            modules.setdefault(name, {}).setdefault(path, exported)
    unique = {name: next(iter(found.items())) for name, found in modules.items() if len(found) == 1}
    return AutoImports(unique, _OFF.search(text) is None) if unique else None


def _is_scanned(path: str, source: str) -> bool:
    """Whether WXT reads the exports of a module: one in such a folder, or an index in a folder there."""
    inner = path.removeprefix(f"{source}/") if source else path
    folder, _, rest = inner.partition("/")
    stem, suffix = splitext(rest)
    is_there = (inner != path or not source) and folder in _FOLDERS and suffix in SCRIPTS
    return is_there and not stem.endswith(".d") and ("/" not in stem or stem.partition("/")[2] == "index")


def _exports(path: str, text: str) -> Iterator[tuple[str, str]]:
    """Yields the names by which scripts use the exports of a module, with the exported names."""
    for declared, listed, default in _EXPORT.findall(text):
        if declared:
            yield declared, declared
        elif default:
            stem = splitext(basename(path))[0]
            name = basename(dirname(path)) if stem == "index" else stem
            yield _SEPARATOR.sub(lambda found: found[1].upper(), name), "default"
        for each in listed.split(","):
            found = _NAMED.fullmatch(each.strip())
            if found is not None:
                yield found[1], found[1]


def _both_names(specifier: str) -> tuple[str, str]:
    """Returns the imported and the local name in a part of an import."""
    name, _, local = specifier.removeprefix("type ").partition(" as ")
    return name.strip(), local.strip() or name.strip()


def _blank(text: bytes) -> bytes:
    return re.sub(rb"[^\r\n]", b" ", text)
