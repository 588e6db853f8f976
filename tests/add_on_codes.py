"""The smallest extension for which addons-linter reports each code, as files or as an archive."""

from __future__ import annotations

import warnings
from io import BytesIO
from zipfile import ZipFile

from harness import Files, manifest
from images import png


def gecko_settings(**keys: object) -> dict[str, object]:
    """Returns manifest keys for Firefox, with an ID and other keys for Gecko."""
    return {"browser_specific_settings": {"gecko": {"id": "a@example.com", **keys}}}


def script_extension(text: str, **keys: object) -> Files:
    """Returns an extension with a background script."""
    return {
        "manifest.json": manifest(background={"scripts": ["a.js"]}, **(gecko_settings() | keys)),
        "a.js": text,
    }


def popup_extension(markup: str) -> Files:
    """Returns an extension with a popup."""
    return {
        "manifest.json": manifest(action={"default_popup": "a.html"}, **gecko_settings()),
        "a.html": markup,
    }


def locale_extension(text: str, **keys: object) -> Files:
    """Returns an extension with messages."""
    keys = gecko_settings() | {"default_locale": "en"} | keys
    return {"manifest.json": manifest(**keys), "_locales/en/messages.json": text}


def manifest_extension(**keys: object) -> Files:
    """Returns an extension with only a manifest."""
    return {"manifest.json": manifest(**(gecko_settings() | keys))}


def dictionary(files: dict[str, str], **keys: object) -> Files:
    """Returns a dictionary with files."""
    written = manifest(dictionaries=files, **(gecko_settings() | {"manifest_version": 2} | keys))
    return {"manifest.json": written, **{name: "" for path in files.values() for name in _pair(path)}}


def _pair(path: str) -> tuple[str, str]:
    return path, path.replace(".dic", ".aff")


def theme(images: dict[str, object], files: Files | None = None, **keys: object) -> Files:
    """Returns a theme with images."""
    written = manifest(theme={"images": images}, **(gecko_settings() | {"manifest_version": 2} | keys))
    return {"manifest.json": written, **(files or {})}


def event_extension(event: str) -> Files:
    """Returns an extension without an id that listens to an event of `runtime`."""
    return {
        "manifest.json": manifest(manifest_version=2, background={"scripts": ["a.js"]}),
        "a.js": f"browser.runtime.{event}.addListener(() => {{}});",
    }


def for_android(version: str) -> dict[str, object]:
    """Returns manifest keys for Firefox for Android, from a version."""
    oldest = {"strict_min_version": version}
    gecko = {"id": "a@example.com", **oldest}
    return {"browser_specific_settings": {"gecko": gecko, "gecko_android": oldest}}


def archive(*entries: tuple[str, str]) -> bytes:
    """Returns a zip archive with entries; several may have the same name."""
    content = BytesIO()
    with ZipFile(content, "w") as packed, warnings.catch_warnings(action="ignore"):
        for name, text in entries:
            packed.writestr(name, text)
    return content.getvalue()


WEBP = b"RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0" + bytes.fromhex("3001009d012a0800080002003425a400037000fefb940000")


