"""The work of a worker: it checks an upload, or looks something up, and writes the answer to a file.

Nothing is read from the disk, whatever the names say.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from functools import partial
from io import BytesIO

from msgspec import Struct
from msgspec.json import encode

from extlint.analysis.cache.cache import NO_CACHE, Cache, MemoryCache
from extlint.checking.run import Run, explain_missing_manifest
from extlint.checking.settings import SettingsOf
from extlint.finding import Fix
from extlint.linting.configuration.configuration import Configuration
from extlint.linting.configuration.usage_error import (
    LEVELS,
    UsageError,
    check_name,
    parse_rule_names,
    parse_targets,
)
from extlint.package.discovery.zip_directory import DamagedError, zip_records
from extlint.package.files import MANIFEST, Package, UnreadableError, path_below
from extlint.package.limits import EXPANSION_FROM_BYTES, MAX_EXPANSION, MAX_LISTING_BYTES
from extlint.package.suffixes import ARCHIVES, has_suffix
from extlint.report.report import Report, Summary
from extlint.report.reporter import Options, Reporter, reporter_of
from extlint.report.visible import visible
from extlint.services.permissions.output import Comparison, compare_with, manifest_among, permissions_as_json
from extlint.services.permissions.table import PermissionTable, table_of
from extlint.services.serve.settings import FORMS, Head, Limits, Task
from extlint.services.warm_up import warm_up as load_in_steps

_ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
_CRX_START = b"Cr24"
_JSON_STARTS = (b"{", b"\xef\xbb\xbf{")


class ExpansionError(UnreadableError):
    """An archive whose files are too large. `limit` names the limit."""

    def __init__(self, sentence: str, limit: str) -> None:
        super().__init__(sentence)
        self.limit = limit


class Upload(Struct, frozen=True):
    """An archive or a manifest, and its name."""

    name: str
    data: bytes
    is_archive: bool

    def packages(self, run: Run) -> Iterator[Package | UnreadableError]:
        """Returns the extensions in it, for a run."""
        if self.is_archive:
            return run.package_in_archive(self.data, self.name)
        return iter([Package(".", {MANIFEST: partial(bytes, self.data)}, complete=False)])


def read_upload(descriptor: int, name: str, limits: Limits) -> Upload:
    """Returns an upload with this name. Raises UnreadableError."""
    with open(descriptor, "rb", closefd=False) as stream:
        stream.seek(0)
        data = stream.read()
    is_crx = data.startswith(_CRX_START)
    is_archive_name = has_suffix(name, ARCHIVES)
    if is_crx or data.startswith(_ZIP_STARTS) or is_archive_name:
        check_expansion(data, limits)
        return Upload(name if is_archive_name else f"extension.{'crx' if is_crx else 'zip'}", data, True)
    if has_suffix(name, (".json",)) or data[:64].lstrip().startswith(_JSON_STARTS):
        return Upload(MANIFEST, data, False)
    raise UnreadableError("the body is neither an archive nor a manifest")


def check_expansion(data: bytes, limits: Limits) -> None:
    """Raises ExpansionError for an archive whose directory states too much. Nothing is unpacked."""
    total = 0
    try:
        for record in zip_records(BytesIO(data), MAX_LISTING_BYTES):
            if record is None:
                raise ExpansionError("the archive has too many entries", "entries")
            total += record.size
    except DamagedError:
        return  # the check says so
    if total > limits.unpacked:
        raise ExpansionError(f"the files in the archive have more than {limits.unpacked} bytes", "unpacked")
    if total > max(EXPANSION_FROM_BYTES, MAX_EXPANSION * len(data)):
        raise ExpansionError(
            f"the files in the archive are more than {MAX_EXPANSION} times as large as the archive",
            "expansion",
        )


MAX_TEXT_BYTES = 1024 * 1024
"""Bytes of a file whose text is part of an answer for the page."""


class _Texts:
    """A reporter that collects the texts of files with findings or fixes, and writes nothing."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}
        self.packages: list[Package] = []

    def extension(self, report: Report) -> str:
        """Collects the texts of one extension."""
        package = report.package
        self.packages.append(package)
        paths = {path for each in report.findings for path in (each.path, *_fixed(each.fix))}
        for path in sorted(paths):
            try:
                data = package.read(path)
            except (UnreadableError, KeyError):
                continue
            if len(data) <= MAX_TEXT_BYTES:
                self.found[path_below(_inner(package.name), path)] = data.decode("utf-8-sig", "replace")
        return ""

    def output(self, _parts: Sequence[str], _summary: Summary) -> str:
        """Returns nothing."""
        return ""


