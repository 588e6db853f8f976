"""How a project is built, and in which folder the extension is then: where a source is not what to check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from posixpath import basename, dirname, join, normpath, relpath

from msgspec import Struct

from extlint.json_text.reader import read_json
from extlint.json_text.values import JsonNode
from extlint.package.files import MANIFEST, Surroundings, UnreadableError
from extlint.package.sniff import names_manifest_version
from extlint.project.build_files import OUTPUT_FOLDERS
from extlint.project.build_tools import BROWSER, VITE, WEBPACK_CONFIGS, BuildTool, tool_of
from extlint.project.builds import DEPENDENCIES, PACKAGE_JSON
from extlint.resolution.project_files import folders_above, joined
from extlint.text.patterns import lazy
from extlint.text.positions import decode

MAX_CONFIG_BYTES = 200_000
"""A longer configuration of a build is not searched for the folder of its output."""

_MANAGERS = (
    ("pnpm", ("pnpm-lock.yaml",)),
    ("yarn", ("yarn.lock",)),
    ("bun", ("bun.lock", "bun.lockb")),
    ("npm", ("package-lock.json", "npm-shrinkwrap.json")),
)
"""What installs a project's packages, by the file that it writes."""

_RUN = {"npm": "npm run", "pnpm": "pnpm", "yarn": "yarn", "bun": "bun run"}
_EXECUTE = {"npm": "npx", "pnpm": "pnpm exec", "yarn": "yarn", "bun": "bunx"}
_COMPILER = lazy(r"(?:npx |yarn |pnpm )?tsc\b[^&|;]*$")
_BUILD_SCRIPT = lazy(r"build(?![a-z])")
_RELEASE_SCRIPT = lazy(r"(?:bundle|dist|prod|production|release)(?![a-z])")
"""What scripts that build are called where none is called `build`."""

_IS_CALL = r"(?:path\.)?(?:resolve|join)\(\s*(?:__dirname|import\.meta\.dirname|process\.cwd\(\))\s*,"
_VALUE = rf"""\s*:\s*(?:(?P<call>{_IS_CALL})\s*)?["'`](?P<folder>[\w./-]+)["'`]\s*(?P<end>[,)\n\}}])"""
_OUTPUT_OF_VITE = lazy(rf"\bbuild\s*:\s*\{{[^{{}}]*?\boutDir{_VALUE}")
_OUTPUT_OF_WXT = lazy(rf"\boutDir{_VALUE}")
_OUTPUT_OF_WEBPACK = lazy(rf"\boutput\s*:\s*\{{[^{{}}]*?\bpath{_VALUE}")
_VITE_ROOT = lazy(r"""\broot\s*:\s*["'`]([\w./-]+)["'`]""")


class ProjectBuild(Struct, frozen=True):
    """How a project is built.

    `tool` is what makes the extension, None if it is not known, `command` runs it in the `folder` of the
    project, and `output` is the folder of the extension in the project, None if that is not known. It
    `is_built` if there is a manifest. One that `only_compiles` calls the compiler of
    TypeScript and nothing else.
    """

    tool: BuildTool | None
    command: str
    folder: str
    output: str | None
    is_built: bool
    only_compiles: bool = False


def build_of(around: Surroundings, folder: str) -> ProjectBuild | None:
    """The build of the project that a folder belongs to, by the nearest package.json that has one.

    One that only compiles TypeScript counts if there is no other.
    """
    found = [
        (place, config)
        for place in folders_above(folder.rstrip("/"))
        if (config := _json(around, joined(place, PACKAGE_JSON) or PACKAGE_JSON)) is not None
    ]
    builds = (_build_in(around, place, config, folder) for place, config in found)
    return min(filter(None, builds), key=lambda build: build.only_compiles, default=None)


