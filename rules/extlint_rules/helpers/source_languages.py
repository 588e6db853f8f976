"""Files in languages that browsers do not read, from which builds make those that they do."""

from __future__ import annotations

from msgspec import Struct

from extlint.package.suffixes import COMPONENT_LANGUAGES, SCRIPT_LANGUAGES, STYLE_LANGUAGES, suffix_of
from extlint.text.patterns import lazy
from extlint.text.positions import decode

MAX_SOURCE_BYTES = 1024 * 1024
"""Bytes; a longer file is not judged."""

_ONLY_IN_SOURCES = frozenset(
    {
        *("abstract_class_declaration", "accessibility_modifier", "ambient_declaration", "as_expression"),
        *("enum_declaration", "export_statement", "import_statement", "interface_declaration"),
        *("non_null_expression", "satisfies_expression", "type_alias_declaration", "type_annotation"),
        *("type_arguments", "type_parameters"),
    }
)
"""What programs have that browsers do not run, or not as scripts that are no modules."""

_ONLY_IN_SASS = lazy(
    rb"(?m)^[ \t]*(?:\$[\w-]+[ \t]*:|//|&[-_]\w"
    rb"|@(?:each|extend|for|forward|function|if|include|mixin|use)\b)|#\{"
)
_ONLY_IN_LESS = lazy(rb"(?m)^[ \t]*(?:@[\w-]+[ \t]*:|//|[.#][\w-]+\([^)\n]*\)[ \t]*;)|@\{")


class Source(Struct, frozen=True):
    """What a source file is: its language, and the suffix of what is built from it."""

    language: str
    built: str


def source_of(path: str, data: bytes) -> Source | None:
    """What a file is in whose stead a browser needs what is built from it; None if that is not certain.

    Chromium 156 runs a script by any name that is no module, so that its name alone proves nothing.
    """
    suffix = suffix_of(path)
    if len(data) > MAX_SOURCE_BYTES or b"\0" in data[:1000]:
        return None
    text = decode(data)
    if suffix in SCRIPT_LANGUAGES:
        return Source(SCRIPT_LANGUAGES[suffix], ".js") if _is_no_script(path, text) else None
    if suffix in COMPONENT_LANGUAGES:
        return Source(COMPONENT_LANGUAGES[suffix], ".js") if text.lstrip().startswith(b"<") else None
    if suffix in STYLE_LANGUAGES:
        found = suffix == ".sass" or (_ONLY_IN_SASS if suffix == ".scss" else _ONLY_IN_LESS).search(text)
        return Source(STYLE_LANGUAGES[suffix], ".css") if found else None
    return None


def _is_no_script(path: str, text: bytes) -> bool:
    """Whether a program has parts that no browser takes in a script that is no module."""
    from extlint.script.syntax.parse import grammar_of, parse

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
