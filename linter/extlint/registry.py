"""The rules and their groups: the only table of the rule metadata that is known without a rule's module."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

from extlint.finding import Severity
from extlint.manifest.manifest import REQUESTS
from extlint.project.contexts.json_files import JsonKind
from extlint.rule import AnyOf, Assumption, Fixable, Group, Rule, RuleModule, When

_USES = Group("uses", "how scripts use the extension APIs")
_MANIFEST = Group("manifest", "the keys, values and permissions of the manifest")
_FILES = Group("files", "the files of the package, and the names of files and messages")
_STORES = Group(
    "stores",
    "what stores accept",
    runs="on packed archives, and on folders if --select or --extend-select names it",
    only_packed=True,
)

GROUPS = {each.name: each for each in (_USES, _MANIFEST, _FILES, _STORES)}
"""The groups by name, in display order. Each rule is in one of them."""

_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO
_SAFELY, _UNSAFELY = Fixable.SAFELY, Fixable.UNSAFELY

INCOMPLETE_ANALYSIS = "incomplete-analysis"
"""The rule about files that were analyzed only in part, which the end of a run always reports."""

MISSING_FILE = "missing-file"

UNREADABLE = frozenset({"invalid-json", "invalid-syntax"})
"""The rules about files that no browser can read."""

UNUSED_SUPPRESSION = "unused-suppression"
"""The rule about comments that suppress nothing, which runs when all findings are known."""

_ID_NAMES = ("getRedirectURL", "managed", "onConnectExternal", "onMessageExternal", "sessions", "sync")

_TABLE = (
    Rule(
        "missing-permission",
        _ERROR,
        _USES,
        _SAFELY,
        when=(When.SENT,),
        assumes=Assumption.REQUESTS,
        prefetches=True,
    ),
    Rule("unsupported-api", _ERROR, _USES, when=(When.USES,), requires_manifest=False),
    Rule("unknown-api", _ERROR, _USES, _SAFELY, when=(When.USES,), requires_manifest=False),
    Rule("wrong-context", _ERROR, _USES, when=(When.USES, When.SENT)),
    Rule(
        "missing-global",
        _ERROR,
        _USES,
        when=(When.BROWSER, When.GLOBALS, When.RUNS, When.SENT),
        prefetches=True,
    ),
    Rule(
        "missing-over-http",
        _INFO,
        _USES,
        when=(When.BROWSER, When.CONTENT_SCRIPTS, When.RUNS, When.SENT),
        prefetches=True,
    ),
    Rule("wrong-manifest-version", _ERROR, _USES, _SAFELY, assumes=Assumption.VERSION),
    Rule("missing-manifest-key", _ERROR, _USES, when=(When.USES,), assumes=Assumption.MANIFEST),
    Rule(
        "missing-host-permission",
        _WARNING,
        _USES,
        when=(When.USES_OR_RULES, When.RUNS),
        assumes=Assumption.REQUESTS,
        written_keys=REQUESTS,
    ),
    Rule(
        "missing-add-on-id",
        _WARNING,
        _USES,
        when=(When.BROWSER, AnyOf(When.NAMES, _ID_NAMES)),
        written_keys=("applications", "browser_specific_settings"),
    ),
    Rule("lost-user-gesture", _WARNING, _USES, when=(When.BROWSER, When.USES, When.RUNS)),
    Rule("isolated-patch", _WARNING, _USES, when=(When.BROWSER, When.CONTENT_SCRIPTS, When.RUNS)),
    Rule("too-new-api", _ERROR, _USES, when=(When.OLDEST, When.BROWSER, When.RUNS)),
    Rule("short-alarm", _WARNING, _USES, when=(When.BROWSER, AnyOf(When.NAMES, ("alarms",)), When.RUNS)),
    Rule("long-timer", _INFO, _USES, when=(When.BROWSER, When.TIMERS, When.RUNS), prefetches=True),
    Rule(
        "exceeded-quota",
        _WARNING,
        _USES,
        when=(When.BROWSER, AnyOf(When.NAMES, ("captureVisibleTab", "sync")), When.RUNS),
        prefetches=True,
    ),
    Rule(
        "upgraded-request",
        _WARNING,
        _USES,
        when=(When.BROWSER, When.HTTP, When.RUNS),
        written_keys=("content_security_policy",),
        prefetches=True,
    ),
    Rule(
        "blocked-request",
        _ERROR,
        _USES,
        when=(When.BROWSER, AnyOf(When.KEYS, ("content_security_policy",)), When.RUNS),
        written_keys=("content_security_policy",),
        prefetches=True,
    ),
    Rule("deprecated-api", _WARNING, _USES, when=(When.USES, When.RUNS), follows="missing-background-page"),
    Rule("invalid-argument", _ERROR, _USES, _SAFELY, when=(When.USES,), requires_manifest=False),
    Rule("wrong-argument-count", _ERROR, _USES, when=(When.USES,), requires_manifest=False),
    Rule("callback-parameters", _WARNING, _USES, when=(When.USES,), requires_manifest=False),
    Rule("unknown-result-field", _WARNING, _USES, _SAFELY, when=(When.READS,), requires_manifest=False),
    Rule(
        "unwritten-key",
        _WARNING,
        _USES,
        when=(When.ALL_USES, AnyOf(When.NAMES, ("local", "session", "sync")), When.RUNS),
    ),
    Rule("unshared-storage", _WARNING, _USES, when=(When.CONTENT_SCRIPTS, When.RUNS)),
    Rule("missing-value", _WARNING, _USES, when=(When.USES, When.RUNS)),
    Rule("missing-await", _ERROR, _USES, _UNSAFELY, when=(When.BROWSER, When.READS)),
    Rule(
        "missing-promise",
        _ERROR,
        _USES,
        when=(When.VERSION_2, When.BROWSER, When.CHROMIUM_OR_GECKO, When.USES, When.RUNS),
        assumes=Assumption.VERSION,
        written_keys=("manifest_version",),
    ),
    Rule(
        "missing-background-page",
        _ERROR,
        _USES,
        when=(When.BROWSER, AnyOf(When.NAMES, ("getBackgroundPage",)), When.RUNS),
        assumes=Assumption.BACKGROUND,
        written_keys=("background",),
    ),
    Rule(
        "duplicate-menu",
        _WARNING,
        _USES,
        when=(When.BROWSER, AnyOf(When.NAMES, ("contextMenus", "menus")), When.RUNS),
        assumes=Assumption.BACKGROUND,
        written_keys=("background",),
    ),
    Rule(
        "duplicate-registration",
        _ERROR,
        _USES,
        when=(
            When.BROWSER,
            AnyOf(
                When.NAMES,
                ("createDocument", "registerContentScripts", "updateDynamicRules", "updateSessionRules"),
            ),
            When.RUNS,
        ),
        assumes=Assumption.BACKGROUND,
        written_keys=("background",),
    ),
    Rule(
        "restarted-alarm",
        _WARNING,
        _USES,
        when=(When.BROWSER, AnyOf(When.NAMES, ("alarms",)), When.RUNS),
        assumes=Assumption.BACKGROUND,
        written_keys=("background",),
    ),
    Rule(
        "lost-menu",
        _WARNING,
        _USES,
        when=(When.ALL_USES, When.BROWSER, AnyOf(When.NAMES, ("contextMenus", "menus")), When.RUNS),
        assumes=Assumption.BACKGROUND,
        written_keys=("background",),
    ),
    Rule(
        "lost-alarm",
        _WARNING,
        _USES,
        when=(When.ALL_USES, When.BROWSER, AnyOf(When.NAMES, ("alarms",)), When.RUNS),
        assumes=Assumption.BACKGROUND,
        written_keys=("background",),
    ),
    Rule(
        "lost-message",
        _INFO,
        _USES,
        when=(
            When.ALL_USES,
            When.BROWSER,
            When.CHROMIUM_OR_GECKO,
            AnyOf(When.NAMES, ("connect", "onConnect", "onMessage", "sendMessage")),
            When.RUNS,
        ),
        written_keys=("background", "content_scripts", "externally_connectable"),
    ),
    Rule(
        "unhandled-error",
        _INFO,
        _USES,
        when=(
            When.BROWSER,
            When.CHROMIUM_OR_GECKO,
            AnyOf(When.NAMES, ("executeScript", "insertCSS", "sendMessage")),
            When.RUNS,
            When.SENT,
        ),
        follows="lost-message",
    ),
    Rule(
        "lost-variable",
        _ERROR,
        _USES,
        when=(When.BROWSER, When.CHROMIUM_OR_GECKO, AnyOf(When.NAMES, ("executeScript",))),
    ),
    Rule(
        "detached-method",
        _ERROR,
        _USES,
        when=(
            When.BROWSER,
            AnyOf(When.NAMES, ("addListener", "clear", "get", "getBytesInUse", "remove", "set")),
        ),
    ),
    Rule("ignored-callback", _ERROR, _USES, when=(When.BROWSER, When.CHROMIUM_OR_GECKO, When.USES)),
    Rule(
        "lost-response",
        _ERROR,
        _USES,
        _UNSAFELY,
        when=(
            When.BROWSER,
            When.CHROMIUM_OR_GECKO,
            AnyOf(When.NAMES, ("onAuthRequired", "onMessage", "onMessageExternal")),
            When.RUNS,
        ),
    ),
    Rule(
        "late-listener",
        _WARNING,
        _USES,
        when=(When.BROWSER, When.LISTENERS, When.RUNS),
        assumes=Assumption.BACKGROUND,
        written_keys=("background",),
    ),
    Rule(
        "repeated-listener",
        _WARNING,
        _USES,
        when=(When.BROWSER, AnyOf(When.NAMES, ("addListener",)), When.RUNS),
        follows="late-listener",
    ),
    Rule(
        "dead-listener",
        _WARNING,
        _USES,
        when=(
            When.ALL_USES,
            When.BROWSER,
            When.RARE_EVENTS,
            When.RUNS,
        ),
        assumes=Assumption.KEYS,
        written_keys=("action", "browser_action", "page_action"),
    ),
    Rule("impossible-comparison", _WARNING, _USES, when=(When.COMPARISONS,), requires_manifest=False),
    Rule("invalid-json", _ERROR, _MANIFEST, _SAFELY, requires_manifest=False),
    Rule("duplicate-key", _ERROR, _MANIFEST, _SAFELY, requires_manifest=False, reads=(JsonKind.MESSAGES,)),
    Rule(
        "missing-key",
        _ERROR,
        _MANIFEST,
        when=(When.MISTAKES,),
        reads=(JsonKind.RULES, JsonKind.MESSAGES, JsonKind.MANAGED_SCHEMA),
    ),
    Rule(
        "invalid-value",
        _ERROR,
        _MANIFEST,
        _SAFELY,
        requires_manifest=False,
        reads=(JsonKind.RULES, JsonKind.MESSAGES, JsonKind.MANAGED_SCHEMA),
    ),
    Rule(
        "unknown-key",
        _WARNING,
        _MANIFEST,
        _SAFELY,
        when=(When.MISTAKES,),
        reads=(JsonKind.RULES, JsonKind.MESSAGES),
    ),
    Rule("deprecated-key", _WARNING, _MANIFEST, _SAFELY, when=(When.MISTAKES,), reads=(JsonKind.RULES,)),
    Rule("conflicting-keys", _ERROR, _MANIFEST, when=(When.MISTAKES,), reads=(JsonKind.RULES,)),
    Rule("contradictory-data-collection", _WARNING, _MANIFEST, when=(When.BROWSER,)),
    Rule("unknown-permission", _WARNING, _MANIFEST, _SAFELY, when=(When.MISTAKES,)),
    Rule(
        "unused-permission",
        _WARNING,
        _MANIFEST,
        _UNSAFELY,
        when=(When.ALL_USES, AnyOf(When.KEYS, ("host_permissions", "permissions"))),
        written_keys=REQUESTS,
        follows="wrong-manifest-version",
    ),
    Rule(
        "unhandled-command",
        _WARNING,
        _MANIFEST,
        when=(When.ALL_USES, AnyOf(When.KEYS, ("commands", "omnibox"))),
        written_keys=("commands", "omnibox"),
    ),
    Rule(
        "unhandled-click",
        _WARNING,
        _MANIFEST,
        when=(When.ALL_USES, When.BROWSER, When.IDLE_BUTTONS),
        written_keys=("action", "browser_action", "page_action"),
    ),
    Rule(
        "missing-file",
        _ERROR,
        _FILES,
        when=(When.RUNS,),
        assumes=Assumption.MANIFEST,
        reads=(JsonKind.MESSAGES,),
        follows="invalid-value",
    ),
    Rule("undefined-name", _INFO, _FILES, when=(When.BROWSER, When.SCRIPTS, When.RUNS)),
    Rule("missing-element", _ERROR, _FILES, _SAFELY, when=(When.BROWSER, When.LOOKUPS, When.RUNS)),
    Rule("unbuilt-file", _ERROR, _FILES, assumes=Assumption.MANIFEST),
    Rule("inline-script", _ERROR, _FILES, when=(When.BROWSER, When.PAGE_CODE, When.RUNS)),
    Rule("remote-script", _ERROR, _FILES, when=(When.BROWSER, When.PAGE_CODE, When.RUNS)),
    Rule(
        "blocked-link",
        _WARNING,
        _FILES,
        when=(When.BROWSER, AnyOf(When.KEYS, ("action", "browser_action"))),
    ),
    Rule(
        "inaccessible-resource",
        _ERROR,
        _FILES,
        when=(When.BROWSER, When.WEB_PAGES, When.RUNS),
        written_keys=("web_accessible_resources",),
    ),
    Rule("string-code", _ERROR, _FILES, when=(When.BROWSER, When.STRING_CODE, When.RUNS), prefetches=True),
    Rule(
        "blocked-webassembly",
        _ERROR,
        _FILES,
        _UNSAFELY,
        when=(When.BROWSER, When.WEBASSEMBLY, When.RUNS),
        written_keys=("content_security_policy",),
        prefetches=True,
    ),
    Rule("missing-export", _ERROR, _FILES, when=(When.IMPORTS,)),
    Rule("invalid-syntax", _ERROR, _FILES, requires_manifest=False),
    Rule(
        "misplaced-import",
        _ERROR,
        _FILES,
        _UNSAFELY,
        when=(When.BROWSER, When.IMPORTS),
        written_keys=("background",),
        prefetches=True,
    ),
    Rule(
        "unmatched-resource",
        _WARNING,
        _FILES,
        when=(AnyOf(When.KEYS, ("web_accessible_resources",)),),
        written_keys=("web_accessible_resources",),
    ),
    Rule("invalid-image", _ERROR, _FILES, when=(When.IMAGES,), follows="invalid-value"),
    Rule("wrong-image-size", _WARNING, _FILES, when=(When.IMAGES,), follows="invalid-value"),
    Rule("duplicate-rule-id", _ERROR, _FILES, when=(When.MISTAKES,), reads=(JsonKind.RULES,)),
    Rule("unknown-locale", _WARNING, _FILES, when=(When.LOCALES,)),
    Rule("missing-message", _ERROR, _FILES, when=(When.RUNS,)),
    Rule("reserved-name", _ERROR, _FILES, when=(When.BROWSER, When.UNDERSCORES)),
    Rule("unwanted-file", _WARNING, _FILES, when=(When.UNWANTED,)),
    Rule("undefined-placeholder", _ERROR, _FILES, when=(When.LOCALES,)),
    Rule(INCOMPLETE_ANALYSIS, _INFO, _FILES, requires_manifest=False, comes_last=True),
    Rule(UNUSED_SUPPRESSION, _WARNING, _FILES, _SAFELY, requires_manifest=False, requires_findings=True),
    Rule("misplaced-manifest", _ERROR, _STORES, when=(When.TOP_FOLDER,), requires_manifest=False),
    Rule(
        "missing-store-id",
        _ERROR,
        _STORES,
        when=(When.BROWSER,),
        written_keys=("applications", "browser_specific_settings"),
    ),
    Rule("refused-by-store", _ERROR, _STORES, when=(When.BROWSER,), follows="invalid-value"),
    Rule(
        "missing-data-collection",
        _WARNING,
        _STORES,
        when=(When.BROWSER,),
        written_keys=("browser_specific_settings",),
        follows="missing-key",
    ),
    Rule("long-name", _WARNING, _STORES, when=(When.BROWSER,)),
    Rule("long-description", _WARNING, _STORES, when=(When.BROWSER,)),
    Rule("missing-description", _INFO, _STORES, when=(When.BROWSER,), written_keys=("description",)),
    Rule("missing-store-icon", _INFO, _STORES, when=(When.BROWSER,), written_keys=("icons",)),
    Rule("store-key", _INFO, _STORES, when=(When.BROWSER,)),
    Rule("store-update-url", _WARNING, _STORES, when=(When.BROWSER,)),
    Rule("unpublishable-version", _INFO, _STORES, when=(When.BROWSER,), follows="invalid-value"),
    Rule("wrong-browser-name", _INFO, _STORES, when=(When.BROWSER,)),
)

RULES = {each.name: each for each in _TABLE}
"""The rules by name, group after group, in the order in which they are listed and run."""


def rules_in(group: str) -> tuple[str, ...]:
    """Returns the names of the rules in the group of this name."""
    return tuple(each.name for each in _TABLE if each.group.name == group)


def module_name(rule: str) -> str:
    """Returns the name of the module of `extlint_rules` that contains the rule of this name."""
    return rule.replace("-", "_")


@cache
def load(name: str) -> RuleModule:
    """Returns the module of a rule, imported on demand. Raises KeyError if the name is not a rule's."""
    return cast("RuleModule", import_module(f"extlint_rules.{module_name(RULES[name].name)}"))
