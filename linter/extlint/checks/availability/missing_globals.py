"""Uses of globals of the Web platform that are missing or blocked, in code that is known to run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.facts.context import WORKERS, Context, ContextKind
from extlint.analysis.facts.other_scripts import ASSIGNED, GLOBAL_OBJECT
from extlint.analysis.facts.platform_globals import COMMON_JS, DOCUMENT_PARTS
from extlint.analysis.facts.script_facts import (
    ArgumentTest,
    FailureHandling,
    GlobalUse,
    Guards,
    Load,
    LoadKind,
)
from extlint.analysis.syntax.prefilter import GLOBAL_OBJECTS, POLYFILLS
from extlint.checks.api.absent_globals import (
    absent_globals,
    absent_globals_at,
    absent_globals_in,
    absent_names,
    watched_globals,
)
from extlint.checks.availability.missing_scripts import is_package_for_effect, kinds_with_missing_scripts
from extlint.checks.availability.unguarded_references import is_guarded
from extlint.checks.other_browsers import assigns_global
from extlint.checks.reachability.unreachable_code import checked_scripts, is_unreachable
from extlint.extension import Extension, Script
from extlint.package.suffixes import STYLES, has_suffix
from extlint.project.build_tools import is_generated
from extlint.project.builds import is_build_source
from extlint.project.tools import code_of, project_programs
from extlint.queries.query import query
from extlint.schema.targets import FACTS_OF
from extlint.text.patterns import lazy
from extlint_schemas import AbsentGlobals, known_globals

_PROVIDING = lazy(r"(?i)polyfill|shim|window|global|xhr|xmlhttp|ponyfill|env")
_OF_API = tuple(each.decode() for each in POLYFILLS)
"""Packages that define the API of extensions, and no global of the Web platform."""

_CREATING, _REVOKING = "URL.createObjectURL", "URL.revokeObjectURL"
_SERVICE_WORKER_GLOBALS = frozenset({"clients", "registration", "skipWaiting"})


class MissingGlobal(Struct, frozen=True):
    """A use of a global that does not exist in some contexts, or that `is_empty` or `is_failing` there.

    `absent` are all globals that are absent in the first of them.
    """

    script: Script
    use: GlobalUse
    contexts: tuple[Context, ...]
    absent: AbsentGlobals

    @property
    def is_empty(self) -> bool:
        """Whether the global exists, but is null."""
        return self.use.name in self.absent.empty

    @property
    def is_failing(self) -> bool:
        """Whether the global exists, but its functions fail."""
        return self.use.name in self.absent.failing


def missing_globals(extension: Extension) -> Iterator[MissingGlobal]:
    """Yields the uses that certainly fail, or fail whenever the code around them runs, as it is known to.

    A script that never fails to create the addresses of objects, because it tests for the function, has none
    to revoke.
    """
    found: dict[str, list[MissingGlobal]] = {}
    for each in _missing_globals(extension):
        found.setdefault(each.script.path, []).append(each)
    for listed in found.values():
        names = {each.use.name for each in listed}
        for each in listed:
            text = each.script.index.text
            if each.use.name != _REVOKING or _CREATING in names or _CREATING.encode() not in text:
                yield each


def _missing_globals(extension: Extension) -> Iterator[MissingGlobal]:
    for script in checked_scripts(extension):
        uses = uses_in(extension, script)
        if not uses:
            continue
        absent_by_context = [(each, absent_globals_at(extension, each)) for each in script.contexts]
        empty_names = frozenset(each for _, own in absent_by_context for each in own.empty)
        missing_names = frozenset(each for _, own in absent_by_context for each in absent_names(own))
        for use in uses:
            if (use.is_free and use.name in empty_names and use.member is None) or _is_for_workers(use):
                continue
            contexts = tuple(
                each for each, own in absent_by_context if use.name in absent_names(own) and _fails(use, own)
            )
            is_everywhere = len(contexts) == len(absent_by_context) and use.name not in DOCUMENT_PARTS
            if not is_everywhere:
                contexts = tuple(
                    each for each in contexts if each.certain and _is_at_once(extension, script, use)
                )
            least = _least_handling(extension, script, is_everywhere=is_everywhere)
            is_certain = contexts and any(
                fails_on(extension, script, path, missing_names, is_everywhere=is_everywhere, least=least)
                for path in use.paths
            )
            if is_certain and not may_be_provided(extension, script, use.name):
                absent = absent_globals_at(extension, contexts[0])
                yield MissingGlobal(script, use, contexts, absent)


def uses_in(extension: Extension, script: Script) -> Sequence[GlobalUse]:
    """Returns the uses of globals that are absent in a context of a script, in code that is known to run.

    If a global exists in another context of the script, only uses on load are known to run without it.
    """
    names = absent_globals(extension).get((script.path, script.base))
    if names is None:
        return ()
    absent = (absent_names(absent_globals_at(extension, each)) for each in script.contexts)
    only_on_load = names.difference(frozenset.intersection(*absent), DOCUMENT_PARTS)
    watched = watched_globals(extension)
    return extension.searches.global_uses(script, names, watched, only_on_load=only_on_load)


def _least_handling(extension: Extension, script: Script, *, is_everywhere: bool) -> FailureHandling:
    """Returns the least handling of a failure that makes it no mistake.

    A handler that only reports a failure is useful in libraries, and in scripts that do not run only in
    workers.
    """
    is_of_workers = is_everywhere and not script.all_contexts and _runs_in_workers(script)
    if not is_of_workers or is_generated(script):
        return FailureHandling.REPORTED
    siblings = (each for _, each in extension.searches.siblings(extension, script))
    return FailureHandling.SWALLOWED if all(map(_runs_in_workers, siblings)) else FailureHandling.REPORTED


def _runs_in_workers(script: Script) -> bool:
    return all(each.kind in WORKERS for each in script.contexts)


def _is_for_workers(use: GlobalUse) -> bool:
    """Whether a use is for workers only, and may not run in a page that loads the same script.

    A conditional `importScripts` may depend on whether the page has loaded the scripts; pages do not have
    events such as `install`.
    """
    if use.name == LoadKind.IMPORT_SCRIPTS.value:
        return all(each.conditional for each in use.paths)
    return use.name in _SERVICE_WORKER_GLOBALS and not use.on_load


def _is_at_once(extension: Extension, script: Script, use: GlobalUse) -> bool:
    """Whether a use certainly runs when the script loads, before the document has all of its parts."""
    if use.name not in DOCUMENT_PARTS:
        return use.on_load
    return extension.searches.runs_at_once(script, use.span)


def _fails(use: GlobalUse, own: AbsentGlobals) -> bool:
    if use.name in own.failing:
        return use.member is not None and not use.is_caught
    return use.name in own.missing or use.member is not None or not use.is_free


def fails_on(
    extension: Extension,
    script: Script,
    path: Guards,
    absent: frozenset[str],
    *,
    is_everywhere: bool,
    least: FailureHandling = FailureHandling.REPORTED,
) -> bool:
    """Whether a path runs in a context without the `absent` globals, and no code on it handles a failure.

    Globals that neither the target nor a script defines are absent, too, such as those of Node. Handling
    counts from `least` on. Unless all contexts of the script are without the globals, the path must run
    unconditionally.
    """
    if is_guarded(extension, path, least) or path.unknown or path.runs_in is not None:
        return False
    if path.conditional and (not is_everywhere or (path.open_test and is_generated(script))):
        return False
    if any(_is_absent(extension, name, absent) for each in path.tested for name in _globals_of(each)):
        return False
    missing = [each for each in path.missing if not _is_defined_by_scripts(each)]
    if any(name not in absent for each in missing for name in _globals_of(each)):
        return False
    own = frozenset(each for each in path.tested if each[0] != GLOBAL_OBJECT)
    without = frozenset(each for each in path.missing if each[0] != GLOBAL_OBJECT)
    return not is_unreachable(extension, script, replace(path, tested=own, missing=without))


def _is_defined_by_scripts(fact: tuple[str, ...]) -> bool:
    """Whether a fact is about a global that scripts assign, and that no browser has without them."""
    is_assigned = fact[0] == GLOBAL_OBJECT and fact[2:] == (ASSIGNED,)
    return is_assigned and all(fact[1] not in known_globals(each) for each in ("chrome", "firefox"))


def _is_absent(extension: Extension, name: str, absent: frozenset[str]) -> bool:
    """Whether a context has no global of a name, or no member of it, according to the `absent` globals.

    Other browsers define some: `safari`. A global that a script assigns is not absent.
    """
    if name in absent or name in COMMON_JS:
        return True
    browser = FACTS_OF.get(extension.target.engine) if extension.target.engine is not None else None
    return (
        browser is not None
        and name.isidentifier()
        and name not in known_globals(browser)
        and not assigns_global(extension)(name)
    )


def _globals_of(fact: tuple[str, ...]) -> Iterator[str]:
    """Yields the global that a fact is about, and its member, which may be a global: `window.open`."""
    if fact[0] == GLOBAL_OBJECT:
        yield fact[1]
        member = tuple(each for each in fact[2:3] if each != ASSIGNED)
        yield from (".".join((fact[1], *member)), *(member if fact[1] in GLOBAL_OBJECTS else ()))


def may_be_provided(extension: Extension, script: Script, name: str) -> bool:
    """Whether a script of the same context, code outside the package, or a build may define a global."""
    word = name.partition(".")[0]
    found = _providers(extension, frozenset(each.kind for each in script.contexts), word)
    is_provided = found is None or any(each.location != script.location for each in found)
    return is_provided or _is_set_by_build(extension, word)


@query
def _is_set_by_build(extension: Extension, word: str) -> bool:
    """Whether a program of the project seems to give a name a value in the code that it builds.

    It may replace the name, as with `define: { window: "self" }`, or begin the code with `var window = self`.
    """
    if not is_build_source(extension):
        return False
    given = re.compile(rf"(?<![\w$]){re.escape(word)}[\"']?\s*(?::|=(?![=>]))")
    return any(given.search(code_of(extension, each)) for each in project_programs(extension))


@query
def _providers(extension: Extension, kinds: frozenset[ContextKind], word: str) -> list[Script] | None:
    """Returns the first two scripts of some contexts that assign to a global.

    Returns None if other code may define it, too.
    """
    if not kinds.isdisjoint(kinds_with_missing_scripts(extension)):
        return None
    pattern = re.compile(rb"(?<![\w$])(?:%b\s*=(?!=)|[\"']%b[\"']|%b\b)" % ((re.escape(word.encode()),) * 3))
    found: list[Script] = []
    for each in extension.scripts:
        if kinds.isdisjoint(context.kind for context in each.contexts):
            continue
        if any(_may_provide(extension, each, load, word) for load in each.facts.loads):
            return None
        may_assign = pattern.search(each.index.text) is not None
        if may_assign and word in extension.searches.assigned_globals(each, frozenset({word})):
            found.append(each)
            if len(found) == 2:
                break
    return found


def _may_provide(extension: Extension, script: Script, load: Load, word: str) -> bool:
    """Whether a module outside the package may define a global: by its name, or if a build adds it for that.

    `custom-elements` may define `customElements`; a global of one word is not in names for this reason.
    """
    name = load.name
    is_module = load.kind in {LoadKind.IMPORT, LoadKind.REQUIRE, LoadKind.DYNAMIC_IMPORT}
    if not is_module or name.startswith((".", "/", *_OF_API)) or has_suffix(name, STYLES):
        return False
    if is_package_for_effect(script, load) and is_build_source(extension):
        return True
    is_named = not word.islower() and word.lower() in name.lower().replace("-", "")
    return is_named or _PROVIDING.search(name) is not None


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
