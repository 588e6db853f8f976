"""Errors in what a user writes, and the check of names, which suggests another one for a misspelled one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct

from extlint.finding import Severity
from extlint.registry import GROUPS, RULES, rules_in
from extlint.schema.model import UserSchemas
from extlint.schema.targets import Target, target_of
from extlint.text.nearest import suggest_name
from extlint.text.patterns import lazy
from extlint.text.wording import listed, suggestion_question
from extlint_schemas import TARGETS


class UsageError(Exception):
    """An error whose text is a sentence for the user."""


Step: TypeAlias = str | int
"""A key in a table or an index in a list: one step of the path to a value."""


class ConfigurationError(Exception):
    """An error message about a value, and the steps of the path to the value.

    `at_key` is true if the key is wrong, not the value. `part` is the part of the value that is wrong.
    """

    def __init__(
        self, sentence: str, steps: tuple[Step, ...], *, at_key: bool = False, part: str | None = None
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.steps = steps
        self.at_key = at_key
        self.part = part


class Place(Struct, frozen=True):
    """The location of a value in a configuration. `folder` is the folder of the file, as users write it."""

    folder: str
    steps: tuple[Step, ...] = ()

    def at(self, step: Step) -> Place:
        """Returns the location one step further."""
        return Place(self.folder, (*self.steps, step))

    @property
    def key(self) -> str:
        """The nearest key, as messages name it."""
        return next(str(step) for step in reversed(self.steps) if isinstance(step, str))

    def mistake(self, sentence: str, *, at_key: bool = False, part: str | None = None) -> ConfigurationError:
        """Returns an error with this message at this location."""
        return ConfigurationError(sentence, self.steps, at_key=at_key, part=part)


LEVELS = tuple(str(each) for each in reversed(Severity))
"""The valid fail levels."""

_LIST_COMMANDS = {"rule": "extlint rule"}
"""The commands that list the names of a kind, where there are too many for a message."""

_NAME = lazy(r"\w+")


def unknown_name_message(kind: str, name: str, known: Iterable[str]) -> str:
    """Returns the message for an unknown name: with the nearest name, all, or the command that lists them."""
    known = list(known)
    near = suggest_name(name, known)
    if near is not None:
        return f"no such {kind}: {name}; {suggestion_question(near)}"
    if kind in _LIST_COMMANDS:
        return f"no such {kind}: {name}; {_LIST_COMMANDS[kind]} lists all {kind}s"
    kinds = f"{kind[:-1]}ies" if kind.endswith("y") and kind != "key" else f"{kind}s"
    return f"no such {kind}: {name}; the {kinds} are {listed(known, 'and')}"


def split_names(texts: Iterable[str]) -> tuple[str, ...]:
    """Returns the names in texts that may repeat them or separate them by commas, each once."""
    return tuple(dict.fromkeys(name.strip() for each in texts for name in each.split(",") if name.strip()))


def parse_rule_names(texts: Iterable[str]) -> tuple[str, ...]:
    """Returns the names of rules and groups in comma-separated texts. Raises UsageError for unknown ones."""
    names = split_names(texts)
    for name in names:
        check_name("rule", name, (*RULES, *GROUPS))
    return names


def expand_rule_names(names: Iterable[str]) -> tuple[str, ...]:
    """Returns the rules with these names, replacing the name of a group by its rules."""
    chosen = (rules_in(name) if name in GROUPS else (name,) for name in names)
    return tuple(dict.fromkeys(rule for each in chosen for rule in each))


def severity_named(severity: str) -> Severity:
    """Returns the severity with this name. Raises KeyError."""
    return Severity[severity.upper()]


def parse_targets(texts: Iterable[str]) -> tuple[Target, ...]:
    """Returns the targets in comma-separated texts (`firefox`, `chrome>=120`). Raises UsageError."""
    found = dict.fromkeys(_target(text, TARGETS) for text in split_names(texts))
    names = [each.name for each in found]
    double = next((name for name in names if names.count(name) > 1), None)
    if double is not None:
        raise UsageError(f"the target {double} is given twice, with different versions")
    return tuple(found)


def _target(text: str, known: Sequence[str]) -> Target:
    target = target_of(text)
    if target is None:
        name = _NAME.match(text)
        if name is not None:
            check_name("target", name[0], known)
        raise UsageError(f'not a target: {text}; write a name, or a name with a version: "chrome>=120"')
    check_name("target", target.name, known)
    if target.is_specification and (target.minimum or target.maximum):
        raise UsageError(f"the target {target.name} has no versions")
    return target


def load_user_schemas(patterns: Iterable[str]) -> UserSchemas:
    """Returns the schemas in the files that globs match. Raises UsageError if they are missing or invalid."""
    from extlint.linting.configuration.user_schemas import BrokenSchemaError, read_schemas

    try:
        return read_schemas(patterns)
    except BrokenSchemaError as error:
        raise UsageError(str(error)) from None


def check_name(kind: str, name: str, known: Iterable[str]) -> None:
    """Raises UsageError for an unknown name, with the nearest known name."""
    known = tuple(known)
    if name not in known:
        raise UsageError(unknown_name_message(kind, name, known))
