"""Detects targets by signs of one browser: in the keys of a manifest, and in the project around it.

Firefox reads its settings, and only browsers based on Chromium read the keys of Chromium below: the schemas
of Firefox omit or ignore them, and the public compatibility data has none of them for Safari.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from extlint.manifest.manifest import Manifest, has_key
from extlint.manifest.vendor_keys import vendors_in
from extlint.package.files import Surroundings, bytes_of
from extlint.package.surroundings import XCODE_PROJECT, is_readme, is_xcode_folder
from extlint.project.resolution.project_files import folders_above
from extlint.schema.targets import CHROME, EDGE, FIREFOX, FIREFOX_ANDROID, browser_name
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name
from extlint.text.wording import quoted

CHROMIUM_KEYS = (
    *("minimum_chrome_version", "side_panel", "key", "oauth2", "tts_engine", "file_browser_handlers"),
    *("file_handlers", "file_system_provider_capabilities", "input_components", "export", "import"),
    *("requirements", "cross_origin_embedder_policy", "cross_origin_opener_policy", "trial_tokens", "app"),
)
"""The manifest keys that only browsers based on Chromium read."""

SETTINGS = "browser_specific_settings"
CHROME_UPDATES = "://clients2.google.com/service/update2/crx"
"""A part of the update address of the Chrome Web Store."""

_ORDER = (FIREFOX, FIREFOX_ANDROID, CHROME)
_VENDORS = {
    FIREFOX: frozenset({"firefox", "gecko"}),
    CHROME: frozenset({"chrome", "chromium", "brave", "edge", "opera"}),
}
"""For each target, the browsers in the prefixes of keys that a build selects: `__firefox__background`."""


def markers_in(manifest: Manifest, *, is_for_safari: bool = False) -> dict[str, str]:
    """Returns the targets that a manifest is written for, each with a clause that gives the reason.

    Safari also runs service workers: if the manifest is for it, they do not indicate Chrome.
    """
    background = _background_markers(manifest, is_for_safari=is_for_safari)
    found = {**_chrome_markers(manifest), **background, **_firefox_markers(manifest)}
    if manifest.has_vendor_keys and manifest.document.root is not None:
        vendors = vendors_in(manifest.document.root)
        for target, names in _VENDORS.items():
            if names & vendors:
                found.setdefault(target, f"the manifest has keys only for {browser_name(target)}")
    return {target: found[target] for target in _ORDER if target in found}


def has_background_of_firefox(manifest: Manifest) -> bool:
    """Whether a manifest has a background that Firefox runs."""
    return _background_of_firefox(manifest) is not None


def has_no_firefox_background(manifest: Manifest) -> bool:
    """Whether Firefox does not run the background of a manifest: a service worker and nothing else."""
    return _has_value(manifest, "background", "service_worker") and _background_of_firefox(manifest) is None


def _has_background_only_of_firefox(manifest: Manifest) -> bool:
    return has_background_of_firefox(manifest) and not _has_value(manifest, "background", "service_worker")


def _background_of_firefox(manifest: Manifest) -> str | None:
    return next((each for each in ("scripts", "page") if has_key(manifest, "background", each)), None)


def _background_markers(manifest: Manifest, *, is_for_safari: bool) -> dict[str, str]:
    if not _has_value(manifest, "background", "service_worker"):
        return {}
    other = _background_of_firefox(manifest)
    if other is None:
        return {} if is_for_safari else {CHROME: "the background is a service worker"}
    both = f"the background has a service worker and {'a page' if other == 'page' else 'scripts'}"
    return {FIREFOX: both, CHROME: both}


def _firefox_markers(manifest: Manifest) -> dict[str, str]:
    reason = "the manifest has settings for Firefox"
    if _has_value(manifest, SETTINGS, "gecko_android"):
        also = (
            f"{reason} and Firefox for Android"
            if _has_value(manifest, SETTINGS, "gecko")
            else f"{reason} for Android"
        )
        return {FIREFOX: also, FIREFOX_ANDROID: also}
    return {FIREFOX: reason} if has_key(manifest, SETTINGS, "gecko") else {}


def _chrome_markers(manifest: Manifest) -> dict[str, str]:
    """Returns no marks of Chrome if it would refuse the manifest: such keys may remain from a template."""
    if manifest.version == 3 and _has_background_only_of_firefox(manifest):
        return {}
    key = next((each for each in CHROMIUM_KEYS if _has_value(manifest, each)), None)
    if key is not None:
        return {CHROME: f"the manifest has {quoted(key)}"}
    updates = manifest.get("update_url")
    if updates is not None and isinstance(updates.value, str) and CHROME_UPDATES in updates.value:
        return {CHROME: "the update address is that of the Chrome Web Store"}
    return {}


def _has_value(manifest: Manifest, *path: str) -> bool:
    node = manifest.get(*path)
    return node is not None and node.value is not None


MAX_README_BYTES = 200_000
"""The maximum number of bytes searched in a README."""

_PAGES = {
    FIREFOX: lazy(rb"about:debugging|addons\.mozilla\.org/(?:[\w-]{1,9}/)?(?:android|firefox)/addon/"),
    CHROME: lazy(rb"chrome://extensions|chrome(?:\.google\.com/webstore|webstore\.google\.com)/detail/"),
    EDGE: lazy(rb"edge://extensions|microsoftedge\.microsoft\.com/addons/detail/"),
}
"""The pages where users install an extension: a browser's own, and that of an extension in its store."""

