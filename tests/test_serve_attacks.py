"""Hostile clients of `extlint serve`, and the answers. No attack disturbs the next request."""

from __future__ import annotations

import re
import socket
import struct
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.client import HTTPResponse
from pathlib import Path
from select import select

import pytest
from serving import MANIFEST, Server, archive, at_once, form, server, slow_archive, wait_until

pytestmark = [
    pytest.mark.together,
    pytest.mark.skipif(sys.platform != "linux", reason="workers are forked"),
]

SMALL = archive()
QUEUE = 8
HOST = b"Host: localhost\r\n"
POST = b"POST /v1/lint HTTP/1.1\r\n" + HOST
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("attacks")
    arguments = ["--jobs", "2", "--queue", str(QUEUE), "--max-upload", "1", "--max-seconds", "2"]
    with server(folder, *arguments, "--max-memory", "128") as found:
        yield found
        assert found.process.poll() is None
    assert list((folder / "spool").iterdir()) == []


@pytest.fixture(autouse=True)
def _is_undisturbed(request: pytest.FixtureRequest) -> Iterator[None]:
    """The next request works after each attack, and no worker is left."""
    yield
    if "service" in request.fixturenames:
        found: Server = request.getfixturevalue("service")
        found.wait_until_ready()
        assert found.lint(SMALL).status == 200
        wait_until(lambda: found.workers() == [] or None)


def length(count: int) -> bytes:
    return POST + b"Content-Length: %d\r\n\r\n" % count


def bomb(size: int, entries: int = 1) -> bytes:
    """An archive that states more than it has."""
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packed.compress(bytes(1 << 16)) + packed.flush()
    local = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 8, 0, 0, 0, len(data), size, 1, 0) + b"a" + data
    record = struct.pack(
        "<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 8, 0, 0, 0, len(data), size, 1, 0, 0, 0, 0, 0, 0
    )
    directory = (record + b"a") * entries
    counts = (entries & 0xFFFF, entries & 0xFFFF, len(directory), len(local), 0)
    return local + directory + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, *counts)


