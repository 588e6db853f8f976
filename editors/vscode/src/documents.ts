/** The documents that the server is asked about, and the workspaces in which it starts. */

import * as path from "node:path";
import * as vscode from "vscode";

const LANGUAGES = [
  "javascript",
  "javascriptreact",
  "typescript",
  "typescriptreact",
  "html",
  "css",
  "json",
  "jsonc",
  "vue",
  "svelte",
  "astro",
];
const CONFIGURATIONS = "**/{extlint,.extlint,pyproject}.toml";

/** The documents of an extension, and configurations. */
export const SELECTOR: { scheme: string; language?: string; pattern?: string }[] = [
  ...LANGUAGES.map((language) => ({ scheme: "file", language })),
  { scheme: "file", pattern: CONFIGURATIONS },
];

/** The files that make a workspace one of a browser extension. */
export const MARKERS = "**/{manifest.json,manifest.*.json,*.manifest.json,extlint.toml,.extlint.toml}";
const NOT_SEARCHED = "**/{node_modules,.git,.venv,venv}/**";
const MAX_MARKERS = 100;

/** Whether there is a browser extension: in the folders, or around an open document if there are none. */
export async function hasExtension(): Promise<boolean> {
  if (vscode.workspace.workspaceFolders?.length) {
    const found = await vscode.workspace.findFiles(MARKERS, NOT_SEARCHED, MAX_MARKERS);
    return some(found);
  }
  return some(
    vscode.workspace.textDocuments
      .filter((document) => document.uri.scheme === "file")
      .flatMap((document) => foldersAbove(document.uri.fsPath))
      .map((folder) => vscode.Uri.file(path.join(folder, "manifest.json"))),
  );
}

async function some(files: readonly vscode.Uri[]): Promise<boolean> {
  for (const file of files) {
    if (await isMarker(file)) {
      return true;
    }
  }
  return false;
}

/** Whether a file is a configuration, or a manifest that is not one of a web app. */
async function isMarker(file: vscode.Uri): Promise<boolean> {
  try {
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    return file.path.endsWith(".toml") || text.includes('"manifest_version"');
  } catch {
    return false;
  }
}

function foldersAbove(file: string): string[] {
  const folder = path.dirname(file);
  return folder === file ? [] : [folder, ...foldersAbove(folder)];
}
