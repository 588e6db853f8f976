"""The scripts and pages that commands in `package.json` make, with their sources.

    esbuild src/index.ts --bundle --outfile=dist/background.js
    cp src/popup.html dist/

Commands are not run: a variable in a path may have any value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import islice
from posixpath import basename, commonpath, dirname, relpath

from extlint.package.suffixes import CODE, has_suffix, is_script, suffix_of
from extlint.project.resolution.project_files import CONFIG, ProjectFiles, joined
from extlint.text.patterns import lazy

MAX_COMMANDS = 500
"""Commands of one `package.json` that are read."""

_TOOLS = frozenset({"browserify", "bun", "cp", "esbuild", "parcel", "rollup", "tsc"})
_FILE = lazy(r"(?:-o|--?out-?file|--file|1?>)", needs=("o", "file", ">"))
_FOLDER = lazy(r"--(?:dir|dist-dir|out-?dir)", needs=("dir",))
_SHORT_FOLDER = frozenset({"parcel", "rollup"})
"""Tools with the option `-d` for the folder."""

_CONFIG = lazy(r"-c|--config")
_SEPARATOR = lazy(r"&&|\|\||[;|\n]")
_SPLIT = lazy(r"\d?>[>|&]?|<|(?:[^\s\"'<>]|\"[^\"\n]*\"|'[^'\n]*')+")
_QUOTES = lazy(r"[\"'()]|^@")
_UNKNOWN = lazy(r"\$(?:\{[^{}\n]*\}|\([^()\n]*\)|(?:env:|\$)?\w+|[@*])|%\w+%|`[^`\n]*`|\{[^{}\n]*,[^{}\n]*\}")


def commands_in(text: str) -> Iterator[list[str]]:
    """Yields the words of each command in a text, with a wildcard for each variable."""
    for command in _SEPARATOR.split(_UNKNOWN.sub("*", text.replace("\\", "/"))):
        yield [_QUOTES.sub("", each) for each in _SPLIT.findall(command)]


def outputs_of_commands(project: ProjectFiles, folder: str) -> Iterator[tuple[str, str]]:
    """Yields the scripts and pages that the scripts of a `package.json` make, each with a source of it."""
    config = project.json(joined(folder, CONFIG) or CONFIG)
    scripts = None if config is None else config.get("scripts")
    texts = () if scripts is None else (member.node.value for _, member in scripts.members())
    commands = (words for text in texts if isinstance(text, str) for words in commands_in(text))
    for words in islice(commands, MAX_COMMANDS):
        at = next((at for at, each in enumerate(words) if basename(each) in _TOOLS), None)
        if at is not None:
            yield from _outputs(project, folder, basename(words[at]), words[at + 1 :])


def _outputs(
    project: ProjectFiles, folder: str, tool: str, words: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yields what one command makes, each with a source of it."""
    file, target, sources, named = "", "", list[str](), dict[str, str]()
    waiting = iter(words)
    for word in waiting:
        option, equals, value = word.partition("=")
        is_file = _FILE.fullmatch(option.lower())
        if is_file or _FOLDER.fullmatch(option.lower()) or (option == "-d" and tool in _SHORT_FOLDER):
            value = value if equals else next(waiting, "")
            file, target = (value, target) if is_file else (file, value)
        elif _CONFIG.fullmatch(option):
            value = value if equals else next(waiting, "")
        elif not word.startswith("-"):
            sources.append(value or word)
            named |= {value: f"{option}.js"} if value else {}
    if tool == "cp":
        target = sources.pop() if sources else ""
        if len(sources) == 1 and has_suffix(target, CODE):
            file, target = target, ""
    found = {path: each for each in sources for path in _files(project, joined(folder, each))}
    common = "" if not found or tool == "cp" else commonpath([dirname(f"/{each}") for each in found])
    for source, word in found.items() if file or target else ():
        name = basename(source) if tool == "cp" else relpath(f"/{source}", common)
        if tool != "cp" and is_script(name):
            name = f"{name.removesuffix(suffix_of(name))}.js"
        output = joined(folder, f"{target}/{file or named.get(word, name)}")
        if output and output != source:
            yield output, source


def _files(project: ProjectFiles, path: str | None) -> list[str]:
    """Returns the scripts and pages that a path in a command names. A wildcard finds those of the package."""
    if path is None or "*" not in path:
        found = project.resolve_module(path) if path and not has_suffix(path, CODE) else path
        return [found] if found and has_suffix(found, CODE) and project.has(found) else []
    own = (project.full(each) for each in project.own_paths if has_suffix(each, CODE))
    return [each for each in own if fnmatchcase(each, path)]
