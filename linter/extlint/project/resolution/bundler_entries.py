"""The entry points in the configuration of a bundler, or in commands, with their sources.

    esbuild src/index.ts --bundle --outfile=dist/background.js
    cp src/popup.html dist/

Commands are not run: a variable in a path may have any value.

The configuration is a program, which is never run: only tables of constants and of paths next to the file
itself are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from fnmatch import fnmatchcase
from functools import partial
from itertools import islice
from posixpath import basename, commonpath, dirname, normpath, relpath
from typing import TYPE_CHECKING, TypeVar

from extlint.package.suffixes import CODE, JAVASCRIPT, PROGRAMS, has_suffix, is_script, suffix_of
from extlint.package.surroundings import CONFIGURATION, CONFIGURATION_FOLDERS
from extlint.project.resolution.bundler_config import path_in, text_in, values_of
from extlint.project.resolution.project_files import CONFIG, ProjectFiles, joined, path_suffixes
from extlint.text.patterns import lazy
from extlint.text.positions import decode, encode_name

if TYPE_CHECKING:
    from extlint.analysis.syntax.node import Node
    from extlint.analysis.values.evaluator import Evaluator


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


MAX_CONFIGS = 20
"""Configurations of one project that are read."""

_KEYS = ("input", "entry", "entryPoints", "entrypoints")
_COPIED = ("publicDir", "from", "src")
"""Keys of Vite, and of plugins that copy, for what is copied."""

_OUTPUT_FILES = ("file", "filename")
"""Keys of an output for the name of its only file."""

_NAMED = "[name]"
_PATTERNS = ("filename", "entryFileNames", "entryNames")
"""Keys for the pattern of the names of outputs, and the name of the entry point in it."""

_WEBPACK = ("rspack", "webpack")
_INCLUDED = "chunks"
"""The key of a plugin that makes a page for the entry points that it includes."""

_OF_PAGE = ("filename", "template")
_IMPORTED = ("import", "in", "input")
_GENERIC = frozenset({"index", "main"})
_Found = TypeVar("_Found")


def entry_sources(project: ProjectFiles, folder: str) -> dict[str, frozenset[str]]:
    """Returns the sources of each entry point in the configurations of a folder, by its name.

    A source that has no name in the configuration has its own name, or that of its folder if it is an index.
    An entry point may have no known source. A page that a plugin makes has the sources of the entry points
    that it includes, by the path of its template and its own. The output of a command also has
    the ends of its path.
    """
    found: dict[str, frozenset[str]] = {}
    for config in _configurations(project, folder):
        for name, source in _entries_in(project, config, folder):
            found[name] = found.get(name, frozenset()) | ({source} if source else frozenset())
    for config in _configurations(project, folder) if found else ():
        for page, entry in _read(project, config, (_INCLUDED,), partial(_pages, config, folder)):
            found[page] = found.get(page, frozenset()) | found.get(entry, frozenset())
    if not project.has(joined(folder, CONFIG) or CONFIG):
        return found
    for output, source in outputs_of_commands(project, folder):
        for name in path_suffixes(output):
            found[name] = found.get(name, frozenset()) | {source}
    return found


def names_output(project: ProjectFiles, folder: str, name: str) -> bool:
    """Whether a configuration of a bundler in a folder, or a command, names a file to write."""
    configs = [*_configurations(project, folder), joined(folder, CONFIG) or ""]
    mentioned = re.compile(rb"(?<![\w.-])" + re.escape(encode_name(name)) + rb"(?![\w.-])")
    return any(mentioned.search(decode(project.read(each) or b"")) for each in configs)


def name_of_source(path: str) -> str:
    """Returns the name of a file without its suffixes, or that of its folder if it is an index."""
    stem = basename(path).partition(".")[0]
    return basename(dirname(path)) or stem if stem in _GENERIC else stem


def _configurations(project: ProjectFiles, folder: str) -> list[str]:
    found = (
        f"{place}/{name}".lstrip("/")
        for inner in CONFIGURATION_FOLDERS
        if (place := joined(folder, inner)) is not None
        for name in project.names(place)
        if CONFIGURATION.fullmatch(name) and name.endswith(PROGRAMS)
    )
    return sorted(found)[:MAX_CONFIGS]


def copied_paths(project: ProjectFiles, folder: str) -> Iterator[str]:
    """Yields the paths and patterns of the files and folders that the configurations in a folder copy."""
    for config in _configurations(project, folder):
        yield from _read(project, config, _COPIED, partial(_copied_paths, config, folder))


def _copied_paths(config: str, folder: str, evaluator: Evaluator) -> Iterator[str]:
    for value in (each for key in _COPIED for each in values_of(evaluator, key)):
        for each in value.named() if value.type == "array" else (value,):
            path = path_in(evaluator, each, dirname(config), folder)
            if path:
                yield path


def _pages(config: str, folder: str, evaluator: Evaluator) -> Iterator[tuple[str, str]]:
    """Yields the paths of the pages that plugins make and of their templates, each with its entry points."""
    for included in values_of(evaluator, _INCLUDED):
        table = None if included.parent is None else included.parent.parent
        names = (text_in(evaluator, each) for each in included.named() if included.type == "array")
        entries = [*filter(None, names)]
        for key, value in () if table is None else _pairs_of(evaluator, table):
            if key in _OF_PAGE:
                page = text_in(evaluator, value) or path_in(evaluator, value, dirname(config), folder)
                path = None if page is None else joined("", page)
                yield from ((path, entry) for entry in entries if path)


def _pairs_of(evaluator: Evaluator, table: Node) -> Iterator[tuple[str | None, Node]]:
    """Yields the values in an object literal with their keys."""
    from extlint.analysis.syntax.nodes import Pair
    from extlint.analysis.values.property_index import key_of

    return ((key_of(evaluator, each), each.value) for each in table.named() if isinstance(each, Pair))


def _entries_in(project: ProjectFiles, config: str, folder: str) -> list[tuple[str, str]]:
    found = _read(project, config, _KEYS, partial(_entries, config, folder))
    resolved = ((name, path and (project.resolve_module(path) or path)) for name, path in found)
    known = [(name, path if path and project.has(path) else "") for name, path in resolved]
    patterns = _read(project, config, (_NAMED,), _patterns) if found else ()
    known += [(each.replace(_NAMED, name), path) for name, path in known if name for each in patterns]
    return [(name or name_of_source(path), path) for name, path in known if name or path]


def _patterns(evaluator: Evaluator) -> Iterator[str]:
    """Yields the patterns of the names of outputs, without suffixes: `js/[name]_bundle`."""
    for value in (each for key in _PATTERNS for each in values_of(evaluator, key)):
        text = text_in(evaluator, value) or ""
        stem = normpath(dirname(text) + "/" + basename(text).partition(".")[0]).lstrip("/")
        if has_suffix(text, (*JAVASCRIPT, _NAMED)) and stem.count("[") == 1 and _NAMED in stem:
            yield stem


def _read(
    project: ProjectFiles, config: str, keys: Sequence[str], read: Callable[[Evaluator], Iterator[_Found]]
) -> list[_Found]:
    """Returns what is read in a configuration that contains one of these keys."""
    data = project.read(config)
    if data is None or not any(key.encode() in data for key in keys):
        return []
    from extlint.analysis.follow import evaluator_of

    evaluator = evaluator_of(decode(data), basename(config))
    if evaluator is None:
        return []
    with closing(evaluator):
        return evaluator.attempt(None, lambda: [*read(evaluator)]) or []


def _entries(config: str, folder: str, evaluator: Evaluator) -> Iterator[tuple[str | None, str]]:
    """Yields the entry points, with their names if stated, and their paths if known."""
    from extlint.analysis.syntax.nodes import Pair

    def paths_in(value: Node) -> Iterator[str]:
        text = text_in(evaluator, value)
        if text is not None:
            yield from filter(None, (joined(folder, text), joined(folder, f"src/{text}")))
        elif value.type == "array":
            for each in value.named():
                yield from paths_in(each)
        elif value.type == "object":
            for key, each in _pairs_of(evaluator, value):
                if key in _IMPORTED:
                    yield from paths_in(each)
        else:
            path = path_in(evaluator, value, dirname(config), folder)
            if path is not None:
                yield path

    def output_names(key: str, entry: Node) -> Iterator[str]:
        """Yields the name of the only file that is made from an entry, if it is known.

        It is `main` for webpack, unless the configuration states another name.
        """
        table = None if entry.parent is None else entry.parent.parent
        if not isinstance(entry.parent, Pair) or table is None:
            return
        pairs = dict(_pairs_of(evaluator, table))
        output, outfile = pairs.get("output"), pairs.get("outfile")
        stated = [] if outfile is None else [outfile]
        for each in () if output is None else output.named() if output.type == "array" else (output,):
            stated += [inner for key, inner in _pairs_of(evaluator, each) if key in _OUTPUT_FILES]
        paths = [
            text_in(evaluator, each) or path_in(evaluator, each, dirname(config), folder) for each in stated
        ]
        yield from (basename(path).partition(".")[0] for path in paths if path and "[" not in path)
        is_known = all(isinstance(each, Pair) for each in table.named())
        is_known = is_known and all(path and _NAMED in path for path in paths)
        if is_known and key == "entry" and (output is None or output.type == "object"):
            yield from ("main",) if basename(config).startswith(_WEBPACK) else ()

    for key in _KEYS:
        for value in values_of(evaluator, key):
            if value.type == "object":
                for name, inner in _pairs_of(evaluator, value):
                    yield name, ""
                    yield from ((name, path) for path in paths_in(inner))
                continue
            for each in value.named() if value.type == "array" else (value,):
                output = dict(_pairs_of(evaluator, each)).get("out") if each.type == "object" else None
                name = None if output is None else text_in(evaluator, output)
                yield from ((name, path) for path in paths_in(each))
            yield from ((name, path) for name in output_names(key, value) for path in paths_in(value))
