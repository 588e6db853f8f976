"""The sections of a report: a title, the query, and the columns of the table that shows its rows."""

from __future__ import annotations

from msgspec import Struct

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
