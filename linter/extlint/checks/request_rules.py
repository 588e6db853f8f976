"""Finds the mistakes in the rule files that a manifest names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice

from msgspec.structs import replace

from extlint.checks.request_semantics import semantic_mistakes
from extlint.schema.engine import Engine
from extlint.schema.targets import FACTS_OF, browser_name, engine_of
from extlint.schema.validation.browser_differences import DEPRECATED, Verdict, agreed_mistakes, with_null
from extlint.schema.validation.mistake import Mistake, Reaction, Steps
from extlint.schema.validation.schema_path import is_comment, is_known_key, keys_of
from extlint.schema.validation.validator import Validator, validator
from extlint.text.json.values import JsonValue
from extlint.text.nearest import nearest
from extlint.text.wording import available_in, quoted
from extlint_schemas import json_schema

MAX_RULES_SHOWN = 100
"""Wrong rules of one file that are reported individually, and as many with deprecated keys.

The rest are counted at the end.
"""

MAX_MISTAKES_SHOWN = 100
"""Mistakes of one rule that are reported."""

MAX_MISTAKES_FOUND = 1_000
"""Mistakes of one rule that are searched for."""

MAX_RULES_EXPLAINED = 1_000
"""Rules of one file that are explained. A browser may reject the rest for other reasons."""

MAX_REGEX_RULES = 1_000
"""Rules of a file that can have a `regexFilter`. Verified in Firefox 153 and Chromium 156."""

_TOP = ("id", "priority", "condition", "action")
_PARTS: tuple[Steps, ...] = (
    (),
    ("condition",),
    ("action",),
    ("action", "redirect"),
    ("action", "redirect", "transform"),
    ("action", "redirect", "transform", "queryTransform"),
)
_ENGINES = (Engine.GECKO, Engine.CHROMIUM)


def _discard(what: str) -> None:
    pass


def mistakes_in(
    rules: JsonValue,
    target: str,
    leave_out: Callable[[str], None] = _discard,
    *,
    of_all_browsers: bool = False,
) -> Iterator[Mistake]:
    """Yields the mistakes in the contents of a rule file, for a target. `leave_out` receives the omissions.

    With `of_all_browsers`, yields only those that every browser rejects.

    Firefox 153 loads the extension anyway, and skips the rules that are wrong. Chromium 156 rejects it.
    """
    skips = engine_of(target) is Engine.GECKO
    judges = _ENGINES if of_all_browsers else _engines_for(target)
    for mistake in _mistakes_in(rules, judges, leave_out):
        yield replace(mistake, reaction=mistake.reaction or Reaction.IGNORES) if skips else mistake


def _mistakes_in(
    rules: JsonValue, judges: Sequence[Engine], leave_out: Callable[[str], None]
) -> Iterator[Mistake]:
    if not isinstance(rules, list):
        yield Mistake("invalid-value", (), "a rule file must contain a list of rules")
        return
    yield from _repeated_ids(rules, leave_out)
    yield from _too_many_regexes(rules)
    wrong = (
        index
        for index, rule in enumerate(rules)
        if not any(_accepts(rule, each) for each in reversed(judges))
    )
    shown_counts: Counter[bool] = Counter()
    hidden: list[int] = []
    for index in islice(wrong, MAX_RULES_EXPLAINED):
        mistakes = list(agreed_mistakes([_verdict(rules[index], index, each, judges) for each in judges]))
        is_accepted = all(each.rule == DEPRECATED for each in mistakes)
        if shown_counts[is_accepted] < MAX_RULES_SHOWN:
            shown_counts[is_accepted] += bool(mistakes)
            yield from mistakes[:MAX_MISTAKES_SHOWN]
            if len(mistakes) > MAX_MISTAKES_SHOWN:
                what = f"this rule has more than {MAX_MISTAKES_SHOWN} mistakes"
                yield Mistake("invalid-value", (index,), what)
        elif is_accepted:
            hidden += [index] if mistakes else []
        else:
            yield _others("invalid-value", index, sum(1 for _ in wrong), "mistakes")
            break
    if hidden:
        yield _others(DEPRECATED, hidden[0], len(hidden) - 1, "deprecated keys")
    if next(wrong, None) is not None:
        leave_out(f"the first {MAX_RULES_EXPLAINED} rules that some browser refuses are judged")


def _others(kind: str, index: int, more: int, what: str) -> Mistake:
    """Returns the mistake that stands for those of a rule and of more rules after it."""
    rules = "this rule has" if more == 0 else f"this and {more} more rules have"
    return Mistake(kind, (index,), f"{rules} {what}")


def _engines_for(target: str) -> tuple[Engine, ...]:
    """Returns the engine whose checks apply to a target, or both engines for a target without its own."""
    return tuple(each for each in _ENGINES if each is engine_of(target)) or _ENGINES


def _repeated_ids(rules: Sequence[JsonValue], leave_out: Callable[[str], None]) -> Iterator[Mistake]:
    firsts: dict[int, int] = {}
    reported_count = 0
    for index, rule in enumerate(rules):
        number = rule.get("id") if isinstance(rule, dict) else None
        if type(number) is not int:
            continue
        first = firsts.setdefault(number, index)
        if first != index:
            reported_count += 1
            if reported_count > MAX_RULES_SHOWN:
                leave_out(f"the first {MAX_RULES_SHOWN} rules with the id of an earlier one are reported")
                return
            message = f"an earlier rule also has the id {number}"
            yield Mistake("duplicate-rule-id", (index, "id"), message, related_steps=(first, "id"))


def _too_many_regexes(rules: Sequence[JsonValue]) -> Iterator[Mistake]:
    number = 0
    for index, rule in enumerate(rules):
        condition = rule.get("condition") if isinstance(rule, dict) else None
        if isinstance(condition, dict) and isinstance(condition.get("regexFilter"), str):
            number += 1
            if number > MAX_REGEX_RULES:
                message = f"browsers accept at most {MAX_REGEX_RULES} rules with `regexFilter` in one file"
                yield Mistake("invalid-value", (index, "condition", "regexFilter"), message, at_key=True)
                return


def _accepts(rule: JsonValue, engine: Engine) -> bool:
    """Whether a browser accepts a rule without mistakes."""
    if not isinstance(rule, dict):
        return False
    if not _schema(engine).accepts(rule):
        rule = _effective_rule(rule, engine)
        if not isinstance(rule, dict) or not _schema(engine).accepts(rule):
            return False
    return next(semantic_mistakes(rule, engine), None) is None


def _effective_rule(rule: JsonValue, engine: Engine) -> JsonValue:
    """Returns a rule without keys for people or programs, and for Firefox without keys that are null."""
    if isinstance(rule, dict):
        rule = {key: each for key, each in rule.items() if not _is_custom_key(key)}
    return _for_browser(rule, engine)


def _for_browser(value: JsonValue, engine: Engine) -> JsonValue:
    if isinstance(value, list):
        return [_for_browser(each, engine) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _for_browser(each, engine)
        for key, each in value.items()
        if not is_comment(key) and (each is not None or engine is not Engine.GECKO)
    }


def _verdict(rule: JsonValue, index: int, engine: Engine, engines: Sequence[Engine]) -> Verdict:
    """Returns a browser's verdict on a rule: each location once, mistakes in combinations of parts first."""
    read = _effective_rule(rule, engine)
    meant = (
        list(islice(semantic_mistakes(read, engine), MAX_MISTAKES_FOUND)) if isinstance(read, dict) else []
    )
    found: dict[object, Mistake] = {}
    foreign: set[Steps] = set()
    typed = _schema(engine).mistakes(read, (index,))
    misspelt = {each.steps[:-1] for each in typed if each.rule == "unknown-key"}
    for mistake in (*(_in_file(each, index) for each in meant), *typed):
        if mistake.missing:
            holder = _at(rule, mistake.steps[1:])
            if not isinstance(holder, dict) or mistake.steps in misspelt:
                continue
            mistake = with_null(mistake, holder)
        if mistake.rule == "unknown-key":
            other = _other_engine_with(mistake.steps[1:], engine)
            if other is not None:
                foreign.add(mistake.steps)
                if len(engines) > 1:
                    continue
                key = quoted(str(mistake.steps[-1]))
                what = f"{key} is not available in rules in"
                message = f"{what} {_browser_name(engine)}; {available_in(_browser_name(other))}"
                mistake = mistake.reworded(message, general=f"{what} every browser")
            elif part := _parts().get(str(mistake.steps[-1])):
                help = f"it belongs in {quoted('.'.join(map(str, part)))}"
                mistake = replace(mistake, help=help, accepted=None)
        found.setdefault((mistake.steps, mistake.missing), mistake)
    return Verdict(tuple(found.values()), frozenset(foreign))


