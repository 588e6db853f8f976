/**
 * A small part of VS Code, in place of its module: enough for the language client.
 *
 * `state` is what the test sees and changes. The rest has the names of VS Code's API.
 */

import Module from "node:module";
import * as path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

type Listener<T> = (event: T) => unknown;
type Named = Record<string, unknown>;

class Emitter<T> {
  private readonly listeners = new Set<Listener<T>>();
  readonly event = (listener: Listener<T>, self?: unknown, disposables?: unknown[]) => {
    const bound: Listener<T> = (event) => listener.call(self, event);
    this.listeners.add(bound);
    const disposable = new Disposable(() => this.listeners.delete(bound));
    disposables?.push(disposable);
    return disposable;
  };
  fire(event: T): void {
    for (const each of [...this.listeners]) {
      each(event);
    }
  }
  dispose(): void {
    this.listeners.clear();
  }
}

class Disposable {
  static from = (...all: Disposable[]) => new Disposable(() => all.forEach((each) => void each.dispose()));
  constructor(readonly dispose: () => unknown) {}
}

export class Uri {
  readonly scheme: string;
  readonly path: string;
  private constructor(
    private readonly url: URL,
    readonly fsPath = "",
  ) {
    this.scheme = url.protocol.slice(0, -1);
    this.path = url.pathname;
  }
  static file = (file: string) => new Uri(pathToFileURL(file), path.resolve(file));
  static parse = (text: string) =>
    text.startsWith("file:") ? Uri.file(fileURLToPath(text)) : new Uri(new URL(text));
  toString(): string {
    return this.url.href;
  }
}

class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(line: number, character: number, endLine: number, endCharacter: number) {
    this.start = new Position(line, character);
    this.end = new Position(endLine, endCharacter);
  }
}

class TextEdit {
  constructor(
    readonly range: Range,
    readonly newText: string,
  ) {}
}

class WorkspaceEdit {
  readonly texts = new Map<string, TextEdit[]>();
  set(uri: Uri, edits: (TextEdit | [TextEdit, unknown])[]): void {
    this.texts.set(
      uri.fsPath,
      edits.map((each) => (Array.isArray(each) ? each[0] : each)),
    );
  }
  replace(uri: Uri, range: Range, text: string): void {
    const edits = this.texts.get(uri.fsPath) ?? [];
    this.texts.set(uri.fsPath, [...edits, new TextEdit(range, text)]);
  }
}

export class Diagnostic {
  code: unknown;
  source: string | undefined;
  constructor(
    readonly range: Range,
    readonly message: string,
    readonly severity: number,
  ) {}
}

class CodeActionKind {
  static readonly Empty = new CodeActionKind("");
  constructor(readonly value: string) {}
  append = (name: string) => new CodeActionKind(this.value ? `${this.value}.${name}` : name);
}

export class CodeAction {
  edit: WorkspaceEdit | undefined;
  constructor(
    readonly title: string,
    readonly kind: CodeActionKind,
  ) {}
}

class CancellationTokenSource {
  private readonly emitter = new Emitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.emitter.event };
  cancel(): void {
    this.token.isCancellationRequested = true;
    this.emitter.fire();
  }
  dispose(): void {
    this.emitter.dispose();
  }
}

class TabInputText {
  constructor(readonly uri: Uri) {}
}

/** A document that a test opens. */
export class Document {
  version = 1;
  readonly isDirty = false;
  constructor(
    readonly uri: Uri,
    readonly languageId: string,
    private text: string,
  ) {}
  getText(): string {
    return this.text;
  }
  /** Replaces the whole text. */
  change(text: string): void {
    const lines = this.text.split("\n");
    const range = new Range(0, 0, lines.length - 1, lines.at(-1)?.length ?? 0);
    const contentChanges = [{ range, rangeLength: this.text.length, text }];
    this.text = text;
    this.version += 1;
    events.onDidChangeTextDocument.fire({ document: this, contentChanges });
  }
}

/** What the client did, and what the test may change. */
export const state = {
  folders: [] as Uri[],
  settings: {} as Named,
  settingsOfFolders: new Map<string, Named>(),
  isTrusted: true,
  /** The interpreter that is selected in the Python extension; without one, it is not installed. */
  interpreter: undefined as string | undefined,
  documents: [] as Document[],
  commands: new Map<string, (...args: unknown[]) => unknown>(),
  diagnostics: new Map<string, readonly Diagnostic[]>(),
  codeActions: [] as {
    provideCodeActions(...args: unknown[]): Promise<CodeAction[]>;
    resolveCodeAction?(action: CodeAction, token: unknown): Promise<CodeAction>;
  }[],
  status: {} as { text?: string; detail?: string; severity?: number },
  errors: [] as string[],
  log: [] as string[],
};

