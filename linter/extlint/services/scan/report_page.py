"""The page about a scan: a table for each section, which can be sorted; shares have bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
from msgspec import DecodeError, ValidationError
from msgspec.json import decode

from extlint.package.files import UnreadableError
from extlint.registry import RULES
from extlint.report.formats.html_document import document, element, message, own_file, text
from extlint.report.reporter import page_url
from extlint.services.scan.output import HEAD, TABLES, Head, Output
from extlint.services.scan.report_sections import COMPARISON, SECTIONS, Column, Section
from extlint.services.scan.settings import file_system_of, is_remote
from extlint.services.scan.tables import MEASURED


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
