"""The output formats, by name. A format's module is imported when the format is first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from msgspec import Struct

from extlint.reporter.reporter import FormatModule, Options, Reporter


class Format(Struct, frozen=True):
    """A row of the table: `about` is what help and documents say of a format, `module` is what has it."""

    name: str
    about: str
    module: str


_TABLE = (
    Format("text", "findings with their code and help", "text_output"),
    Format("concise", "one line for each finding, for grep and editors", "concise_output"),
    Format("json", "everything, for programs", "json_output"),
)

FORMATS = {each.name: each for each in _TABLE}
"""The formats by name, the default one first."""


def reporter_of(name: str, options: Options) -> Reporter:
    """The output format of this name. Raises KeyError for a name that is no format's."""
    module = cast("FormatModule", import_module(f"extlint.reporter.{FORMATS[name].module}"))
    return module.reporter(options)
