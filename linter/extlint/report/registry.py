"""The output formats, by name. A format's module is imported on demand."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from msgspec import Struct

from extlint.report.reporter import FormatModule, Options, Reporter


class Format(Struct, frozen=True):
    """A row of the table: `about` describes a format in help and documentation, `module` implements it."""

    name: str
    about: str
    module: str


_TABLE = (
    Format("text", "findings with their code and help", "text_output"),
    Format("concise", "one line for each finding, for grep and editors", "concise_output"),
    Format("grouped", "one line for each finding, by file", "grouped_output"),
    Format("json", "everything, for programs", "json_output"),
    Format("json-lines", "one JSON object for each finding, each on a line", "json_lines_output"),
    Format("sarif", "SARIF 2.1.0, for GitHub's code scanning and for editors", "sarif_output"),
    Format("github", "annotations of GitHub Actions, and the code for the log", "github_output"),
    Format("gitlab", "a Code Quality report of GitLab", "gitlab_output"),
    Format("junit", "test results as JUnit's XML", "junit_output"),
    Format("checkstyle", "Checkstyle's XML", "checkstyle_output"),
    Format("markdown", "a comment for a pull request", "markdown_output"),
    Format("html", "one page for a browser, with filters", "html.page"),
)

FORMATS = {each.name: each for each in _TABLE}
"""The formats by name."""

DEFAULT = "text"
"""The default format."""

IN_GITHUB_ACTIONS = "github"
"""The default format for a run in a workflow of GitHub Actions that writes to its log."""


def reporter_of(name: str, options: Options) -> Reporter:
    """Returns the reporter for the output format of this name. Raises KeyError for an unknown format."""
    module = cast("FormatModule", import_module(f"extlint.report.formats.{FORMATS[name].module}"))
    return module.reporter(options)
