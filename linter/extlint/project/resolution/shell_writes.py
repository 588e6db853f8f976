"""Finds the files that shell scripts write: commands that copy, download, unpack or redirect.

They are read line by line. The values of most variables and commands are unknown: each becomes the wildcard
`*`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from posixpath import basename, normpath

from msgspec import Struct

from extlint.text.patterns import lazy

WILDCARD = "*"

_COPIES = frozenset(
    {
        *("copy", "copy-item", "copyfiles", "cp", "cpx", "cpy", "install", "ln", "move", "move-item", "mv"),
        *("ncp", "robocopy", "rsync", "scp", "xcopy"),
    }
)
_COPIES_OF_FOLDERS = frozenset({"copyfiles", "cpx", "cpy", "ncp", "robocopy", "rsync", "xcopy"})
_PREFIXES = frozenset(
    {
        *("-", "@", "command", "do", "else", "env", "exec", "npx", "run:", "shx", "sudo", "then", "time"),
        *("yarn", "{", "pnpm", "bunx", "if"),
    }
)
_FILE_OPTIONS = frozenset(
    {"--out", "--outfile", "--output", "--output-document", "--out-file", "-o", "-outfile"}
)
_FOLDER_OPTIONS = frozenset({"--directory-prefix", "--out-dir", "--outdir"})
_TARGET_OPTIONS = frozenset({"--target-directory", "-t"})

_LINE_COMMENT = lazy(r"(?m)(?:^|(?<=\s))#(?!\{)[^\n]*$|^[ \t]*(?://|(?:REM|rem)\s)[^\n]*$")
_XML_COMMENT = lazy(r"(?s)<!--.*?(?:-->|\Z)")
_JOINED = lazy(r"[\\`^]\r?\n")
_SUBSTITUTED = lazy(r"\$\(\(?[^()]*(?:\([^()]*\)[^()]*)*\)|`[^`\n]*`")
_VARIABLE = lazy(
    r"\$\{(\w+)[^}\n]*\}|\$\((\w+)\)|\$(?:env:)?(\w+|[@*#?<^])|%(\w+)%|\$\$(\w+)|\{[^{}\n]*,[^{}\n]*\}"
)
_ASSIGNED = lazy(
    r"\s*(?:(?:export|local|readonly|set|declare)\s+)?\$?(\w+)\s*[:?]?=\s*(\"[^\"\n]*\"|'[^'\n]*'|[^\s;&|]*)"
)
_SEPARATOR = lazy(r"&&|\|\||[;|\n]")
_TOKEN = lazy(r"\d?>>?[|&]?|<+|(?:[^\s\"'<>]|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*')+")
_QUOTES = lazy(r"[\"']")
_PRINTED = lazy(r"-[A-Za-z]*O-")
_FLAG = lazy(r"-.*|/[A-Za-z]")
_COMBINED = lazy(r"-[A-Za-z]*[oO]")
_RECURSIVE = lazy(r"-\w*[raR]\w*|--(?:archive|recursive)|-Recurse|/[sSeE]")


class FileWrite(Struct, frozen=True):
    """A command that writes a file or the content of a folder, in the folder `within`.

    It copies or moves `sources`, or takes the content from elsewhere. `is_recursive` is whether it writes all
    that a folder contains.
    """

    target: str
    sources: tuple[str, ...] = ()
    is_recursive: bool = False
    within: str = ""


def file_writes(text: str) -> Iterator[FileWrite]:
    """Yields the files and folders that the commands of a script write."""
    text = without_comments(_JOINED.sub(" ", text.replace("\r\n", "\n")))
    variables: dict[str, str] = {}
    within, outer = "", list[str]()
    for line in _SEPARATOR.split(_substituted(text)):
        assigned = _ASSIGNED.fullmatch(line.rstrip())
        if assigned is not None:
            variables[assigned[1]] = _expanded(_QUOTES.sub("", assigned[2]), variables)
            continue
        is_opened, is_closed = line.strip().startswith("("), line.rstrip().endswith(")")
        if is_opened:
            outer.append(within)
        tokens = [
            _QUOTES.sub("", each) for each in _TOKEN.findall(_expanded(line.strip().strip("()"), variables))
        ]
        while tokens and (tokens[0].lstrip("@-") == "" or tokens[0].lower() in _PREFIXES or "=" in tokens[0]):
            del tokens[0]
        if tokens[:1] in (["cd"], ["pushd"]):
            within = _path((within, *tokens[1:2]))
        elif tokens[:1] == ["popd"]:
            within = ""
        else:
            for target, sources, is_recursive in _writes(tokens):
                if target not in {"", WILDCARD, "/dev/null"}:
                    yield FileWrite(target, sources, is_recursive, within)
        if is_closed and outer:
            within = outer.pop()


def without_comments(text: str) -> str:
    """Returns the text of a program in any of these languages without its comments."""
    return _XML_COMMENT.sub(" ", _LINE_COMMENT.sub(" ", text))


def _path(parts: tuple[str, ...]) -> str:
    """Returns a relative path, without what comes before an unknown folder."""
    path = "/".join(parts).replace("\\", "/")
    at = path.rfind(f"{WILDCARD}/")
    is_leading = at >= 0 and path[:at].strip("./") == ""
    path = path[at + 2 :] if is_leading else "" if path == WILDCARD else path
    return normpath(path.lstrip("/")) if path.strip("/.") else ""


def _substituted(text: str) -> str:
    """Returns a text with a wildcard for the output of commands in it, but with variables of make."""
    return _SUBSTITUTED.sub(lambda found: found[0] if found[0][2:-1].isidentifier() else WILDCARD, text)


def _expanded(text: str, variables: dict[str, str]) -> str:
    def value(name: str | None) -> str:
        return variables.get(name or "", WILDCARD)

    return _VARIABLE.sub(lambda found: value(next(filter(None, found.groups()), None)), text)


def _writes(tokens: list[str]) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    """Yields the target of each write of a command, its sources, and whether it is recursive."""
    command = [each.replace("\\", "/") for each in _without_redirection(tokens)]
    for mark, target in pairwise(tokens):
        if mark in {">", ">>", "1>", ">|"}:
            yield target, (), False
    if not command:
        return
    name, rest = basename(command[0].lstrip("@-")).lower(), command[1:]
    arguments = [each for each in rest if not _FLAG.fullmatch(each)]
    options = dict(_options(rest))
    if name in _COPIES:
        is_recursive = name in _COPIES_OF_FOLDERS or any(map(_RECURSIVE.fullmatch, rest))
        into = next((options[each] for each in _TARGET_OPTIONS if each in options and name != "rsync"), None)
        target = into or (arguments.pop() if len(arguments) > 1 else "")
        yield target, tuple(each for each in arguments if each != into), is_recursive
    elif name in {"curl", "wget"}:
        yield from _downloads(name, rest, arguments, options)
    elif name == "tee":
        yield from ((each, (), False) for each in arguments)
    elif name in {"unzip", "tar", "bsdtar"}:
        folder = options.get("-d" if name == "unzip" else "-C") or options.get("--directory", "")
        yield folder, (), True
    elif name == "git" and arguments[:1] == ["clone"] and len(arguments) > 1:
        yield arguments[2] if len(arguments) > 2 else basename(arguments[1]).removesuffix(".git"), (), True
    else:
        for option, value in options.items():
            if option.lower() in _FILE_OPTIONS | _FOLDER_OPTIONS:
                yield value, (), option.lower() in _FOLDER_OPTIONS


def _downloads(
    name: str, rest: list[str], arguments: list[str], options: dict[str, str]
) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    """Yields the files that `curl` and `wget` write."""
    combined = [(each, after) for each, after in pairwise([*rest, ""]) if _COMBINED.fullmatch(each)]
    file_letter = "o" if name == "curl" else "O"
    files = [after for each, after in combined if each.endswith(file_letter)]
    files += [options[each] for each in ("--output", "--output-document") if each in options]
    yield from ((each, (), False) for each in files)
    keeps_names = name == "wget" or "--remote-name" in rest or any(each.endswith("O") for each, _ in combined)
    if keeps_names and not files and not any(map(_PRINTED.fullmatch, rest)):
        folder = next(
            (options[each] for each in ("-P", "--directory-prefix", "--output-dir") if each in options), ""
        )
        for each in arguments:
            if "/" in each and each != folder:
                yield "/".join(filter(None, (folder, basename(each).partition("?")[0]))), (), False


def _without_redirection(tokens: list[str]) -> list[str]:
    """Returns the part of a command before `>` and `<`."""
    end = next(
        (at for at, each in enumerate(tokens) if each.strip("012&|") in {">", ">>", "<", "<<"}), len(tokens)
    )
    return tokens[:end]


def _options(tokens: list[str]) -> Iterator[tuple[str, str]]:
    """Yields the options, each with its value or the token that follows."""
    for each, after in pairwise([*tokens, ""]):
        if each.startswith("-"):
            option, equals, value = each.partition("=")
            yield option, value if equals else after