const changed = new Emitter<void>();

const MAX_SECONDS = 60;

/** Returns a value as soon as it is not undefined; it is looked up after each event. */
export function eventually<T>(value: () => T | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`nothing happened, with this log:\n${state.log.join("\n")}`));
    const timer = setTimeout(fail, MAX_SECONDS * 1000);
    const look = () => {
      const found = value();
      if (found !== undefined) {
        clearTimeout(timer);
        subscription.dispose();
        resolve(found);
      }
    };
    const subscription = changed.event(look);
    look();
  });
}

/** Opens a document in a tab. */
export function open(file: string, languageId: string, text: string): Document {
  const document = new Document(Uri.file(file), languageId, text);
  state.documents.push(document);
  events.onDidOpenTextDocument.fire(document);
  events.onDidChangeTabs.fire({ opened: [document], closed: [], changed: [] });
  return document;
}

/** Changes settings of the user. */
export function configure(settings: Named): void {
  Object.assign(state.settings, settings);
  const names = Object.keys(settings).map((name) => `extlint.${name}`);
  const affectsConfiguration = (name: string) => names.some((each) => `${each}.`.startsWith(`${name}.`));
  events.onDidChangeConfiguration.fire({ affectsConfiguration });
}

/** Selects an interpreter in the Python extension. */
export function selectInterpreter(file: string): void {
  state.interpreter = file;
  events.onDidChangeActiveEnvironmentPath.fire();
}

const events = {
  onDidChangeActiveEnvironmentPath: new Emitter<void>(),
  onDidChangeConfiguration: new Emitter<unknown>(),
  onDidChangeTabs: new Emitter<unknown>(),
  onDidChangeTextDocument: new Emitter<unknown>(),
  onDidGrantWorkspaceTrust: new Emitter<void>(),
  onDidOpenTextDocument: new Emitter<Document>(),
};

/** Lets the user trust the workspace. */
export function grantTrust(): void {
  state.isTrusted = true;
  events.onDidGrantWorkspaceTrust.fire();
}

const never = new Emitter<never>().event;
const nothing = () => new Disposable(() => undefined);

/** Adds all other events, which never happen, and all other providers. */
function withEvents(own: Named): Named {
  const get = (target: Named, name: string) => {
    if (name in target) {
      return target[name];
    }
    return name.startsWith("on") ? never : name.startsWith("register") ? nothing : undefined;
  };
  return new Proxy(own, { get });
}

function outputChannel() {
  const write = (level: string) => (text: unknown) => {
    state.log.push(`${level}: ${text}`);
    changed.fire();
  };
  const levels = ["trace", "debug", "info", "warn", "error", "append", "appendLine"];
  const methods = Object.fromEntries(levels.map((level) => [level, write(level)]));
  return { ...methods, logLevel: 3, onDidChangeLogLevel: never, show: write("show"), dispose: nothing };
}

function message(text: string): Promise<undefined> {
  state.errors.push(text);
  changed.fire();
  return Promise.resolve(undefined);
}

