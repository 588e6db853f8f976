"""The order in which modules are best analyzed: each after those that it imports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from extlint.text.patterns import lazy

_SPECIFIER = lazy(rb"\b(?:from|import|require)\s*\(?\s*(?:\"([^\"\r\n]+)\"|'([^'\r\n]+)')")


def specifiers_in(text: bytes) -> list[str]:
    """Returns the specifiers that a text may import as literals. It may contain false positives."""
    found = (match[1] or match[2] for match in _SPECIFIER.finditer(text))
    return list(dict.fromkeys(name.decode("utf-8", "replace") for name in found))


def imports_in_postorder(path: str, imports_of: Callable[[str], Iterable[str]]) -> Iterator[str]:
    """Yields a script and all that it imports, also indirectly, in postorder.

    In a cycle, a script comes before its importer.
    """
    visited = {path}
    waiting = [(path, iter(imports_of(path)))]
    while waiting:
        current, left = waiting[-1]
        new = next((each for each in left if each not in visited), None)
        if new is None:
            waiting.pop()
            yield current
        else:
            visited.add(new)
            waiting.append((new, iter(imports_of(new))))
