"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from extlint.cli.options.option import Option, name_completion
from extlint.linting.configuration.names import check_name, load_user_schemas
from extlint.schema.model import UserSchemas
from extlint.text.wording import listed

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
