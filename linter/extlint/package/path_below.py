"""The path of a file as users write it."""

from __future__ import annotations

from posixpath import normpath


def path_below(folder: str, path: str) -> str:
    """A path in a folder, the one of an extension, as seen from where the folder is named.

    Where it leads out of the folder, as to `../manifests/chrome.json`, the way is not told twice.
    """
    full = path if folder in ("", ".") else f"{folder.rstrip('/')}/{path}"
    return normpath(full) if path.startswith("../") else full
