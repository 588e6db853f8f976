"""Addresses that scripts may request, and the match patterns that they may require."""

from __future__ import annotations

import pytest

from extlint.analysis.follow import evaluator_of
from extlint.analysis.requested_addresses import requested_addresses
from extlint.manifest.host_patterns import may_match_address, requested_host

WORDS = """
    ajax Audio axios backgroundImage cssText fetch get getJSON href html http https importScripts innerHTML
    insertAdjacentHTML load Request sendBeacon src WebSocket wss XMLHttpRequest
""".split()
ANY = {"\0"}


def requested(source: str) -> set[str]:
    evaluator = evaluator_of(source.encode(), "a.js")
    assert evaluator is not None
    return {*requested_addresses(evaluator, WORDS)}


A = "https://a.example/"
BASE = f"const BASE = '{A}'; "

REQUESTS: dict[str, tuple[str, set[str]]] = {
    "a text": ("fetch('/b.json')", {"/b.json"}),
    "an own file": ("fetch(chrome.runtime.getURL('b.json'))", set()),
    "the own address": ("fetch(location.origin + '/b')", set()),
    "another host in the own address": ("fetch(location.origin.replace('www', 'api') + '/b')", ANY),
    "a part of a known address": (f"fetch('{A}{{b}}'.replace('{{b}}', c))", {f"{A}{{b}}\0", f"{A}{{b}}"}),
    "a base and more": (f"{BASE} fetch(BASE + b)", {A, f"{A}\0"}),
    "a template": (f"{BASE} fetch(`${{BASE}}b/${{c}}`)", {A, f"{A}b/\0"}),
    "a template that begins with a variable": (
        f"function f(b) {{ const c = `${{b}}?d=${{e}}`; fetch(c) }} f('{A}x'); f('{A}y')",
        {f"{A}x", f"{A}y", f"{A}x\0", f"{A}y\0"},
    ),
    "a parameter of a function with known calls": (
        f"function f(b) {{ return fetch(b) }} f(`{A}b?${{c}}`)",
        {f"{A}b?\0"},
    ),
    "a parameter of a function that others may call": (
        f"export function f(b) {{ return fetch(b) }} f('{A}')",
        ANY,
    ),
    "a parameter that gets an own address": (
        "const g = (b) => new Audio(b); function f(c) { const b = URL.createObjectURL(c); g(b) }",
        set(),
    ),
    "a parameter that gets an unknown address, too": (
        "const g = (b) => new Audio(b); g(URL.createObjectURL(c)); g(d)",
        ANY,
    ),
    "a parameter that gets what is spread": ("function g(b) { fetch(b) } g(...c)", ANY),
    "an imported picture": ("import logo from './logo.svg?url'; image.src = logo", set()),
    "another import": ("import logo from './logo.js'; image.src = logo", ANY),
    "an address to which more is added": (f"let b = '{A}'; b += '?c'; fetch(b)", {A, f"{A}\0"}),
    "an object for an address": (f"const b = new URL('{A}'); b.searchParams.set('c', d); fetch(b.href)", {A}),
    "an object whose host is changed": (f"const b = new URL('{A}'); b.host = c; fetch(b)", ANY),
    "an object with a base": ("fetch(new URL('/b', BASE))", ANY),
    "an unknown address": ("fetch(b)", ANY),
    "an unknown host": ("fetch(`https://${b}/c`)", {"https://\0"}),
    "an item of a list": ("for (const b of ['/c', '/d']) fetch(b)", {"/c", "/d"}),
    "an object with options": ("$.ajax({ url: '/b', type: 'GET' })", {"/b"}),
    "an object with unknown options": ("$.ajax(b)", ANY),
    "a method of a library": (f"axios.get('{A}b')", {f"{A}b"}),
    "a base for a library": (f"axios.create({{ baseURL: '{A}' }})", {A}),
    "a function that is only tested": ("if (window.fetch) f(typeof fetch, !fetch)", set()),
    "a function that is passed on": ("f(fetch)", ANY),
    "a function by its name in a text": ("window['fetch'](b)", ANY),
    "a text with code": ("f('fetch(b)')", ANY),
    "a request of jQuery": (
        "$.get('/b', f); $('#c').load('d.html'); jQuery.ajax({ url: '/e' })",
        {"/b", "d.html", "/e"},
    ),
    "other functions of these names": (
        "map.get(b); $(window).load(() => f()); audio.load(); { get: c }",
        set(),
    ),
    "markup of jQuery": ("$('#b').html(`<p>${c}</p>`); f($('#b').html())", set()),
    "unknown markup of jQuery": ("$('#b').html(c)", ANY),
    "a word": ("f('fetch', { fetch: 1 })", set()),
    "an own function": ("function fetch(b) { return b } fetch(c)", set()),
    "an own method": ("const f = { fetch() {} }", set()),
    "a request that is opened": ("const r = new XMLHttpRequest(); r.open('GET', '/b')", {"/b"}),
    "a window that is opened": (f"window.open('{A}', '_blank'); new XMLHttpRequest()", set()),
    "several scripts": ("importScripts('a.js', 'b.js')", {"a.js", "b.js"}),
    "a sound": ("new Audio('/b.mp3'); new Audio()", {"/b.mp3"}),
    "a socket": ("new WebSocket('wss://b.example/')", {"wss://b.example/"}),
    "a comment": ("f() // fetch(b)", set()),
}


