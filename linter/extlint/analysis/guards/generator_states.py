"""Finds the facts that hold in the cases of generators that compilers emit as state machines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from extlint.analysis.facts.script_facts import NO_GUARDS, Guards
from extlint.analysis.guards.forms.facts import common_guards, reached, without_equalities
from extlint.analysis.syntax.compiled_generators import Jump


def guards_in_cases(jumps: Sequence[Jump], within: Callable[[Jump], Guards]) -> Mapping[int, Guards]:
    """Returns what holds at the start of the cases of a state machine, by their ids.

    `within` returns what holds at a jump because of the code of its own case. In the first case, and in those
    to which no jump is known, nothing is known to hold.
    """
    if not jumps:
        return {}
    first = min((each.source for each in jumps), key=lambda each: each.start)
    entries: dict[int, list[tuple[int, Guards]]] = {}
    for each in jumps:
        if not each.target.same(first):
            entries.setdefault(each.target.id, []).append((each.source.id, within(each)))
    known = {each.source.id: NO_GUARDS for each in jumps if each.source.id not in entries}
    is_changed = bool(known)
    while is_changed:
        is_changed = False
        for target, ways in entries.items():
            entered = [_both(known[source], own) for source, own in ways if source in known]
            found = common_guards(reached(entered)) if entered else None
            if found is not None and known.get(target) != found:
                known[target] = found
                is_changed = True
    return known


def _both(before: Guards, own: Guards) -> Guards:
    return Guards(without_equalities(before.tested | own.tested), missing=before.missing | own.missing)
