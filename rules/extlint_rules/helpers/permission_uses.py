"""Finds possible uses of permissions that no call names: of the active tab, and the fields of tabs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from extlint.analysis.facts.script_facts import HIDDEN_FIELDS, ApiPath, CallSite, ScriptFacts
from extlint.analysis.facts.values import (
    EVENT_METHODS,
    ApiResult,
    ArrayValue,
    Delivery,
    FunctionValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Value,
)
from extlint.checks.api.manifest_requests import may_grant_active_tab
from extlint.checks.api.schema_path import schema_path_of
from extlint.checks.calls.types import matching_environment, possible_types
from extlint.extension import Extension
from extlint.manifest.manifest import is_host_pattern
from extlint.queries.query import query
from extlint.schema.matching.environment import Environment
from extlint.schema.model import Event, Function, Member
from extlint.schema.targets import BROWSERS, schema_set
from extlint.schema.types import ArrayType, ChoicesType, ObjectType, Parameter, RefType, Type
from extlint.text.patterns import isolated_word_offsets, lazy
from extlint_rules.helpers.unseen_tab_reads import may_read_tabs_unseen
from extlint_rules.helpers.used_members import may_use_any, paths_of

ACTIVE_TAB = "activeTab"

_PANELS = ("edge_side_panel", "side_panel", "sidebar_action")
_ACTIONS = paths_of("""
    action.onClicked action.openPopup browserAction commands.onCommand contextMenus declarativeContent menus
    omnibox pageAction sidePanel sidebarAction
""")
"""Members that may each relate to a user action on the active tab."""

_ACCESSES = paths_of("""
    scripting tabs.captureVisibleTab tabs.executeScript tabs.insertCSS tabs.removeCSS
""")
"""Members that require access to a tab: without access to any host, they require such an action."""

REQUESTS = "ajax axios EventSource fetch fetchLater getJSON XMLHttpRequest".split()
"""Words that may each be a request to a host."""

USES = paths_of("""
    contentScripts cookies debugger declarativeNetRequest pageCapture scripting tabCapture tabs.captureTab
    tabs.captureVisibleTab tabs.executeScript tabs.insertCSS tabs.removeCSS userScripts webRequest
""")
"""Members that may each be another use of access to the host of a tab or another one."""

USES_OF_A_TAB = paths_of("""
    contextMenus.getTargetElement contextMenus.onShown menus.getTargetElement menus.onShown
    permissions.addHostAccessRequest tabs.detectLanguage
""")
"""More members that may each be a use of access to the host of a tab, besides the fields of tabs.

