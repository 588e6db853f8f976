"""The errors of browsers that the pages of rules quote."""

from __future__ import annotations

from extlint_judge.commands import error_texts


def test_rule_pages_quote_browser_errors() -> None:
    data = "\0".join(text for texts in error_texts.TEXTS.values() for text in texts).encode()
    assert [*error_texts.disagreements(data)] == []
    assert [*error_texts.disagreements(b"", {"short_alarm": ("alarm", "nonsense")})] == [
        "short_alarm: Chromium does not say 'alarm'",
        "short_alarm: the page does not quote 'nonsense'",
        "short_alarm: Chromium does not say 'nonsense'",
    ]