@pytest.mark.parametrize(("source", "expected"), REQUESTS.values(), ids=REQUESTS.keys())
def test_addresses_of_requests(source: str, expected: set[str]) -> None:
    assert requested(source) == expected


ELEMENTS: dict[str, tuple[str, set[str]]] = {
    "a property": ("b.src = '/c.png'", {"/c.png"}),
    "an unknown property": ("b.src = c", ANY),
    "a property that is read": ("f(b.src, location.href)", set()),
    "a property of an object": ("f({ src: '/b' })", {"/b"}),
    "an attribute": ("b.setAttribute('src', '/c'); b.getAttribute('src')", {"/c"}),
    "an attribute of a library": ("$(b).attr('src', c)", ANY),
    "a link": ("const b = document.createElement('a'); b.href = c", set()),
    "a page that is opened": ("location.href = b", set()),
    "a file in memory": ("b.src = URL.createObjectURL(c)", set()),
    "markup": ("b.innerHTML = `<iframe src='/c/${d}.png'>`", {"/c/\0"}),
    "markup with an address": ("b.innerHTML = `<iframe src='${c}'>`", ANY),
    "markup with a known address": (f"{BASE} b.innerHTML = `<iframe src=${{BASE}}>`", {A}),
    "markup with a picture": (f"b.innerHTML = `<img src='{A}'>${{c}}<img alt='a' src=${{d}}>`", set()),
    "a picture": (f"const b = new Image(); b.src = '{A}'; b.src = c", set()),
    "a picture in JSX": (f"f(<img src='{A}' />, <img src={{b}} />)", set()),
    "markup with a link": ("b.innerHTML = `<a href='${c}'>d</a>`", set()),
    "markup without addresses": ("b.innerHTML = `<p>${c}</p>`; b.innerHTML = ''", set()),
    "unknown markup": ("b.innerHTML = c", ANY),
    "unknown markup, inserted": ("b.insertAdjacentHTML('beforeend', c)", ANY),
    "a style": ("b.style.cssText = 'left: 0'; b.style.backgroundImage = 'url(/c.png)'", {"/c.png"}),
    "a style with an address": ("b.style.backgroundImage = `url(${c})`", ANY),
    "a style in parts": ("b.style.backgroundImage = 'url(' + c + ')'", ANY),
    "an element that is looked up": ("f(b.querySelector('img[src]'))", set()),
    "an element with an address that is looked up": (
        "f($('[href=\"#' + b + '\"]'), $('a[src=\"' + b))",
        set(),
    ),
}


