"""The tools that build extensions, and their output folders."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

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

TOOLS = (
    BuildTool(
        "WXT",
        frozenset({"wxt"}),
        "wxt build",
        (".output/chrome-mv3", ".output/*"),
        tuple(f"wxt.config.{suffix}" for suffix in _SUFFIXES),
    ),
    BuildTool("Plasmo", frozenset({"plasmo"}), "plasmo build", ("build/chrome-mv3-prod", "build/*")),
    BuildTool(
        "CRXJS",
        frozenset({"@crxjs/vite-plugin", "vite-plugin-crx-mv3"}),
        "vite build",
        ("dist", "dist/*"),
        _VITE,
    ),
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
