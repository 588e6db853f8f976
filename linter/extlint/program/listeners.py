"""Determines the responses of message listeners that involve other modules.

Such a listener is defined in another module, or passes `sendResponse` to a function in another module.

Searched only for listeners that cannot be analyzed within their own script, which is then evaluated again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from extlint.analysis.facts.events import ListenerResponses
from extlint.analysis.facts.script_facts import CallSite
from extlint.analysis.modules.module_names import (
    ImportedMember,
    exported_function,
    imported_member,
    star_export_specifiers,
)
from extlint.analysis.reachability.awaits import Awaits
from extlint.analysis.repairs.open_responses import edits_keeping_open
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import CallExpression, Function
from extlint.analysis.timing.effects import Effects, Timing, UndecidedError
from extlint.analysis.timing.responses import late_places, responses_of, without_bind
from extlint.analysis.values.evaluator import Evaluator
from extlint.extension import Script
from extlint.program.script_reader import ScriptReader
from extlint.project.contexts.script import ScriptLocation
from extlint.text.positions import TextEdit

_MAX_SCRIPTS = 6
"""Scripts through which an export, or a parameter, is followed."""

_Found = TypeVar("_Found")


class Listeners:
    """Follows the listeners of one package through its modules."""

    def __init__(self, reader: ScriptReader, scripts: Mapping[ScriptLocation, Script]) -> None:
        self._reader = reader
        self._scripts = scripts
        self._evaluated: dict[ScriptLocation, Evaluator | None] = {}
        self._path: list[ScriptLocation] = []

    def answers(self, location: ScriptLocation, call: CallSite) -> tuple[Script, ListenerResponses] | None:
        """Returns how the listener that a call adds responds, with the script that defines it.

        Returns None if unknown.
        """
        return self._query_listener(location, call, self._answers_of)

    def edits_keeping_open(
        self, location: ScriptLocation, call: CallSite
    ) -> tuple[Script, Sequence[TextEdit]] | None:
        """Returns edits after which the listener that a call adds returns `true` before it responds later.

        They are edits of the script that is returned. Returns None if it is not certain what to write.
        """
        return self._query_listener(location, call, self._edits_of)

    def _query_listener(
        self,
        location: ScriptLocation,
        call: CallSite,
        query: Callable[[ScriptLocation, Evaluator, Function], _Found | None],
    ) -> _Found | None:
        """Applies a query to the listener that a call adds, and returns its result."""
        try:
            return self._query_script(
                location, lambda evaluator: self._find(location, evaluator, call, query)
            )
        finally:
            for each in self._evaluated.values():
                if each is not None:
                    each.close()
            self._evaluated.clear()

    def _find(
        self,
        location: ScriptLocation,
        evaluator: Evaluator,
        call: CallSite,
        query: Callable[[ScriptLocation, Evaluator, Function], _Found | None],
    ) -> _Found | None:
        added = _call_at(evaluator, call)
        first = None if added is None else added.first_argument
        if first is None:
            return None
        listener = without_bind(evaluator, first)
        definition = evaluator.definition_of(listener)
        if isinstance(definition, Function):
            return query(location, evaluator, definition)
        named = imported_member(evaluator, listener)
        return None if named is None else self._query_import(location, named, query)

    def _answers_of(
        self, location: ScriptLocation, evaluator: Evaluator, listener: Function
    ) -> tuple[Script, ListenerResponses] | None:
        elsewhere = partial(self._timing, location, evaluator)
        found = responses_of(evaluator, Awaits(evaluator.tree), listener, elsewhere)
        script = self._scripts.get(location)
        return None if found is None or script is None else (script, found)

    def _edits_of(
        self, location: ScriptLocation, evaluator: Evaluator, listener: Function
    ) -> tuple[Script, Sequence[TextEdit]] | None:
        elsewhere = partial(self._timing, location, evaluator)
        places = late_places(evaluator, Awaits(evaluator.tree), listener, elsewhere)
        edits = edits_keeping_open(evaluator, listener, places) if places else None
        script = self._scripts.get(location)
        return None if edits is None or script is None else (script, edits)

    def _timing(
        self, location: ScriptLocation, evaluator: Evaluator, callee: Node, index: int
    ) -> Timing | None:
        """Returns when an imported function calls a parameter, or None if unknown."""

        def of_function(at: ScriptLocation, of: Evaluator, function: Function) -> Timing | None:
            try:
                effects = Effects(of, Awaits(of.tree), partial(self._timing, at, of))
                return effects.timing(function, index)
            except UndecidedError:
                return None

        named = imported_member(evaluator, callee)
        return None if named is None else self._query_import(location, named, of_function)

    def _query_import(
        self,
        location: ScriptLocation,
        named: ImportedMember,
        query: Callable[[ScriptLocation, Evaluator, Function], _Found | None],
    ) -> _Found | None:
        """Applies a query to the function that a script imports by a name, and returns its result.

        Returns None if the function is not found.
        """
        path = self._reader.resolve_module(location[0], named.module)
        return (
            None
            if path is None
            else self._query_script((path, None), partial(self._query_export, path, named, query))
        )

    def _query_export(
        self,
        path: str,
        named: ImportedMember,
        query: Callable[[ScriptLocation, Evaluator, Function], _Found | None],
        evaluator: Evaluator,
    ) -> _Found | None:
        location = (path, None)
        found = exported_function(evaluator, named.name, named.members)
        if isinstance(found, Function):
            return query(location, evaluator, found)
        if found is not None:
            return self._query_import(location, found, query)
        for module in star_export_specifiers(evaluator):
            answer = self._query_import(location, ImportedMember(module, named.name, named.members), query)
            if answer is not None:
                return answer
        return None

    def _query_script(
        self, location: ScriptLocation, query: Callable[[Evaluator], _Found | None]
    ) -> _Found | None:
        """Applies a query to a script's evaluator, and returns its result.

        Returns None if the script is already on the path or has no evaluator.
        """
        if location in self._path or len(self._path) >= _MAX_SCRIPTS:
            return None
        evaluator = self._evaluator(location)
        if evaluator is None:
            return None
        with self._on_path(location):
            return evaluator.attempt(None, partial(query, evaluator))

    @contextmanager
    def _on_path(self, location: ScriptLocation) -> Iterator[None]:
        self._path.append(location)
        try:
            yield
        finally:
            self._path.pop()

    def _evaluator(self, location: ScriptLocation) -> Evaluator | None:
        if location not in self._evaluated:
            self._evaluated[location] = self._reader.evaluator(location)
        return self._evaluated[location]


def _call_at(evaluator: Evaluator, call: CallSite) -> CallExpression | None:
    leaf = evaluator.tree.leaf_at(call.span[1] - 1)
    nodes = (each for each in (leaf, *leaf.ancestors()) if each.span == call.span)
    return next((each for each in nodes if isinstance(each, CallExpression)), None)
