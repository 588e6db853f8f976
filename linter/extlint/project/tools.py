"""The programs of a project that are not part of the extension: those that build, pack and release it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from posixpath import dirname, relpath

from msgspec import Struct
from msgspec.structs import replace

from extlint.extension import Extension, Script
from extlint.package.files import Surroundings, bytes_of
from extlint.package.suffixes import PROGRAMS, PROGRAMS_WITH_OBJECTS, SHELL_SCRIPTS
from extlint.project.build_tools import FOLDERS, is_build_file, is_test_path, is_test_script, program_folders
from extlint.project.contexts.words import Words
from extlint.project.resolution.project_files import ProjectFiles, folders_above, joined
from extlint.queries.query import query
from extlint.text.patterns import lazy, lazy_word
from extlint.text.positions import decode

MAX_TOOLS = 200
"""Programs of one project that are read."""

MAX_PROGRAM_FOLDERS = 100
"""Folders of programs, in one folder of a project, that are searched for programs."""

MAX_TOOL_BYTES = 300_000
"""Bytes of a program. Longer programs are not read."""

_CI_FILES = (".github/workflows/", ".gitlab-ci.yml", ".circleci/config.yml", ".travis.yml")
_CI_FOLDERS = (".circleci", ".github/workflows")
_TOOL_FILE = lazy(
    r"(?:^|/)(?:gulpfile|gruntfile|(?:webpack|rollup|vite|wxt|esbuild|babel|jest|vitest|karma)[^/]*)\.\w+$"
    r"|\.(?:config|stories|story|bench)\.\w+$|(?:^|/)(?:\.storybook|__stories__|stories|benchmarks?)/"
)
_TOOL_MODULES = lazy(
    r"node:.+|child_process|fs|fs/promises|fs-extra|fs-jetpack|readline|worker_threads"
    r"|archiver|esbuild|gulp|jsonfile|rollup|shelljs|vite|web-ext|webpack"
    r"|(?:@jest|@playwright|@storybook|@testing-library)/.+|ava|chai|jest|mocha|selenium-webdriver|sinon|tape"
    r"|(?:playwright|puppeteer)(?:-\w+)?|vitest|webdriverio"
)
_NODE_MODULE = lazy(
    rb"""["'](?:node:)?(?:bun|child_process|fs|fs/promises|fs-extra|fs-jetpack|gulp|jsonfile|path|shelljs)["']"""
)
_SUFFIX = r"\.(?:[cm]?[jt]s|coffee|ls|php|pl|ps1|py|rb|bash|sh|zsh)(?![\w.-])"
_NAMED_PROGRAM = lazy(rf"(?<![\w@-])[\w./-]+{_SUFFIX}|(?<=\bnode\s)[\w./-]+")
_SIGNS_OF_NAMES = lazy(_SUFFIX), lazy(r"node\s")
_NAME = lazy(r"[\w./-]*")
_IMPORTED_PROGRAM = lazy(r"""(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*["'](\.{1,2}/[\w./-]+)["']""")
_LINE_COMMENT = lazy(r"(?m)(?:^|(?<=\s))#(?!\{)[^\n]*$|^[ \t]*(?://|(?:REM|rem)\s)[^\n]*$")
_XML_COMMENT = lazy(r"(?s)<!--.*?(?:-->|\Z)")
_JOINED = lazy(r"[\\`^]\r?\n")
_NODE_GLOBALS = (
    *(lazy_word(each, rb"\w", then=rb"\.\w") for each in (b"Bun", b"Deno", b"grunt")),
    lazy_word(b"process", rb"\w", then=rb"\.(?:argv|exit)\b"),
)


class Tool(Struct, frozen=True):
    """A program and its text."""

    path: str
    text: bytes


@query(is_of_package=True)
def code_of(extension: Extension, tool: Tool) -> str:  # noqa: ARG001
    """Returns the text of a program without comments, with continued lines joined."""
    if tool.path.endswith(PROGRAMS):
        return Words({tool.path: (tool.text, ())}).without_comments(tool.path).decode("utf-8", "replace")
    text = _JOINED.sub(" ", tool.text.decode("utf-8", "replace"))
    return _XML_COMMENT.sub(" ", _LINE_COMMENT.sub(" ", text))


