"""Answers of `extlint serve` if a worker dies, or the disk is full; other requests do not notice it."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from serving import MANIFEST, Response, Server, archive, at_once, server, slow_archive, wait_until

pytestmark = [
    pytest.mark.together,
    pytest.mark.skipif(sys.platform != "linux", reason="workers are forked"),
]

SMALL = archive()
VICTIM = "victim.zip"

KILL = """
import os
import signal
import sys


def die_at(stage):
    def look(frame, event, function):
        if event == "call":
            name = f"{frame.f_globals.get('__name__')}:{frame.f_code.co_name}"
        else:
            name = getattr(function, "__qualname__", "")
        if f"{event} {name}" == stage:
            os.kill(os.getpid(), signal.SIGKILL)

    return look


def watch():
    task = sys._getframe(1).f_locals.get("task")
    if task is not None and task.names == ("victim.zip",):
        with open(os.environ["STAGE"], encoding="utf-8") as stream:
            sys.setprofile(die_at(stream.read()))


os.register_at_fork(after_in_child=watch)
"""
"""Runs at the start of each Python: a worker with a certain upload kills itself at a stage of its check."""

STAGES = {
    "before it begins": "call extlint.processes.contained:limit_process",
    "when it begins": "call extlint.services.serve.work:work",
    "while it reads the upload": "call extlint.services.serve.work:read_upload",
    "while it lists the archive": "call extlint.package.discovery.zip_directory:zip_records",
    "while it unpacks a file": "c_call Decompress.decompress",
    "before it checks the package": "call extlint.checker:check_package",
    "while it looks for scripts": "call extlint.project.contexts.layout:lay_out",
    "while it reads a script": "call extlint.analysis.analyze:analyze",
    "while the rules run": "call extlint.linting.apply_rules:findings_for_target",
    "before it writes the answer": "c_call BufferedWriter.write",
    "after it has written a part of the answer": "c_return BufferedWriter.write",
    "after it has written the answer": "c_call _exit",
}


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("stages")
    (folder / "code").mkdir()
    (folder / "code/sitecustomize.py").write_text(KILL)
    environment = {"PYTHONPATH": str(folder / "code"), "STAGE": str(folder / "stage")}
    with server(folder, "--jobs", "2", **environment) as found:
        yield found
    assert list((folder / "spool").iterdir()) == []


@pytest.mark.parametrize("stage", STAGES)
def test_worker_killed_at_a_stage_fails_only_its_request(mortal: Server, stage: str) -> None:
    (mortal.folder / "stage").write_text(STAGES[stage])
    manifest = MANIFEST[:-1] + ', "background": {"service_worker": "a.js"}}'
    body = archive({"manifest.json": manifest, "a.js": "chrome.tabs.qery({}, (a) => a);\n" * 20})
    names = [VICTIM, "other.zip"]
    answers = at_once(len(names), lambda number: mortal.lint(body, X_Filename=names[number]))
    assert [each.status for each in answers] == [503, 200]
    assert (answers[0].kind, answers[0].json["detail"]) == ("worker-died", "the worker ended: killed")
    wait_until(lambda: mortal.workers() == [] or None)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(tmp_path_factory.mktemp("killed"), "--jobs", "2", "--max-seconds", "60") as found:
        yield found


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGTERM])
def test_killed_worker_fails_only_its_request(service: Server, number: signal.Signals) -> None:
    result: list[Response] = []
    thread = threading.Thread(target=lambda: result.append(service.lint(slow_archive())))
    thread.start()
    os.kill(service.wait_for_worker(), number)
    thread.join()
    assert result[0].kind == "worker-died"


def test_killed_nursery_is_replaced(service: Server) -> None:
    result: list[Response] = []
    thread = threading.Thread(target=lambda: result.append(service.lint(slow_archive())))
    thread.start()
    worker = service.wait_for_worker()
    os.kill(service.nursery(), signal.SIGKILL)
    thread.join()
    with suppress(ProcessLookupError):
        os.kill(worker, signal.SIGKILL)  # it would run until its time is over
    assert result[0].kind == "worker-died"


def test_full_disk(tmp_path: Path) -> None:
    """A limit on the size of files has the same effect as a full disk, except for the error's number."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, before[1]))
    try:
        with server(tmp_path, "--jobs", "1") as full:
            answer = full.lint(SMALL + bytes(400_000))
            assert (answer.kind, answer.json["limit"]) == ("no-space", "disk")
            assert full.lint(SMALL).status == 200
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


IN_SMALL_DISK = (
    *("unshare", "--map-root-user", "--mount", "sh", "-c"),
    'mount -t tmpfs -o size=512k extlint "$TMPDIR" && exec "$@"',
    "sh",
)
"""Runs a command whose temporary files are on a disk of 512 KiB."""


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Server]:
    command = [*IN_SMALL_DISK, "true"]
    done = subprocess.run(
        command, env={**os.environ, "TMPDIR": str(tmp_path)}, capture_output=True, check=False
    )
    if done.returncode != 0:
        pytest.skip("this user may not mount a disk")
    with server(tmp_path, wrapper=IN_SMALL_DISK) as found:
        yield found


def test_disk_that_is_too_small(full: Server) -> None:
    """An upload or an answer does not fit. Small ones are checked."""
    noise = random.Random(1).randbytes(600_000)
    code = f"chrome.tabs.qery(); // {'a' * 600_000}"
    manifest = MANIFEST[:-1] + ', "background": {"service_worker": "a.js"}}'
    for body, headers in (
        (archive({"manifest.json": MANIFEST, "a.png": noise}), {}),
        (archive({"manifest.json": manifest, "a.js": code}), {"Accept": "application/vnd.extlint.page+json"}),
    ):
        answer = full.lint(body, **headers)
        assert (answer.kind, answer.json["limit"]) == ("no-space", "disk")
        assert full.lint(SMALL).status == 200