const members: Named = {
  __esModule: true,
  version: "1.91.0",
  env: { language: "en", appName: "test" },
  Uri,
  EventEmitter: Emitter,
  Disposable,
  Position,
  Range,
  TextEdit,
  WorkspaceEdit,
  Diagnostic,
  CodeAction,
  CodeActionKind,
  CancellationTokenSource,
  CancellationError: class extends Error {},
  TabInputText,
  LogLevel: { Off: 0, Trace: 1, Debug: 2, Info: 3, Warning: 4, Error: 5 },
  LanguageStatusSeverity: { Information: 0, Warning: 1, Error: 2 },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
  CodeActionTriggerKind: { Invoke: 1, Automatic: 2 },
  FileType: { File: 1, Directory: 2 },
  ProgressLocation: { Window: 10, Notification: 15 },
  commands: {
    registerCommand: (name: string, run: () => unknown) => {
      if (state.commands.has(name)) {
        throw new Error(`command '${name}' already exists`); // as VS Code does: the client adds those of the server
      }
      state.commands.set(name, run);
      return new Disposable(() => state.commands.delete(name));
    },
    executeCommand: (name: string, ...args: unknown[]) => state.commands.get(name)?.(...args),
  },
  extensions: {
    getExtension: () =>
      state.interpreter && {
        activate: async () => ({
          environments: {
            getActiveEnvironmentPath: (folder: Uri) => folder,
            resolveEnvironment: async () => ({ executable: { uri: Uri.file(state.interpreter ?? "") } }),
            onDidChangeActiveEnvironmentPath: events.onDidChangeActiveEnvironmentPath.event,
          },
        }),
      },
  },
  languages: withEvents({
    ...Object.fromEntries(
      [
        "Hover",
        "CompletionItem",
        "Definition",
        "DocumentLink",
        "CodeLens",
        "DocumentSymbol",
        "Reference",
      ].map((each) => [`register${each}Provider`, nothing]),
    ),
    createLanguageStatusItem: () => {
      const set = (target: Named, name: string, value: unknown) => {
        target[name] = value;
        changed.fire();
        return true;
      };
      return new Proxy(Object.assign(state.status, { dispose: nothing }) as Named, { set });
    },
    createDiagnosticCollection: () => {
      const collection = {
        set: (uri: Uri, found: readonly Diagnostic[]) => {
          state.diagnostics.set(uri.fsPath, found);
          changed.fire();
        },
        delete: (uri: Uri) => collection.set(uri, []),
        clear: () => [...state.diagnostics.keys()].forEach((each) => void state.diagnostics.set(each, [])),
        dispose: () => collection.clear(),
      };
      return collection;
    },
    match: (selector: { language?: string }[], document: Document) =>
      [selector].flat().some((each) => each.language === document.languageId) ? 10 : 0,
    registerCodeActionsProvider: (_: unknown, provider: (typeof state.codeActions)[number]) => {
      state.codeActions.push(provider);
      return new Disposable(() => state.codeActions.splice(state.codeActions.indexOf(provider), 1));
    },
  }),
  window: withEvents({
    get activeTextEditor() {
      return undefined;
    },
    visibleTextEditors: [],
    tabGroups: {
      get all() {
        return [{ tabs: state.documents.map((each) => ({ input: new TabInputText(each.uri) })) }];
      },
      onDidChangeTabs: events.onDidChangeTabs.event,
    },
    createOutputChannel: outputChannel,
    showErrorMessage: message,
    showWarningMessage: message,
    showInformationMessage: message,
    withProgress: (_: unknown, run: (...args: unknown[]) => unknown) =>
      run({ report: () => undefined }, new CancellationTokenSource().token),
  }),
  workspace: withEvents({
    ...Object.fromEntries(Object.entries(events).map(([name, { event }]) => [name, event])),
    get isTrusted() {
      return state.isTrusted;
    },
    get workspaceFolders() {
      return state.folders.map((uri, index) => ({ uri, index, name: path.basename(uri.fsPath) }));
    },
    getWorkspaceFolder: (uri: Uri) =>
      state.folders
        .filter((each) => uri.fsPath.startsWith(each.fsPath))
        .map((each) => ({ uri: each, name: path.basename(each.fsPath), index: 0 }))[0],
    get textDocuments() {
      return state.documents;
    },
    notebookDocuments: [],
    fs: { readFile: async () => new TextEncoder().encode('{"manifest_version": 3}') },
    findFiles: async () => state.folders.map((each) => Uri.file(path.join(each.fsPath, "manifest.json"))),
    createFileSystemWatcher: () => ({
      onDidCreate: never,
      onDidChange: never,
      onDidDelete: never,
      dispose: nothing,
    }),
    getConfiguration: (section?: string, scope?: Uri | { uri: Uri }) => {
      const uri = scope instanceof Uri ? scope : scope?.uri;
      const extlint = { ...state.settings, ...state.settingsOfFolders.get(uri?.fsPath ?? "") };
      const values: Named = section === undefined ? { extlint } : extlint;
      return { get: (name: string, otherwise?: unknown) => values[name] ?? otherwise };
    },
  }),
};

/** A class for each name that is not defined here: the client derives its own from them. */
const others: Named = {};
const vscode = new Proxy(members, {
  get: (target, name: string) => {
    if (name in target || !/^[A-Z]/.test(name)) {
      return target[name];
    }
    others[name] ??= class {};
    return others[name];
  },
});

/** Makes `require("vscode")` return this. */
export function install(): void {
  const loader = Module as unknown as { _load(name: string, ...args: unknown[]): unknown };
  const load = loader._load;
  loader._load = (name, ...args) => (name === "vscode" ? vscode : load.call(loader, name, ...args));
}
