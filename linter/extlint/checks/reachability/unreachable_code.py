"""Code that never runs in the target, and the scripts that may run there, examined one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from typing import TypeVar

from extlint.analysis.facts.context import Context, ContextKind
from extlint.analysis.facts.other_scripts import ASSIGNED, GLOBAL_OBJECT
from extlint.analysis.facts.script_facts import API_ROOT, ApiPath, Guards, ScriptFacts
from extlint.checks.api.absent_globals import absent_globals_in, absent_names
from extlint.checks.api.manifest_requests import is_certainly_requested
from extlint.checks.api.members import CONTEXTS_WITHOUT_API
from extlint.checks.api.reasons import exists_in_context, unavailabilities_of
from extlint.checks.api.schema_path import schema_path_of
from extlint.checks.api.shims import scripts_after_shims
from extlint.checks.other_browsers import assigns_global
from extlint.extension import Extension, Script
from extlint.project.build_tools import defines_tests, is_test_script
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.schema.model import Constant, Member
from extlint.schema.targets import FACTS_OF
from extlint.schema.types import FunctionType, RefType
from extlint_schemas import AbsentGlobals, known_globals


def is_global_absent(extension: Extension, contexts: Sequence[Context], path: ApiPath) -> bool:
    """Whether no context has a global whose presence depends only on the context.

    A script may assign it all the same.
    """
    absent, known = _recorded(extension, contexts)
    name = _name(path)
    is_absent = all(name in each.missing or path[0] not in known for each in absent)
    return bool(absent) and is_absent and not assigns_global(extension)(path[0])


def is_global_present(extension: Extension, contexts: Sequence[Context], path: ApiPath) -> bool:
    """Whether every context has a global whose presence depends only on the context."""
    absent, known = _recorded(extension, contexts)
    is_present = not any(_name(path) in absent_names(each) for each in absent)
    return bool(absent) and path[0] in known and is_present


def _name(path: ApiPath) -> str:
    """Returns the name of a global, or of a member of one, in facts about browsers."""
    return ".".join(each for each in path if each != ASSIGNED)


def _recorded(
    extension: Extension, contexts: Sequence[Context]
) -> tuple[Sequence[AbsentGlobals], frozenset[str]]:
    """Returns the globals that are absent in each context, and those that the browser has anywhere.

    Returns nothing if they are unknown in one of the contexts.
    """
    engine = extension.target.engine
    browser = None if engine is None else FACTS_OF.get(engine)
    absent = [absent_globals_in(extension, each.kind) for each in contexts]
    if browser is None or not all(each.missing for each in absent):
        return (), frozenset()
    return absent, known_globals(browser)


_ROOTS_EVERYWHERE = frozenset({"chrome"})
"""The roots of the API in all versions of all browsers. Firefox has `browser`, too."""

_WITHOUT_ROOTS = frozenset({ContextKind.WORKER, ContextKind.WORKLET})
"""The contexts without any object by the name of a root; web pages of Chrome have one."""

_OTHER_ROOTS = CONTEXTS_WITHOUT_API | {ContextKind.UNKNOWN}


def checked_scripts(extension: Extension) -> Iterator[Script]:
    """Yields the scripts that may run in the target, except those of tests, which often mock the API."""
    for script in without_replaced_members(extension):
        if not script.is_for_other_targets and (
            extension.schemas.is_specification or not (is_test_script(script) or defines_tests(script))
        ):
            yield script


def without_replaced_members(extension: Extension) -> Sequence[Script]:
    """Returns the scripts without the calls and results of members that earlier scripts replace."""
    if not _any_replaces_members(extension):
        return extension.scripts

    return (*scripts_after_shims(extension).values(),)


def checked_script(extension: Extension, path: str, base: int) -> Script:
    """Returns a script without the calls and results of members that earlier scripts replace."""
    if not _any_replaces_members(extension):
        return extension.script_at(path, base)

    return scripts_after_shims(extension)[path, base]


def checked_facts(extension: Extension, path: str, base: int) -> ScriptFacts:
    """Returns the facts of `checked_script`, for a query that does not read its contexts."""
    if not _any_replaces_members(extension):
        return extension.facts_at(path, base)
    return checked_script(extension, path, base).facts


@query(is_kept=True)
def _any_replaces_members(extension: Extension) -> bool:
    return any(script.facts.replaced for script in extension.scripts)


def is_unreachable(extension: Extension, script: Script, guards: Guards) -> bool:
    """Whether code never runs, due to its form, or because the target and manifest decide its guards."""
    if guards.unreachable:
        return True
    if guards.manifest:
        from extlint.checks.reachability.environment_tests import contradicts_manifest

        if contradicts_manifest(extension, guards):
            return True
    if guards.user_agent:
        from extlint.checks.reachability.environment_tests import contradicts_user_agent

        if contradicts_user_agent(extension, guards):
            return True
    if guards.address:
        from extlint.checks.reachability.environment_tests import contradicts_address

        if contradicts_address(extension, script, guards):
            return True
    return (
        any(_is_certainly_unavailable(extension, path, script) for path in guards.tested)
        or any(_is_certainly_available(extension, path, script) for path in guards.missing)
        or any(
            all(_is_certainly_unavailable(extension, tuple(each.split(".")), script) for each in names)
            for names in guards.either
        )
    )


def _is_certainly_unavailable(extension: Extension, path: ApiPath, script: Script) -> bool:
    """Whether a test for a member fails, including when the target does not have the member's namespace."""
    contexts = script.contexts
    if path[0] == GLOBAL_OBJECT:
        return is_global_absent(extension, contexts, path[1:])
    if path[0] == API_ROOT:
        return bool(contexts) and all(each.kind in _WITHOUT_ROOTS for each in contexts)
    if unavailabilities_of(extension, path, contexts):
        return True
    is_unknown_member = len(path) > 1 and schema_path_of(extension, path) is None
    return is_unknown_member and bool(unavailabilities_of(extension, path[:1], contexts))


