"""Finds the reachable uses of Web platform globals in the scripts of a package.

Searches only scripts that run where a global is missing and that mention its name. They are evaluated again,
once for all rules and targets, and so are the scripts in which a name leads to such a use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import accumulate

from extlint.analysis.call_graph.entry_points import EntryPoints, ExternalName, NameKind
from extlint.analysis.expressions.replaced_globals import (
    is_replaced_by_alias,
    is_replaced_by_call,
    is_set_on_window,
)
from extlint.analysis.expressions.variables import TooManyWritesError, writes_to_top_level
from extlint.analysis.facts.platform_globals import DYNAMIC_IMPORT
from extlint.analysis.facts.script_facts import ArgumentTest, GlobalUse
from extlint.analysis.global_uses import dynamic_imports, global_uses, may_import_dynamically
from extlint.analysis.modules.foreign_uses import foreign_uses
from extlint.analysis.possible_uses import predicted_globals
from extlint.analysis.reachability.executed_paths import ExecutedPaths
from extlint.analysis.reachability.paths import NO_PATH, UNGUARDED, LeastSolution, Paths, union
from extlint.analysis.syntax.lexer import code_of
from extlint.analysis.syntax.nodes import AccessExpression
from extlint.analysis.syntax.source import parsable
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of
from extlint.extension import Script
from extlint.package.suffixes import WITH_MARKUP, has_suffix
from extlint.program.script_reader import ScriptReader
from extlint.program.searched_scripts import search_word
from extlint.project.build_tools import is_generated
from extlint.project.contexts.script import ScriptLocation
from extlint.queries.query import cached_method
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, encode_name
from extlint.text.word_search import WordSearch, word_occurrences

MAX_EVALUATIONS = 100
"""Evaluations of one script to find reachable uses of globals.

A script whose evaluator was freed is evaluated again on the next query.
"""

MAX_KEPT_BYTES = 1_000_000
"""Bytes of the smallest scripts, whose evaluators are cached; so is that of one larger script.

