"""Facts about members of the API that a script replaces, so that calls of them are calls of its own code."""

from __future__ import annotations

from msgspec.structs import replace

from extlint.analysis.facts.script_facts import ApiPath, Reference, ScriptFacts, has_prefix_among


def without_replaced(facts: ScriptFacts, replaced: frozenset[ApiPath]) -> ScriptFacts:
    """Returns the facts without the calls and results of replaced members, which count as tested."""
    return replace(
        facts,
        references=tuple(_as_tested(each, replaced) for each in facts.references),
        calls=tuple(each for each in facts.calls if not has_prefix_among(each.path, replaced)),
        result_calls=tuple(
            each for each in facts.result_calls if not has_prefix_among(each.of.path, replaced)
        ),
        field_reads=tuple(each for each in facts.field_reads if not has_prefix_among(each.of.path, replaced)),
        comparisons=tuple(each for each in facts.comparisons if not has_prefix_among(each.of.path, replaced)),
        unawaited=tuple(
            each
            for each in facts.unawaited
            if each.of is None or not has_prefix_among(each.of.path, replaced)
        ),
        chained=tuple(each for each in facts.chained if not has_prefix_among(each.of.path, replaced)),
        ambiguous_references=tuple(
            choice
            for choice in facts.ambiguous_references
            if not any(has_prefix_among(each.path, replaced) for each in choice.references)
        ),
    )


def _as_tested(reference: Reference, replaced: frozenset[ApiPath]) -> Reference:
    path = reference.path
    own = replaced.intersection(path[:length] for length in range(len(path) + 1))
    if not own:
        return reference
    guards = replace(reference.guards, tested=reference.guards.tested | own | {path})
    return replace(reference, guards=guards)
