"""Calls of extension APIs in real code, found by their text and not by extlint's analysis.

A site is `ROOT.namespace.member(…)`, whatever ROOT is: `browser`, `e`, `n.default`, `this.api`,
`(0, r.b)()`. The names of the member show that it is the API. The value of ROOT is the subject of the
benchmarks, so it is not considered here.
"""

from __future__ import annotations

import re

from msgspec import Struct

from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.parse import grammar_of, parse
from extlint.analysis.syntax.tree import Budget, SyntaxTree
from extlint.project.contexts.script import LaidOutScript

# Functions in Chrome or Firefox (according to their documentation). Any event counts as well.
_FUNCTIONS = """
action|browserAction|pageAction: setBadgeText setBadgeBackgroundColor setIcon setPopup setTitle getBadgeText
alarms: create clear clearAll get getAll
bookmarks: create get getChildren getTree move remove removeTree search update
commands: getAll
contentSettings: get set
contextMenus|menus: create remove removeAll update refresh
cookies: get getAll getAllCookieStores remove set
contextualIdentities: create get query remove update
declarativeNetRequest: getDynamicRules updateDynamicRules updateEnabledRulesets getSessionRules
devtools.panels: create
downloads: download erase open search show
extension: getBackgroundPage getURL getViews isAllowedFileSchemeAccess isAllowedIncognitoAccess
history: addUrl deleteUrl getVisits search
i18n: detectLanguage getAcceptLanguages getMessage getUILanguage
identity: getAuthToken getRedirectURL launchWebAuthFlow
idle: queryState setDetectionInterval
management: get getAll getSelf launchApp setEnabled uninstall uninstallSelf getPermissionWarningsById
notifications: clear create getAll update
offscreen: closeDocument createDocument
permissions: contains getAll remove request
privacy: get
runtime: connect connectNative getBackgroundPage getBrowserInfo getContexts getManifest getPlatformInfo getURL
runtime: openOptionsPage reload sendMessage sendNativeMessage setUninstallURL
scripting: executeScript getRegisteredContentScripts insertCSS registerContentScripts removeCSS
sessions: getRecentlyClosed getTabValue restore setTabValue
sidePanel: open setOptions setPanelBehavior
storage.local|storage.sync|storage.session|storage.managed: clear get getBytesInUse remove set
tabGroups: get query update
tabs: captureVisibleTab connect create detectLanguage discard duplicate executeScript get getCurrent getZoom
tabs: group highlight insertCSS move query reload remove sendMessage setZoom show hide ungroup update
topSites: get
webNavigation: getAllFrames getFrame
windows: create get getAll getCurrent getLastFocused remove update
"""

_UNLIMITED = 10**12
"""The step budget of trees without a limit."""

ANYWHERE = frozenset({"dom", "extension", "i18n", "runtime", "storage"})
"""The namespaces that are also in content scripts. Code that calls any other one is not a content script."""


def _pattern() -> re.Pattern[bytes]:
    dot = r"\s*(?:\?\.|\.)\s*"
    namespaces: set[str] = set()
    choices = []
    for line in _FUNCTIONS.strip().splitlines():
        left, _, right = line.partition(": ")
        namespaces |= {name.split(".")[0] for name in left.split("|")}
        spaces = "|".join(name.replace(".", dot) for name in left.split("|"))
        choices.append(f"(?:{spaces}){dot}(?:{'|'.join(right.split())})")
    event = f"(?:{'|'.join(sorted(namespaces))}|webRequest|webNavigation){dot}on[A-Z]\\w+{dot}addListener"
    member = "|".join([*choices, event])
    return re.compile(rf"(?:\?\.|\.)\s*(?P<api>{member})\s*\(".encode())


_SITE = _pattern()
_TEST = re.compile(r"(?:^|/)(?:tests?|__tests__|__mocks__|e2e|spec|specs|mocks?)/|[.\-](?:test|spec)\.\w+$")
_EXITS = frozenset({"return_statement", "throw_statement", "break_statement", "continue_statement"})


_OWN_MEMBER = re.compile(
    rb"(?<![\w$])([\w$]{1,60})\.(\w+)\s*=\s*(?:\{|new\b|(?:async\s+)?function\b|class\b|\()"
)
_OWN_EXPORT = re.compile(rb"\bexport\s+(?:const|let|var|class|(?:async\s+)?function)\s+(\w+)")


