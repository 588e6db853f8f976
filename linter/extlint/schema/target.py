"""The targets: whose API an extension is checked against."""

from __future__ import annotations

from functools import cache

from extlint.schema.model import Browser, SchemaSet
from extlint_schemas import load, stored

BROWSERS: dict[str, Browser] = {"firefox": "firefox", "chrome": "chromium"}
"""The targets that are browsers with facts of their own, with whose rules hold there."""

LIKE_CHROME = ("edge", "safari")
"""Browsers that go by Chrome's facts, but for what the compatibility data say they lack."""


@cache
def schema_set(target: str) -> SchemaSet:
    """The namespaces of a target. Raises KeyError for a target that does not exist."""
    if target in LIKE_CHROME:
        return SchemaSet(
            target, browser="chromium", stored=stored("chrome"), is_whole=target == "edge", is_narrowed=True
        )
    if target in BROWSERS:
        return SchemaSet(target, browser=BROWSERS[target], stored=stored(target))
    return SchemaSet(target, load(target))


@cache
def beyond_reference(browser: str) -> SchemaSet:
    """The namespaces of a browser that the reference target does not describe."""
    own = schema_set("reference").names
    others = {name: read for name, read in stored(browser).items() if name not in own}
    return SchemaSet(browser, browser=BROWSERS[browser], stored=others, is_whole=False)
