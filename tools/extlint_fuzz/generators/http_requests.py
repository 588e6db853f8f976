"""Generates connections to `extlint serve`: valid requests, mutated ones, and ones that no client sends."""

from __future__ import annotations

import json
from random import Random

from extlint_fuzz.case import MESSAGES, Case
from extlint_fuzz.generators.archives import archive
from extlint_fuzz.generators.mutations import mutate_bytes, mutate_lines

EDGE = b"edge"
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "X" * 300, "P OST")
PATHS = (
    *("/", "/healthz", "/readyz", "/metrics", "/v1/openapi.json", "/v1/rules", "/v1/rules/unknown-api"),
    *("/v1/schema/tabs.query", "/v1/schema/tabs.querry", "/v1/manifest-schema", "/v1/results/1", "/v1/lint"),
    *(
        "/v1/permissions",
        "/v1/nothing",
        "/v1/rules/..%2f..%2fx",
        "/static/../x",
        "//",
        "*",
        "/%00",
        "/%ff%fe",
    ),
    *("/v1/rules/%ed%a0%80", "/v1/schema/" + "a." * 2_000, "http://other.example/", "/v1/lint/", "/V1/LINT"),
)
QUERIES = (
    *(
        "",
        "",
        "",
        "target=firefox",
        "target=chrome,firefox",
        "target=chrome%3E%3D88",
        "target=opera",
        "target=",
    ),
    *("select=uses", "select=stores&ignore=unknown-api", "select=%00", "ignore=", "fail-level=warning"),
    *(
        "fail-level=warning&fail-level=info",
        "fail-level=%ff",
        "unknown=1",
        "=",
        "&&&",
        "%",
        "a=" + "b" * 5_000,
    ),
    *("target=firefox%3E%3D" + "9" * 5_000, "select=" + ",".join(["uses"] * 500), "target=\u00e9"),
)
HEADERS = (
    *("Accept: application/sarif+json", "Accept: text/html", "Accept: text/markdown", "Accept: image/png"),
    *(
        "Accept: application/vnd.extlint.page+json",
        "Accept: */*;q=0",
        "Accept: ;;,,/",
        "Accept: a/b;q=" + "9" * 400,
    ),
    *(
        "X-Filename: a.zip",
        "X-Filename: %2e%2e%2fa.crx",
        "X-Filename: \u00e9\u0001.xpi",
        "X-Filename: " + "%ff" * 500,
    ),
    *(
        "Content-Type: application/json",
        "Content-Type: multipart/form-data",
        "Content-Type: text/html; charset=\u00e9",
    ),
    *("Content-Type: multipart/form-data; boundary=", "Content-Type: multipart/form-data; boundary=edge"),
    *("Content-Encoding: gzip", "Content-Encoding: identity", "Expect: 100-continue", "Expect: something"),
    *(
        "Origin: https://other.example",
        "Origin: null",
        "Host: other.example",
        "Host:",
        "Host: [::1]:1",
        "Host: [x",
    ),
    *(
        "Authorization: Bearer \u00e9",
        "If-None-Match: *",
        'If-None-Match: "a',
        "Range: bytes=0-1",
        "Upgrade: h2c",
    ),
    *(
        "Content-Length: 0",
        "Content-Length: -1",
        "Content-Length: 5",
        "Content-Length: " + "9" * 30,
        "Te: trailers",
    ),
    *(
        "Transfer-Encoding: chunked",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding:",
        "Connection: upgrade",
    ),
    *("Connection: keep-alive", "X" * 9_000 + ": a", ": a", "no colon", " folded", "X-A: \0", "X-A: a\rb"),
)
FORM = b'--%b\r\nContent-Disposition: form-data; name="%b"; filename="%b"\r\n\r\n%b\r\n'


def http_requests(chance: Random) -> Case:
    """Returns a few connections, each with one request or with several at once.

    The name of a connection that is closed before an answer is read ends with `.cut`.
    """
    files = {}
    for number in range(chance.choice((1, 1, 2, 4))):
        requests = [_request(chance) for _ in range(chance.choice((1, 1, 1, 2, 5)))]
        data = b"".join(requests)
        for _ in range(chance.choice((0, 0, 0, 1, 3))):
            data = chance.choice((mutate_bytes, mutate_lines))(chance, data)
        if chance.random() < 0.1:
            data = data[: chance.randrange(len(data) + 1)]
        kind = "cut" if chance.random() < 0.1 else "http"
        files[f"{MESSAGES}/{number}.{kind}"] = data
    return Case(files, (), "HTTP requests", program="serve")


def _request(chance: Random) -> bytes:
    if chance.random() < 0.6:
        return _upload(chance)
    body = chance.randbytes(chance.choice((0, 0, 0, 9)))
    method = chance.choice(("GET", "GET", "GET", chance.choice(METHODS)))
    return _with_head(chance, method, chance.choice(PATHS), body, [])


def _upload(chance: Random) -> bytes:
    """Returns a request with a package, which may be malformed."""
    body, headers = _package(chance), []
    path = chance.choice(("/v1/lint", "/v1/lint", "/v1/permissions"))
    luck = chance.random()
    if luck < 0.2:
        value = {"manifest_version": 3, "name": "a", "version": "1", "permissions": ["tabs", "tab"]}
        body, headers = json.dumps(value).encode(), ["Content-Type: application/json"]
    elif luck < 0.5:
        names = [b"package", *chance.choice(([], [b"against"], [b"package"], [b"other"]))]
        parts = [FORM % (EDGE, name, name, _package(chance)) for name in names]
        body = b"".join(parts) + chance.choice((b"--edge--\r\n", b"--edge--\r\n", b"", b"--edge"))
        headers = ["Content-Type: multipart/form-data; boundary=edge"]
    if chance.random() < 0.1:
        body = mutate_bytes(chance, body)
    return _with_head(chance, "POST", path, body, headers)


def _package(chance: Random) -> bytes:
    (data,) = archive(chance).files.values()
    return data


def _with_head(chance: Random, method: str, path: str, body: bytes, headers: list[str]) -> bytes:
    query = chance.choice(QUERIES)
    lines = [f"{method} {path}{'?' if query else ''}{query} HTTP/1.1", "Host: localhost", *headers]
    lines += chance.sample(HEADERS, chance.choice((0, 0, 0, 1, 2, 9)))
    if body and chance.random() < 0.25:
        lines.append("Transfer-Encoding: chunked")
        body = _chunked(chance, body)
    elif body:
        size = len(body) if chance.random() < 0.95 else chance.choice((0, 1, len(body) - 1, 2**40))
        lines.append(f"Content-Length: {size}")
    if chance.random() < 0.01:
        lines += ["X-A: b"] * 200
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + body


def _chunked(chance: Random, body: bytes) -> bytes:
    parts = []
    while body:
        size = chance.choice((1, 100, 5_000, 60_000))
        part, body = body[:size], body[size:]
        extra = b";a=b" if chance.random() < 0.05 else b""
        length = len(part) if chance.random() < 0.99 else chance.choice((0, 3, 2**64))
        parts.append(b"%x%b\r\n%b\r\n" % (length, extra, part))
    return b"".join(parts) + chance.choice((b"0\r\n\r\n", b"0\r\n\r\n", b"0\r\nX-A: b\r\n\r\n", b""))
