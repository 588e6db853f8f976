"""Finds the build of a project and its output folder, which should be checked instead of the source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from posixpath import basename, join, normpath, relpath

from msgspec import Struct
from msgspec.structs import replace

from extlint.package.discovery.frameworks import BY_DEFAULT, build_commands
from extlint.package.files import MANIFEST, Surroundings, bytes_of
from extlint.package.sniff import names_manifest_version
from extlint.package.surroundings import OUTPUT_FOLDERS, PACKAGE_JSON
from extlint.project.build_scripts import (
    ManifestGenerator,
    build_scripts,
    is_certain,
    only_compiles,
    programs_of,
)
from extlint.project.build_tools import BROWSER, VITE, BuildTool, tool_of
from extlint.project.builds import DEPENDENCIES
from extlint.project.output_folders import (
    OUTPUT_CONFIGS,
    computes_output,
    folder_of_program,
    output_folder,
    output_of_command,
    written_folder,
)
from extlint.project.resolution.project_files import folders_above, joined
from extlint.text.json.reader import read_json
from extlint.text.json.values import JsonNode
from extlint.text.patterns import lazy
from extlint.text.positions import decode

MAX_CONFIG_BYTES = 200_000
"""Bytes of a build configuration. A longer one is not searched for its output folder."""

_MANAGERS = (
    ("pnpm", ("pnpm-lock.yaml",)),
    ("yarn", ("yarn.lock",)),
    ("bun", ("bun.lock", "bun.lockb")),
    ("npm", ("package-lock.json", "npm-shrinkwrap.json")),
)
"""The package managers, by the files that they write."""

_WITH_VERSION_2 = frozenset({"firefox", "safari"})
"""The browsers for which WXT builds in Manifest V2, unless its configuration names the other version."""

_VERSION_3 = lazy(r"\bmanifestVersion\s*:\s*3\b")

_RUN = {"npm": "npm run", "pnpm": "pnpm", "yarn": "yarn", "bun": "bun run"}
_EXECUTE = {"npm": "npx", "pnpm": "pnpm exec", "yarn": "yarn", "bun": "bunx"}

_OTHER_TOOLS = (
    (("Makefile", "GNUmakefile", "makefile"), lazy(r"^(?:all|build)\s*:", re.MULTILINE), "make"),
    (("Gruntfile.js", "gruntfile.js", "Gruntfile.coffee"), lazy(r"registerTask\(\s*['\"]default"), "grunt"),
    (
        ("gulpfile.js", "gulpfile.mjs", "gulpfile.ts"),
        lazy(r"['\"]default['\"]|exports\.default|export default"),
        "gulp",
    ),
)
"""The configurations of other tools, their default tasks, and the commands that run these."""


class ProjectBuild(Struct, frozen=True):
    """The build of a project.

    `tool` is the build tool, or None if unknown, `command` runs it in the project's `folder`, or None if
    several scripts may do so, and `output` is the folder of the built extension in the project, or
    None if unknown. It `is_built` if there is a manifest. A build that `only_compiles` runs only the
    TypeScript compiler.
    """

    tool: BuildTool | None
    command: str | None
    folder: str
    output: str | None
    is_built: bool
    only_compiles: bool = False


def build_of(around: Surroundings, folder: str) -> ProjectBuild | None:
    """Returns the build of a folder's project, from the nearest package.json that has one, or None.

    A build that only compiles TypeScript counts only without another one.
    """
    found = [
        (place, config)
        for place in folders_above(folder.rstrip("/"))
        if (config := _json(around, joined(place, PACKAGE_JSON) or PACKAGE_JSON)) is not None
    ]
    builds = (_build_in(around, place, config, folder) for place, config in found)
    return min(filter(None, builds), key=lambda build: build.only_compiles, default=None)


def build_by_other_tool(around: Surroundings, folder: str) -> ProjectBuild | None:
    """Returns the build by make, Grunt or gulp that the nearest of their configurations describes, or None.

    Its default task has to exist. For Grunt and gulp, it has to name a manifest.
    """
    for place in folders_above(folder.rstrip("/")):
        for names, default, command in _OTHER_TOOLS:
            text = next(filter(None, (_text(around, joined(place, each) or each) for each in names)), "")
            if default.search(text) and (command == "make" or MANIFEST in text):
                run = command if command == "make" else f"npx {command}"
                return ProjectBuild(None, run, place, None, False)
    return None


def build_by_program(
    around: Surroundings, folder: str, program: ManifestGenerator, build: ProjectBuild | None
) -> ProjectBuild | None:
    """Returns the build of a project whose manifest a program of the project generates, or None.

    Without a `build`, it is the script in package.json that runs the program, or else the program itself. The
    program may also name the output folder.
    """
    place = folder.rstrip("/")
    if build is None:
        config = _json(around, joined(place, PACKAGE_JSON) or PACKAGE_JSON)
        name = basename(program.path)
        scripts = () if config is None else _scripts(config).items()
        script = next((each for each, text in scripts if name in text), None)
        if config is not None and script is not None:
            build = ProjectBuild(
                None, f"{_RUN[_manager(around, place, config)]} {script}", place, None, False
            )
        elif program.writes:
            build = ProjectBuild(None, "", place, None, False)
    if build is None or build.output is not None:
        return build
    written = written_folder(program.text)
    return build if written is None else replace(build, output=joined(build.folder, written))


def _build_in(around: Surroundings, place: str, config: JsonNode, source: str) -> ProjectBuild | None:
    dependencies = _keys(config, DEPENDENCIES)
    tool = tool_of(dependencies)
    bundler = tool or (VITE if "vite" in dependencies else None)
    scripts = _scripts(config)
    found = build_scripts(
        scripts,
        bundler,
        relpath(source.rstrip("/") or ".", place or "."),
        lambda path: _text(around, joined(place, path) or path),
        around.files(place),
    )
    name = found[0] if found else None
    command: str | None = None
    if name is not None and is_certain(scripts, found):
        command = f"{_RUN[_manager(around, place, config)]} {name}"
    elif name is None and bundler is not None:
        command = f"{_EXECUTE[_manager(around, place, config)]} {bundler.command}"
    elif name is None:
        return None
    is_known = name is not None and command is not None
    programs = programs_of(scripts, name) if name is not None and is_known else ()
    outputs = (*_outputs(around, place, bundler, scripts[name] if name and is_known else "", programs),)
    built = next((each for each in _existing(around, place, outputs) if each != source.rstrip("/")), None)
    output = built or (joined(place, outputs[0]) if outputs else None)
    compiles = bundler is None and name is not None and only_compiles(scripts[name])
    return ProjectBuild(tool, command, place, output, built is not None, compiles)


def _scripts(config: JsonNode) -> Mapping[str, str]:
    table = config.get("scripts")
    members = () if table is None else table.members()
    return {name: member.node.value for name, member in members if isinstance(member.node.value, str)}


def _manager(around: Surroundings, place: str, config: JsonNode) -> str:
    for folder in folders_above(place):
        for name, files in _MANAGERS:
            if any(around.has(joined(folder, file) or file) for file in files):
                return name
    stated = config.get("packageManager")
    name = str(stated.value).partition("@")[0] if stated is not None else ""
    return name if name in _RUN else "npm"


def _outputs(
    around: Surroundings, place: str, tool: BuildTool | None, command: str, programs: Sequence[str]
) -> Iterator[str]:
    """Yields the output folders of a build, relative to its own folder, the usual one first.

    Without a known tool, they are those that the command or the configuration of a bundler names. The
    `programs` that it runs instead of a tool have priority.
    """
    usual = ("dist", "dist/*") if tool is None else _usual_outputs(around, place, tool, command)
    configs = OUTPUT_CONFIGS if tool is None else tool.configs
    named = output_of_command(command)
    for path in () if named is not None else (*programs, *configs):
        text = _text(around, joined(place, path) or path)
        if text:
            named = output_folder(text, path) or (folder_of_program(text, path) if path in programs else None)
        if named is not None:
            break
        if text and computes_output(text, path):
            return
    if named is not None:
        parts = (each.partition("/") for each in usual)
        usual = tuple(f"{named}{slash}{rest}" for _, slash, rest in parts)
    elif tool is None:
        return
    yield from usual


def _usual_outputs(around: Surroundings, place: str, tool: BuildTool, command: str) -> tuple[str, ...]:
    """Returns the output folders of a tool, first that of the browser for which a command builds."""
    first, *more = tool.outputs
    for each in build_commands(tool.name, command):
        browser = each.browser or BY_DEFAULT
        texts = (_text(around, joined(place, path) or path) for path in tool.configs)
        is_of_version_2 = browser in _WITH_VERSION_2 and not any(
            text is not None and _VERSION_3.search(text) for text in texts
        )
        version = each.version or ("mv2" if is_of_version_2 else "mv3")
        return (first.replace(f"{BY_DEFAULT}-mv3", f"{browser}-{version}"), *more)
    return tool.outputs


def _existing(around: Surroundings, place: str, outputs: Sequence[str]) -> Iterator[str]:
    """Yields the folders with a manifest to which the build writes, or builds usually do."""
    usual = (f"{name}{rest}" for name in sorted(OUTPUT_FOLDERS) for rest in ("", f"/{BROWSER}"))
    for pattern in dict.fromkeys((*outputs, *usual)):
        folder = joined(place, pattern.removesuffix(f"/{BROWSER}"))
        if folder is None:
            continue
        names = around.folders(folder) if pattern.endswith(BROWSER) else ("",)
        for name in names:
            path = joined(folder, name) or folder
            if names_manifest_version((_text(around, f"{path}/{MANIFEST}") or "").encode("utf-8", "replace")):
                yield path


def display_path(path: str, folder: str, name: str) -> str:
    """Returns a path in the project as written by a user who calls a folder of it by this name."""
    return normpath(join(name, relpath(path or ".", folder.rstrip("/") or ".")))


def _keys(config: JsonNode, tables: Sequence[str]) -> frozenset[str]:
    found = (config.get(name) for name in tables)
    return frozenset(key for table in found if table is not None for key, _ in table.members())


def _json(around: Surroundings, path: str) -> JsonNode | None:
    text = _text(around, path)
    return None if text is None else read_json(text.encode("utf-8", "replace")).root


def _text(around: Surroundings, path: str) -> str | None:
    data = bytes_of(around.read, path)
    if data is None or len(data) > MAX_CONFIG_BYTES:
        return None
    return decode(data).decode("utf-8", "replace")
