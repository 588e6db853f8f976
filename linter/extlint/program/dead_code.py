"""Finds dead code: functions that nothing in the package calls, such as helpers that no script imports."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from extlint.analysis.call_graph.definitions import exported_as
from extlint.analysis.call_graph.entry_points import ExternalName, NameKind
from extlint.analysis.call_graph.unused import Idleness, UnusedCode, mentions
from extlint.analysis.facts.context import ContextKind
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.modules.foreign_uses import foreign_reads
from extlint.analysis.modules.module_names import imports_by_name
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import ModuleSpecifier
from extlint.extension import FILES, PROGRAM, REALMS, Idle, Script
from extlint.package.suffixes import is_component
from extlint.program.code_texts import CodeTexts
from extlint.program.script_reader import ScriptReader
from extlint.program.searched_scripts import SearchedScripts
from extlint.project.build_tools import is_test_script
from extlint.project.contexts.script import ScriptLocation, object_realms
from extlint.queries.memos import Key
from extlint.queries.query import query
from extlint.text.patterns import isolated_word, lazy
from extlint.text.positions import ByteSpan, encode_name

if TYPE_CHECKING:
    from extlint.analysis.call_graph.entry_points import SharedMember
    from extlint.analysis.call_graph.holders import Reads
    from extlint.analysis.values.evaluator import Evaluator

_MAX_DEPTH = 6
"""Scripts that are followed while their helpers call each other. The caller of the last one counts as
called.
"""

_MAX_NAMES = 20
"""The maximum number of names by which scripts share one object with one another."""

_COMPUTED_GLOBAL = lazy(rb"\b(?:window|globalThis|self)\s*(?:\?\.\s*)?\[\s*[^\"'\s\d]")
_COMPUTED_CALL = lazy(rb"\]\s*(?:\?\.\s*)?\(")
_COMPUTED_METHOD = lazy(
    rb"[\w$)\]]\s*(?:\?\.\s*)?\[\s*(?![\"'\d])[^\]\n]{1,80}\]\s*(?:\?\.\s*)?(?:\(|\.\s*(?:apply|bind|call)\b)"
)
_VARIABLES = frozenset(
    {"identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"}
)


class DeadCode:
    """Finds the references in the scripts of one package that are in dead code."""

    query_scope = "dead code"

    def __init__(
        self,
        scripts: SearchedScripts,
        reader: ScriptReader,
        texts: CodeTexts,
        realms: Iterable[Collection[ScriptLocation]],
        is_injected: Callable[[ScriptLocation, Node], bool],
        idle: Idle | None = None,
    ) -> None:
        """`realms` are the sets of scripts that share a realm.

        `is_injected` is whether code at a place in a script may run in a function that is injected. Without
        `idle`, calls by hand count.
        """
        self._scripts = scripts
        self.queries = scripts.queries
        self._realms = realms
        self._is_injected = is_injected
        self._idle = idle
        self._idle_files = frozenset[str]() if idle is None else idle.files
        self._reader = reader
        self._texts = texts
        self._by_location: dict[ScriptLocation, tuple[Evaluator, UnusedCode] | None] = {}
        self._searched: dict[Hashable, tuple[bool, Iterable[Key] | None]] = {}
        self._depth = 0

    def is_dead(self, script: Script, span: ByteSpan) -> bool:
        """Whether nothing in the package calls the function that contains a place, exported or not."""
        return self._attempt(script, span, lambda unused, place: unused.contains(place))

    def is_unreached(self, script: Script, span: ByteSpan) -> bool:
        """Whether a condition around a place never has the required outcome, or an event never comes."""
        return self._attempt(script, span, lambda unused, place: unused.never_comes(place))

    def _attempt(self, script: Script, span: ByteSpan, test: Callable[[UnusedCode, Node], bool]) -> bool:
        parsed = self._parse(self._scripts.location_of(script))
        if parsed is None:
            return False
        evaluator, unused = parsed
        return bool(evaluator.attempt(span, lambda: test(unused, _node_at(evaluator, span))))

    def _parse(self, location: ScriptLocation) -> tuple[Evaluator, UnusedCode] | None:
        """Returns the evaluator of a script and its unused functions.

        Returns None for parts of pages and for components.
        """
        path, body = location
        is_own_file = body is None and not is_component(path)
        evaluator = self._scripts.evaluator(location) if is_own_file else None
        if location not in self._by_location:
            self._by_location[location] = (
                None
                if evaluator is None
                else (
                    evaluator,
                    UnusedCode(
                        evaluator,
                        partial(self._is_used_elsewhere, path),
                        partial(self.is_mentioned_in_realm, self._idle_files, location),
                        partial(self._is_read_elsewhere, location),
                        self.queries,
                        self._idleness_of(location, evaluator),
                    ),
                )
            )
        return self._by_location[location]

    def _idleness_of(self, location: ScriptLocation, evaluator: Evaluator) -> Idleness | None:
        """Returns what never runs in a script, or None if calls by hand count."""
        if self._idle is None:
            return None
        dead = self._dead_ends.get(self._scripts.script_at(location).location, frozenset())
        guards = GuardReader(evaluator, dead)
        return Idleness(
            partial(self._is_global_named, location),
            partial(self.is_member_named, self._idle_files, location[0]),
            lambda place: guards.public_guards_at(place).unreachable,
            dead,
            self._idle.is_bundled,
        )

    @cached_property
    def _dead_ends(self) -> dict[tuple[str, int], frozenset[int]]:
        """The ends of the places that never run in the scripts, by their locations."""
        found: dict[tuple[str, int], frozenset[int]] = {}
        for path, base, end in () if self._idle is None else self._idle.ends:
            found[path, base] = found.get((path, base), frozenset()) | {end}
        return found

    @cached_property
    def _own_files(self) -> dict[str, ScriptLocation]:
        """The locations of the scripts that are files of their own, by path."""
        return {location[0]: location for _, location in self._scripts.locations if location[1] is None}

    def _is_used_elsewhere(self, path: str, name: str) -> bool:
        """Whether another file of the package may use an export of a script."""
        return self._search(
            (path, name), lambda: self._texts.exports_escape(path) or any(self._uses(path, name))
        )

    def _is_read_elsewhere(self, location: ScriptLocation, member: SharedMember) -> bool:
        """Whether another script may read a member of an object of a script, in code that may run."""
        return self._search(
            (location, member),
            lambda: any(places is None or places for _, places in self.reads_elsewhere(location, member)),
        )

    def _is_global_named(self, location: ScriptLocation, name: str) -> bool:
        """Whether another file may use a global of a script, or one in its realm reads computed names."""
        return self.reads_computed_globals(self._idle_files, location) or self._search(
            (location, name), lambda: any(self._uses(location[0], name, location))
        )

    @query(is_kept=True)
    def is_member_named(self, idle: frozenset[str], path: str, name: str) -> bool:
        """Whether another file mentions a member, or some code calls members by computed names.

        The files in `idle` do not count.
        """
        word = re.compile(isolated_word(encode_name(name)))
        texts = self._texts.by_path()
        return any(
            word.search(texts[other]) is not None
            and (other not in self._own_files or self._mentions(self._own_files[other], name))
            for other in self._texts.paths_with_word(name)
            if other != path and other not in idle
        ) or any(_COMPUTED_METHOD.search(text) for other, text in texts.items() if other not in idle)

    @query(is_kept=True)
    def reads_computed_globals(self, idle: frozenset[str], location: ScriptLocation) -> bool:
        """Whether a script, or one that may share its realm, reads globals whose names are computed.

        The files in `idle` do not count.
        """
        texts = self._texts.by_path()
        return any(
            _COMPUTED_GLOBAL.search(texts[other[0]]) is not None
            for script, other in self._scripts.locations
            if other == location
            or not (
                is_test_script(script) or script.path in idle or not self._may_share_realm(location, other)
            )
        )

    def _search(self, key: Hashable, find: Callable[[], bool]) -> bool:
        """Returns the result of a search, or true while it is in progress and if too many are nested."""
        if key not in self._searched:
            if self._depth >= _MAX_DEPTH:
                return True
            self._searched[key] = True, None
            self._depth += 1
            try:
                with self.queries.recording() as dependencies:
                    found = find()
                self._searched[key] = found, dependencies
            finally:
                self._depth -= 1
        found, known = self._searched[key]
        if known is None:
            self.queries.mark_unrepeatable()
        else:
            self.queries.depend_on_all(known)
        return found

    def reads_elsewhere(
        self, of: ScriptLocation, member: SharedMember
    ) -> Iterator[tuple[ScriptLocation, Sequence[Node] | None]]:
        """Yields the other scripts that read a member of an object of a script, with the places that may run.

        For a script whose reads are not all known, None takes the place of its places.
        """
        if self._may_escape(of, member.name):
            yield of, None
        waiting, visited = [(of, member)], {(of, member)}
        while waiting:
            owner, shared = waiting.pop()
            for location in self._scripts.potential_users(shared.name, owner):
                found = self._reads_in(location, owner, shared)
                if is_component(location[0]) and not self._may_read(location, of, member):
                    continue
                yield location, None if found is None else found.places
                more = {(location, each) for each in (() if found is None else found.shared)} - visited
                visited |= more
                waiting += more
                if len(visited) > _MAX_NAMES:
                    yield location, None
                    return

    def _may_escape(self, of: ScriptLocation, name: ExternalName) -> bool:
        """Whether code that does not name an object may get it: a web page, or what imports whole modules."""
        if name.kind is NameKind.EXPORT:
            return self._texts.exports_escape(of[0])
        self._scripts.depend_on_text(of)
        return any(each.kind is ContextKind.MAIN_WORLD for each in self._scripts.script_at(of).contexts)

    def _reads_in(self, location: ScriptLocation, of: ScriptLocation, member: SharedMember) -> Reads | None:
        """Returns the reads of a member of another script's object that may run, or None if unknown."""
        parsed = self._parse(location)
        if parsed is None:
            return None
        evaluator, unused = parsed
        is_meant = self._reader.import_test(location[0], of[0])
        self.queries.depend_on(REALMS, None)
        is_shared = self._scripts.share_global_object(location, of)

        def is_in_realm(place: Node) -> bool:
            if is_shared:
                return True
            self.queries.depend_on(PROGRAM, None)
            return self._is_injected(location, place)

        def reads() -> Reads | None:
            found = foreign_reads(evaluator, member, is_meant, is_in_realm)
            if found is None:
                return None
            return replace(found, places=[each for each in found.places if not unused.contains(each)])

        return evaluator.attempt(None, reads)

    def _may_read(self, location: ScriptLocation, of: ScriptLocation, member: SharedMember) -> bool:
        """Whether a component may get an object's member: by its name, or a computed one.

        It may pass the object on, so the name counts in every file but the object's own.
        """
        name = member.path[-1] if member.path else ""
        if not name.isidentifier() or _COMPUTED_CALL.search(self._texts.by_path().get(location[0], b"](")):
            return True
        word = re.compile(isolated_word(encode_name(name)))
        others = (each for each in self._texts.paths_with_word(name) if each != of[0])
        return any(word.search(self._texts.text(each)) is not None for each in others)

    @query(is_kept=True)
    def is_mentioned_in_realm(self, idle: frozenset[str], location: ScriptLocation, name: str) -> bool:
        """Whether a script that shares or may share a realm with another one mentions a name.

        The files in `idle` do not count.
        """
        texts, word = self._texts.by_path(), re.compile(isolated_word(encode_name(name)))
        return any(
            word.search(texts[other[0]]) is not None and self._mentions(other, name, location)
            for script, other in self._scripts.locations
            if other != location
            and not (is_test_script(script) or script.path in idle)
            and self._may_share_realm(location, other)
        )

    def _mentions(self, location: ScriptLocation, name: str, owner: ScriptLocation | None = None) -> bool:
        """Whether a script with a name has it outside of comments, uses of the API, and its own variables.

        If it is known to share a realm with `owner`, its own global may be that of `owner`.
        """
        parsed = self._parse(location)
        if parsed is None:
            return True
        evaluator = parsed[0]
        is_shared = owner is not None and self._share_realm(location, owner)

        def is_mentioned() -> bool:
            leaves = map(evaluator.tree.leaf_at, mentions(evaluator, name))
            return any(
                each.type != "identifier" or not _is_own_variable(evaluator, each, is_shared=is_shared)
                for each in leaves
            )

        return evaluator.attempt(None, is_mentioned) is not False

    def _may_share_realm(self, one: ScriptLocation, other: ScriptLocation) -> bool:
        """Whether a script may share a global object with another one."""
        self.queries.depend_on(REALMS, None)
        self._scripts.depend_on_text(other)
        is_known = other[1] is not None or object_realms(self._scripts.script_at(other)) is not None
        return not is_known or self._share_realm(one, other)

    def _share_realm(self, one: ScriptLocation, other: ScriptLocation) -> bool:
        """Whether a realm is known to have both scripts."""
        return any(one in realm and other in realm for realm in self._realms)

    def _uses(self, path: str, name: str, owner: ScriptLocation | None = None) -> Iterator[bool]:
        """Yields whether each other file that mentions the name uses it.

        If it is a global of `owner`, a global elsewhere is another one.
        """
        word = re.compile(isolated_word(encode_name(name)))
        for other in self._texts.paths_with_word(name):
            location = self._own_files.get(other)
            if location is None:
                self._texts.by_path()
            else:
                self._scripts.depend_on_text(location)
            is_idle = other == path or other in self._idle_files
            if is_idle or word.search(self._texts.text(other)) is None:
                continue
            parsed = None if location is None else self._parse(location)
            if location is None or parsed is None:
                yield True
                continue
            is_other = owner is not None and not self._may_share_realm(owner, location)
            imports_other = partial(self._imports_other, other, path, name)
            yield _is_used(*parsed, name, imports_other, is_other_global=is_other)

    def _imports_other(self, importer: str, path: str, name: str, specifier: str) -> bool:
        """Whether a specifier in a file is not of a script, but of another one with an export of a name."""
        self.queries.depend_on(FILES, None)
        found = self._reader.resolve_module(importer, specifier)
        location = None if found in (None, path, importer) else self._own_files.get(found)
        if location is None:
            return False
        self._scripts.depend_on_text(location)
        parsed = self._parse(location)
        return parsed is not None and _exports_own(parsed[0], name)


