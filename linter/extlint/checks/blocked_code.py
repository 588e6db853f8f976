"""The code of pages, strings as code, and WebAssembly that a content security policy blocks.

Verified in Firefox 153 and Chromium 156 (`extlint_judge policies`): in Manifest V3, neither the manifest nor
the page can allow inline code or a remote script in an extension page. In Manifest V2, Firefox runs inline
scripts whose hash is in the policy, and scripts of the hosts that it names, but never event handlers and
`javascript:` addresses. Chromium no longer loads Manifest V2. In sandboxed pages of Chromium the policy
decides. A script of a server on the same machine runs in either version if the manifest's policy names that
server, in Chromium while the extension is unpacked.

Verified in Firefox 153 and Chromium 156 (`extlint_judge blocked-calls`): in Manifest V3, pages, workers and
content scripts all block `eval` and `Function`. In Manifest V2, pages and workers do so unless the policy of
the manifest has `'unsafe-eval'`, and content scripts do not. In Manifest V3, pages and workers block
WebAssembly unless the policy has `'wasm-unsafe-eval'`. Content scripts do not, nor does Manifest V2 in
Firefox. The main world of web pages has their policy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from extlint.analysis.facts.context import (
    EXTENSION_PAGES,
    OWN_CONTEXTS,
    CodeKind,
    Context,
    ContextKind,
    PageCode,
    PageWithCode,
)
from extlint.analysis.facts.platform_globals import WEBASSEMBLY
from extlint.extension import Extension
from extlint.manifest.manifest import Manifest
from extlint.project.builds import is_build_source
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.formats.csp import chrome_2, firefox_2, sandbox
from extlint.text.formats.csp_policy import (
    allows_attributes,
    allows_eval,
    allows_text,
    allows_webassembly,
    may_allow_address,
)
from extlint.text.formats.registry import Problem
from extlint.text.patterns import lazy

DEFAULT = "script-src 'self'"
"""The policy of extension pages if the manifest has none, or one that the browser rejects."""

DEFAULT_IN_SANDBOX = "script-src 'self' 'unsafe-inline' 'unsafe-eval'"
"""The script part of Chromium's policy of sandboxed pages, if the manifest has none."""

_POLICY_CHECKS: Mapping[Engine, Callable[[str], Problem | None]] = {
    Engine.GECKO: firefox_2,
    Engine.CHROMIUM: chrome_2,
}
_BUNDLED_KINDS = frozenset({CodeKind.SCRIPT, CodeKind.IMPORT_MAP})
"""Code that a bundler may remove from the pages that it builds."""

_ONLY_COMMENTS = lazy(r"(?:\s|<!--[^\n]*+|-->[^\n]*+|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+")


@query
def blocked_code(extension: Extension) -> Sequence[tuple[PageWithCode, PageCode]]:
    """Returns the code that does not run, each with its page, except in pages that may never be opened."""
    return tuple(_blocked_code(extension))


def _blocked_code(extension: Extension) -> Iterator[tuple[PageWithCode, PageCode]]:
    for page in extension.pages:
        policy = policy_in(extension, page.contexts)
        for code in page.code if policy is not None else ():
            if not allows(policy or "", code) and not _is_left_to_build(extension, code):
                yield page, code


def policy_in(extension: Extension, contexts: Iterable[Context]) -> str | None:
    """Returns the policy of pages with these contexts, or None if it is unknown or they are not opened."""
    engine = _engine_with_policy(extension)
    if engine is None:
        return None
    opened = {each.kind for each in contexts if _is_opened_directly(each)}
    if ContextKind.SANDBOX in opened and engine is Engine.CHROMIUM:
        return _policy_of_sandbox(extension.manifest)
    return None if opened.isdisjoint(OWN_CONTEXTS) else policy_of_pages(extension.manifest, engine)


def _engine_with_policy(extension: Extension) -> Engine | None:
    """Returns the engine of the target, or None if its policy is unknown.

    Manifest V1, which a manifest without a version is, has no default policy.
    """
    engine, manifest = engine_of(extension.target.name), extension.manifest
    may_be_v1 = manifest.version == 2 and not manifest.is_clear
    return None if may_be_v1 or manifest.get("app") is not None or engine not in _POLICY_CHECKS else engine


