"""Code that no script of its package calls: helpers that are exported, and that nobody imports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING

from extlint.contexts.script import ScriptLocation
from extlint.extension import Script
from extlint.package.files import Package
from extlint.package.suffixes import CODE, DECLARATIONS, has_suffix, is_component
from extlint.program.callers import Callers
from extlint.program.script_reader import ScriptReader
from extlint.project.test_files import is_of_tests
from extlint.script.facts.script_facts import LoadKind, Reference
from extlint.text.patterns import lazy
from extlint.text.positions import decode

if TYPE_CHECKING:
    from extlint.script.call_graph.unused import Unused
    from extlint.script.syntax.node import Node
    from extlint.script.values.evaluator import Evaluator

_MAX_DEPTH = 6
"""Scripts that are gone through whose helpers call each other; what calls the last is taken to be called."""

_NAMESPACE = lazy(rb"\b(im|ex)port\s*\*\s*as\s+([\w$]+)\s+from\s*[\"']([^\"'\n]+)[\"']")
_ALL = lazy(rb"\bexport\s*\*\s*from\s*[\"']([^\"'\n]+)[\"']")
_BY_PATTERN = lazy(rb"\bimport\.meta\.glob|\brequire\.context\b")
_AT_RUN_TIME = frozenset({LoadKind.DYNAMIC_IMPORT, LoadKind.REQUIRE})
_VARIABLES = frozenset(
    {"identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"}
)
_SPECIFIERS = frozenset({"export_specifier", "import_specifier"})


class DeadCode:
    """Tells of references in the scripts of one package whether they never run, as nothing calls them."""

    def __init__(self, callers: Callers, reader: ScriptReader, files: Package) -> None:
        self._callers = callers
        self._reader = reader
        self._files = files
        self._by_place: dict[ScriptLocation, tuple[Evaluator, Unused] | None] = {}
        self._named: dict[tuple[str, str], bool] = {}
        self._handed: dict[str, bool] = {}
        self._depth = 0

    def holds(self, script: Script, reference: Reference) -> bool:
        """Whether a reference is in a function that nothing in the package calls, exports aside."""
        from extlint.script.scope.bindings import TooManyOccurrencesError
        from extlint.script.syntax.tree import BudgetExceeded

        parsed = self._parse(self._callers.location_of(script))
        if parsed is None:
            return False
        evaluator, unused = parsed
        try:
            return unused.holds(evaluator.tree.leaf_at(reference.span[1] - 1))
        except (BudgetExceeded, TooManyOccurrencesError):
            return False

    def _parse(self, location: ScriptLocation) -> tuple[Evaluator, Unused] | None:
        """What answers questions about a file of its own, and no part of a page or a component."""
        if location not in self._by_place:
            from extlint.script.call_graph.unused import Unused

            path, body = location
            is_own_file = body is None and not is_component(path)
            parsed = self._callers.parse(location) if is_own_file else None
            self._by_place[location] = (
                None if parsed is None else (parsed[0], Unused(parsed[0], partial(self._is_named, path)))
            )
        return self._by_place[location]

    @cached_property
    def _texts(self) -> dict[str, bytes]:
        """The texts of the package in which a script may be named; tests call nothing."""
        found, of_tests = dict[str, bytes](), set[str]()
        for script, _ in self._callers.locations:
            if is_of_tests(script):
                of_tests.add(script.path)
            else:
                found[script.path] = script.index.text
        for path in self._files.paths:
            is_read = has_suffix(path, CODE) and not has_suffix(path, DECLARATIONS)
            if is_read and path not in found and path not in of_tests:
                found[path] = decode(self._files.read(path))
        return found

    def _is_named(self, path: str, name: str) -> bool:
        """Whether another file of the package may use what a script exports by a name."""
        key = (path, name)
        if key not in self._named:
            if self._depth >= _MAX_DEPTH:
                return True
            self._named[key] = True
            self._depth += 1
            try:
                self._named[key] = self._is_handed_on(path) or any(self._uses(path, name))
            finally:
                self._depth -= 1
        return self._named[key]

    def _uses(self, path: str, name: str) -> Iterator[bool]:
        """Of each other text in which a name stands whether something is done with it there."""
        locations = {location[0]: location for _, location in self._callers.locations if location[1] is None}
        word = re.compile(rb"(?<![\w$])" + re.escape(name.encode()) + rb"(?![\w$])")
        for other, text in self._texts.items():
            if other == path or word.search(text) is None:
                continue
            parsed = self._parse(locations[other]) if other in locations else None
            yield parsed is None or _is_used(*parsed, word)

    def _is_handed_on(self, path: str) -> bool:
        """Whether all that a script exports may go to somebody who need not name it."""
        if path not in self._handed:
            self._handed[path] = any(self._handings(self._with_its_exports(path)))
        return self._handed[path]

    def _with_its_exports(self, path: str) -> frozenset[str]:
        """A script, and those that export whatever it exports."""
        found, waiting = {path}, [path]
        while waiting:
            of = waiting.pop()
            for other, module in self._passing_all:
                if other not in found and self._reader.imports(other, module, of):
                    found.add(other)
                    waiting.append(other)
        return frozenset(found)

    def _handings(self, paths: frozenset[str]) -> Iterator[bool]:
        yield self._loads_by_pattern
        for other, module in self._loading_whole:
            yield any(self._reader.imports(other, module, each) for each in paths)

    @cached_property
    def _passing_all(self) -> tuple[tuple[str, str], ...]:
        """The scripts with `export * from`, each with the module's name."""
        return tuple(
            (path, _name(found[1])) for path, text in self._texts.items() for found in _ALL.finditer(text)
        )

    @cached_property
    def _loads_by_pattern(self) -> bool:
        return any(_BY_PATTERN.search(text) for text in self._texts.values())

    @cached_property
    def _loading_whole(self) -> tuple[tuple[str, str], ...]:
        """The scripts that do something with all that a module exports, each with the module's name."""
        at_run_time = (
            (script.path, load.name)
            for script, _ in self._callers.locations
            for load in script.facts.loads
            if load.kind in _AT_RUN_TIME and not is_of_tests(script)
        )
        namespaces = (
            (path, _name(found[3]))
            for path, text in self._texts.items()
            for found in _NAMESPACE.finditer(text)
            if found[1] == b"ex" or _escapes(text[: found.start()] + text[found.end() :], found[2])
        )
        return (*at_run_time, *namespaces)


