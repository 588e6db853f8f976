"""Checks of hostile packages start no program, open no connection, and write only extlint's files."""

from __future__ import annotations

import io
import json
import shutil
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from thorough import some

from extlint_fuzz.system_calls import (
    SystemCall,
    connections,
    file_changes,
    opened_files,
    parse_calls,
    processes,
    programs,
    run_traced,
    strace,
)

requires_strace = pytest.mark.skipif(strace() is None, reason="strace is not installed")

ADDRESS = "https://127.0.0.1:9/a"
URLS: Mapping[str, object] = {
    "$schema": ADDRESS,
    "manifest_version": 3,
    "name": "Test",
    "version": "1",
    "update_url": ADDRESS,
    "homepage_url": ADDRESS,
    "background": {"service_worker": f"{ADDRESS}.js", "scripts": ["//127.0.0.1:9/b.js", "a.js"]},
    "content_scripts": [{"matches": ["<all_urls>"], "js": [f"{ADDRESS}.js", "file:///etc/hostname"]}],
    "options_ui": {"page": "page.html"},
    "action": {"default_popup": ADDRESS, "default_icon": ADDRESS},
    "declarative_net_request": {"rule_resources": [{"id": "a", "enabled": True, "path": ADDRESS}]},
}
SCRIPT = f"""
import a from "{ADDRESS}.js"; import("{ADDRESS}.js"); importScripts("{ADDRESS}.js"); fetch("{ADDRESS}");
new Worker("{ADDRESS}.js"); browser.tabs.executeScript({{ file: "{ADDRESS}.js" }}); require("fs");
//# sourceMappingURL={ADDRESS}.map
"""
PAGE = f'<base href="{ADDRESS}"><script src="{ADDRESS}.js"></script><iframe src="{ADDRESS}"></iframe>'
OUTSIDE = "../../outside"


def manifest(**keys: object) -> str:
    return json.dumps({"manifest_version": 3, "name": "Test", "version": "1", **keys})


