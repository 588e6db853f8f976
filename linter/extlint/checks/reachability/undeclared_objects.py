"""Members of objects that no script declares: a build may give them the API, `ext.cookies.getAll()`.

Bundlers replace such names, for instance with an import of a polyfill (`ProvidePlugin`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache

from extlint.analysis.scope.unbound_words import script_names
from extlint.extension import Extension
from extlint.package.suffixes import PROGRAMS, has_suffix
from extlint.project.contexts.words import words_of
from extlint.queries.query import query
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name
from extlint_schemas import known_globals

_OBJECT_BEFORE = lazy(rb"(?<![\w$.])([A-Za-z_$][\w$]*)\s*\??\.\s*\Z")
_MAX_BLANKS = 50


def is_member_of_undeclared(extension: Extension, name: str, files: Collection[str] | None = None) -> bool:
    """Whether an object that no script declares has a member of a name, in some files or any."""
    return any(
        found in _undeclared_names(extension, path)
        for path, found in _objects_with(extension, name, files)
        if found not in _known_names()
    )


def _objects_with(
    extension: Extension, name: str, files: Collection[str] | None
) -> Iterator[tuple[str, bytes]]:
    """Yields the variables with a member of a name, as code reads it, each with its file."""
    words = words_of(extension)
    for path, (text, _) in words.texts.items():
        if has_suffix(path, PROGRAMS) and (files is None or path in files):
            for at in words.places_in(path, name):
                found = _OBJECT_BEFORE.search(text, max(at - _MAX_BLANKS, 0), at)
                if found is not None:
                    yield path, found[1]


@query
def _undeclared_names(extension: Extension, path: str) -> frozenset[bytes]:
    """The names that a script uses, and that neither the script nor another one declares."""
    words = words_of(extension)
    code = words.code_of(path) or words.texts[path][0]
    unbound = script_names(code, _known_names()).unbound
    return frozenset(name for name in unbound if not _is_declared(extension, name))


def _is_declared(extension: Extension, name: bytes) -> bool:
    word = re.escape(name)
    declaration = re.compile(
        rb"\b(?:class|const|function|let|var)\s+%b\b|(?<![\w$])%b\s*=(?!=)" % (word, word)
    )
    return any(declaration.search(text) for text, _ in words_of(extension).texts.values())


@cache
def _known_names() -> frozenset[bytes]:
    names = known_globals("chrome") | known_globals("firefox") | {"browser", "chrome", "super", "this"}
    return frozenset(map(encode_name, names))
