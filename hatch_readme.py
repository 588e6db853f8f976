"""The README as package registries show it: its links lead to the files of the same version."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

REPOSITORY = "https://github.com/extlint/extlint"


class Readme(MetadataHookInterface):
    """Adds the README to the metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Adds the README, with the links of the version that is built."""
        text = Path(self.root, "README.md").read_text("utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": with_absolute_links(text, metadata["version"]),
        }


def with_absolute_links(text: str, version: str) -> str:
    """Returns a text whose links to files lead to a release, or, outside of a release, to the main branch."""
    revision = "HEAD" if "dev" in version else f"v{version}"
    return re.sub(r"\]\((?!https?:|#)([^)]+)\)", rf"]({REPOSITORY}/blob/{revision}/\1)", text)
