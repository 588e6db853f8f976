"""Checks one source, an archive or a folder, and returns the rows about the extensions in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from extlint.checking.report_of import observing_extensions
from extlint.checking.run import Run, explain_missing_manifest
from extlint.checks.locales.catalogs import messages_of
from extlint.extension import Extension
from extlint.linting.configuration.configuration import Configuration
from extlint.linting.configuration.usage_error import parse_rule_names, parse_targets
from extlint.manifest.manifest import Manifest
from extlint.package.files import Package, UnreadableError
from extlint.report.formats.json_output import JsonReporter
from extlint.report.report import Report, Summary
from extlint.report.visible import visible
from extlint.services.api.results import Finding, report_of_json
from extlint.services.permissions.prompts import Kind, Request, requests_of
from extlint.services.permissions.table import places_of_uses
from extlint.services.scan.rows import FindingRow, PackageRow, Rows, Status
from extlint.services.scan.settings import CheckSettings

_UNUSED = "unused-permission"
_INTERNAL = "internal error"


class _Reports:
    """A reporter that keeps the reports, and writes nothing."""

    def __init__(self) -> None:
        self.found: list[Report] = []

    def extension(self, report: Report) -> str:
        """Keeps the report of one extension."""
        self.found.append(report)
        return ""

    def output(self, _parts: Sequence[str], _summary: Summary) -> str:
        """Returns nothing."""
        return ""


def check_source(place: str, address: str, settings: CheckSettings, config: str, *, is_folder: bool) -> Rows:
    """Returns the rows about the extensions in a folder, or in a file with an archive, at `place`.

    They are named after `address`. `config` is the file of the configuration in the settings.
    """
    options = Configuration(
        target=parse_targets(settings.target),
        select=parse_rule_names(settings.select),
        ignore=parse_rule_names(settings.ignore),
        extend_select=parse_rule_names(settings.extend_select),
        gitignore=False,
    )
    run = Run(options, config)
    if is_folder:
        packages = run.packages_at([place])
    else:
        with open(place, "rb") as stream:
            packages = run.package_in_archive(stream.read(), address)
    rows = Rows()
    for package in packages:
        _add(rows, address, run, explain_missing_manifest(package))
    return rows


def _add(rows: Rows, address: str, run: Run, package: Package | UnreadableError) -> None:
    if isinstance(package, UnreadableError):
        rows.packages.append(
            PackageRow(address, address, Status.UNREADABLE.value, visible(str(package)) or None)
        )
        return
    unchecked: list[str] = []
    extensions: list[Extension] = []
    reports = _Reports()
    with observing_extensions(extensions.append):
        result = run.check([package], [JsonReporter(), reports], unchecked.append)
    row = PackageRow(_id(address, package.name), address, reason=visible("; ".join(unchecked)) or None)
    rows.packages.append(row)
    if not reports.found:
        row.status = _failure(unchecked).value
        return
    report = report_of_json(result.texts[0], unchecked, fails=result.fails)
    _describe_check(row, reports.found, extensions)
    row.errors, row.warnings, row.infos = (
        report.summary.errors,
        report.summary.warnings,
        report.summary.infos,
    )
    for each in report.extensions:
        row.targets = [*each.targets]
        row.targets_from = each.targets_from
        row.files = each.files
        row.incomplete = each.incomplete
        row.unchecked = sorted({code.reason for code in each.unchecked})
    rows.findings += [_finding(row.id, each) for each in report.findings]


def _id(address: str, name: str) -> str:
    """Returns the name of an extension: its source, and its folder in an archive."""
    return name if name.startswith(f"{address}/") else address


def _failure(unchecked: Sequence[str]) -> Status:
    return Status.FAILED if any(_INTERNAL in each for each in unchecked) else Status.UNREADABLE


def _finding(name: str, found: Finding) -> FindingRow:
    fix = None if found.fix is None else "safe" if found.fix.safe else "unsafe"
    return FindingRow(
        name,
        found.rule,
        found.severity,
        found.message,
        found.help,
        found.path,
        found.start.line,
        found.start.column,
        found.end.line,
        found.end.column,
        found.api,
        [*found.targets],
        fix,
    )


def _describe_check(row: PackageRow, reports: Iterable[Report], extensions: Sequence[Extension]) -> None:
    """Fills the columns about the manifest and the scripts, from what the rules of all targets saw."""
    if not extensions:
        return
    manifests = [each.manifest for each in extensions]
    first = manifests[0]
    row.name = _text(extensions[0], first, "name")
    row.version = _string(first, "version")
    row.manifest_version = first.version if first.is_object else None
    requests = [request for each in manifests for request in requests_of(each)]
    row.permissions = _names(requests, {Kind.REQUIRED, Kind.KEY}, is_host=False)
    row.optional_permissions = _names(requests, {Kind.OPTIONAL}, is_host=False)
    row.hosts = _names(requests, {Kind.REQUIRED, Kind.CONTENT_SCRIPT}, is_host=True)
    row.optional_hosts = _names(requests, {Kind.OPTIONAL}, is_host=True)
    used = {name for each in extensions for name in places_of_uses(each)}
    row.used_permissions = sorted(used & {*row.permissions, *row.optional_permissions})
    unused = {each.span for report in reports for each in report.findings if each.rule == _UNUSED}
    row.unused_permissions = sorted({each.name for each in requests if each.span in unused})
    scripts = {script.location: script for each in extensions for script in each.scripts}
    row.contexts = sorted(
        {context.kind.value for each in extensions for script in each.scripts for context in script.contexts}
    )
    row.scripts = len(scripts)
    row.script_bytes = sum(len(each.index.text) - each.base for each in scripts.values())


def _names(requests: Iterable[Request], kinds: set[Kind], *, is_host: bool) -> list[str]:
    return sorted({each.name for each in requests if each.kind in kinds and each.is_host == is_host})


def _string(manifest: Manifest, key: str) -> str | None:
    found = manifest.get(key)
    return found.value if found is not None and isinstance(found.value, str) else None


def _text(extension: Extension, manifest: Manifest, key: str) -> str | None:
    """Returns a string of the manifest, or the text of the message of the default locale that it names."""
    found = _string(manifest, key)
    if found is None or not found.startswith("__MSG_"):
        return found
    messages = messages_of(extension)
    text = None if messages is None else messages.text_of(found)
    return found if text is None else text