@query
def project_programs(extension: Extension) -> tuple[Tool, ...]:
    """Returns the programs in an extension's folder, then those around it, then those that others run.

    Programs that test the project do not count, unless the extension itself is in a folder of tests.
    """
    package = extension.package
    if package.packed or not package.complete:
        return ()
    folder = "." if package.around is None else package.around.folder or "."
    own = [each for each in _own_programs(extension) if not is_test_path(each.path)]
    others = [*_surrounding_programs(extension), *_npm_scripts(extension)]
    others += _started_programs(extension, own, others)
    return (*own, *(each for each in others if not is_test_path(relpath(each.path, folder))))


def manifest_tools(extension: Extension) -> Iterator[Tool]:
    """Yields the programs that mention a manifest."""
    yield from islice(filter(_mentions_manifest, project_programs(extension)), MAX_TOOLS)


def _mentions_manifest(tool: Tool) -> bool:
    return "manifest" in tool.path.rpartition("/")[2].lower() or b"manifest" in tool.text.lower()


def _own_programs(extension: Extension) -> Iterator[Tool]:
    """Yields the programs in the extension's folder that are not loaded and use no extension API."""
    package = extension.package
    scripts = {script.path for script in extension.scripts}
    for script in extension.scripts:
        is_program = script.path.endswith(PROGRAMS) and not script.contexts and not script.facts.references
        if is_program and not is_test_script(script) and is_tool(script.path, script.index.text):
            yield Tool(script.path, script.index.text)
    for path in package.paths:
        if path not in scripts and _is_program(path):
            data = bytes_of(package.peek, path)
            if data is not None:
                yield _tool(path, data)


def _surrounding_programs(extension: Extension) -> Iterator[Tool]:
    """Yields the programs in folders above the extension's, and in their subfolders for programs."""
    around = extension.package.around
    if around is None or not around.folder:
        return
    for folder in folders_above(around.folder.rstrip("/"))[1:]:
        for place, is_nested in _program_folders(around, folder):
            if f"{place}/".startswith(around.folder):
                continue
            for name in around.files(place):
                path = joined(place, name) or name
                if not path.endswith(PROGRAMS) and (is_nested or not _is_program(path)):
                    continue
                data = bytes_of(around.read, path)
                tool = None if data is None else _tool(path, data)
                if tool is not None and (not path.endswith(PROGRAMS) or is_tool(path, tool.text)):
                    yield tool


def _program_folders(around: Surroundings, folder: str) -> Iterator[tuple[str, bool]]:
    """Yields a folder, its folders for programs, and the folders in these, with whether each is nested."""
    yield folder, False
    names = (*program_folders(around.folders(folder)), *_CI_FOLDERS)
    waiting = [joined(folder, each) or "" for each in names]
    for at, place in enumerate(waiting):
        yield place, at >= len(names)
        inner = around.folders(place) if len(waiting) <= MAX_PROGRAM_FOLDERS else ()
        waiting += [f"{place}/{each}" for each in inner if each != "node_modules"]


def _started_programs(extension: Extension, own: Sequence[Tool], others: Sequence[Tool]) -> Iterator[Tool]:
    """Yields the programs that commands of other programs name, and the modules that programs import.

    Nothing that the extension itself loads is one of these programs.
    """
    project = ProjectFiles(extension.package)
    waiting = [*(replace(each, path=project.full(each.path)) for each in own), *others]
    known = {each.path for each in waiting}
    known |= {project.full(script.path) for script in extension.scripts if script.contexts}
    for tool in waiting:
        text, is_script = tool.text.decode("utf-8", "replace"), tool.path.endswith(PROGRAMS)
        names = _IMPORTED_PROGRAM.findall(text) if is_script else _named_programs(text)
        folders = (dirname(tool.path),) if is_script else folders_above(dirname(tool.path))
        for name in names if len(waiting) <= MAX_TOOLS else ():
            resolved = (_resolved(project, joined(folder, name)) for folder in folders)
            path = next((each for each in resolved if each is not None), None)
            if path is None or path in known or "node_modules" in path.split("/"):
                continue
            known.add(path)
            started = _tool(path, project.read(path) or b"")
            waiting.append(started)
            yield started


