"""The interface of output formats, the formats by name, and the pages of rules.

A format's module is imported on demand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Protocol

from msgspec import Struct

from extlint.registry import RULES, load
from extlint.report.report import Report, Summary


class Options(Struct, frozen=True):
    """The user's options for an output, as far as a format supports them.

    `color`, `links` (to the pages of rules), `file_links` and `width` (in columns, or None if unlimited) are
    for terminals. `quiet` omits the counts and the lines about what was checked, and `statistics` adds the
    number of findings of each rule.
    """

    color: bool = False
    quiet: bool = False
    statistics: bool = False
    links: bool = False
    file_links: bool = False
    width: int | None = None


class Reporter(Protocol):
    """An output format. Its output is text with LF line ends that depends only on its arguments.

    `extension` is called for each extension when it has been checked, in any order. `output`, which is called
    once, at the end, writes the counts and numbers over all of them.
    """

    def extension(self, report: Report) -> str:
        """Returns the part of the output for one extension, or an empty string."""
        ...

    def output(self, parts: Sequence[str], summary: Summary) -> str:
        """Returns the output: the parts of the extensions, in order, with the text before and after them."""
        ...


class Format(Struct, frozen=True):
    """A row of the table: `about` describes a format in help and documentation.

    `function` of `module` returns the reporter for the user's options.
    """

    name: str
    about: str
    module: str
    function: str = "reporter"


_TABLE = (
    Format("text", "findings with their code and help", "text_output"),
    Format("concise", "one line for each finding, for grep and editors", "text_output", "concise_reporter"),
    Format("grouped", "one line for each finding, by file", "text_output", "grouped_reporter"),
    Format("json", "everything, for programs", "json_output"),
    Format(
        "json-lines", "one JSON object for each finding, each on a line", "json_output", "json_lines_reporter"
    ),
    Format("sarif", "SARIF 2.1.0, for GitHub's code scanning and for editors", "sarif_output"),
    Format("github", "annotations of GitHub Actions, and the code for the log", "github_output"),
    Format("gitlab", "a Code Quality report of GitLab", "gitlab_output"),
    Format("junit", "test results as JUnit's XML", "xml_output", "junit_reporter"),
    Format("checkstyle", "Checkstyle's XML", "xml_output", "checkstyle_reporter"),
    Format("markdown", "a comment for a pull request", "markdown_output"),
    Format("html", "one page for a browser, with filters", "html_output"),
)

FORMATS = {each.name: each for each in _TABLE}
"""The formats by name."""

DEFAULT = "text"
"""The default format."""

IN_GITHUB_ACTIONS = "github"
"""The default format for a run in a workflow of GitHub Actions that writes to its log."""


def reporter_of(name: str, options: Options) -> Reporter:
    """Returns the reporter for the output format of this name. Raises KeyError for an unknown format."""
    form = FORMATS[name]
    module = import_module(f"extlint.report.formats.{form.module}")
    create: Callable[[Options], Reporter] = getattr(module, form.function)
    return create(options)


RULES_URL = "https://extlint.github.io/extlint/rules"
"""The address of the pages of rules, each in a folder of its name."""


def page_url(rule: str) -> str:
    """Returns the address of a rule's page."""
    return f"{RULES_URL}/{rule}/"


def documentation(rule: str) -> str:
    """Returns a rule's page in Markdown, or an empty string if Python runs without docstrings."""
    return ((load(rule).__doc__ if rule in RULES else None) or "").strip()


def summary(rule: str) -> str:
    """Returns the first sentence of a rule's page."""
    return documentation(rule).partition("\n")[0]
