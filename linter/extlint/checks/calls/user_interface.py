"""Finds items of menus that never show, side panels without a page, and mistakes in rules that calls add.

Verified in Firefox 153: an item without contexts has those of its parent, and shows where both are for
something that is clicked. `page` is for a click on nothing else.

Chromium 156 accepts the contexts `browser_action` and `page_action` in Manifest V3, and then compares them
with the kind of the icon, which is `action` (`chrome/browser/extensions/extension_context_menu_model.cc`).

Verified in Chromium 156: `sidePanel.open` fails with "No active side panel for tabId: 1" if neither the
manifest nor an earlier call of `sidePanel.setOptions` names a page.

Finds the mistakes in the declarativeNetRequest rules that scripts add.

Browsers refuse the call for the reasons for which they refuse a rule of a file, except that session rules may
have `tabIds` and `excludedTabIds`. Verified in Chromium 156 and Firefox 153 by
`extlint_judge ask declarativeNetRequest.updateSessionRules --call`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint.analysis.facts.events import MENU_NAMESPACES
from extlint.analysis.facts.script_facts import CallSite
from extlint.analysis.facts.values import ArrayValue, Kind, Literal, ObjectValue, Value
from extlint.checks.api.enum_constants import with_constant_values
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.calls.argument_values import string_values_at
from extlint.checks.other_manifests import may_hold_in_other_manifest
from extlint.checks.reachability.closed_world import has_all_own_code
from extlint.checks.reachability.occasions import occasions_of
from extlint.extension import Extension, Script
from extlint.manifest.manifest import Manifest
from extlint.project.builds import may_be_completed
from extlint.project.contexts.words import words_of
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.schema.matching.call import CallProblem
from extlint.schema.validation.mistake import Mistake, Reaction, Steps
from extlint.text.json.values import JsonValue
from extlint.text.positions import ByteSpan
from extlint.text.wording import listed, quoted

CREATING = frozenset(f"{each}.create" for each in MENU_NAMESPACES)
"""The functions that create items of menus."""

_PLACES: tuple[frozenset[str], ...] = (
    frozenset({"page"}),
    frozenset({"audio", "editable", "image", "link", "password", "selection", "video"}),
    frozenset({"action", "browser_action", "page_action"}),
    frozenset({"bookmark"}),
    frozenset({"tab"}),
)
"""The contexts in groups: no click is in contexts of two groups."""

_DEFAULT = frozenset({"page"})
_ACTION = "action"
_OLD_ACTIONS = frozenset({"browser_action", "page_action"})
"""The contexts that Manifest V3 replaced by `action`."""


def hidden_items(extension: Extension, call: CallSite) -> Iterator[CallProblem]:
    """Yields a problem if the item that a call creates never shows together with its parent."""
    options = _options(call)
    parent = _text(options, "parentId")
    if options is None or parent is None or "contexts" not in options.fields:
        return
    own, of_parent = _contexts(options), _contexts_by_id(extension).get(parent)
    if own is None or of_parent is None or not _are_apart(own, of_parent):
        return
    yield CallProblem(
        "invalid-argument",
        options.fields["contexts"].value.span,
        f"the item never shows: its contexts are not those of its parent, which shows only for "
        f"{listed([quoted(each) for each in sorted(of_parent)], 'or')}",
        "does not show an item where its parent does not show",
        "leave out `contexts`, or give both the same ones",
        is_ignored=True,
    )


def renamed_contexts(extension: Extension, script: Script, call: CallSite) -> Iterator[CallProblem]:
    """Yields the contexts that Chrome shows nothing for, because the icon has another name in Manifest V3."""
    options = _options(call)
    contexts = None if options is None else _contexts(options)
    is_other = extension.schemas.engine is not Engine.CHROMIUM or not _is_action(extension.manifest)
    if contexts is None or is_other or contexts & {_ACTION, "all"} or not contexts & _OLD_ACTIONS:
        return
    if may_be_completed(extension, _ACTION) or may_hold_in_other_manifest(
        extension, script, lambda manifest: not _is_action(manifest)
    ):
        return
    old = next(each for each in string_values_at(call.arguments[0], "contexts") if each.value in _OLD_ACTIONS)
    yield CallProblem(
        "invalid-argument",
        old.span,
        f"the item does not show in the menu of the icon: in Manifest V3 that context is "
        f"{quoted(_ACTION)}, not {quoted(str(old.value))}",
        f"shows an item in the menu of the icon only for the context {quoted(_ACTION)}",
        suggestion=_ACTION,
        is_ignored=True,
    )


def _is_action(manifest: Manifest) -> bool:
    return manifest.version == 3 and manifest.get(_ACTION) is not None


def _are_apart(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether no click is in contexts of both."""
    groups = [{at for at, each in enumerate(_PLACES) if each & names} for names in (one, other)]
    known = frozenset().union(*_PLACES)
    return (one | other) <= known and not groups[0] & groups[1]


