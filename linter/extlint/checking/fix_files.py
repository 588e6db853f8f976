"""Writes changed files. Each has either its old or all of its new content, whatever happens."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from extlint.package.disk import read_file
from extlint.package.files import Package, UnreadableError, path_below
from extlint.package.paths import is_below
from extlint.processes.stop_actions import run_on_stop
from extlint.report.report import Change


class NotWrittenError(Exception):
    """The reason why files were not changed; the text is one sentence for the user."""


class _Prepared(Struct):
    """A temporary file with a new text, next to the file that it replaces."""

    name: str
    temporary: Path
    file: Path


def write_changes(package: Package, changes: Sequence[Change]) -> None:
    """Writes the changes of a package's files. Raises NotWrittenError if not all of them could be written.

    All new texts are on the disk before the first file is replaced, so nothing is changed if one cannot
    be written. A file keeps its permissions; a link to it remains a link. A file that was changed
    since it was checked is left unchanged, and so is one outside of the extension's folder.
    """
    if not changes:
        return
    root = Path(package.name or ".")
    if not root.is_dir():
        raise NotWrittenError(f"cannot fix {package.name}: files in archives are not changed")
    prepared: list[_Prepared] = []

    def forget() -> None:
        for each in prepared:
            with suppress(OSError):
                each.temporary.unlink(missing_ok=True)

    with run_on_stop(forget):
        try:
            for change in changes:
                is_manifest = change.path in (package.manifest_path, *package.variants)
                may_be_outside = is_manifest or change.path.startswith("../")
                prepared.append(_prepare(root, change, path_below(package.name, change.path), may_be_outside))
            for each in prepared:
                try:
                    each.temporary.replace(each.file)
                except OSError as error:
                    raise _failure(each.name, error) from None
        finally:
            forget()


def _prepare(root: Path, change: Change, name: str, may_be_outside: bool) -> _Prepared:
    """Writes a new text next to its file. Raises NotWrittenError.

    Only a manifest, and a source of a folder that a build copies, `may_be_outside` of the extension's folder.
    """
    try:
        file = (root / change.path).resolve(strict=True)
        if not may_be_outside and not is_below(str(file), str(root.resolve()).rstrip(os.sep) + os.sep):
            raise NotWrittenError(
                f"cannot fix {name}: it is a link to a file outside of the extension's folder"
            )
        if read_file(str(file), name) != change.before:
            raise NotWrittenError(f"cannot fix {name}: it was changed while it was checked")
        file.open("r+b").close()
        temporary = file.with_name(f".extlint-{os.urandom(4).hex()}.tmp")
        try:
            with temporary.open("xb") as stream:
                stream.write(change.after)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.chmod(file.stat().st_mode & 0o7777)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
    except UnreadableError as error:
        raise NotWrittenError(str(error)) from None
    except OSError as error:
        raise _failure(name, error) from None
    return _Prepared(name, temporary, file)


def _failure(name: str, error: OSError) -> NotWrittenError:
    return NotWrittenError(f"cannot write {name}: {(error.strerror or str(error)).lower()}")
