/** The interpreters that the user has selected in the Python extension, if it is installed. */

import * as vscode from "vscode";

const PYTHON_EXTENSION = "ms-python.python";

/** The part of that extension's API that is used here. */
interface Environments {
  getActiveEnvironmentPath(folder?: vscode.Uri): unknown;
  resolveEnvironment(
    environment: unknown,
  ): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
  readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
}

/** Activates the Python extension only when it is asked, and from then on calls a function for each change. */
export class Interpreters implements vscode.Disposable {
  private environments: Promise<Environments | undefined> | undefined;
  private subscription: vscode.Disposable | undefined;

  constructor(private readonly changed: () => void) {}

  /** Returns the paths of the interpreters that are selected for some folders. */
  async selected(folders: readonly vscode.WorkspaceFolder[]): Promise<string[]> {
    this.environments ??= this.activate();
    const environments = await this.environments;
    if (environments === undefined) {
      return [];
    }
    const paths: string[] = [];
    for (const folder of folders) {
      const selected = environments.getActiveEnvironmentPath(folder.uri);
      const interpreter = (await environments.resolveEnvironment(selected))?.executable.uri;
      if (interpreter !== undefined) {
        paths.push(interpreter.fsPath);
      }
    }
    return paths;
  }

  dispose(): void {
    this.subscription?.dispose();
  }

  private async activate(): Promise<Environments | undefined> {
    const extension = vscode.extensions.getExtension<{ environments?: Environments }>(PYTHON_EXTENSION);
    try {
      const environments = (await extension?.activate())?.environments;
      this.subscription = environments?.onDidChangeActiveEnvironmentPath(this.changed);
      return environments;
    } catch {
      return undefined; // its own errors are not those of extlint
    }
  }
}
