"""Finds the uses of the API through functions that only delegate to it, in all scripts of a package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from extlint.analysis.call_graph.delegation import NO_READS, delegating_member
from extlint.analysis.call_graph.entry_points import NameKind, SharedMember
from extlint.analysis.facts.script_facts import NO_GUARDS, Reference
from extlint.analysis.guards.forms.members import variable_fact
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.guards.only_tested import choice_of, has_alternative, is_only_tested
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.shapes import call_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.extension import Script
from extlint.program.dead_code import DeadCode
from extlint.program.script_reader import ScriptReader
from extlint.program.searched_scripts import SearchedScripts
from extlint.project.contexts.script import ScriptLocation

MAX_USES = 100
"""The maximum number of uses of one delegating function in one script."""


class DelegatedUses:
    """Finds the uses of the API through functions of other scripts."""

    def __init__(self, reader: ScriptReader, scripts: SearchedScripts, dead_code: DeadCode) -> None:
        self._reader = reader
        self._scripts = scripts
        self._dead_code = dead_code
        self._guards: dict[ScriptLocation, GuardReader] = {}

    def uses(self, script: Script, reference: Reference) -> Sequence[tuple[Script, Reference]] | None:
        """Returns the uses of the function that only delegates to a reference, as references themselves.

        If not all uses of a global in a script are known, the reference itself represents them, in the
        contexts of that script. Returns None if no such function exists, or if some other use is unknown; but
        no uses of a function that only passes on its parameters.
        """
        location = self._scripts.location_of(script)
        evaluator = self._scripts.evaluator(location)
        if evaluator is None:
            return None
        leaf = reference.span[1] - 1
        reads = evaluator.attempt(
            reference.span, lambda: delegating_member(evaluator, evaluator.tree.leaf_at(leaf))
        )
        if reads is None:
            return None
        if reads is NO_READS:
            return ()
        is_result = _is_result(evaluator.tree.item_at(reference.span))
        found = [*self._uses_in(location, evaluator, reads.places, reference, is_result)]
        own = len(found)
        for member in reads.shared:
            for other, places in self._dead_code.reads_elsewhere(location, member):
                at, user = self._scripts.evaluator(other), self._scripts.script_at(other)
                is_known = places is not None and at is not None
                if member.name.kind is not NameKind.GLOBAL and not (
                    is_known and (user.contexts or not places)
                ):
                    return None
                if places is None or at is None:
                    found.append((_in_contexts_of(user, script), reference))
                else:
                    found += self._uses_in(other, at, places, reference, is_result)
        if len(found) == own and all(_is_variable(evaluator, each) for each in reads.shared):
            return None
        return found

    def _uses_in(
        self,
        location: ScriptLocation,
        evaluator: Evaluator,
        places: Sequence[Node],
        reference: Reference,
        is_result: bool,
    ) -> Iterator[tuple[Script, Reference]]:
        """Yields the uses at some places in a script, at most `MAX_USES`."""
        if len(places) > MAX_USES:
            what = f"{MAX_USES} of the uses of a function that only calls the API are checked"
            self._reader.record_omission(location, what)
        for each in places[:MAX_USES]:
            use = self._use_at(location, evaluator, each, reference)
            if not (is_result and evaluator.attempt(each.span, partial(self._is_tested, location, each))):
                yield self._scripts.script_at(location), use

    def _is_tested(self, location: ScriptLocation, read: Node) -> bool:
        """Whether the member that a function returns is only tested there, or used after a test."""
        evaluator = self._scripts.evaluator(location)
        return evaluator is not None and any(
            is_only_tested(evaluator, each)
            or has_alternative(each)
            or variable_fact(evaluator, each) in self._guards[location].guards_at(read).tested
            for each in (read, call_of(read))
            if each is not None
        )

    def _use_at(
        self, location: ScriptLocation, evaluator: Evaluator, read: Node, reference: Reference
    ) -> Reference:
        """Returns the reference that a read of a delegating function is, with the guards at both places."""
        guards = self._guards.setdefault(location, GuardReader(evaluator))
        at_read = evaluator.attempt(read.span, lambda: guards.public_guards_at(read)) or NO_GUARDS
        return replace(
            reference,
            span=read.span,
            guards=reference.guards.combined(at_read),
            on_load=bool(evaluator.attempt(read.span, lambda: guards.certainly_on_load(read))),
            is_called=guards.enclosing_function(read) is not None,
            is_delegated=True,
        )


def _is_result(member: Node | None) -> bool:
    """Whether a function returns a member: `() => chrome.tabs`."""
    whole = None if member is None else choice_of(member)
    up = None if whole is None else whole.parent
    return up is not None and up.type in {"arrow_function", "return_statement"}


def _in_contexts_of(user: Script, script: Script) -> Script:
    """Returns a script as it runs where another script uses what it defines."""
    return replace(script, contexts=user.contexts, all_contexts=user.all_contexts)


def _is_variable(evaluator: Evaluator, shared: SharedMember) -> bool:
    """Whether a script declares the name of a shared object as a variable, and does not export it."""
    is_declared = evaluator.names.resolve(shared.name.text, evaluator.tree.root) is not None
    return is_declared and not evaluator.tree.is_module