The address and the selection in a click on a menu item require no access: the code of Chromium passes them
always, and that of Firefox withholds them only from listeners of `menus.onShown` (ext-menus.js).
"""


def may_get_active_tab(extension: Extension) -> bool:
    """Whether a user action may give an extension access to the active tab.

    If no action does, a call that requires it is a different mistake.
    """
    manifest = extension.manifest
    return (
        may_grant_active_tab(manifest)
        or any(manifest.get(key) is not None for key in _PANELS)
        or may_use_any(extension, _ACTIONS)
        or (not any(map(is_host_pattern, manifest.permissions)) and may_use_any(extension, _ACCESSES))
    )


def requests_tabs(extension: Extension) -> bool:
    """Whether the manifest requests `tabs`, which is enough to read the fields of every tab."""
    return any(each == "tabs" for each, _ in extension.manifest.strings("permissions"))


_FIELD = "favIconUrl"
"""A field that only tabs and objects with changes of tabs have."""

_FILTERS = frozenset({"title", "url", "urls"})
"""The conditions of filters that require access to these fields."""

_MENUS = {(menus, method) for menus in ("contextMenus", "menus") for method in ("create", "update")}
"""Calls whose options may have a listener that gets a tab."""

_PARAMETERS = lazy(
    rb"(?:async\b\s*+)?(?:function\b\s*+)?[\w$]*+\s*+"
    rb"(?:=>|\(\s*+(?:(?:[\w$]++|\{[\w$\s,:]*+\})\s*+\??\s*+(?::[^(),=]*+)?"
    rb"(?:,\s*+(?P<tab>[\w$]++)\s*+\??\s*+(?::[^(),=]*+)?)?,?\s*+)?\))"
)
"""The start of a function without a default for a parameter, and with at most two parameters."""

_CONNECTING = ("connect", "connectNative")
"""Functions that open a port, which has no sender (`extlint_judge host-access`)."""

_MAX_DEPTH = 8

_UPDATED = ("tabs", "onUpdated")

_TAB_FILTERS = {("tabs", "query"): 0, (*_UPDATED, "addListener"): 1}
"""Calls that may filter tabs by these fields, with the index of the filter argument."""


def may_read_hidden_fields(extension: Extension) -> bool:
    """Whether in some browser a script may read a hidden field of a tab, or lets unknown code read it.

    Unknown code gets tabs, functions that return them, or variables that have them.
    """
    schemas = (schema_set(target, extension.schemas.user_schemas) for target in BROWSERS)
    in_browsers = [*map(extension.with_schemas, schemas)]
    return may_read_tabs_unseen(extension, in_browsers) or any(
        _reads_hidden_fields(in_browser, *script.location)
        for in_browser in in_browsers
        for script in extension.scripts
    )


@query(is_kept=True)
def _reads_hidden_fields(extension: Extension, path: str, base: int) -> bool:
    source = extension.source_at(path, base)
    facts, code = source.facts, source.index.text[base:]
    env = matching_environment(extension)
    return (
        any(_has_tab(extension, env, result) for result in facts.escaped_results)
        or any(_is_of_tab(extension, env, read) for read in facts.hidden_reads)
        or any(_queries_unknown_tabs(extension, env, code, call) for call in facts.calls)
        or _hears_hidden_changes(facts)
        or any(_returns_tabs(extension, env, path) for path in _uncalled_members(facts))
    )


def _uncalled_members(facts: ScriptFacts) -> Iterator[ApiPath]:
    """Yields members and namespaces that scripts use as values, without calling them or reading a member.

    Also yields each of several members that they may use.
    """
    called = {call.callee for call in facts.calls}
    ends: dict[int, int] = {}
    for reference in facts.references:
        ends[reference.span[0]] = max(reference.span[1], ends.get(reference.span[0], 0))
    for reference in facts.references:
        is_longest = ends[reference.span[0]] == reference.span[1]
        if is_longest and not reference.only_tested and reference.span not in called:
            yield reference.path
    for reference in facts.possible_references:
        yield reference.path[:-1] if reference.path[-1] in EVENT_METHODS else reference.path


def _returns_tabs(extension: Extension, env: Environment, path: ApiPath) -> bool:
    return path == ("tabs",) or any(
        _leads_to_tab(each.type, env) for each in _passed_parameters(extension, path)
    )


def _queries_unknown_tabs(extension: Extension, env: Environment, code: bytes, call: CallSite) -> bool:
    """Whether a call in some code filters tabs by hidden or unknown fields, or passes them elsewhere."""
    filter_index = _TAB_FILTERS.get(call.path)
    if filter_index is not None and (
        call.open or any(map(_may_filter, call.arguments[filter_index : filter_index + 1]))
    ):
        return True
    if call.path in _MENUS:
        return any(_may_pass_tab(code, each) for each in call.arguments)
    member, path = _member(extension, call.path), call.path
    if isinstance(member, Event):
        if path[-1] != "addListener":
            return False
        last, path = call.arguments[:1], path[:-1]
    elif isinstance(member, Function) and member.callback is not None:
        last = call.arguments[len(member.parameters) - 1 :]
    else:
        return False
    unseen = call.open or any(not _is_analyzed(each) for each in last)
    return unseen and any(_leads_to_tab(each.type, env) for each in _passed_parameters(extension, path))


def _hears_hidden_changes(facts: ScriptFacts) -> bool:
    """Whether a listener may also act on a change of a hidden field, as it never reads what has changed.

    Firefox does not call it for a new title or icon if the extension may not read these (ext-tabs.js of 153).
    """
    heard = [call for call in facts.calls if call.path == (*_UPDATED, "addListener")]
    if all(map(_has_filter_of_properties, heard)):
        return False
    return not any(
        (read.of.path, read.of.index) == (_UPDATED, 1) and read.name not in HIDDEN_FIELDS
        for read in facts.field_reads
    )


def _has_filter_of_properties(call: CallSite) -> bool:
    """Whether a call filters changes by the names of properties, none of them hidden."""
    options = call.arguments[1] if len(call.arguments) > 1 and not call.open else None
    field = options.fields.get("properties") if isinstance(options, ObjectValue) else None
    names = None if field is None else field.value
    return (
        isinstance(names, ArrayValue)
        and not names.open
        and all(isinstance(each, Literal) and each.value not in HIDDEN_FIELDS for each in names.items)
    )


def _may_pass_tab(code: bytes, options: Value) -> bool:
    """Whether the options of a menu have a function that may read the tab, its second argument."""
    if not isinstance(options, ObjectValue):
        return False
    field = options.fields.get("onclick")
    if field is None:
        return options.open
    listener = field.value
    if not isinstance(listener, FunctionValue) or not _is_analyzed(listener) or listener.span is None:
        return True
    function = code[slice(*listener.span)]
    parameters = _PARAMETERS.match(function)
    tab = None if parameters is None else parameters["tab"]
    return parameters is None or (tab is not None and len([*isolated_word_offsets(tab, function)]) > 1)


def _is_analyzed(value: Value) -> bool:
    match value:
        case FunctionValue():
            return value.span is not None and not value.has_rest and not value.uses_arguments
        case Literal(Kind.UNDEFINED | Kind.NULL):
            return True
    return False


def _may_filter(value: Value) -> bool:
    match value:
        case ObjectValue():
            return value.open or not _FILTERS.isdisjoint(value.fields)
        case Literal() | Typed() | ArrayValue() | FunctionValue():
            return False
    return True


def _has_tab(extension: Extension, env: Environment, result: ApiResult) -> bool:
    if result.steps[-1:] == ("length",) or result.path[-1] in _CONNECTING:
        return False
    types = possible_types(extension, result)
    if types:
        return any(_leads_to_tab(each.type, env) for each in types)
    return any(_leads_to_tab(each.type, env) for each in _passed_parameters(extension, result.path, result))


def _is_of_tab(extension: Extension, env: Environment, read: ApiResult) -> bool:
    """Whether a field that is read may be one of a tab or its changes, or the title of a window."""
    of = replace(read, steps=read.steps[:-1])
    types = possible_types(extension, of)
    if not types:
        return _member(extension, of.path) is None or _has_tab(extension, env, of)
    fields = [each.type.properties for each in types if isinstance(each.type, ObjectType)]
    return any(_FIELD in each or (read.steps[-1] == "title" and "tabs" in each) for each in fields)


def _passed_parameters(
    extension: Extension, path: ApiPath, result: ApiResult | None = None
) -> Sequence[Parameter]:
    """Returns the parameters of the callback or listener of a member; only one of them for a given result."""
    member = _member(extension, path)
    passed = member.result if isinstance(member, Function) else None
    if isinstance(member, Event) and (result is None or result.delivery is Delivery.LISTENER):
        passed = member.listener
    if passed is None:
        return ()
    is_one = result is not None and result.delivery in {Delivery.CALLBACK, Delivery.LISTENER}
    return passed[result.index : result.index + 1] if is_one and result is not None else passed


def _member(extension: Extension, path: ApiPath) -> Member | None:
    """Returns the member at a path; for a method of an event, the event."""
    found = schema_path_of(extension, path)
    return None if found is None else found.member


def _leads_to_tab(kind: Type, env: Environment) -> bool:
    """Whether a value of a type is, or contains, a tab."""
    waiting, visited = [(kind, 0)], set[RefType]()
    while waiting:
        each, depth = waiting.pop()
        if isinstance(each, RefType):
            if each in visited:
                continue
            visited.add(each)
        match env.resolve(each):
            case ObjectType(properties=properties):
                if _FIELD in properties:
                    return True
                inner = [found.type for found in properties.values()]
            case ArrayType(items=items):
                inner = [items]
            case ChoicesType(choices=choices):
                inner = [choice.type for choice in choices]
            case _:
                inner = []
        waiting += [(found, depth + 1) for found in inner if depth < _MAX_DEPTH]
    return False
