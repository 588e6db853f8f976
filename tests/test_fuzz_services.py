"""The fuzzer's checks of answers of `extlint serve` and `extlint lsp`."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from extlint_fuzz.case import Case
from extlint_fuzz.http_service import Answer, answers_in, check_answer, check_log, requests_in
from extlint_fuzz.language_server import Session, check_end, check_server_log
from extlint_fuzz.trial import Failed

GET = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
POST = b"POST /v1/lint HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab"
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@pytest.mark.parametrize(
    ("data", "methods", "is_complete"),
    [
        (GET, ["GET"], True),
        (GET + POST, ["GET", "POST"], True),
        (POST[:-1], [], True),
        (GET.replace(b"Host", b"Connection: close\r\nHost") + GET, ["GET"], True),
        (POST + b"no HTTP\r\n\r\n", ["POST"], False),
        (b"", [], True),
    ],
)
def test_requests_are_counted(data: bytes, methods: list[str], is_complete: bool) -> None:
    assert requests_in(data) == (methods, is_complete)


@pytest.mark.parametrize(
    ("data", "methods", "count", "rest"),
    [
        (OK + OK, ["GET", "GET"], 2, b""),
        (OK + OK[:-1], ["GET", "GET"], 1, OK[:-1]),
        (OK[:-2] + OK, ["HEAD", "GET"], 2, b""),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + OK, ["POST"], 1, b""),
        (b"HTTP/1.1 204 No Content\r\n\r\n" + OK, ["OPTIONS", "GET"], 2, b""),
        (OK + b"more", ["GET"], 1, b"more"),
    ],
)
def test_answers_are_counted(data: bytes, methods: list[str], count: int, rest: bytes) -> None:
    found, left = answers_in(data, methods)
    assert (len(found), left) == (count, rest)


def problem(kind: str, status: int) -> Answer:
    body = {"type": f"urn:extlint:problem:{kind}", "title": "a", "status": status, "detail": "b"}
    return Answer(status, {"content-type": "application/problem+json"}, json.dumps(body).encode())


@pytest.mark.parametrize(
    "answer",
    [
        Answer(200, {"content-type": "application/json"}, b"{}"),
        Answer(200, {"content-type": "text/html"}, b"<!doctype html>"),
        Answer(204, {}, b""),
        Answer(404, {"content-type": "application/problem+json"}, b""),
        problem("unreadable", 422),
    ],
)
def test_documented_answer_passes(answer: Answer) -> None:
    check_answer(answer)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Answer(200, {"content-type": "application/json"}, b"{"), "answers: status 200 without JSON"),
        (Answer(400, {"content-type": "text/plain"}, b"no"), "answers: status 400 without JSON"),
        (Answer(418, {}, b""), "answers: status 418"),
        (problem("unreadable", 400), "answers: status 400 without a problem document"),
        (problem("worker-died", 503), "answers: worker-died"),
        (problem("internal-error", 500), "answers: internal-error"),
    ],
)
def test_other_answer_fails(answer: Answer, expected: str) -> None:
    with pytest.raises(Failed, match=expected):
        check_answer(answer)


@pytest.mark.parametrize("line", ["Exception in ASGI application", '"text"', '{"a": 1}', "Traceback"])
def test_log_of_the_service_has_only_requests(line: str) -> None:
    check_log(b'{"method": "GET", "status": 200}\nInvalid HTTP request received.\n')
    with pytest.raises(Failed, match="log"):
        check_log(line.encode())


def frames(*messages: Any) -> io.BytesIO:
    bodies = [json.dumps({"jsonrpc": "2.0", **each}).encode() for each in messages]
    return io.BytesIO(b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(each), each) for each in bodies))


def session(*answers: Any) -> Session:
    """Returns a session with one request, after whose end the server has sent these messages."""
    request = b'{"jsonrpc": "2.0", "id": 1, "method": "a"}'
    case = Case({"messages/0.json": request, "messages/1.json": b'{"method": "exit"}'}, program="lsp")
    return Session(io.BytesIO(), frames(*answers), case, "file:///a")


def test_session_with_one_answer_passes() -> None:
    found = session({"method": "window/logMessage", "params": {}}, {"id": 1, "result": None})
    found.run()
    found.end()


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([{"id": 1, "result": None}, {"id": 1, "result": None}], "several answers to one request"),
        ([{"id": 1, "error": {"code": -32603, "message": "KeyError"}}], "error -32603: KeyError"),
        ([{"jsonrpc": "1.0", "id": 1}], "another version"),
        ([{"id": 1, "error": []}], "no message: TypeError"),
    ],
)
def test_session_with_other_answers_fails(answers: list[Any], expected: str) -> None:
    found = session(*answers)
    found.run()
    with pytest.raises(Failed, match=expected):
        found.end()


@pytest.mark.parametrize(
    ("messages", "status", "passes"),
    [
        ({"0.json": b"{}"}, 0, True),
        ({"0.json": b"{}"}, 1, False),
        ({"0.json": b'{"method": "exit"}'}, 1, True),
        ({"0.raw": b"Content-Length: 9\r\n\r\n{}"}, 1, True),
        ({"0.raw": b"Content-Length: 9\r\n\r\n{}"}, 2, False),
    ],
)
def test_status_of_the_server(messages: dict[str, bytes], status: int, passes: bool) -> None:
    case = Case({f"messages/{name}": data for name, data in messages.items()}, program="lsp")
    if passes:
        check_end(status, case)
    else:
        with pytest.raises(Failed, match=f"status {status}"):
            check_end(status, case)


def test_log_of_the_server_has_no_traceback() -> None:
    check_server_log("ERROR extlint: Invalid Params\n")
    text = 'ERROR\nTraceback:\n  File "/x/extlint/checker.py", line 3, in check_package\nKeyError: 1\n'
    with pytest.raises(Failed, match=r"log: KeyError: 0 in extlint/checker.py:check_package"):
        check_server_log(text)
