"""The module systems that extlint knows, in the order in which they are queried."""

from __future__ import annotations

from extlint.bundles.browserify import Browserify
from extlint.bundles.commonjs import CommonJs
from extlint.bundles.compiler_helpers import CompilerHelpers
from extlint.bundles.esbuild import Esbuild
from extlint.bundles.module_system import ModuleSystem
from extlint.bundles.parcel import Parcel
from extlint.bundles.polyfill import Polyfill
from extlint.bundles.rollup import Rollup
from extlint.bundles.webpack import Webpack

SYSTEMS: tuple[ModuleSystem, ...] = (
    Webpack(),
    Browserify(),
    Parcel(),
    Esbuild(),
    Rollup(),
    CompilerHelpers(),
    Polyfill(),
    CommonJs(),
)
