"""`extlint serve`: its operations, formats and options."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from serving import Server, archive, form, server, slow_archive, wait_until

from extlint.cli.main import main
from extlint.registry import RULES

pytestmark = [
    pytest.mark.together,
    pytest.mark.skipif(sys.platform != "linux", reason="workers are forked"),
]

EXAMPLES = Path(__file__).parents[1] / "examples"
FOLDER = {
    path.relative_to(EXAMPLES / "read-later").as_posix(): path.read_bytes()
    for path in sorted((EXAMPLES / "read-later").rglob("*"))
    if path.is_file()
}
TOKEN = "0123456789abcdef"
BEARER = f"Bearer {TOKEN}"
ORIGIN = "https://reviews.example"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(tmp_path_factory.mktemp("serve"), "--jobs", "2") as found:
        yield found


@pytest.fixture(scope="module")
def configured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a token and a configuration. It keeps results, and pages of an origin may use it."""
    folder = tmp_path_factory.mktemp("configured")
    (folder / "team.toml").write_text('ignore = ["unknown-api"]\n')
    options = ["--host", "0.0.0.0", "--jobs", "1", "--config", "team.toml", "--allow-origin", ORIGIN]
    kept = ["--keep", "2s", "--results", str(folder / "results.db")]
    with server(folder, *options, *kept, EXTLINT_TOKEN=TOKEN) as found:
        yield found


@pytest.fixture
def command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., bytes]:
    """Returns the output of the command line in the temporary folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> bytes:
        main(arguments)
        return capfdbinary.readouterr().out

    return run


@pytest.mark.parametrize(
    ("accept", "output_format", "query", "options"),
    [
        ("application/json", "json", "", []),
        ("*/*", "json", "?target=firefox,chrome", ["--target", "firefox,chrome"]),
        (
            "application/json",
            "json",
            "?select=manifest&ignore=unknown-key",
            ["--select=manifest", "--ignore=unknown-key"],
        ),
        ("application/sarif+json", "sarif", "", []),
        ("text/html", "html", "", []),
        ("text/markdown;q=0.9, text/plain", "markdown", "", []),
    ],
)
def test_answer_has_the_bytes_of_the_command_line(
    service: Server,
    command_line: Callable[..., bytes],
    accept: str,
    output_format: str,
    query: str,
    options: list[str],
) -> None:
    Path("a.zip").write_bytes(archive(FOLDER))
    answer = service.lint(archive(FOLDER), query, Accept=accept, X_Filename="a.zip")
    assert answer.status == 200
    assert answer.body == command_line("check", "a.zip", "--output-format", output_format, *options)
    assert answer.headers["extlint-exit-status"] == ("0" if "select" in query else "1")


def test_fail_level(service: Server) -> None:
    assert service.lint(archive(FOLDER), "?fail-level=info").headers["extlint-exit-status"] == "1"
    assert service.lint(archive(), "?fail-level=error").headers["extlint-exit-status"] == "0"


def test_manifest(service: Server) -> None:
    answer = service.lint(b'{"name": "Example"}', Content_Type="application/json")
    assert "missing-key" in {each["rule"] for each in answer.json["findings"]}


def test_crx(service: Server) -> None:
    data = b"Cr24" + (3).to_bytes(4, "little") + (0).to_bytes(4, "little") + archive()
    assert service.lint(data).json["extensions"][0]["path"] == "extension.crx"


def test_content_for_the_page(service: Server) -> None:
    answer = service.lint(archive(FOLDER), Accept="application/vnd.extlint.page+json").json
    assert {*answer} == {"report", "files", "permissions", "unchecked", "id"}
    assert answer["id"] is None
    assert {*answer["files"]} >= {each["path"] for each in answer["report"]["findings"]} & {*FOLDER}
    assert answer["files"]["content.js"].encode() == FOLDER["content.js"]
    assert answer["permissions"]["extensions"][0]["manifest"] == "manifest.json"


def test_permissions(service: Server, command_line: Callable[..., bytes]) -> None:
    new = archive(FOLDER)
    Path("package.zip").write_bytes(new)
    Path("against.zip").write_bytes(archive())
    one = service.request("/v1/permissions", new, X_Filename="package.zip")
    assert one.body == command_line("permissions", "package.zip", "--output-format", "json")
    body, kind = form(package=new, against=archive())
    two = service.request("/v1/permissions", body, Content_Type=kind)
    options = ["--against", "against.zip", "--output-format", "json"]
    assert two.body == command_line("permissions", "package.zip", *options)


def test_lookups(service: Server) -> None:
    rules = service.request("/v1/rules").json["rules"]
    assert [each["name"] for each in rules] == [*RULES]
    assert {*rules[0]} >= {"name", "group", "severity", "summary"}
    assert "documentation" in service.request("/v1/rules/unknown-api").json
    assert service.request("/v1/rules/no-rule").kind == "not-found"
    assert service.request("/v1/schema/tabs.query?target=firefox").json["targets"] == ["firefox"]
    assert service.request("/v1/schema/tabs.qery").kind == "not-found"
    assert "properties" in json.dumps(service.request("/v1/manifest-schema?target=safari").json)
    assert service.request("/v1/manifest-schema?target=opera").kind == "invalid-option"
    assert service.request("/v1/openapi.json").json["openapi"] == "3.1.0"


def test_etags(service: Server) -> None:
    first = service.request("/v1/rules")
    again = service.request("/v1/rules", If_None_Match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert service.request("/v1/rules", If_None_Match='"other"').body == first.body


def test_metrics(service: Server) -> None:
    service.lint(archive())
    text = service.request("/metrics").body.decode()
    assert 'extlint_requests_total{operation="lint",status="200"}' in text
    assert 'extlint_workers_total{outcome="done"}' in text


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("?target=opera", "invalid-option"),
        ("?select=unknown-apo", "invalid-option"),
        ("?select=", "invalid-option"),
        ("?fail-level=fatal", "invalid-option"),
        ("?fail-level=error&fail-level=info", "invalid-option"),
        ("?config=/etc/passwd", "invalid-option"),
    ],
)
def test_invalid_options(service: Server, query: str, kind: str) -> None:
    assert service.lint(archive(), query).kind == kind


def test_methods_and_formats(service: Server) -> None:
    put = service.request("/v1/lint", archive(), method="PUT")
    assert (put.kind, put.headers["allow"]) == ("method-not-allowed", "POST")
    assert service.request("/v2").kind == "not-found"
    assert service.lint(archive(), Accept="image/png").kind == "not-acceptable"
    assert service.lint(archive(), Content_Encoding="gzip").kind == "unsupported-type"


def test_token(configured: Server) -> None:
    assert configured.lint(archive()).headers["www-authenticate"] == "Bearer"
    for given in ("Bearer", f"Basic {TOKEN}", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}0", "Bearer é"):
        answer = configured.lint(archive(), Authorization=given.encode().decode("latin-1"))
        assert answer.kind == "unauthorized"
    assert configured.lint(archive(), Authorization=BEARER).status == 200
    assert configured.request("/metrics").kind == "unauthorized"
    assert configured.request("/healthz").status == 200


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--host", "0.0.0.0"], "0.0.0.0 can be reached from other machines: pass --token, or --no-token"),
        (["--token", "short"], "a token has at least 16 ASCII characters, and no spaces"),
        (["--token", TOKEN, "--no-token"], "--no-token cannot be combined with a token"),
        (["--keep", "a while"], "--keep requires a time, such as 24h or 7d, not a while"),
    ],
)
def test_wrong_use(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", *arguments]) == 2
    assert capsys.readouterr().err == f"extlint: {message}\n"


def test_missing_extra() -> None:
    code = """if True:
        import sys
        sys.modules["starlette"] = None
        from extlint.cli.main import main
        sys.exit(main(["serve"]))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        "extlint: serve requires Starlette and uvicorn, which the extra `serve` installs: "
        'pip install "extlint[serve]"\n'
    )


