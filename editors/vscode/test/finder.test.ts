/** Tests of the search, with shell scripts in place of extlint. */

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { findServer, type Surroundings } from "../src/finder";

const CURRENT = '[ "$1" = --version ] && echo "extlint 1.2.3" && exit 0\nread -r line\nexit 1';
const WITHOUT_SERVER =
  '[ "$1" = --version ] && echo "extlint 0.0.1" && exit 0\necho "no such command: lsp" >&2\nexit 2';
const OTHER_PROGRAM = 'echo "hello"';
const PYTHON = '[ "$1 $2 $3" = "-P -m extlint" ] && [ -n "$PYTHONPATH" ] && echo "extlint 1.2.3"';
const UVX = '[ "$1 $2 $3" = "--from extlint[lsp] extlint" ] && echo "extlint 1.2.3"';
const ENDLESS = "exec sleep 60";

const options = { skip: process.platform === "win32" && "the programs are shell scripts" };
let root: string;
let log: string[];

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "extlint-finder-"));
  mkdirSync(path.join(root, "project"));
  log = [];
});

afterEach(() => rmSync(root, { recursive: true }));

/** Writes programs below the root, with the text of each. */
function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }
}

function surroundings(changes: Partial<Surroundings> = {}): Surroundings {
  return {
    folders: [path.join(root, "project")],
    trusted: true,
    setting: "",
    environment: { PATH: path.join(root, "path") },
    platform: "linux",
    bundled: path.join(root, "bundled"),
    interpreters: async () => [],
    log: (message) => log.push(message.replaceAll(root, "")),
    ...changes,
  };
}

/** Returns the program that is found, relative to the root. */
async function found(changes: Partial<Surroundings> = {}): Promise<string> {
  const server = await findServer(surroundings(changes));
  return `${path.relative(root, server.command)} ${server.origin}`;
}

test("each place is used if those before it have no extlint", options, async () => {
  const places = {
    "project/.venv/bin/extlint": "in .venv",
    "project/venv/bin/extlint": "in venv",
    "selected/bin/extlint": "of the selected interpreter",
    "active/bin/extlint": "in VIRTUAL_ENV",
    "project/node_modules/.bin/extlint": "in node_modules",
    "path/extlint": "on the PATH",
    "path/uvx": "by uvx",
    "path/python3": "bundled",
  };
  write({ "bundled/libs/extlint/__init__.py": "" });
  for (const name of Object.keys(places)) {
    write({ [name]: name.endsWith("uvx") ? UVX : name.endsWith("python3") ? PYTHON : CURRENT });
  }
  for (const [name, origin] of Object.entries(places)) {
    const actual = await found({
      environment: { PATH: path.join(root, "path"), VIRTUAL_ENV: path.join(root, "active") },
      interpreters: async () => [path.join(root, "selected/bin/python")],
    });
    assert.equal(actual, `${name} ${origin}`);
    rmSync(path.join(root, name));
  }
  await assert.rejects(
    findServer(surroundings()),
    /^Error: extlint was not found\. Install it with the extra/,
  );
});

test("the folders of the workspace are tried in their order", options, async () => {
  write({ "second/.venv/bin/extlint": CURRENT, "third/.venv/bin/extlint": CURRENT });
  const folders = ["project", "second", "third"].map((each) => path.join(root, each));
  assert.equal(await found({ folders }), "second/.venv/bin/extlint in .venv");
});

test("programs without a language server are skipped with the reason", options, async () => {
  write({
    "project/.venv/bin/extlint": WITHOUT_SERVER,
    "project/venv/bin/extlint": OTHER_PROGRAM,
    "path/extlint": CURRENT,
  });
  assert.equal(await found(), "path/extlint on the PATH");
  assert.deepEqual(log, [
    "skipped: /project/.venv/bin/extlint (in .venv) is extlint 0.0.1, whose language server cannot be used: no such command: lsp",
    "skipped: /project/venv/bin/extlint (in venv) is not extlint: hello\n",
  ]);
});

test("the program in the settings is used, or an error", options, async () => {
  write({ "project/tools/extlint": CURRENT, "project/old": WITHOUT_SERVER, "path/extlint": CURRENT });
  const used = "project/tools/extlint from the setting extlint.path";
  for (const setting of [
    "tools/extlint",
    "${workspaceFolder}/tools/extlint",
    path.join(root, "project/tools/extlint"),
    `~/${path.relative(homedir(), path.join(root, "project/tools/extlint"))}`,
  ]) {
    assert.equal(await found({ setting }), used);
  }
  await assert.rejects(
    found({ setting: "old" }),
    /from the setting extlint\.path\) is extlint 0\.0\.1, whose/,
  );
  await assert.rejects(found({ setting: "missing" }), /project\/missing .*is not extlint: .*ENOENT/);
});

test("nothing in a workspace that is not trusted is run", options, async () => {
  const untrusted = {
    trusted: false,
    environment: {
      PATH: ["", ".", "project", path.join(root, "project/bin"), path.join(root, "path")].join(
        path.delimiter,
      ),
      VIRTUAL_ENV: path.join(root, "project/env"),
    },
    interpreters: async () => [path.join(root, "selected/bin/python")],
  };
  write({
    "project/.venv/bin/extlint": CURRENT,
    "project/.venv/bin/python": PYTHON,
    "project/node_modules/.bin/extlint": CURRENT,
    "project/bin/extlint": CURRENT,
    "project/env/bin/extlint": CURRENT,
    "selected/bin/extlint": CURRENT,
    "path/uvx": UVX,
  });
  await assert.rejects(found(untrusted), /outside of the workspace, which is not trusted/);
  await assert.rejects(found({ ...untrusted, setting: "bin/extlint" }), /is not trusted\.$/);
  write({ "path/extlint": CURRENT });
  assert.equal(await found(untrusted), "path/extlint on the PATH");
  const setting = path.join(root, "path/extlint");
  assert.equal(await found({ ...untrusted, setting }), "path/extlint from the setting extlint.path");
});

test("a search that is aborted ends the program that it runs", options, async () => {
  write({ "path/extlint": ENDLESS });
  await assert.rejects(findServer(surroundings(), AbortSignal.timeout(50)), { name: "TimeoutError" });
});

test("Windows has other names", options, async () => {
  write({ "project/.venv/Scripts/extlint.exe": CURRENT });
  assert.equal(await found({ platform: "win32" }), "project/.venv/Scripts/extlint.exe in .venv");
});
