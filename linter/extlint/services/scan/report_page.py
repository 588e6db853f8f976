"""The page about a scan: its sections, each a query and a table, which can be sorted; shares have bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
from msgspec import DecodeError, Struct, ValidationError
from msgspec.json import decode

from extlint.package.files import UnreadableError
from extlint.registry import RULES
from extlint.report.formats.html_document import document, element, message, own_file, text
from extlint.report.reporter import page_url
from extlint.services.scan.output import HEAD, TABLES, Head, Output
from extlint.services.scan.settings import file_system_of, is_remote
from extlint.services.scan.tables import MEASURED

MAX_ROWS = 30
"""Rows of a section that shows only the largest."""


class Column(Struct, frozen=True):
    """A column: its heading, and how its values are shown.

    `kind` is `text`, `rule`, `count`, `share` (of 1, with a bar), `change`, `bytes` or `seconds`.
    """

    heading: str
    kind: str = "text"


class Section(Struct, frozen=True):
    """A section with a table. It is left out if the query has no rows."""

    title: str
    columns: tuple[Column, ...]
    query: str
    note: str = ""


_RULE = Column("Rule", "rule")
_FINDINGS = Column("Findings", "count")
_PACKAGES = Column("Packages", "count")
_SHARE = Column("Share of packages", "share")
_PACKAGE = Column("Package")
_CHECKED = "(SELECT count(*) FROM packages WHERE status = 'checked')"


def _shares(title: str, heading: str, expression: str, note: str = "") -> Section:
    """Returns a section with the packages for each value of a column, or for each item of a list."""
    query = f"""
        SELECT value, count(*), count(*) / {_CHECKED}
        FROM (SELECT {expression} AS value FROM packages WHERE status = 'checked')
        WHERE value IS NOT NULL GROUP BY value ORDER BY count(*) DESC, value LIMIT {MAX_ROWS}
    """
    return Section(title, (Column(heading), _PACKAGES, _SHARE), query, note)


def _largest(title: str, heading: str, column: str, kind: str) -> Section:
    query = f"""
        SELECT id, coalesce(name, ''), {column} FROM packages WHERE {column} IS NOT NULL
        ORDER BY {column} DESC, id LIMIT {MAX_ROWS}
    """
    return Section(title, (_PACKAGE, Column("Name"), Column(heading, kind)), query)


SECTIONS = (
    Section(
        "Outcomes",
        (Column("Status"), _PACKAGES, Column("Share of all packages", "share")),
        """
        SELECT status, count(*), count(*) / (SELECT count(*) FROM packages)
        FROM packages GROUP BY status ORDER BY count(*) DESC, status
        """,
    ),
    Section(
        "Rules",
        (_RULE, Column("Severity"), _FINDINGS, _PACKAGES, _SHARE),
        f"""
        SELECT rule, severity, count(*), count(DISTINCT id), count(DISTINCT id) / {_CHECKED}
        FROM findings GROUP BY rule, severity ORDER BY count(*) DESC, rule, severity
        """,
    ),
    Section(
        "Permissions",
        (
            Column("Permission"),
            Column("Requested", "count"),
            _SHARE,
            Column("Optional", "count"),
            Column("Used", "count"),
            Column("Unused", "count"),
        ),
        f"""
        WITH named AS (
            SELECT unnest(permissions) AS name, 1 AS requested, 0 AS optional, 0 AS used, 0 AS unused
            FROM packages
            UNION ALL SELECT unnest(optional_permissions), 0, 1, 0, 0 FROM packages
            UNION ALL SELECT unnest(used_permissions), 0, 0, 1, 0 FROM packages
            UNION ALL SELECT unnest(unused_permissions), 0, 0, 0, 1 FROM packages
        )
        SELECT name, sum(requested), sum(requested) / {_CHECKED}, sum(optional), sum(used), sum(unused)
        FROM named GROUP BY name ORDER BY sum(requested) DESC, sum(optional) DESC, name
        """,
        "A permission counts as used if a script names an API that it grants, and as unused if certainly "
        "nothing uses it. Some permissions grant nothing that a script could name.",
    ),
    _shares("Hosts", "Match pattern", "unnest(hosts)"),
    _shares("Manifest versions", "Version", "manifest_version::VARCHAR"),
    _shares("Targets", "Target", "unnest(targets)", "A package may be checked for several targets."),
    _shares("Origin of the targets", "Origin", "targets_from"),
    _shares("Contexts", "Context", "unnest(contexts)"),
    _shares("Code that was not checked", "Reason", "unnest(unchecked)"),
    _largest("Slowest packages", "Processor time", "seconds", "seconds"),
    _largest("Largest packages", "Size", "size", "bytes"),
    _largest("Most memory", "Memory", "memory", "bytes"),
    Section(
        "Failures",
        (_PACKAGE, Column("Status"), Column("Reason")),
        f"""
        SELECT id, status, coalesce(reason, '') FROM packages WHERE status <> 'checked'
        ORDER BY status, id LIMIT {MAX_ROWS * 10}
        """,
        f"The first {MAX_ROWS * 10}.",
    ),
)
"""The sections of a report about one scan."""

_SAME = "a.id = b.id"


def _differing(title: str, table: str, other: str, note: str) -> Section:
    """Returns a section with the findings of one table that the other one does not have."""
    query = f"""
        SELECT f.rule, f.id, f.path || ':' || f.line, f.message FROM {table} f
        JOIN packages a ON a.id = f.id JOIN packages_before b ON {_SAME} AND a.sha256 = b.sha256
        ANTI JOIN {other} g ON f.id = g.id AND f.rule = g.rule AND f.path = g.path
            AND f.message = g.message AND f.targets = g.targets
        ORDER BY f.rule, f.id, f.path, f.line LIMIT {MAX_ROWS * 10}
    """
    columns = (_RULE, _PACKAGE, Column("Place"), Column("Message"))
    return Section(title, columns, query, f"The first {MAX_ROWS * 10}. {note}".strip())


COMPARISON = (
    Section(
        "Packages",
        (Column("Change"), _PACKAGES),
        f"""
        SELECT change, count(*) FROM (
            SELECT CASE WHEN b.id IS NULL THEN 'added' WHEN a.id IS NULL THEN 'removed'
                WHEN a.sha256 IS DISTINCT FROM b.sha256 THEN 'changed' ELSE 'unchanged' END AS change
            FROM packages a FULL JOIN packages_before b ON {_SAME}
        ) GROUP BY change ORDER BY change
        """,
    ),
    Section(
        "Findings by rule",
        (_RULE, Column("Before", "count"), Column("Now", "count"), Column("Change", "change")),
        """
        SELECT rule, sum(before), sum(now), sum(now) - sum(before) FROM (
            SELECT rule, 0 AS before, 1 AS now FROM findings
            UNION ALL SELECT rule, 1, 0 FROM findings_before
        ) GROUP BY rule HAVING sum(now) <> sum(before) ORDER BY abs(sum(now) - sum(before)) DESC, rule
        """,
    ),
    _differing(
        "New findings in packages that did not change",
        "findings",
        "findings_before",
        "They show what another version, or other settings, report.",
    ),
    _differing(
        "Findings that were removed from packages that did not change", "findings_before", "findings", ""
    ),
    Section(
        "Outcomes that differ",
        (_PACKAGE, Column("Before"), Column("Now"), Column("Reason")),
        f"""
        SELECT a.id, b.status, a.status, coalesce(a.reason, '') FROM packages a
        JOIN packages_before b ON {_SAME} WHERE a.status <> b.status ORDER BY a.id LIMIT {MAX_ROWS * 10}
        """,
    ),
)
"""The sections that compare a scan with another one."""


class ScanTables:
    """The tables `packages` and `findings` of a scan, and `packages_before`, `findings_before` of another."""

    def __init__(self, folder: str, before: str | None = None) -> None:
        """Raises UnreadableError for a folder without a scan."""
        self._connection = duckdb.connect()
        self.head = self._add(folder, "")
        self.head_before = None if before is None else self._add(before, "_before")

    def rows(self, query: str) -> Sequence[tuple[Any, ...]]:
        """Returns the rows of a query."""
        found: list[tuple[Any, ...]] = self._connection.execute(query).fetchall()
        return found

    def checksum(self) -> str:
        """Returns a digest of the rows of both tables, which does not depend on their order.

        Two scans of the same packages by the same version have the same, however often they were
        interrupted: the columns with measurements do not count.
        """
        excluded = ", ".join(MEASURED)
        queries = (
            f"SELECT md5(to_json(p)) AS row FROM (SELECT * EXCLUDE ({excluded}) FROM packages) p",
            "SELECT md5(to_json(f)) AS row FROM findings f",
        )
        parts = [self.rows(f"SELECT md5(string_agg(row, '' ORDER BY row)) FROM ({each})") for each in queries]
        return "-".join(str(part[0][0] or "none") for part in parts)

    def _add(self, folder: str, suffix: str) -> Head:
        folder = folder.rstrip("/")
        data = Output(folder).read(HEAD)
        try:
            head = decode(data or b"", type=Head)
        except (DecodeError, ValidationError):
            raise UnreadableError(f"{folder} has no scan") from None
        if is_remote(folder):
            self._connection.register_filesystem(file_system_of(folder)[0])
        for table in TABLES:
            files = f"{folder}/{table}/*.parquet".replace("'", "''")
            try:
                self._connection.execute(
                    f"CREATE VIEW {table}{suffix} AS SELECT * FROM read_parquet('{files}')"
                )
            except duckdb.IOException:
                raise UnreadableError(f"{folder} has no finished shard") from None
        return head


_UNITS = ("bytes", "kB", "MB", "GB", "TB")
_NUMBERS = frozenset({"count", "share", "change", "bytes", "seconds"})


def page_about(tables: ScanTables) -> str:
    """Returns the page about a scan, compared with another one if there is one."""
    ((packages, checked, findings),) = tables.rows(
        "SELECT count(*), count(*) FILTER (status = 'checked'), (SELECT count(*) FROM findings) FROM packages"
    )
    title = f"{packages:,} packages, {findings:,} findings"
    body = [
        element("h1", "extlint scan"),
        element("p", text(f"{title}; {checked:,} packages were checked"), class_="total"),
        element("p", text(_about(tables.head)), class_="soft"),
        element("p", f"Checksum of the rows: {element('code', text(tables.checksum()))}", class_="soft"),
    ]
    if tables.head_before is not None:
        body.append(element("h2", "Compared with another scan"))
        body.append(element("p", text(f"Before: {_about(tables.head_before)}"), class_="soft"))
        body += [_section(each, tables, "h3") for each in COMPARISON]
    body += [_section(each, tables, "h2") for each in SECTIONS]
    style = own_file("report.css") + _own_file("scan.css")
    return document(f"extlint scan: {title}", body, style, _own_file("scan.js"))


def _about(head: Head) -> str:
    facts = ", ".join(f"{name} {version}" for name, version in head.facts.items())
    targets = ", ".join(head.settings.target) or "the targets of each package"
    return f"By extlint {head.extlint} for {targets}, with facts from {facts}"


def _section(section: Section, tables: ScanTables, heading: str) -> str:
    rows = tables.rows(section.query)
    if not rows:
        return ""
    header = "".join(_header(each) for each in section.columns)
    lines = "\n".join(element("tr", "".join(_cells(section.columns, row))) for row in rows)
    caption = element("caption", text(section.title))
    table = element("table", f"{caption}{element('thead', element('tr', header))}{element('tbody', lines)}")
    note = element("p", message(section.note), class_="soft") if section.note else ""
    return element("section", element(heading, text(section.title)) + note + element("div", table))


def _header(column: Column) -> str:
    kind = "number" if column.kind in _NUMBERS else "text"
    button = element("button", text(column.heading), type="button")
    return element("th", button, scope="col", class_=kind)


def _cells(columns: Sequence[Column], row: Sequence[Any]) -> Iterator[str]:
    for column, value in zip(columns, row, strict=True):
        if column.kind in _NUMBERS:
            yield element("td", _number(column.kind, value), class_="number", **{"data-value": str(value)})
        elif column.kind == "rule" and value in RULES:
            link = element("a", text(value), href=page_url(value), rel="noopener noreferrer")
            yield element("td", link)
        else:
            yield element("td", message(str(value)))


def _number(kind: str, value: float) -> str:
    if kind == "share":
        width = f"{value * 100:.2f}"
        bar = f'<svg aria-hidden="true" viewBox="0 0 100 4"><rect width="{width}" height="4"/></svg>'
        return f"{value:.1%}{bar}"
    if kind == "seconds":
        return f"{value:,.2f} s"
    if kind == "bytes":
        return _size(value)
    return f"{int(value):+,}" if kind == "change" else f"{int(value):,}"


def _size(value: float) -> str:
    at = 0
    while value >= 1000 and at < len(_UNITS) - 1:
        value /= 1000
        at += 1
    return f"{value:,.0f} {_UNITS[at]}" if at == 0 else f"{value:,.1f} {_UNITS[at]}"


def _own_file(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")
