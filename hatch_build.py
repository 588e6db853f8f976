"""Adds the compiled JSON Schemas to the wheel; they are not in the repository."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SCHEMAS = "schemas"


class CompiledSchemas(BuildHookInterface[BuilderConfig]):
    """Compiles each schema to a module of `extlint_schemas.compiled`, from the tree that is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Writes the modules to a folder of their own. An editable install compiles on first use instead."""
        if version == "editable":
            return
        self.folder = TemporaryDirectory(prefix="extlint-build-")
        sys.path.insert(0, str(Path(self.root, SCHEMAS)))
        from extlint_schemas import json_schema_names
        from extlint_schemas.compiled import module_name
        from extlint_schemas.compiled.compiler import module_source

        for name in json_schema_names():
            path = Path(self.folder.name, f"{module_name(name)}.py")
            path.write_text(module_source(name), encoding="utf-8", newline="\n")
            build_data["force_include"][str(path)] = f"extlint_schemas/compiled/{path.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Removes what `initialize` wrote."""
        if version != "editable":
            self.folder.cleanup()