_DESCRIBED = lazy(
    r"\b(?:for|in|on) (?:google )?(chrome|edge|firefox)\b"
    r"|\b(chrome|edge|firefox)[ -](?:add-?on|extension|plug-?in)\b"
)
"""The words with which a name or description says for which browser an extension is."""

_NEITHER = rb"\bsafari\b|\bthunderbird\b"
_NOT_CHROMIUM = lazy(rb"\bfirefox\b|" + _NEITHER)
_OTHERS = {
    FIREFOX: lazy(rb"\bchrome(?:webstore)?\b|\bchromium\b|\bmicrosoft ?edge\b|\bedge://|" + _NEITHER),
    CHROME: _NOT_CHROMIUM,
    EDGE: _NOT_CHROMIUM,
}
"""For each browser, the names of those that have other APIs."""

_SAFARI_CLASS = b"SafariWebExtensionHandler"
"""The class in Apple's template that receives the messages of the extension in an app."""


def browser_in_description(manifest: Manifest, around: Surroundings | None) -> tuple[str, str] | None:
    """Returns the browser for which a name or description says that the extension is, or None.

    A clause with the reason comes with it. Neither they nor a README may name a browser with other APIs.
    """
    nodes = {key: manifest.get(key) for key in ("name", "description")}
    texts = {key: str(each.value).lower() for key, each in nodes.items() if each is not None}
    for key, text in texts.items():
        found = _DESCRIBED.search(text)
        if found is not None:
            browser, others = found[1] or found[2], _OTHERS[found[1] or found[2]]
            readmes = () if around is None else (text for _, text in _readmes(around))
            if any(map(others.search, (*map(encode_name, texts.values()), *readmes))):
                return None
            return browser, f"the {key} says {quoted(found[0])}"
    return None


def browser_in_readme(around: Surroundings) -> tuple[str, str] | None:
    """Returns the browser in whose pages a README says to install the extension, or None.

    A clause with the reason comes with it. The nearest README that names such a page decides. If it also
    names a browser with other APIs, even in a sentence, the extension may be for both.
    """
    for name, text, pages in _installing_readmes(around):
        browser, page = next(iter(pages.items()))
        is_only = _OTHERS[browser].search(text) is None
        return (browser, f"{quoted(name)} names {quoted(page)}") if is_only else None
    return None


def chromium_browser_in_readme(around: Surroundings) -> tuple[str, str] | None:
    """Returns the same among the browsers with Chromium's API, whatever other browsers the README names."""
    for name, _, pages in _installing_readmes(around):
        found = next((each for each in (CHROME, EDGE) if each in pages), None)
        return None if found is None else (found, f"{quoted(name)} names {quoted(pages[found])}")
    return None


def browsers_in_readme(around: Surroundings) -> Collection[str]:
    """Returns the browsers whose pages for installing the extension the nearest README with any names."""
    return next((pages for _, _, pages in _installing_readmes(around)), ())


def _installing_readmes(around: Surroundings) -> Iterator[tuple[str, bytes, Mapping[str, str]]]:
    """Yields the name and text of each README that names pages where users install an extension.

    The pages come with them, by their browsers.
    """
    for name, text in _readmes(around):
        found = {
            browser: page[0].decode() for browser, pages in _PAGES.items() if (page := pages.search(text))
        }
        if found:
            yield name, text, found


def xcode_project_of_safari(around: Surroundings) -> str | None:
    """Returns the Xcode project that packs the extension into an app for Safari, as a clause, or None.

    A project may include whole folders, and then does not list the files of Apple's template.
    """
    is_in_template = is_xcode_folder(around.folder.rstrip("/"))
    for folder in folders_above(around.folder.rstrip("/")):
        for name in around.folders(folder):
            if name.endswith(XCODE_PROJECT):
                path = f"{folder}/{name}/project.pbxproj".lstrip("/")
                if is_in_template or _SAFARI_CLASS in (bytes_of(around.read, path) or b""):
                    return f"{quoted(name)} is the project of an app for Safari"
    return None


def _readmes(around: Surroundings) -> Iterator[tuple[str, bytes]]:
    """Yields the names of the READMEs of a project, the nearest first, and their texts in lower case."""
    for folder in folders_above(around.folder.rstrip("/")):
        for name in around.files(folder):
            if is_readme(name):
                text = bytes_of(around.read, f"{folder}/{name}".lstrip("/")) or b""
                yield name, text[:MAX_README_BYTES].lower()
