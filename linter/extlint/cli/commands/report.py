"""`extlint report`."""

from __future__ import annotations

import click

from extlint.cli.modules import can_load, missing_library
from extlint.cli.process import FAILED, SUCCESS
from extlint.cli.streams import complain, write
from extlint.package.files import UnreadableError


@click.command("report", short_help="Write a page about a scan, or compare two.")
@click.argument("folder", metavar="DIR")
@click.option("--against", metavar="DIR", help="Folder of another scan, to compare with.")
@click.option("--output", metavar="FILE", help="File for the page.  [default: standard output]")
@click.option("--checksum", is_flag=True, help="Write only the checksum of the rows.")
def report_command(folder: str, against: str | None, output: str | None, checksum: bool) -> int:
    """Write one self-contained HTML page about the tables that `extlint scan` has written to DIR."""
    if not can_load("duckdb", "fsspec", "pyarrow"):
        complain(missing_library("report", "DuckDB, PyArrow and fsspec", "scan"))
        return FAILED
    from extlint.checking.output_file import OutputFile
    from extlint.services.scan.report_page import ScanTables, page_about

    file = None if output is None else OutputFile(output)
    try:
        tables = ScanTables(folder, against)
    except UnreadableError as error:
        complain(str(error))
        return FAILED
    page = f"{tables.checksum()}\n" if checksum else page_about(tables)
    if file is None:
        write(page)
    else:
        file.write(page)
    return SUCCESS