@query
def _contexts_by_id(extension: Extension) -> Mapping[str, frozenset[str] | None]:
    """The contexts of each item, or None if they are not certain."""
    found: dict[str, frozenset[str] | None] = {}
    for script in extension.scripts:
        for call in script.facts.calls:
            if ".".join(call.path) in CREATING:
                options = _options(call)
                name = _text(options, "id")
                if name is not None and options is not None:
                    found[name] = None if name in found else _contexts(options) or None
            elif call.path[0] in MENU_NAMESPACES and call.path[1:] == ("update",):
                return {}
    return found


def _options(call: CallSite) -> ObjectValue | None:
    first = call.arguments[0] if call.arguments else None
    return first if isinstance(first, ObjectValue) and not first.open else None


def _text(options: ObjectValue | None, key: str) -> str | None:
    field = None if options is None else options.fields.get(key)
    value = None if field is None or field.maybe_absent else field.value
    return value.value if isinstance(value, Literal) and isinstance(value.value, str) else None


def _contexts(options: ObjectValue) -> frozenset[str] | None:
    """Returns the contexts of an item, or None if they are not certain."""
    if "contexts" not in options.fields:
        return None if "parentId" in options.fields else _DEFAULT
    field = options.fields["contexts"]
    if field.maybe_absent or not isinstance(field.value, ArrayValue) or field.value.open:
        return None
    known = [str(each.value) for each in field.value.items if isinstance(each, Literal)]
    return frozenset(known) if known and len(known) == len(field.value.items) else None


OPENING = "sidePanel.open"
_SETTING = ("sidePanel", "setOptions")
_KEY = "side_panel"


def panel_problems(extension: Extension, script: Script, call: CallSite) -> Iterator[CallProblem]:
    """Yields a problem if no page is set when a call opens the side panel."""
    if extension.schemas.engine is not Engine.CHROMIUM or extension.manifest.get(_KEY, "default_path"):
        return
    setting = None if may_be_completed(extension, _KEY) else _setting_calls(extension)
    if setting is None or unavailabilities_of(extension, call.path, script.contexts):
        return
    missing = f"the manifest has no {quoted(f'{_KEY}.default_path')}"
    if not setting:
        yield _problem(f"the side panel has no page: {missing}, and no script sets one")
    elif all(_is_later(extension, script, call, *each) for each in setting):
        name = quoted(".".join(_SETTING))
        yield _problem(f"the side panel has no page yet: {missing}, and {name} is called only afterwards")


def _problem(message: str) -> CallProblem:
    help = f"set a page before, with {quoted('.'.join(_SETTING))} or in the manifest"
    return CallProblem("invalid-argument", None, message, "requires a page for the side panel", help)


@query
def _setting_calls(extension: Extension) -> tuple[tuple[Script, CallSite], ...] | None:
    """The calls that may set the page of the side panel, or None if there may be others."""
    if not has_all_own_code(extension) or words_of(extension).has_unresolved(_SETTING[1]):
        return None
    found: list[tuple[Script, CallSite]] = []
    for script in extension.scripts:
        named = [each for each in script.facts.references if each.path == _SETTING]
        calls = [each for each in script.facts.calls if each.path == _SETTING]
        several = (each.path for each in script.facts.possible_references)
        if len(named) > len(calls) or _SETTING in several:
            return None
        found += [(script, each) for each in calls if _may_set_page(each)]
    return tuple(found)


def _may_set_page(call: CallSite) -> bool:
    first = call.arguments[0] if call.arguments else None
    return not isinstance(first, ObjectValue) or first.open or "path" in first.fields