def zip_bytes(entries: Mapping[str, str], links: Mapping[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in entries.items():
            archive.writestr(name, text)
        for name, to in links.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = 0o120777 << 16
            archive.writestr(info, to)
    return stream.getvalue()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with hostile packages, and a sibling folder that they must not reach."""
    root = tmp_path_factory.mktemp("hostile")
    files: dict[str, str] = {
        "outside/secret.js": "browser.tabs.foo();",
        "outside/rules.json": "[]",
        "outside/index.html": "<script src=secret.js></script>",
        "packages/urls/manifest.json": json.dumps(URLS),
        "packages/urls/a.js": SCRIPT,
        "packages/urls/page.html": PAGE,
        "packages/links/manifest.json": manifest(background={"scripts": ["a.js", "folder/secret.js"]}),
        "packages/paths/manifest.json": manifest(
            background={"scripts": [f"{OUTSIDE}/secret.js", str(root / "outside/secret.js")]},
            action={"default_popup": f"{OUTSIDE}/index.html"},
            declarative_net_request={
                "rule_resources": [{"id": "a", "enabled": True, "path": f"{OUTSIDE}/rules.json"}]
            },
        ),
        "packages/paths/a.js": f'import "{OUTSIDE}/secret.js"; importScripts("{root}/outside/secret.js");',
        "packages/project/manifest.json": manifest(background={"service_worker": "a.ts"}),
        "packages/project/a.ts": 'import x from "@/x"; import y from "dep"; x.tabs.foo();',
        "packages/project/tsconfig.json": json.dumps(
            {"extends": [ADDRESS, "/etc/passwd", "file:///etc/passwd", "../" * 30 + "etc/passwd"]}
        ),
        "packages/project/package.json": json.dumps(
            {
                "scripts": {"prepare": "touch made"},
                "imports": {"#x": ADDRESS},
                "dependencies": {"dep": ADDRESS},
            }
        ),
        "packages/project/webpack.config.js": 'require("fs").writeFileSync("made", ""); module.exports = {};',
        "packages/project/.gitmodules": f'[submodule "a"]\npath = a\nurl = {ADDRESS}\n',
        "packages/large/manifest.json": manifest(background={"service_worker": "a.js"}),
        "packages/large/a.js": "browser.tabs.foo();\nf(browser);\n" * 300 + "let a = 1;\n" * 20_000,
        "packages/large/b.js": " " * 1_000_000,
        "schemas/a.json": json.dumps(
            [{"namespace": "own", "functions": [{"name": "run", "type": "function", "parameters": []}]}]
        ),
        "schemas/b.json": json.dumps([{"namespace": "other", "description": ADDRESS, "$import": "own"}]),
        "odd-schemas/c.json": json.dumps(
            [{"namespace": "own", "types": [{"id": "T", "$ref": f"{ADDRESS}#/b"}], "$import": ADDRESS}]
        ),
        "configured/extlint.toml": 'schemas = ["/etc/*.json", "../odd-schemas/*.json"]\n',
        "configured/manifest.json": manifest(),
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "packages/links/a.js").symlink_to(root / "outside/secret.js")
    (root / "packages/links/folder").symlink_to(root / "outside", target_is_directory=True)
    (root / "packages/links/circle").symlink_to(".", target_is_directory=True)
    (root / "packages/links/pipe.js").symlink_to("/dev/zero")
    entries = {"manifest.json": manifest(), "../outside/made.js": SCRIPT, "a.js": SCRIPT}
    (root / "packages/climbing.zip").write_bytes(zip_bytes(entries, {}))
    (root / "packages/linked.xpi").write_bytes(
        zip_bytes({"manifest.json": manifest()}, {"b.js": "/etc/passwd"})
    )
    return root


def lines(calls: list[SystemCall]) -> list[str]:
    return [call.line for call in calls]


@requires_strace
@pytest.mark.parametrize(
    ("arguments", "status", "workers"),
    some(
        [
            pytest.param("packages --jobs 2 --output-file output/a.txt", 1, 2, id="workers and output file"),
            pytest.param("packages --jobs 1 --no-cache --output-format json", 1, 1, id="one limited process"),
            pytest.param("packages/urls --schemas *schemas/*.json", 1, 0, id="schemas with addresses"),
            pytest.param("packages/climbing.zip packages/linked.xpi configured", 2, 0, id="archives"),
        ],
        2,
    ),
)
def test_only_own_files_are_written(
    arguments: str, status: int, workers: int, hostile: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "hostile"
    shutil.copytree(hostile, folder, symlinks=True)
    (folder / "output").mkdir()
    cache = tmp_path / "cache/extlint"
    own = [folder / "output", cache.parent]
    done, calls = run_traced(
        ["check", *arguments.split()], folder, tmp_path / "log", EXTLINT_CACHE_DIR=str(cache)
    )
    assert done == status
    assert len(calls) > 100
    assert lines(programs(calls)) == []
    assert lines(connections(calls)) == []
    assert lines(file_changes(calls, own)) == []
    assert len(processes(calls)) == workers
    assert lines(opened_files(calls, hostile / "outside")) == []
    assert lines(opened_files(calls, folder / "outside")) == []
    assert lines(opened_files(calls, Path("/etc/passwd"))) == []
    assert cache.exists() == (workers > 0 and "--no-cache" not in arguments)


HARMFUL = """
import os, socket, subprocess
open("made", "w").close(); os.rename("made", "other"); os.unlink("other"); os.mkdir("folder")
subprocess.run(["true"])
socket.socket().connect_ex(("127.0.0.1", 9))
open("kept/file", "w").close()
"""


@requires_strace
def test_forbidden_calls_are_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs a substitute for extlint that does everything that extlint must not do."""
    (tmp_path / "extlint").mkdir()
    (tmp_path / "extlint/__init__.py").touch()
    (tmp_path / "extlint/__main__.py").write_text(HARMFUL)
    (tmp_path / "kept").mkdir()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    _, calls = run_traced(["check"], tmp_path, tmp_path / "log")
    assert [call.paths[0].rpartition("/")[2] for call in programs(calls)] == ["true"]
    assert [call.name for call in connections(calls)] == ["socket", "connect"]
    assert len(processes(calls)) == 1
    names = [[Path(path).name for path in call.paths] for call in file_changes(calls, [tmp_path / "kept"])]
    assert names == [["made"], ["made", "other"], ["other"], ["folder"]]
    assert len(file_changes(calls)) == len(names) + 1


@pytest.mark.parametrize(
    ("line", "paths", "writes"),
    [
        (
            r'1 openat(AT_FDCWD<\x2fa>, "\x62\x2f\xc3\xa9", O_RDONLY|O_CLOEXEC) = 3<\x2fa\x2fb>',
            ["/a/b/é"],
            False,
        ),
        (
            r'1 openat(AT_FDCWD<\x2fa>, "b", O_RDWR|O_CREAT, 0666) = -1 EACCES (Permission denied)',
            ["/a/b"],
            True,
        ),
        (r'1 openat(AT_FDCWD<\x2fa>, "b", O_WRONLY <unfinished ...>', ["/a/b"], True),
        (r'1 openat(7<\x2fc>, "\x2e\x2e\x2fd", O_RDONLY|O_DIRECTORY) = 8', ["/d"], False),
        (r'1 rename("\x61", "\x2fb") = 0', ["/cwd/a", "/b"], True),
        (r'1 execve("\x2fbin\x2fls", ["\x6c\x73"], 0x7ffd /* 9 vars */) = 0', ["/bin/ls"], False),
        (r"1 socket(AF_INET, SOCK_STREAM, IPPROTO_IP) = 3", [], False),
    ],
)
def test_strace_line_is_parsed(line: str, paths: list[str], writes: bool) -> None:
    (call,) = parse_calls([line], Path("/cwd"))
    assert list(call.paths) == paths
    assert call.is_write == writes


def test_strace_lines_without_a_call_are_ignored() -> None:
    assert list(parse_calls(["1 +++ exited with 0 +++", "1 <... openat resumed>) = 3", ""], Path("/"))) == []


def test_python_itself_is_not_a_started_program() -> None:
    first = f'1 execve("{sys.executable}", ["python"], 0x7) = 0'
    calls = list(parse_calls([first, '2 execve("/bin/ls", [], 0x7) = 0'], Path("/")))
    assert [call.paths for call in programs(calls)] == [("/bin/ls",)]
