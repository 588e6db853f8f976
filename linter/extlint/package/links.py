"""The links among the files of a folder on disk."""

from __future__ import annotations

import os
from collections.abc import Mapping

from extlint.package.paths import is_below


class LinksOnDisk:
    """The links below a folder on disk.

    `base` is the folder's real path, ending in a separator. `links` maps each link to the real path it leads
    to, and `targets` each listed file to its real path if a link leads to it.
    """

    def __init__(self, base: str, links: Mapping[str, str], targets: Mapping[str, str | None]) -> None:
        self._base = base
        self._links = links
        self._targets = targets

    def links(self, folder: str) -> Mapping[str, str]:
        """Returns listed files below a folder that links lead to, each with its own path in that folder."""
        start = self._base + folder
        return {
            path[len(folder) :]: real[len(start) :].replace(os.sep, "/")
            for path, real in self._targets.items()
            if real is not None and path.startswith(folder) and is_below(real, start)
        }

    def leads_out(self, folder: str, path: str) -> bool:
        """Whether a link on the way to a path below a folder leads out of that folder."""
        steps = (folder + path).split("/")
        ways = ("/".join(steps[:length]) for length in range(folder.count("/") + 1, len(steps) + 1))
        return any(
            way in self._links and not is_below(self._links[way] + os.sep, self._base + folder)
            for way in ways
        )
