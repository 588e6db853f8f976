"""User-supplied schemas: namespaces of experiments, other programs, or a company's own build."""

from __future__ import annotations

import glob
from collections.abc import Iterable
from typing import Any

from extlint.package.disk import read_file
from extlint.package.files import UnreadableError
from extlint.schema.merge import SchemaNode
from extlint.schema.model import UserSchemas
from extlint.schema.validation.schema_files import check_dialect
from extlint.text.json.reader import read_json


class BrokenSchemaError(Exception):
    """The reason why a user's schemas cannot be used, with the location of the error, in one sentence."""


def read_schemas(patterns: Iterable[str]) -> UserSchemas:
    """Returns the namespaces in the files that globs match (`**` for any depth), ordered by file name.

    Raises BrokenSchemaError for a file that cannot be read or is invalid, and for a glob that matches no
    files.
    """
    files = dict.fromkeys(name for pattern in patterns for name in _files(pattern))
    return UserSchemas(tuple(part for name in files for part in _parts(name)))


def _files(pattern: str) -> list[str]:
    found = sorted(glob.glob(pattern, recursive=True))
    if not found:
        raise BrokenSchemaError(f"no schema file matches {pattern}")
    return found


def _parts(name: str) -> list[SchemaNode]:
    try:
        text = read_file(name, f"the schema {name}")
    except UnreadableError as error:
        raise BrokenSchemaError(str(error)) from None
    problems = check_dialect(text, name)
    if problems:
        rest = len(problems) - 1
        more = f"; and {rest} more mistake{'s' * (rest > 1)}" if rest else ""
        raise BrokenSchemaError(f"invalid schema {problems[0]}{more}")
    root = read_json(text).root
    parts: Any = [] if root is None else root.plain
    return list(parts)
