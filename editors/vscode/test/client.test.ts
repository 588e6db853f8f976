/**
 * Tests of the built extension with a real `extlint lsp`, in a small part of VS Code.
 *
 * The environment variable EXTLINT is the path of the program; by default it is the one on the PATH.
 */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, before, test } from "node:test";
import {
  type CodeAction,
  configure,
  eventually,
  grantTrust,
  install,
  open,
  selectInterpreter,
  state,
  Uri,
} from "./vscode";

const ON_PATH = (process.env["PATH"] ?? "")
  .split(path.delimiter)
  .map((folder) => path.join(folder, "extlint"))
  .find((file) => existsSync(file));
const PROGRAM = process.env["EXTLINT"] ?? ON_PATH ?? "";
const MANIFEST = {
  manifest_version: 3,
  name: "Test",
  version: "1",
  permissions: ["alarms"],
  background: { service_worker: "background.js" },
  minimum_chrome_version: "120",
};
const MISTAKE = 'chrome.alarms.creat("a", { delayInMinutes: 1 });\nchrome.alarms.clearAll();\n';

const isMissing =
  !PROGRAM || (!process.env["EXTLINT"] && spawnSync(PROGRAM, ["lsp"], { input: "" }).status !== 1);
const options = {
  skip:
    (isMissing && "no extlint with a language server is on the PATH") ||
    (process.platform === "win32" && "some programs are shell scripts"),
};

install();
const extension = require(path.resolve("dist/extension.js"));
const context = { subscriptions: [] as { dispose(): unknown }[], asAbsolutePath: (name: string) => name };
const root = mkdtempSync(path.join(tmpdir(), "extlint-client-"));
const [folder, otherFolder] = [path.join(root, "one"), path.join(root, "two")];
const script = path.join(folder, "background.js");

before(() => {
  for (const each of [folder, otherFolder]) {
    mkdirSync(each);
    writeFileSync(path.join(each, "manifest.json"), JSON.stringify(MANIFEST));
    writeFileSync(path.join(each, "background.js"), MISTAKE);
  }
  state.folders = [folder, otherFolder].map((each) => Uri.file(each));
  state.settingsOfFolders.set(otherFolder, { ignore: ["unknown-api"], targets: ["firefox"] });
  state.settings = { path: PROGRAM, targets: ["chrome"] };
});

after(async () => {
  await extension.deactivate();
  for (const each of context.subscriptions) {
    each.dispose();
  }
  rmSync(root, { recursive: true });
});

/** Returns the rules of the diagnostics of a file once they are these. */
function rules(file: string, ...expected: string[]): Promise<string[]> {
  return eventually(() => {
    const found = (state.diagnostics.get(file) ?? []).map((each) => codeOf(each.code)).sort();
    return found.join() === expected.sort().join() ? found : undefined;
  });
}

function codeOf(code: unknown): string {
  return String((code as { value?: unknown })?.value ?? code);
}

const isRunning = () => (/^extlint \d/.test(state.status.text ?? "") ? true : undefined);

test("a workspace that is not trusted has no server of its own", options, async () => {
  state.isTrusted = false;
  configure({ path: script });
  extension.activate(context);
  const detail = await eventually(() => state.status.detail || undefined);
  assert.match(detail, /is in a workspace that is not trusted/);
  configure({ path: PROGRAM });
  grantTrust();
  await eventually(isRunning);
});

test("files that are not open have diagnostics", options, async () => {
  await rules(script, "unknown-api");
});

test("each folder has its own settings", options, async () => {
  await rules(path.join(otherFolder, "manifest.json"), "missing-key");
  await rules(path.join(otherFolder, "background.js"));
});

test("unsaved text counts, in the other files too", options, async () => {
  const document = open(script, "javascript", MISTAKE);
  document.change(MISTAKE.replace("creat(", "create("));
  await rules(script);
  document.change(MISTAKE);
  await rules(script, "unknown-api");
  const manifest = open(path.join(folder, "manifest.json"), "json", JSON.stringify(MANIFEST));
  manifest.change(JSON.stringify({ ...MANIFEST, permissions: [] }));
  await rules(script, "missing-permission", "unknown-api");
  manifest.change(JSON.stringify(MANIFEST));
  await rules(script, "unknown-api");
});

test("a quick fix repairs a mistake", options, async () => {
  const [diagnostic] = state.diagnostics.get(script) ?? [];
  assert.ok(diagnostic);
  assert.equal(diagnostic.source, "extlint");
  const document = state.documents[0];
  const request = { diagnostics: [diagnostic], only: undefined, triggerKind: 1 };
  const token = {
    isCancellationRequested: false,
    onCancellationRequested: () => ({ dispose: () => undefined }),
  };
  const found: CodeAction[] = [];
  for (const provider of state.codeActions) {
    for (const action of await provider.provideCodeActions(document, diagnostic.range, request, token)) {
      found.push((await provider.resolveCodeAction?.(action, token)) ?? action);
    }
  }
  const fix = found.find((each) => each.kind.value === "quickfix");
  assert.ok(fix, JSON.stringify(found.map((each) => each.title)));
  const edits = fix.edit?.texts.get(script);
  assert.deepEqual(
    edits?.map((each) => each.newText),
    ["create"],
  );
  assert.equal(readFileSync(script, "utf8"), MISTAKE);
});

test("settings for rules apply without a restart", options, async () => {
  const starts = state.log.filter((line) => line.includes(" lsp ")).length;
  configure({ ignore: ["unknown-api"] });
  await rules(script);
  configure({ ignore: [] });
  await rules(script, "unknown-api");
  assert.equal(state.log.filter((line) => line.includes(" lsp ")).length, starts);
});

test("the server can be restarted and disabled", options, async () => {
  const restarted = state.commands.get("extlint.restart")?.();
  await restarted;
  await eventually(isRunning);
  await rules(script, "unknown-api");
  configure({ enable: false });
  await eventually(() => (state.status.text === "extlint: disabled" ? true : undefined));
  await rules(script);
  configure({ enable: true });
  await rules(script, "unknown-api");
  assert.deepEqual(state.errors, []);
});

test("another interpreter in the Python extension means another server", options, async () => {
  const environments = ["first", "second"].map((each) => path.join(root, each));
  for (const each of environments) {
    mkdirSync(path.join(each, "bin"), { recursive: true });
    writeFileSync(path.join(each, "bin", "extlint"), `#!/bin/sh\nexec "${PROGRAM}" "$@"\n`, { mode: 0o755 });
  }
  const isUsed = (environment: string) => (state.status.detail?.includes(environment) ? true : undefined);
  const [first, second] = environments as [string, string];
  state.interpreter = path.join(first, "bin", "python");
  configure({ path: "" });
  await eventually(() => isUsed(first));
  selectInterpreter(path.join(second, "bin", "python"));
  await eventually(() => isUsed(second));
  await rules(script, "unknown-api");
});
