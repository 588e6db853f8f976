"""The names of the files that describe or run a build, for all kinds of build tools."""

from __future__ import annotations

import re
from collections.abc import Iterable

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
        *("webpack.mix.js",),
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
