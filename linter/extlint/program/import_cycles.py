"""Computes the exports of scripts that import each other in a cycle, by fixpoint iteration."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial

from extlint.analysis.facts.imports import Exports, ImportResolver, OwnExports
from extlint.analysis.facts.values import Value, leads_to_api
from extlint.program.import_order import imports_in_postorder
from extlint.program.recorded_queries import RecordedQueries

MAX_CYCLE_ROUNDS = 20
"""Most evaluations of the exports of each script in a cycle."""


class ImportCycle:
    """A script and those in its import cycle, which it imports and which import it, also indirectly.

    `imports_of` returns the paths that a script may import, `imported` the exports of scripts outside the
    cycle, and `script_of` the path that a specifier resolves to.
    """

    def __init__(
        self,
        path: str,
        imports_of: Callable[[str], Iterable[str]],
        imported: Callable[..., Exports],
        script_of: Callable[[str, str], str | None],
    ) -> None:
        self._imported = imported
        self._script_of = script_of
        self._scripts = _find_cycle(path, imports_of)
        self._own: dict[str, OwnExports] = {}
        self.unconverged: Collection[str] = ()
        """The scripts of the cycle whose exports did not converge within the round limit."""

    def exports(self, own_exports: Callable[[str, ImportResolver], OwnExports]) -> dict[str, Exports]:
        """Returns the exports of each script of the cycle, by its path.

        Starts with no exports, and re-evaluates each script whose queries have new results, until a fixpoint
        is reached.
        """
        queries: dict[str, RecordedQueries] = {}
        for _ in range(MAX_CYCLE_ROUNDS):
            changed = False
            for path in self._scripts:
                if path not in queries or not queries[path].are_up_to_date():
                    queries[path] = RecordedQueries(partial(self._resolve_import, path))
                    self._own[path] = own_exports(path, queries[path])
                    changed = True
            if not changed or len(self._scripts) == 1:
                break
        else:
            self.unconverged = [each for each, own in queries.items() if not own.are_up_to_date()]
        return {path: self._all_exports(path) for path in self._scripts}

    def _resolve_import(self, importer: str, name: str, *, of_api: bool = False) -> Exports:
        path = self._script_of(importer, name)
        if path in self._scripts:
            exports = self._all_exports(path)
            return {each: value for each, value in exports.items() if not of_api or leads_to_api(value)}
        return self._imported(importer, name, of_api=of_api)

    def _all_exports(self, path: str) -> Mapping[str, Value]:
        """Returns the exports of a script known so far, including those that `export *` adds."""
        found: dict[str, Value] = {}
        waiting, visited = [path], {path}
        while waiting:
            importer = waiting.pop()
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


def _find_cycle(path: str, imports_of: Callable[[str], Iterable[str]]) -> dict[str, None]:
    """Returns the scripts of the cycle, imported scripts first."""
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
    return {each: None for each in reachable if each in reaching}
