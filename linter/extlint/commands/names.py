"""Names that a user types: split, checked, and answered with the nearest right one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import click

from extlint.near import nearest
from extlint.patterns import lazy
from extlint.target import Target, target_of

if TYPE_CHECKING:
    from extlint.schema.model import Given

_NAME = lazy(r"\w+")


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """What to say of a name that does not exist: the nearest one that does, or all of them."""
    known = list(known)
    near = nearest(name, known)
    if near is not None:
        return f"no such {kind}: {name}; did you mean {near}?"
    return f"no such {kind}: {name}; there is {', '.join(known)}"


def checked(kind: str, known: Callable[[], Iterable[str]]) -> Callable[..., tuple[str, ...]]:
    """A click callback for an option that takes names, repeated or separated by commas."""

    def callback(
        _context: click.Context, parameter: click.Parameter, given: Iterable[str]
    ) -> tuple[str, ...]:
        given = tuple(given)
        names = dict.fromkeys(name.strip() for each in given for name in each.split(",") if name.strip())
        if given and not names:
            raise click.UsageError(f"option {parameter.opts[0]} needs the name of a {kind}")
        for name in names:
            _check(kind, name, known())
        return tuple(names)

    return callback


def checked_targets(
    _context: click.Context, _parameter: click.Parameter, given: Iterable[str]
) -> tuple[Target, ...]:
    """A click callback for targets, repeated or separated by commas: `firefox`, `chrome>=120`."""
    from extlint_schemas import TARGETS

    texts = [text.strip() for each in given for text in each.split(",") if text.strip()]
    if not texts:
        raise click.UsageError("option --target needs the name of a target")
    found = dict.fromkeys(_target(text, TARGETS) for text in texts)
    names = [each.name for each in found]
    double = next((name for name in names if names.count(name) > 1), None)
    if double is not None:
        raise click.UsageError(f"the target {double} is asked for twice, with different versions")
    return tuple(found)


def _target(text: str, known: Sequence[str]) -> Target:
    target = target_of(text)
    if target is None:
        name = _NAME.match(text)
        if name is not None:
            _check("target", name[0], known)
        raise click.UsageError(f"not a target: {text}; write NAME, or NAME>=VERSION such as {known[-1]}>=120")
    _check("target", target.name, known)
    if target.name == known[0] and (target.minimum or target.maximum):
        raise click.UsageError(f"the target {target.name} has no versions")
    return target


def checked_one(kind: str, known: Iterable[str]) -> Callable[..., str]:
    """A click callback for an option that takes one of a few names."""

    def callback(_context: click.Context, _parameter: click.Parameter, given: str) -> str:
        _check(kind, given, known)
        return given

    return callback


def format_option(formats: Sequence[str]) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """The option that chooses one of these formats; the first is the default."""
    return click.option(
        "--output-format",
        "output_format",
        default=formats[0],
        metavar="FORMAT",
        callback=checked_one("output format", formats),
        help=f"{', '.join(formats[:-1])} or {formats[-1]}.  [default: {formats[0]}]",
    )


def schemas_option(command: Callable[..., int]) -> Callable[..., int]:
    """The option that adds schemas of the user's own to every target."""
    return click.option(
        "--schemas",
        "given",
        multiple=True,
        metavar="GLOB",
        callback=_given,
        help="Files with schemas of your own namespaces, for every target; repeatable.",
    )(command)


def _given(_context: click.Context, _parameter: click.Parameter, patterns: tuple[str, ...]) -> Given:
    from extlint.schema.model import NOTHING_GIVEN

    if not patterns:
        return NOTHING_GIVEN
    from extlint.schema.given import BrokenSchemaError, read_schemas

    try:
        return read_schemas(patterns)
    except BrokenSchemaError as error:
        raise click.UsageError(str(error)) from None


def _check(kind: str, name: str, known: Iterable[str]) -> None:
    known = tuple(known)
    if name not in known:
        raise click.UsageError(unknown(kind, name, known))
