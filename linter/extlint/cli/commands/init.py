"""`extlint init`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from extlint.cli.click_options import declare_option
from extlint.cli.option import Option, one_of
from extlint.cli.process import FAILED, SUCCESS
from extlint.cli.streams import complain, write
from extlint.linting.configuration.project_file import display_name, folders_above
from extlint.linting.configuration.source import FORMS, Source, sources_in
from extlint.linting.configuration.usage_error import UsageError
from extlint.package.disk import read_file
from extlint.package.files import UnreadableError
from extlint.text.wording import listed

if TYPE_CHECKING:
    from extlint.cli.first_configuration import FirstConfiguration

_NAMES = tuple(each.name for each in FORMS)


@click.command("init", short_help="Write a first configuration.")
@click.argument("path", default=".", metavar="[PATH]")
@declare_option(
    Option(
        ("--file",),
        f"File to write: {listed(_NAMES, 'or')}; the last two must exist.  [default: {_NAMES[0]}]",
        "NAME",
        _NAMES[0],
        parse=one_of("configuration file", _NAMES),
        value_name="name",
    )
)
@declare_option(Option(("--print",), "Print the configuration, and write nothing.", value_name="only_print"))
def init_command(path: str, name: str, only_print: bool) -> int:
    """Write a first configuration into the folder PATH, from the extensions that are found in it.

    It names the browsers that each is made for, and leaves out copies that a build has made. What is there
    already is never overwritten.
    """
    from extlint.cli.first_configuration import first_configuration
    from extlint.cli.survey import survey

    if not Path(path).is_dir():
        raise UsageError(f"no such folder: {path}")
    form = next(each for each in FORMS if each.name == name)
    source = Source(os.path.abspath(path), "" if path == "." else path, form)
    if not only_print:
        _require_no_configuration(source)
    found = survey(path)
    if found.extensions or not found.made:
        for sentence in found.unreadable:
            complain(sentence)
        if not found.extensions:
            return FAILED
    first = first_configuration(found)
    if only_print:
        write(_text(source, first))
        return SUCCESS
    try:
        _write_configuration(source, first)
    except UnreadableError as error:
        raise UsageError(str(error)) from None
    write(f"Wrote {source.display_path}. To see what is in force: extlint config {path}\n")
    return SUCCESS


def _require_no_configuration(new: Source) -> None:
    """Raises UsageError if a file already is the configuration of the folder."""
    for folder in folders_above(new.folder):
        called = display_name(new.display_folder or ".", folder)
        for source in sources_in(folder, called):
            try:
                is_one = source.table() is not None
            except UnreadableError as error:
                raise UsageError(str(error)) from None
            if is_one:
                raise UsageError(f"{source.display_path} is the configuration of this folder already")


def _text(source: Source, first: FirstConfiguration) -> str:
    """Returns the text that is written, or added to an existing file."""
    if source.form.name == "package.json":
        return json.dumps({"extlint": first.values}, indent=2, ensure_ascii=False) + "\n"
    return first.toml(".".join(source.form.keys))


def _write_configuration(source: Source, first: FirstConfiguration) -> None:
    """Writes the configuration. Raises UnreadableError if the file does not have the required form."""
    if not source.form.keys:
        _create(source, _text(source, first))
        return
    from extlint.checking.output_file import OutputFile
    from extlint.linting.configuration.insertion import with_member, with_table

    data = read_file(source.path, source.display_path)
    if source.form.name == "package.json":
        new = with_member(data, "extlint", first.values, source.display_path)
    else:
        source.parse(data)
        new = with_table(data, _text(source, first))
    if not _has_expected_content(source, new, first):
        raise UnreadableError(f"[{'.'.join(source.form.keys)}] cannot be added to {source.display_path}")
    OutputFile(source.path).write(new.decode())


def _has_expected_content(source: Source, data: bytes, first: FirstConfiguration) -> bool:
    """Whether a new text has the expected content, so that the file's form allowed the addition."""
    try:
        return source.form.table_in(source.parse(data)) == first.values
    except UnreadableError:
        return False


def _create(source: Source, text: str) -> None:
    """Creates a file that does not exist yet. Raises UnreadableError."""
    try:
        with Path(source.path).open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except FileExistsError:
        raise UnreadableError(f"{source.display_path} exists already") from None
    except OSError as error:
        raise UnreadableError(
            f"cannot write {source.display_path}: {(error.strerror or str(error)).lower()}"
        ) from None
