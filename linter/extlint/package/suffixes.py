"""File kinds by suffix, for every part of extlint.

All suffixes are in lower case and begin with a dot. Where browsers and tools are case-sensitive, callers
compare suffixes directly; other callers use `has_suffix`.
"""

from __future__ import annotations

JAVASCRIPT = (".js", ".mjs", ".cjs")
"""Scripts that browsers run as they are."""

ES_MODULES = (".mjs", ".mts")
COMMONJS_MODULES = (".cjs", ".cts")

SCRIPTS = (*JAVASCRIPT, ".jsx", ".ts", ".mts", ".cts", ".tsx")
"""Scripts that are parsed: JavaScript, TypeScript, and both with JSX."""

TYPED = (".ts", ".mts", ".cts", ".tsx")
"""Scripts in TypeScript, whose types compilers erase."""

COMPILED_MODULES = (".ts", ".tsx")
"""Modules whose suffix an import leaves out."""

VIDEOS = (".ts", ".mts")
"""Suffixes that TypeScript shares with video: MPEG transport streams, and AVCHD."""

DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
"""TypeScript declaration files, which produce no output."""

PROGRAMS = (".ts", ".js", ".mjs", ".mts", ".cjs", ".cts")
"""Programs that run outside the browser and whose syntax is parsed, the likeliest first."""

PROGRAMS_WITH_OBJECTS = (".coffee", ".ls", ".php", ".pl", ".py", ".rb")
"""Programs in other languages, in whose literals the keys of an object may occur."""

SHELL_SCRIPTS = (".bash", ".bat", ".cmd", ".fish", ".gradle", ".kts", ".mk", ".ps1", ".sh", ".zsh")

OTHER_LANGUAGES = (
    *(".civet", ".cljc", ".cljs", ".coffee", ".dart", ".elm", ".fs", ".gjs", ".gts", ".hx", ".imba"),
    *(".kt", ".litcoffee", ".ls", ".purs", ".re", ".res", ".scala"),
)
"""Sources that are compiled to scripts, but that extlint does not parse."""

XHTML = (".xhtml", ".xht")
"""Pages that browsers read as XML."""

PAGES = (".html", ".htm", *XHTML)
COMPONENTS = (".svelte", ".vue")
"""Files that contain scripts like pages do, but that bundlers compile to modules."""

COMPILED_SOURCES = (*(each for each in SCRIPTS if each not in JAVASCRIPT), *COMPONENTS, *OTHER_LANGUAGES)
"""Script sources that no browser runs as they are."""

WITH_MARKUP = (".jsx", ".tsx", *COMPONENTS)
"""Sources that mix code with markup."""

IMPLIED = (".ts", ".tsx", ".mts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte")
"""Suffixes that an import may omit, the likeliest first."""

IMPORTED = (*SCRIPTS, ".es6", ".jsm", *COMPONENTS)
"""Files that an import may resolve to as modules."""

_TEMPLATES = (".ejs", ".handlebars", ".hbs", ".jade", ".mustache", ".njk", ".pug", ".tpl")

TEMPLATES = (*_TEMPLATES, ".erb", ".in", ".j2", ".liquid", ".template", ".tmpl")
"""Files from which a build generates the file that their name without the suffix names."""

CODE = (*IMPORTED, *PAGES, ".astro", *_TEMPLATES)
"""Files that contain scripts, or from which pages are generated."""

FONTS = (".otf", ".ttf", ".woff", ".woff2")
MEDIA = (".mp3", ".mp4", ".ogg", ".opus", ".wav", ".webm")

ASSETS = (
    *(".css", ".less", ".pcss", ".sass", ".scss", ".styl", ".json", ".json5", ".md", ".txt", ".wasm"),
    *(".avif", ".gif", ".ico", ".jpeg", ".jpg", ".png", ".svg", ".webp"),
    *(*FONTS, *MEDIA),
)
"""Files without scripts that bundlers import."""

SVG_IMAGES = (".svg", ".svgz")
CHROME_IMAGES = (
    *(".apng", ".avif", ".bmp", ".gif", ".ico", ".jfif", ".jpe", ".jpeg", ".jpg", ".jxl"),
    *(".pjp", ".pjpeg", ".png", ".webp", ".xbm", *SVG_IMAGES),
)
"""Suffixes that Chromium 156 treats as images."""

PRIVATE_KEYS = (".pem",)
"""Files that Chromium 156 examines for keys."""

ARCHIVES = (".zip", ".xpi", ".crx")
"""Packed extensions."""

NEVER_MANIFESTS = frozenset({*SCRIPTS, ".css", ".htm", ".html", ".md", ".xhtml"})
"""Files that are never manifests."""

STYLES = (".css", ".less", ".sass", ".scss")
"""Style sheets, including those in languages that compile to CSS."""

READ_AS_TEXT = (*CODE, *STYLES, ".json")
"""Files that take memory by their size."""

