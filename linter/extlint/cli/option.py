"""An option of a command, groups of options, the options that several commands have, and shell completion.

`_EXTLINT_COMPLETE=bash_source extlint` prints the code that a shell has to run for it; click does the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from extlint.finding import Severity
from extlint.linting.configuration.configuration import Configuration
from extlint.linting.configuration.usage_error import UsageError, check_name, load_user_schemas
from extlint.registry import GROUPS, RULES
from extlint.schema.model import UserSchemas
from extlint.schema.targets import BROWSERS, schema_set
from extlint.text.wording import listed
from extlint_schemas import TARGETS


class Option(Struct, frozen=True):
    """An option: its spelling, its help text, and the conversion of the text that a user enters.

    `flags` are its spellings; the last one is the source of its name, unless `value_name` is set. It takes a
    value, named `metavar` in the help text; without that it is a flag. `parse` receives the given text, or
    else `default`, and for a repeatable option all texts; it raises UsageError. `completions` are those of
    shells.
    """

    flags: tuple[str, ...]
    help: str
    metavar: str | None = None
    default: str | None = None
    is_repeatable: bool = False
    parse: Callable[[Any], Any] | None = None
    completions: Callable[[str], list[str]] | None = None
    value_name: str | None = None

    @property
    def name(self) -> str:
        """The name of its value."""
        return self.value_name or self.flags[-1].lstrip("-").replace("-", "_")

    def value(self, texts: Sequence[str]) -> Any:
        """Returns the value, from all texts given for it; any text sets a flag. Raises UsageError."""
        read: Any = texts[-1] if texts else self.default
        if self.metavar is None:
            read = bool(texts)
        elif self.is_repeatable:
            read = tuple(texts)
        return read if self.parse is None else self.parse(read)


def names_option(
    flag: str,
    noun: str,
    parse: Callable[[Sequence[str]], tuple[Any, ...]],
    help: str,
    *,
    metavar: str = "NAME",
    value_name: str | None = None,
) -> Option:
    """Returns an option for names of rules or targets, as the noun says, repeated or comma-separated."""

    def meant(values: Sequence[str]) -> tuple[Any, ...]:
        found = parse(values)
        if values and not found:
            raise UsageError(f"option {flag} requires the name of a {noun}")
        return found

    return Option(
        (flag,),
        help,
        metavar,
        is_repeatable=True,
        parse=meant,
        completions=name_completion(noun),
        value_name=value_name,
    )


def name_completion(kind: str) -> Callable[[str], list[str]]:
    """Returns a function that completes names of a kind in shells.

    Kinds are `rule`, `target`, `level`, `color` and `api`.
    """

    def complete(incomplete: str) -> list[str]:
        return completions(kind, incomplete)

    return complete


_Options = TypeVar("_Options", bound=Struct)


class OptionGroup(Struct, frozen=True):
    """Options that belong together, and the Struct with a field for the value of each.

    A further option requires a declaration and a field. `title` is shown above them in the help.
    """

    title: str
    values: type[Struct]
    options: tuple[Option, ...]


def configuration_of_options(*groups: Struct) -> Configuration:
    """Returns the keys that options with their names set."""
    values = {field: getattr(group, field) for group in groups for field in group.__struct_fields__}
    return Configuration(**{key: values[key] for key in Configuration.__struct_fields__ if key in values})


def read_options(
    options: type[_Options], groups: Mapping[str, OptionGroup], values: Mapping[str, Any]
) -> _Options:
    """Returns a Struct with the Struct of each group, from the values of all options by name."""
    read = {
        name: group.values(**{each: values[each] for each in group.values.__struct_fields__})
        for name, group in groups.items()
    }
    return options(**read)


COLORS = ("auto", "always", "never")
"""The choices for coloring the output."""


def one_of(kind: str, known: Iterable[str]) -> Callable[[str | None], str | None]:
    """Returns a parser for an option that takes one of a few names, or is not set."""

    def meaning(value: str | None) -> str | None:
        if value is not None:
            check_name(kind, value, known)
        return value

    return meaning


def format_option(formats: Mapping[str, str]) -> Option:
    """Returns the option that selects one of these formats, and explains them; the first is the default."""
    default = next(iter(formats))
    explained = listed([f"{name} ({about})" for name, about in formats.items()], "or")
    return Option(
        ("--output-format",),
        f"Output format: {explained}.  [default: {default}]",
        "FORMAT",
        default,
        parse=one_of("output format", formats),
        completions=lambda incomplete: [name for name in formats if name.startswith(incomplete)],
    )


COLOR = Option(
    ("--color",),
    "Color the output: auto, always or never.  [default: auto]",
    "WHEN",
    "auto",
    parse=one_of("color setting", COLORS),
    completions=name_completion("color"),
)
"""Whether to color the output."""


def _user_schemas(patterns: tuple[str, ...]) -> UserSchemas | None:
    return load_user_schemas(patterns) if patterns else None


SCHEMAS = Option(
    ("--schemas",),
    "Files with schemas of your own APIs, added to every target; repeatable.",
    "GLOB",
    is_repeatable=True,
    parse=_user_schemas,
)
"""The user's own schemas."""

CONFIG = Option(
    ("--config",),
    "Use the configuration in this file for all extensions.  [default: for each extension, the "
    "one in its folder or in the nearest folder above]",
    "FILE",
)
"""The configuration of all extensions."""


def _false_if_set(is_set: bool) -> bool | None:
    """Returns the value of a key that an option turns off."""
    return False if is_set else None


NO_GITIGNORE = Option(
    ("--no-gitignore",),
    "Check the extensions in a folder that Git ignores, too.",
    parse=_false_if_set,
    value_name="gitignore",
)
"""Whether files that Git ignores are skipped; the same as the key `gitignore`."""


def completions(kind: str, incomplete: str) -> list[str]:
    """Returns a kind's names with this prefix; after a comma, only those that are not listed before it."""
    before, comma, last = incomplete.rpartition(",")
    taken = before.split(",") if comma else []
    names = _api_names(incomplete) if kind == "api" else _known_names(kind)
    found = (name for name in names if name.startswith(last) and name not in taken)
    return [f"{before}{comma}{name}" for name in dict.fromkeys(found)]


def _known_names(kind: str) -> Iterable[str]:
    if kind == "target":
        return TARGETS
    if kind == "level":
        return map(str, reversed(Severity))
    if kind == "color":
        return ("auto", "always", "never")

    return (*RULES, *GROUPS)


def _api_names(incomplete: str) -> Iterator[str]:
    namespace = incomplete.rpartition(".")[0]
    for browser in BROWSERS:
        schemas = schema_set(browser)
        yield from schemas.names
        found = schemas.namespace(namespace) if namespace in schemas.names else None
        if found is not None:
            yield from (f"{namespace}.{name}" for name in (*found.members, *found.type_names))
