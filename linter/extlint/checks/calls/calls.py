"""Checks the arguments of calls: of functions, and of the methods of events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.facts.script_facts import (
    NO_GUARDS,
    AmbiguousReference,
    ApiPath,
    CallSite,
    FailureHandling,
    Guards,
    Reference,
)
from extlint.analysis.facts.values import holds_result
from extlint.checks.api.enum_constants import undefined_constants, with_constant_help, with_constant_values
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.schema_path import SchemaPath, is_available, schema_path_of
from extlint.checks.api.unavailability import Reason, Unavailability
from extlint.checks.availability.missing_references import available_references
from extlint.checks.availability.unguarded_references import holds_on_all_paths, is_never_called
from extlint.checks.calls.types import matching_environment
from extlint.checks.other_browsers import (
    in_other_browsers,
    in_other_manifest_version,
    is_for_another_build,
    is_right_in_another_browser,
)
from extlint.checks.other_manifests import is_for_sibling_manifest
from extlint.checks.reachability.unreachable_code import (
    checked_facts,
    checked_script,
    in_each_script,
    is_unreachable,
)
from extlint.extension import Extension, Script
from extlint.finding import Finding, Fix, Severity
from extlint.queries.query import query
from extlint.rule import Rule
from extlint.schema.engine import Engine
from extlint.schema.matching.call import (
    CallProblem,
    judge_call,
    judge_listener_call,
    problem_of_called_object,
)
from extlint.schema.matching.environment import Environment
from extlint.schema.model import Constant, Event, Function, Member
from extlint.schema.targets import browser_name, engine_of
from extlint.schema.types import ObjectType, StringType
from extlint.text.nearest import is_certain_misspelling
from extlint.text.positions import ByteSpan
from extlint.text.wording import listed, quoted

IMPLEMENTED = frozenset(
    """
    action.setBadgeBackgroundColor action.setBadgeText action.setBadgeTextColor action.setIcon
    action.setPopup alarms.create bookmarks.create bookmarks.get bookmarks.getChildren
    bookmarks.getSubTree bookmarks.move bookmarks.remove bookmarks.removeTree bookmarks.update
    browserAction.setIcon browsingData.remove commands.update contentSettings.*.set contextMenus.create
    contextMenus.remove contextMenus.update cookies.get cookies.getAll cookies.remove cookies.set
    declarativeNetRequest.getDisabledRuleIds declarativeNetRequest.isRegexSupported
    declarativeNetRequest.updateDynamicRules declarativeNetRequest.updateEnabledRulesets
    declarativeNetRequest.updateSessionRules declarativeNetRequest.updateStaticRules
    desktopCapture.chooseDesktopMedia downloads.download downloads.search history.addUrl
    history.deleteUrl history.getVisits identity.launchWebAuthFlow menus.create menus.remove
    menus.update notifications.create offscreen.createDocument omnibox.setDefaultSuggestion
    pageAction.setIcon permissions.contains permissions.remove permissions.request proxy.settings.set
    readingList.addEntry runtime.connectNative runtime.sendNativeMessage runtime.setUninstallURL
    scripting.executeScript scripting.insertCSS scripting.registerContentScripts scripting.removeCSS
    scripting.unregisterContentScripts scripting.updateContentScripts search.query sidePanel.open
    storage.local.set storage.managed.clear storage.managed.remove storage.managed.set
    storage.session.set storage.sync.set tabs.create tabs.executeScript tabs.insertCSS tabs.query
    tabs.removeCSS tabs.setZoom tabs.update webNavigation.onBeforeNavigate webNavigation.onCommitted
    webNavigation.onCompleted webNavigation.onCreatedNavigationTarget webNavigation.onDOMContentLoaded
    webNavigation.onErrorOccurred webNavigation.onHistoryStateUpdated
    webNavigation.onReferenceFragmentUpdated webRequest.onAuthRequired webRequest.onBeforeRedirect
    webRequest.onBeforeRequest webRequest.onBeforeSendHeaders webRequest.onCompleted
    webRequest.onErrorOccurred webRequest.onHeadersReceived webRequest.onResponseStarted
    webRequest.onSendHeaders windows.create windows.update
    """.split()
)
"""The functions and events that `implementations` checks beyond their schemas."""

_BY_MANIFEST = frozenset({Reason.MANIFEST_KEY, Reason.MANIFEST_VERSION, Reason.PERMISSION})
"""Reasons in the manifest why a member is not available."""

MESSAGE_FUNCTIONS = frozenset({"connect", "sendMessage", "sendRequest"})
"""The names of the functions whose arguments `extlint.schema.matching.message_passing` puts in order."""


class CheckedCall(Struct, frozen=True):
    """A call of a function or of an event's method, with the problems of its arguments.

    `api` is the called member, or the member whose method is called: `test.onMessage`. In the arguments of
    `call`, constants of enumerations are replaced by their values. `guards` are those of the call. If it
    `fits` the schema, the problems are those that the browser finds when it runs the function.
    """

    script: Script
    call: CallSite
    member: Member | None
    api: str
    problems: tuple[CallProblem, ...]
    guards: Guards = NO_GUARDS
    fits: bool = False


@query(is_kept=True)
def checked_calls(extension: Extension, path: str, base: int) -> tuple[CheckedCall, ...]:
    """Returns each call of a script once, in their order, except calls that never run in the target."""
    if not _is_matching_known(extension):
        return ()
    script = checked_script(extension, path, base)
    return tuple(
        checked
        for call, reference, judged in _judged_calls_that_run(extension, script)
        if (checked := _without_excused(extension, script, call, reference, judged)) is not None
        and not (checked.problems and _is_excused(extension, checked, call, reference))
    )


@in_each_script
def _wrong_calls(extension: Extension, script: Script) -> Iterator[CheckedCall]:
    """Yields the calls of a script with problems."""
    yield from (each for each in checked_calls(extension, *script.location) if each.problems)
    if _is_matching_known(extension):
        for choice in script.facts.ambiguous_references:
            wrong = _wrong_in_all(extension, script, choice) if choice.calls else None
            if wrong is not None:
                yield wrong


def _without_excused(
    extension: Extension,
    script: Script,
    call: CallSite,
    reference: Reference | None,
    judged: _JudgedCall | None,
) -> CheckedCall | None:
    """Returns a judged call as `check_call` does, without problems of constants that may be missing."""
    checked = _checked(extension, script, call, judged, _guards_of(reference))
    if checked is None or not checked.problems:
        return checked
    missing = dict(undefined_constants(extension, call.arguments))
    problems = tuple(
        each
        for each in checked.problems
        if each.span not in missing
        or not _may_be_missing(extension, script, missing[each.span], each.span, reference)
    )
    return replace(checked, problems=problems)


def _may_be_missing(
    extension: Extension, script: Script, path: ApiPath, span: ByteSpan, reference: Reference | None
) -> bool:
    """Whether a constant may be missing in the target, like any other member.

    `reference` is that of the call, whose guards count if the constant is not named in the call.
    """
    from extlint.checks.availability.exemptions import may_be_available

    unavailability = Unavailability(Reason.UNKNOWN, path, len(path))
    named = next(
        (each for each in script.facts.references if (each.span, each.path) == (span, path)), reference
    )
    return named is not None and may_be_available(extension, script, named, unavailability)


def _is_matching_known(extension: Extension) -> bool:
    """Whether the argument matching of the target is known; it is unknown for WebKit."""
    return engine_of(extension.schemas.target) is not Engine.WEBKIT


def _wrong_in_all(extension: Extension, script: Script, choice: AmbiguousReference) -> CheckedCall | None:
    """Returns a call of the first of several members, with the problems that the calls of all share."""
    pairs = [
        (reference, call)
        for reference, call in available_references(extension, script, choice)
        if call is not None
    ]
    found = [check_call(extension, script, call, reference.guards) for reference, call in pairs]
    common = _common_problems(found)
    if not common or any(is_unreachable(extension, script, reference.guards) for reference, _ in pairs):
        return None
    found = [
        _without_excused(extension, script, call, reference, _judged(extension, call))
        for reference, call in pairs
    ]
    problems = _common_problems(found)
    for (reference, call), checked in zip(pairs, found, strict=True):
        if not problems or checked is None or _is_excused(extension, checked, call, reference):
            return None
    return None if found[0] is None else replace(found[0], problems=problems)


def _common_problems(checked: Sequence[CheckedCall | None]) -> tuple[CallProblem, ...]:
    """Returns the problems of the first of some calls that the others have at the same positions."""
    places = [{(each.rule, each.span) for each in one.problems} if one else set() for one in checked]
    first = checked[0] if checked else None
    common = set.intersection(*places) if places else set()
    return () if first is None else tuple(each for each in first.problems if (each.rule, each.span) in common)


def _is_excused(
    extension: Extension, checked: CheckedCall, call: CallSite, reference: Reference | None
) -> bool:
    """Whether a wrong call is never made, is for a browser that accepts it, or tests what is accepted."""
    if checked.guards.failure is FailureHandling.INSPECTED:
        return True
    script, is_right = checked.script, partial(_is_accepted, checked, call)
    if _is_only_elsewhere(extension, call, is_right) or _is_for_other_version(extension, checked, is_right):
        return True
    is_tried = checked.guards.failure is not FailureHandling.NONE
    if is_tried and is_right_in_another_browser(extension, is_right):
        return True
    if is_for_another_build(extension, checked.guards, is_right):
        return True
    if reference is None:
        return False
    is_right_elsewhere = is_right_in_another_browser(extension, is_right)

    def excuses(path: Guards) -> bool:
        is_handled = path.failure is FailureHandling.INSPECTED or (is_right_elsewhere and bool(path.failure))
        return is_handled or is_for_another_build(extension, path, is_right)

    if holds_on_all_paths(extension, script, reference, excuses):
        return True
    return (is_right_elsewhere and is_never_called(extension, script, reference)) or is_for_sibling_manifest(
        extension, script, reference, lambda other, _: _is_accepted(checked, call, other)
    )


def _is_only_elsewhere(extension: Extension, call: CallSite, is_right: Callable[[Extension], bool]) -> bool:
    """Whether the target does not support the member of a call, and a browser that has it accepts the call.

    The arguments are then right for the member, which is reported itself.
    """
    if is_available(extension, call.path):
        return False
    return is_right_in_another_browser(
        extension, lambda other: is_available(other, call.path) and is_right(other)
    )


def _is_for_other_version(
    extension: Extension, checked: CheckedCall, is_right: Callable[[Extension], bool]
) -> bool:
    """Whether a tested member is not requested, and the call is right in the other manifest version.

    Example: `if (chrome.userScripts)` in Manifest V2, where only Firefox has it, with another signature.
    """
    if not checked.guards.is_tested(checked.call.path[:1]):
        return False
    reasons = unavailabilities_of(extension, checked.call.path, checked.script.contexts)
    return any(each.reason in _BY_MANIFEST for each in reasons) and any(
        is_right(other) for other in in_other_manifest_version(extension)
    )


def _is_accepted(wrong: CheckedCall, call: CallSite, extension: Extension) -> bool:
    """Whether another browser accepts a call, or at least its arguments if the target does not.

    The problems that this browser then finds are reported for that browser.
    """
    checked = check_call(extension, wrong.script, call)
    return checked is not None and (not checked.problems or (checked.fits and not wrong.fits))


def argument_findings(extension: Extension, rule: Rule) -> Iterator[Finding]:
    """Yields the findings of one of the two rules about arguments."""
    for checked in _wrong_calls(extension):
        for problem in checked.problems:
            if problem.rule == rule.name and not (problem.is_ignored and _never_happens(extension, checked)):
                span = problem.span or checked.call.arguments_span
                found = _finding(rule, checked.script, span, checked.api, problem)
                help = _help_with_other_browsers(extension, checked, problem)
                yield replace(found, help=help, fix=_fix(checked, problem))
    for script, problem, path in _problems_of_sent_values(extension):
        if problem.rule == rule.name and problem.span is not None:
            found = _finding(rule, script, problem.span, ".".join(path), problem)
            yield replace(found, must_run=True)


def _never_happens(extension: Extension, checked: CheckedCall) -> bool:
    """Whether a call always fails, whatever the manifest requests, or comes after one that does."""
    reasons = unavailabilities_of(extension, checked.call.path, checked.script.contexts)
    return any(not each.permissions for each in reasons) or is_unreachable(
        extension, checked.script, checked.guards
    )


@in_each_script
def _problems_of_sent_values(
    extension: Extension, script: Script
) -> Iterator[tuple[Script, CallProblem, ApiPath]]:
    """Yields the problems of what ports and callbacks of the API get, and the member that leads to each."""
    if script.facts.result_calls and _is_matching_known(extension):
        from extlint.checks.calls.argument_values import result_call_problems
        from extlint.checks.calls.result_values import throws_only_errors

        for call in script.facts.result_calls:
            if call.has_caught and not throws_only_errors(extension, script):
                continue
            if not is_unreachable(extension, script, call.guards):
                for each in result_call_problems(extension, call):
                    yield script, replace(each, span=each.span or call.span), call.of.path


def _finding(rule: Rule, script: Script, span: ByteSpan, api: str, problem: CallProblem) -> Finding:
    general = f"{quoted(api)} {problem.refusal}"
    found = rule.at(*script.place(span), problem.message, api=api, help=problem.help, general=general)
    return replace(found, severity=Severity.WARNING, must_run=True) if problem.is_ignored else found


def _fix(checked: CheckedCall, problem: CallProblem) -> Fix | None:
    """Returns a fix to the intended key or string, if the wrong one is in the call itself."""
    span, arguments, meant = problem.span, checked.call.arguments_span, problem.suggestion
    if span is None or meant is None or not (arguments[0] <= span[0] and span[1] <= arguments[1]):
        return None
    from extlint.manifest.edits.script_fixes import rename_key, replace_value, text_at

    script = checked.script
    where = span[0] + script.base, span[1] + script.base
    safe = is_certain_misspelling(text_at(script.index, where), meant)
    change = rename_key if problem.is_key else replace_value
    return change(script.path, script.index, where, meant, safe=safe)


def _help_with_other_browsers(extension: Extension, checked: CheckedCall, problem: CallProblem) -> str | None:
    """Returns the help for a problem, with the browsers that accept the part that is wrong in the target."""
    if problem.span is None:
        return problem.help
    from extlint.checks.calls.implementations import depends_on_background
    from extlint.checks.reachability.occasions import runs_in_engine

    accepting = []
    for other in in_other_browsers(extension):
        if depends_on_background(checked.api) and not runs_in_engine(
            checked.script, extension.manifest, other.schemas.engine
        ):
            continue
        found = check_call(other, checked.script, checked.call) if _is_matching_known(other) else None
        if found is not None and all(each.span != problem.span for each in found.problems):
            accepting.append(browser_name(other.schemas.target))
    parts = [problem.help] if problem.help is not None else []
    if accepting:
        parts.append(f"{listed(accepting, 'and')} {'accept' if len(accepting) > 1 else 'accepts'} it")
    return "; ".join(parts) or None


def _judged_calls_that_run(
    extension: Extension, script: Script
) -> Iterator[tuple[CallSite, Reference | None, _JudgedCall | None]]:
    """Yields the calls of a script with the references to their callees, except unreachable ones."""
    references = script.facts.references_of_calls
    judged = _judged_calls(extension, *script.location)
    for call, each in zip(script.facts.calls, judged, strict=True):
        reference = references.get(call.callee)
        if not is_unreachable(extension, script, _guards_of(reference)):
            yield call, reference, each


def _guards_of(reference: Reference | None) -> Guards:
    return NO_GUARDS if reference is None else reference.guards


class _JudgedCall(Struct, frozen=True):
    """A call whose callee the schemas describe, with the problems that follow from only these.

    `found` is the resolved path, and `call` has the values of constants in its arguments.
    """

    found: SchemaPath
    call: CallSite
    member: Member | None
    problems: tuple[CallProblem, ...]
    fits: bool = False


def check_call(
    extension: Extension, script: Script, call: CallSite, guards: Guards = NO_GUARDS
) -> CheckedCall | None:
    """Checks the arguments of a call. Returns None for a callee that the schemas do not describe."""
    return _checked(extension, script, call, _judged(extension, call), guards)


def _checked(
    extension: Extension, script: Script, written: CallSite, judged: _JudgedCall | None, guards: Guards
) -> CheckedCall | None:
    """Returns a judged call with all its problems, also those that the browser finds when it runs."""
    if judged is None:
        return None
    found, call, member, problems = judged.found, judged.call, judged.member, judged.problems
    api = ".".join(found.path)
    if isinstance(member, Function):
        if judged.fits and (name := _table_name(api)) in IMPLEMENTED:
            from extlint.checks.calls.implementations import implementation_problems

            env = matching_environment(extension)
            problems = implementation_problems(extension, script, call, name, member, env)
        elif api.startswith("permissions."):
            problems = _in_common_words(extension, script, call, problems)
    elif not problems and api in IMPLEMENTED and found.rest == ("addListener",) and not call.open:
        from extlint.checks.calls.argument_values import filter_problems

        problems = tuple(filter_problems(api, call.arguments[1:2], extension.schemas.engine))
    if problems:
        from extlint.checks.calls.legacy_signatures import as_legacy_call

        env = matching_environment(extension)
        problems = tuple(with_constant_help(extension, problems, written.arguments))
        if member is not None and not all(each.is_of_copy for each in problems):
            problems = as_legacy_call(".".join((*found.path, *found.rest)), call.arguments, env, problems)
    return CheckedCall(script, call, member, api, problems, guards, judged.fits)


def _table_name(api: str) -> str:
    """Returns the name of a function in the tables of `implementations`: all settings share their methods."""
    return f"contentSettings.*.{api.rpartition('.')[2]}" if api.startswith("contentSettings.") else api


@query(is_kept=True)
def _judged_calls(extension: Extension, path: str, base: int) -> tuple[_JudgedCall | None, ...]:
    """Returns the calls of a script as the schemas judge them."""
    return tuple(_judged(extension, each) for each in checked_facts(extension, path, base).calls)


def _judged(extension: Extension, call: CallSite) -> _JudgedCall | None:
    """Returns a call as the schemas judge it, which depends only on them and the manifest version."""
    env = matching_environment(extension)
    found = schema_path_of(extension, call.path)
    version = extension.manifest_version
    if found is None or any(version not in element.availability.versions for element in found.elements):
        return None
    member, name = found.member, ".".join(call.path)
    written = call.arguments
    arguments = tuple(with_constant_values(extension, each) for each in written)
    has_results = any(map(holds_result, written))
    if has_results:
        from extlint.checks.calls.result_values import with_result_kinds

        with_parts = tuple(with_result_kinds(extension, each, has_parts=True) for each in arguments)
        arguments = tuple(with_result_kinds(extension, each) for each in arguments)
    if any(now is not before for now, before in zip(arguments, written, strict=True)):
        call = replace(call, arguments=arguments)
    if isinstance(member, Function) and not found.rest:
        problems = _function_problems(".".join(found.path), name, member, call, env)
        if has_results and not problems:
            more = _function_problems(
                ".".join(found.path), name, member, replace(call, arguments=with_parts), env
            )
            problems = tuple({each.span: each for each in reversed(more)}.values())
        return _JudgedCall(found, call, member, problems, not problems)
    if isinstance(member, Event) and len(found.rest) == 1:
        problems = judge_listener_call(name, member, found.rest[0], call.arguments, call.open, env)
        return _JudgedCall(found, call, member, problems)
    if not found.rest and found.known_names is None and _is_object(extension, member):
        return _JudgedCall(found, call, member, (problem_of_called_object(name, member),))
    return None


def _is_object(extension: Extension, member: Member | None) -> bool:
    """Whether a member, or without a member a namespace, certainly is an object and no function."""
    kind = member.type if isinstance(member, Constant) else None
    target = None if kind is None else matching_environment(extension).resolve(kind)
    return member is None or isinstance(member, Event) or isinstance(target, ObjectType | StringType)


def _in_common_words(
    extension: Extension, script: Script, call: CallSite, problems: Sequence[CallProblem]
) -> tuple[CallProblem, ...]:
    """Returns problems with permissions that a schema lists, in the words for browsers that list none."""
    from extlint.checks.calls.implementations import invalid_permissions

    known = {each.span: each for each in invalid_permissions(extension, script, call)}
    return tuple(known.get(each.span, each) if each.span is not None else each for each in problems)


def _function_problems(
    api: str, name: str, member: Function, call: CallSite, env: Environment
) -> tuple[CallProblem, ...]:
    """Returns the certain problems with a call's arguments; messaging functions order them differently."""
    if api.rpartition(".")[2] not in MESSAGE_FUNCTIONS:
        return judge_call(name, member.parameters, call.arguments, call.open, env, ambiguous=member.ambiguous)
    from extlint.schema.matching.message_passing import judge_function_call

    return judge_function_call(api, name, member, call.arguments, call.open, env)