An evaluator takes thirty times as much memory.
"""

_IN_COMMENT = lazy(rb"[^\n]*?//|[^\n]*?/\*|\s*\*")
"""The beginning of a line whose rest seems to be a comment."""

_MAX_BYTES_TO_COMMENT = 300
"""Bytes from the beginning of a line to a word. After more, no comment is searched for."""

_MAX_DEPTH = 6
"""Scripts on one path that are followed."""


class GlobalUses:
    """Finds uses of globals in the scripts of one package, which are identified by location."""

    def __init__(self, reader: ScriptReader, scripts: Mapping[ScriptLocation, Script]) -> None:
        self._reader = reader
        self._scripts = scripts
        self._locations = sorted(scripts, key=self._size)
        """The smallest scripts come first, so that the work in large ones does not affect them."""
        self._words = WordSearch([scripts[each].index.text for each in self._locations])
        self._parsed: dict[ScriptLocation, tuple[Evaluator, ExecutedPaths] | None] = {}
        self._evaluations: Counter[ScriptLocation] = Counter()
        self._cached_bytes = 0
        self._watched: frozenset[str] = frozenset()
        self._found: dict[
            tuple[ScriptLocation, frozenset[str], ArgumentTest | None, frozenset[str]], Sequence[GlobalUse]
        ] = {}
        self._in_use: list[ScriptLocation] = []
        self._solution = LeastSolution(NO_PATH, UNGUARDED, union)
        self._depth = 0
        self._unused: set[tuple[ScriptLocation, ScriptLocation, ExternalName, str | None]] = set()

    def uses(
        self,
        location: ScriptLocation,
        names: frozenset[str],
        watched: frozenset[str],
        matters: ArgumentTest | None = None,
        only_on_load: frozenset[str] = frozenset(),
    ) -> Sequence[GlobalUse]:
        """Returns the uses of these globals in a script. Tests of all `watched` globals also count as guards.

        See `Searches.global_uses`. The watched globals are the same for all scripts. Of `eval`, `Function`
        and timers, only calls may count as uses.
        """
        self._watched = watched
        key = (location, names, matters, only_on_load)
        if key not in self._found and not _may_use(self._scripts[location], names):
            self._found[key] = ()
        if key not in self._found:
            with self._parse(location) as parsed:
                self._found[key] = () if parsed is None else _uses(*parsed, names, matters, only_on_load)
        return self._found[key]

    def is_known_to_run(self, location: ScriptLocation, span: ByteSpan, watched: frozenset[str]) -> bool:
        """Whether a place in a script is known to run, by calls and events that lead to it."""
        self._watched = watched
        with self._parse(location) as parsed:
            if parsed is None:
                return False
            evaluator, paths = parsed
            return bool(evaluator.attempt(span, lambda: paths.to(evaluator.tree.leaf_at(span[1] - 1))))

    def failing_lookups(
        self,
        location: ScriptLocation,
        places: Sequence[int],
        missing: Collection[int],
        watched: frozenset[str],
    ) -> Sequence[tuple[int, GlobalUse]]:
        """Returns the lookups of elements at some offsets that fail without one; see `failing_lookups`."""
        from extlint.analysis.element_lookups import failing_lookups

        self._watched = watched
        with self._parse(location) as parsed:
            return () if parsed is None else tuple(failing_lookups(*parsed, places, missing))

    def undeclared_uses(
        self,
        location: ScriptLocation,
        names: Sequence[str],
        watched: frozenset[str],
        *,
        is_module: bool | None,
        must_be_known: bool,
    ) -> Sequence[GlobalUse]:
        """Returns uses of names that a script does not declare; see `undeclared_uses`."""
        from extlint.analysis.undeclared_names import undeclared_uses

        self._watched = watched
        with self._parse(location) as parsed:
            return (
                ()
                if parsed is None
                else tuple(undeclared_uses(*parsed, names, is_module=is_module, must_be_known=must_be_known))
            )

    def defined_names(
        self,
        location: ScriptLocation,
        names: Sequence[str],
        watched: frozenset[str],
        *,
        is_module: bool | None,
        is_merging: bool,
    ) -> Sequence[str]:
        """Returns those of some names that a script may define as globals; see `may_define`."""
        from extlint.analysis.undeclared_names import may_define

        self._watched = watched
        with self._parse(location) as parsed:
            if parsed is None:
                return names
            evaluator = parsed[0]
            test = partial(may_define, evaluator, is_module=is_module, is_merging=is_merging)
            return [each for each in names if evaluator.attempt(None, partial(test, each)) is not False]

    @cached_method
    def assigned_names(self, location: ScriptLocation, names: frozenset[str]) -> frozenset[str]:
        """Returns the subset of these globals that a script assigns, so that they exist for other scripts."""
        with self._parse(location) as parsed:
            return names if parsed is None else _assigned_names(parsed[0], names)

    @contextmanager
    def _parse(self, location: ScriptLocation) -> Iterator[tuple[Evaluator, ExecutedPaths] | None]:
        """Evaluates a script, or returns its cached evaluator, which is kept alive during the block."""
        if location not in self._parsed:
            self._parsed[location] = self._evaluate(location) if self._may_parse(location) else None
        else:
            self._parsed[location] = self._parsed.pop(location)
        self._in_use.append(location)
        try:
            yield self._parsed[location]
        finally:
            self._in_use.pop()
            self._evict_unused()

    def _may_parse(self, location: ScriptLocation) -> bool:
        if self._evaluations[location] >= MAX_EVALUATIONS:
            what = f"a script is evaluated {MAX_EVALUATIONS} times to find uses of globals"
            self._reader.record_omission(location, what)
            return False
        self._evaluations[location] += 1
        return True

    def _size(self, location: ScriptLocation) -> int:
        return len(self._scripts[location].index.text)

    def _evaluate(self, location: ScriptLocation) -> tuple[Evaluator, ExecutedPaths] | None:
        evaluator = self._reader.evaluator(location, self._watched)
        if evaluator is None:
            return None
        self._cached_bytes += len(evaluator.tree.text)
        unconditional = is_generated(self._scripts[location])
        external = partial(self._external_paths, location)
        return evaluator, ExecutedPaths(
            evaluator, external, self._solution, location, unconditional=unconditional
        )

    def _evict_unused(self) -> None:
        """Frees the largest scripts that exceed the size limit, except the most recently used one of them."""
        if self._cached_bytes <= MAX_KEPT_BYTES:
            return
        cached = {at: found[0] for at, found in self._parsed.items() if found is not None}
        by_size = sorted(cached, key=self._size)
        totals = accumulate(len(cached[at].tree.text) for at in by_size)
        large = {at for at, total in zip(by_size, totals, strict=True) if total > MAX_KEPT_BYTES}
        for location in [at for at in cached if at in large][:-1]:
            if location not in self._in_use:
                self._cached_bytes -= len(cached[location].tree.text)
                del self._parsed[location]
                cached[location].close()

    def _external_paths(self, of: ScriptLocation, name: ExternalName, member: str | None) -> Paths:
        """Returns the paths on which other scripts run the value of a script's name, or a member of it."""
        key = (of, name, member)
        if self._depth >= _MAX_DEPTH and not self._solution.is_current(key):
            return NO_PATH
        self._depth += 1
        try:
            return self._solution.solve(key, partial(self._paths_in_other_scripts, of, name, member))
        finally:
            self._depth -= 1

    def _paths_in_other_scripts(self, of: ScriptLocation, name: ExternalName, member: str | None) -> Paths:
        kinds = {each.kind for each in self._scripts[of].contexts}
        found = NO_PATH
        for at in self._words.texts_with(encode_name(search_word(name, of[0]))):
            location = self._locations[at]
            if location != of and not kinds.isdisjoint(
                each.kind for each in self._scripts[location].contexts
            ):
                found = union(found, self._paths_in_script(location, of, name, member))
        return found

    def _paths_in_script(
        self, location: ScriptLocation, of: ScriptLocation, name: ExternalName, member: str | None
    ) -> Paths:
        if name.kind is NameKind.EXPORT and not self._imports(location, of):
            return NO_PATH
        question = location, of, name, member
        if question in self._unused:  # another search may require another evaluation
            return NO_PATH
        is_meant = self._reader.import_test(location[0], of[0])

        def through_uses(evaluator: Evaluator, paths: ExecutedPaths) -> Paths:
            found = foreign_uses(evaluator, name, is_meant)
            if found is not None and member is not None:
                found = _member_reads(evaluator, found, member)
            if found is None or not (found.uses or found.names):
                self._unused.add(question)
                return NO_PATH
            return paths.through(found)

        with self._parse(location) as parsed:
            if parsed is None:
                return NO_PATH
            return parsed[0].attempt(None, partial(through_uses, *parsed)) or NO_PATH

    def _imports(self, importer: ScriptLocation, of: ScriptLocation) -> bool:
        """Whether one script loads another by a module specifier."""
        loads = self._scripts[importer].facts.loads
        return any(self._reader.imports(importer[0], each.name, of[0]) for each in loads)


