"""The tables as Parquet files."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import pyarrow as pa
from msgspec import Struct
from msgspec.json import encode
from pyarrow import parquet

from extlint import __version__
from extlint.services.scan.rows import FindingRow, PackageRow
from extlint_schemas import versions_of_facts

_STRINGS = pa.list_(pa.string())

PACKAGES = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("address", pa.string(), nullable=False),
        pa.field("status", pa.string(), nullable=False),
        pa.field("reason", pa.string()),
        pa.field("sha256", pa.string()),
        pa.field("size", pa.int64()),
        pa.field("files", pa.int32()),
        pa.field("name", pa.string()),
        pa.field("version", pa.string()),
        pa.field("manifest_version", pa.int8()),
        pa.field("targets", _STRINGS),
        pa.field("targets_from", pa.string()),
        pa.field("permissions", _STRINGS),
        pa.field("optional_permissions", _STRINGS),
        pa.field("used_permissions", _STRINGS),
        pa.field("unused_permissions", _STRINGS),
        pa.field("hosts", _STRINGS),
        pa.field("optional_hosts", _STRINGS),
        pa.field("contexts", _STRINGS),
        pa.field("scripts", pa.int32()),
        pa.field("script_bytes", pa.int64()),
        pa.field("errors", pa.int32()),
        pa.field("warnings", pa.int32()),
        pa.field("infos", pa.int32()),
        pa.field("incomplete", pa.int32()),
        pa.field("unchecked", _STRINGS),
        pa.field("seconds", pa.float64()),
        pa.field("memory", pa.int64()),
    ]
)
"""The columns of the table `packages`."""

FINDINGS = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("rule", pa.string(), nullable=False),
        pa.field("severity", pa.string(), nullable=False),
        pa.field("message", pa.string(), nullable=False),
        pa.field("help", pa.string()),
        pa.field("path", pa.string(), nullable=False),
        pa.field("line", pa.int32(), nullable=False),
        pa.field("column", pa.int32(), nullable=False),
        pa.field("end_line", pa.int32(), nullable=False),
        pa.field("end_column", pa.int32(), nullable=False),
        pa.field("api", pa.string()),
        pa.field("targets", _STRINGS),
        pa.field("fix", pa.string()),
    ]
)
"""The columns of the table `findings`."""

MEASURED = ("seconds", "memory")
"""The columns of `packages` that differ between two scans of the same packages."""


def packages_file(rows: Sequence[PackageRow]) -> bytes:
    """Returns a Parquet file with these rows."""
    return _file(rows, PACKAGES)


def findings_file(rows: Sequence[FindingRow]) -> bytes:
    """Returns a Parquet file with these rows."""
    return _file(rows, FINDINGS)


def _file(rows: Sequence[Struct], columns: pa.Schema) -> bytes:
    metadata = {"extlint": __version__, "facts": encode(versions_of_facts())}
    values = [{name: getattr(row, name) for name in columns.names} for row in rows]
    table = pa.Table.from_pylist(values, schema=columns.with_metadata(metadata))
    stream = BytesIO()
    parquet.write_table(table, stream, compression="zstd")
    return stream.getvalue()