def lint(task: Task, upload: Upload, config: str | None) -> tuple[Head, bytes]:
    """Returns the report about an upload in the format of a task. Raises UsageError and UnreadableError."""
    if task.fail_level is not None:
        check_name("fail level", task.fail_level, LEVELS)
    options = Configuration(
        target=parse_targets(task.target),
        select=parse_rule_names(task.select),
        ignore=parse_rule_names(task.ignore),
        fail_level=task.fail_level,
    )
    run = Run(options, config)
    unchecked: list[str] = []
    texts = _Texts()
    is_page = task.form == "page"
    reporters: list[Reporter] = [reporter_of("json" if is_page else task.form, Options())]
    if is_page:
        reporters.append(texts)
    cache = MemoryCache() if is_page else NO_CACHE  # the tables require what the check has found
    result = run.check(upload.packages(run), reporters, unchecked.append, cache=cache)
    if unchecked and not result.summary.checked:
        raise UnreadableError("; ".join(map(visible, unchecked)))
    status = 2 if unchecked else int(result.fails)
    body = result.texts[0].encode()
    if is_page:
        tables = permissions_as_json(
            [(each, None) for each in _readable_tables(texts.packages, options, config, cache)]
        )
        page = {
            "report": json.loads(body),
            "files": texts.found,
            "permissions": tables,
            "unchecked": [visible(each) for each in unchecked],
            "id": None,
        }
        body = json.dumps(page).encode()
    return Head(FORMS[task.form], status), body


def permissions(task: Task, uploads: Sequence[Upload], config: str | None) -> tuple[Head, bytes]:
    """Returns the permissions of one upload, or of the first compared with those of the second."""
    run = Run(Configuration(target=parse_targets(task.target)), config)
    upload, *others = uploads
    older = [_required(package) for each in others for package in each.packages(run)]
    found: list[tuple[PermissionTable, Comparison | None]] = []
    for item in upload.packages(run):
        for variant, settings in run.settings_of.by_manifest(_required(item)):
            table = table_of(variant, settings.choice)
            change = None
            if others:
                name = others[0].name
                change = compare_with(table, manifest_among(older, variant, name), name)
            found.append((table, change))
    return Head(), (json.dumps(permissions_as_json(found), indent=2) + "\n").encode()


def _required(item: Package | UnreadableError) -> Package:
    found = explain_missing_manifest(item)
    if isinstance(found, UnreadableError):
        raise found
    return found


def _readable_tables(
    packages: Sequence[Package], options: Configuration, config: str | None, cache: Cache
) -> Iterator[PermissionTable]:
    """Yields the tables of extensions. A manifest that cannot be read has none."""
    settings_of = SettingsOf(Configuration(target=options.target), config)
    for package in packages:
        try:
            for variant, settings in settings_of.by_manifest(package):
                yield table_of(variant, settings.choice, cache.store_for(package))
        except UnreadableError:
            continue


def _fixed(fix: Fix | None) -> Iterator[str]:
    return iter(()) if fix is None else (each.path for each in fix.edits)


def _inner(name: str) -> str:
    """Returns the folder of an extension in its archive."""
    return name.partition("/")[2]


Answer = tuple[Head, bytes]


def warm_up(config: str | None) -> Iterator[None]:
    """Loads what tasks require, in steps, as `extlint.services.warm_up` does."""
    page = Task("lint", "page", target=("chrome", "firefox"))
    tasks = (Task("lint"), page, Task("lint", target=("edge", "safari")))
    return load_in_steps([partial(_check_example, each, config) for each in tasks])


def _check_example(task: Task, config: str | None, data: bytes) -> None:
    lint(task, Upload("example.zip", data, True), config)


def work(task: Task, uploads: Sequence[int], answer: int, limits: Limits, config: str | None) -> None:
    """Does a task with the descriptors of its uploads, and writes the answer to a descriptor."""
    try:
        head, body = _answer(task, uploads, limits, config)
    except UsageError as error:
        head, body = Head(problem="invalid-option", detail=str(error)), b""
    except ExpansionError as error:
        head, body = Head(problem="too-large", detail=str(error), limit=error.limit), b""
    except UnreadableError as error:
        head, body = Head(problem="unreadable", detail=str(error)), b""
    except MemoryError:
        head, body = Head(problem="limit-exceeded", limit="memory"), b""
    start = encode(head) + b"\n"
    if len(start) + len(body) > limits.answer:
        start, body = encode(Head(problem="limit-exceeded", limit="answer")) + b"\n", b""
    try:
        with open(answer, "wb", closefd=False) as stream:
            stream.write(start)
            stream.write(body)
    except OSError:  # the disk is full: the problem document is short
        os.ftruncate(answer, 0)
        os.pwrite(answer, encode(Head(problem="no-space", limit="disk")) + b"\n", 0)


def _answer(task: Task, uploads: Sequence[int], limits: Limits, config: str | None) -> Answer:
    if task.kind in ("lint", "permissions"):
        found = [read_upload(each, name, limits) for each, name in zip(uploads, task.names, strict=True)]
        return lint(task, found[0], config) if task.kind == "lint" else permissions(task, found, config)
    from extlint.services.serve.lookups import look_up

    return look_up(task)
