"""The tools that build extensions, and scripts of tests, of libraries and of such tools.

Code of libraries and tools has branches for environments in which an extension never runs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from msgspec import Struct

from extlint.extension import Script
from extlint.text.patterns import lazy

FOLDERS = ("bin", "build", "ci", "config", "gulp", "script", "scripts", "tasks", "tools", "webpack")
"""Folders in which projects keep their build programs."""

_NAMES = frozenset(
    {
        # make and similar tools
        *(".justfile", "configure.ac", "gnumakefile", "justfile", "makefile", "makefile.am", "sconscript"),
        *("sconstruct", "taskfile.yaml", "taskfile.yml", "tupfile", "wscript", "xmake.lua"),
        *("build.ninja", "cmakelists.txt", "meson.build", "premake5.lua"),
        # Java, Scala, Clojure, Haxe
        *("build.boot", "build.gradle", "build.gradle.kts", "build.hxml", "build.sbt", "build.xml"),
        *("deps.edn", "ivy.xml", "pom.xml", "project.clj", "settings.gradle", "settings.gradle.kts"),
        *("shadow-cljs.edn",),
        # Bazel, Buck, Pants
        *("buck", "build", "build.bazel", "module.bazel", "pants.toml", "workspace", "workspace.bazel"),
        # other languages
        *("bsconfig.json", "cargo.toml", "dune", "dune-project", "elm-package.json", "elm.json"),
        *("gleam.toml", "mix.exs", "packages.dhall", "pubspec.yaml", "rakefile", "rakefile.rb"),
        *("rescript.json", "spago.dhall", "spago.yaml", "stack.yaml"),
        # Node and similar runtimes
        *(".parcelrc", "angular.json", "bunfig.toml", "cakefile", "config.rb", "deno.json", "deno.jsonc"),
        *("ember-cli-build.js", "fuse.js", "jakefile", "jakefile.js", "nx.json", "rush.json", "turbo.json"),
        *("config-overrides.js", "webpack.mix.js"),
    }
)
_PROGRAM = r"(?:js|mjs|cjs|ts|mts|cts|coffee|ls|json|babel\.js|esm\.js)"
_PATTERN = lazy(
    rf"(?:brocfile|gruntfile|gulpfile)(?:\.{_PROGRAM})?"
    rf"|(?:brunch-config|esbuild|rollup|webpack|vite|rspack|rolldown|tsup|tsdown)(?:[._-][\w.-]+)?\.{_PROGRAM}"
    rf"|(?:astro|bili|build|bun\.build|craco|extension|farm|modern|next|nuxt|parcel|poi|quasar|rsbuild|rslib"
    rf"|snowpack|stencil|svelte|vue|wxt)"
    rf"\.config\.{_PROGRAM}"
    r"|(?:build|bundle|compile|make)(?:[._-](?:all|chrome|extension|firefox|project|prod|release))?"
    r"\.(?:js|mjs|cjs|ts|mts|py|rb|pl|php|sh|bash|zsh|fish|bat|cmd|ps1|fsx|hs|lua|clj|nu)",
    re.ASCII,
    needs=(
        *("brocfile", "gruntfile", "gulpfile", "brunch-config", "esbuild", "rollup", "webpack", "vite"),
        *("rspack", "rolldown", "tsup", "tsdown", ".config.", "build", "bundle", "compile", "make"),
    ),
)


FETCHED = frozenset({"bower_components", "jspm_packages", "node_modules"})
"""The folders of package managers."""


def is_configuration(path: str) -> bool:
    """Whether a file configures a build tool, and is not a program itself: `wxt.config.ts`."""
    name = path.rpartition("/")[2].lower()
    return ".config." in name and is_build_file(name)


def is_build_file(name: str) -> bool:
    """Whether a file name, in any letter case, is that of a build description or program: `build.xml`.

    Tools that only check, test or pack do not count.
    """
    lowered = name.lower()
    return lowered in _NAMES or _PATTERN.fullmatch(lowered) is not None


def program_folders(names: Iterable[str]) -> tuple[str, ...]:
    """Returns the names in `FOLDERS`, and those in `names` that differ from one only in letter case."""
    return tuple(dict.fromkeys((*FOLDERS, *(name for name in names if name.lower() in FOLDERS))))


BROWSER = "*"
"""Represents the name of the folder that a build creates for one browser."""


class BuildTool(Struct, frozen=True):
    """A tool that builds extensions with their manifests.

    `name` is its display name, `packages` are the npm packages that its projects depend on, and `command`
    runs it. `outputs` are the folders of the extensions that it builds, the usual one first. The `configs`
    may name another folder in place of the first part of these.
    """

    name: str
    packages: frozenset[str]
    command: str
    outputs: tuple[str, ...]
    configs: tuple[str, ...] = ()


_SUFFIXES = ("ts", "js", "mts", "mjs", "cts", "cjs")
_VITE = tuple(f"vite.config.{suffix}" for suffix in _SUFFIXES)

WEBPACK_CONFIGS = tuple(
    f"{folder}{name}.{suffix}"
    for folder in ("", "webpack/", "config/", "build/")
    for name in ("webpack.config", "webpack.common", "webpack.config.common", "webpack.config.prod")
    for suffix in ("js", "ts", "cjs", "mjs")
)
"""Files that configure webpack, in the usual folders."""

CRXJS = BuildTool(
    "CRXJS",
    frozenset({"@crxjs/vite-plugin", "vite-plugin-crx-mv3"}),
    "vite build",
    ("dist", "dist/*"),
    _VITE,
)

TOOLS = (
    BuildTool(
        "WXT",
        frozenset({"wxt"}),
        "wxt build",
        (".output/chrome-mv3", ".output/*"),
        tuple(f"wxt.config.{suffix}" for suffix in _SUFFIXES),
    ),
    BuildTool("Plasmo", frozenset({"plasmo"}), "plasmo build", ("build/chrome-mv3-prod", "build/*")),
    CRXJS,
    BuildTool(
        "a plugin of Vite",
        frozenset(
            {
                *("@samrum/vite-plugin-web-extension", "vite-plugin-chrome-extension"),
                *("vite-plugin-web-extension", "vite-plugin-webextension"),
            }
        ),
        "vite build",
        ("dist", "dist/*"),
        _VITE,
    ),
    BuildTool(
        "webextension-toolbox",
        frozenset({"@webextension-toolbox/webextension-toolbox", "webextension-toolbox"}),
        "webextension-toolbox build chrome",
        ("dist/chrome", "dist/*"),
    ),
    BuildTool("Extension.js", frozenset({"extension"}), "extension build", ("dist/chrome", "dist/*")),
    BuildTool("Bedframe", frozenset({"@bedframe/cli"}), "bedframe build", ("dist/chrome", "dist/*")),
    BuildTool(
        "Parcel",
        frozenset({"@parcel/config-webextension", "@plasmohq/parcel-config", "parcel-plugin-web-extension"}),
        "parcel build",
        ("dist", "dist/*"),
    ),
)
"""Tools that also generate the manifest, the most specific first."""

VITE = BuildTool("Vite", frozenset({"vite"}), "vite build", ("dist", "dist/*"), _VITE)
"""Vite without a plugin for extensions: it copies a manifest, and bundles scripts."""


def tool_of(dependencies: Collection[str]) -> BuildTool | None:
    """Returns the tool of a project with these dependencies, or None."""
    return next((each for each in TOOLS if not each.packages.isdisjoint(dependencies)), None)


_TEST_FILE = lazy(
    r"(?:^|/)(?:tests?|__tests__|__mocks__|mocks?|specs?|e2e)/|[.\-_](?:test|spec|mock)s?\.\w+$"
    r"|(?:^|/)(?:test_[^/]*|conftest)\.py$|\.hot-update\.m?js$"
)
_TEST = lazy(rb"(?<![\w$.])(?:describe|it|suite|test)\(\s*[\"'`]")


def is_test_script(script: Script) -> bool:
    """Whether nothing loads a script, and its path is that of a test, or of an update of the code.

    The development server of webpack writes updates for pages that are open (`a.0123.hot-update.js`).
    """
    return not script.contexts and is_test_path(script.path)


def defines_tests(script: Script) -> bool:
    """Whether a script with the path of a test defines tests, also if a page of the extension runs them."""
    return is_test_path(script.path) and _TEST.search(script.index.text) is not None


def is_test_path(path: str) -> bool:
    """Whether a path is that of a test, by the name of the file or of a folder."""
    return _TEST_FILE.search(path.lower()) is not None


_LIBRARY = lazy(r"(?i)(?:^|/)(?:node_modules|bower_components|third[-_]?party)/|[.-]min\.")


def is_generated(script: Script) -> bool:
    """Whether a script seems to be a library, minified or a bundle."""
    from extlint.analysis.syntax.build_signs import seems_generated

    return is_library(script) or seems_generated(script.index.text)


def is_library(script: Script) -> bool:
    """Whether the path of a script is that of a library, or of the minified form of one."""
    return _LIBRARY.search(script.path) is not None
