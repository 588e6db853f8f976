"""The changes of the storage that listeners get, and the number of writes that a browser allows."""

from __future__ import annotations

from typing import Any

from extlint_judge.browsers.session import BACKGROUND, Session
from extlint_judge.extensions import extension, manifest
from extlint_judge.query import ONE, Query

MAX_WRITES = 140
_SCRIPT = f"""
const wait = () => new Promise((resolve) => setTimeout(resolve, 200));
(async () => {{
  const api = globalThis.browser ?? chrome;
  const found = {{}};
  let seen = [];
  api.storage.local.onChanged.addListener((changes) => seen.push(Object.keys(changes.a)));
  const after = async (name, change) => {{
    seen = [];
    await change();
    await wait();
    found[name] = seen.length === 0 ? "no event" : seen[0].sort().join(" and ");
  }};
  await after("a new value", () => api.storage.local.set({{ a: 1 }}));
  await after("another value", () => api.storage.local.set({{ a: 2 }}));
  await after("the same value", () => api.storage.local.set({{ a: 2 }}));
  await after("a removed value", () => api.storage.local.remove("a"));
  await api.storage.local.set({{ a: 1 }});
  await wait();
  await after("a cleared area", () => api.storage.local.clear());
  found["writes to sync"] = "all";
  for (let count = 0; count < {MAX_WRITES}; count++) {{
    const error = await api.storage.sync.set({{ a: count }}).then(() => null, (error) => error.message);
    if (error) {{ found["writes to sync"] = `${{count}}: ${{error}}`; break; }}
  }}
  %s;
}})();
"""


def _ask(session: Session, _: None) -> Any:
    """Returns the fields of each change."""
    keys = manifest(
        permissions=["storage"], background={"service_worker": BACKGROUND, "scripts": [BACKGROUND]}
    )
    session.load(extension(keys, {BACKGROUND: _SCRIPT % session.report("judge", "found")}))
    return session.receive("judge")["judge"]


storage_changes = Query(
    "storage-changes",
    """Query events and quotas of the storage.""",
    lambda _: ONE,
    _ask,
)