def _node_at(evaluator: Evaluator, span: ByteSpan) -> Node:
    """Returns the innermost node that covers a span."""
    leaf = evaluator.tree.leaf_at(span[0])
    return next((each for each in (leaf, *leaf.ancestors()) if each.end >= span[1]), leaf)


def _is_used(
    evaluator: Evaluator,
    unused: UnusedCode,
    name: str,
    imports_other: Callable[[str], bool],
    *,
    is_other_global: bool,
) -> bool:
    """Whether a script mentions a name outside of comments, imports, uses of the API, and dead functions.

    With `is_other_global`, a variable of the name is another one. `imports_other` is whether a specifier in
    an import names a third script with an export of that name.
    """

    def is_used() -> bool:
        imported = imports_by_name(evaluator).get(name, ())
        others = [each.variable for each in imported if imports_other(each.module)]
        leaves = map(evaluator.tree.leaf_at, mentions(evaluator, name))
        return any(
            not _is_comment_or_re_export(leaf)
            and not (is_other_global and leaf.type in _VARIABLES)
            and not _is_own_variable(evaluator, leaf)
            and not any(_is_imported_by(evaluator, leaf, each) for each in others)
            and not unused.contains(leaf)
            for leaf in leaves
        )

    return evaluator.attempt(None, is_used) is not False


