"""Calls that the content security policy of the extension blocks, in code that is known to run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from extlint.analysis.facts.context import Context, ContextKind
from extlint.analysis.facts.script_facts import ArgumentTest, GlobalUse
from extlint.checks.api.absent_globals import absent_globals_in, absent_names, watched_globals
from extlint.checks.availability.missing_globals import fails_on
from extlint.extension import Extension, Script


class CallKind(Struct, frozen=True):
    """Calls of the globals `names`, if the test `matters` accepts their arguments.

    `blocks` is true for the kinds of contexts that block them. `may_call` is whether the script at a path and
    base may contain one, according to its text only. `in_content` are the names that content scripts block,
    if they block any, and only as variables.
    """

    names: frozenset[str]
    blocks: Callable[[Extension, ContextKind], bool]
    may_call: Callable[[Extension, str, int], bool]
    matters: ArgumentTest | None = None
    in_content: frozenset[str] = frozenset()


def blocked_calls(
    extension: Extension, script: Script, calls: CallKind
) -> Iterator[tuple[GlobalUse, Sequence[Context]]]:
    """Yields the calls in a script that are blocked, each with the contexts that block it."""
    blocking = _blocking_contexts(extension, script, calls)
    if not blocking:
        return
    is_everywhere = len(blocking) == len(script.contexts)
    is_own = all(each.kind is not ContextKind.CONTENT_SCRIPT for each in blocking)
    absent = frozenset[str]().union(
        *(absent_names(absent_globals_in(extension, each.kind)) for each in blocking)
    )
    for use in _uses(extension, script, calls):
        if use.is_caught or not (is_own or (use.is_free and use.name in calls.in_content)):
            continue
        if not is_everywhere and not (use.on_load and any(each.certain for each in blocking)):
            continue
        if any(fails_on(extension, script, each, absent, is_everywhere=is_everywhere) for each in use.paths):
            yield use, blocking


def prefetch_calls(extension: Extension, script: Script, calls: CallKind) -> None:
    """Queries the calls of a script, if a context blocks them."""
    if _blocking_contexts(extension, script, calls):
        _uses(extension, script, calls)


def _blocking_contexts(extension: Extension, script: Script, calls: CallKind) -> Sequence[Context]:
    """Returns the contexts of a script that block the calls, if it may contain any."""
    blocking = tuple(each for each in script.contexts if calls.blocks(extension, each.kind))
    return blocking if blocking and calls.may_call(extension, *script.location) else ()


def _uses(extension: Extension, script: Script, calls: CallKind) -> Sequence[GlobalUse]:
    watched = watched_globals(extension)
    return extension.searches.global_uses(script, calls.names, watched, calls.matters)
