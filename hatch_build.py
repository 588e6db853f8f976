"""Adds what is not in the repository to the wheel: the compiled JSON Schemas, and the version."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SCHEMAS = "schemas"
PACKAGE = "linter/extlint/__init__.py"


class GeneratedModules(BuildHookInterface[BuilderConfig]):
    """Writes modules of the wheel from the tree that is built. An editable install has none of them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Writes the modules to a folder of their own. An editable install compiles schemas on first use."""
        if version == "editable":
            return
        self.folder = TemporaryDirectory(prefix="extlint-build-")
        sys.path.insert(0, str(Path(self.root, SCHEMAS)))
        from extlint_schemas import json_schema_names
        from extlint_schemas.compiled import module_name
        from extlint_schemas.compiled.compiler import module_source

        for name in json_schema_names():
            self._add(build_data, f"extlint_schemas/compiled/{module_name(name)}.py", module_source(name))
        package = Path(self.root, PACKAGE).read_text("utf-8")
        self._add(build_data, "extlint/__init__.py", with_version(package, self.metadata.version))

    def _add(self, build_data: dict[str, Any], target: str, text: str) -> None:
        path = Path(self.folder.name, target.replace("/", "-"))
        path.write_text(text, encoding="utf-8", newline="\n")
        build_data["force_include"][str(path)] = target

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Removes what `initialize` wrote."""
        if version != "editable":
            self.folder.cleanup()


def with_version(package: str, version: str) -> str:
    """Returns the text of a module with another `__version__`, which a run need not look up."""
    lines = package.splitlines(keepends=True)
    [place] = [number for number, line in enumerate(lines) if line.startswith("__version__ = ")]
    lines[place] = f'__version__ = "{version}"\n'
    return "".join(lines)
