/** What VS Code calls. */

import * as vscode from "vscode";
import { Client, SECTION } from "./client";
import { MARKERS } from "./documents";

let client: Client | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const { commands, workspace } = vscode;
  const extlint = new Client(context.asAbsolutePath("bundled"));
  client = extlint;
  const restart = () => extlint.restart();
  const startIfWaiting = () => (extlint.isWaiting ? extlint.restart() : undefined);
  const markers = workspace.createFileSystemWatcher(MARKERS, false, true, true);
  context.subscriptions.push(
    extlint,
    commands.registerCommand("extlint.restart", restart),
    commands.registerCommand("extlint.showOutput", () => extlint.output.show()),
    commands.registerCommand("extlint.fixFile", () =>
      commands.executeCommand("editor.action.sourceAction", {
        kind: "source.fixAll.extlint",
        apply: "first",
      }),
    ),
    workspace.onDidChangeConfiguration((event) => {
      if (["enable", "path", "logLevel"].some((name) => event.affectsConfiguration(`${SECTION}.${name}`))) {
        void restart();
      } else if (event.affectsConfiguration(SECTION)) {
        void extlint.configure();
      }
    }),
    workspace.onDidGrantWorkspaceTrust(restart),
    workspace.onDidChangeWorkspaceFolders(() => (extlint.isRunning ? undefined : extlint.restart())),
    workspace.onDidOpenTextDocument(() =>
      workspace.workspaceFolders?.length ? undefined : startIfWaiting(),
    ),
    markers,
    markers.onDidCreate(startIfWaiting),
  );
  void restart(); // not awaited, as the search may take long
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
