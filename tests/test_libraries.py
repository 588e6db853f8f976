"""What is not loaded with msgspec is there for those who ask for it."""

from __future__ import annotations

import subprocess
import sys

import pytest

BEFORE = "from extlint.commands.libraries import load_msgspec; load_msgspec()\n"


def printed(program: str) -> str:
    """What a program prints in a fresh interpreter."""
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


@pytest.mark.parametrize(
    "program",
    [
        "import msgspec; print(msgspec.json.schema(list[int]))",
        "import msgspec; print(msgspec.json.schema_components([list[int]]))",
        "import msgspec; print(msgspec.inspect.type_info(int))",
        "import msgspec.inspect; print(msgspec.inspect.__file__, msgspec.inspect.IntType.__module__)",
        "from msgspec._json_schema import schema; print(schema(int), schema.__module__)",
        "import uuid; print(uuid.uuid4().version, uuid.platform.system(), uuid.platform.machine())",
        "import platform; print(platform.system(), platform.__file__)",
        "import typing_extensions; print(typing_extensions.__file__)",
    ],
)
def test_all_of_it_can_be_used(program: str) -> None:
    assert printed(BEFORE + program) == printed(program) != ""


def test_what_is_loaded_is_not_replaced() -> None:
    program = "import platform, msgspec.inspect as ours\n"
    after = "import sys, msgspec\nprint(sys.modules['platform'] is platform, msgspec.inspect is ours)"
    assert printed(program + BEFORE + after) == "True True\n"
