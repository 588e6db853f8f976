"""`extlint check`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from extlint.batch import check_all
from extlint.commands.names import checked, checked_one, checked_targets, format_option, schemas_option
from extlint.commands.streams import complain, use_color, write
from extlint.finding import Severity
from extlint.package.files import Package, UnreadableError
from extlint.registry import RULES
from extlint.reporter.reporter import Reporter
from extlint.schema.model import Given
from extlint.target import Target

CLEAN, FOUND, COULD_NOT = 0, 1, 2
FORMATS = ("text", "concise", "json")
LEVELS = tuple(str(each) for each in reversed(Severity))


_rules = checked("rule", lambda: RULES)


@click.command("check", short_help="Lint extensions.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--target",
    "targets",
    multiple=True,
    default=("reference",),
    metavar="NAME",
    callback=checked_targets,
    help="Whose API to check against, as in firefox or chrome>=120; repeatable.  [default: reference]",
)
@schemas_option
@click.option(
    "--select", multiple=True, metavar="RULE", callback=_rules, help="Run these rules and no others."
)
@click.option("--ignore", multiple=True, metavar="RULE", callback=_rules, help="Do not run these rules.")
@click.option(
    "--extend-select", multiple=True, metavar="RULE", callback=_rules, help="Run these rules as well."
)
@format_option(FORMATS)
@click.option("--output-file", metavar="FILE", help="Write there instead of to standard output.")
@click.option(
    "--fail-level",
    default="error",
    metavar="LEVEL",
    callback=checked_one("level", LEVELS),
    help="The least severity that makes the exit status 1: error, warning or info.  [default: error]",
)
@click.option(
    "--color",
    default="auto",
    metavar="WHEN",
    callback=checked_one("choice of color", ("auto", "always", "never")),
    help="auto, always or never.  [default: auto]",
)
@click.option("-q", "--quiet", is_flag=True, help="Leave out the line that counts.")
@click.option("--statistics", is_flag=True, help="Count the findings of each rule.")
@click.option("--skip-foreign-files", is_flag=True, help="Pass over files that belong to no extension.")
@click.option("--stdin-filename", metavar="FILE", help="The name of what is read from standard input.")
def check_command(
    paths: tuple[str, ...],
    targets: tuple[Target, ...],
    given: Given,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    extend_select: tuple[str, ...],
    output_format: str,
    output_file: str | None,
    fail_level: str,
    color: str,
    quiet: bool,
    statistics: bool,
    skip_foreign_files: bool,
    stdin_filename: str | None,
) -> int:
    """Lint extensions; the default PATH is the current folder.

    A PATH is an extension's folder, a folder that holds several, a manifest, an archive (.zip, .xpi,
    .crx), or any file of an extension. `-` is standard input.

    The exit status is 0 if nothing was found at or above the fail level, 1 if something was, and 2 if
    something could not be checked.
    """
    rules = _chosen(select, ignore, extend_select)
    packages = _packages(paths, stdin_filename, skip_foreign_files)
    output = None if output_file is None else _writable(output_file)
    colored = use_color(color, sys.stdout) if output is None else color == "always"
    reporter = _reporter(output_format, colored, quiet, statistics, [each.name for each in targets])
    text, summary, all_well = check_all(packages, targets, rules, reporter, complain, given)
    if output is None:
        write(text)
    else:
        output.write_text(text, "utf-8", "backslashreplace", "\n")
    if not all_well:
        return COULD_NOT
    return FOUND if summary.at_least(Severity[fail_level.upper()]) else CLEAN


def _chosen(select: Iterable[str], ignore: Iterable[str], extend_select: Iterable[str]) -> tuple[str, ...]:
    chosen = {*(tuple(select) or RULES), *extend_select} - {*ignore}
    if not chosen:
        raise click.UsageError("no rule is left to run: --ignore names all that --select does")
    return tuple(name for name in RULES if name in chosen)


def _packages(
    paths: Sequence[str], stdin_filename: str | None, skip_foreign_files: bool
) -> Iterator[Package | UnreadableError]:
    from extlint.package.find import NoExtensionError, find_packages, stdin_package

    if "-" not in paths:
        if stdin_filename is not None:
            raise click.UsageError("--stdin-filename needs the path -")
        found = find_packages(paths or (".",))
    elif len(paths) > 1:
        raise click.UsageError("standard input (-) cannot be mixed with other paths")
    else:
        found = iter([stdin_package(sys.stdin.buffer.read(), stdin_filename)])
    return (each for each in found if not (skip_foreign_files and isinstance(each, NoExtensionError)))


def _writable(name: str) -> Path:
    """The file to write to. Tried before the work begins, which may take long."""
    path = Path(name)
    try:
        path.open("ab").close()
    except OSError as error:
        raise click.UsageError(f"cannot write {name}: {error.strerror}") from None
    return path


def _reporter(
    output_format: str, color: bool, quiet: bool, statistics: bool, targets: Sequence[str]
) -> Reporter:
    if output_format == "json":
        from extlint.reporter.machine import JsonReporter

        return JsonReporter(statistics)
    from extlint.reporter.people import PeopleReporter
    from extlint.reporter.style import Style

    return PeopleReporter(Style(color), output_format == "text", quiet, statistics, targets)
