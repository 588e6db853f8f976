"""Generates extensions of real libraries for measurements: `python benchmarks/bundles.py FOLDER`.

Installs the libraries with npm, and builds for each, with esbuild, a background script that uses the API
among the library's code, both plain and minified. `libraries` is an extension of the libraries' own bundles
together, next to the background script. These files are not part of the project: FOLDER is the reader's own.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

PACKAGES = (
    *("esbuild@0.25", "typescript@5.9", "@babel/standalone@7", "three@0.180", "react@19", "react-dom@19"),
    *("lodash@4", "d3@7", "chart.js@4", "@mui/material@7", "@emotion/react@11", "@emotion/styled@11"),
    *("antd@5", "mermaid@11", "highlight.js@11", "ethers@6", "vue@3", "pdfjs-dist@5", "ace-builds@1"),
    *("monaco-editor@0.53", "react-devtools-core@6", "webextension-polyfill@0.12"),
)

BUNDLES = {
    "antd": ("antd", "react"),
    "babel": ("@babel/standalone",),
    "ethers": ("highlight.js", "ethers", "vue"),
    "mermaid": ("mermaid",),
    "mui": ("@mui/material", "react", "react-dom/client", "webextension-polyfill"),
    "react": ("react", "react-dom/client", "lodash", "d3", "chart.js/auto", "webextension-polyfill"),
    "three": ("three", "three/webgpu", "three/tsl"),
    "typescript": ("typescript",),
}
"""The modules in each bundle."""

LIBRARIES = (
    *("typescript/lib/typescript.js", "typescript/lib/_tsc.js", "@babel/standalone/babel*.js"),
    *("three/build/three.*.js", "pdfjs-dist/build/*.mjs", "lodash/lodash.js", "ethers/dist/ethers*.js"),
    *("react-dom/cjs/react-dom-client.development.js", "antd/dist/antd*.js", "mermaid/dist/mermaid*.js"),
    *("d3/dist/d3*.js", "chart.js/dist/chart.umd.js", "react-devtools-core/dist/*.js"),
    *("ace-builds/src-min/ace.js", "ace-builds/src-min/worker-*.js", "monaco-editor/min/vs/**/*.js"),
)
"""The paths of the packages' own bundles."""

USES = """
browser.tabs.query({ active: true }).then((tabs) => console.log(tabs[0].title));
browser.runtime.onMessage.addListener((message, sender) => {
  browser.tabs.sendMessage(sender.tab.id, message);
});
class Store {
  constructor() { this.area = browser.storage.local; }
  read(key) { return this.area.get(key); }
}
new Store().read("x").then(console.log);
const { management } = browser;
management.getSelf().then((info) => console.log(info.name));
browser.test.assertBool(true);
browser.tabs.query("active");
"""
"""Typical uses of the API. The last two are mistakes."""

MANIFEST = {
    "manifest_version": 3,
    "name": "Bundle",
    "version": "1.0",
    "background": {"service_worker": "background.js"},
    "permissions": ["tabs", "storage"],
}


def main(folder: Path) -> None:
    installed = folder / "installed"
    installed.mkdir(parents=True, exist_ok=True)
    (installed / "package.json").write_text("{}")
    subprocess.run(["npm", "install", "--silent", "--no-audit", *PACKAGES], cwd=installed, check=True)
    for name, modules in BUNDLES.items():
        entry = installed / f"{name}.js"
        entry.write_text(f"{_imports(modules)}{USES}")
        for suffix, options in (("", []), ("-min", ["--minify"])):
            extension = _extension(folder / (name + suffix))
            _bundle(installed, entry, extension / "background.js", options)
            print(extension, f"{(extension / 'background.js').stat().st_size / 1e6:.1f} MB")
    print(_libraries(installed / "node_modules", _extension(folder / "libraries")))


def _imports(modules: tuple[str, ...]) -> str:
    names = [f"library{index}" for index in range(len(modules))]
    imports = [f'import * as {name} from "{module}";\n' for name, module in zip(names, modules, strict=True)]
    return "".join(imports) + f"console.log({', '.join(names)});\n"


def _extension(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "manifest.json").write_text(json.dumps(MANIFEST))
    return folder


def _bundle(installed: Path, entry: Path, output: Path, options: list[str]) -> None:
    esbuild = installed / "node_modules" / ".bin" / "esbuild"
    modules = [f"--external:{name}" for name in ("fs", "path", "os", "inspector", "perf_hooks", "crypto")]
    command = [str(esbuild), str(entry), "--bundle", f"--outfile={output}", "--log-level=error"]
    subprocess.run([*command, *modules, *options], check=True)


def _libraries(packages: Path, extension: Path) -> str:
    (extension / "background.js").write_text(USES)
    total = 0
    for path in _sources(packages):
        own = extension / str(path.relative_to(packages)).replace("/", "_")
        shutil.copyfile(path, own)
        total += own.stat().st_size
    return f"{extension} {total / 1e6:.1f} MB"


def _sources(packages: Path) -> Iterator[Path]:
    for pattern in LIBRARIES:
        yield from sorted(packages.glob(pattern))


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    main(parser.parse_args().folder)
