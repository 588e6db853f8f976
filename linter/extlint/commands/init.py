"""`extlint init`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from extlint.commands.exit_status import FAILED, SUCCESS
from extlint.commands.options.in_click import declared
from extlint.commands.options.option import Option
from extlint.commands.options.shared import one_of
from extlint.commands.streams import complain, write
from extlint.configuration.source import FORMS, Source
from extlint.configuration.usage_error import UsageError
from extlint.package.files import UnreadableError
from extlint.text.wording import listed

if TYPE_CHECKING:
    from extlint.first_configuration.content import FirstConfiguration

_NAMES = tuple(each.name for each in FORMS)


@click.command("init", short_help="Write a first configuration.")
@click.argument("path", default=".", metavar="[PATH]")
@declared(
    Option(
        ("--file",),
        f"File to write: {listed(_NAMES, 'or')}; the last two must exist.  [default: {_NAMES[0]}]",
        "NAME",
        _NAMES[0],
        meaning=one_of("configuration file", _NAMES),
        renamed="name",
    )
)
@declared(Option(("--print",), "Print the configuration, and write nothing.", renamed="only_print"))
def init_command(path: str, name: str, only_print: bool) -> int:
    """Write a first configuration into the folder PATH, from the extensions that are found in it.

    It names the browsers that each is made for, and leaves out copies that a build has made. What is there
    already is never overwritten.
    """
    from extlint.first_configuration.content import first_configuration
    from extlint.first_configuration.survey import survey

    if not Path(path).is_dir():
        raise UsageError(f"no such folder: {path}")
    form = next(each for each in FORMS if each.name == name)
    source = Source(os.path.abspath(path), "" if path == "." else path, form)
    if not only_print:
        _refuse_second(source)
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
        _put(source, first)
    except UnreadableError as error:
        raise UsageError(str(error)) from None
    write(f"Wrote {source.called}. To see what is in force: extlint config {path}\n")
    return SUCCESS


def _refuse_second(new: Source) -> None:
    """Raises UsageError if a file already is the configuration of the folder."""
    from extlint.configuration.project_file import called_as, folders_above, sources_in

    for folder in folders_above(new.folder):
        called = called_as(new.called_folder or ".", folder)
        for source in sources_in(folder, called):
            try:
                is_one = source.table() is not None
            except UnreadableError as error:
                raise UsageError(str(error)) from None
            if is_one:
                raise UsageError(f"{source.called} is the configuration of this folder already")


def _text(source: Source, first: FirstConfiguration) -> str:
    """Returns the text that is written, or added to an existing file."""
    if source.form.name == "package.json":
        return json.dumps({"extlint": first.values}, indent=2, ensure_ascii=False) + "\n"
    return first.toml(".".join(source.form.keys))


def _put(source: Source, first: FirstConfiguration) -> None:
    """Writes the configuration. Raises UnreadableError if the file does not have the required form."""
    if not source.form.keys:
        _create(source, _text(source, first))
        return
    from extlint.commands.output_file import OutputFile
    from extlint.first_configuration.insertion import with_member, with_table
    from extlint.package.disk import read_file

    data = read_file(source.path, source.called)
    if source.form.name == "package.json":
        new = with_member(data, "extlint", first.values, source.called)
    else:
        source.parsed(data)
        new = with_table(data, _text(source, first))
    if not _has(source, new, first):
        raise UnreadableError(f"[{'.'.join(source.form.keys)}] cannot be added to {source.called}")
    OutputFile(source.path).write(new.decode())


def _has(source: Source, data: bytes, first: FirstConfiguration) -> bool:
    """Whether a new text has the expected content, so that the file's form allowed the addition."""
    try:
        return source.form.table_in(source.parsed(data)) == first.values
    except UnreadableError:
        return False


def _create(source: Source, text: str) -> None:
    """Creates a file that does not exist yet. Raises UnreadableError."""
    try:
        with Path(source.path).open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except FileExistsError:
        raise UnreadableError(f"{source.called} exists already") from None
    except OSError as error:
        raise UnreadableError(
            f"cannot write {source.called}: {(error.strerror or str(error)).lower()}"
        ) from None