CASES: dict[str, Files | bytes] = {
    "DEPRECATED_API": script_extension('browser.extension.getURL("a.png");', manifest_version=2),
    "UNSUPPORTED_API": script_extension("browser.tabs.crate({});"),
    "INCOMPATIBLE_API": script_extension(
        "browser.tabs.group({tabIds: 1});", **gecko_settings(strict_min_version="128.0")
    ),
    "STORAGE_SYNC": {
        "manifest.json": manifest(
            manifest_version=2, permissions=["storage"], background={"scripts": ["a.js"]}
        ),
        "a.js": 'browser.storage.sync.get("a");',
    },
    "STORAGE_MANAGED": {
        "manifest.json": manifest(
            manifest_version=2, permissions=["storage"], background={"scripts": ["a.js"]}
        ),
        "a.js": 'browser.storage.managed.get("a");',
    },
    "IDENTITY_GETREDIRECTURL": {
        "manifest.json": manifest(
            manifest_version=2, permissions=["identity"], background={"scripts": ["a.js"]}
        ),
        "a.js": "browser.identity.getRedirectURL();",
    },
    "JS_SYNTAX_ERROR": script_extension("function a() {\n  browser.management.getSelf();"),
    "DANGEROUS_EVAL": script_extension('eval("1");'),
    "NO_IMPLIED_EVAL": script_extension('setTimeout("a()", 1);'),
    "INLINE_SCRIPT": popup_extension("<!doctype html><script>a()</script>"),
    "REMOTE_SCRIPT": popup_extension('<!doctype html><script src="https://example.com/a.js"></script>'),
    "JSON_INVALID": {"manifest.json": "{"},
    "JSON_BLOCK_COMMENTS": {"manifest.json": "/* a */ " + manifest()},
    "JSON_DUPLICATE_KEY": {
        "manifest.json": '{"manifest_version": 3, "name": "A", "name": "B", "version": "1"}'
    },
    "MANIFEST_FIELD_REQUIRED": {"manifest.json": '{"manifest_version": 3, "name": "A"}'},
    "MANIFEST_FIELD_INVALID": manifest_extension(action={"default_title": 1}),
    "VERSION_FORMAT_INVALID": manifest_extension(version="1.0.0.0.0beta"),
    "MANIFEST_FIELD_UNSUPPORTED": manifest_extension(browser_action={}),
    "MANIFEST_PERMISSIONS": manifest_extension(permissions=["tab"]),
    "MANIFEST_OPTIONAL_PERMISSIONS": manifest_extension(optional_permissions=["tab"]),
    "MANIFEST_HOST_PERMISSIONS": manifest_extension(host_permissions=["example"]),
    "MANIFEST_BAD_PERMISSION": manifest_extension(permissions=[1]),
    "APPLICATIONS_INVALID": manifest_extension(applications={"gecko": {"id": "a@example.com"}}),
    "MANIFEST_CONTENT_SCRIPT_FILE_NOT_FOUND": manifest_extension(
        content_scripts=[{"matches": ["https://example.com/*"], "js": ["b.js"]}]
    ),
    "NO_MESSAGES_FILE": manifest_extension(default_locale="en"),
    "NO_DEFAULT_LOCALE": {
        "manifest.json": manifest(**gecko_settings()),
        "_locales/en/messages.json": '{"a": {"message": "A"}}',
    },
    "NO_MESSAGE": locale_extension('{"a": {}}'),
    "MISSING_PLACEHOLDER": locale_extension('{"a": {"message": "$B$"}}', name="__MSG_a__"),
    "CORRUPT_ICON_FILE": {
        "manifest.json": manifest(icons={"48": "a.png"}, **gecko_settings()),
        "a.png": b"A",
    },
    "WRONG_ICON_EXTENSION": {
        "manifest.json": manifest(icons={"48": "a.txt"}, **gecko_settings()),
        "a.txt": b"A",
    },
    "MANIFEST_THEME_IMAGE_NOT_FOUND": manifest_extension(theme={"images": {"theme_frame": "a.png"}}),
    "BACKGROUND_SERVICE_WORKER_NOFALLBACK": {
        "manifest.json": manifest(background={"service_worker": "a.js"}, **gecko_settings()),
        "a.js": "",
    },
    "ADDON_ID_REQUIRED": {"manifest.json": manifest()},
    "MISSING_DATA_COLLECTION_PERMISSIONS": manifest_extension(),
    "NONE_DATA_COLLECTION_IS_EXCLUSIVE": manifest_extension(
        **gecko_settings(data_collection_permissions={"required": ["none", "bookmarksInfo"]})
    ),
    "MANIFEST_CSP_UNSAFE_EVAL": manifest_extension(
        content_security_policy={"extension_pages": "script-src 'self' 'unsafe-eval'"}
    ),
    "MANIFEST_FIELD_PRIVILEGED": manifest_extension(experiment_apis={}),
    "APPLICATIONS_DEPRECATED": {
        "manifest.json": manifest(manifest_version=2, applications={"gecko": {"id": "a@example.com"}})
    },
    "INCOGNITO_SPLIT_UNSUPPORTED": manifest_extension(incognito="split"),
    "MANIFEST_THEME_LWT_ALIAS": manifest_extension(theme={"colors": {"accentcolor": "red"}}),
    "MANIFEST_PERMISSIONS_PRIVILEGED": manifest_extension(permissions=["telemetry"]),
    "IGNORED_APPLICATIONS_PROPERTY": manifest_extension(
        applications={"gecko": {"id": "a@example.com"}}, manifest_version=2
    ),
    "INVALID_PLACEHOLDER_NAME": locale_extension(
        '{"a": {"message": "A", "placeholders": {"b-c": {"content": "C"}}}}'
    ),
    "NO_PLACEHOLDER_CONTENT": locale_extension(
        '{"a": {"message": "$B$", "placeholders": {"b": {}}}}', name="__MSG_a__"
    ),
    "MANIFEST_DICT_NOT_FOUND": manifest_extension(dictionaries={"en": "a.dic"}),
    "MANIFEST_MULTIPLE_DICTS": dictionary({"en": "a.dic", "de": "b.dic"}),
    "MANIFEST_EMPTY_DICTS": dictionary({}),
    "MANIFEST_DICT_MISSING_ID": dictionary({"en": "a.dic"}, browser_specific_settings={}),
    "MISSING_ADDON_ID": {"manifest.json": manifest(manifest_version=2)},
    "RESTRICTED_PERMISSION": manifest_extension(permissions=["proxy"], manifest_version=2),
    "RESTRICTED_HOMEPAGE_URL": manifest_extension(homepage_url="https://addons.mozilla.org/a"),
    "PROP_NAME_INVALID": manifest_extension(name=" Test"),
    "MANIFEST_UPDATE_URL": manifest_extension(**gecko_settings(update_url="https://example.com/a.json")),
    "ADMIN_INSTALL_ONLY_PROP_RESERVED": manifest_extension(**gecko_settings(admin_install_only=True)),
    "HAS_PREVIOUS_CONSENT_IS_RESERVED": manifest_extension(
        **gecko_settings(data_collection_permissions={"required": ["none"], "has_previous_consent": True})
    ),
    "RESERVED_FILENAME": {"manifest.json": manifest(), "mozilla-recommendation.json": "{}"},
    "FILE_TOO_LARGE": archive(("manifest.json", manifest()), ("a.json", f'"{"a" * 5 * 1024 * 1024}"')),
    "ALREADY_SIGNED": {"manifest.json": manifest(), "META-INF/manifest.mf": "Manifest-Version: 1.0"},
    "DUPLICATE_XPI_ENTRY": archive(("manifest.json", manifest()), ("a.js", "1;"), ("a.js", "2;")),
    "INVALID_XPI_ENTRY": archive(("manifest.json", manifest()), ("a\\b.js", "1;")),
    "BAD_ZIPFILE": b"no archive",
    "TYPE_NO_MANIFEST_JSON": {"a.js": "1;"},
    "STRICT_MAX_VERSION": manifest_extension(**gecko_settings(strict_max_version="200.0")),
    "MANIFEST_FIELD_PRIVILEGEDONLY": manifest_extension(granted_host_permissions=True),
    "MANIFEST_CSP": manifest_extension(
        manifest_version=2, content_security_policy="script-src 'self' https://example.com; object-src 'self'"
    ),
    "PREDEFINED_MESSAGE_NAME": locale_extension('{"@@a": {"message": "A"}}'),
    "FLUENT_INVALID": {"manifest.json": manifest(), "a.ftl": "a = {\n"},
    "MANIFEST_THEME_IMAGE_WRONG_EXT": theme({"theme_frame": "a.webp"}, {"a.webp": WEBP}),
    "MANIFEST_THEME_IMAGE_WRONG_MIME": theme({"theme_frame": "a.png"}, {"a.png": WEBP}),
    "MANIFEST_THEME_IMAGE_MIME_MISMATCH": theme({"theme_frame": "a.jpg"}, {"a.jpg": png(8)}),
    "MANIFEST_THEME_IMAGE_CORRUPTED": theme({"theme_frame": "a.png"}, {"a.png": b"A"}),
    "MANIFEST_THEME_CSS_GRADIENT_MIN_VERSION": theme(
        {"additional_backgrounds": [{"linear-gradient": "red, blue"}]}
    ),
    "MANIFEST_THEME_CSS_GRADIENT_INVALID": theme(
        {"additional_backgrounds": [{"linear-gradient": "red; blue"}]},
        None,
        **gecko_settings(strict_min_version="153.0"),
    ),
    "MANIFEST_THEME_CSS_GRADIENT_UNSUPPORTED": theme(
        {"additional_backgrounds": [{"other-gradient": "red, blue"}]},
        None,
        **gecko_settings(strict_min_version="153.0"),
    ),
    "RUNTIME_ONMESSAGEEXTERNAL": event_extension("onMessageExternal"),
    "RUNTIME_ONCONNECTEXTERNAL": event_extension("onConnectExternal"),
    "ANDROID_INCOMPATIBLE_API": script_extension("browser.runtime.getVersion();", **for_android("128.0")),
    "KEY_FIREFOX_ANDROID_UNSUPPORTED_BY_MIN_VERSION": manifest_extension(
        declarative_net_request={"rule_resources": []}, **for_android("112.0")
    ),
    "PERMISSION_FIREFOX_UNSUPPORTED_BY_MIN_VERSION": manifest_extension(
        permissions=["declarativeNetRequest"], **gecko_settings(strict_min_version="110.0")
    ),
    "PERMISSION_FIREFOX_ANDROID_UNSUPPORTED_BY_MIN_VERSION": manifest_extension(
        permissions=["declarativeNetRequest"], **for_android("112.0")
    ),
    "VERSION_FORMAT_DEPRECATED": manifest_extension(manifest_version=2, version="1.0beta"),
    "BACKGROUND_SERVICE_WORKER_IGNORED": {
        "manifest.json": manifest(background={"service_worker": "a.js", "scripts": ["a.js"]}),
        "a.js": "1;",
    },
    "MANIFEST_BAD_OPTIONAL_PERMISSION": manifest_extension(optional_permissions=[1]),
    "MANIFEST_BAD_HOST_PERMISSION": manifest_extension(host_permissions=[1]),
    "MANIFEST_INSTALL_ORIGINS": manifest_extension(install_origins=["example"]),
    "MANIFEST_UNUSED_UPDATE": manifest_extension(update_url="https://example.com/a.json"),
    "MANIFEST_INVALID_CONTENT": manifest_extension(
        content_scripts=[{"matches": ["https://wbgdrb.applythrunet.co.in/*"], "js": ["a.js"]}]
    ),
    "CONTENT_SCRIPT_EMPTY": script_extension('browser.tabs.executeScript({file: ""});', manifest_version=2),
    "CONTENT_SCRIPT_NOT_FOUND": script_extension(
        'browser.tabs.executeScript({file: "/b.js"});', manifest_version=2, permissions=["<all_urls>"]
    ),
    "HIDDEN_FILE": archive(("manifest.json", manifest()), ("__MACOSX/a", "a")),
    "FLAGGED_FILE": archive(("manifest.json", manifest()), ("Thumbs.db", "a")),
    "FLAGGED_FILE_EXTENSION": archive(("manifest.json", manifest()), ("a.exe", "a")),
    "FLAGGED_FILE_TYPE": archive(("manifest.json", manifest()), ("a", "MZ")),
    "COINMINER_USAGE_DETECTED": script_extension("cryptonight_hash;"),
    "NO_DOCUMENT_WRITE": script_extension("document.write('a');"),
    "UNSAFE_VAR_ASSIGNMENT": script_extension("document.body.innerHTML = a;"),
    "UNEXPECTED_GLOBAL_ARG": script_extension("require(a);"),
    "MANIFEST_ICON_NOT_FOUND": manifest_extension(icons={"48": "a.png"}),
    "ICON_NOT_SQUARE": {
        "manifest.json": manifest(icons={"48": "a.png"}, **gecko_settings()),
        "a.png": png(48, 24),
    },
    "ICON_SIZE_INVALID": {
        "manifest.json": manifest(icons={"48": "a.png"}, **gecko_settings()),
        "a.png": png(24),
    },
    "MANIFEST_BACKGROUND_FILE_NOT_FOUND": manifest_extension(background={"scripts": ["a.js"]}),
    "NO_MESSAGES_FILE_IN_LOCALES": {
        **locale_extension('{"a": {"message": "A"}}'),
        "_locales/de/a.json": "{}",
    },
    "KEY_FIREFOX_UNSUPPORTED_BY_MIN_VERSION": manifest_extension(
        declarative_net_request={"rule_resources": []}, **gecko_settings(strict_min_version="110.0")
    ),
    "ADMIN_INSTALL_ONLY_REQUIRED": manifest_extension(),
    "DATA_COLLECTION_PERMISSIONS_PROP_RESERVED": manifest_extension(
        **gecko_settings(data_collection_permissions={"required": ["none"]})
    ),
    "MOZILLA_ADDONS_PERMISSION_REQUIRED": manifest_extension(permissions=["telemetry"]),
    "PRIVILEGED_FEATURES_REQUIRED": manifest_extension(permissions=["storage"]),
    "HIDDEN_NO_ACTION": manifest_extension(hidden=True, action={}),
}

OPTIONS = {
    "ADMIN_INSTALL_ONLY_REQUIRED": {"enterprise": True},
    "DATA_COLLECTION_PERMISSIONS_PROP_RESERVED": {"enableDataCollectionPermissions": False},
    "HIDDEN_NO_ACTION": {"privileged": True},
    "MOZILLA_ADDONS_PERMISSION_REQUIRED": {"privileged": True},
    "PRIVILEGED_FEATURES_REQUIRED": {"privileged": True},
}
"""The options without which addons-linter does not report a code."""