def _name(module: bytes) -> str:
    return module.decode("utf-8", "replace")


def _escapes(text: bytes, namespace: bytes) -> bool:
    """Whether something is done with the object of a module beyond naming a member of it."""
    word = re.escape(namespace)
    return re.search(rb"(?<![\w$.])%b(?![\w$]|\s*\??\.\s*[A-Za-z_$])" % word, text) is not None


def _is_used(evaluator: Evaluator, unused: Unused, word: re.Pattern[bytes]) -> bool:
    """Whether a name stands in a script for anything but a comment, an import, or what nothing calls."""
    from extlint.script.scope.bindings import TooManyOccurrencesError
    from extlint.script.syntax.tree import BudgetExceeded

    try:
        leaves = (evaluator.tree.leaf_at(found.start()) for found in word.finditer(evaluator.tree.text))
        return any(
            not _only_passes(leaf) and not _is_own(evaluator, leaf) and not unused.holds(leaf)
            for leaf in leaves
        )
    except (BudgetExceeded, TooManyOccurrencesError):
        return True


def _is_own(evaluator: Evaluator, leaf: Node) -> bool:
    """Whether a name is that of a variable of the script itself, which nothing was imported as."""
    binding = evaluator.names.variable(leaf) if leaf.type in _VARIABLES else None
    return binding is not None and all(each.kind != "import" for each in binding.declarations)


def _only_passes(leaf: Node) -> bool:
    """Whether a name stands in a comment, in a module's name, or where that very name is passed on."""
    if leaf.type == "comment":
        return True
    up = leaf.parent
    if up is not None and up.type in _SPECIFIERS:
        return up.field("alias") is None
    for each in (leaf, *leaf.ancestors()):
        if each.is_field("source"):
            return True
        if each.type not in {"string", "string_fragment"}:
            return False
    return False
