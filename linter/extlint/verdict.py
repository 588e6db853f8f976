"""What the rules say of an extension for one target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import load
from extlint.schema.model import SchemaSet
from extlint.schema.target import BROWSERS, beyond_reference


def verdict(extension: Extension, rules: Sequence[str]) -> Iterator[Finding]:
    """The findings of an extension for its target.

    Of namespaces that the reference target does not describe it says what every browser does that
    has them. Chrome's apps, whose API is another one, are not judged by browsers.
    """
    is_app = extension.manifest.get("app") is not None
    own = [name for name in rules if not (is_app and load(name).RULE.about_uses and _is_browser(extension))]
    found = [finding for name in own for finding in load(name).check(extension)]
    if not _is_browser(extension) and not is_app:
        found += _of_every_browser(extension, [name for name in rules if load(name).RULE.about_uses])
    return (replace(finding, targets=(extension.schemas.target,)) for finding in found)


def _is_browser(extension: Extension) -> bool:
    return extension.schemas.browser is not None


def _of_every_browser(extension: Extension, rules: Sequence[str]) -> Iterator[Finding]:
    sets = [beyond_reference(browser, extension.schemas.given) for browser in BROWSERS]
    by_browser = [
        {
            (finding.rule, finding.path, finding.span): finding
            for name in rules
            for finding in load(name).check(replace(extension, schemas=schemas, derived={}))
        }
        for schemas in sets
    ]
    told: set[object] = set()
    for own in by_browser:
        for key, finding in own.items():
            others = [
                each for each, schemas in zip(by_browser, sets, strict=True) if _has(schemas, finding.api)
            ]
            if key not in told and all(key in each for each in others):
                told.add(key)
                yield finding


def _has(schemas: SchemaSet, api: str | None) -> bool:
    name = (api or "").partition(".")[0]
    return name in schemas.names or name in schemas.parents