def test_kept_results(configured: Server) -> None:
    form = "application/vnd.extlint.page+json"
    answer = configured.lint(archive(FOLDER), Accept=form, Authorization=BEARER)
    address = f"/v1/results/{answer.json['id']}"
    assert configured.request(address, Authorization=BEARER).body == answer.body
    assert configured.request(address + "0", Authorization=BEARER).kind == "not-found"
    assert configured.lint(archive(FOLDER), Authorization=BEARER).status == 200  # is not kept
    wait_until(lambda: configured.request(address, Authorization=BEARER).status == 404 or None)


def test_configuration_of_the_server(configured: Server) -> None:
    answer = configured.lint(archive(FOLDER), Authorization=BEARER)
    rules = {each["rule"] for each in answer.json["findings"]}
    assert rules
    assert "unknown-api" not in rules


def test_pages_of_allowed_origins(configured: Server) -> None:
    preflight = configured.request("/v1/lint", method="OPTIONS", Origin=ORIGIN)
    assert (preflight.status, preflight.headers["access-control-allow-origin"]) == (204, ORIGIN)
    answer = configured.lint(archive(), Origin=ORIGIN, Authorization=BEARER)
    assert (answer.status, answer.headers["access-control-allow-origin"]) == (200, ORIGIN)
    assert configured.request("/v1/lint", method="OPTIONS", Origin="https://evil.example").status == 403
    assert configured.lint(archive(), Origin="https://evil.example").kind == "foreign-origin"


def is_refused(service: Server) -> bool | None:
    """Whether the service accepts no connection, or None while it does."""
    try:
        service.connect().close()
    except ConnectionError:
        return True
    return None


def test_sigterm_finishes_running_work(tmp_path: Path) -> None:
    with server(tmp_path, "--jobs", "1", "--max-seconds", "1") as service:
        connection = service.connect()
        body = slow_archive()
        head = f"POST /v1/lint HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode() + body)
        service.wait_for_worker()
        service.process.terminate()
        wait_until(lambda: is_refused(service))
        with connection, connection.makefile("rb") as stream:
            assert b"422" in stream.readline()  # the limit of the check
        assert service.process.wait(20) == 0
    assert list((tmp_path / "spool").iterdir()) == []
