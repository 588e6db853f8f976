"""Finds what the functions of other scripts do with a function that is passed to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from extlint.analysis.reachability.paths import NO_PATH, UNGUARDED, Paths, union
from extlint.project.contexts.script import ScriptLocation
from extlint.queries.query import cached_method
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name

if TYPE_CHECKING:
    from extlint.analysis.facts.context import Destination, Keys
    from extlint.analysis.reachability.call_paths import CallPaths
    from extlint.analysis.syntax.node import Node
    from extlint.analysis.values.evaluator import Evaluator

MAX_FUNCTIONS = 20
"""Functions of one name that are analyzed. If a package has more, the destination is unknown."""

_MAX_PASSES = 6
"""Functions in other scripts that pass their arguments on, on one path."""

_DEFAULT_EXPORT = lazy(rb"\bexport\s+default\b", needs=(b"default",))
_KEYWORD_BYTES = 40
"""Bytes before a name that are searched for a keyword."""

_FUNCTION_BEFORE, _ALIAS_BEFORE = lazy(rb"\bfunction\s*\*?\s*\Z"), lazy(rb"\bas\s+\Z")
_NAME_CHARACTER = lazy(rb"[\w$]")
_PARAMETERS = lazy(rb"\s*\(")
_VALUE = lazy(rb"[\"'\]]?\s*[:=](?!=)")
_METHOD = lazy(rb"\s*\([^()]*\)\s*(?::[^{;]*)?\{")


class PassedFunctions:
    """Finds the functions in other scripts that a call in one script may refer to.

    `parse` returns the evaluator and the call paths of a script, `texts` has the text of each script, and
    `imports` returns whether a specifier in one script resolves to another.
    """

    def __init__(
        self,
        parse: Callable[[ScriptLocation], tuple[Evaluator, CallPaths] | None],
        texts: Iterable[tuple[ScriptLocation, bytes]],
        imports: Callable[[str, str, str], bool],
    ) -> None:
        self._parse = parse
        self._texts = texts
        self._imports = imports
        self._depth = 0

    def destination(self, location: ScriptLocation, callee: Node, index: int, keys: Keys) -> Destination:
        """Returns the destination of an argument of a call in a script."""
        from extlint.analysis.facts.context import Destination, overall_destination

        if self._depth >= _MAX_PASSES:
            return Destination.IN_PLACE
        destinations: list[Destination] = []
        self._depth += 1
        try:
            for found in self._functions(location, callee):
                if found is None:
                    return Destination.IN_PLACE
                evaluator, paths, function = found
                of_argument = partial(paths.destinations.of_argument, function, index, keys)
                destinations.append(evaluator.attempt(None, of_argument) or Destination.IN_PLACE)
                if destinations[-1] is Destination.IN_PLACE:
                    break
        finally:
            self._depth -= 1
        return overall_destination(destinations) if destinations else Destination.IN_PLACE

    def calls(self, location: ScriptLocation, callee: Node, index: int) -> Paths:
        """Returns the guards where the functions that a call in a script may run call its argument."""
        found = NO_PATH
        for each in self._functions(location, callee):
            if each is None:
                return UNGUARDED
            evaluator, paths, function = each
            guards = evaluator.attempt(None, partial(paths.where_called, function, index))
            found = union(found, UNGUARDED if guards is None else frozenset({guards}))
        return found or UNGUARDED

    def _functions(
        self, location: ScriptLocation, callee: Node
    ) -> Iterator[tuple[Evaluator, CallPaths, Node] | None]:
        """Yields the functions in other scripts that a callee may be, and None if some are not known."""
        from extlint.analysis.modules.callees import external_callee, functions_named

        parsed = self._parse(location)
        called = None if parsed is None else external_callee(parsed[0], callee)
        if called is None:
            yield None
            return
        locations = self._scripts_defining(called.name)
        if called.module is not None:
            meant = [each for each in locations if self._imports(location[0], called.module, each[0])]
            locations = meant if meant or called.name == "default" else locations
        count = 0
        for each in locations:
            other = self._parse(each)
            named = (
                None
                if other is None
                else other[0].attempt(None, partial(functions_named, other[0], called.name))
            )
            count += 0 if named is None else len(named)
            if other is None or named is None or count > MAX_FUNCTIONS:
                yield None
                return
            yield from ((*other, function) for function in named)

    @cached_method
    def _scripts_defining(self, name: str) -> list[ScriptLocation]:
        """Returns the scripts whose text seems to define a name."""
        seems_to = _DEFAULT_EXPORT.search if name == "default" else partial(_defines, encode_name(name))
        return [location for location, text in self._texts if seems_to(text)]


def _defines(name: bytes, text: bytes) -> bool:
    """Whether a text seems to define a name, as a function, method, property, variable or alias."""
    at = text.find(name)
    while at >= 0:
        if _is_defined_at(text, at, at + len(name)):
            return True
        at = text.find(name, at + 1)
    return False


def _is_defined_at(text: bytes, start: int, end: int) -> bool:
    if _NAME_CHARACTER.match(text, start - 1, start):
        return False
    if _VALUE.match(text, end):
        return True
    before = text[max(0, start - _KEYWORD_BYTES) : start]
    if not before.endswith(b".") and _METHOD.match(text, end):
        return True
    if _ALIAS_BEFORE.search(before) and not _NAME_CHARACTER.match(text, end):
        return True
    return _FUNCTION_BEFORE.search(before) is not None and _PARAMETERS.match(text, end) is not None
