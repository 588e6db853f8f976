"""`extlint.check`, and its options: the same as those of the command, with the same meaning."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from extlint.analysis.cache.cache import NO_CACHE, Cache, cache_folder
from extlint.checking.run import Run
from extlint.linting.configuration.configuration import Configuration
from extlint.linting.configuration.usage_error import (
    LEVELS,
    UsageError,
    check_name,
    load_user_schemas,
    parse_rule_names,
    parse_targets,
)
from extlint.package.files import Package, UnreadableError
from extlint.package.sniff import has_manifest_version
from extlint.package.suffixes import ARCHIVES, has_suffix
from extlint.report.formats.json_output import JsonReporter
from extlint.report.visible import visible
from extlint.services.api.results import Report, report_of_json

Names: TypeAlias = str | Sequence[str]
"""One or more names. A string may have several, separated by commas."""

Path: TypeAlias = str | os.PathLike[str]
"""A path on the disk."""

Paths: TypeAlias = Path | Sequence[Path]
"""One or more paths."""


def configuration_of(
    *,
    targets: Names,
    select: Names,
    ignore: Names,
    extend_select: Names,
    schemas: Paths,
    fail_level: str | None,
    baseline: Path | None,
    gitignore: bool | None,
) -> Configuration:
    """Returns the keys that options set. Raises UsageError."""
    if fail_level is not None:
        check_name("fail level", fail_level, LEVELS)
    patterns = paths_of(schemas)
    return Configuration(
        target=_names("targets", targets, parse_targets),
        schemas=load_user_schemas(patterns) if patterns else None,
        select=_names("select", select, parse_rule_names),
        ignore=_names("ignore", ignore, parse_rule_names),
        extend_select=_names("extend_select", extend_select, parse_rule_names),
        fail_level=fail_level,
        baseline=None if baseline is None else os.fspath(baseline),
        gitignore=gitignore,
    )


def paths_of(paths: Paths) -> tuple[str, ...]:
    """Returns paths as strings."""
    given = (paths,) if isinstance(paths, str | os.PathLike) else tuple(paths)
    return tuple(os.fspath(each) for each in given)


def _names(option: str, given: Names, parse: Callable[[Sequence[str]], tuple[Any, ...]]) -> tuple[Any, ...]:
    texts = (given,) if isinstance(given, str) else tuple(given)
    found = parse(texts)
    if texts and not found:
        raise UsageError(f"{option} requires at least one name")
    return found


_ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
_CRX_START = b"Cr24"


def check(
    path: Paths | bytes = ".",
    *,
    targets: Names = (),
    select: Names = (),
    ignore: Names = (),
    extend_select: Names = (),
    schemas: Paths = (),
    config: Path | None = None,
    fail_level: str | None = None,
    baseline: Path | None = None,
    gitignore: bool | None = None,
    skip_foreign_files: bool = False,
    filename: str | None = None,
    cache: bool | Path = False,
    jobs: int | None = 1,
) -> Report:
    """Checks extensions, and returns everything that `extlint check` reports with the same options.

    It writes nothing: neither to standard output and standard error nor, without `cache`, to the disk.
    Several threads may call it, and check one package at a time.

    - `path`: a path or several, as on the command line: an extension's folder, a folder that contains
      several, a manifest, an archive, or any file of an extension. Or the content of a file, as `bytes`: an
      archive (`.zip`, `.xpi` or `.crx`), or a manifest.
    - `targets`: the browsers to check for, such as `"firefox"` or `["firefox", "chrome>=120"]`. By default,
      those that the extension is made for.
    - `select`, `ignore`, `extend_select`: names of rules and groups, as in the options with these names.
    - `schemas`: globs of files with schemas of your own APIs.
    - `config`: the file with the configuration of all extensions. By default, each extension has the one in
      its folder, or in the nearest folder above. Arguments override it.
    - `fail_level`: the lowest severity that makes `Report.fails` true. By default, `"error"`.
    - `baseline`: the file with known findings, which are not reported.
    - `gitignore`: `False` to check the extensions in a folder that Git ignores, too.
    - `skip_foreign_files`: whether files that belong to no extension are skipped without an error.
    - `filename`: the name of the file with the content `path`. If it names a script or another file of an
      extension on the disk, that extension is checked with this content in place of the file's own.
    - `cache`: `True` to keep what is found out about files in the folder of the command line, or another
      folder.
    - `jobs`: the maximum number of processes that work. `None` stands for the number of processors. Where
      processes cannot be forked, a program that allows more than one must be importable without effects, as
      `multiprocessing` requires.

    Raises `UsageError` for an invalid option, and `UnreadableError` if not a single extension could be
    checked. If only some could not, `Report.unchecked` has the reasons.
    """
    options = configuration_of(
        targets=targets,
        select=select,
        ignore=ignore,
        extend_select=extend_select,
        schemas=schemas,
        fail_level=fail_level,
        baseline=baseline,
        gitignore=gitignore,
    )
    if jobs is not None and jobs < 1:
        raise UsageError(f"jobs must be a number of at least 1, or None, not {jobs}")
    run = Run(options, None if config is None else os.fspath(config), skips_foreign_files=skip_foreign_files)
    if isinstance(path, bytes):
        packages = _packages_in(path, filename, run)
    elif filename is None:
        packages = run.packages_at(required_paths(path))
    else:
        raise UsageError("filename requires the content of the file, as bytes")
    report = report_of_run(run, packages, _cache(cache), jobs)
    if report.unchecked and not report.extensions:
        raise UnreadableError("; ".join(report.unchecked))
    return report


def required_paths(paths: Paths) -> tuple[str, ...]:
    """Returns paths as strings. Raises UsageError without any."""
    found = paths_of(paths)
    if not found:
        raise UsageError("no path is given")
    return found


def report_of_run(
    run: Run, packages: Iterator[Package | UnreadableError], cache: Cache, jobs: int | None = 1
) -> Report:
    """Returns the report about the packages of a run."""
    unchecked: list[str] = []
    result = run.check(packages, [JsonReporter()], unchecked.append, cache=cache, jobs=jobs)
    return report_of_json(result.texts[0], [visible(each) for each in unchecked], fails=result.fails)


def _cache(cache: bool | Path) -> Cache:
    if cache is False:
        return NO_CACHE
    if cache is not True:
        return Cache(os.fspath(cache))
    return Cache(cache_folder())


def _packages_in(data: bytes, filename: str | None, run: Run) -> Iterator[Package | UnreadableError]:
    """Yields the extensions in the content of a file. Raises UnreadableError for an unknown kind of file."""
    is_crx = data.startswith(_CRX_START)
    if is_crx or data.startswith(_ZIP_STARTS) or (filename is not None and has_suffix(filename, ARCHIVES)):
        return run.package_in_archive(data, filename or ("extension.crx" if is_crx else "extension.zip"))
    if filename is None and not has_manifest_version(data):
        raise UnreadableError("the content is neither an archive nor a manifest; name the file with filename")
    return run.package_of(lambda: data, filename)