def _is_certainly_available(extension: Extension, path: ApiPath, script: Script) -> bool:
    contexts = script.contexts
    if path[0] == GLOBAL_OBJECT:
        return is_global_present(extension, contexts, path[1:])
    if path[0] == API_ROOT:
        engine = extension.schemas.engine
        is_defined = path[1] in _ROOTS_EVERYWHERE or engine is Engine.GECKO
        others = _OTHER_ROOTS
        if len(path) > 2 and engine is not Engine.CHROMIUM:
            others |= {ContextKind.CONTENT_SCRIPT}
        return is_defined and bool(contexts) and all(each.kind not in others for each in contexts)
    found = schema_path_of(extension, path)
    if found is None or not found.elements or found.rest or not contexts or _may_be_falsy(found.member):
        return False
    return (
        not unavailabilities_of(extension, path, contexts)
        and all(exists_in_context(extension.schemas, context.kind, found) for context in contexts)
        and all(
            any(is_certainly_requested(extension.manifest, name) for name in names)
            for element in found.elements
            for names in element.availability.permissions
        )
    )


def _may_be_falsy(member: Member | None) -> bool:
    """Whether a member may exist and be falsy: `runtime.lastError`, `extension.inIncognitoContext`."""
    return isinstance(member, Constant) and not isinstance(member.type, FunctionType | RefType)


Item = TypeVar("Item")


def in_each_script(
    find: Callable[[Extension, Script], Iterable[Item]],
) -> Callable[[Extension], Iterator[Item]]:
    """Decorates a function of a script, which then yields what it finds in each script of an extension.

    The scripts are `checked_scripts`, in this order. The results are kept for each script, so they
    must be plain values.
    """

    def in_script(extension: Extension, path: str, base: int) -> tuple[Item, ...]:
        return tuple(find(extension, checked_script(extension, path, base)))

    kept = query(is_kept=True)(wraps(find)(in_script))

    @wraps(find)
    def in_all(extension: Extension) -> Iterator[Item]:
        for script in checked_scripts(extension):
            yield from kept(extension, *script.location)

    return in_all