def _build_in(around: Surroundings, place: str, config: JsonNode, source: str) -> ProjectBuild | None:
    dependencies = _keys(config, DEPENDENCIES)
    tool = tool_of(dependencies)
    bundler = tool or (VITE if "vite" in dependencies else None)
    name = _build_script(config, bundler)
    command = _command(around, place, config, bundler, name)
    if command is None:
        return None
    outputs = (*_outputs(around, place, bundler),)
    built = next((each for each in _existing(around, place, outputs) if each != source.rstrip("/")), None)
    output = built or (joined(place, outputs[0]) if outputs else None)
    only_compiles = (
        bundler is None and name is not None and _COMPILER.match(_scripts(config)[name]) is not None
    )
    return ProjectBuild(tool, command, place, output, built is not None, only_compiles)


def _command(
    around: Surroundings, place: str, config: JsonNode, tool: BuildTool | None, script: str | None
) -> str | None:
    """What builds the project: one of its own scripts, or else the tool itself."""
    manager = _manager(around, place, config)
    if script is not None:
        return f"{_RUN[manager]} {script}"
    return None if tool is None else f"{_EXECUTE[manager]} {tool.command}"


def _build_script(config: JsonNode, tool: BuildTool | None) -> str | None:
    """The name of the script of a package.json that builds; None if there is none."""
    scripts = _scripts(config)
    builds = [name for name, text in scripts.items() if tool is not None and tool.command in text]
    builds = builds or [name for name in scripts if _BUILD_SCRIPT.match(name)]
    builds = builds or [name for name in scripts if _RELEASE_SCRIPT.match(name)]
    return min(builds, key=lambda name: (name != "build", len(name)), default=None)


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


def _outputs(around: Surroundings, place: str, tool: BuildTool | None) -> Iterator[str]:
    """The folders that a build writes, below its own, the usual one first."""
    usual = ("dist", "dist/*") if tool is None else tool.outputs
    for path in WEBPACK_CONFIGS if tool is None else tool.configs:
        text = _text(around, joined(place, path) or path)
        folder = None if text is None else _folder_in(text, path)
        if folder is not None:
            usual = tuple(
                f"{folder}{slash}{rest}" for _, slash, rest in (each.partition("/") for each in usual)
            )
            break
    else:
        if tool is None:
            return
    yield from usual


def _folder_in(text: str, path: str) -> str | None:
    """The folder of the output that a configuration names; None if it names none, or not plainly."""
    name = basename(path)
    pattern = (
        _OUTPUT_OF_WXT
        if name.startswith("wxt")
        else _OUTPUT_OF_VITE
        if name.startswith("vite")
        else _OUTPUT_OF_WEBPACK
    )
    found = pattern.search(text)
    if found is None or (found["call"] is not None) != (found["end"] == ")"):
        return None
    root = _VITE_ROOT.search(text) if name.startswith("vite") else None
    start = dirname(path) if found["call"] is not None else root[1] if root is not None else ""
    parts = normpath(join(start, found["folder"])).split("/")
    last = next((at for at, part in enumerate(parts) if part in OUTPUT_FOLDERS), len(parts) - 1)
    return "/".join(parts[: last + 1]) if ".." not in parts else None


def _existing(around: Surroundings, place: str, outputs: Sequence[str]) -> Iterator[str]:
    """The folders of the project that have a manifest and to which the build writes, or builds usually do."""
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


def shown(path: str, folder: str, name: str) -> str:
    """A path in the project as a user would write it who calls a folder of the project by this name."""
    return normpath(join(name, relpath(path or ".", folder.rstrip("/") or ".")))


def _keys(config: JsonNode, tables: Sequence[str]) -> frozenset[str]:
    found = (config.get(name) for name in tables)
    return frozenset(key for table in found if table is not None for key, _ in table.members())


def _json(around: Surroundings, path: str) -> JsonNode | None:
    text = _text(around, path)
    return None if text is None else read_json(text.encode("utf-8", "replace")).root


def _text(around: Surroundings, path: str) -> str | None:
    if not around.has(path):
        return None
    try:
        data = around.read(path)
    except UnreadableError:
        return None
    return decode(data).decode("utf-8", "replace") if len(data) <= MAX_CONFIG_BYTES else None