def own_namespaces(data: bytes) -> set[str]:
    """Returns a script's own objects that look like a namespace: `vapi.tabs = {`, `export const windows`."""
    members = {(match[1] + b"." + match[2]).decode() for match in _OWN_MEMBER.finditer(data)}
    return members | {match[1].decode() for match in _OWN_EXPORT.finditer(data)}


def unlimited_tree(text: bytes, path: str) -> SyntaxTree | None:
    """Returns the tree of a script, without a step limit, or None if it is not parsed."""
    parsed = parse(text, grammar_of(path))
    if parsed is None:
        return None
    tree = SyntaxTree(text, parsed)
    tree.budget = Budget(_UNLIMITED)
    return tree


class Site(Struct, frozen=True, eq=False):
    """A call of the API. Offsets are bytes of the script; it begins at `base` of the file.

    `start` is the start of the namespace, after ROOT and its dot; `root`, `member` and `call` are
    the nodes of ROOT, of the member expression and of the call. `caught` is true in a `try` block.
    """

    script: LaidOutScript
    base: int
    tree: SyntaxTree
    start: int
    api: tuple[str, ...]
    root: Node
    member: Node
    call: Node
    caught: bool

    @property
    def namespace(self) -> str:
        """The name after ROOT."""
        return self.api[0]

    def is_own_object(self, own: set[str]) -> bool:
        """Whether the namespace is one of the extension's own objects, not the API's."""
        root = self.tree.source(self.root).replace("this", "")
        if f"{root.rpartition('.')[2]}.{self.namespace}" in own:
            return True
        return (
            self.namespace in own
            and re.search(rb"\*\s*as\s+" + re.escape(root.encode()) + rb"\b", self.tree.text) is not None
        )

    @property
    def arguments(self) -> Node | None:
        """The list of arguments, with its parentheses."""
        return self.call.field("arguments")


def sites_of(script: LaidOutScript, data: bytes) -> list[Site]:
    """Returns the sites of one script in code that may run, in order. `data` is the entire file.

    Test files are skipped, because they usually use a mock of the API.
    """
    base, end = script.body or (0, len(data))
    text = data[base:end]
    if _TEST.search(script.path) or _SITE.search(text) is None:
        return []
    tree = unlimited_tree(text, script.path)
    if tree is None:
        return []
    found = (_site(script, base, tree, match) for match in _SITE.finditer(text))
    return [site for site in found if site is not None]


def _site(script: LaidOutScript, base: int, tree: SyntaxTree, match: re.Match[bytes]) -> Site | None:
    names = tuple(re.split(r"[\s.?]+", match["api"].decode()))
    leaf = tree.leaf_at(match.start("api"))
    if leaf.type != "property_identifier" or leaf.start != match.start("api") or leaf.parent is None:
        return None
    root = leaf.parent.field("object")
    member = leaf.parent
    for _ in names[1:]:
        if member.parent is None or member.parent.type != "member_expression":
            return None
        member = member.parent
    call = member.parent
    if root is None or call is None or call.type != "call_expression" or not member.is_field("function"):
        return None
    if call.has_token("optional_chain") or never_runs(call) or call.node.has_error:
        return None
    if root.type == "member_expression" and tree.text[: root.end].endswith(b".app"):
        return None  # the namespace is `app.runtime`
    return Site(script, base, tree, leaf.start, names, root, member, call, _caught(call))


def never_runs(call: Node) -> bool:
    """Whether the call is dead code after the end of its block."""
    child = call
    for up in call.ancestors():
        if up.type == "statement_block":
            before = (each for each in up.named() if each.end <= child.start)
            if child.type != "function_declaration" and any(each.type in _EXITS for each in before):
                return True
        child = up
    return False


def _caught(call: Node) -> bool:
    child = call
    for up in call.ancestors():
        if up.type == "try_statement" and child.is_field("body") and up.field("handler") is not None:
            return True
        if up.type in FUNCTIONS and (up.parent is None or up.parent.type != "parenthesized_expression"):
            return False
        child = up
    return False
