"""The module systems that extlint knows, in the order in which they are queried."""

from __future__ import annotations

from extlint.analysis.bundles.browserify import Browserify
from extlint.analysis.bundles.commonjs import CommonJs, CompilerHelpers
from extlint.analysis.bundles.esbuild import Esbuild
from extlint.analysis.bundles.model import ModuleSystem
from extlint.analysis.bundles.parcel import Parcel
from extlint.analysis.bundles.polyfill import Polyfill
from extlint.analysis.bundles.rollup import Rollup
from extlint.analysis.bundles.webpack import Webpack

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
