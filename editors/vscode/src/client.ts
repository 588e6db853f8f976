/** The language client: it starts, restarts and stops the server. */

import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import * as vscode from "vscode";
import {
  DidChangeConfigurationNotification,
  LanguageClient,
  type Location,
  type Position,
  RevealOutputChannelOn,
  State,
} from "vscode-languageclient/node";
import { hasExtension, SELECTOR } from "./documents";
import { findServer, needsShell, type Server } from "./finder";
import { Interpreters } from "./python";

export const SECTION = "extlint";

const MAX_LOG_PREFIX = 50;

/** The command of the server that shows the uses of a permission. */
const SHOW_USES = "extlint.showUses";

/** The server of the window. All folders share it; it has settings for each of them. */
export class Client implements vscode.Disposable {
  readonly output = vscode.window.createOutputChannel("extlint", { log: true });
  /** Whether the server has not started as there is nothing to check. */
  isWaiting = false;
  private readonly status = vscode.languages.createLanguageStatusItem(SECTION, SELECTOR);
  private readonly interpreters = new Interpreters(() => this.restartIfOther());
  private client: LanguageClient | undefined;
  private server: Server | undefined;
  private search: AbortController | undefined;
  private steps: Promise<void> = Promise.resolve();

  constructor(private readonly bundled: string) {
    this.status.name = "extlint";
    this.status.command = { command: "extlint.showOutput", title: "Show Output" };
    this.show("not running");
  }

  get isRunning(): boolean {
    return this.client?.state === State.Running;
  }

  /** Stops the server, then starts it if there is something to check. */
  restart(): Promise<void> {
    this.search?.abort();
    const search = new AbortController();
    this.search = search;
    return this.next(async () => {
      await this.stopClient();
      if (!search.signal.aborted) {
        await this.start(search.signal);
      }
    });
  }

  /** Restarts the server if there is another extlint to use now. */
  async restartIfOther(): Promise<void> {
    const found = await this.find().catch(() => undefined);
    if (found !== undefined && !this.isWaiting && found.command !== this.server?.command) {
      await this.restart();
    }
  }

  /** Tells the server that settings have changed: it then asks for them. */
  async configure(): Promise<void> {
    if (this.client?.state === State.Running) {
      await this.client.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
    }
  }

  /** Stops the server. */
  stop(): Promise<void> {
    this.search?.abort();
    return this.next(() => this.stopClient());
  }

  dispose(): void {
    this.interpreters.dispose();
    this.status.dispose();
    this.output.dispose();
  }

  /** Runs a step after those before it, whatever became of them. */
  private next(step: () => Promise<void>): Promise<void> {
    this.steps = this.steps.then(step).catch((error: unknown) => this.output.error(String(error)));
    return this.steps;
  }

  private async start(signal: AbortSignal): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [undefined];
    const isEnabled = folders.some((each) =>
      vscode.workspace.getConfiguration(SECTION, each).get("enable", true),
    );
    this.isWaiting = isEnabled && !(await hasExtension());
    if (!isEnabled) {
      this.show("disabled");
    } else if (this.isWaiting) {
      this.show("no browser extension in this window");
    } else {
      this.show("starting", { busy: true });
      const server = await this.find(signal).catch((error: unknown) => {
        if (!signal.aborted) {
          this.complain(error instanceof Error ? error.message : String(error));
        }
      });
      if (server !== undefined) {
        await this.run(server);
      }
    }
  }

  private find(signal?: AbortSignal): Promise<Server> {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter((each) => each.uri.scheme === "file");
    const around = {
      folders: folders.map((each) => each.uri.fsPath),
      trusted: vscode.workspace.isTrusted,
      setting: vscode.workspace.getConfiguration(SECTION).get("path", ""),
      environment: process.env,
      platform: process.platform,
      bundled: this.bundled,
      interpreters: () => this.interpreters.selected(folders),
      log: (message: string) => this.output.info(message),
    };
    return findServer(around, signal);
  }

  private async run(server: Server): Promise<void> {
    const shell = needsShell(server);
    const command = shell ? `"${server.command}"` : server.command;
    const level = vscode.workspace.getConfiguration(SECTION).get("logLevel", "warning");
    const args = [...server.args, "lsp", "--log-level", level];
    this.output.info(`extlint ${server.version} ${server.origin}: ${[command, ...args].join(" ")}`);
    this.server = server;
    this.client = new LanguageClient(
      SECTION,
      "extlint",
      { command, args, options: { cwd: server.folder, env: server.environment, shell } },
      {
        documentSelector: SELECTOR,
        initializationOptions: settings,
        outputChannel: this.output,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        middleware: {
          provideCodeLenses: async (document, token, next) =>
            (await next(document, token))?.map((lens) => this.withReferences(lens)),
        },
        stdioOptions: { stdout: logLines, stderr: logLines },
      },
    );
    this.client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        this.show(`extlint ${server.version}`, { detail: `${server.origin}: ${server.command}` });
      } else if (newState === State.Stopped) {
        this.show("stopped", { severity: vscode.LanguageStatusSeverity.Warning });
      }
    });
    await this.client.start().catch(() => {
      this.show("cannot start", { severity: vscode.LanguageStatusSeverity.Error }); // the client told the user why
    });
  }

  /** Shows the uses of a permission in the list of VS Code, instead of in a message of the server. */
  private withReferences(lens: vscode.CodeLens): vscode.CodeLens {
    const { title, command, arguments: given } = lens.command ?? {};
    const converter = this.client?.protocol2CodeConverter;
    if (title === undefined || command !== SHOW_USES || given === undefined || converter === undefined) {
      return lens;
    }
    const [uri, position, uses] = given as [string, Position, Location[]];
    const places = uses.map((each) => converter.asLocation(each));
    lens.command = {
      title,
      command: places.length > 0 ? "editor.action.showReferences" : "",
      arguments: [converter.asUri(uri), converter.asPosition(position), places],
    };
    return lens;
  }

  private async stopClient(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.server = undefined;
    if (client !== undefined) {
      await client.dispose();
    }
  }

  private show(
    text: string,
    { busy = false, detail = "", severity = vscode.LanguageStatusSeverity.Information } = {},
  ): void {
    this.status.text = text.startsWith("extlint") ? text : `extlint: ${text}`;
    this.status.busy = busy;
    this.status.detail = detail;
    this.status.severity = severity;
  }

  private complain(message: string): void {
    this.output.error(message);
    this.show("cannot start", { detail: message, severity: vscode.LanguageStatusSeverity.Error });
    if (vscode.workspace.isTrusted) {
      void vscode.window.showErrorMessage(message, "Show Output").then((choice) => {
        if (choice !== undefined) {
          this.output.show();
        }
      });
    }
  }
}

/** Copies the log of the server to the output. */
function logLines(input: Readable, output: vscode.LogOutputChannel): void {
  createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) => {
    const level = / (ERROR|WARNING) /.exec(line.slice(0, MAX_LOG_PREFIX))?.[1];
    if (level === "ERROR") {
      output.error(line);
    } else if (level === "WARNING") {
      output.warn(line);
    } else {
      output.info(line); // not debug, as the server already leaves out what the user does not want
    }
  });
}

/** The settings for the whole window. The server asks for those of a folder by itself. */
function settings(): unknown {
  return vscode.workspace.getConfiguration().get(SECTION);
}
