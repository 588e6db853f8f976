/** Finds the extlint of a project. It does not need VS Code. */

import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import * as path from "node:path";

/** What the search depends on. */
export interface Surroundings {
  /** The folders of the workspace, as paths. */
  readonly folders: readonly string[];
  /** Whether the user trusts the workspace. Otherwise nothing in its folders is run. */
  readonly trusted: boolean;
  /** The setting `extlint.path`, or an empty string. */
  readonly setting: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** The folder that a build of the extension may fill with a Python package. */
  readonly bundled: string;
  /** Returns the interpreters that the user has selected for the folders. */
  interpreters(): Promise<string[]>;
  log(message: string): void;
}

/** A way to start extlint. */
export interface Program {
  /** Where it comes from, for the user. */
  readonly origin: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** A program that has a language server. */
export interface Server extends Program {
  readonly version: string;
}

const MAX_SECONDS = 30;
const MAX_SECONDS_OF_DOWNLOAD = 300;
const ELSEWHERE = " outside of the workspace, which is not trusted.";
const INSTALL = "Install it with the extra `lsp`, such as in the environment of the project.";

/**
 * Returns the first extlint that has a language server.
 *
 * Throws an error with the reason if there is none, or if the one in the settings cannot be used.
 */
export async function findServer(around: Surroundings, signal?: AbortSignal): Promise<Server> {
  for await (const program of programs(around)) {
    signal?.throwIfAborted();
    const result = await checked(program, signal);
    if (typeof result !== "string") {
      return result;
    }
    const message = `${program.command} (${program.origin}) ${result}`;
    if (program.origin === ORIGIN_SETTING) {
      throw new Error(message);
    }
    around.log(`skipped: ${message}`);
  }
  throw new Error(`extlint was not found${around.trusted ? `. ${INSTALL}` : ELSEWHERE}`);
}

/** Whether a program on Windows is a script, which only a shell can run. */
export function needsShell(program: Program): boolean {
  return /\.(cmd|bat)$/i.test(program.command);
}

const ORIGIN_SETTING = "from the setting extlint.path";

/** The exit status of a language server whose input ends before it is initialized. */
const STATUS_OF_SERVER = 1;

/** Returns the program with its version, or the reason why it cannot be used. */
async function checked(program: Program, signal?: AbortSignal): Promise<Server | string> {
  const [version, server] = await Promise.all([
    output(program, ["--version"], signal),
    output(program, ["lsp"], signal),
  ]);
  const name = /^extlint (\S+)/.exec(version.stdout);
  if (name?.[1] === undefined) {
    return `is not extlint: ${version.problem || version.stdout.slice(0, 100) || "it printed nothing"}`;
  }
  if (server.problem && server.status !== STATUS_OF_SERVER) {
    return `is extlint ${name[1]}, whose language server cannot be used: ${server.problem}`;
  }
  return { ...program, version: name[1] };
}

interface Output {
  readonly stdout: string;
  readonly status: unknown;
  /** Why the program failed, or an empty string. */
  readonly problem: string;
}

function output(program: Program, args: string[], signal?: AbortSignal): Promise<Output> {
  const shell = needsShell(program);
  const options = {
    cwd: program.folder,
    env: { ...process.env, ...program.environment },
    shell,
    signal,
    timeout: (program.origin === ORIGIN_UVX ? MAX_SECONDS_OF_DOWNLOAD : MAX_SECONDS) * 1000,
    windowsHide: true,
  };
  const command = shell ? `"${program.command}"` : program.command;
  return new Promise((resolve, reject) => {
    const child = execFile(command, [...program.args, ...args], options, (error, stdout, stderr) => {
      if (signal?.aborted) {
        reject(signal.reason);
      } else if (error?.killed) {
        resolve({
          stdout: "",
          status: undefined,
          problem: `it took longer than ${options.timeout / 1000} seconds`,
        });
      } else {
        resolve({
          stdout,
          status: error?.code,
          problem: error === null ? "" : lastLine(stderr) || error.message,
        });
      }
    });
    child.stdin?.on("error", () => undefined).end(); // an error if the program has ended before
  });
}

/** The last line of what extlint says, without its name. */
function lastLine(text: string): string | undefined {
  return text
    .trim()
    .split("\n")
    .at(-1)
    ?.replace(/^extlint: /, "");
}

const ORIGIN_UVX = "by uvx";

/** The programs to try, in order. */
async function* programs(around: Surroundings): AsyncGenerator<Program> {
  const folder = (around.trusted && around.folders[0]) || homedir();
  if (around.setting) {
    yield { origin: ORIGIN_SETTING, command: settingPath(around), args: [], folder };
    return;
  }
  for await (const [origin, command] of installed(around)) {
    yield { origin, command, args: [], folder };
  }
  if (around.trusted) {
    const uvx = await onPath(around, "uvx", path.join(homedir(), ".local", "bin"));
    if (uvx !== undefined) {
      yield { origin: ORIGIN_UVX, command: uvx, args: ["--from", "extlint[lsp]", "extlint"], folder };
    }
  }
  yield* bundled(around, folder);
}

/** The setting as an absolute path. */
function settingPath(around: Surroundings): string {
  const [folder] = around.folders;
  const file = around.setting
    .replace(/^~(?=$|[\\/])/, homedir)
    .replaceAll("${workspaceFolder}", () => folder ?? "${workspaceFolder}");
  const absolute = path.resolve(folder ?? homedir(), file);
  if (isForbidden(around, absolute)) {
    throw new Error(`${absolute} (${ORIGIN_SETTING}) is in a workspace that is not trusted.`);
  }
  return absolute;
}

/** The commands that may be installed, with their origins. */
async function* installed(around: Surroundings): AsyncGenerator<[string, string]> {
  for await (const [origin, environment] of environments(around)) {
    yield* existing(around, origin, scriptsOf(around, environment), "extlint");
  }
  if (around.trusted) {
    for (const folder of around.folders) {
      yield* existing(around, "in node_modules", path.join(folder, "node_modules", ".bin"), "extlint");
    }
  }
  const command = await onPath(around, "extlint");
  if (command !== undefined) {
    yield ["on the PATH", command];
  }
}

/** The Python environments that belong to the project, with their origins. */
async function* environments(around: Surroundings): AsyncGenerator<[string, string]> {
  if (around.trusted) {
    for (const folder of around.folders) {
      yield ["in .venv", path.join(folder, ".venv")];
      yield ["in venv", path.join(folder, "venv")];
    }
    for (const interpreter of await around.interpreters()) {
      const scripts = path.dirname(interpreter);
      const isInScripts = /^(bin|scripts)$/i.test(path.basename(scripts));
      yield ["of the selected interpreter", isInScripts ? path.dirname(scripts) : scripts];
    }
  }
  const active = around.environment["VIRTUAL_ENV"];
  if (active && path.isAbsolute(active) && !isForbidden(around, active)) {
    yield ["in VIRTUAL_ENV", active];
  }
}

/** The bundled extlint, for each Python that may run it. */
async function* bundled(around: Surroundings, folder: string): AsyncGenerator<Program> {
  const libraries = path.join(around.bundled, "libs");
  if (!(await isFile(path.join(libraries, "extlint", "__init__.py")))) {
    return;
  }
  const pythons: string[] = [];
  for await (const [, environment] of environments(around)) {
    for await (const [, python] of existing(around, "", scriptsOf(around, environment), "python")) {
      pythons.push(python);
    }
  }
  for (const name of ["python3", "python"]) {
    pythons.push((await onPath(around, name)) ?? "");
  }
  for (const python of new Set(pythons.filter(Boolean))) {
    yield {
      origin: "bundled",
      command: python,
      args: ["-P", "-m", "extlint"], // without -P, Python would import modules from the folder
      environment: { PYTHONPATH: libraries },
      folder,
    };
  }
}

function scriptsOf(around: Surroundings, environment: string): string {
  return path.join(environment, around.platform === "win32" ? "Scripts" : "bin");
}

async function* existing(
  around: Surroundings,
  origin: string,
  folder: string,
  name: string,
): AsyncGenerator<[string, string]> {
  const suffixes = around.platform === "win32" ? [".exe", ".cmd"] : [""];
  for (const suffix of suffixes) {
    const file = path.join(folder, name + suffix);
    if (await isFile(file)) {
      yield [origin, file];
      return;
    }
  }
}

/**
 * Returns the absolute path of a command on the PATH, or in another folder.
 *
 * To leave the search to the system is not safe: Windows starts with the current folder.
 */
async function onPath(around: Surroundings, name: string, ...others: string[]): Promise<string | undefined> {
  const { environment } = around;
  const variable = environment["PATH"] ?? environment["Path"] ?? "";
  for (const folder of [...variable.split(path.delimiter), ...others]) {
    if (path.isAbsolute(folder) && !isForbidden(around, folder)) {
      for await (const [, file] of existing(around, "", folder, name)) {
        return file;
      }
    }
  }
  return undefined;
}

/** Whether a path is in a workspace that is not trusted. */
function isForbidden(around: Surroundings, file: string): boolean {
  return !around.trusted && around.folders.some((folder) => isIn(file, folder));
}

function isIn(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return !path.isAbsolute(relative) && relative.split(path.sep)[0] !== "..";
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