def _in_file(mistake: Mistake, index: int) -> Mistake:
    """Returns a mistake of a rule as one of its file."""
    related_steps = None if mistake.related_steps is None else (index, *mistake.related_steps)
    return replace(mistake, steps=(index, *mistake.steps), related_steps=related_steps)


def _at(value: JsonValue, steps: Steps) -> JsonValue:
    """Returns the value at a path of keys and indexes, or None if it does not exist."""
    for step in steps:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step]
        else:
            return None
    return value


@cache
def _parts() -> dict[str, Steps]:
    """Returns, for each key that some browser reads, the outermost part of a rule that has it."""
    found: dict[str, Steps] = {}
    for part in _PARTS:
        for engine in _ENGINES:
            for key in keys_of(json_schema(_schema_name(engine)), part):
                found.setdefault(key, part)
    return found


@lru_cache(maxsize=1_000)
def _is_custom_key(key: str) -> bool:
    """Whether a key next to the parts of a rule is not a browser's key, not even a misspelled one.

    Programs store data for their own use there, under any name.
    """
    return is_comment(key) or (key not in _parts() and nearest(key, _TOP) is None)


def _other_engine_with(steps: Steps, engine: Engine) -> Engine | None:
    """Returns another browser that has the key at the end of a path in a rule, or None."""
    other_engines = (each for each in _ENGINES if each is not engine)
    return next(
        (
            each
            for each in other_engines
            if is_known_key(json_schema(f"request_rules/{FACTS_OF[each]}"), steps)
        ),
        None,
    )


def _schema(engine: Engine) -> Validator:
    return validator(_schema_name(engine))


def _schema_name(engine: Engine) -> str:
    return f"request_rules/{FACTS_OF[engine]}"


def _browser_name(engine: Engine) -> str:
    return browser_name(FACTS_OF[engine])
