"""How much is done for a package, counted: which scripts are parsed, and whose exports are worked out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from harness import Files, lint, manifest

Work = Callable[[Files], Counter[str]]


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    """Lints a package and counts the parsings and the exports that are worked out, whatever the script."""
    from extlint.script import follow

    done: Counter[str] = Counter()

    def counted(name: str) -> None:
        function = getattr(follow, name)

        def counting(*arguments: Any) -> Any:
            done[name] += 1
            return function(*arguments)

        monkeypatch.setattr(follow, name, counting)

    counted("parse")
    counted("exports_of")

    def of(files: Files) -> Counter[str]:
        done.clear()
        lint(files)
        return Counter(done)

    return of


def with_background(files: dict[str, str], **keys: object) -> Files:
    """A package whose background is the module `a.js`."""
    background = {"service_worker": "a.js", "type": "module"}
    return {"manifest.json": manifest(background=background, **keys), **files}


USE = 'import { own } from "./b.js"; own.getSelf();'
API = "export const own = chrome.management; own.getSelf();"

EXPORTS = {
    "a module that nothing imports": ({"a.js": API}, 0),
    "a module that another imports": (
        {"a.js": 'import { own } from "./b.js"; own.getSelf();', "b.js": API},
        1,
    ),
    "imported by two": (
        {"a.js": f'import "./c.js"; {USE}', "b.js": API, "c.js": USE},
        1,
    ),
    "a script that exports nothing": (
        {"a.js": 'import "./b.js";', "b.js": "chrome.management.getSelf();"},
        0,
    ),
    "a module without the API that only loads others": (
        {"a.js": 'import "./b.js"; chrome.management.getSelf();', "b.js": 'import "./c.js";', "c.js": ""},
        0,
    ),
}


@pytest.mark.parametrize(("files", "times"), EXPORTS.values(), ids=EXPORTS.keys())
def test_exports_are_worked_out_where_a_script_asks_for_them(
    files: dict[str, str], times: int, work: Work
) -> None:
    assert work(with_background(files))["exports_of"] == times
