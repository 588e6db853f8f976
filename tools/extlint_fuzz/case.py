"""One input of extlint: files, and the arguments of `extlint check`, or what a service receives."""

from __future__ import annotations

import base64
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

FOLDER = "ext"
"""The folder that contains the extension, unless it is an archive."""

MESSAGES = "messages"
"""The folder of the files that are sent to a service."""


class Case(Struct, frozen=True):
    """Files by path, and the arguments of `extlint check`.

    `program` is `check`, or the service that receives the files in `MESSAGES`, in the order of their names:
    `serve`, each file over a connection of its own, or `lsp`, as the messages of a session.

    `generator` is the name of its generator. `well_formed` means that its scripts are valid JavaScript, so
    that an edit that preserves their meaning must not change the findings.
    """

    files: Mapping[str, bytes]
    arguments: tuple[str, ...] = (FOLDER,)
    generator: str = ""
    well_formed: bool = False
    program: str = "check"

    @property
    def is_folder(self) -> bool:
        """Whether the case is one folder that is checked entirely."""
        return self.arguments[:1] == (FOLDER,)

    @property
    def size(self) -> int:
        """The total size of its files in bytes."""
        return sum(map(len, self.files.values()))

    @property
    def messages(self) -> Mapping[str, bytes]:
        """The data that a service receives, by the names of the files."""
        return {name: self.files[name] for name in sorted(self.files) if name.startswith(f"{MESSAGES}/")}

    def with_files(self, files: Mapping[str, bytes]) -> Case:
        """Returns the same case with other files."""
        return msgspec.structs.replace(self, files=files)

    def with_arguments(self, *arguments: str) -> Case:
        """Returns the same case with other arguments."""
        return msgspec.structs.replace(self, arguments=arguments)


def write_files(files: Mapping[str, bytes], folder: Path) -> None:
    """Writes files into a folder, emptying it first. Files that the file system rejects are left out."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, data in files.items():
        path = os.path.join(folder, name)  # noqa: PTH118 (names may hold bytes that are not text)
        try:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).write_bytes(data)
        except (OSError, ValueError):
            continue
    Path(folder, FOLDER).mkdir(parents=True, exist_ok=True)


def encode_case(case: Case, **about: Any) -> str:
    """Returns a case as JSON: text as it is, other bytes as base64."""
    files = {name: _encode_data(data) for name, data in case.files.items()}
    value = {
        **about,
        "generator": case.generator,
        "well_formed": case.well_formed,
        "program": case.program,
        "arguments": case.arguments,
        "files": files,
    }
    return json.dumps(value, indent=1) + "\n"


def decode_case(text: str) -> Case:
    """Returns the case that `encode_case` wrote."""
    value = json.loads(text)
    files = {
        name: data.encode() if isinstance(data, str) else base64.b64decode(data["base64"])
        for name, data in value["files"].items()
    }
    arguments, program = tuple(value["arguments"]), value.get("program", "check")
    return Case(files, arguments, value["generator"], value["well_formed"], program)


def _encode_data(data: bytes) -> str | Mapping[str, str]:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}
    return text
