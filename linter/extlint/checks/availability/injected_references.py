"""References to members that do not exist in web pages, in functions that `executeScript` runs there."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.context import Context
from extlint.analysis.facts.script_facts import INJECTION, FailureHandling, Guards, Reference
from extlint.analysis.facts.values import FunctionValue, ObjectValue, options_of
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.unavailability import Reason, Unavailability
from extlint.checks.availability.unguarded_references import holds_on_all_paths
from extlint.extension import Extension, Script
from extlint.text.positions import ByteSpan


def injected_references(extension: Extension, script: Script) -> Iterator[tuple[Reference, Unavailability]]:
    """Yields the calls of members that are missing there, and available to the script itself."""
    spans = [*_spans_of_injected_functions(script)]
    for reference in script.facts.references if spans else ():
        if (
            not reference.is_called
            or not any(start <= reference.span[0] < end for start, end in spans)
            or unavailabilities_of(extension, reference.path, script.contexts, reference.on_load)
        ):
            continue
        kinds = extension.searches.injected_into(script, reference) or ()
        contexts = tuple(map(Context, sorted(kinds, key=lambda kind: kind.value)))
        for each in unavailabilities_of(extension, reference.path, contexts) if contexts else ():
            is_whole = each.reason is Reason.CONTEXT and len(reference.path) == each.reported_length
            if is_whole and not _is_excused(extension, script, reference):
                yield reference, each


def _spans_of_injected_functions(script: Script) -> Iterator[ByteSpan]:
    for call in script.facts.calls:
        for options in options_of(call.arguments[0]) if call.path == INJECTION and call.arguments else ():
            fields = options.fields if isinstance(options, ObjectValue) else {}
            for key in ("func", "function"):
                for function in options_of(fields[key].value) if key in fields else ():
                    if isinstance(function, FunctionValue) and function.span is not None:
                        yield function.span


def _is_excused(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether a test of the member, or code that handles its failure, is on each path to a reference."""
    return holds_on_all_paths(extension, script, reference, lambda path: _excuses(path, reference))


def _excuses(guards: Guards, reference: Reference) -> bool:
    return guards.failure > FailureHandling.REPORTED or any(
        reference.path[: len(each)] == each for each in guards.tested
    )