SCRIPT_LANGUAGES = {
    ".ts": "TypeScript",
    ".mts": "TypeScript",
    ".cts": "TypeScript",
    ".tsx": "TypeScript with JSX",
    ".jsx": "JavaScript with JSX",
}
COMPONENT_LANGUAGES = {".svelte": "a Svelte component", ".vue": "a Vue component"}
STYLE_LANGUAGES = {".less": "Less", ".sass": "Sass", ".scss": "Sass"}
SOURCES = (*SCRIPT_LANGUAGES, *COMPONENT_LANGUAGES, *STYLE_LANGUAGES)
"""Files in languages that browsers do not read, which builds compile."""

CONTENT_SCRIPTS = (".js", ".mjs")
"""Files that browsers run as content scripts on any system."""

SCRIPTS_OF_SOME_SYSTEMS = (".es6", ".jsm")
"""Files that Firefox runs as content scripts only where the system maps the suffix to JavaScript."""

PARSED_IN_STORE = (".dtd", ".ftl", ".htm", ".html", ".js", ".jsm", ".json", ".mjs", ".properties")
"""Files whose size addons.mozilla.org limits, as it parses them."""

TEXTS = (".json", ".xml", ".svg", ".txt")
"""Files with texts that scripts read."""

DATA = (".json", ".json5", ".toml", ".yaml", ".yml")
"""Files of data in a project."""

BUILT_FROM = {
    ".cjs": (".cts",),
    ".css": (".less", ".pcss", ".sass", ".scss", ".styl"),
    ".html": (".ejs", ".haml", ".hbs", ".jade", ".njk", ".pug"),
    ".js": (".coffee", ".jsx", ".svelte", ".ts", ".tsx", ".vue"),
    ".mjs": (".mts",),
}
"""The source suffixes that a build may compile to each output suffix."""

NAMED_FOR = {".wasm": (".js", ".mjs")}
"""The suffixes of the files that a command names while it writes another one next to it, such as `em++`."""

RESOLVED_TO = {".js": (".ts", ".tsx", ".jsx"), ".mjs": (".mts",), ".jsx": (".tsx",), ".cjs": (".cts",)}
"""The source suffixes that a TypeScript import of each suffix may resolve to."""

SHOWN_IMAGES = frozenset({".bmp", ".gif", ".ico", ".jpeg", ".jpg", ".png", ".svg", ".webp"})
INTERCHANGEABLE = (
    SHOWN_IMAGES,
    frozenset(SCRIPTS),
    frozenset({".css", ".less", ".sass", ".scss"}),
    frozenset({".htm", ".html", ".xhtml"}),
)
"""Groups of file types with equivalent contents."""

UNREAD_BY_BROWSERS = frozenset({".cts", ".jsx", ".less", ".mts", ".sass", ".scss", ".ts", ".tsx"})
"""Suffixes of files that browsers do not read."""

KNOWN = SHOWN_IMAGES | {
    *(".cjs", ".css", ".cts", ".html", ".js", ".json", ".jsx", ".less", ".mjs", ".mts", ".sass", ".scss"),
    *(".svelte", ".ts", ".tsx", ".txt", ".vue", ".wasm", ".woff", ".woff2", ".xhtml"),
}
"""Suffixes with a known meaning. Any other suffix may be a typo."""

SYNONYMS = ({".htm", ".html"}, {".jpg", ".jpeg"})

COMMENTABLE = (*SCRIPTS, *PAGES, *COMPONENTS, *STYLES)
"""Files that may contain comments which suppress findings, in addition to manifests."""


def suffix_of(path: str) -> str:
    """Returns the suffix of a file in lower case, with its dot, or an empty string if its name has no dot."""
    name = path.rpartition("/")[2].lower()
    return name[name.rfind(".") :] if "." in name else ""


def has_suffix(path: str, suffixes: tuple[str, ...]) -> bool:
    """Whether a path ends with one of these suffixes, ignoring case."""
    return path.lower().endswith(suffixes)


def is_page(path: str) -> bool:
    """Whether a file is a page."""
    return has_suffix(path, PAGES)


def is_xhtml(path: str) -> bool:
    """Whether a page is read as XML."""
    return has_suffix(path, XHTML)


def is_component(path: str) -> bool:
    """Whether a file contains scripts like pages do, but is compiled to a module by bundlers."""
    return has_suffix(path, COMPONENTS)


def is_script(path: str) -> bool:
    """Whether a file is a script that is parsed, and not only type declarations."""
    return has_suffix(path, SCRIPTS) and not has_suffix(path, DECLARATIONS)


def is_importable(path: str) -> bool:
    """Whether an import may resolve to a file as a module: a script, a component, or one without suffix."""
    return not suffix_of(path) or (has_suffix(path, IMPORTED) and not has_suffix(path, DECLARATIONS))
