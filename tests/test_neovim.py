"""The language server in Neovim, with the configurations in `docs/editors.md`. Skipped without Neovim."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "editors.md"
NEOVIM = shutil.which("nvim")
MAX_SECONDS = 60
"""The number of seconds after which Neovim, or what it waits for, is given up."""

pytestmark = [
    pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed"),
    pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script"),
]


def configuration() -> str:
    """Returns the configuration for the installed Neovim: the page has one for 0.11, then one for 0.7."""
    assert NEOVIM is not None
    blocks = re.finditer(r"^```lua\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    new, old = (str(each[1]) for each in blocks)
    shown = subprocess.run([NEOVIM, "--version"], check=True, capture_output=True, text=True).stdout
    version = re.match(r"NVIM v(\d+)\.(\d+)", shown)
    assert version
    if (int(version[1]), int(version[2])) < (0, 7):
        pytest.skip("Neovim is older than 0.7")
    return new if (int(version[1]), int(version[2])) >= (0, 11) else old


def test_neovim_shows_mistakes_and_fixes_one(tmp_path: Path) -> None:
    pytest.importorskip("pygls")
    assert NEOVIM is not None
    extension = tmp_path / "read later, again"
    shutil.copytree(ROOT / "examples" / "read-later", extension)
    program = tmp_path / "bin" / "extlint"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m extlint "$@"\n')
    program.chmod(0o755)
    start = tmp_path / "init.lua"
    start.write_text(configuration())
    task = {
        "file": "content.js",
        "before": 2,
        "place": "sendMesage",
        "title": "Replace `sendMesage` with `sendMessage`",
        "after": 2,
        "milliseconds": MAX_SECONDS * 1000,
        "output": str(tmp_path / "result.json"),
    }
    environment = {
        **os.environ,
        **{f"XDG_{name}_HOME": str(tmp_path / name) for name in ("CACHE", "CONFIG", "DATA", "STATE")},
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(sys.path),
        "EXTLINT_TEST": json.dumps(task),
    }
    script = ROOT / "tests" / "neovim.lua"
    ran = subprocess.run(
        [NEOVIM, "--clean", "--headless", "-u", str(start), "-c", f"luafile {script}"],
        cwd=extension,
        env=environment,
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=3 * MAX_SECONDS,
    )
    output = tmp_path / "result.json"
    assert output.exists(), ran.stderr
    result = json.loads(output.read_text("utf-8"))
    screens = result["screens"]
    assert "failure" not in result, (result, ran.stderr)
    before, after = screens
    assert re.search(r"sendMesage\(\{ url: tab\.url \}\);\s+■ `runtime\.sendMesage` does not exist", before)
    assert re.search(r"tabs\.query\(\{ active: true \}\);\s+■ `tabs\.query` is not available", before)
    assert "sendMessage({ url: tab.url });" in after
    assert "does not exist" not in after
    assert "`tabs.query` is not available" in after
    assert "sendMesage" in (extension / "content.js").read_text(), "the fix was saved"