WIRE: dict[str, tuple[bytes, bytes]] = {
    "no request": (b"\r\n" * 50, b""),
    "not HTTP": (b"\x16\x03\x01\x02\x00\x01\x00" * 20 + b"\r\n\r\n", b"400"),
    "no version": (b"GET /healthz\r\n\r\n", b"400"),
    "version 2 preface": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"4"),
    "no host": (b"GET /healthz HTTP/1.1\r\n\r\n", b"400"),
    "two hosts": (b"GET /healthz HTTP/1.1\r\n" + HOST + b"Host: evil.example\r\n\r\n", b"400"),
    "10,000 headers": (b"GET /healthz HTTP/1.1\r\n" + HOST + b"X-A: b\r\n" * 10_000 + b"\r\n", b"400"),
    "a header of 1 MB": (b"GET /healthz HTTP/1.1\r\nX-A: " + b"a" * 1_000_000 + b"\r\n\r\n", b"400"),
    "an address of 1 MB": (b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", b"400"),
    "a line break in a header": (b"GET /healthz HTTP/1.1\r\n" + HOST + b"X: a\rb\0\r\n\r\n", b"400"),
    "a space before the colon": (b"GET /healthz HTTP/1.1\r\nHost : localhost\r\n\r\n", b"400"),
    "a body that ends early": (length(len(SMALL) + 10) + SMALL, b""),
    "a negative length": (POST + b"Content-Length: -1\r\n\r\n", b"400"),
    "a length that is no number": (POST + b"Content-Length: 0x10\r\n\r\n" + SMALL, b"400"),
    "two lengths": (POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", b"400"),
    "length and chunks": (
        POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n",
        b"",
    ),
    "an unknown transfer encoding": (POST + b"Transfer-Encoding: gzip\r\n\r\n", b"400"),
    "a length beyond the limit": (length(1 << 40), b"413"),
    "more than the limit in chunks": (CHUNKED + b"40000\r\n" + bytes(0x40000) + b"\r\n", b"413"),
    "a chunk with an invalid size": (CHUNKED + b"zz\r\nab\r\n", b""),
    "a chunk of 2**64 bytes": (CHUNKED + b"FFFFFFFFFFFFFFFF\r\n", b""),
    "a chunk whose size has 10,000 digits": (CHUNKED + b"0" * 10_000 + b"1\r\na\r\n0\r\n\r\n", b""),
    "a request after a request": (
        b"GET /healthz HTTP/1.1\r\n"
        + HOST
        + b"\r\nGET /nothing HTTP/1.1\r\n"
        + HOST
        + b"Connection: close\r\n\r\n",
        b"404",
    ),
    "an upgrade to WebSocket": (
        b"GET /socket HTTP/1.1\r\n" + HOST + b"Connection: upgrade, close\r\nUpgrade: websocket\r\n\r\n",
        b"",
    ),
    "CONNECT": (b"CONNECT evil.example:80 HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n", b"40"),
    "the address of another server": (
        b"GET http://evil.example/ HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n",
        b"404",
    ),
}
"""Bytes, and the status of the last answer; empty if there may be none."""


def test_bytes_on_the_wire(service: Server) -> None:
    for name, (data, status) in WIRE.items():
        if name == "more than the limit in chunks":
            data = data[: len(CHUNKED)] + data[len(CHUNKED) :] * 8
        answer = service.raw(data, ends=status == b"" or name == "not HTTP")
        statuses = re.findall(rb"HTTP/1\.1 (\d+)", answer)
        assert b"Traceback" not in answer, name
        assert b"200" not in statuses[-1:], name
        if status:
            assert statuses[-1].startswith(status), name


def test_bytes_that_are_not_http(service: Server) -> None:
    head, _, body = service.raw(b"no HTTP\r\n\r\n").partition(b"\r\n\r\n")
    assert b"application/problem+json" in head
    assert b"urn:extlint:problem:invalid-request" in body


MALFORMED_FORM = form(package=SMALL)[0].replace(b"\r\n", b"\rx", 1)


@pytest.mark.parametrize(
    "data",
    [
        CHUNKED + b"%x\r\n%b\r\nno length\r\n" % (len(SMALL), SMALL),
        POST.replace(b"lint", b"nothing") + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\nno length\r\n",
        b"HEAD /healthz HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nno length\r\n",
        POST
        + b"Content-Type: multipart/form-data; boundary=edge\r\n"
        + b"Connection: close\r\nContent-Length: %d\r\n\r\n%b" % (len(MALFORMED_FORM), MALFORMED_FORM),
    ],
    ids=[
        "a chunk after the package",
        "a chunk after an early answer",
        "a request without an answer",
        "a form",
    ],
)
def test_log_has_no_details_of_malformed_bodies(service: Server, data: bytes) -> None:
    log = service.folder / "log.txt"
    before = log.stat().st_size
    service.raw(data)
    assert service.lint(SMALL).status == 200
    lines = log.read_bytes()[before:].splitlines()
    assert all(each.startswith((b"{", b"Invalid HTTP request received.")) for each in lines)


BODIES: dict[str, tuple[bytes | Callable[[], bytes], dict[str, str], str]] = {
    "nothing": (b"", {}, "unreadable"),
    "a truncated archive": (SMALL[:-10], {}, "unreadable"),
    "a truncated .crx": (b"Cr24\3\0\0\0", {}, "unreadable"),
    "a .crx with a header of 4 GB": (b"Cr24\3\0\0\0\xff\xff\xff\xff" + SMALL, {}, "unreadable"),
    "random bytes named .zip": (bytes(range(256)) * 40, {"X_Filename": "a.zip"}, "unreadable"),
    "HTML as a package": (b"<script>alert(1)</script>", {"Content_Type": "application/zip"}, "unreadable"),
    "an archive as JSON": (SMALL[:50], {"Content_Type": "application/json"}, "unreadable"),
    "JSON nested 100,000 times": (b"[" * 100_000, {"Content_Type": "application/json"}, ""),
    "a number of 100,000 digits": (
        b'{"manifest_version": ' + b"9" * 100_000 + b"}",
        {"Content_Type": "application/json"},
        "",
    ),
    "a bomb of 4 GB": (bomb(0xFFFFFFF0), {}, "too-large"),
    "a bomb of overlapping files": (lambda: bomb(1 << 24, 10_000), {}, "too-large"),
    "an archive that expands 1,000 times": (
        lambda: archive({"a.js": bytes(60_000_000)}),
        {},
        "too-large",
    ),
    "an archive in an archive": (archive({"a.zip": archive({"b.zip": SMALL})}), {}, "unreadable"),
    "no manifest": (archive({"a.js": ""}), {}, "unreadable"),
    "paths that lead out": (
        archive({"manifest.json": MANIFEST, "../../../tmp/extlint-owned": "a", "/etc/extlint-owned": "a"}),
        {},
        "",
    ),
    "names with line breaks and escapes": (
        archive({"manifest.json": MANIFEST, "\x1b[2J\n\r\0.js": "a"}),
        {},
        "",
    ),
    "a form without an end": (
        b'--edge\r\nContent-Disposition: form-data; name="package"; filename="a"\r\n\r\nPK',
        {"Content_Type": "multipart/form-data; boundary=edge"},
        "invalid-request",
    ),
    "a form without a boundary": (b"a", {"Content_Type": "multipart/form-data"}, "invalid-request"),
    "a form with another file": (form(other=SMALL)[0], {"Content_Type": form()[1]}, "invalid-request"),
    "a compressed body": (zlib.compress(SMALL), {"Content_Encoding": "deflate"}, "unsupported-type"),
}
"""A body, its headers, and the kind of the problem; empty if it is checked. A large body is a function."""


def test_bodies(service: Server) -> None:
    for name, (body, headers, kind) in BODIES.items():
        answer = service.lint(body() if callable(body) else body, **headers)
        if kind:
            assert answer.kind == kind, name
        else:
            assert answer.status == 200, name
    assert not Path("/tmp/extlint-owned").exists()
    assert not Path("/etc/extlint-owned").exists()


@pytest.mark.parametrize("text", ['select = ["missing-file"]', 'schemas = ["/etc/*"]', "not TOML"])
def test_configuration_in_an_upload_is_ignored(service: Server, text: str) -> None:
    files = {"manifest.json": '{"manifest_version": 3}'}
    without = service.lint(archive(files)).json
    assert without["findings"]
    for name in ("extlint.toml", "pyproject.toml"):
        assert service.lint(archive({**files, name: text})).json == without


def test_names_are_only_names(service: Server) -> None:
    for name in (
        "../../../../etc/passwd",
        "/etc/hostname.zip",
        "..%2f..%2fmanifest.json",
        "a%00b.zip",
        "%0d%0aX: y.zip",
        ".",
    ):
        answer = service.lint(SMALL, X_Filename=name)
        assert answer.status == 200, name
        path = answer.json["extensions"][0]["path"]
        assert "/" not in path
        assert path.isprintable(), name


def test_addresses_lead_to_no_other_file(service: Server) -> None:
    for path in (
        "/static/../settings.py",
        "/static/%2e%2e%2fsettings.py",
        "/static//etc/passwd",
        "/v1/rules/..%2f..%2fx",
        "//",
        "/%00",
    ):
        assert service.request(path).kind == "not-found", path


def test_names_of_other_hosts(service: Server) -> None:
    for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example:8157", "", "[x"):
        assert service.request("/v1/rules", Host=host).kind == "unknown-host", host


def test_pages_of_other_origins(service: Server) -> None:
    for origin in ("https://evil.example", "null", "http://localhost.evil.example"):
        answer = service.lint(SMALL, Origin=origin)
        assert answer.kind == "foreign-origin", origin
        assert not any(each.startswith("access-control") for each in answer.headers)
    assert service.lint(SMALL, Origin=f"http://127.0.0.1:{service.port}").status == 200


def test_endless_chunks(service: Server) -> None:
    with service.connect() as stream:
        stream.sendall(CHUNKED)
        sent = send_until_refused(stream)
    assert sent < 1 << 30


def send_until_refused(stream: socket.socket) -> int:
    """Returns the number of bytes that the server accepted, or 1 GiB."""
    sent = 0
    try:
        while sent < 1 << 30:
            stream.sendall(b"10000\r\n" + bytes(0x10000) + b"\r\n")
            sent += 0x10000
    except ConnectionError:
        pass
    return sent


@pytest.mark.parametrize("head", [length(30 << 20), CHUNKED + b"%x\r\n" % (30 << 20)])
def test_client_that_reads_only_after_it_has_sent(service: Server, head: bytes) -> None:
    with service.connect() as stream:
        stream.sendall(head + bytes(30 << 20))
        assert b"urn:extlint:problem:too-large" in read(stream)


def test_limit_of_time(service: Server) -> None:
    answer = service.lint(slow_archive())
    assert answer.kind == "limit-exceeded"
    assert answer.json["limit"] in ("cpu", "wall")


def test_limit_of_memory(tmp_path: Path) -> None:
    code = "const a = [" + "[1, {b: 'c'}, chrome.tabs], " * 40_000 + "];"
    manifest = (
        '{"manifest_version": 3, "name": "a", "version": "1", "background": {"service_worker": "a.js"}}'
    )
    with server(tmp_path, "--max-memory", "64", "--jobs", "1") as small:
        answer = small.lint(archive({"manifest.json": manifest, "a.js": code}))
        assert answer.kind == "limit-exceeded"
        assert answer.json["limit"] == "memory"
        assert small.lint(SMALL).status == 200


def test_client_that_leaves_ends_its_worker(service: Server) -> None:
    body = slow_archive()
    with service.connect() as stream:
        stream.sendall(length(len(body)) + body)
        service.wait_for_worker()
    wait_until(lambda: service.workers() == [] or None)


def test_clients_that_leave_at_once_keep_no_worker(service: Server) -> None:
    log = service.folder / "log.txt"
    before = log.stat().st_size
    body, kind = form(package=SMALL)
    head = POST + b"Content-Type: %b\r\nContent-Length: %d\r\n\r\n" % (kind.encode(), len(body))
    for _ in range(40):
        with service.connect() as stream:
            stream.sendall(head + body)
    wait_until(lambda: log.read_text()[before:].count("/v1/lint") >= 40 or None)
    assert "Task exception" not in log.read_text()[before:]
    wait_until(lambda: b"extlint_workers_running 0" in service.request("/metrics").body or None)


def test_full_queue(service: Server) -> None:
    body = slow_archive()
    with ExitStack() as stack:
        waiting = [stack.enter_context(service.connect()) for _ in range(QUEUE + 8)]
        for each in waiting:
            each.sendall(length(len(body)) + body)
        response = HTTPResponse(waiting[-1])
        response.begin()
        assert response.status == 429
        assert response.headers["retry-after"]
        assert b"urn:extlint:problem:queue-full" in response.read()


SOON_OVERLOADED = "from extlint.services.serve import settings\nsettings.SECONDS_BEFORE_OVERLOAD = 1\n"


def test_long_checks_do_not_keep_others_waiting(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(SOON_OVERLOADED)
    with (
        server(tmp_path, "--jobs", "1", "--max-seconds", "10", PYTHONPATH=str(tmp_path)) as busy,
        ExitStack() as stack,
    ):
        body = slow_archive()
        waiting = [stack.enter_context(busy.connect()) for _ in range(6)]
        for each in waiting:
            each.sendall(length(len(body)) + body)
        wait_until(lambda: len(busy.workers()) >= 4 or None)
        assert busy.lint(SMALL).status == 200
        answered = wait_until(lambda: select(waiting, (), (), 0)[0] or None)
        assert len(answered) < len(waiting)
        response = HTTPResponse(answered[0])
        response.begin()
        assert response.status == 503
        assert b"urn:extlint:problem:overload" in response.read()


def test_uploads_of_one_name_do_not_meet(service: Server) -> None:
    def check(number: int) -> object:
        manifest = f'{{"manifest_version": 3, "name": "n{number}", "version": "1", "key{number}": 1}}'
        return service.lint(archive({"manifest.json": manifest}), X_Filename="same.zip")

    for number, answer in enumerate(at_once(8, check)):
        text = answer.body.decode()
        assert f"key{number}" in text
        assert not any(f"key{other}" in text for other in range(8) if other != number)


def test_slow_clients_are_disconnected(service: Server) -> None:
    """All at once, as each takes ten seconds: slow headers, a slow body, and a client that reads nothing."""

    def slow_headers(stream: socket.socket) -> bytes:
        stream.sendall(b"GET /healthz HTTP/1.1\r\n")
        return trickle(stream, b"X-A: b\r\n")

    def slow_body(stream: socket.socket) -> bytes:
        stream.sendall(length(100) + b"PK")
        return read(stream)

    def silent(stream: socket.socket) -> bytes:
        return read(stream)

    def run(number: int) -> bytes:
        attack: Callable[[socket.socket], bytes] = (slow_headers, slow_body, silent)[number]
        with service.connect() as stream:
            stream.settimeout(20)
            return attack(stream)

    headers, body, nothing = at_once(3, run)
    assert (headers, nothing) == (b"", b"")
    assert b"slow-client" in body


def read(stream: socket.socket) -> bytes:
    found = b""
    try:
        while part := stream.recv(65_536):
            found += part
    except ConnectionError:
        pass
    return found


def trickle(stream: socket.socket, data: bytes) -> bytes:
    try:
        while True:
            stream.sendall(data)
            time.sleep(0.5)
    except ConnectionError:
        return b""


def test_log_has_one_ascii_line_for_each_request(service: Server) -> None:
    service.request("/%0a%1b%5b31m%c3%a9%22")
    log = service.folder / "log.txt"
    wait_until(lambda: '"/\\n\\u001b[31m\\u00e9\\""' in log.read_text() or None)
    assert all(line.isascii() and line.isprintable() for line in log.read_text().splitlines())