def imported_by_programs(project: ProjectFiles, programs: Iterable[str]) -> frozenset[str]:
    """Returns the paths of the modules that programs import, directly or through others."""
    waiting = [*programs]
    found = set[str]()
    while waiting:
        path = waiting.pop()
        text = (project.read(path) or b"").decode("utf-8", "replace")
        for name in _IMPORTED_PROGRAM.findall(text):
            module = project.resolve_module(joined(dirname(path), name))
            if module is not None and module not in found:
                found.add(module)
                waiting.append(module)
    return frozenset(found)


def _named_programs(text: str) -> Iterator[str]:
    """Yields the names of programs in a text. Only the words with a suffix, or after `node`, may be names."""
    end = 0
    for at in sorted(each.end() for sign in _SIGNS_OF_NAMES for each in sign.finditer(text)):
        if at > end:
            start = at
            while start > end and (text[start - 1].isalnum() or text[start - 1] in "_./-"):
                start -= 1
            rest = _NAME.match(text, at)
            end = rest.end() if rest else at
            yield from _NAMED_PROGRAM.findall(text, start, end)


def _resolved(project: ProjectFiles, path: str | None) -> str | None:
    """Returns the program of a path that a command or an import names, or None."""
    if path and _is_program(path) and project.has(path):
        return path
    found = project.resolve_module(path or None)
    return found if found is not None and found.endswith(PROGRAMS) else None


def _npm_scripts(extension: Extension) -> Iterator[Tool]:
    """Yields the npm scripts in package.json, of the extension's folder and of those above."""
    around = extension.package.around
    project = ProjectFiles(extension.package)
    for folder in folders_above("" if around is None else around.folder.rstrip("/")):
        path = joined(folder, "package.json") or "package.json"
        config = project.json(path) if project.has(path) else None
        scripts = None if config is None else config.get("scripts")
        for _, member in () if scripts is None else scripts.members():
            if isinstance(member.node.value, str):
                yield Tool(path, member.node.value.encode("utf-8", "replace"))


def _tool(path: str, data: bytes) -> Tool:
    return Tool(path, b"" if len(data) > MAX_TOOL_BYTES else decode(data))


def _is_program(path: str) -> bool:
    """Whether a file is a program in a language other than JavaScript, by its name."""
    lowered = path.lower()
    name = lowered.rpartition("/")[2]
    if lowered.endswith(PROGRAMS):
        return False
    return (
        lowered.endswith((*PROGRAMS_WITH_OBJECTS, *SHELL_SCRIPTS))
        or any(each in lowered for each in _CI_FILES)
        or is_build_file(name)
    )


def is_tool(path: str, text: bytes) -> bool:
    """Whether a script is for Node or a similar runtime, by its name, its folder or its use of APIs."""
    if len(text) > MAX_TOOL_BYTES:
        return False
    *folders, name = path.lower().split("/")
    is_named = is_build_file(name) or ".config." in name or not set(FOLDERS).isdisjoint(folders)
    return is_named or uses_node(text)


def is_tool_script(script: Script) -> bool:
    """Whether a script runs outside of the extension, to build, test or demonstrate it.

    Its file name shows that, or what it uses. A folder `scripts` does not: extensions have such folders, too.
    """
    return (
        _TOOL_FILE.search(script.path.lower()) is not None
        or any(_TOOL_MODULES.fullmatch(load.name) for load in script.facts.loads)
        or (not script.contexts and any(each.search(script.index.text) for each in _NODE_GLOBALS))
    )


def uses_node(text: bytes) -> bool:
    """Whether a text imports a Node module, or uses globals of Node or a similar runtime."""
    if _NODE_MODULE.search(text) is not None:
        return True
    return any(each.search(text) is not None for each in _NODE_GLOBALS)
