"""Files of an extension that a shell script or another command of its project may copy, download or write.

There is one question: does a command write this file? It does if it copies, downloads or redirects something
to the file or its folder, and not the file itself to another one. The values of variables are not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import islice, pairwise
from posixpath import basename, normpath

from extlint.extension import Extension
from extlint.package.suffixes import PROGRAMS, PROGRAMS_WITH_OBJECTS
from extlint.project.resolution.project_files import ProjectFiles
from extlint.project.tools import code_of, project_programs
from extlint.queries.query import query
from extlint.text.patterns import lazy

MAX_COMMANDS = 2_000
"""Commands of one project that are considered."""

_SEPARATOR = lazy(r"&&|\|\||[;|\n]")
_COPYING = (
    r"(?i:clone|(?:robo|x)?copy|copy-item|copyfiles|cp[xy]?|install|ln|move(?:-item)?|mv|[ns]cp|rsync|tee)"
)
_FETCHING = r"(?i:bsdtar|clone|curl|tar|unzip|wget)|--out.*"
_COPIES = lazy(_COPYING)
_FETCHES = lazy(_FETCHING)
_WRITING = lazy(f"{_COPYING}|{_FETCHING}")
_FILE_OPTION = lazy(r"-(?:[a-zA-Z]*[oO]|-?out\S*|OutFile)|1?>[>|]?")
_FOLDER_OPTION = lazy(r"-(?:[CPdt]|-target-directory|-directory\S*)")
_PRINTED = lazy(r"-\w*O-")
_WORD = lazy(r"\d?>[>|&]?|<|(?:[^\s\"'<>]|\"[^\"\n]*\"|'[^'\n]*')+")
_QUOTES = lazy(r"[\"'()]|^@")
_OPTION = lazy(r"-.*|/[A-Za-z]")
_UNKNOWN = lazy(r"\$(?:\{[^{}\n]*\}|\([^()\n]*\)|(?:env:|\$)?\w+|[@*])|%\w+%|`[^`\n]*`|\{[^{}\n]*,[^{}\n]*\}")
_START = lazy(r"(?:(?:\*|\.{0,2})/)*")


def is_written(extension: Extension, path: str) -> bool:
    """Whether a command of the project may write a missing file, or files that match a pattern."""
    full = ProjectFiles(extension.package).full(path)
    return any(_writes(command, path, full) for command in _commands(extension))


@query
def _commands(extension: Extension) -> tuple[Sequence[str], ...]:
    """Returns the words of the commands in shell scripts and similar programs that may write files."""
    texts = (
        code_of(extension, each)
        for each in project_programs(extension)
        if not each.path.endswith((*PROGRAMS, *PROGRAMS_WITH_OBJECTS))
    )
    return tuple(islice((command for text in texts for command in writing_commands(text)), MAX_COMMANDS))


def writing_commands(text: str) -> Iterator[Sequence[str]]:
    """Yields the words of each command in a text that may write files, with a wildcard for each variable."""
    for command in _SEPARATOR.split(_UNKNOWN.sub("*", text.replace("\\", "/"))):
        words = [_QUOTES.sub("", each) for each in _WORD.findall(command)]
        if any(_FILE_OPTION.fullmatch(each) or _WRITING.fullmatch(basename(each)) for each in words):
            yield words


def _writes(words: Sequence[str], path: str, full: str) -> bool:
    """Whether a command writes a file, given by its path in the extension and in the project."""
    end = next((at for at, each in enumerate(words) if each[-1:] in {"<", ">"}), len(words))
    plain = [each for each in words[:end] if not _OPTION.fullmatch(each)]
    is_copy = any(_COPIES.fullmatch(basename(each)) for each in plain)
    is_fetch = any(_FETCHES.fullmatch(basename(each)) or _FETCHES.fullmatch(each) for each in words)
    sources = [_relative(each) for each in plain[1:]] if is_copy or is_fetch else []
    targets = [
        _relative(after)
        for each, after in pairwise(words)
        if _FILE_OPTION.fullmatch(each) or (sources and _FOLDER_OPTION.fullmatch(each))
    ]
    targets += [_relative(each.partition("=")[2]) for each in words if each.startswith("--out")]
    from_options = {*targets}
    targets += [sources.pop()] if is_copy and sources else []
    if any(fnmatchcase(f"/{full}", f"*/{each}") or _matches(path, each) for each in targets if each):
        return True
    own = {each for each in sources if f"{path}/".startswith(f"{each}/") or f"{full}/".startswith(f"{each}/")}
    if own - from_options:
        return False
    name, names = basename(path), [basename(each) for each in sources]
    if any(fnmatchcase(f"/{full}", f"*/{each}/*") for each in targets if each):
        return is_fetch or any("." not in each or _matches(name, each) for each in names)
    if name not in names and any(basename(each) == name for each in targets):
        return bool(names)
    return name in names and (is_fetch or not any(targets)) and not any(map(_PRINTED.fullmatch, words))


def _matches(path: str, pattern: str) -> bool:
    """Whether a path or pattern matches another one."""
    return fnmatchcase(path, pattern) or ("*" in path and fnmatchcase(pattern, path))


def _relative(path: str) -> str:
    """Returns a path without unknown folders and folders above at its start, or nothing if it is unknown."""
    known = _START.sub("", normpath(path), 1)
    return known if known.strip("*.") else ""
