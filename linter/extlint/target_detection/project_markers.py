"""Detects targets in the project around an extension: an Xcode project."""

from __future__ import annotations

from extlint.package.files import Surroundings, UnreadableError
from extlint.resolution.project_files import folders_above
from extlint.text.wording import quoted

_XCODE = ".xcodeproj"
_SAFARI_CLASS = b"SafariWebExtensionHandler"
"""The class in Apple's template that receives the messages of the extension in an app."""


def xcode_project_of_safari(around: Surroundings) -> str | None:
    """Returns the Xcode project that packs the extension into an app for Safari, as a clause, or None."""
    for folder in folders_above(around.folder.rstrip("/")):
        for name in around.folders(folder):
            path = f"{folder}/{name}/project.pbxproj".lstrip("/")
            if name.endswith(_XCODE) and _SAFARI_CLASS in _read(around, path):
                return f"{quoted(name)} is the project of an app for Safari"
    return None


def _read(around: Surroundings, path: str) -> bytes:
    """Returns the bytes of a file of the project, or no bytes if it is unreadable."""
    try:
        return around.read(path)
    except UnreadableError:
        return b""
