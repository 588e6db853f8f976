"""Scripts that the TypeScript compiler writes into the folder that `tsconfig.json` names."""

from __future__ import annotations

import json

import pytest
from harness import Files, manifest
from packages import package_in

from extlint.checker import check_package
from extlint.project.contexts.build_entries import build_entries_of
from extlint.schema.targets import Target


def project(options: object, *sources: str, **scripts: str) -> Files:
    """Returns a project whose background is compiled, with these sources."""
    return {
        "manifest.json": manifest(background={"service_worker": "dist/bg/work.js"}),
        "package.json": json.dumps({"scripts": scripts or {"build": "tsc -p ."}}),
        "tsconfig.json": json.dumps({"compilerOptions": options}),
        **dict.fromkeys(sources, "chrome.runtime.id; window.close();"),
    }


@pytest.mark.parametrize(
    ("options", "sources", "expected"),
    [
        ({"outDir": "./dist"}, ["lib/bg/work.ts"], "lib/bg/work.ts"),
        ({"outDir": "dist"}, ["any/where/bg/work.mts"], "any/where/bg/work.mts"),
        ({"outDir": "dist"}, ["lib/bg/work.ts", "old/bg/work.ts"], None),
        ({"outDir": "dist", "rootDir": "lib"}, ["lib/bg/work.ts", "old/bg/work.ts"], "lib/bg/work.ts"),
        ({"outDir": "dist", "rootDir": "./"}, ["bg/work.ts", "old/bg/work.ts"], "bg/work.ts"),
        ({"outDir": "dist", "rootDir": "lib"}, ["old/bg/work.ts"], None),
        ({"outDir": "out"}, ["lib/bg/work.ts"], None),
        ({"outDir": "dist"}, ["lib/bg/work.d.ts"], None),
        ({"outDir": "dist"}, ["lib/bg/work.txt"], None),
        ({"outDir": 1}, ["lib/bg/work.ts"], None),
        (None, ["lib/bg/work.ts"], None),
    ],
)
def test_source_of_a_compiled_script(options: object, sources: list[str], expected: str | None) -> None:
    entries = build_entries_of(package_in(project(options, *sources), ""))
    assert entries.source_of("dist/bg/work.js") == expected


@pytest.mark.parametrize(
    ("script", "remedy"),
    [
        ("tsc", "run `npm run build` in ext, then check again"),
        ("echo", "check what the build makes"),
    ],
)
def test_compiled_script_is_checked_in_its_source(script: str, remedy: str) -> None:
    package = package_in(project({"outDir": "dist"}, "lib/bg/work.ts", build=script), "")
    report = check_package(package, [Target("chrome")], ["missing-global", "missing-file"])
    assert [(each.rule, each.path) for each in report.findings] == [("missing-global", "lib/bg/work.ts")]
    (unchecked,) = report.unchecked_code
    assert unchecked.sources == {"dist/bg/work.js": "lib/bg/work.ts"}
    assert unchecked.remedy == remedy