def _is_imported_by(evaluator: Evaluator, leaf: Node, variable: Node) -> bool:
    """Whether a leaf is a use of the variable that an import binds, or its name in the other module."""
    if variable.parent is not None and variable.parent.contains(leaf):
        return True
    names = evaluator.names
    return leaf.type in _VARIABLES and names.variable(leaf) is names.variable(variable)


def _exports_own(evaluator: Evaluator, name: str) -> bool:
    """Whether a script declares a variable and exports it by its name."""
    binding = evaluator.names.resolve(name, evaluator.tree.root)
    return binding is not None and any(
        each.kind != "import" and exported_as(evaluator, each.item) == name for each in binding.declarations
    )


def _is_own_variable(evaluator: Evaluator, leaf: Node, *, is_shared: bool = False) -> bool:
    """Whether a name refers to a variable of the script itself that is not an import.

    If other scripts share its globals (`is_shared`), they are its own only where it declares them.
    """
    binding = evaluator.names.variable(leaf) if leaf.type in _VARIABLES else None
    if binding is None or any(each.kind == "import" for each in binding.declarations):
        return False
    is_global = is_shared and binding.scope.type == "program" and not evaluator.tree.is_module
    return not is_global or any(each.item.same(leaf) for each in binding.declarations)


def _is_comment_or_re_export(leaf: Node) -> bool:
    """Whether a name is in a comment or a module specifier, or is only re-exported."""
    if leaf.type == "comment":
        return True
    up = leaf.parent
    if isinstance(up, ModuleSpecifier):
        return up.alias is None
    for each in (leaf, *leaf.ancestors()):
        if each.is_field("source"):
            return True
        if each.type not in {"string", "string_fragment"}:
            return False
    return False
