"""Programs of a project that build its extension: the script in a package.json, and one for the manifest."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from posixpath import basename, dirname, join, normpath

from msgspec import Struct

from extlint.package.discovery.folder import FolderTree
from extlint.package.files import bytes_of
from extlint.package.suffixes import (
    DATA,
    DECLARATIONS,
    PROGRAMS,
    PROGRAMS_WITH_OBJECTS,
    SHELL_SCRIPTS,
    has_suffix,
)
from extlint.project.build_tools import (
    FOLDERS,
    VITE,
    BuildTool,
    is_build_file,
    is_configuration,
    is_test_path,
)
from extlint.text.patterns import lazy
from extlint.text.positions import decode

MAX_READ_PROGRAMS = 20
"""Programs and configurations that are read to find the one script that makes an extension."""

_BUILD = lazy(r"build(?![a-z])")
_OTHER_BUILD = lazy(r"(?:bundle|compile|dist|make|prod|production|release|transpile)(?![a-z])")
"""The names of scripts that may build, in projects without a script that is named `build…`."""

_NO_BUILD = lazy(
    r"(?:^|[:._-])(?:analy[sz]e|check|clean|css|docs?|e2e|fonts?|icons?|integration|landing|lint|locales?|publish"
    r"|serve|server|site|size|stats|storybook|styles?|tests?|themes?|tokens?|types?|upload|validate|vendors?|verify"
    r"|website)(?![a-z])"
)
"""Parts of the names of scripts that build something else than the extension."""

_WATCHES = lazy(r"(?:^|[:._-])(?:dev|development|watch)(?![a-z])|Dev\b|Watch\b|\s--watch\b")
_ONLY_PRINTS = lazy(r"\s*(?:echo\b[^&|;]*)?(?:(?:&&|;)\s*(?:echo|exit)\b[^&|;]*)*")
_COMPILER = lazy(r"(?:npx |yarn |pnpm )?tsc\b[^&|;]*$")
_BUNDLER = lazy(
    r"(?<![\w/-])(?:browserify|bun build|esbuild|gulp|grunt|make|parcel|rolldown|rollup|rsbuild|rspack|tsdown"
    r"|tsup|vite|web-ext build|webpack)(?![\w-])"
)
_RUNNER = lazy(r"(?<![\w-])(?:npm|npm-run-all|pnpm|yarn|bun|run-s|run-p|concurrently)(?![\w-])")
_WORD = lazy(r"[^\s\"'`&|;()=]+")
_VARIANT = lazy(
    r"[:._-]?(?:all|and|chrome|chromium|edge|ext|extension|ff|firefox|gecko|mv[23]|opera|pack|package|prod|production"
    r"|release|safari|v[23]|webext|zip)(?![a-z])"
)
"""Parts of the names of scripts that make the same extension for several browsers, or pack it."""

_MODULE = lazy(r"[\"'](\.{1,2}/[\w./-]+)[\"']")
_CAPITAL = lazy(r"(?<=[a-z])(?=[A-Z])")

Scripts = Mapping[str, str]


def build_scripts(
    scripts: Scripts,
    tool: BuildTool | None,
    folder: str,
    read: Callable[[str], str | None],
    names: Sequence[str],
) -> tuple[str, ...]:
    """Returns the names of the scripts that may build the extension in a folder, the likeliest first.

    The folder is relative to the package.json. `read` returns the text of a file of the project, or None, and
    `names` are the files next to the package.json.
    """
    own = [
        each for each in scripts if not _NO_BUILD.search(each) and not _ONLY_PRINTS.fullmatch(scripts[each])
    ]
    found = [each for each in own if _BUILD.match(each)]
    found = found or [
        each for each in own if _OTHER_BUILD.match(each) and _runs_build(_expanded(scripts, each))
    ]
    if tool is not None:
        of_tool = [each for each in own if tool.command in _expanded(scripts, each)]
        command = _expanded(scripts, "build") if "build" in scripts else ""
        if any(_programs(command, ())) or (tool is VITE and _BUNDLER.search(command)):
            of_tool.append("build")
        named = [each for each in of_tool if _BUILD.match(each)]
        found = [*dict.fromkeys(named or of_tool)] or found
    found = [each for each in found if not _watches(scripts, each)] or found
    if any(_BUNDLER.search(scripts[each]) for each in found):
        found = [each for each in found if not only_compiles(scripts[each])]
    if len(found) > 1 and folder not in ("", "."):
        found = _making(scripts, found, folder, read, names)
    return (*sorted(found, key=lambda each: (each != "build", len(each))),)


def is_certain(scripts: Scripts, found: Sequence[str]) -> bool:
    """Whether the first of several scripts builds the entire extension, if only for one of its browsers."""
    first, plain = found[0], _plain(found[0])
    return first == "build" or all(
        each.startswith(first) or _plain(each) == plain or first in _reached(scripts, each) for each in found
    )


def only_compiles(command: str) -> bool:
    """Whether a command only runs the TypeScript compiler."""
    return _COMPILER.match(command) is not None


def programs_of(scripts: Scripts, name: str) -> tuple[str, ...]:
    """Returns the programs that a script runs without a bundler."""
    command = _expanded(scripts, name)
    return () if _BUNDLER.search(command) else (*_programs(command, ()),)


def _plain(name: str) -> str:
    """Returns the name of a script without the browser or the kind of package that it makes."""
    return _VARIANT.sub("", _CAPITAL.sub("-", name).lower())


def _watches(scripts: Scripts, name: str) -> bool:
    return _WATCHES.search(f"{name} {scripts[name]}") is not None


def _runs_build(command: str) -> bool:
    """Whether a command runs a bundler or a program that builds."""
    words = _WORD.findall(command)
    return _BUNDLER.search(command) is not None or any(is_build_file(basename(each)) for each in words)


def _expanded(scripts: Scripts, name: str) -> str:
    """Returns the commands of a script and of the scripts that it runs."""
    return "\n".join(scripts[each] for each in _reached(scripts, name))


def _reached(scripts: Scripts, name: str) -> Collection[str]:
    """Returns the names of a script and of the scripts that it runs."""
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found[each] = None
            text = scripts[each]
            words = _WORD.findall(text) if _RUNNER.search(text) else ()
            waiting += [word for word in words if word in scripts]
    return found


def _making(
    scripts: Scripts,
    found: Sequence[str],
    folder: str,
    read: Callable[[str], str | None],
    names: Sequence[str],
) -> list[str]:
    """Returns those scripts whose commands, programs and configurations name the extension's folder.

    Returns all of them if none does, or if those of the script `build` are unknown.
    """
    named = lazy(rf"(?<![\w./-])(?:\.{{1,2}}/)*{re.escape(folder)}(?:/|[\"'`]\s*,\s*[\"'`])")
    making: list[str] = []
    for name in found:
        command = _expanded(scripts, name)
        known = [command, *_texts(_programs(command, names), read)]
        if any(named.search(each) for each in known):
            making.append(name)
        elif name == "build" and not known[1:]:
            return [*found]
    return making or [*found]


def _texts(programs: Iterable[str], read: Callable[[str], str | None]) -> Iterator[str]:
    """Yields the texts of programs, and of the modules that they import."""
    waiting = [*programs]
    for path in waiting:
        text = read(path) if len(waiting) <= MAX_READ_PROGRAMS else None
        if text is not None:
            yield text
            modules = (normpath(join(dirname(path), each)) for each in _MODULE.findall(text))
            waiting += [
                f"{each}{suffix}"
                for each in modules
                for suffix in (("",) if each.endswith(PROGRAMS) else PROGRAMS[:3])
                if f"{each}{suffix}" not in waiting
            ]


def _programs(command: str, names: Sequence[str]) -> Iterator[str]:
    """Yields the programs and configurations that commands name, and those that bundlers read by default."""
    words = _WORD.findall(command)
    for word in words:
        if word.endswith((*PROGRAMS, *SHELL_SCRIPTS)) and not word.startswith(("-", "/")):
            yield normpath(word)
    for tool in dict.fromkeys(each for each in words if _BUNDLER.fullmatch(each)):
        defaults = (f"{tool}.config.", f"{tool}file", "makefile" if tool == "make" else "\0")
        yield from (name for name in names if name.lower().startswith(defaults))


MAX_PROGRAMS = 300
"""Programs of one project that are searched for a manifest."""

MAX_PROGRAM_BYTES = 300_000
"""Bytes of a program. Longer programs are not read."""

_NAMED = lazy(r"manifest(?:\.config)?\.[cm]?[jt]s")
_KEY = rb"[\"']?\bmanifest_version\b[\"']?\]?"
_STATES_VERSION = lazy(rb"(?<![\w.])" + _KEY + rb"\s*(?::|=>|=(?!=))\s*(?!number\b|string\b)\S")
_SETS_VERSION = lazy(rb"[.\[]" + _KEY + rb"\s*=(?![=>])")
_OF_MANIFESTS = lazy(rb"\b(?:ManifestV[23]|content_scripts|defineManifest|manifest_version|service_worker)\b")
_WRITES_MANIFEST = lazy(
    rb"(?is)\b(?:write\w*|outputJson\w*|emit(?:File|Asset)|open|save\w*|dump)\s*\([^;\n]{0,300}?manifest[\w-]*\.json\b"
    rb"|>\s*[\"']?[^\s;&|]*manifest\.json\b|\bmanifest\.json[\"'`]\s*[\]\)]?\s*(?:=|:|,)[^=]"
)
_CHECKS = lazy(r"(?:^|[/._-])(?:check|clean|lint|publish|release|test|upload|validate|verify)(?![a-z])")


class ManifestGenerator(Struct, frozen=True):
    """A program that generates a manifest: its path and text, and whether it `contains` or `writes` it."""

    path: str
    text: str
    contains: bool
    writes: bool


def manifest_generator(tree: FolderTree, paths: Iterable[str]) -> ManifestGenerator | None:
    """Returns the program among the files of a project that generates its manifest, or None.

    A program that contains a manifest is the likeliest. One that only writes a `manifest.json` counts if
    another file of the project has the key that every manifest has, since other products have manifests too.
    """
    all_paths = sorted(each for each in paths if "node_modules" not in each.split("/"))
    own = [path for path in all_paths if _is_program(path)]
    own.sort(key=lambda path: (_rank(path), path.count("/"), path))
    texts = {path: _text(tree, path) for path in own[:MAX_PROGRAMS]}
    all_programs = [
        ManifestGenerator(
            path,
            text.decode("utf-8", "replace"),
            _contains_manifest(path, text),
            _WRITES_MANIFEST.search(text) is not None,
        )
        for path, text in texts.items()
    ]
    containing = next((each for each in all_programs if each.contains), None)
    if containing is not None:
        return containing
    writing = next((each for each in all_programs if each.writes), None)
    return writing if writing is not None and _has_part(tree, all_paths) else None


def _is_program(path: str) -> bool:
    """Whether a file is a program that may generate a manifest, by its name and folder."""
    name = basename(path)
    is_one = has_suffix(path, (*PROGRAMS, *PROGRAMS_WITH_OBJECTS, *SHELL_SCRIPTS)) or is_build_file(name)
    return (
        is_one
        and _rank(path) < 3
        and not has_suffix(path, (*DECLARATIONS, ".json"))
        and not is_test_path(path)
        and _CHECKS.search(path.lower()) is None
    )


def _rank(path: str) -> int:
    """Returns how unlikely a program generates a manifest, by its name and folder: 0 to 3."""
    *folders, name = path.lower().split("/")
    if "manifest" in name:
        return 0 if _NAMED.fullmatch(name) else 1
    return 2 if is_build_file(name) or is_configuration(name) or not set(FOLDERS).isdisjoint(folders) else 3


def _contains_manifest(path: str, text: bytes) -> bool:
    """Whether a program contains a manifest, by the key that every manifest has."""
    is_named = _NAMED.fullmatch(basename(path)) is not None and _OF_MANIFESTS.search(text) is not None
    return is_named or any(each.search(text) is not None for each in (_STATES_VERSION, _SETS_VERSION))


def _has_part(tree: FolderTree, paths: Iterable[str]) -> bool:
    """Whether a data file of the project has the key that every manifest has."""
    likely = (path for path in paths if path.endswith(DATA) and "manifest" in path.lower())
    return any(b"manifest_version" in _text(tree, path) for path in islice(likely, MAX_PROGRAMS))


def _text(tree: FolderTree, path: str) -> bytes:
    data = None if tree.size(path) > MAX_PROGRAM_BYTES else bytes_of(tree.read, path)
    return decode(data or b"")
