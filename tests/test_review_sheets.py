"""Sheets for the manual review of findings, and the counts of the verdicts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from reading import VERDICTS, MissingVerdictError, findings, lines, table, tally

from extlint.registry import RULES

CORPORA = sorted((Path(__file__).parent.parent / "benchmarks" / "corpora").glob("*.json"))


def test_sheet_has_one_line_per_finding(tmp_path: Path) -> None:
    folder = tmp_path / "list"
    folder.mkdir()
    (folder / "manifest.json").write_text('{"manifest_version": 3, "name": "List", "incognito": "spilt"}')
    found = list(lines(str(folder), findings(str(folder), ["reference"])))
    assert [line.split("\t")[:4] for line in found] == [
        ["", "missing-key", "error", "list/manifest.json:1:1"],
        ["", "invalid-value", "error", "list/manifest.json:1:54"],
    ]


def test_verdicts_are_counted() -> None:
    sheet = ["right\tmissing-key\terror", "", "wrong\tmissing-key\terror", "noise\tinvalid-value\terror"]
    counts = tally(sheet)
    assert counts == {
        "invalid-value": {"right": 0, "noise": 1, "wrong": 0},
        "missing-key": {"right": 1, "noise": 0, "wrong": 1},
    }
    assert list(table(counts))[-1] == "wrong: 33.3 %"


def test_line_without_a_verdict_is_an_error() -> None:
    with pytest.raises(MissingVerdictError, match="line 2 "):
        tally(["right\tmissing-key", "\tmissing-key"])


def test_corpora_have_disjoint_repositories() -> None:
    names = [name for path in CORPORA for name in json.loads(path.read_bytes())["repositories"]]
    assert len(names) == len(set(names))
    assert names


@pytest.mark.parametrize("path", CORPORA, ids=lambda path: path.stem)
def test_corpus_records_the_reviewed_commits(path: Path) -> None:
    corpus = json.loads(path.read_bytes())
    assert all(re.fullmatch(r"[0-9a-f]{40}", commit) for commit in corpus["repositories"].values())
    assert re.fullmatch(r"[0-9a-f]{7,40}", corpus["extlint"])
    assert set(corpus["verdicts"]) <= set(RULES)
    for counts in corpus["verdicts"].values():
        assert list(counts) == list(VERDICTS)