@pytest.mark.parametrize(("source", "expected"), ELEMENTS.values(), ids=ELEMENTS.keys())
def test_addresses_of_elements(source: str, expected: set[str]) -> None:
    assert requested(source) == expected


TEXTS: dict[str, tuple[str, set[str]]] = {
    "an address": (f"f('{A}b')", {f"{A}b"}),
    "the beginning of one": ("f('https://b.' + c)", {"https://b.\0"}),
    "a scheme": ("f('https' + b)", ANY),
    "a pattern": (r"f(/^https?:\/\//)", set()),
    "a comparison": (f"if (b === '{A}' || b.startsWith('https://')) f()", set()),
    "a tab that is opened": (f"chrome.tabs.create({{ url: '{A}' }})", set()),
    "a tab that is opened, with parts": ("chrome.tabs.update(b, { url: `https://${c}/` })", set()),
    "a link in JSX": (f"f(<a href={{`{A}${{b}}`}}>c</a>, <a href='{A}'>d</a>)", set()),
    "another element in JSX": (f"f(<Frame href={{`{A}${{b}}`}} />)", {f"{A}\0"}),
    "a link that a function returns": (f"const f = (b) => `{A}${{b}}`; g(<a href={{f(1)}} />)", set()),
    "a link in a variable": (f"function f(b) {{ const c = `{A}${{b}}`; return <a href={{c}} /> }}", set()),
    "a variable with another use": (
        f"function f(b) {{ const c = '{A}'; g(c); return <a href={{c}} /> }}",
        {A},
    ),
    "a text that other scripts may use": (f"export const f = () => '{A}'; g(<a href={{f()}} />)", {A}),
    "a namespace": ("f('http://www.w3.org/2000/svg')", set()),
}


@pytest.mark.parametrize(("source", "expected"), TEXTS.values(), ids=TEXTS.keys())
def test_addresses_in_texts(source: str, expected: set[str]) -> None:
    assert requested(source) == expected


HOSTS = {
    "https://A.example/b": "a.example",
    "https://a.example": "a.example",
    "https://a.example\0": "a.example",
    "https://a.example:8080/": "a.example",
    "//a.example/b": "a.example",
    "http://localhost:80/": "localhost",
    "http://127.0.0.1/": "127.0.0.1",
    "https://a.\0": None,
    "https://{host}/": None,
    "https://HOST/": None,
    "https://\0": None,
    "\0": None,
    "b\0": None,
    "URL": None,
    "ftp:\0": None,
    "": "",
    "b.png": "",
    "/b\0": "",
    "b/\0": "",
    "data:image/png,\0": "",
    "chrome-extension://b/": "",
}


@pytest.mark.parametrize(("address", "host"), HOSTS.items(), ids=map(repr, HOSTS))
def test_host_of_an_address(address: str, host: str | None) -> None:
    assert requested_host(address) == host


MATCHES = [
    ("<all_urls>", "https://a.example/", True),
    ("<all_urls>", "/b", False),
    ("https://*/*", "http://a.example/", True),
    ("https://a.example/*", "\0", True),
    ("https://a.example/*", "https://a.example/", True),
    ("https://*.a.example/*", "https://b.a.example/", True),
    ("https://a.example/*", "https://www.a.example/", True),
    ("https://b.example/*", "https://a.test/", False),
    ("https://*.githubusercontent.com/*", "https://github.com/b", True),
    ("https://*.site.co.uk/*", "https://www.site.com/", True),
    ("https://*.site.co.uk/*", "https://www.site\0", True),
    ("https://api.service.com/*", "https://other.org\0", False),
    ("http://127.0.0.1/*", "http://127.0.0.2/", False),
    ("not a pattern", "https://a.example/", True),
    ("chrome://favicon/", "chrome://favicon/\0", True),
    ("chrome://favicon/", "/b", True),
]


@pytest.mark.parametrize(("pattern", "address", "expected"), MATCHES)
def test_patterns_that_an_address_may_require(pattern: str, address: str, expected: bool) -> None:
    assert may_match_address(pattern, address) == expected
