"""The globals of the Web platform, of Node and of module loaders that matter to several rules."""

from __future__ import annotations

from extlint.analysis.facts.script_facts import LoadKind

CONTEXT_MARKERS = frozenset(
    {
        *("DedicatedWorkerGlobalScope", "ServiceWorkerGlobalScope", "WorkerGlobalScope", "clients"),
        *("document", "importScripts", "registration", "skipWaiting", "window"),
    }
)
"""Globals by which programs distinguish contexts."""

TESTED_GLOBALS = CONTEXT_MARKERS | frozenset(
    """
    Audio DOMParser Element HTMLElement Image MutationObserver Node Window WorkerNavigator XMLHttpRequest
    alert localStorage matchMedia requestAnimationFrame sessionStorage
    """.split()
)
"""Globals whose presence depends only on the context, in all versions of browsers."""

TESTED_MEMBERS = {"createObjectURL": "URL"}
"""Members of other globals whose presence depends only on the context, with these globals."""

CODE_RUNNERS = frozenset({"Function", "eval"})
"""Globals that run a string as code."""

WEBASSEMBLY = "WebAssembly"
COMPILERS = frozenset(
    f"{WEBASSEMBLY}.{name}"
    for name in ("Module", "compile", "compileStreaming", "instantiate", "instantiateStreaming")
)
"""Members of a global that compile WebAssembly."""

REQUIRE = "require"
EXPORTS = "exports"
PROCESS = "process"
COMMON_JS = frozenset({"define", EXPORTS, "module", PROCESS, REQUIRE})
"""Globals that programs have in Node, or from a module loader, and never in browsers."""

DOCUMENT_PARTS = frozenset({"document.body", "document.head"})
"""The globals that are null only until the document has them."""

TIMERS = frozenset({"setInterval", "setTimeout"})
REQUESTS = frozenset({"EventSource", "WebSocket", "fetch"})
"""Globals that request an address, which is their first argument."""

IMPORT_SCRIPTS = LoadKind.IMPORT_SCRIPTS.value

DYNAMIC_IMPORT = LoadKind.DYNAMIC_IMPORT.value
"""The name under which uses of `import()` are found, although it is not a global."""

ALWAYS_WATCHED = (
    CONTEXT_MARKERS | COMMON_JS | CODE_RUNNERS | REQUESTS | TIMERS | {IMPORT_SCRIPTS, WEBASSEMBLY}
)
"""The globals that are followed in every script whose uses of globals are queried."""
