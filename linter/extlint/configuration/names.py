"""Names that a user types: split, checked, with the nearest right one suggested."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

from extlint.finding import Severity
from extlint.targets.request import Target, target_of
from extlint.text.nearest import meant
from extlint.text.patterns import lazy
from extlint.text.wording import listed, question

if TYPE_CHECKING:
    from extlint.schema.model import UserSchemas

LEVELS = tuple(str(each) for each in reversed(Severity))
"""What a fail level may be."""

COLORS = ("auto", "always", "never")
"""When the output is colored."""

_LISTED_BY = {"rule": "extlint rule"}
"""The commands that list names of which there are many."""

_NAME = lazy(r"\w+")
_T = TypeVar("_T")


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """The message about an unknown name: with the nearest one, or all, or the command that lists them."""
    known = list(known)
    near = meant(name, known)
    if near is not None:
        return f"no such {kind}: {name}; {question(near)}"
    if kind in _LISTED_BY:
        return f"no such {kind}: {name}; {_LISTED_BY[kind]} lists all {kind}s"
    kinds = f"{kind[:-1]}ies" if kind.endswith("y") and kind != "key" else f"{kind}s"
    return f"no such {kind}: {name}; the {kinds} are {listed(known, 'and')}"


def split_names(texts: Iterable[str]) -> tuple[str, ...]:
    """Names that are repeated or separated by commas, each once."""
    return tuple(dict.fromkeys(name.strip() for each in texts for name in each.split(",") if name.strip()))


def checked(kind: str, read: Callable[[Sequence[str]], tuple[_T, ...]]) -> Callable[..., tuple[_T, ...]]:
    """A click callback for an option that takes names, repeated or separated by commas."""

    def callback(_context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> tuple[_T, ...]:
        found = read(given)
        if given and not found:
            raise click.UsageError(f"option {parameter.opts[0]} requires the name of a {kind}")
        return found

    return callback


def known_rules(given: Iterable[str]) -> tuple[str, ...]:
    """The names of rules and groups in texts, separated by commas. Raises UsageError for an unknown one."""
    from extlint.registry import GROUPS, RULES

    names = split_names(given)
    for name in names:
        check_name("rule", name, (*RULES, *GROUPS))
    return names


def rules_named(names: Iterable[str]) -> tuple[str, ...]:
    """The rules of these names; the name of a group stands for its rules."""
    from extlint.registry import GROUPS, rules_in

    chosen = (rules_in(name) if name in GROUPS else (name,) for name in names)
    return tuple(dict.fromkeys(rule for each in chosen for rule in each))


def named(severity: str) -> Severity:
    """The severity of this name. Raises KeyError."""
    return Severity[severity.upper()]


def known_targets(given: Iterable[str]) -> tuple[Target, ...]:
    """The targets in texts, separated by commas: `firefox`, `chrome>=120`. Raises UsageError as well."""
    from extlint_schemas import TARGETS

    found = dict.fromkeys(_target(text, TARGETS) for text in split_names(given))
    names = [each.name for each in found]
    double = next((name for name in names if names.count(name) > 1), None)
    if double is not None:
        raise click.UsageError(f"the target {double} is given twice, with different versions")
    return tuple(found)


def _target(text: str, known: Sequence[str]) -> Target:
    target = target_of(text)
    if target is None:
        name = _NAME.match(text)
        if name is not None:
            check_name("target", name[0], known)
        raise click.UsageError(f'not a target: {text}; write a name, or a name with a version: "chrome>=120"')
    check_name("target", target.name, known)
    if target.is_specification and (target.minimum or target.maximum):
        raise click.UsageError(f"the target {target.name} has no versions")
    return target


def completed(kind: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """What completes names of a kind in shells: `rule`, `target`, `level`, `color`, or `api`."""

    def complete(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
        from extlint.configuration.completion import completions

        return completions(kind, incomplete)

    return complete


def checked_one(kind: str, known: Iterable[str]) -> Callable[..., str | None]:
    """A click callback for an option that takes one of a few names, or is not given."""

    def callback(_context: click.Context, _parameter: click.Parameter, given: str | None) -> str | None:
        if given is not None:
            check_name(kind, given, known)
        return given

    return callback


def format_option(formats: Mapping[str, str]) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """The option that chooses one of these formats, which it explains; the first is the default."""
    default = next(iter(formats))
    explained = listed([f"{name} ({about})" for name, about in formats.items()], "or")
    return click.option(
        "--output-format",
        "output_format",
        default=default,
        metavar="FORMAT",
        callback=checked_one("output format", formats),
        shell_complete=lambda _context, _parameter, incomplete: [
            name for name in formats if name.startswith(incomplete)
        ],
        help=f"Output format: {explained}.  [default: {default}]",
    )


def color_option(command: Callable[..., int]) -> Callable[..., int]:
    """The option that says whether to color the output."""
    return click.option(
        "--color",
        default="auto",
        metavar="WHEN",
        callback=checked_one("color setting", COLORS),
        shell_complete=completed("color"),
        help="Color the output: auto, always or never.  [default: auto]",
    )(command)


def schemas_option(command: Callable[..., int]) -> Callable[..., int]:
    """The option that adds schemas of the user's own to every target."""
    return click.option(
        "--schemas",
        multiple=True,
        metavar="GLOB",
        callback=_user_schemas,
        help="Files with schemas of your own APIs, added to every target; repeatable.",
    )(command)


def _user_schemas(
    _context: click.Context, _parameter: click.Parameter, patterns: tuple[str, ...]
) -> UserSchemas | None:
    return user_schemas_from(patterns) if patterns else None


def user_schemas_from(patterns: Iterable[str]) -> UserSchemas:
    """The schemas in the files that globs name. Raises UsageError if there are none, or broken ones."""
    from extlint.configuration.user_schemas import BrokenSchemaError, read_schemas

    try:
        return read_schemas(patterns)
    except BrokenSchemaError as error:
        raise click.UsageError(str(error)) from None


def check_name(kind: str, name: str, known: Iterable[str]) -> None:
    """Raises UsageError, with the nearest right name, for one that is not known."""
    known = tuple(known)
    if name not in known:
        raise click.UsageError(unknown(kind, name, known))