def _is_later(extension: Extension, script: Script, call: CallSite, other: Script, setting: CallSite) -> bool:
    """Whether a call is made on the same occasions as an earlier one in the same function, and only then."""
    if other.location != script.location:
        return False
    occasions, opening = occasions_of(extension, script, setting), occasions_of(extension, script, call)
    return (
        bool(occasions)
        and all(each.certain for each in occasions)
        and {each.event for each in occasions} == {each.event for each in opening}
        and extension.searches.is_later(script, call.span, setting.span)
    )


DYNAMIC_RULES = "declarativeNetRequest.updateDynamicRules"
SESSION_RULES = "declarativeNetRequest.updateSessionRules"

_ONLY_IN_SESSIONS = ("tabIds", "excludedTabIds")
_ACCEPTED = ("deprecated-key", "unknown-key")
"""The mistakes in rules that browsers accept: a key that does nothing, and one that has a successor."""


def rule_problems(extension: Extension, call: CallSite, api: str) -> Iterator[CallProblem]:
    """Yields the problems for which the target's browser refuses the rules in `addRules`."""
    added = call.arguments[0] if call.arguments else None
    field = added.fields.get("addRules") if isinstance(added, ObjectValue) else None
    if field is None or not isinstance(field.value, ArrayValue) or extension.schemas.engine is None:
        return
    from extlint.checks.request_rules import mistakes_in

    known = _KnownRules(with_constant_values(extension, field.value))
    for mistake in mistakes_in(known.rules, extension.target.name):
        is_for_session = mistake.at_key and mistake.steps[-1] in _ONLY_IN_SESSIONS
        span = known.certain_span(mistake)
        if span is None or mistake.rule in _ACCEPTED or (is_for_session and api == SESSION_RULES):
            continue
        if mistake.reaction is Reaction.IGNORES and extension.schemas.engine is Engine.CHROMIUM:
            continue  # the message is about a rule of a file, which is skipped
        suggestion = mistake.suggestion if isinstance(mistake.suggestion, str) else None
        yield CallProblem(
            "invalid-argument",
            span,
            mistake.sentence,
            "accepts only valid rules",
            mistake.advice,
            None if mistake.at_key else suggestion,
        )


class _KnownRules:
    """The known parts of rules as JSON, and where the script has them."""

    def __init__(self, value: Value) -> None:
        self._values: dict[Steps, ByteSpan | None] = {}
        self._keys: dict[Steps, ByteSpan | None] = {}
        self._partly_unknown: set[Steps] = set()
        items = value.items if isinstance(value, ArrayValue) else ()
        self.rules: list[JsonValue] = []
        for each in items:
            found = self._json(each, (len(self.rules),))
            if found is not None:
                self.rules.append(found)

    def certain_span(self, mistake: Mistake) -> ByteSpan | None:
        """Returns the place of a mistake, or None if an unknown part of its rule may prevent it."""
        place = self._keys.get(mistake.steps) if mistake.at_key else self._values.get(mistake.steps)
        if mistake.steps[:1] not in self._partly_unknown:
            return place
        is_about_value = mistake.rule == "invalid-value" and not (mistake.missing or mistake.at_key)
        return place if is_about_value and mistake.steps not in self._partly_unknown else None

    def _json(self, value: Value, steps: Steps) -> JsonValue:
        """Returns a value as JSON, or None for null, undefined and unknown values."""
        self._values[steps] = value.span
        match value:
            case Literal(kind=Kind.NUMBER, value=float(number)) if number.is_integer():
                return int(number)
            case Literal(kind=Kind.NULL | Kind.UNDEFINED):
                return None
            case Literal(value=str() | bool() | float() as plain):
                return plain
            case ObjectValue():
                return self._object(value, steps)
            case ArrayValue(items=items, open=False):
                found = [self._json(each, (*steps, at)) for at, each in enumerate(items)]
                if None not in found:
                    return found
        self._mark_unknown(steps)
        return None

    def _object(self, value: ObjectValue, steps: Steps) -> JsonValue:
        if value.open:
            self._mark_unknown(steps)
        found: dict[str, JsonValue] = {}
        for name, field in value.fields.items():
            inner = (*steps, name)
            part = None if field.maybe_absent else self._json(field.value, inner)
            if field.maybe_absent:
                self._mark_unknown(inner)
            if part is not None:
                self._keys[inner] = field.key
                found[name] = part
        return found

    def _mark_unknown(self, steps: Steps) -> None:
        self._partly_unknown.update(steps[:length] for length in range(1, len(steps) + 1))
