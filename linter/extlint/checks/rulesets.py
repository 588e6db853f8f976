"""The rule files that a manifest names: mistakes in their list, and the files to which rules redirect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from extlint.extension import Extension, NamedFile
from extlint.manifest.manifest import PERMISSIONS
from extlint.package.references import paths_of
from extlint.project.contexts.json_files import JsonFile, JsonKind, json_files
from extlint.schema.validation.mistake import Mistake
from extlint.text.json.values import JsonValue
from extlint.text.nearest import nearest
from extlint.text.placeholders import is_placeholder
from extlint.text.wording import listed, quoted

MAX_ENABLED = 50
"""Rule files that can be enabled initially. Verified in Firefox 153 and Chromium 156."""

_MAX_NAMES = 1_000
"""Keys, and permissions, that are compared with the correct names."""

_KEY = "declarative_net_request"
_PERMISSIONS = ("declarativeNetRequest", "declarativeNetRequestWithHostAccess")


def ruleset_mistakes(manifest: Mapping[str, JsonValue]) -> Iterator[Mistake]:
    """Yields the mistakes in `declarative_net_request` for Firefox and Chrome, as verified in both."""
    key = manifest.get(_KEY)
    listed_files = key.get("rule_resources") if isinstance(key, dict) else None
    if not isinstance(listed_files, list) or not listed_files:
        return
    if not any(each in _requested(manifest) for each in _PERMISSIONS) and not _is_misspelled(manifest):
        names = listed([quoted(each) for each in _PERMISSIONS], "or")
        yield Mistake(
            "missing-permission",
            (_KEY,),
            f"{quoted(_KEY)} requires one of the permissions {names}, and the manifest requests neither",
            at_key=True,
            help=f'add "{_PERMISSIONS[0]}" to "permissions"',
        )
    firsts: dict[str, int] = {}
    enabled = 0
    for index, each in enumerate(listed_files):
        if not isinstance(each, dict):
            continue
        steps = (_KEY, "rule_resources", index)
        name = each.get("id")
        if isinstance(name, str) and (first := firsts.setdefault(name, index)) != index:
            message = f"an earlier rule file also has the id {quoted(name)}"
            related_steps = (_KEY, "rule_resources", first, "id")
            yield Mistake("invalid-value", (*steps, "id"), message, related_steps=related_steps)
        enabled += each.get("enabled") is True
        if each.get("enabled") is True and enabled == MAX_ENABLED + 1:
            message = f"browsers enable at most {MAX_ENABLED} rule files"
            yield Mistake("invalid-value", (*steps, "enabled"), message)


def _requested(manifest: Mapping[str, JsonValue]) -> Iterator[JsonValue]:
    for key in PERMISSIONS:
        found = manifest.get(key)
        yield from found if isinstance(found, list) else ()


def _is_misspelled(manifest: Mapping[str, JsonValue]) -> bool:
    """Whether the permission, or the list of permissions, has a misspelled name, which other rules report."""
    if "permissions" not in manifest and any(
        nearest(key, PERMISSIONS) for key in islice(manifest, _MAX_NAMES)
    ):
        return True
    names = (each for each in _requested(manifest) if isinstance(each, str))
    return any(nearest(name, _PERMISSIONS) is not None for name in islice(names, _MAX_NAMES))


MAX_FILES = 100
"""Names in one rule file that are reported."""

_PAGE = "main_frame"


def missing_redirect_targets(extension: Extension) -> Iterator[NamedFile]:
    """Yields each name in `extensionPath` of a file that is missing from the package.

    Browsers accept such a rule, but the request fails.
    """
    if extension.package.complete:
        for file in json_files(extension):
            if file.kind is JsonKind.RULES and isinstance(file.value, list):
                lost = _missing_targets(extension, file, file.value)
                yield from islice(lost, MAX_FILES)
                if next(lost, None) is not None:
                    what = f"the first {MAX_FILES} missing files to which rules redirect are reported"
                    extension.package.unchecked.add(file.path, what)


def _missing_targets(extension: Extension, file: JsonFile, rules: list[JsonValue]) -> Iterator[NamedFile]:
    known: dict[str, str | None] = {}
    for index, rule in enumerate(rules):
        name = _extension_path(rule)
        if name is None:
            continue
        if name not in known:
            paths = () if is_placeholder(name) else paths_of(name)
            known[name] = (
                None if any(path in extension.package for path in paths) else next(iter(paths), None)
            )
        path = known[name]
        if path is not None:
            span = file.span_at((index, "action", "redirect", "extensionPath"))
            yield NamedFile(name, path, file.path, span)


def subresource_redirects(extension: Extension) -> Iterator[NamedFile]:
    """Yields each name in `extensionPath` of a file to which a web page's own requests are redirected.

    In Chromium 156 and Firefox 153, such a request fails if the page may not load the file. Navigation of a
    tab always succeeds.
    """
    for file in json_files(extension):
        if file.kind is JsonKind.RULES and isinstance(file.value, list):
            yield from islice(_subresource_redirects_in(extension, file, file.value), MAX_FILES)


def _subresource_redirects_in(
    extension: Extension, file: JsonFile, rules: list[JsonValue]
) -> Iterator[NamedFile]:
    for index, rule in enumerate(rules):
        name = _extension_path(rule)
        if name is None or is_placeholder(name) or _may_redirect_pages(rule):
            continue
        path = next((each for each in paths_of(name) if each in extension.package), None)
        if path is not None:
            span = file.span_at((index, "action", "redirect", "extensionPath"))
            yield NamedFile(name, path, file.path, span)


def _may_redirect_pages(rule: JsonValue) -> bool:
    """Whether a rule may apply to requests for whole pages.

    These are excluded unless it names resource types.
    """
    condition = rule.get("condition") if isinstance(rule, dict) else None
    if not isinstance(condition, dict) or condition.get("excludedResourceTypes") is not None:
        return True
    types = condition.get("resourceTypes")
    return types is not None and (not isinstance(types, list) or _PAGE in types)


def _extension_path(rule: JsonValue) -> str | None:
    """Returns the file to which a rule redirects, or None if it also has a URL, which takes precedence."""
    action = rule.get("action") if isinstance(rule, dict) else None
    if not isinstance(action, dict) or action.get("type") != "redirect":
        return None
    redirect = action.get("redirect")
    if not isinstance(redirect, dict) or redirect.get("url") is not None:
        return None
    name = redirect.get("extensionPath")
    return name if isinstance(name, str) and name.startswith("/") else None