def policy_of_pages(manifest: Manifest, engine: Engine) -> str:
    """Returns the effective policy. In Manifest V3, additions to the default policy do not apply to code."""
    found = manifest.get("content_security_policy")
    if manifest.version == 3 or found is None or not isinstance(found.value, str):
        return DEFAULT
    return DEFAULT if _POLICY_CHECKS[engine](found.value) is not None else found.value


def _policy_of_sandbox(manifest: Manifest) -> str:
    """Returns the policy of sandboxed pages."""
    steps = ("content_security_policy", "sandbox")
    found = manifest.get(*(steps if manifest.version == 3 else reversed(steps)))
    if found is None or not isinstance(found.value, str) or sandbox(found.value) is not None:
        return DEFAULT_IN_SANDBOX
    return found.value


def allows(policy: str, code: PageCode) -> bool:
    """Whether a policy may let code run."""
    if code.kind is CodeKind.SOURCE:
        return may_allow_address(policy, code.text)
    if code.kind in _BUNDLED_KINDS:
        return _ONLY_COMMENTS.fullmatch(code.text) is not None or allows_text(policy, code.text)
    return allows_attributes(policy)


def _is_left_to_build(extension: Extension, code: PageCode) -> bool:
    return code.kind in _BUNDLED_KINDS and is_build_source(extension)


def _is_opened_directly(context: Context) -> bool:
    """Whether a page is opened for itself.

    A page that is accessible to web pages, or whose name is in a script, may also be read, to make it a part
    of another page.
    """
    return context.certain or (context.step is not None and not context.may_be_read)


_WITH_OWN_POLICY = EXTENSION_PAGES | {ContextKind.SERVICE_WORKER, ContextKind.WORKER}
_GLOBAL = rb"(?:(?<![\w$.])|(?<=window\.)|(?<=self\.)|(?<=globalThis\.))"
_GLOBAL_AT = lazy(_GLOBAL)
_MAY_RUN = {
    word: lazy(word + rb"\s*\((?!\s*[\"']return this[\"'])", needs=(word,)) for word in (b"eval", b"Function")
} | {word: lazy(word + rb"\s*\(\s*[\"'`]", needs=(word,)) for word in (b"setTimeout", b"setInterval")}


@query(is_kept=True, is_of_package=True)
def may_run_strings(extension: Extension, path: str, base: int) -> bool:
    """Whether a script may run a string as code, according to its text only."""
    script = extension.source_at(path, base)
    places = extension.script_searches.spans_of(script, _MAY_RUN)
    return any(_GLOBAL_AT.match(script.index.text, start) for start, _ in places)


def blocks_strings(extension: Extension, kind: ContextKind) -> bool:
    """Whether strings cannot run as code in a kind of context; false if this is unknown."""
    engine = _engine_with_policy(extension)
    if engine is None:
        return False
    if kind is ContextKind.CONTENT_SCRIPT:
        return extension.manifest_version == 3
    return kind in _WITH_OWN_POLICY and not allows_eval(policy_of_pages(extension.manifest, engine))


@query(is_kept=True, is_of_package=True)
def may_compile(extension: Extension, path: str, base: int) -> bool:
    """Whether a script may use WebAssembly, according to its text only."""
    return extension.script_searches.may_have_word(extension.source_at(path, base), WEBASSEMBLY.encode())


def blocks_webassembly(extension: Extension, kind: ContextKind) -> bool:
    """Whether WebAssembly cannot be compiled in a kind of context; false if this is unknown."""
    if extension.manifest_version != 3 or _engine_with_policy(extension) is None:
        return False
    return kind in _WITH_OWN_POLICY and not _allows_webassembly(extension.manifest)


def _allows_webassembly(manifest: Manifest) -> bool:
    """Whether the policy of pages may allow WebAssembly; true if it is not where browsers expect it."""
    found = manifest.get("content_security_policy")
    pages = manifest.get("content_security_policy", "extension_pages")
    if found is None or (pages is None and isinstance(found.value, dict)):
        return False
    return pages is None or not isinstance(pages.value, str) or allows_webassembly(pages.value)