def _may_use(script: Script, names: frozenset[str]) -> bool:
    """Whether a script may use one of these globals, according to its facts or its text."""
    prefetched = script.facts.ahead
    possible = None if prefetched is None else prefetched.possible_uses
    if possible is not None and names.isdisjoint(possible) and names <= predicted_globals():
        return not is_generated(script) and _may_name(script, names)
    return _may_name(script, names)


def _may_name(script: Script, names: frozenset[str]) -> bool:
    """Whether the code of a script, and not only its comments, may mention one of these globals."""
    text = script.index.text
    if script.base or has_suffix(script.path, WITH_MARKUP):
        return True
    if DYNAMIC_IMPORT in names:
        if may_import_dynamically(text):
            return True
        names -= {DYNAMIC_IMPORT}
        if not names:
            return False
    places: list[int] = []
    for word in {encode_name(name.partition(".")[0]) for name in names}:
        for at in word_occurrences(text, word, 0, len(text)):
            if not _seems_commented(text, at):
                return True
            places.append(at)
    return code_of(parsable(text), sorted(places)) is None


def _seems_commented(text: bytes, at: int) -> bool:
    """Whether a comment seems to begin before a position in a short line."""
    first = max(0, at - _MAX_BYTES_TO_COMMENT)
    line = text.rfind(b"\n", first, at) + 1
    return (line > 0 or first == 0) and _IN_COMMENT.match(text, line, at) is not None


def _uses(
    evaluator: Evaluator,
    paths: ExecutedPaths,
    names: frozenset[str],
    matters: ArgumentTest | None,
    only_on_load: frozenset[str],
) -> Sequence[GlobalUse]:
    own = names - {DYNAMIC_IMPORT}
    found = tuple(global_uses(evaluator, paths, own, matters, only_on_load)) if own else ()
    return (*found, *dynamic_imports(evaluator, paths)) if DYNAMIC_IMPORT in names else found


def _assigned_names(evaluator: Evaluator, names: frozenset[str]) -> frozenset[str]:
    def is_assigned(name: str) -> bool:
        try:
            return (
                bool(writes_to_top_level(evaluator, name))
                or is_replaced_by_call(evaluator, name)
                or is_replaced_by_alias(evaluator, name)
                or is_set_on_window(evaluator, name)
            )
        except TooManyWritesError:
            return True

    return frozenset(
        each for each in names if evaluator.attempt(None, partial(is_assigned, each)) is not False
    )


def _member_reads(evaluator: Evaluator, entry: EntryPoints, name: str) -> EntryPoints:
    """Returns the reads of a member of the used value."""
    reads = [use.parent for use in entry.uses if use.is_field("object")]
    named = [each for each in reads if isinstance(each, AccessExpression) and key_of(evaluator, each) == name]
    return EntryPoints(tuple(named))
