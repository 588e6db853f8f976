"""The order in which modules are read, and the exports of those that import each other in a cycle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial

from extlint.analysis.facts.other_scripts import Exports, ImportResolver, OwnExports
from extlint.analysis.facts.values import Value, leads_to_api
from extlint.text.patterns import lazy

_SPECIFIER = lazy(rb"\b(?:from|import|require)\s*\(?\s*(?:\"([^\"\r\n]+)\"|'([^'\r\n]+)')")

MAX_CYCLE_ROUNDS = 20
"""Most evaluations of the exports of each script in a cycle."""


class ImportCycle:
    """Scripts that import one another, directly or indirectly, or a single script.

    `imported` returns the exports of scripts outside the cycle, and `script_of` the path that a specifier
    resolves to.
    """

    def __init__(
        self,
        scripts: tuple[str, ...],
        imported: Callable[..., Exports],
        script_of: Callable[[str, str], str | None],
    ) -> None:
        self._imported = imported
        self._script_of = script_of
        self._scripts = dict.fromkeys(scripts)
        self._own: dict[str, OwnExports] = {}
        self._users: dict[str, set[str]] = {}
        """The scripts whose exports depend on those of each script."""
        self.unconverged: Collection[str] = ()
        """The scripts of the cycle whose exports did not converge within the round limit."""

    def exports(self, own_exports: Callable[[str, ImportResolver], OwnExports]) -> dict[str, Exports]:
        """Returns the exports of each script of the cycle, by its path.

        Starts with no exports. A script is evaluated again whenever the exports of one that it uses change,
        until a fixpoint is reached.
        """
        waiting, evaluations = dict.fromkeys(self._scripts), Counter[str]()
        exceeded: dict[str, None] = {}
        while waiting:
            path = next(iter(waiting))
            del waiting[path]
            if evaluations[path] == MAX_CYCLE_ROUNDS:
                exceeded[path] = None
                continue
            evaluations[path] += 1
            known = self._own.get(path)
            self._own[path] = own_exports(path, partial(self._resolve_import, path))
            if self._own[path] != known and len(self._scripts) > 1:
                waiting |= {each: None for each in self._scripts if each in self._users.get(path, ())}
        self.unconverged = exceeded
        return {path: self._all_exports(path, path) for path in self._scripts}

    def _resolve_import(self, importer: str, name: str, *, of_api: bool = False) -> Exports:
        path = self._script_of(importer, name)
        if path in self._scripts:
            exports = self._all_exports(path, importer)
            return {each: value for each, value in exports.items() if not of_api or leads_to_api(value)}
        return self._imported(importer, name, of_api=of_api)

    def _all_exports(self, path: str, user: str) -> Mapping[str, Value]:
        """Returns the exports of a script known so far for a user, including those that `export *` adds."""
        found: dict[str, Value] = {}
        waiting, visited = [path], {path}
        while waiting:
            importer = waiting.pop()
            self._users.setdefault(importer, set()).add(user)
            own = self._own.get(importer)
            if own is None:
                continue
            for name, value in own.exports.items():
                if name != "default" or importer == path:
                    found.setdefault(name, value)
            for star in own.star_exports:
                module = self._script_of(importer, star)
                if module is None or module in visited:
                    continue
                visited.add(module)
                if module in self._scripts:
                    waiting.append(module)
                else:
                    outside = self._imported(importer, star)
                    found = {name: each for name, each in outside.items() if name != "default"} | found
        return found


def find_cycle(path: str, imports_of: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
    """Returns the scripts of the import cycle of a script, imported scripts first.

    They are those that it imports and that import it, directly or indirectly, and the script itself.
    """
    importers: dict[str, list[str]] = {}

    def imports(importer: str) -> Iterable[str]:
        for each in imports_of(importer):
            importers.setdefault(each, []).append(importer)
            yield each

    reachable = list(imports_in_postorder(path, imports))
    reaching, waiting = {path}, [path]
    while waiting:
        for each in importers.get(waiting.pop(), ()):
            if each not in reaching:
                reaching.add(each)
                waiting.append(each)
    return tuple(each for each in reachable if each in reaching)


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
