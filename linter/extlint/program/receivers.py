"""What the functions of a package do with the functions that are passed to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from extlint.contexts.script import ScriptLocation
from extlint.text.positions import encoded

if TYPE_CHECKING:
    from extlint.script.facts.destination import Destination, Keys
    from extlint.script.reachability.call_paths import CallPaths
    from extlint.script.syntax.node import Node
    from extlint.script.values.evaluator import Evaluator

MAX_FUNCTIONS = 20
"""Functions of one name that are analysed; if a package has more, nothing is known of them."""

_MAX_DEPTH = 6
"""Functions of other scripts that pass their arguments on, on one path."""

_DEFINITION = (
    r"\bfunction\s*\*?\s*{0}\s*\(|(?<![\w$]){0}[\"'\]]?\s*[:=](?!=)|"
    r"(?<![\w$.]){0}\s*\([^()]*\)\s*(?::[^{{;]*)?\{{|\bas\s+{0}\b"
)
"""The source text of a definition of a name."""


class Receivers:
    """Finds the functions that a call in one script may mean in others.

    `parse` returns the evaluator and the call paths of a script, `texts` has the text of each script, and
    `imports` returns whether a specifier in one script means another.
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
        self._defining: dict[str, list[ScriptLocation]] = {}
        self._depth = 0

    def destination(self, location: ScriptLocation, callee: Node, index: int, keys: Keys) -> Destination:
        """What becomes of an argument of a call in a script."""
        from extlint.script.facts.destination import Destination, joined_fate
        from extlint.script.modules.callees import called_by

        parsed = self._parse(location)
        called = None if parsed is None else called_by(parsed[0], callee)
        if called is None or self._depth >= _MAX_DEPTH:
            return Destination.IN_PLACE
        locations = self._scripts_defining(called.name)
        if called.module is not None:
            meant = [each for each in locations if self._imports(location[0], called.module, each[0])]
            locations = meant if meant or called.name == "default" else locations
        self._depth += 1
        try:
            destinations = list(
                islice(self._destinations(locations, called.name, index, keys), MAX_FUNCTIONS + 1)
            )
        finally:
            self._depth -= 1
        return joined_fate(destinations) if 0 < len(destinations) <= MAX_FUNCTIONS else Destination.IN_PLACE

    def _destinations(
        self, locations: Iterable[ScriptLocation], name: str, index: int, keys: Keys
    ) -> Iterator[Destination]:
        """What each function of a name does with an argument, until one may call it."""
        from extlint.script.facts.destination import Destination
        from extlint.script.modules.callees import functions_named

        for location in locations:
            other = self._parse(location)
            functions = (
                None if other is None else other[0].attempt(None, partial(functions_named, other[0], name))
            )
            if other is None or functions is None:
                yield Destination.IN_PLACE
                return
            for each in functions:
                of_argument = partial(other[1].destinations.of_argument, each, index, keys)
                found = other[0].attempt(None, of_argument) or Destination.IN_PLACE
                yield found
                if found is Destination.IN_PLACE:
                    return

    def _scripts_defining(self, name: str) -> list[ScriptLocation]:
        """The scripts whose text seems to define a name."""
        if name not in self._defining:
            pattern = r"\bexport\s+default\b" if name == "default" else _DEFINITION.format(re.escape(name))
            definition = re.compile(encoded(pattern))
            self._defining[name] = [location for location, text in self._texts if definition.search(text)]
        return self._defining[name]
