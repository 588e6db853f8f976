"""Finds files in languages that browsers cannot read, which must be built first."""

from __future__ import annotations

from msgspec import Struct

from extlint.package.suffixes import COMPONENT_LANGUAGES, SCRIPT_LANGUAGES, STYLE_LANGUAGES, suffix_of
from extlint.text.patterns import lazy
from extlint.text.positions import decode

MAX_SOURCE_BYTES = 1024 * 1024
"""The maximum size in bytes of a file that is checked."""

_ONLY_IN_SOURCES = frozenset(
    {
        *("abstract_class_declaration", "accessibility_modifier", "ambient_declaration", "as_expression"),
        *("enum_declaration", "export_statement", "import_statement", "interface_declaration"),
        *("non_null_expression", "satisfies_expression", "type_alias_declaration", "type_annotation"),
        *("type_arguments", "type_parameters"),
    }
)
"""Syntax that browsers do not run, or only in modules."""

_ONLY_IN_SASS = lazy(
    rb"(?m)^[ \t]*(?:\$[\w-]+[ \t]*:|//|&[-_]\w"
    rb"|@(?:each|extend|for|forward|function|if|include|mixin|use)\b)|#\{"
)
_ONLY_IN_LESS = lazy(rb"(?m)^[ \t]*(?:@[\w-]+[ \t]*:|//|[.#][\w-]+\([^)\n]*\)[ \t]*;)|@\{")


class SourceLanguage(Struct, frozen=True):
    """The language of a source file, and the suffix of the file that is built from it."""

    language: str
    built: str


def source_language_of(path: str, data: bytes) -> SourceLanguage | None:
    """Returns the language of a file that a browser cannot use unless it is built.

    Returns None if that is uncertain.

    Chromium 156 runs a classic script of any name, so the suffix proves nothing by itself.
    """
    suffix = suffix_of(path)
    if len(data) > MAX_SOURCE_BYTES or b"\0" in data[:1000]:
        return None
    text = decode(data)
    if suffix in SCRIPT_LANGUAGES:
        return SourceLanguage(SCRIPT_LANGUAGES[suffix], ".js") if _is_not_classic_script(path, text) else None
    if suffix in COMPONENT_LANGUAGES:
        return SourceLanguage(COMPONENT_LANGUAGES[suffix], ".js") if text.lstrip().startswith(b"<") else None
    if suffix in STYLE_LANGUAGES:
        found = suffix == ".sass" or (_ONLY_IN_SASS if suffix == ".scss" else _ONLY_IN_LESS).search(text)
        return SourceLanguage(STYLE_LANGUAGES[suffix], ".css") if found else None
    return None


def _is_not_classic_script(path: str, text: bytes) -> bool:
    """Whether a program has syntax that no browser accepts in a classic script."""
    from extlint.analysis.syntax.parse import grammar_of, parse

    parsed = parse(text, grammar_of(path))
    if parsed is None or parsed.root_node.has_error:
        return False
    waiting = [parsed.root_node]
    while waiting:
        node = waiting.pop()
        if node.type in _ONLY_IN_SOURCES or node.type.startswith("jsx_"):
            return True
        waiting += node.children
    return False
